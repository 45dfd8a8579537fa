/* vkmeter report. In: profiles of one build. Out: a table, or what --output asks for. */
#include "model/report.h"
#include "args.h"
#include "commands/commands.h"
#include "commands/report_matrix.h"
#include "commands/sides.h"
#include "deliver.h"
#include "message.h"
#include "model/baseline.h"
#include "model/side.h"
#include "model/timeline.h"
#include "options_report.h"
#include "output.h"
#include "views/shown.h"
#include "views/tables.h"

#include <unistd.h>

/* The columns that the profiles given have; without one those that every report has. */
static bool print_columns(const struct vkm_report *report, const struct vkm_args *args) {
  struct vkm_view_settings settings = args->view;
  vkm_term_resolve(&settings, STDOUT_FILENO);
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_shown_help(report, &settings, &text);
  bool good = vkm_deliver(NULL, &text);
  vkm_text_finish(&text);
  return good;
}

static bool print(const struct vkm_report *report, const struct vkm_args *args) {
  if (vkm_wants_columns(args)) {
    return print_columns(report, args);
  }
  return vkm_shown_check(report, &args->view) && vkm_output_report(args, report);
}

static bool goes_into_a_page(const struct vkm_args *args) {
  for (size_t i = 0; i < args->output_count; i++) {
    if (args->outputs[i].view == &vkm_view_html) {
      return true;
    }
  }
  vkm_error("--trace is shown in a page only; add --output=html:PATH");
  return false;
}

/* Of --trace; where there is none, an empty one. */
static bool read_timeline(const struct vkm_args *args, struct vkm_timeline *timeline) {
  *timeline = (struct vkm_timeline){0};
  if (args->trace == NULL) {
    return true;
  }
  if (!goes_into_a_page(args)) {
    return false;
  }
  struct vkm_timeline_error error;
  if (vkm_timeline_read(args->trace, timeline, &error) == VKM_OK) {
    return true;
  }
  vkm_error("cannot read '%s': %s; %s", args->trace, error.cause, error.remedy);
  return false;
}

static struct vkm_outcome print_with_timeline(struct vkm_report *report,
                                              const struct vkm_args *args) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  struct vkm_timeline_settings settings = {0};
  struct vkm_timeline_report said;
  struct vkm_timeline timeline;
  if (!read_timeline(args, &timeline)) {
    return outcome;
  }
  if (vkm_timeline_report_build(&said, &timeline, &settings)) {
    report->timeline = args->trace != NULL ? &said : NULL;
    if (print(report, args)) {
      outcome.kind = report->side->error_count > 0 ? VKM_OUTCOME_GATE : VKM_OUTCOME_DONE;
    }
    report->timeline = NULL;
    vkm_timeline_report_finish(&said);
  }
  vkm_timeline_finish(&timeline);
  return outcome;
}

struct vkm_outcome vkm_command_report(const struct vkm_args *args) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  struct vkm_side_source source = {"the report", args->operands, args->operand_count,
                                   vkm_baseline_directory(args->baseline_dir)};
  struct vkm_side side = {0};
  if (args->operand_count > 0 && !vkm_side_load(&side, &source)) {
    return outcome;
  }
  if (args->matrix != NULL && !vkm_wants_columns(args)) {
    if (vkm_report_matrix(args, &side)) {
      outcome.kind = side.error_count > 0 ? VKM_OUTCOME_GATE : VKM_OUTCOME_DONE;
    }
    vkm_side_warn(&side);
    vkm_side_name_errors(&side);
    vkm_side_finish(&side);
    return outcome;
  }
  struct vkm_report report;
  if (vkm_report_build(&report, side.profiles, side.profile_count, args->warmup)) {
    report.side = &side;
    outcome = print_with_timeline(&report, args);
    vkm_side_warn(&side);
    vkm_side_name_errors(&side);
    vkm_report_finish(&report);
  }
  vkm_side_finish(&side);
  return outcome;
}
