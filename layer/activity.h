/* The process's calls into the driver, timed. In: hooks, around the driver's command; harvested
 * executions. Out: figures for the profile. Any thread; one leaf lock, never held across a call to
 * the driver. */
#ifndef VKM_LAYER_ACTIVITY_H
#define VKM_LAYER_ACTIVITY_H

#include <stdint.h>

#include "measure/activity.h"
#include "timeline/event.h"

struct vkm_inside {
  enum vkm_call call;
  int64_t began_ns, ended_ns;
};

/* Directly before the driver's command, and directly after it; `leave` returns how long it took.
 * The call is one that counts as an activity (timeline/calls.def). */
struct vkm_inside vkm_activity_enter(enum vkm_call call);
int64_t vkm_activity_leave(struct vkm_inside *inside);
/* The same with a reading of the clock that the caller has. */
void vkm_activity_enter_at(enum vkm_activity kind, int64_t now_ns);
void vkm_activity_leave_at(enum vkm_activity kind, int64_t began_ns, int64_t now_ns);

/* A device executed a recording, on CLOCK_MONOTONIC; INT64_MIN: it is not known when. */
void vkm_activity_device(int64_t begin_ns, int64_t end_ns);

void vkm_activity_read(struct vkm_activity_figures *figures);
/* After fork, in the child. */
void vkm_activity_forked(void);

#endif
