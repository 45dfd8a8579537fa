/* vkmeter report. In: profiles of one build. Out: a table, or what --output asks for. */
#include "model/report.h"
#include "args.h"
#include "commands/commands.h"
#include "deliver.h"
#include "message.h"
#include "model/load.h"
#include "model/process.h"
#include "views/term.h"

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

static bool print(const struct vkm_report *report, const struct vkm_args *args,
                  const struct vkm_output_request *request) {
  struct vkm_view_settings settings = args->view;
  vkm_term_resolve(&settings, request->path == NULL ? STDOUT_FILENO : -1);
  if (request->view->machine && !settings.top_given) {
    settings.top = 0;
  }
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  request->view->report(report, &settings, &text);
  bool good = vkm_deliver(request->path, &text);
  vkm_text_finish(&text);
  return good;
}

static bool print_all(const struct vkm_report *report, const struct vkm_args *args) {
  if (args->output_count == 0) {
    struct vkm_output_request table = {vkm_views[0], NULL};
    return print(report, args, &table);
  }
  bool good = true;
  for (size_t i = 0; i < args->output_count; i++) {
    good = print(report, args, &args->outputs[i]) && good;
  }
  return good;
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
    if (print_all(&report, args)) {
      outcome.kind = VKM_OUTCOME_DONE;
    }
    warn(&profiles, args->operands);
    vkm_report_finish(&report);
  }
  vkm_profiles_finish(&profiles);
  return outcome;
}
