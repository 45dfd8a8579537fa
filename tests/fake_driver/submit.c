// Submissions: received, logged, checked, cut into batches.
//
// In: vkQueueSubmit, vkQueueSubmit2, vkQueueBindSparse. Out: one node a batch at the end of its
// queue. Next room: queue.c completes them.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static void *array(uint32_t count, size_t size) {
  void *memory = calloc(count > 0 ? count : 1, size);
  if (memory == NULL) {
    abort();
  }
  return memory;
}

static struct fake_node *new_node(struct fake_queue *queue, uint32_t buffers, uint32_t waits,
                                  uint32_t signals) {
  struct fake_node *node = array(1, sizeof *node);
  node->queue = queue;
  node->buffers = array(buffers, sizeof *node->buffers);
  node->waits = array(waits, sizeof *node->waits);
  node->signals = array(signals, sizeof *node->signals);
  node->buffer_count = buffers;
  node->wait_count = waits;
  node->signal_count = signals;
  return node;
}

static const VkTimelineSemaphoreSubmitInfo *timeline_values(const void *chain) {
  for (const VkBaseInStructure *node = chain; node != NULL; node = node->pNext) {
    if (node->sType == VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO) {
      return (const VkTimelineSemaphoreSubmitInfo *)node;
    }
  }
  return NULL;
}

static void set_wait(struct fake_wait *wait, VkSemaphore semaphore, VkPipelineStageFlags2 stages,
                     const uint64_t *values, uint32_t value_count, uint32_t index) {
  wait->semaphore = FAKE_OBJECT(fake_semaphore, semaphore);
  wait->stages = stages;
  wait->value = values != NULL && index < value_count ? values[index] : 0;
}

static struct fake_node *node_of_submit(struct fake_queue *queue, const VkSubmitInfo *info) {
  struct fake_node *node = new_node(queue, info->commandBufferCount, info->waitSemaphoreCount,
                                    info->signalSemaphoreCount);
  const VkTimelineSemaphoreSubmitInfo *values = timeline_values(info->pNext);
  for (uint32_t i = 0; i < info->commandBufferCount; i++) {
    node->buffers[i] = (struct fake_cb *)info->pCommandBuffers[i];
  }
  for (uint32_t i = 0; i < info->waitSemaphoreCount; i++) {
    set_wait(&node->waits[i], info->pWaitSemaphores[i], info->pWaitDstStageMask[i],
             values != NULL ? values->pWaitSemaphoreValues : NULL,
             values != NULL ? values->waitSemaphoreValueCount : 0, i);
  }
  for (uint32_t i = 0; i < info->signalSemaphoreCount; i++) {
    set_wait(&node->signals[i], info->pSignalSemaphores[i], VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
             values != NULL ? values->pSignalSemaphoreValues : NULL,
             values != NULL ? values->signalSemaphoreValueCount : 0, i);
  }
  return node;
}

static struct fake_node *node_of_submit2(struct fake_queue *queue, const VkSubmitInfo2 *info) {
  struct fake_node *node = new_node(queue, info->commandBufferInfoCount,
                                    info->waitSemaphoreInfoCount, info->signalSemaphoreInfoCount);
  for (uint32_t i = 0; i < info->commandBufferInfoCount; i++) {
    node->buffers[i] = (struct fake_cb *)info->pCommandBufferInfos[i].commandBuffer;
  }
  for (uint32_t i = 0; i < info->waitSemaphoreInfoCount; i++) {
    const VkSemaphoreSubmitInfo *wait = &info->pWaitSemaphoreInfos[i];
    set_wait(&node->waits[i], wait->semaphore, wait->stageMask, &wait->value, 1, 0);
  }
  for (uint32_t i = 0; i < info->signalSemaphoreInfoCount; i++) {
    const VkSemaphoreSubmitInfo *signal = &info->pSignalSemaphoreInfos[i];
    set_wait(&node->signals[i], signal->semaphore, signal->stageMask, &signal->value, 1, 0);
  }
  return node;
}

static struct fake_node *node_of_sparse(struct fake_queue *queue, const VkBindSparseInfo *info) {
  struct fake_node *node = new_node(queue, 0, info->waitSemaphoreCount, info->signalSemaphoreCount);
  const VkTimelineSemaphoreSubmitInfo *values = timeline_values(info->pNext);
  for (uint32_t i = 0; i < info->waitSemaphoreCount; i++) {
    set_wait(&node->waits[i], info->pWaitSemaphores[i], VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
             values != NULL ? values->pWaitSemaphoreValues : NULL,
             values != NULL ? values->waitSemaphoreValueCount : 0, i);
  }
  for (uint32_t i = 0; i < info->signalSemaphoreCount; i++) {
    set_wait(&node->signals[i], info->pSignalSemaphores[i], VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
             values != NULL ? values->pSignalSemaphoreValues : NULL,
             values != NULL ? values->signalSemaphoreValueCount : 0, i);
  }
  return node;
}

static void check_secondaries(const struct fake_cb *cb) {
  for (uint32_t i = 0; i < cb->count; i++) {
    const struct fake_command *command = &cb->commands[i];
    const VkCommandBuffer *secondaries = command->data;
    for (uint32_t j = 0; command->kind == KIND_EXECUTE && j < command->count; j++) {
      if (((const struct fake_cb *)secondaries[j])->state != CB_EXECUTABLE) {
        fake_violate("submitted command buffer executes a secondary that is gone");
      }
    }
  }
}

static void check_buffer(const struct fake_queue *queue, const struct fake_cb *cb) {
  if (cb->state != CB_EXECUTABLE) {
    fake_violate("submitted command buffer is not executable");
  }
  if (cb->secondary) {
    fake_violate("submitted command buffer is secondary");
  }
  if (cb->pending > 0 && (cb->usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT) == 0) {
    fake_violate("submitted command buffer is pending and not for SIMULTANEOUS_USE");
  }
  if (cb->pool->family != queue->family) {
    fake_violate("submitted command buffer is of another family");
  }
  check_secondaries(cb);
}

static void take_buffers(struct fake_node *node) {
  for (uint32_t i = 0; i < node->buffer_count; i++) {
    struct fake_cb *cb = node->buffers[i];
    check_buffer(node->queue, cb);
    cb->pending++;
    fake_count_uses_locked(cb, 1);
    if ((cb->usage & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT) != 0) {
      cb->state = CB_INVALID;
    }
  }
  for (uint32_t i = 0; i < node->wait_count; i++) {
    node->waits[i].semaphore->pending++;
  }
  for (uint32_t i = 0; i < node->signal_count; i++) {
    node->signals[i].semaphore->pending++;
  }
}

static void take_fence(struct fake_node *node, VkFence handle) {
  struct fake_fence *fence = FAKE_OBJECT(fake_fence, handle);
  node->fence = fence;
  if (fence == NULL) {
    return;
  }
  if (fence->signaled || fence->pending > 0) {
    fake_violate("submitted with a fence that is signaled or pending");
  }
  fence->pending++;
}

// Marks first and last of the call, gives the last one the fence, and queues all.
static void enqueue_call(struct fake_queue *queue, struct fake_node **nodes, uint32_t count,
                         VkFence fence, uint32_t number) {
  pthread_mutex_lock(&fake_mutex);
  for (uint32_t i = 0; i < count; i++) {
    nodes[i]->number = number;
    nodes[i]->first = i == 0;
    nodes[i]->last = i + 1 == count;
    nodes[i]->clock_ns = fake_clock_locked();
    take_buffers(nodes[i]);
  }
  take_fence(nodes[count - 1], fence);
  for (uint32_t i = 0; i < count; i++) {
    fake_node_enqueue_locked(nodes[i]);
  }
  fake_worker_start_locked(queue->device);
  fake_pump_locked();
  pthread_mutex_unlock(&fake_mutex);
}

static VkResult admit(struct fake_queue *queue, const char *name) {
  VkResult result = fake_enter(name);
  struct fake_config *config = fake_settings();
  pthread_mutex_lock(&fake_mutex);
  if (queue->device->orphan) {
    fake_violate("%s after vkDestroyInstance of its instance", name);
  }
  if (config->lost_at_submit == 1) {
    fake_lose_locked(queue->device);
  }
  config->lost_at_submit -= config->lost_at_submit > 0 ? 1 : 0;
  if (queue->device->lost) {
    result = VK_ERROR_DEVICE_LOST;
  }
  pthread_mutex_unlock(&fake_mutex);
  return result;
}

static void log_call(struct fake_submission *call, struct fake_node **nodes, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    call->buffer_count += nodes[i]->buffer_count;
  }
  call->buffers = array(call->buffer_count, sizeof *call->buffers);
  uint32_t at = 0;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t j = 0; j < nodes[i]->buffer_count; j++) {
      call->buffers[at++] = (VkCommandBuffer)nodes[i]->buffers[j];
    }
  }
  fake_log_submission(call);
  free(call->buffers);
}

static VkResult receive(struct fake_submission *call, struct fake_node **nodes, uint32_t count) {
  struct fake_queue *queue = (struct fake_queue *)call->queue;
  fake_queue_enter(queue, call->name);
  call->result = admit(queue, call->name);
  uint32_t number = fake_submit_number();
  log_call(call, nodes, count);
  for (uint32_t i = 0; call->result != VK_SUCCESS && i < count; i++) {
    fake_node_free(nodes[i]);
  }
  if (call->result == VK_SUCCESS) {
    enqueue_call(queue, nodes, count, call->fence, number);
  }
  fake_queue_leave(queue);
  free(nodes);
  return call->result;
}

VkResult fake_vkQueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo *submits,
                            VkFence fence) {
  uint32_t node_count = count > 0 ? count : 1;
  struct fake_node **nodes = array(node_count, sizeof(struct fake_node *));
  nodes[0] = count > 0 ? NULL : new_node((struct fake_queue *)queue, 0, 0, 0);
  for (uint32_t i = 0; i < count; i++) {
    nodes[i] = node_of_submit((struct fake_queue *)queue, &submits[i]);
  }
  struct fake_submission call = {.name = "vkQueueSubmit",
                                 .queue = queue,
                                 .fence = fence,
                                 .count = count,
                                 .pointer = submits,
                                 .bytes = submits,
                                 .byte_count = count * sizeof *submits};
  call.deep_hash = fake_settings()->log != 0 ? fake_hash_submits(submits, count) : 0;
  return receive(&call, nodes, node_count);
}

VkResult fake_vkQueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2 *submits,
                             VkFence fence) {
  struct fake_device *device = ((struct fake_queue *)queue)->device;
  fake_require(device, VK_API_VERSION_1_3, FAKE_BIT(FAKE_KHR_synchronization2), "vkQueueSubmit2");
  if (!device->synchronization2) {
    fake_violate("vkQueueSubmit2 without the feature synchronization2");
  }
  uint32_t node_count = count > 0 ? count : 1;
  struct fake_node **nodes = array(node_count, sizeof(struct fake_node *));
  nodes[0] = count > 0 ? NULL : new_node((struct fake_queue *)queue, 0, 0, 0);
  for (uint32_t i = 0; i < count; i++) {
    nodes[i] = node_of_submit2((struct fake_queue *)queue, &submits[i]);
  }
  struct fake_submission call = {.name = "vkQueueSubmit2",
                                 .queue = queue,
                                 .fence = fence,
                                 .count = count,
                                 .pointer = submits,
                                 .bytes = submits,
                                 .byte_count = count * sizeof *submits};
  call.deep_hash = fake_settings()->log != 0 ? fake_hash_submits2(submits, count) : 0;
  return receive(&call, nodes, node_count);
}

VkResult fake_vkQueueBindSparse(VkQueue queue, uint32_t count, const VkBindSparseInfo *infos,
                                VkFence fence) {
  uint32_t node_count = count > 0 ? count : 1;
  struct fake_node **nodes = array(node_count, sizeof(struct fake_node *));
  nodes[0] = count > 0 ? NULL : new_node((struct fake_queue *)queue, 0, 0, 0);
  for (uint32_t i = 0; i < count; i++) {
    nodes[i] = node_of_sparse((struct fake_queue *)queue, &infos[i]);
  }
  if ((fake_family_flags(((struct fake_queue *)queue)->family) & VK_QUEUE_SPARSE_BINDING_BIT) ==
      0) {
    fake_violate("vkQueueBindSparse on a family without SPARSE_BINDING");
  }
  struct fake_submission call = {.name = "vkQueueBindSparse",
                                 .queue = queue,
                                 .fence = fence,
                                 .count = count,
                                 .pointer = infos,
                                 .bytes = infos,
                                 .byte_count = count * sizeof *infos};
  return receive(&call, nodes, node_count);
}
