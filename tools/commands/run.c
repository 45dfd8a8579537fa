/* vkmeter run. In: a program. Out: its profiles, one a run, and a word on each. Next: run_one,
 * run_series. */
#include <stdlib.h>

#include "args.h"
#include "commands/commands.h"
#include "commands/run_one.h"
#include "commands/run_series.h"
#include "launch/cold.h"
#include "launch/environment.h"
#include "launch/numbers.h"
#include "launch/timeline.h"
#include "message.h"

static struct vkm_outcome run_once(const struct vkm_args *args, const struct vkm_signals *signals,
                                   const char *output) {
  struct vkm_run_start start = {
      .args = args, .signals = signals, .output = output, .run = vkm_environment_run()};
  struct vkm_run_result result = {.outcome = {VKM_OUTCOME_TROUBLE, 0}};
  if (start.run == NULL || !vkm_timeline_ask(args, false, 0)) {
    return result.outcome;
  }
  vkm_run_one(&start, &result);
  if (result.child.timed_out) {
    vkm_error("the program %s and was ended; give --timeout more", result.cause);
  }
  return result.outcome;
}

/* Tags of the command line, and what --cold adds. */
static bool prepare(const struct vkm_args *args, const char *output) {
  const char *tags[VKM_TAGS_MAX + 1];
  size_t count = 0;
  for (; count < args->tag_count; count++) {
    tags[count] = args->tags[count];
  }
  if (args->cold && count == VKM_TAGS_MAX) {
    vkm_error("--cold adds a tag, and there are %d already; give fewer --tag options",
              VKM_TAGS_MAX);
    return false;
  }
  if (args->cold) {
    tags[count++] = "cache=cold";
  }
  return vkm_environment_prepare(output, tags, count);
}

static struct vkm_outcome run_all(const struct vkm_args *args, const char *output, char **plain,
                                  const struct vkm_cold *cold) {
  struct vkm_outcome trouble = {VKM_OUTCOME_TROUBLE, 0};
  struct vkm_signals signals;
  if (!prepare(args, output)) {
    return trouble;
  }
  vkm_signals_take(&signals);
  if (vkm_numbers_in(output)) {
    struct vkm_scene scene = {.plain = plain, .cold = args->cold ? cold : NULL};
    return vkm_run_series(args, &signals, output, &scene);
  }
  if (args->cold && !vkm_cold_renew(cold)) {
    return trouble;
  }
  return run_once(args, &signals, output);
}

struct vkm_outcome vkm_command_run(const struct vkm_args *args) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  char *asked = vkm_environment_output(args->profile);
  char *output =
      asked != NULL ? vkm_numbers_pattern(asked, args->repeat > 1 || args->control) : NULL;
  struct vkm_cold cold = {NULL, NULL};
  if (output != NULL && (!args->cold || vkm_cold_start(&cold))) {
    char **plain = vkm_environment_plain(); /* as it is now */
    if (plain != NULL) {
      outcome = run_all(args, output, plain, &cold);
    }
    free(plain);
    vkm_cold_finish(&cold);
  }
  free(output);
  free(asked);
  return outcome;
}
