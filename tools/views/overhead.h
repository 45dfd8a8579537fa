/* The pairs of `vkmeter run --control`, as JSON and as half a sentence. Main thread. */
#ifndef VKM_TOOLS_VIEWS_OVERHEAD_H
#define VKM_TOOLS_VIEWS_OVERHEAD_H

#include "base/text.h"
#include "model/overhead.h"

/* What a series was. */
struct vkm_series {
  const char *run; /* id; that of each run has its number behind it */
  char *const *command;
  bool cold;
  const struct vkm_pair *pairs;
  size_t pair_count;
  struct vkm_overhead overhead;
};

/* Schema vkmeter.run/1, run.schema.json. */
void vkm_view_series(const struct vkm_series *series, struct vkm_text *text);

/* "wall time with vkmeter 2.31 s, without 2.2 s (medians of 5 pairs): 1.05 times, pairs from 1.03
 * to 1.08". */
void vkm_view_overhead(const struct vkm_overhead *overhead, struct vkm_text *text);

#endif
