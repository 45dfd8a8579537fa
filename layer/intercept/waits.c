/* Hooks of everything that lets an application know that work has finished: fences, timeline
 * semaphores, idle waits. In: the application's waits. Next rooms: timing/submit (what the wait
 * proves), timing/collect (read it). */
#include "base/alloc.h"
#include "chain.h"
#include "device.h"
#include "intercept/hooks.h"
#include "trace_calls.h"

/* A wait or a look, from entering the driver to what it proved. */
struct wait {
  struct vkm_device *device;
  struct vkm_inside inside;
  bool anything_new;
  struct vkm_landed landed; /* only its count is set before something lands */
};

/* A wait that counts as an activity; one that is only a look, whose time only the timeline wants.
 */
static void enter_wait(struct wait *wait, struct vkm_device *device, enum vkm_call call) {
  wait->device = device;
  wait->anything_new = false;
  wait->landed.count = 0;
  wait->inside = vkm_activity_enter(call);
}
static void enter_look(struct wait *wait, struct vkm_device *device, enum vkm_call call) {
  wait->device = device;
  wait->anything_new = false;
  wait->landed.count = 0;
  wait->inside = vkm_trace_enter(call);
}

/* It is over: events first, so that what it saw stands before what is read because of it. */
static VkResult finish(struct wait *wait, VkResult result, bool always) {
  if (vkm_trace_on() && wait->inside.began_ns) {
    struct vkm_called called = {.device = wait->device, .result = result};
    vkm_trace_note_wait(&wait->inside, &called, &wait->landed, always);
  }
  if (wait->anything_new) {
    vkm_collect_covered(wait->device);
  }
  return vkm_device_result(wait->device, result);
}

/* ---- fences ---- */

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateFence(VkDevice handle, const VkFenceCreateInfo *info,
                                               const VkAllocationCallbacks *allocator,
                                               VkFence *fence) {
  struct vkm_device *device = vkm_device_of(handle);
  VkResult result = device->table.CreateFence(handle, info, allocator, fence);
  if (result == VK_SUCCESS && vkm_device_follows(device)) {
    struct vkm_fence *known = vkm_calloc(1, sizeof *known);
    if (known && !vkm_handles_put(&device->submissions.fences, VKM_HANDLE(*fence), known)) {
      vkm_free(known); /* waits for it will prove nothing: the collector finds the results */
    }
  }
  return vkm_device_result(device, result);
}

VKAPI_ATTR void VKAPI_CALL vkm_DestroyFence(VkDevice handle, VkFence fence,
                                            const VkAllocationCallbacks *allocator) {
  struct vkm_device *device = vkm_device_of(handle);
  if (fence) {
    vkm_free(vkm_handles_take(&device->submissions.fences, VKM_HANDLE(fence)));
  }
  device->table.DestroyFence(handle, fence, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_ResetFences(VkDevice handle, uint32_t count,
                                               const VkFence *fences) {
  struct vkm_device *device = vkm_device_of(handle);
  for (uint32_t i = 0; i < count; i++) {
    vkm_cover_forget(device, fences[i]);
  }
  return vkm_device_result(device, device->table.ResetFences(handle, count, fences));
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_GetFenceStatus(VkDevice handle, VkFence fence) {
  struct vkm_device *device = vkm_device_of(handle);
  struct wait look;
  enter_look(&look, device, VKM_CALL_GetFenceStatus);
  VkResult result = device->table.GetFenceStatus(handle, fence);
  vkm_trace_leave(&look.inside);
  if (result == VK_SUCCESS && vkm_device_follows(device)) {
    look.anything_new = vkm_cover_fence(device, fence, &look.landed);
  }
  return finish(&look, result, false);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_WaitForFences(VkDevice handle, uint32_t count,
                                                 const VkFence *fences, VkBool32 wait_all,
                                                 uint64_t timeout) {
  struct vkm_device *device = vkm_device_of(handle);
  struct wait wait;
  enter_wait(&wait, device, VKM_CALL_WaitForFences);
  VkResult result = device->table.WaitForFences(handle, count, fences, wait_all, timeout);
  vkm_activity_leave(&wait.inside);
  /* Waiting for any of several fences does not say which. */
  if (result == VK_SUCCESS && (wait_all || count == 1) && vkm_device_follows(device)) {
    for (uint32_t i = 0; i < count; i++) {
      wait.anything_new |= vkm_cover_fence(device, fences[i], &wait.landed);
    }
  }
  return finish(&wait, result, true);
}

/* ---- timeline semaphores ---- */

static bool is_timeline(const VkSemaphoreCreateInfo *info) {
  const VkBaseInStructure *at =
      vkm_chain_find(info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  return at && ((const VkSemaphoreTypeCreateInfo *)at)->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateSemaphore(VkDevice handle,
                                                   const VkSemaphoreCreateInfo *info,
                                                   const VkAllocationCallbacks *allocator,
                                                   VkSemaphore *semaphore) {
  struct vkm_device *device = vkm_device_of(handle);
  VkResult result = device->table.CreateSemaphore(handle, info, allocator, semaphore);
  if (result == VK_SUCCESS && vkm_device_follows(device) && is_timeline(info)) {
    struct vkm_timeline *known = vkm_calloc(1, sizeof *known);
    if (known && !vkm_handles_put(&device->submissions.timelines, VKM_HANDLE(*semaphore), known)) {
      vkm_free(known);
    }
  }
  return vkm_device_result(device, result);
}

VKAPI_ATTR void VKAPI_CALL vkm_DestroySemaphore(VkDevice handle, VkSemaphore semaphore,
                                                const VkAllocationCallbacks *allocator) {
  struct vkm_device *device = vkm_device_of(handle);
  if (semaphore) {
    vkm_free(vkm_handles_take(&device->submissions.timelines, VKM_HANDLE(semaphore)));
  }
  device->table.DestroySemaphore(handle, semaphore, allocator);
}

static VkResult wait_semaphores(struct vkm_device *device, PFN_vkWaitSemaphores next,
                                const VkSemaphoreWaitInfo *info, uint64_t timeout) {
  struct wait wait;
  enter_wait(&wait, device, VKM_CALL_WaitSemaphores);
  VkResult result = next(device->handle, info, timeout);
  vkm_activity_leave(&wait.inside);
  bool all = info->semaphoreCount == 1 || !(info->flags & VK_SEMAPHORE_WAIT_ANY_BIT);
  if (result == VK_SUCCESS && all && vkm_device_follows(device)) {
    for (uint32_t i = 0; i < info->semaphoreCount; i++) {
      wait.anything_new |=
          vkm_cover_semaphore(device, info->pSemaphores[i], info->pValues[i], &wait.landed);
    }
  }
  return finish(&wait, result, true);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_WaitSemaphores(VkDevice handle, const VkSemaphoreWaitInfo *info,
                                                  uint64_t timeout) {
  struct vkm_device *device = vkm_device_of(handle);
  return wait_semaphores(device, device->table.WaitSemaphores, info, timeout);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_WaitSemaphoresKHR(VkDevice handle,
                                                     const VkSemaphoreWaitInfo *info,
                                                     uint64_t timeout) {
  struct vkm_device *device = vkm_device_of(handle);
  return wait_semaphores(device, device->table.WaitSemaphoresKHR, info, timeout);
}

static VkResult counter_value(struct vkm_device *device, PFN_vkGetSemaphoreCounterValue next,
                              VkSemaphore semaphore, uint64_t *value) {
  struct wait look;
  enter_look(&look, device, VKM_CALL_GetSemaphoreCounterValue);
  VkResult result = next(device->handle, semaphore, value);
  vkm_trace_leave(&look.inside);
  if (result == VK_SUCCESS && vkm_device_follows(device)) {
    look.anything_new = vkm_cover_semaphore(device, semaphore, *value, &look.landed);
  }
  return finish(&look, result, false);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_GetSemaphoreCounterValue(VkDevice handle, VkSemaphore semaphore,
                                                            uint64_t *value) {
  struct vkm_device *device = vkm_device_of(handle);
  return counter_value(device, device->table.GetSemaphoreCounterValue, semaphore, value);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_GetSemaphoreCounterValueKHR(VkDevice handle,
                                                               VkSemaphore semaphore,
                                                               uint64_t *value) {
  struct vkm_device *device = vkm_device_of(handle);
  return counter_value(device, device->table.GetSemaphoreCounterValueKHR, semaphore, value);
}

/* ---- idle ---- */

VKAPI_ATTR VkResult VKAPI_CALL vkm_QueueWaitIdle(VkQueue queue) {
  struct vkm_device *device = vkm_device_of(queue);
  struct vkm_cover_mark mark = {0};
  if (vkm_device_follows(device)) {
    vkm_cover_mark(device, queue, &mark);
  }
  struct wait wait;
  enter_wait(&wait, device, VKM_CALL_QueueWaitIdle);
  VkResult result = device->table.QueueWaitIdle(queue);
  vkm_activity_leave(&wait.inside);
  if (result == VK_SUCCESS && mark.count) {
    wait.anything_new = vkm_cover_marked(device, &mark, &wait.landed);
  }
  return finish(&wait, result, true);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_DeviceWaitIdle(VkDevice handle) {
  struct vkm_device *device = vkm_device_of(handle);
  struct vkm_cover_mark mark = {0};
  if (vkm_device_follows(device)) {
    vkm_cover_mark(device, NULL, &mark);
  }
  struct wait wait;
  enter_wait(&wait, device, VKM_CALL_DeviceWaitIdle);
  VkResult result = device->table.DeviceWaitIdle(handle);
  vkm_activity_leave(&wait.inside);
  if (result == VK_SUCCESS && mark.count) {
    wait.anything_new = vkm_cover_marked(device, &mark, &wait.landed);
  }
  return finish(&wait, result, true);
}

static void free_value(void *value, void *context) {
  (void)context;
  vkm_free(value);
}

void vkm_waits_finish(struct vkm_device *device) {
  vkm_handles_each(&device->submissions.fences, free_value, NULL);
  vkm_handles_each(&device->submissions.timelines, free_value, NULL);
}
