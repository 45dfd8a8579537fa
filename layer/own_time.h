/* How long our own part of a kind of call takes. In: the clock in some of the calls, because
 * reading it is a good part of what it would measure. Out: a sum over all of them, for the
 * profile's `overhead`. Any thread. */
#ifndef VKM_LAYER_OWN_TIME_H
#define VKM_LAYER_OWN_TIME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Timed are the first call, which is like no other, and one in so many behind it. */
enum { VKM_OWN_EVERY = 8 };

struct vkm_own_time {
  atomic_uint_fast64_t calls, timed, timed_ns;
  atomic_uint_fast64_t first_ns; /* 0: none yet */
};

/* Whether this call, the next to be counted, is to be timed. Programs do things in rounds of eight
 * or sixteen: steps of the golden ratio meet all calls of a round alike. */
static inline bool vkm_own_wanted(const struct vkm_own_time *own) {
  uint32_t call = (uint32_t)atomic_load_explicit(&own->calls, memory_order_relaxed);
  return call * UINT32_C(0x9e3779b1) <= UINT32_MAX / VKM_OWN_EVERY;
}

/* Every call, timed or not. */
static inline void vkm_own_count(struct vkm_own_time *own) {
  atomic_fetch_add_explicit(&own->calls, 1, memory_order_relaxed);
}

void vkm_own_timed(struct vkm_own_time *own, int64_t ns);
/* Of all calls, those that were not timed taken for as long as those that were, without the first.
 */
uint64_t vkm_own_ns(const struct vkm_own_time *own);

#endif
