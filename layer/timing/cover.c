/* What an application's waits prove: which submissions of which queue have finished. In: fences,
 * timeline semaphores, idle waits. Out: vkm_queue.covered. Next room: timing/collect.
 *
 * A fence signal, and a semaphore signal of all stages, come after everything submitted to the same
 * queue before (Vulkan specification, "Signal Operation Order" and the scopes of vkQueueSubmit). */
#include "device.h"
#include "timing/submit.h"

static struct vkm_fence *fence_of(struct vkm_device *device, VkFence fence) {
  return vkm_handles_get(&device->submissions.fences, VKM_HANDLE(fence));
}

/* Everything submitted before the oldest call that is still under way; for one queue and thread:
 * everything before and with this one. Lock held. */
static uint64_t reach(const struct vkm_queue *queue, uint64_t sequence) {
  for (const struct vkm_ticket *at = queue->open; at; at = at->next_open) {
    if (at->sequence < sequence) {
      sequence = at->sequence - 1;
    }
  }
  return sequence;
}

void vkm_submit_signal(struct vkm_ticket *ticket, VkSemaphore semaphore, uint64_t value) {
  struct vkm_submissions *submissions = &ticket->device->submissions;
  struct vkm_timeline *timeline = vkm_handles_get(&submissions->timelines, VKM_HANDLE(semaphore));
  if (!timeline || !ticket->queue) {
    return;
  }
  timeline->points[timeline->next] =
      (struct vkm_timeline_point){.value = value,
                                  .queue = ticket->queue,
                                  .sequence = reach(ticket->queue, ticket->sequence),
                                  .submit = ticket->sequence};
  timeline->next = (timeline->next + 1) % VKM_TIMELINE_POINTS;
}

void vkm_submit_fence(struct vkm_ticket *ticket, VkFence handle) {
  struct vkm_fence *fence = handle && ticket->queue ? fence_of(ticket->device, handle) : NULL;
  if (!fence) {
    return;
  }
  *fence = (struct vkm_fence){ticket->queue, reach(ticket->queue, ticket->sequence)};
  ticket->fence = fence;
}

static void forget_points(void *value, void *context) {
  struct vkm_timeline *timeline = value;
  const struct vkm_ticket *ticket = context;
  for (int i = 0; i < VKM_TIMELINE_POINTS; i++) {
    struct vkm_timeline_point *point = &timeline->points[i];
    if (point->queue == ticket->queue && point->submit == ticket->sequence) {
      point->queue = NULL;
    }
  }
}

void vkm_cover_withdraw(struct vkm_ticket *ticket) {
  struct vkm_submissions *submissions = &ticket->device->submissions;
  pthread_mutex_lock(&submissions->lock);
  if (ticket->fence) {
    ticket->fence->queue = NULL;
  }
  vkm_handles_each(&submissions->timelines, forget_points, ticket);
  pthread_mutex_unlock(&submissions->lock);
}

void vkm_cover_forget(struct vkm_device *device, VkFence handle) {
  struct vkm_fence *fence = fence_of(device, handle);
  if (fence) {
    pthread_mutex_lock(&device->submissions.lock);
    fence->queue = NULL;
    pthread_mutex_unlock(&device->submissions.lock);
  }
}

/* Lock held. */
static bool cover(struct vkm_queue *queue, uint64_t sequence, struct vkm_landed *landed) {
  if (!queue || queue->covered >= sequence) {
    return false;
  }
  queue->covered = sequence;
  if (queue->flights) {
    vkm_flight_covered(queue, landed);
  }
  return true;
}

bool vkm_cover_fence(struct vkm_device *device, VkFence handle, struct vkm_landed *landed) {
  struct vkm_fence *fence = fence_of(device, handle);
  if (!fence) {
    return false;
  }
  pthread_mutex_lock(&device->submissions.lock);
  bool anything_new = cover(fence->queue, fence->sequence, landed);
  pthread_mutex_unlock(&device->submissions.lock);
  return anything_new;
}

bool vkm_cover_semaphore(struct vkm_device *device, VkSemaphore semaphore, uint64_t value,
                         struct vkm_landed *landed) {
  struct vkm_timeline *timeline =
      vkm_handles_get(&device->submissions.timelines, VKM_HANDLE(semaphore));
  if (!timeline) {
    return false;
  }
  bool anything_new = false;
  pthread_mutex_lock(&device->submissions.lock);
  for (int i = 0; i < VKM_TIMELINE_POINTS; i++) {
    struct vkm_timeline_point *point = &timeline->points[i];
    if (point->queue && point->value <= value) {
      anything_new |= cover(point->queue, point->sequence, landed);
      point->queue = NULL;
    }
  }
  pthread_mutex_unlock(&device->submissions.lock);
  return anything_new;
}

void vkm_cover_mark(struct vkm_device *device, VkQueue handle, struct vkm_cover_mark *mark) {
  mark->count = 0;
  pthread_mutex_lock(&device->submissions.lock);
  for (struct vkm_queue *queue = device->submissions.queues; queue; queue = queue->next) {
    if ((!handle || queue->handle == handle) && mark->count < VKM_QUEUE_CAP) {
      mark->queues[mark->count].queue = queue;
      mark->queues[mark->count].sequence = reach(queue, queue->accepted);
      mark->count++;
    }
  }
  pthread_mutex_unlock(&device->submissions.lock);
}

bool vkm_cover_marked(struct vkm_device *device, const struct vkm_cover_mark *mark,
                      struct vkm_landed *landed) {
  bool anything_new = false;
  pthread_mutex_lock(&device->submissions.lock);
  for (uint32_t i = 0; i < mark->count; i++) {
    anything_new |= cover(mark->queues[i].queue, mark->queues[i].sequence, landed);
  }
  pthread_mutex_unlock(&device->submissions.lock);
  return anything_new;
}
