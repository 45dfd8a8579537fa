/* Calls into the driver, timed, see activity.h. */
#include "activity.h"

#include <pthread.h>

#include "session.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct vkm_activities activities;

void vkm_activity_enter_at(enum vkm_activity kind, int64_t now_ns) {
  pthread_mutex_lock(&lock);
  vkm_activities_enter(&activities, kind, now_ns);
  pthread_mutex_unlock(&lock);
}

void vkm_activity_leave_at(enum vkm_activity kind, int64_t began_ns, int64_t now_ns) {
  pthread_mutex_lock(&lock);
  vkm_activities_leave(&activities, kind, began_ns, now_ns);
  pthread_mutex_unlock(&lock);
}

/* Known to the compiler: this is on the way of every submission and wait. */
static const uint8_t kinds[VKM_CALL_COUNT] = {
#define VKM_CALL(name, activity) activity,
#include "timeline/calls.def"
#undef VKM_CALL
};

struct vkm_inside vkm_activity_enter(enum vkm_call call) {
  struct vkm_inside inside = {.call = call, .began_ns = vkm_now_ns()};
  vkm_activity_enter_at(kinds[call], inside.began_ns);
  return inside;
}

int64_t vkm_activity_leave(struct vkm_inside *inside) {
  inside->ended_ns = vkm_now_ns();
  vkm_activity_leave_at(kinds[inside->call], inside->began_ns, inside->ended_ns);
  return inside->ended_ns - inside->began_ns;
}

void vkm_activity_device(int64_t begin_ns, int64_t end_ns) {
  pthread_mutex_lock(&lock);
  if (begin_ns == INT64_MIN) {
    activities.untied++;
  } else {
    vkm_activities_device(&activities, begin_ns, end_ns);
  }
  pthread_mutex_unlock(&lock);
}

void vkm_activity_read(struct vkm_activity_figures *figures) {
  pthread_mutex_lock(&lock);
  vkm_activities_read(&activities, vkm_now_ns(), figures);
  pthread_mutex_unlock(&lock);
}

void vkm_activity_forked(void) {
  pthread_mutex_init(&lock, NULL);
  activities = (struct vkm_activities){0};
}
