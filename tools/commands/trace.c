/* vkmeter trace. In: a trace. Out: what it says, in the formats asked for; whether a profile of the
 * same run says the same. */
#include <unistd.h>

#include "args.h"
#include "commands/commands.h"
#include "deliver.h"
#include "message.h"
#include "model/load.h"
#include "model/timeline.h"
#include "views/term.h"
#include "views/trace_views.h"

enum { TOP = 10 };

static bool print(const struct vkm_timeline_report *report, const struct vkm_args *args,
                  const struct vkm_output_request *request) {
  struct vkm_view_settings settings = args->view;
  vkm_term_resolve(&settings, request->path == NULL ? STDOUT_FILENO : -1);
  if (!settings.top_given) {
    settings.top = request->trace_view->machine ? 0 : TOP;
  }
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  request->trace_view->print(report, args->operands[0], &settings, &text);
  bool good = vkm_deliver(request->path, &text);
  vkm_text_finish(&text);
  return good;
}

static bool print_all(const struct vkm_timeline_report *report, const struct vkm_args *args) {
  if (args->output_count == 0) {
    struct vkm_output_request table = {.trace_view = vkm_trace_views[0]};
    return print(report, args, &table);
  }
  bool good = true;
  for (size_t i = 0; i < args->output_count; i++) {
    good = print(report, args, &args->outputs[i]) && good;
  }
  return good;
}

static bool hold(struct vkm_timeline_report *report, const struct vkm_args *args) {
  struct vkm_profiles profiles;
  char *path = (char *)args->profile;
  if (!vkm_profiles_load(&profiles, &path, 1)) {
    return false;
  }
  bool good = vkm_timeline_report_hold(report, profiles.items, args->profile);
  vkm_profiles_finish(&profiles);
  return good;
}

static struct vkm_outcome show(const struct vkm_timeline *timeline, const struct vkm_args *args) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  struct vkm_timeline_settings settings = {args->min_gap_ns};
  struct vkm_timeline_report report;
  if (!vkm_timeline_report_build(&report, timeline, &settings)) {
    return outcome;
  }
  if ((args->profile == NULL || hold(&report, args)) && print_all(&report, args)) {
    outcome.kind = report.difference_count > 0 ? VKM_OUTCOME_GATE : VKM_OUTCOME_DONE;
  }
  if (report.difference_count > 0) {
    vkm_error("the trace and '%s' differ in %zu %s; are they of one run, and was all of it traced?",
              args->profile, report.difference_count,
              report.difference_count == 1 ? "figure" : "figures");
  }
  vkm_timeline_report_finish(&report);
  return outcome;
}

struct vkm_outcome vkm_command_trace(const struct vkm_args *args) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  struct vkm_timeline timeline;
  struct vkm_timeline_error error;
  if (args->operand_count != 1) {
    vkm_error("trace reads one file, %zu are given; vkmeter merge-traces makes one of several",
              args->operand_count);
    return outcome;
  }
  if (vkm_timeline_read(args->operands[0], &timeline, &error) != VKM_OK) {
    vkm_error("cannot read '%s': %s; %s", args->operands[0], error.cause, error.remedy);
    return outcome;
  }
  outcome = show(&timeline, args);
  vkm_timeline_finish(&timeline);
  return outcome;
}
