/* Counted executions for the timeline: their commands, each with its time. In: timing/count. Out:
 * events. Of one execution at a time; the caller holds the record's lock but where it is said. */
#ifndef VKM_LAYER_TIMING_GPU_EVENTS_H
#define VKM_LAYER_TIMING_GPU_EVENTS_H

#include <stdint.h>

#include "measure/busy.h"
#include "timeline/event.h"

struct vkm_execution;
struct vkm_mark;
struct vkm_recording;

enum { VKM_GPU_EVENTS_AT_ONCE = 32 };

struct vkm_gpu_events {
  const struct vkm_execution *execution;
  uint16_t device;
  uint32_t queue;
  uint32_t timed, given; /* marks with stamps so far; events so far */
  uint32_t count;        /* that wait */
  struct vkm_event waiting[VKM_GPU_EVENTS_AT_ONCE];
};

/* Of a recording that has ended; no lock. */
uint32_t vkm_gpu_events_of(const struct vkm_recording *recording);
/* Only its first members are set. */
void vkm_gpu_events_open(struct vkm_gpu_events *events, const struct vkm_execution *execution);
/* One that was measured; `at` is on CLOCK_MONOTONIC, begin INT64_MIN: it is not known where. The
 * caller sees to it that `timed` is the mark's place among those with stamps. */
void vkm_gpu_events_mark(struct vkm_gpu_events *events, const struct vkm_mark *mark, uint32_t phase,
                         struct vkm_interval at);
/* A control recording as a whole. */
void vkm_gpu_events_whole(struct vkm_gpu_events *events, struct vkm_interval at);
/* What waits goes to the queue. */
void vkm_gpu_events_flush(struct vkm_gpu_events *events);
/* It is counted, `rejected` (VKM_REJECTED_COUNT: it was not) at `seen_ns`. Without the lock. */
void vkm_gpu_events_close(struct vkm_gpu_events *events, int rejected, int64_t seen_ns);

#endif
