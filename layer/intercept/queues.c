/* Hooks of queues and submissions. The arguments reach the driver as they came; only command
 * buffers, fences and timeline signals are read. Next room: timing/submit. */
#include "activity.h"
#include "chain.h"
#include "device.h"
#include "hitches.h"
#include "intercept/hooks.h"
#include "session.h"
#include "trace_calls.h"

static void note_queue(struct vkm_device *device, VkQueue queue, uint32_t family, uint32_t index) {
  if (queue && device->profiled && !vkm_queue_register(device, queue, family, index)) {
    vkm_device_disable(device, "out_of_memory"); /* its work would be of no queue */
  }
}

VKAPI_ATTR void VKAPI_CALL vkm_GetDeviceQueue(VkDevice handle, uint32_t family, uint32_t index,
                                              VkQueue *queue) {
  struct vkm_device *device = vkm_device_of(handle);
  device->table.GetDeviceQueue(handle, family, index, queue);
  note_queue(device, *queue, family, index);
}

VKAPI_ATTR void VKAPI_CALL vkm_GetDeviceQueue2(VkDevice handle, const VkDeviceQueueInfo2 *info,
                                               VkQueue *queue) {
  struct vkm_device *device = vkm_device_of(handle);
  device->table.GetDeviceQueue2(handle, info, queue);
  note_queue(device, *queue, info->queueFamilyIndex, info->queueIndex);
}

/* Directly before and directly behind the driver. */
static void call(struct vkm_ticket *ticket) {
  vkm_submit_call(ticket);
  vkm_activity_enter_at(VKM_ACTIVITY_SUBMIT, ticket->submit_ns);
  if (ticket->open_ns != INT64_MIN) {
    ticket->before_ns = vkm_now_ns() - ticket->open_ns;
  }
}

static void returned(struct vkm_ticket *ticket) {
  ticket->returned_ns = vkm_now_ns();
  vkm_activity_leave_at(VKM_ACTIVITY_SUBMIT, ticket->submit_ns, ticket->returned_ns);
  vkm_hitch_submitted();
  vkm_memory_submitted(&ticket->device->record->memory);
}

/* The timeline comes last: what it has is counted, also when the program ends meanwhile. */
static void finish(struct vkm_ticket *ticket, enum vkm_call call, VkResult result) {
  vkm_submit_close(ticket, ticket->device, result);
  if (vkm_trace_on()) {
    vkm_trace_note_submit(call, ticket, result);
  }
  if (ticket->open_ns != INT64_MIN && ticket->queue && result == VK_SUCCESS) {
    vkm_own_timed(&ticket->device->record->submit,
                  ticket->before_ns + (vkm_now_ns() - ticket->returned_ns));
  }
}

static void add_signals(struct vkm_ticket *ticket, const VkSubmitInfo *submit) {
  const VkTimelineSemaphoreSubmitInfo *values =
      (const VkTimelineSemaphoreSubmitInfo *)vkm_chain_find(
          submit->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  for (uint32_t i = 0; values && i < submit->signalSemaphoreCount; i++) {
    if (i < values->signalSemaphoreValueCount) {
      vkm_submit_signal(ticket, submit->pSignalSemaphores[i], values->pSignalSemaphoreValues[i]);
    }
  }
}

/* A submission to a protected queue or of a command buffer of a device mask passes through like any
 * other: what was recorded says whether it is timed. */
VKAPI_ATTR VkResult VKAPI_CALL vkm_QueueSubmit(VkQueue queue, uint32_t count,
                                               const VkSubmitInfo *submits, VkFence fence) {
  struct vkm_device *device = vkm_device_of(queue);
  if (!vkm_device_follows(device)) {
    return vkm_device_result(device, device->table.QueueSubmit(queue, count, submits, fence));
  }
  struct vkm_ticket ticket;
  vkm_submit_open(&ticket, device, queue);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t j = 0; j < submits[i].commandBufferCount; j++) {
      vkm_submit_add(&ticket, submits[i].pCommandBuffers[j]);
    }
    add_signals(&ticket, &submits[i]);
  }
  vkm_submit_fence(&ticket, fence);
  call(&ticket);
  VkResult result = device->table.QueueSubmit(queue, count, submits, fence);
  returned(&ticket);
  finish(&ticket, VKM_CALL_QueueSubmit, result);
  return vkm_device_result(device, result);
}

static VkResult submit2(VkQueue queue, uint32_t count, const VkSubmitInfo2 *submits, VkFence fence,
                        PFN_vkQueueSubmit2 next) {
  struct vkm_device *device = vkm_device_of(queue);
  if (!vkm_device_follows(device)) {
    return vkm_device_result(device, next(queue, count, submits, fence));
  }
  struct vkm_ticket ticket;
  vkm_submit_open(&ticket, device, queue);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t j = 0; j < submits[i].commandBufferInfoCount; j++) {
      vkm_submit_add(&ticket, submits[i].pCommandBufferInfos[j].commandBuffer);
    }
    for (uint32_t j = 0; j < submits[i].signalSemaphoreInfoCount; j++) {
      const VkSemaphoreSubmitInfo *signal = &submits[i].pSignalSemaphoreInfos[j];
      /* A signal of some stages only proves nothing about the others. */
      if (signal->stageMask & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) {
        vkm_submit_signal(&ticket, signal->semaphore, signal->value);
      }
    }
  }
  vkm_submit_fence(&ticket, fence);
  call(&ticket);
  VkResult result = next(queue, count, submits, fence);
  returned(&ticket);
  finish(&ticket, VKM_CALL_QueueSubmit2, result);
  return vkm_device_result(device, result);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_QueueSubmit2(VkQueue queue, uint32_t count,
                                                const VkSubmitInfo2 *submits, VkFence fence) {
  return submit2(queue, count, submits, fence, vkm_device_of(queue)->table.QueueSubmit2);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_QueueSubmit2KHR(VkQueue queue, uint32_t count,
                                                   const VkSubmitInfo2 *submits, VkFence fence) {
  return submit2(queue, count, submits, fence, vkm_device_of(queue)->table.QueueSubmit2KHR);
}
