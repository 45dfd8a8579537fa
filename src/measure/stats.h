/* Order statistics over plain numbers. */
#ifndef VKM_MEASURE_STATS_H
#define VKM_MEASURE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Linear interpolation, type 7 of Hyndman and Fan (position (n-1)q): [1,2,3,4]
 * gives 1.75, 2.5, 3.25 for the quartiles. `sorted` ascending, count > 0, q in [0,1]. */
double vkm_quantile(const int64_t *sorted, size_t count, double q);

/* Median of the values, which are sorted in place; 0 for none. */
double vkm_median(double *values, size_t count);

struct vkm_summary {
  size_t count; /* 0: nothing below has a meaning */
  double min, p25, median, p75, p90, p99, max, mean;
  double mad; /* median absolute deviation from the median, unscaled */
};
/* Sorts `values` in place, by comparing; at no cost when they are sorted already. */
void vkm_summarize(int64_t *values, size_t count, struct vkm_summary *out);

/* An interval that holds the median of what the values were drawn from with at least 95 % (order
 * statistics: the count below the median is binomial, whatever the distribution). `sorted`
 * ascending. False: fewer than 6 values have none. */
bool vkm_median_interval(const int64_t *sorted, size_t count, int64_t *low, int64_t *high);

#endif
