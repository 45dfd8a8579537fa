/* In: the program's device calls. Out: objects and executions told to the rooms below. Next: the
 * next layer. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "count_clock.h"
#include "count_device.h"
#include "count_objects.h"
#include "count_report.h"
#include "count_state.h"

static VKAPI_ATTR void VKAPI_CALL hook_DestroyDevice(VkDevice handle,
                                                     const VkAllocationCallbacks *allocator) {
  if (handle == VK_NULL_HANDLE) {
    return;
  }
  struct vkmtest_device *device = vkmtest_device_of(handle);
  const void *owner = vkmtest_key(handle);
  vkmtest_report_write("device");
  vkmtest_lock();
  vkmtest_owner_remove(owner);
  vkmtest_totals()->devices_gone++;
  vkmtest_unlock();
  device->DestroyDevice(handle, allocator);
  vkmtest_device_remove(device);
}

static VKAPI_ATTR VkResult VKAPI_CALL
hook_CreateShaderModule(VkDevice handle, const VkShaderModuleCreateInfo *info,
                        const VkAllocationCallbacks *allocator, VkShaderModule *module) {
  VkResult result = vkmtest_device_of(handle)->CreateShaderModule(handle, info, allocator, module);
  if (result == VK_SUCCESS) {
    struct vkmtest_code code = vkmtest_code_of(info->pCode, info->codeSize);
    vkmtest_lock();
    vkmtest_module_add(vkmtest_key(handle), *module, &code);
    vkmtest_unlock();
  }
  return result;
}

static VKAPI_ATTR void VKAPI_CALL hook_DestroyShaderModule(VkDevice handle, VkShaderModule module,
                                                           const VkAllocationCallbacks *allocator) {
  vkmtest_lock();
  vkmtest_module_remove(vkmtest_key(handle), module);
  vkmtest_unlock();
  vkmtest_device_of(handle)->DestroyShaderModule(handle, module, allocator);
}

/* The code a stage is made from: its module, or the words chained in front of it. Caller holds the
 * lock. */
static struct vkmtest_code stage_code(const void *owner,
                                      const VkPipelineShaderStageCreateInfo *stage) {
  if (stage->module != VK_NULL_HANDLE) {
    return vkmtest_module_code(owner, stage->module);
  }
  for (const VkBaseInStructure *at = stage->pNext; at != NULL; at = at->pNext) {
    if (at->sType == VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO) {
      const VkShaderModuleCreateInfo *info = (const VkShaderModuleCreateInfo *)(const void *)at;
      return vkmtest_code_of(info->pCode, info->codeSize);
    }
  }
  return (struct vkmtest_code){0};
}

static VKAPI_ATTR VkResult VKAPI_CALL
hook_CreateComputePipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                            const VkComputePipelineCreateInfo *infos,
                            const VkAllocationCallbacks *allocator, VkPipeline *pipelines) {
  VkResult result = vkmtest_device_of(handle)->CreateComputePipelines(handle, cache, count, infos,
                                                                      allocator, pipelines);
  /* A call that failed may still have made some of them, and says so by the handles. */
  const void *owner = vkmtest_key(handle);
  vkmtest_lock();
  for (uint32_t i = 0; i < count; i++) {
    if (pipelines[i] != VK_NULL_HANDLE) {
      struct vkmtest_code code = stage_code(owner, &infos[i].stage);
      vkmtest_pipeline_add(owner, pipelines[i], vkmtest_kernel_intern(&code, &infos[i].stage));
    }
  }
  vkmtest_unlock();
  return result;
}

static VKAPI_ATTR void VKAPI_CALL hook_DestroyPipeline(VkDevice handle, VkPipeline pipeline,
                                                       const VkAllocationCallbacks *allocator) {
  vkmtest_lock();
  vkmtest_pipeline_remove(vkmtest_key(handle), pipeline);
  vkmtest_unlock();
  vkmtest_device_of(handle)->DestroyPipeline(handle, pipeline, allocator);
}

static VKAPI_ATTR void VKAPI_CALL hook_DestroyCommandPool(VkDevice handle, VkCommandPool pool,
                                                          const VkAllocationCallbacks *allocator) {
  vkmtest_lock();
  vkmtest_pool_remove(vkmtest_key(handle), pool);
  vkmtest_unlock();
  vkmtest_device_of(handle)->DestroyCommandPool(handle, pool, allocator);
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_ResetCommandPool(VkDevice handle, VkCommandPool pool,
                                                            VkCommandPoolResetFlags flags) {
  vkmtest_lock();
  vkmtest_pool_clear(vkmtest_key(handle), pool);
  vkmtest_unlock();
  return vkmtest_device_of(handle)->ResetCommandPool(handle, pool, flags);
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_AllocateCommandBuffers(
    VkDevice handle, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *buffers) {
  VkResult result = vkmtest_device_of(handle)->AllocateCommandBuffers(handle, info, buffers);
  if (result == VK_SUCCESS) {
    vkmtest_lock();
    for (uint32_t i = 0; i < info->commandBufferCount; i++) {
      vkmtest_recording_add(vkmtest_key(handle), info->commandPool, buffers[i]);
    }
    vkmtest_unlock();
  }
  return result;
}

static VKAPI_ATTR void VKAPI_CALL hook_FreeCommandBuffers(VkDevice handle, VkCommandPool pool,
                                                          uint32_t count,
                                                          const VkCommandBuffer *buffers) {
  vkmtest_lock();
  for (uint32_t i = 0; i < count; i++) {
    vkmtest_recording_remove(buffers[i]);
  }
  vkmtest_unlock();
  vkmtest_device_of(handle)->FreeCommandBuffers(handle, pool, count, buffers);
}

static VKAPI_ATTR VkResult VKAPI_CALL
hook_BeginCommandBuffer(VkCommandBuffer buffer, const VkCommandBufferBeginInfo *info) {
  vkmtest_lock();
  vkmtest_recording_clear(buffer);
  vkmtest_unlock();
  return vkmtest_device_of(buffer)->BeginCommandBuffer(buffer, info);
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_ResetCommandBuffer(VkCommandBuffer buffer,
                                                              VkCommandBufferResetFlags flags) {
  vkmtest_lock();
  vkmtest_recording_clear(buffer);
  vkmtest_unlock();
  return vkmtest_device_of(buffer)->ResetCommandBuffer(buffer, flags);
}

static VKAPI_ATTR void VKAPI_CALL hook_CmdBindPipeline(VkCommandBuffer buffer,
                                                       VkPipelineBindPoint point,
                                                       VkPipeline pipeline) {
  if (point == VK_PIPELINE_BIND_POINT_COMPUTE) {
    vkmtest_lock();
    vkmtest_recording_bind(buffer, vkmtest_pipeline_kernel(vkmtest_key(buffer), pipeline));
    vkmtest_unlock();
  }
  vkmtest_device_of(buffer)->CmdBindPipeline(buffer, point, pipeline);
}

/* A shader object takes the pipeline's place; what it runs is not known here. */
static VKAPI_ATTR void VKAPI_CALL hook_CmdBindShadersEXT(VkCommandBuffer buffer, uint32_t count,
                                                         const VkShaderStageFlagBits *stages,
                                                         const VkShaderEXT *shaders) {
  for (uint32_t i = 0; i < count; i++) {
    if (stages[i] == VK_SHADER_STAGE_COMPUTE_BIT) {
      vkmtest_lock();
      vkmtest_recording_bind(buffer, NULL);
      vkmtest_unlock();
    }
  }
  vkmtest_device_of(buffer)->CmdBindShadersEXT(buffer, count, stages, shaders);
}

static void note_dispatch(VkCommandBuffer buffer, enum vkmtest_kind kind, const uint32_t groups[3],
                          const uint32_t base[3]) {
  vkmtest_lock();
  vkmtest_recording_dispatch(buffer, kind, groups, base);
  vkmtest_unlock();
}

static VKAPI_ATTR void VKAPI_CALL hook_CmdDispatch(VkCommandBuffer buffer, uint32_t x, uint32_t y,
                                                   uint32_t z) {
  note_dispatch(buffer, VKMTEST_DISPATCH, (uint32_t[3]){x, y, z}, (uint32_t[3]){0, 0, 0});
  vkmtest_device_of(buffer)->CmdDispatch(buffer, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL hook_CmdDispatchBase(VkCommandBuffer buffer, uint32_t base_x,
                                                       uint32_t base_y, uint32_t base_z, uint32_t x,
                                                       uint32_t y, uint32_t z) {
  note_dispatch(buffer, VKMTEST_DISPATCH_BASE, (uint32_t[3]){x, y, z},
                (uint32_t[3]){base_x, base_y, base_z});
  vkmtest_device_of(buffer)->CmdDispatchBase(buffer, base_x, base_y, base_z, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL hook_CmdDispatchBaseKHR(VkCommandBuffer buffer, uint32_t base_x,
                                                          uint32_t base_y, uint32_t base_z,
                                                          uint32_t x, uint32_t y, uint32_t z) {
  note_dispatch(buffer, VKMTEST_DISPATCH_BASE, (uint32_t[3]){x, y, z},
                (uint32_t[3]){base_x, base_y, base_z});
  vkmtest_device_of(buffer)->CmdDispatchBaseKHR(buffer, base_x, base_y, base_z, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL hook_CmdDispatchIndirect(VkCommandBuffer buffer,
                                                           VkBuffer arguments,
                                                           VkDeviceSize offset) {
  static const uint32_t unknown[3];
  note_dispatch(buffer, VKMTEST_DISPATCH_INDIRECT, unknown, unknown);
  vkmtest_device_of(buffer)->CmdDispatchIndirect(buffer, arguments, offset);
}

static VKAPI_ATTR void VKAPI_CALL hook_CmdExecuteCommands(VkCommandBuffer primary, uint32_t count,
                                                          const VkCommandBuffer *secondaries) {
  vkmtest_lock();
  for (uint32_t i = 0; i < count; i++) {
    vkmtest_recording_execute(primary, secondaries[i]);
  }
  vkmtest_unlock();
  vkmtest_device_of(primary)->CmdExecuteCommands(primary, count, secondaries);
}

static void note_stamp(VkCommandBuffer buffer, bool at_top) {
  vkmtest_lock();
  vkmtest_totals()->stamps_recorded++;
  vkmtest_recording_stamp(buffer, at_top);
  vkmtest_unlock();
}

static VKAPI_ATTR void VKAPI_CALL hook_CmdWriteTimestamp(VkCommandBuffer buffer,
                                                         VkPipelineStageFlagBits stage,
                                                         VkQueryPool pool, uint32_t query) {
  note_stamp(buffer, stage == VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
  vkmtest_device_of(buffer)->CmdWriteTimestamp(buffer, stage, pool, query);
}

static bool is_top(VkPipelineStageFlags2 stage) {
  return stage == VK_PIPELINE_STAGE_2_NONE || stage == VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT;
}

static VKAPI_ATTR void VKAPI_CALL hook_CmdWriteTimestamp2(VkCommandBuffer buffer,
                                                          VkPipelineStageFlags2 stage,
                                                          VkQueryPool pool, uint32_t query) {
  note_stamp(buffer, is_top(stage));
  vkmtest_device_of(buffer)->CmdWriteTimestamp2(buffer, stage, pool, query);
}

static VKAPI_ATTR void VKAPI_CALL hook_CmdWriteTimestamp2KHR(VkCommandBuffer buffer,
                                                             VkPipelineStageFlags2 stage,
                                                             VkQueryPool pool, uint32_t query) {
  note_stamp(buffer, is_top(stage));
  vkmtest_device_of(buffer)->CmdWriteTimestamp2KHR(buffer, stage, pool, query);
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_GetQueryPoolResults(VkDevice handle, VkQueryPool pool,
                                                               uint32_t first, uint32_t count,
                                                               size_t bytes, void *data,
                                                               VkDeviceSize stride,
                                                               VkQueryResultFlags flags) {
  vkmtest_lock();
  vkmtest_totals()->query_reads++;
  vkmtest_totals()->queries_read += count;
  vkmtest_unlock();
  return vkmtest_device_of(handle)->GetQueryPoolResults(handle, pool, first, count, bytes, data,
                                                        stride, flags);
}

/* What one call submits. Counted before the call down, because another thread may reset the buffers
 * as soon as the work is done, which can be before the call returns; withdrawn when the call fails.
 */
struct submission {
  int64_t begin_ns;
  uint64_t buffers, dispatches;
};

static void count_submit(struct submission *submission, uint32_t count, const VkSubmitInfo *infos,
                         int64_t delta) {
  submission->buffers = 0;
  submission->dispatches = 0;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t b = 0; b < infos[i].commandBufferCount; b++) {
      submission->buffers++;
      submission->dispatches += vkmtest_recording_count(infos[i].pCommandBuffers[b], delta);
    }
  }
}

static void count_submit2(struct submission *submission, uint32_t count, const VkSubmitInfo2 *infos,
                          int64_t delta) {
  submission->buffers = 0;
  submission->dispatches = 0;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t b = 0; b < infos[i].commandBufferInfoCount; b++) {
      submission->buffers++;
      submission->dispatches +=
          vkmtest_recording_count(infos[i].pCommandBufferInfos[b].commandBuffer, delta);
    }
  }
}

/* Caller holds the lock. */
static void submission_end(const struct submission *submission, uint32_t batches, bool success) {
  struct vkmtest_totals *totals = vkmtest_totals();
  totals->submit_calls++;
  if (!success) {
    totals->submit_failures++;
    return;
  }
  totals->batches += batches;
  totals->command_buffers += submission->buffers;
  vkmtest_clock_submit(submission->begin_ns, submission->dispatches);
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_QueueSubmit(VkQueue queue, uint32_t count,
                                                       const VkSubmitInfo *infos, VkFence fence) {
  struct submission submission = {.begin_ns = vkmtest_clock_now()};
  vkmtest_lock();
  count_submit(&submission, count, infos, 1);
  vkmtest_unlock();
  VkResult result = vkmtest_device_of(queue)->QueueSubmit(queue, count, infos, fence);
  vkmtest_lock();
  if (result != VK_SUCCESS) {
    count_submit(&submission, count, infos, -1);
  }
  submission_end(&submission, count, result == VK_SUCCESS);
  vkmtest_unlock();
  return result;
}

static VkResult submit2(PFN_vkQueueSubmit2 next, VkQueue queue, uint32_t count,
                        const VkSubmitInfo2 *infos, VkFence fence) {
  struct submission submission = {.begin_ns = vkmtest_clock_now()};
  vkmtest_lock();
  count_submit2(&submission, count, infos, 1);
  vkmtest_unlock();
  VkResult result = next(queue, count, infos, fence);
  vkmtest_lock();
  if (result != VK_SUCCESS) {
    count_submit2(&submission, count, infos, -1);
  }
  submission_end(&submission, count, result == VK_SUCCESS);
  vkmtest_unlock();
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_QueueSubmit2(VkQueue queue, uint32_t count,
                                                        const VkSubmitInfo2 *infos, VkFence fence) {
  return submit2(vkmtest_device_of(queue)->QueueSubmit2, queue, count, infos, fence);
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_QueueSubmit2KHR(VkQueue queue, uint32_t count,
                                                           const VkSubmitInfo2 *infos,
                                                           VkFence fence) {
  return submit2(vkmtest_device_of(queue)->QueueSubmit2KHR, queue, count, infos, fence);
}

static VkResult waited(VkResult result, const char *call) {
  if (result == VK_SUCCESS) {
    vkmtest_clock_wait(call);
  }
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_WaitForFences(VkDevice handle, uint32_t count,
                                                         const VkFence *fences, VkBool32 all,
                                                         uint64_t timeout_ns) {
  return waited(vkmtest_device_of(handle)->WaitForFences(handle, count, fences, all, timeout_ns),
                "vkWaitForFences");
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_GetFenceStatus(VkDevice handle, VkFence fence) {
  return waited(vkmtest_device_of(handle)->GetFenceStatus(handle, fence), "vkGetFenceStatus");
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_WaitSemaphores(VkDevice handle,
                                                          const VkSemaphoreWaitInfo *info,
                                                          uint64_t timeout_ns) {
  return waited(vkmtest_device_of(handle)->WaitSemaphores(handle, info, timeout_ns),
                "vkWaitSemaphores");
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_WaitSemaphoresKHR(VkDevice handle,
                                                             const VkSemaphoreWaitInfo *info,
                                                             uint64_t timeout_ns) {
  return waited(vkmtest_device_of(handle)->WaitSemaphoresKHR(handle, info, timeout_ns),
                "vkWaitSemaphoresKHR");
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_GetSemaphoreCounterValue(VkDevice handle,
                                                                    VkSemaphore semaphore,
                                                                    uint64_t *value) {
  return waited(vkmtest_device_of(handle)->GetSemaphoreCounterValue(handle, semaphore, value),
                "vkGetSemaphoreCounterValue");
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_GetSemaphoreCounterValueKHR(VkDevice handle,
                                                                       VkSemaphore semaphore,
                                                                       uint64_t *value) {
  return waited(vkmtest_device_of(handle)->GetSemaphoreCounterValueKHR(handle, semaphore, value),
                "vkGetSemaphoreCounterValueKHR");
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_QueueWaitIdle(VkQueue queue) {
  return waited(vkmtest_device_of(queue)->QueueWaitIdle(queue), "vkQueueWaitIdle");
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_DeviceWaitIdle(VkDevice handle) {
  return waited(vkmtest_device_of(handle)->DeviceWaitIdle(handle), "vkDeviceWaitIdle");
}

#define VKMTEST_HOOK(name) {"vk" #name, (PFN_vkVoidFunction)hook_##name},

PFN_vkVoidFunction vkmtest_device_hook(const char *name) {
  static const struct {
    const char *name;
    PFN_vkVoidFunction hook;
  } hooks[] = {VKMTEST_DEVICE_COMMANDS(VKMTEST_HOOK)};
  for (size_t i = 0; i < sizeof hooks / sizeof hooks[0]; i++) {
    if (strcmp(hooks[i].name, name) == 0) {
      return hooks[i].hook;
    }
  }
  return NULL;
}
