/* In: calls that begin and end. Out: how long any was under way. Next room: profile. */
#include "measure/activity.h"

#include <stddef.h>

/* Clocks are read before the lock is taken, so that two threads may come in the wrong order. */
static void enter(struct vkm_activity_state *state, int64_t now_ns) {
  if (state->inside++ == 0) {
    state->since_ns = now_ns > state->until_ns ? now_ns : state->until_ns;
  }
}

/* True when the last thread has left. One that entered in another life of the process (before a
 * fork) is not known. */
static bool leave(struct vkm_activity_state *state, int64_t now_ns) {
  if (state->inside == 0) {
    return false;
  }
  state->inside--;
  if (state->inside > 0) {
    return false;
  }
  state->until_ns = now_ns > state->since_ns ? now_ns : state->since_ns;
  state->sum.union_ns += state->until_ns - state->since_ns;
  return true;
}

void vkm_activities_enter(struct vkm_activities *activities, enum vkm_activity kind,
                          int64_t now_ns) {
  if (!activities->began) {
    activities->began = true;
    activities->first_ns = now_ns;
  }
  enter(&activities->each[kind], now_ns);
  enter(&activities->any, now_ns);
}

void vkm_activities_leave(struct vkm_activities *activities, enum vkm_activity kind,
                          int64_t began_ns, int64_t now_ns) {
  struct vkm_activity_state *state = &activities->each[kind];
  state->sum.count++;
  state->sum.sum_ns += now_ns - began_ns;
  if (leave(state, now_ns) && kind == VKM_ACTIVITY_BUILD) {
    vkm_spans_add(&activities->builds, state->since_ns, state->until_ns, &activities->active,
                  &activities->build_while_active_ns);
  }
  if (leave(&activities->any, now_ns)) {
    vkm_spans_add(&activities->accounted, activities->any.since_ns, activities->any.until_ns, NULL,
                  NULL);
  }
}

void vkm_activities_device(struct vkm_activities *activities, int64_t begin_ns, int64_t end_ns) {
  vkm_spans_add(&activities->active, begin_ns, end_ns, &activities->builds,
                &activities->build_while_active_ns);
  vkm_spans_add(&activities->accounted, begin_ns, end_ns, NULL, NULL);
}

static int64_t with_open(const struct vkm_activity_state *state, int64_t now_ns) {
  bool open = state->inside > 0 && now_ns > state->since_ns;
  return state->sum.union_ns + (open ? now_ns - state->since_ns : 0);
}

void vkm_activities_read(const struct vkm_activities *activities, int64_t now_ns,
                         struct vkm_activity_figures *figures) {
  *figures = (struct vkm_activity_figures){
      .wall_ns = activities->began ? now_ns - activities->first_ns : 0,
      .any_ns = with_open(&activities->any, now_ns),
      .active_ns = vkm_spans_total_ns(&activities->active),
      .accounted_ns = vkm_spans_total_ns(&activities->accounted),
      .build_while_active_ns = activities->build_while_active_ns,
      .overlap_known = true};
  for (int i = 0; i < VKM_ACTIVITY_COUNT; i++) {
    figures->each[i] = activities->each[i].sum;
    figures->each[i].union_ns = with_open(&activities->each[i], now_ns);
  }
  const struct vkm_activity_state *any = &activities->any;
  if (any->inside > 0 &&
      now_ns > any->since_ns) { /* what of it no device covers is not looked at */
    figures->accounted_ns += now_ns - any->since_ns;
  }
  if (activities->untied > 0) {
    figures->overlap_reason = "the time of a device was not tied to the host's clock";
  } else if (activities->active.late_ns + activities->accounted.late_ns +
                 activities->builds.blind_ns + activities->active.blind_ns +
                 activities->builds.late_ns >
             0) {
    figures->overlap_reason = "results came too late to be laid beside the host's calls";
  }
  figures->overlap_known = figures->overlap_reason == NULL;
}
