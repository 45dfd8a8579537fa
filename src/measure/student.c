/* In: t or p, degrees of freedom. Out: the other one. Next room: welch.
 * By the regularized incomplete beta function: P(|T| <= t) = I(1/2, f/2) at t*t / (f + t*t). */
#include "measure/student.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { TERMS_MAX = 100000, STEPS_MAX = 200 };

/* log(gamma(a + 1/2) / gamma(a)). The difference of two lgamma would lose what they share: with
 * 1e6 degrees of freedom all but 9 digits. */
static double log_gamma_step(double a) {
  if (a <= 20) {
    return log(tgamma(a + 0.5) / tgamma(a));
  }
  double square = 1 / (a * a);
  double series = 1.0 / 8 - square * (1.0 / 192 - square / 640);
  return log(a) / 2 - series / a;
}

/* The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method. */
static double beta_fraction(double a, double b, double x) {
  const double tiny = DBL_MIN / DBL_EPSILON;
  double c = 1;
  double d = 1 - (a + b) * x / (a + 1);
  d = 1 / (fabs(d) < tiny ? tiny : d);
  double fraction = d;
  for (int m = 1; m <= TERMS_MAX; m++) {
    double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double before = fraction;
    const double terms[] = {even, odd};
    for (int i = 0; i < 2; i++) {
      d = 1 + terms[i] * d;
      d = 1 / (fabs(d) < tiny ? tiny : d);
      c = 1 + terms[i] / c;
      c = fabs(c) < tiny ? tiny : c;
      fraction *= c * d;
    }
    if (fabs(fraction - before) <= DBL_EPSILON * fabs(fraction)) {
      break;
    }
  }
  return fraction;
}

/* P(|T| <= t), or P(|T| > t) where `outer`; t >= 0. Of the two the fraction is taken that
 * converges, so that the smaller one keeps its digits. */
static double two_sided(double t, double freedom, bool outer) {
  double half = freedom / 2;
  double near = fmin(t / freedom * t, DBL_MAX / 4); /* t*t may be too large for a double */
  double y = near / (1 + near);                     /* close to 0 in the middle */
  double x = 1 / (1 + near);                        /* close to 0 in the tails */
  if (y <= 0) {
    return outer;
  }
  double front = exp(log_gamma_step(half) - log(M_PI) / 2 - half * log1p(near) + log(y) / 2);
  if (y < 1.5 / (half + 2.5)) { /* (a + 1) / (a + b + 2) with a = 1/2, b = half */
    double inner = 2 * front * beta_fraction(0.5, half, y);
    return outer ? 1 - inner : inner;
  }
  double tail = front / half * beta_fraction(half, 0.5, x);
  return outer ? tail : 1 - tail;
}

double vkm_student_cdf(double t, double freedom) {
  if (t < 0) {
    return two_sided(-t, freedom, true) / 2;
  }
  return 0.5 + two_sided(t, freedom, false) / 2;
}

static double density(double t, double freedom) {
  return exp(log_gamma_step(freedom / 2) - (freedom + 1) / 2 * log1p(t / freedom * t)) /
         sqrt(freedom * M_PI);
}

/* Newton's steps within a bracket that shrinks; where one leaves it, the middle is taken. */
double vkm_student_quantile(double p, double freedom) {
  if (p <= 0.5) {
    return p == 0.5 ? 0 : -vkm_student_quantile(1 - p, freedom);
  }
  double outer = 2 * (1 - p);
  double low = 0;
  double high = 1;
  while (two_sided(high, freedom, true) > outer && high < DBL_MAX / 4) {
    low = high;
    high *= 2;
  }
  double t = (low + high) / 2;
  for (int step = 0; step < STEPS_MAX; step++) {
    /* In the middle the difference to the inner probability has the digits, in the tails that to
     * the outer one. */
    double excess = outer > 0.5 ? (2 * p - 1) - two_sided(t, freedom, false)
                                : two_sided(t, freedom, true) - outer;
    if (excess > 0) {
      low = t;
    } else {
      high = t;
    }
    double next = t + excess / (2 * density(t, freedom));
    next = next > low && next < high ? next : (low + high) / 2;
    bool done = fabs(next - t) <= 4 * DBL_EPSILON * t;
    t = next;
    if (done) {
      break;
    }
  }
  return t;
}
