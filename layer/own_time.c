/* Sums of our own time, see own_time.h. */
#include "own_time.h"

void vkm_own_timed(struct vkm_own_time *own, int64_t ns) {
  uint64_t took_ns = ns > 0 ? (uint64_t)ns : 1;
  uint64_t none = 0;
  if (!atomic_compare_exchange_strong(&own->first_ns, &none, took_ns)) {
    atomic_fetch_add_explicit(&own->timed, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&own->timed_ns, took_ns, memory_order_relaxed);
  }
}

uint64_t vkm_own_ns(const struct vkm_own_time *own) {
  uint64_t calls = atomic_load(&own->calls);
  uint64_t timed = atomic_load(&own->timed);
  double first_ns = (double)atomic_load(&own->first_ns);
  double each_ns = timed ? (double)atomic_load(&own->timed_ns) / (double)timed : first_ns;
  return calls ? (uint64_t)(first_ns + each_ns * (double)(calls - 1)) : 0;
}
