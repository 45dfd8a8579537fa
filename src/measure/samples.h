/* Samples of one quantity: all of them up to a cap, then a fixed-seed reservoir; exact count, sum,
 * extremes. */
#ifndef VKM_MEASURE_SAMPLES_H
#define VKM_MEASURE_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct vkm_sample {
  int64_t value_ns;
  uint64_t ordinal; /* 0 for the first sample ever seen, and so on: order in time of harvest */
};

struct vkm_samples {
  struct vkm_sample *kept; /* owned; after the cap in no order: sort by ordinal before writing */
  int64_t *begins;         /* owned; when each began, ns since the run started, INT64_MIN unknown;
                              NULL where begins are not kept */
  bool keeps_begins;       /* set between init and the first sample */
  size_t kept_count;
  size_t capacity;
  size_t cap;    /* most samples kept */
  uint64_t seen; /* samples offered */
  uint64_t
      lost; /* offered, not kept because memory was short (the figures below still count them) */
  int64_t sum_ns; /* over all seen */
  int64_t min_ns, max_ns;
  uint64_t random; /* state of the reservoir's generator */
  uint64_t next;   /* ordinal of the next one that is chosen; 0: each is to be looked at */
};

void vkm_samples_init(struct vkm_samples *samples, size_t cap);
void vkm_samples_finish(struct vkm_samples *samples);
/* Never fails: without memory the sample counts in seen, sum, extremes and `lost`. Not thread safe.
 */
void vkm_samples_add(struct vkm_samples *samples, int64_t value_ns, int64_t begin_ns);

/* A copy that shares nothing. False: memory was short; then `to` keeps no sample, and is to be
 * finished as ever. */
VKM_MUST_CHECK bool vkm_samples_copy(struct vkm_samples *to, const struct vkm_samples *from);

#endif
