/* vkmeter report. In: profiles of one build. Out: a table, or what --output asks for. */
#include "model/report.h"
#include "args.h"
#include "commands/commands.h"
#include "deliver.h"
#include "message.h"
#include "model/load.h"
#include "model/process.h"
#include "options_report.h"
#include "output.h"
#include "views/shown.h"

#include <inttypes.h>
#include <unistd.h>

/* What a reader of the result has to know, and which no row can show. */
static void warn(const struct vkm_profiles *profiles, char *const *paths) {
  for (size_t i = 0; i < profiles->count; i++) {
    const struct vkm_read_profile *profile = &profiles->items[i];
    if (!profile->complete) {
      vkm_warning("'%s' is not complete (%s): the program was killed, or runs still", paths[i],
                  profile->end_reason ? profile->end_reason : "no reason given");
    }
    if (profile->beyond_rows.executed > 0) {
      vkm_warning("'%s': %" PRIu64 " dispatches are in no row: there were more different ones than "
                  "the layer keeps",
                  paths[i], profile->beyond_rows.executed);
    }
  }
}

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

struct vkm_outcome vkm_command_report(const struct vkm_args *args) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  struct vkm_profiles profiles;
  if (!vkm_profiles_load(&profiles, args->operands, args->operand_count)) {
    return outcome;
  }
  struct vkm_report report;
  if (vkm_processes_differ(profiles.items, args->operands, profiles.count) &&
      vkm_report_build(&report, profiles.items, profiles.count, args->warmup)) {
    if (print(&report, args)) {
      outcome.kind = VKM_OUTCOME_DONE;
    }
    warn(&profiles, args->operands);
    vkm_report_finish(&report);
  }
  vkm_profiles_finish(&profiles);
  return outcome;
}
