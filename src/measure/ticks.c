/* In: raw query values. Out: nanoseconds, exact. Next room: samples. */
#include "measure/ticks.h"

#include <math.h>

#include "base/wide.h"

/* value / 2^shift, a half rounds up, saturated. */
static int64_t shift_right(struct vkm_wide value, int shift) {
  struct vkm_wide half = {0, 0};
  if (shift >= 128) {
    return 0;
  }
  if (shift > 64) {
    half.high = UINT64_C(1) << (shift - 65);
  } else if (shift > 0) {
    half.low = UINT64_C(1) << (shift - 1);
  }
  value.low += half.low;
  value.high += half.high + (value.low < half.low ? 1 : 0);
  if (shift >= 64) {
    value.low = value.high >> (shift - 64);
    value.high = 0;
  } else if (shift > 0) {
    value.low = (value.low >> shift) | (value.high << (64 - shift));
    value.high >>= shift;
  }
  return value.high != 0 || value.low > INT64_MAX ? INT64_MAX : (int64_t)value.low;
}

static int64_t shift_left(struct vkm_wide value, int shift) {
  if (value.high != 0 || shift > 62 || value.low > ((uint64_t)INT64_MAX >> shift)) {
    return value.high == 0 && value.low == 0 ? 0 : INT64_MAX;
  }
  return (int64_t)(value.low << shift);
}

bool vkm_tick_clock_usable(double period_ns, uint32_t valid_bits) {
  return isfinite(period_ns) && period_ns > 0 && valid_bits >= 1 && valid_bits <= 64;
}

/* Drivers report the period as a float, whose factor is below 2^24. */
#define FACTOR_BITS 24
#define FEW_TICKS (UINT64_C(1) << 38)

struct vkm_tick_clock vkm_tick_clock_of(double period_ns, uint32_t valid_bits) {
  struct vkm_tick_clock clock = {.period_ns = period_ns, .valid_bits = valid_bits};
  int exponent = 0;
  double factor = ldexp(frexp(period_ns, &exponent), FACTOR_BITS);
  int shift = FACTOR_BITS - exponent;
  if (factor == floor(factor) && shift >= 0 && shift < 62) {
    clock.factor = (uint64_t)factor;
    clock.shift = (uint32_t)shift;
    clock.few = FEW_TICKS;
  }
  return clock;
}

int64_t vkm_ticks_to_ns_any(const struct vkm_tick_clock *clock, uint64_t ticks) {
  int exponent = 0;
  /* The period is exactly mantissa * 2^(exponent - 53), so the product below loses nothing. */
  uint64_t mantissa = (uint64_t)ldexp(frexp(clock->period_ns, &exponent), 53);
  struct vkm_wide product = vkm_wide_product(ticks, mantissa);
  int shift = 53 - exponent;
  return shift >= 0 ? shift_right(product, shift) : shift_left(product, -shift);
}

/* The whole offset is converted each time: rounding errors do not add up. */
static int64_t line_ns(const struct vkm_tick_line *line, const struct vkm_tick_clock *clock) {
  if (line->offset_ticks > INT64_MAX) {
    return -vkm_ticks_to_ns(clock, 0 - line->offset_ticks);
  }
  return vkm_ticks_to_ns(clock, line->offset_ticks);
}

void vkm_tick_line_near(struct vkm_tick_line *line, const struct vkm_tick_clock *clock,
                        int64_t expected_ns) {
  if (!line->started || clock->valid_bits >= 64) {
    return;
  }
  uint64_t range_ticks = UINT64_C(1) << clock->valid_bits;
  double range_ns = (double)vkm_ticks_to_ns(clock, range_ticks);
  double ranges = rint(((double)expected_ns - (double)line_ns(line, clock)) / range_ns);
  if (fabs(ranges) < (double)(UINT64_MAX / range_ticks)) {
    line->offset_ticks += (uint64_t)(int64_t)ranges * range_ticks;
  }
}

int64_t vkm_tick_line_ns(struct vkm_tick_line *line, const struct vkm_tick_clock *clock,
                         uint64_t ticks) {
  if (!line->started) {
    line->started = true;
    line->last_ticks = ticks;
    line->offset_ticks = 0;
  }
  uint64_t forward = vkm_ticks_between(clock, line->last_ticks, ticks);
  if (forward > UINT64_C(1) << (clock->valid_bits - 1)) {
    line->offset_ticks -= vkm_ticks_between(clock, ticks, line->last_ticks);
  } else {
    line->offset_ticks += forward;
  }
  line->last_ticks = ticks;
  return line_ns(line, clock);
}
