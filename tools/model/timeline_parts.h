/* The parts that a timeline's report is built from. Main thread. Each returns false when memory is
 * short, unreported. */
#ifndef VKM_TOOLS_MODEL_TIMELINE_PARTS_H
#define VKM_TOOLS_MODEL_TIMELINE_PARTS_H

#include "model/timeline.h"

/* The call among those of a process, or of one thread, that lies longest within each of some
 * disjoint times that are in order. */
struct vkm_within {
  int64_t begin_ns, end_ns;
  uint32_t cause;
  int64_t cause_ns, inside_ns;
};
/* Adds what calls [first, first + count), all of one thread, have in the times.
 */
void vkm_timeline_within(const struct vkm_timeline *timeline, size_t first, size_t count,
                         struct vkm_within *times, size_t time_count);

bool vkm_timeline_queues(struct vkm_timeline_report *report);
bool vkm_timeline_gaps(struct vkm_timeline_report *report,
                       const struct vkm_timeline_settings *settings);
bool vkm_timeline_submits(struct vkm_timeline_report *report,
                          const struct vkm_timeline_settings *settings);
bool vkm_timeline_threads(struct vkm_timeline_report *report);
bool vkm_timeline_kernels(struct vkm_timeline_report *report);

/* Busy time of a queue between two moments. */
int64_t vkm_timeline_busy_between(const struct vkm_queue_times *times, int64_t begin_ns,
                                  int64_t end_ns);
bool vkm_timeline_is_submit(const struct vkm_timeline_call *call);
/* Median of times, which it sorts. */
double vkm_timeline_median(int64_t *times_ns, size_t count);

#endif
