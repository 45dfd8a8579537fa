/* In: plain numbers. Out: order statistics. Next room: profile. */
#include "measure/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  int64_t left = *(const int64_t *)a;
  int64_t right = *(const int64_t *)b;
  return (left > right) - (left < right);
}

double vkm_quantile(const int64_t *sorted, size_t count, double q) {
  double position = (double)(count - 1) * q;
  size_t below = (size_t)position;
  double low = (double)sorted[below];
  if (below + 1 >= count) {
    return low;
  }
  return low + (position - (double)below) * ((double)sorted[below + 1] - low);
}

/* The deviations from the median grow outwards from the middle of the sorted values on both sides,
 * so the middle one of them is found by walking outwards: no copy, no second sort. */
static double median_deviation(const int64_t *sorted, size_t count, double median) {
  size_t right = count / 2; /* next to take above */
  size_t left = right;      /* one past the next to take below */
  double previous = 0;
  double current = 0;
  for (size_t taken = 0; taken <= count / 2; taken++) {
    double below = left > 0 ? fabs(median - (double)sorted[left - 1]) : INFINITY;
    double above = right < count ? fabs((double)sorted[right] - median) : INFINITY;
    previous = current;
    if (below < above) {
      current = below;
      left--;
    } else {
      current = above;
      right++;
    }
  }
  return count % 2 == 1 ? current : (previous + current) / 2;
}

static bool is_sorted(const int64_t *values, size_t count) {
  size_t i = 1;
  while (i < count && values[i - 1] <= values[i]) {
    i++;
  }
  return i >= count;
}

void vkm_summarize(int64_t *values, size_t count, struct vkm_summary *out) {
  *out = (struct vkm_summary){.count = count};
  if (count == 0) {
    return;
  }
  if (!is_sorted(values, count)) {
    qsort(values, count, sizeof *values, compare);
  }
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    sum += (double)values[i];
  }
  out->min = (double)values[0];
  out->p25 = vkm_quantile(values, count, 0.25);
  out->median = vkm_quantile(values, count, 0.5);
  out->p75 = vkm_quantile(values, count, 0.75);
  out->p90 = vkm_quantile(values, count, 0.9);
  out->p99 = vkm_quantile(values, count, 0.99);
  out->max = (double)values[count - 1];
  out->mean = sum / (double)count;
  out->mad = median_deviation(values, count, out->median);
}
