/* Busy time of a queue: the union of intervals, in constant memory. */
#ifndef VKM_MEASURE_BUSY_H
#define VKM_MEASURE_BUSY_H

#include <stdbool.h>
#include <stdint.h>

enum { VKM_BUSY_OPEN = 64 };

struct vkm_interval {
  int64_t begin_ns, end_ns;
};

/* Zero-initialized is empty. The latest VKM_BUSY_OPEN disjoint intervals stay open for merging, so
 * intervals may come in any order as long as they are not further behind than that; one that is, is
 * clipped to what is surely not counted yet (nothing is ever counted twice). Not thread safe. */
struct vkm_busy {
  struct vkm_interval open[VKM_BUSY_OPEN]; /* ascending, disjoint */
  uint32_t open_count;
  int64_t closed_ns; /* length of what was folded away */
  int64_t closed_until_ns;
  bool any;
  int64_t first_ns, last_ns; /* smallest begin, largest end seen */
};
void vkm_busy_add(struct vkm_busy *busy, int64_t begin_ns, int64_t end_ns);
int64_t vkm_busy_total_ns(const struct vkm_busy *busy);

/* Moves everything in it by so many ns: onto another clock. */
void vkm_busy_shift(struct vkm_busy *busy, int64_t by_ns);

#endif
