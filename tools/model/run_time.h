/* What the kernels of one run say of a row together: counts, time, and the samples that count.
 * Part of row.c and of the comparison. Pure. */
#ifndef VKM_TOOLS_MODEL_RUN_TIME_H
#define VKM_TOOLS_MODEL_RUN_TIME_H

#include <stddef.h>
#include <stdint.h>

#include "model/row.h"

struct vkm_run_time {
  uint64_t executions;   /* timed or not */
  uint64_t measured;     /* of these, timed */
  uint64_t calls;        /* of these, not set aside */
  uint64_t warmup_count; /* set aside */
  int64_t total_ns;      /* of calls */
  size_t sample_count;   /* of calls, kept */
};

/* Sums refs[0..count). `warmup` 1 sets first uses aside. The samples go to
 * samples[0..sample_count), in order of refs and time; NULL: they are only counted. */
void vkm_run_time_take(struct vkm_run_time *out, const struct vkm_kernel_ref *refs, size_t count,
                       unsigned warmup, int64_t *samples);

/* How many samples vkm_run_time_take would give at most. */
size_t vkm_run_time_room(const struct vkm_kernel_ref *refs, size_t count);

#endif
