/* Student's t distribution, for real degrees of freedom. */
#ifndef VKM_MEASURE_STUDENT_H
#define VKM_MEASURE_STUDENT_H

/* P(T <= t). `freedom` > 0. To 1e-9 of the value, in the lower tail too: a two-sided p is
 * 2 * cdf(-|t|). */
double vkm_student_cdf(double t, double freedom);

/* The t with P(T <= t) = p; 0 < p < 1, freedom > 0. To 1e-9 of the value for 1 to 1e6 degrees of
 * freedom. */
double vkm_student_quantile(double p, double freedom);

#endif
