/* Device ticks become nanoseconds here and nowhere else. In: raw query values. Out: ns. */
#ifndef VKM_MEASURE_TICKS_H
#define VKM_MEASURE_TICKS_H

#include <stdbool.h>
#include <stdint.h>

/* Made by vkm_tick_clock_of, or of the first two alone, which is slower. */
struct vkm_tick_clock {
  double period_ns;    /* VkPhysicalDeviceLimits::timestampPeriod, finite and > 0 */
  uint32_t valid_bits; /* VkQueueFamilyProperties::timestampValidBits, 1..64 */
  uint32_t shift;      /* the period is factor / 2^shift ns, where `few` is not 0 */
  uint64_t factor;
  uint64_t few; /* for less ticks than this the product with factor has 63 bits */
};

/* Whether times can be made at all: period finite and > 0, valid bits 1..64. */
bool vkm_tick_clock_usable(double period_ns, uint32_t valid_bits);
/* Of a usable clock. */
struct vkm_tick_clock vkm_tick_clock_of(double period_ns, uint32_t valid_bits);

/* (end - begin) modulo 2^valid_bits: right across one wrap. */
static inline uint64_t vkm_ticks_between(const struct vkm_tick_clock *clock, uint64_t begin,
                                         uint64_t end) {
  return (end - begin) & (UINT64_MAX >> (64 - clock->valid_bits));
}

/* vkm_ticks_to_ns for any number of ticks and any clock. */
int64_t vkm_ticks_to_ns_any(const struct vkm_tick_clock *clock, uint64_t ticks);

/* ticks * period, rounded to the nearest ns, exact for any 64-bit tick count within the period's
 * float precision (no loss at 2^53); saturates at INT64_MAX. Only differences of ticks are ever
 * given to it. */
static inline int64_t vkm_ticks_to_ns(const struct vkm_tick_clock *clock, uint64_t ticks) {
  if (ticks < clock->few) {
    uint64_t half = (UINT64_C(1) << clock->shift) >> 1;
    return (int64_t)((ticks * clock->factor + half) >> clock->shift);
  }
  return vkm_ticks_to_ns_any(clock, ticks);
}

/* Unwraps the stamps of one queue into nanoseconds since its first stamp (may be negative for a
 * stamp that lies before it). Init with zero. A stamp counts as earlier than the last one when it
 * lies less than half the counter's range behind it. */
struct vkm_tick_line {
  bool started;
  uint64_t last_ticks;
  uint64_t offset_ticks; /* last stamp - first stamp, two's complement */
};
/* After a pause longer than half the counter's range a stamp cannot be placed by itself: moves the
 * line by whole ranges so that its last stamp lies nearest to `expected_ns` of the line. Nothing
 * happens with 64 valid bits. */
void vkm_tick_line_near(struct vkm_tick_line *line, const struct vkm_tick_clock *clock,
                        int64_t expected_ns);
int64_t vkm_tick_line_ns(struct vkm_tick_line *line, const struct vkm_tick_clock *clock,
                         uint64_t ticks);

/* Whether `later` lies before `earlier`: a difference of half the range or more is one backwards.
 */
static inline bool vkm_ticks_go_back(const struct vkm_tick_clock *clock, uint64_t earlier,
                                     uint64_t later) {
  return (later - earlier) >> (clock->valid_bits - 1) & 1;
}

#endif
