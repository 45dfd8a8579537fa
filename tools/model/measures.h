/* Whole processes on two sides: wall time and memory of the runs, judged as rows are, by an
 * interval over runs. In: two sides with what a suite saw of their runs. Next: suite_results.
 * Deterministic. Main thread. */
#ifndef VKM_TOOLS_MODEL_MEASURES_H
#define VKM_TOOLS_MODEL_MEASURES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/comparison.h"

struct vkm_side;

enum vkm_measure_of {
  VKM_MEASURE_WALL = 0,      /* ns, from start to end */
  VKM_MEASURE_RESIDENT,      /* bytes, peak */
  VKM_MEASURE_DEVICE_MEMORY, /* bytes that the program allocated of its devices, peak */
  VKM_MEASURES,
};
/* "wall", "resident", "device-memory"; static. */
const char *vkm_measure_name(enum vkm_measure_of of);

/* From what on a change matters: both have to be exceeded. */
struct vkm_measure_limit {
  double fraction; /* of the base: 0.1 */
  double floor;    /* ns, bytes */
};

struct vkm_measure {
  size_t run_count[VKM_SIDES]; /* that have the value; 0 on a side: nothing below but center */
  double center[VKM_SIDES];    /* median; 0 without runs */
  bool has_change, has_interval;
  double change, low, high; /* fractions, new against base */
  enum vkm_verdict verdict; /* SLOWER: longer, or more memory */
  const char *reason;       /* slug; NULL: it is not compared. Static */
};

/* `limits`: of each measure. Of `settings` confidence and rule count. False: out of memory,
 * reported. */
bool vkm_measures_compare(struct vkm_measure measures[VKM_MEASURES], const struct vkm_side *base,
                          const struct vkm_side *fresh, const struct vkm_compare_settings *settings,
                          const struct vkm_measure_limit limits[VKM_MEASURES])
    __attribute__((warn_unused_result));

#endif
