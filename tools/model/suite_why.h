/* What modes say of one kernel, side by side: whether its time is its own. In: passes of a lane.
 * Next: views. Pure but for memory. */
#ifndef VKM_TOOLS_MODEL_SUITE_WHY_H
#define VKM_TOOLS_MODEL_SUITE_WHY_H

#include <stdbool.h>
#include <stddef.h>

#include "model/suite_results.h"

struct vkm_suite_why_row {
  const struct vkm_suite_kernel *kernel; /* of the timing pass; borrowed */
  bool has_isolated, has_ratio;
  double isolated_ns; /* median with the device to itself */
  double ratio;       /* of the two: well above 1, it shares the device or waits */
};
struct vkm_suite_why {
  struct vkm_suite_why_row *rows; /* as in the timing pass; owned */
  size_t count;
  bool has_submit;
  double submit_ns, gpu_ns; /* median of the GPU time of a run in mode submit, and inline */
};

/* Empty where the lane has no timing pass. False: out of memory. */
bool vkm_suite_why_make(struct vkm_suite_why *why, const struct vkm_suite_lane *lane)
    __attribute__((warn_unused_result));
void vkm_suite_why_finish(struct vkm_suite_why *why);

#endif
