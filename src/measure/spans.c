/* In: intervals, late and out of order. Out: their union, and what two unions share. Next room:
 * measure/activity. */
#include "measure/spans.h"

#include <stddef.h>
#include <string.h>

enum { NEAR = 8 }; /* looked at one by one */

static int64_t length(struct vkm_interval interval) {
  return interval.end_ns - interval.begin_ns;
}

/* Half at a time, so that the moving is shared by many additions. */
static void fold(struct vkm_spans *spans) {
  uint32_t half = VKM_SPANS_KEPT / 2;
  for (uint32_t i = 0; i < half; i++) {
    spans->folded_ns += length(spans->kept[i]);
  }
  spans->folded = true;
  spans->folded_until_ns = spans->kept[half - 1].end_ns;
  spans->count -= half;
  memmove(&spans->kept[0], &spans->kept[half], spans->count * sizeof spans->kept[0]);
}

/* The first kept interval that ends at or after `ns`. Most are near the end; but where a result
 * comes late, all that the host did in the meantime is behind it. */
static uint32_t first_from(const struct vkm_spans *spans, int64_t ns) {
  uint32_t at = spans->count;
  uint32_t near = at > NEAR ? at - NEAR : 0;
  while (at > near && spans->kept[at - 1].end_ns >= ns) {
    at--;
  }
  if (at > near) {
    return at;
  }
  uint32_t low = 0;
  while (low < at) {
    uint32_t middle = low + (at - low) / 2;
    if (spans->kept[middle].end_ns >= ns) {
      at = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/* How much of the part lies in `other`. */
static int64_t shared(struct vkm_spans *spans, struct vkm_interval part,
                      const struct vkm_spans *other) {
  int64_t sum_ns = 0;
  if (other->folded && part.begin_ns < other->folded_until_ns) {
    int64_t end_ns = part.end_ns < other->folded_until_ns ? part.end_ns : other->folded_until_ns;
    spans->blind_ns += end_ns - part.begin_ns;
    part.begin_ns = end_ns;
  }
  for (uint32_t i = first_from(other, part.begin_ns);
       i < other->count && other->kept[i].begin_ns < part.end_ns; i++) {
    int64_t begin_ns = other->kept[i].begin_ns;
    int64_t end_ns = other->kept[i].end_ns;
    begin_ns = begin_ns > part.begin_ns ? begin_ns : part.begin_ns;
    end_ns = end_ns < part.end_ns ? end_ns : part.end_ns;
    sum_ns += end_ns > begin_ns ? end_ns - begin_ns : 0;
  }
  return sum_ns;
}

/* The parts of the interval that kept[from..to) leaves uncovered. */
static int64_t shared_of_new(struct vkm_spans *spans, struct vkm_interval interval, uint32_t from,
                             uint32_t to, const struct vkm_spans *other) {
  int64_t sum_ns = 0;
  int64_t at_ns = interval.begin_ns;
  for (uint32_t i = from; i < to; i++) {
    if (spans->kept[i].begin_ns > at_ns) {
      sum_ns += shared(spans, (struct vkm_interval){at_ns, spans->kept[i].begin_ns}, other);
    }
    at_ns = spans->kept[i].end_ns > at_ns ? spans->kept[i].end_ns : at_ns;
  }
  if (at_ns < interval.end_ns) {
    sum_ns += shared(spans, (struct vkm_interval){at_ns, interval.end_ns}, other);
  }
  return sum_ns;
}

/* In the place of kept[from..to), which the interval covers or touches; from == to inserts. */
static void place(struct vkm_spans *spans, struct vkm_interval interval, uint32_t from,
                  uint32_t to) {
  if (from < to) {
    int64_t begin_ns = spans->kept[from].begin_ns;
    int64_t end_ns = spans->kept[to - 1].end_ns;
    interval.begin_ns = begin_ns < interval.begin_ns ? begin_ns : interval.begin_ns;
    interval.end_ns = end_ns > interval.end_ns ? end_ns : interval.end_ns;
  }
  memmove(&spans->kept[from + 1], &spans->kept[to], (spans->count - to) * sizeof spans->kept[0]);
  spans->kept[from] = interval;
  spans->count = spans->count - (to - from) + 1;
}

/* The two cases that nearly all are: inside the latest interval, or newer than all that is kept and
 * shared with nothing. True when nothing is left to do. */
static bool add_latest(struct vkm_spans *spans, int64_t begin_ns, int64_t end_ns,
                       const struct vkm_spans *other) {
  const struct vkm_interval *last = spans->count ? &spans->kept[spans->count - 1] : NULL;
  if (last && begin_ns >= last->begin_ns && end_ns <= last->end_ns) {
    return true;
  }
  if (spans->count == 0 || begin_ns <= spans->kept[spans->count - 1].end_ns ||
      (other && (other->folded || other->count) &&
       begin_ns < (other->count ? other->kept[other->count - 1].end_ns : other->folded_until_ns))) {
    return false;
  }
  spans->kept[spans->count++] = (struct vkm_interval){begin_ns, end_ns};
  return true;
}

void vkm_spans_add(struct vkm_spans *spans, int64_t begin_ns, int64_t end_ns,
                   const struct vkm_spans *other, int64_t *shared_ns) {
  if (spans->count == VKM_SPANS_KEPT) {
    fold(spans);
  }
  if (end_ns > begin_ns && add_latest(spans, begin_ns, end_ns, other)) {
    return;
  }
  if (spans->folded && begin_ns < spans->folded_until_ns) {
    int64_t until_ns = end_ns < spans->folded_until_ns ? end_ns : spans->folded_until_ns;
    spans->late_ns += until_ns > begin_ns ? until_ns - begin_ns : 0;
    begin_ns = spans->folded_until_ns;
  }
  if (end_ns <= begin_ns) {
    return;
  }
  struct vkm_interval interval = {begin_ns, end_ns};
  uint32_t from = first_from(spans, begin_ns);
  uint32_t to = from;
  while (to < spans->count && spans->kept[to].begin_ns <= end_ns) {
    to++;
  }
  if (other) {
    *shared_ns += shared_of_new(spans, interval, from, to, other);
  }
  place(spans, interval, from, to);
}

int64_t vkm_spans_total_ns(const struct vkm_spans *spans) {
  int64_t total_ns = spans->folded_ns;
  for (uint32_t i = 0; i < spans->count; i++) {
    total_ns += length(spans->kept[i]);
  }
  return total_ns;
}
