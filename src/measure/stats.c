/* In: plain numbers. Out: order statistics. Next room: profile. */
#include "measure/stats.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  int64_t left = *(const int64_t *)a;
  int64_t right = *(const int64_t *)b;
  return (left > right) - (left < right);
}

static int compare_doubles(const void *a, const void *b) {
  double left = *(const double *)a;
  double right = *(const double *)b;
  return (left > right) - (left < right);
}

double vkm_median(double *values, size_t count) {
  if (count == 0) {
    return 0;
  }
  qsort(values, count, sizeof *values, compare_doubles);
  return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
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

/* The largest number of values k on one side with P(at most k - 1 of `count` fair tosses) <= 2.5 %,
 * by summing the binomial from its end; in logarithms, as 2^-count is no double beyond 1074. */
bool vkm_median_interval(const int64_t *sorted, size_t count, int64_t *low, int64_t *high) {
  double log_term = -(double)count * log(2.0); /* of C(count, 0) / 2^count */
  double sum = exp(log_term);
  size_t outside = 0;
  while (sum <= 0.025 && outside < count / 2) {
    outside++;
    log_term += log((double)(count - outside + 1)) - log((double)outside);
    sum += exp(log_term);
  }
  if (outside == 0) {
    return false;
  }
  *low = sorted[outside - 1];
  *high = sorted[count - outside];
  return true;
}
