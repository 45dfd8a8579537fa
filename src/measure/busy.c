/* In: intervals of work, nearly in order. Out: how long at least one of them ran. Next room:
 * profile. */
#include "measure/busy.h"

#include <string.h>

static void fold(struct vkm_busy *busy, struct vkm_interval interval) {
  busy->closed_ns += interval.end_ns - interval.begin_ns;
  busy->closed_until_ns = interval.end_ns;
}

static void fold_first(struct vkm_busy *busy) {
  fold(busy, busy->open[0]);
  busy->open_count--;
  memmove(&busy->open[0], &busy->open[1], busy->open_count * sizeof busy->open[0]);
}

/* Puts the interval in the place of open[from..to), which it covers or touches; from == to inserts.
 */
static void place(struct vkm_busy *busy, struct vkm_interval interval, uint32_t from, uint32_t to) {
  if (from < to) {
    if (busy->open[from].begin_ns < interval.begin_ns) {
      interval.begin_ns = busy->open[from].begin_ns;
    }
    if (busy->open[to - 1].end_ns > interval.end_ns) {
      interval.end_ns = busy->open[to - 1].end_ns;
    }
  } else if (busy->open_count == VKM_BUSY_OPEN) {
    if (from == 0) { /* older than all that is open: folding it leaves the newer ones open */
      fold(busy, interval);
      return;
    }
    fold_first(busy);
    from--;
    to--;
  }
  memmove(&busy->open[from + 1], &busy->open[to], (busy->open_count - to) * sizeof busy->open[0]);
  busy->open[from] = interval;
  busy->open_count = busy->open_count - (to - from) + 1;
}

void vkm_busy_add(struct vkm_busy *busy, int64_t begin_ns, int64_t end_ns) {
  if (end_ns < begin_ns) {
    return;
  }
  busy->first_ns = !busy->any || begin_ns < busy->first_ns ? begin_ns : busy->first_ns;
  busy->last_ns = !busy->any || end_ns > busy->last_ns ? end_ns : busy->last_ns;
  busy->any = true;
  if (busy->closed_ns > 0 && begin_ns < busy->closed_until_ns) {
    begin_ns = busy->closed_until_ns;
  }
  if (end_ns <= begin_ns) {
    return; /* empty, or behind what was folded away */
  }
  uint32_t to = busy->open_count; /* searched from the end: intervals come nearly in order */
  while (to > 0 && busy->open[to - 1].begin_ns > end_ns) {
    to--;
  }
  uint32_t from = to;
  while (from > 0 && busy->open[from - 1].end_ns >= begin_ns) {
    from--;
  }
  struct vkm_interval interval = {begin_ns, end_ns};
  place(busy, interval, from, to);
}

int64_t vkm_busy_total_ns(const struct vkm_busy *busy) {
  int64_t total_ns = busy->closed_ns;
  for (uint32_t i = 0; i < busy->open_count; i++) {
    total_ns += busy->open[i].end_ns - busy->open[i].begin_ns;
  }
  return total_ns;
}

void vkm_busy_shift(struct vkm_busy *busy, int64_t by_ns) {
  for (uint32_t i = 0; i < busy->open_count; i++) {
    busy->open[i].begin_ns += by_ns;
    busy->open[i].end_ns += by_ns;
  }
  busy->closed_until_ns += by_ns;
  busy->first_ns += by_ns;
  busy->last_ns += by_ns;
}
