/* What the runs of a workload left, by its checksums: whether they agree with each other, and with
 * the baseline. Main thread. */
#ifndef VKM_TOOLS_MODEL_SUITE_OUTPUTS_H
#define VKM_TOOLS_MODEL_SUITE_OUTPUTS_H

#include <stddef.h>

#include "model/sample.h"

struct vkm_side;
struct vkm_suite_lane;

enum vkm_output_verdict {
  VKM_OUTPUT_NOT_COMPARED = 0, /* no baseline, it cannot be compared, or no run was good */
  VKM_OUTPUT_NEW,              /* the baseline has nothing of that name */
  VKM_OUTPUT_SAME,
  VKM_OUTPUT_CHANGED,
  VKM_OUTPUT_UNSETTLED, /* it varies in the baseline itself */
};
/* "same", ...; NULL: not compared. Static. */
const char *vkm_output_verdict_name(enum vkm_output_verdict verdict);

struct vkm_suite_output {
  const char *name;                 /* of the workload; borrowed */
  int decimals;                     /* to which numbers were rounded before; -1: as it is */
  struct vkm_output_digest digest;  /* of the first good run */
  size_t run_count, variants;       /* good runs, in whatever phase; contents that differ */
  size_t base_runs, base_variants;  /* of the baseline */
  char base[VKM_SHA256_TEXT_BYTES]; /* of its first run */
  enum vkm_output_verdict verdict;
};

/* Takes what the baseline has of the runs that are compared with the lane's. */
void vkm_suite_outputs_base(struct vkm_suite_lane *lane, const struct vkm_side *base);
/* Fills in the rest; may be called again. */
void vkm_suite_outputs_judge(struct vkm_suite_lane *lane);

#endif
