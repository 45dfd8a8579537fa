/* The union of intervals of two clocks' worth of events that come late and out of order, and how
 * much of it another such union shares. Constant memory; what comes too late is told, not guessed.
 * Not thread safe. */
#ifndef VKM_MEASURE_SPANS_H
#define VKM_MEASURE_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/busy.h"

enum { VKM_SPANS_KEPT = 512 };

/* Zero-initialized is empty. The latest VKM_SPANS_KEPT disjoint intervals are kept for merging;
 * older ones are only a sum. */
struct vkm_spans {
  struct vkm_interval kept[VKM_SPANS_KEPT]; /* ascending, disjoint, not touching */
  uint32_t count;
  bool folded; /* something is only a sum */
  int64_t folded_ns, folded_until_ns;
  int64_t late_ns;  /* came for a time that is folded: perhaps counted there, not added */
  int64_t blind_ns; /* new here, for a time that the other union had folded: overlap not known */
};

/* Adds an interval. `other` (may be NULL): what of it was not covered here before and is covered
 * there goes to *shared_ns. Each pair of parts is met once, whichever comes last. */
void vkm_spans_add(struct vkm_spans *spans, int64_t begin_ns, int64_t end_ns,
                   const struct vkm_spans *other, int64_t *shared_ns);
int64_t vkm_spans_total_ns(const struct vkm_spans *spans);

#endif
