/* In: two lists of numbers. Out: an interval. Next room: the tool's model. */
#include "measure/welch.h"

#include <math.h>

#include "measure/student.h"

double vkm_mean(const double *values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    sum += values[i];
  }
  return count > 0 ? sum / (double)count : 0;
}

double vkm_variance(const double *values, size_t count) {
  double mean = vkm_mean(values, count);
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    sum += (values[i] - mean) * (values[i] - mean);
  }
  return count > 1 ? sum / (double)(count - 1) : 0;
}

bool vkm_welch(const double *base, size_t base_count, const double *fresh, size_t fresh_count,
               double confidence, struct vkm_welch *out) {
  *out = (struct vkm_welch){0};
  if (base_count < 2 || fresh_count < 2) {
    return false;
  }
  double base_part = vkm_variance(base, base_count) / (double)base_count;
  double fresh_part = vkm_variance(fresh, fresh_count) / (double)fresh_count;
  out->difference = vkm_mean(fresh, fresh_count) - vkm_mean(base, base_count);
  double whole = base_part + fresh_part;
  out->standard_error = sqrt(whole);
  if (whole > 0) {
    /* As shares of the whole, because squares of small variances would be 0. */
    double base_share = base_part / whole;
    double fresh_share = fresh_part / whole;
    out->degrees_of_freedom = 1 / (base_share * base_share / (double)(base_count - 1) +
                                   fresh_share * fresh_share / (double)(fresh_count - 1));
    out->t = out->difference / out->standard_error;
    double half =
        vkm_student_quantile((1 + confidence) / 2, out->degrees_of_freedom) * out->standard_error;
    out->low = out->difference - half;
    out->high = out->difference + half;
  } else {
    out->degrees_of_freedom = (double)(base_count + fresh_count - 2);
    out->low = out->high = out->difference;
  }
  return true;
}
