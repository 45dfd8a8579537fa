/* Queues of a device, by handle, see submit.h. */
#include "base/alloc.h"
#include "device.h"
#include "timing/submit.h"
#include "trace.h"

static struct vkm_queue *find_queue(struct vkm_submissions *submissions, VkQueue handle) {
  struct vkm_queue *queue = submissions->queues;
  while (queue && queue->handle != handle) {
    queue = queue->next;
  }
  return queue;
}

struct vkm_queue *vkm_queue_register(struct vkm_device *device, VkQueue handle, uint32_t family,
                                     uint32_t index) {
  struct vkm_submissions *submissions = &device->submissions;
  pthread_mutex_lock(&submissions->lock);
  struct vkm_queue *queue = find_queue(submissions, handle);
  bool complete = queue != NULL;
  if (!queue) {
    queue = vkm_calloc(1, sizeof *queue);
    if (queue) {
      queue->handle = handle;
      queue->device = device;
      complete = vkm_device_record_queue(device->record, family, index, &queue->record_index);
      queue->flights = vkm_trace_on() ? vkm_calloc(1, sizeof *queue->flights) : NULL;
      queue->next = submissions->queues;
      submissions->queues = queue;
    }
  }
  pthread_mutex_unlock(&submissions->lock);
  if (!complete) {
    vkm_device_disable(device, "out_of_memory"); /* its work would be of no queue */
  }
  return queue;
}

struct vkm_queue *vkm_queue_lock(struct vkm_device *device, VkQueue handle) {
  pthread_mutex_lock(&device->submissions.lock);
  struct vkm_queue *queue = find_queue(&device->submissions, handle);
  if (queue) {
    return queue;
  }
  pthread_mutex_unlock(&device->submissions.lock);
  queue = vkm_queue_register(device, handle, UINT32_MAX, 0);
  if (queue) {
    pthread_mutex_lock(&device->submissions.lock);
  }
  return queue;
}

struct vkm_queue *vkm_queue_of(struct vkm_device *device, VkQueue handle) {
  pthread_mutex_lock(&device->submissions.lock);
  struct vkm_queue *queue = find_queue(&device->submissions, handle);
  pthread_mutex_unlock(&device->submissions.lock);
  return queue ? queue : vkm_queue_register(device, handle, UINT32_MAX, 0);
}
