/* One lane of a suite: a workload on a device, run in every way that the mode wants. Main thread.
 */
#ifndef VKM_TOOLS_COMMANDS_SUITE_LANE_H
#define VKM_TOOLS_COMMANDS_SUITE_LANE_H

#include <stdbool.h>

#include "launch/child.h"
#include "model/suite_results.h"

struct vkm_args;
struct vkm_text;

struct vkm_suite_run {
  const struct vkm_args *args;
  const struct vkm_signals *signals;
  const char *output; /* folder of the suite, absolute */
  struct vkm_suite_results *results;
};

/* Runs it, compares it with the baseline, and fills in the lane. What a person reads of it beyond
 * figures is appended to `details` as Markdown. False: it could not be done, reported; programs
 * that fail are no such thing. */
bool vkm_suite_lane_run(const struct vkm_suite_run *run, struct vkm_suite_lane *lane,
                        struct vkm_text *details) __attribute__((warn_unused_result));

#endif
