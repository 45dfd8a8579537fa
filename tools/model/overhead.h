/* What the layer costs a whole program: wall times with it and without, in pairs. Pure. */
#ifndef VKM_TOOLS_MODEL_OVERHEAD_H
#define VKM_TOOLS_MODEL_OVERHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One run with the layer and one without, one right after the other. */
struct vkm_pair {
  uint32_t sequence; /* of the profiled run */
  bool plain_first;
  bool profiled_good, plain_good; /* both: the pair counts */
  int64_t profiled_ns, plain_ns;  /* wall time; 0: was not run */
};

struct vkm_overhead {
  size_t count; /* of pairs that count; 0: nothing below is known */
  int64_t profiled_median_ns, plain_median_ns;
  double ratio; /* the median of the pairs' ratios, profiled to plain */
  double least, most;
  bool has_interval; /* six pairs or more: holds the median with 95 % */
  double low, high;
};

/* False: out of memory. */
bool vkm_overhead_judge(const struct vkm_pair *pairs, size_t count, struct vkm_overhead *overhead)
    __attribute__((warn_unused_result));

#endif
