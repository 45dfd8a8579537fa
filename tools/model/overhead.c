/* The layer's cost for a program. In: pairs of wall times. Out: a ratio. Next: views/overhead. */
#include "model/overhead.h"

#include <math.h>
#include <stdlib.h>

#include "measure/stats.h"

/* Ratios as whole numbers, for the order statistics of src/. */
#define RATIO_UNIT 1e9

static bool counts(const struct vkm_pair *pair) {
  return pair->profiled_good && pair->plain_good && pair->profiled_ns > 0 && pair->plain_ns > 0;
}

bool vkm_overhead_judge(const struct vkm_pair *pairs, size_t count, struct vkm_overhead *overhead) {
  *overhead = (struct vkm_overhead){0};
  int64_t *values = calloc(3 * (count > 0 ? count : 1), sizeof *values);
  if (values == NULL) {
    return false;
  }
  int64_t *profiled = values;
  int64_t *plain = values + count;
  int64_t *ratios = values + 2 * count;
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    if (counts(&pairs[i])) {
      profiled[used] = pairs[i].profiled_ns;
      plain[used] = pairs[i].plain_ns;
      ratios[used++] =
          llround((double)pairs[i].profiled_ns / (double)pairs[i].plain_ns * RATIO_UNIT);
    }
  }
  struct vkm_summary summary;
  int64_t low = 0;
  int64_t high = 0;
  overhead->count = used;
  if (used > 0) {
    vkm_summarize(profiled, used, &summary);
    overhead->profiled_median_ns = llround(summary.median);
    vkm_summarize(plain, used, &summary);
    overhead->plain_median_ns = llround(summary.median);
    vkm_summarize(ratios, used, &summary);
    overhead->ratio = summary.median / RATIO_UNIT;
    overhead->least = summary.min / RATIO_UNIT;
    overhead->most = summary.max / RATIO_UNIT;
    overhead->has_interval = vkm_median_interval(ratios, used, &low, &high);
    overhead->low = (double)low / RATIO_UNIT;
    overhead->high = (double)high / RATIO_UNIT;
  }
  free(values);
  return true;
}
