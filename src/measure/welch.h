/* Welch's interval for the difference of two means, of lists that need not vary alike. */
#ifndef VKM_MEASURE_WELCH_H
#define VKM_MEASURE_WELCH_H

#include <stdbool.h>
#include <stddef.h>

struct vkm_welch {
  double difference;         /* mean of fresh - mean of base */
  double standard_error;     /* 0: neither list varies; the interval is the difference itself */
  double degrees_of_freedom; /* Welch and Satterthwaite; count - 2 where nothing varies */
  double t;                  /* difference / standard_error; 0 where nothing varies */
  double low, high;
};

/* Means; unbiased variance, 0 for fewer than 2 values. */
double vkm_mean(const double *values, size_t count);
double vkm_variance(const double *values, size_t count);

/* confidence in (0, 1). False: a list has fewer than 2 values, and `out` is all 0. */
bool vkm_welch(const double *base, size_t base_count, const double *fresh, size_t fresh_count,
               double confidence, struct vkm_welch *out);

#endif
