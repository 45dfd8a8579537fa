/* Creations between submissions, see hitches.h. A creation waits in a list until its thread submits
 * again: only then it lay between two submissions. */
#include "hitches.h"

#include <stdatomic.h>

#include "handles.h"

enum { WAITING_CAP = 1024 };

struct hitch {
  uint32_t thread;
  const struct vkm_device_record *record;
  struct vkm_pipeline_record *pipeline;
  int64_t wall_ns;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct hitch waiting[WAITING_CAP];
static uint32_t waiting_count;
static struct hitch worst[VKM_HITCHES_KEPT]; /* longest first */
static uint32_t worst_count;
static uint64_t total_count, total_ns, untracked;

/* Number of the thread, 0 before its first submission; its creations in the list. */
static VKM_THREAD struct {
  uint32_t number, waiting;
} self;
static atomic_uint_fast32_t threads;

void vkm_hitch_built(struct vkm_device_record *record, struct vkm_pipeline_record *pipeline,
                     int64_t wall_ns) {
  if (self.number == 0) {
    return;
  }
  pthread_mutex_lock(&lock);
  if (waiting_count < WAITING_CAP) {
    waiting[waiting_count++] = (struct hitch){self.number, record, pipeline, wall_ns};
    self.waiting++;
  } else {
    untracked++;
  }
  pthread_mutex_unlock(&lock);
}

/* Lock held. */
static void count(const struct hitch *hitch) {
  total_count++;
  total_ns += (uint64_t)hitch->wall_ns;
  if (hitch->pipeline) {
    atomic_store_explicit(&hitch->pipeline->between_submits, true, memory_order_relaxed);
  }
  if (worst_count == VKM_HITCHES_KEPT && hitch->wall_ns <= worst[worst_count - 1].wall_ns) {
    return;
  }
  uint32_t at = worst_count < VKM_HITCHES_KEPT ? worst_count++ : worst_count - 1;
  while (at > 0 && worst[at - 1].wall_ns < hitch->wall_ns) {
    worst[at] = worst[at - 1];
    at--;
  }
  worst[at] = *hitch;
}

void vkm_hitch_submitted(void) {
  if (self.number == 0) {
    self.number = (uint32_t)atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) + 1;
  }
  if (self.waiting == 0) {
    return;
  }
  self.waiting = 0;
  pthread_mutex_lock(&lock);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < waiting_count; i++) {
    if (waiting[i].thread == self.number) {
      count(&waiting[i]);
    } else {
      waiting[kept++] = waiting[i];
    }
  }
  waiting_count = kept;
  pthread_mutex_unlock(&lock);
}

void vkm_hitches_read(const struct vkm_device_record *first, struct vkm_profile_hitches *figures) {
  pthread_mutex_lock(&lock);
  *figures = (struct vkm_profile_hitches){
      .count = total_count, .ns = total_ns, .untracked = untracked, .worst_count = worst_count};
  for (uint32_t i = 0; i < worst_count; i++) {
    figures->worst[i] = (struct vkm_profile_hitch){
        .pipeline = worst[i].pipeline ? worst[i].pipeline->index : VKM_NO_PIPELINE,
        .wall_ns = worst[i].wall_ns};
    for (const struct vkm_device_record *at = first; at && at != worst[i].record; at = at->next) {
      figures->worst[i].device++;
    }
  }
  pthread_mutex_unlock(&lock);
}

void vkm_hitches_forked(void) {
  pthread_mutex_init(&lock, NULL);
  waiting_count = worst_count = 0;
  total_count = total_ns = untracked = 0;
  self.number = self.waiting = 0;
}
