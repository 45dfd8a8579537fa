// Fences, semaphores, events, and the host's waits for them.
//
// In: calls. Out: states that queue.c changes when batches complete; host waits that really block.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 256 };

VkResult fake_vkCreateFence(VkDevice device, const VkFenceCreateInfo *info,
                            const VkAllocationCallbacks *allocator, VkFence *out) {
  (void)allocator;
  FAKE_ENTER();
  struct fake_fence *fence =
      fake_object_new((struct fake_device *)device, "VkFence", sizeof *fence);
  if (fence == NULL) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  fence->signaled = (info->flags & VK_FENCE_CREATE_SIGNALED_BIT) != 0;
  *out = FAKE_HANDLE(VkFence, fence);
  return VK_SUCCESS;
}

void fake_vkDestroyFence(VkDevice device, VkFence handle, const VkAllocationCallbacks *allocator) {
  (void)device;
  (void)allocator;
  struct fake_fence *fence = FAKE_OBJECT(fake_fence, handle);
  if (fence == NULL) {
    return;
  }
  pthread_mutex_lock(&fake_mutex);
  bool pending = fence->pending > 0;
  pthread_mutex_unlock(&fake_mutex);
  if (pending) {
    fake_violate("vkDestroyFence of a pending fence");
  }
  fake_object_delete(fence);
}

VkResult fake_vkResetFences(VkDevice device, uint32_t count, const VkFence *fences) {
  (void)device;
  FAKE_ENTER();
  pthread_mutex_lock(&fake_mutex);
  for (uint32_t i = 0; i < count; i++) {
    struct fake_fence *fence = FAKE_OBJECT(fake_fence, fences[i]);
    if (fence->pending > 0) {
      fake_violate("vkResetFences of a pending fence");
    }
    fence->signaled = false;
  }
  pthread_mutex_unlock(&fake_mutex);
  return VK_SUCCESS;
}

VkResult fake_vkGetFenceStatus(VkDevice handle, VkFence fence_handle) {
  FAKE_ENTER();
  const struct fake_device *device = (struct fake_device *)handle;
  const struct fake_fence *fence = FAKE_OBJECT(fake_fence, fence_handle);
  pthread_mutex_lock(&fake_mutex);
  fake_pump_locked();
  VkResult result = fence->signaled ? VK_SUCCESS : VK_NOT_READY;
  if (device->lost) {
    result = VK_ERROR_DEVICE_LOST;
  } else if (fence->signaled) {
    fake_clock_reach_locked(fence->time_ns);
  }
  pthread_mutex_unlock(&fake_mutex);
  return result;
}

struct fences {
  const VkFence *handles;
  uint32_t count;
  bool all;
};

static bool fences_done(void *argument) {
  const struct fences *wanted = argument;
  uint32_t done = 0;
  for (uint32_t i = 0; i < wanted->count; i++) {
    done += FAKE_OBJECT(fake_fence, wanted->handles[i])->signaled ? 1 : 0;
  }
  return wanted->all ? done == wanted->count : done > 0;
}

VkResult fake_vkWaitForFences(VkDevice handle, uint32_t count, const VkFence *handles, VkBool32 all,
                              uint64_t timeout) {
  FAKE_ENTER();
  struct fences wanted = {handles, count, all != VK_FALSE};
  pthread_mutex_lock(&fake_mutex);
  VkResult result = fake_block_locked((struct fake_device *)handle, fences_done, &wanted, timeout,
                                      "vkWaitForFences");
  for (uint32_t i = 0; result == VK_SUCCESS && i < count; i++) {
    const struct fake_fence *fence = FAKE_OBJECT(fake_fence, handles[i]);
    if (fence->signaled) {
      fake_clock_reach_locked(fence->time_ns);
    }
  }
  pthread_mutex_unlock(&fake_mutex);
  return result;
}

uint64_t fake_semaphore_time(const struct fake_semaphore *semaphore, uint64_t value) {
  for (uint32_t i = 0; i < semaphore->point_count; i++) {
    if (!semaphore->timeline || semaphore->points[i].value >= value) {
      return semaphore->points[semaphore->timeline ? i : semaphore->point_count - 1].time_ns;
    }
  }
  return 0;
}

bool fake_semaphore_reached(const struct fake_semaphore *semaphore, uint64_t value) {
  return semaphore->timeline ? semaphore->value >= value : semaphore->value != 0;
}

void fake_semaphore_signal_locked(struct fake_semaphore *semaphore, uint64_t value,
                                  uint64_t time_ns) {
  if (semaphore->timeline && value <= semaphore->value) {
    fake_violate("timeline semaphore signalled to a value that is not greater");
  }
  if (!semaphore->timeline && semaphore->value != 0) {
    fake_violate("binary semaphore signalled twice");
  }
  semaphore->value = semaphore->timeline ? value : 1;
  if (semaphore->point_count == MAX_POINTS) {
    semaphore->point_count = MAX_POINTS / 2;
    memmove(semaphore->points, semaphore->points + MAX_POINTS / 2,
            sizeof *semaphore->points * (MAX_POINTS / 2));
  }
  semaphore->points[semaphore->point_count++] = (struct fake_point){value, time_ns};
}

VkResult fake_vkCreateSemaphore(VkDevice device, const VkSemaphoreCreateInfo *info,
                                const VkAllocationCallbacks *allocator, VkSemaphore *out) {
  (void)allocator;
  FAKE_ENTER();
  struct fake_semaphore *semaphore =
      fake_object_new((struct fake_device *)device, "VkSemaphore", sizeof *semaphore);
  if (semaphore == NULL) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  semaphore->points = calloc(MAX_POINTS, sizeof *semaphore->points);
  if (semaphore->points == NULL) {
    abort();
  }
  for (const VkBaseInStructure *node = info->pNext; node != NULL; node = node->pNext) {
    if (node->sType == VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO) {
      const VkSemaphoreTypeCreateInfo *type = (const void *)node;
      semaphore->timeline = type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
      semaphore->value = semaphore->timeline ? type->initialValue : 0;
    }
  }
  if (semaphore->timeline && !((struct fake_device *)device)->timeline_semaphore) {
    fake_violate("timeline semaphore without the feature timelineSemaphore");
  }
  *out = FAKE_HANDLE(VkSemaphore, semaphore);
  return VK_SUCCESS;
}

void fake_vkDestroySemaphore(VkDevice device, VkSemaphore handle,
                             const VkAllocationCallbacks *allocator) {
  (void)device;
  (void)allocator;
  struct fake_semaphore *semaphore = FAKE_OBJECT(fake_semaphore, handle);
  if (semaphore == NULL) {
    return;
  }
  pthread_mutex_lock(&fake_mutex);
  bool pending = semaphore->pending > 0;
  pthread_mutex_unlock(&fake_mutex);
  if (pending) {
    fake_violate("vkDestroySemaphore of a pending semaphore");
  }
  free(semaphore->points);
  fake_object_delete(semaphore);
}

VkResult fake_vkGetSemaphoreCounterValue(VkDevice handle, VkSemaphore semaphore_handle,
                                         uint64_t *value) {
  FAKE_ENTER();
  const struct fake_device *device = (struct fake_device *)handle;
  const struct fake_semaphore *semaphore = FAKE_OBJECT(fake_semaphore, semaphore_handle);
  pthread_mutex_lock(&fake_mutex);
  fake_pump_locked();
  *value = semaphore->value;
  fake_clock_reach_locked(fake_semaphore_time(semaphore, semaphore->value));
  VkResult result = device->lost ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
  pthread_mutex_unlock(&fake_mutex);
  return result;
}

static bool semaphores_done(void *argument) {
  const VkSemaphoreWaitInfo *info = argument;
  uint32_t done = 0;
  for (uint32_t i = 0; i < info->semaphoreCount; i++) {
    const struct fake_semaphore *semaphore = FAKE_OBJECT(fake_semaphore, info->pSemaphores[i]);
    done += semaphore->value >= info->pValues[i] ? 1 : 0;
  }
  return (info->flags & VK_SEMAPHORE_WAIT_ANY_BIT) != 0 ? done > 0 : done == info->semaphoreCount;
}

VkResult fake_vkWaitSemaphores(VkDevice handle, const VkSemaphoreWaitInfo *info, uint64_t timeout) {
  FAKE_ENTER();
  pthread_mutex_lock(&fake_mutex);
  VkResult result = fake_block_locked((struct fake_device *)handle, semaphores_done, (void *)info,
                                      timeout, "vkWaitSemaphores");
  for (uint32_t i = 0; result == VK_SUCCESS && i < info->semaphoreCount; i++) {
    const struct fake_semaphore *semaphore = FAKE_OBJECT(fake_semaphore, info->pSemaphores[i]);
    if (semaphore->value >= info->pValues[i]) {
      fake_clock_reach_locked(fake_semaphore_time(semaphore, info->pValues[i]));
    }
  }
  pthread_mutex_unlock(&fake_mutex);
  return result;
}

VkResult fake_vkSignalSemaphore(VkDevice device, const VkSemaphoreSignalInfo *info) {
  (void)device;
  FAKE_ENTER();
  pthread_mutex_lock(&fake_mutex);
  fake_semaphore_signal_locked(FAKE_OBJECT(fake_semaphore, info->semaphore), info->value,
                               fake_clock_locked());
  fake_pump_locked();
  pthread_cond_broadcast(&fake_changed);
  pthread_mutex_unlock(&fake_mutex);
  return VK_SUCCESS;
}

VkResult fake_vkCreateEvent(VkDevice device, const VkEventCreateInfo *info,
                            const VkAllocationCallbacks *allocator, VkEvent *out) {
  (void)info;
  (void)allocator;
  FAKE_ENTER();
  struct fake_event *event =
      fake_object_new((struct fake_device *)device, "VkEvent", sizeof *event);
  *out = FAKE_HANDLE(VkEvent, event);
  return event != NULL ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void fake_vkDestroyEvent(VkDevice device, VkEvent event, const VkAllocationCallbacks *allocator) {
  (void)device;
  (void)allocator;
  fake_object_delete(FAKE_OBJECT(fake_event, event));
}

VkResult fake_vkGetEventStatus(VkDevice device, VkEvent handle) {
  FAKE_ENTER();
  pthread_mutex_lock(&fake_mutex);
  VkResult result = FAKE_OBJECT(fake_event, handle)->set ? VK_EVENT_SET : VK_EVENT_RESET;
  if (((const struct fake_device *)device)->lost) {
    result = VK_ERROR_DEVICE_LOST;
  }
  pthread_mutex_unlock(&fake_mutex);
  return result;
}

static void change_event(VkEvent handle, bool set) {
  struct fake_event *event = FAKE_OBJECT(fake_event, handle);
  pthread_mutex_lock(&fake_mutex);
  event->set = set;
  event->time_ns = fake_clock_locked();
  fake_pump_locked();
  pthread_cond_broadcast(&fake_changed);
  pthread_mutex_unlock(&fake_mutex);
}

VkResult fake_vkSetEvent(VkDevice device, VkEvent event) {
  (void)device;
  FAKE_ENTER();
  change_event(event, true);
  return VK_SUCCESS;
}

VkResult fake_vkResetEvent(VkDevice device, VkEvent event) {
  (void)device;
  FAKE_ENTER();
  change_event(event, false);
  return VK_SUCCESS;
}
