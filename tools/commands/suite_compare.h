/* A lane against the baseline. Main thread. */
#ifndef VKM_TOOLS_COMMANDS_SUITE_COMPARE_H
#define VKM_TOOLS_COMMANDS_SUITE_COMPARE_H

#include <stdbool.h>

#include "commands/suite_lane.h"

struct vkm_side;

/* Compares the good runs `fresh` of the lane with what the baseline has of their segments, writes
 * compare.json into the lane's folder, and appends the comparison to `details` where something
 * changed. False: reported. */
bool vkm_suite_compare(const struct vkm_suite_run *run, struct vkm_suite_lane *lane,
                       struct vkm_side *fresh, struct vkm_text *details)
    __attribute__((warn_unused_result));

/* Looks for workloads that the baseline alone has. False: reported. */
bool vkm_suite_find_vanished(const struct vkm_suite_run *run) __attribute__((warn_unused_result));

#endif
