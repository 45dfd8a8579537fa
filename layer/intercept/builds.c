/* Pipelines that are not tracked: only how long their creation takes. In: creations of pipelines,
 * joins of deferred ones. Next rooms: activity.c, hitches.c. */
#include "intercept/builds.h"

#include "device.h"
#include "hitches.h"
#include "intercept/hooks.h"
#include "trace_calls.h"

VkResult vkm_built(struct vkm_device *device, struct vkm_inside *inside, uint32_t count,
                   VkResult result) {
  int64_t wall_ns = vkm_activity_leave(inside);
  vkm_trace_called(
      inside,
      (struct vkm_called){.device = device, .result = result, .made = result >= 0 ? count : 0});
  for (uint32_t i = 0; result >= 0 && vkm_device_follows(device) && i < count; i++) {
    vkm_hitch_built(device->record, NULL, wall_ns / count);
  }
  return vkm_device_result(device, result);
}

VKAPI_ATTR VkResult VKAPI_CALL
vkm_CreateRayTracingPipelinesNV(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                const VkRayTracingPipelineCreateInfoNV *infos,
                                const VkAllocationCallbacks *allocator, VkPipeline *pipelines) {
  struct vkm_device *device = vkm_device_of(handle);
  struct vkm_inside inside = vkm_activity_enter(VKM_CALL_CreateRayTracingPipelinesNV);
  return vkm_built(
      device, &inside, count,
      device->table.CreateRayTracingPipelinesNV(handle, cache, count, infos, allocator, pipelines));
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_DeferredOperationJoinKHR(VkDevice handle,
                                                            VkDeferredOperationKHR operation) {
  struct vkm_device *device = vkm_device_of(handle);
  struct vkm_inside inside = vkm_activity_enter(VKM_CALL_DeferredOperationJoinKHR);
  VkResult result = device->table.DeferredOperationJoinKHR(handle, operation);
  vkm_activity_leave(&inside);
  return vkm_device_result(device, vkm_trace_result(&inside, device, result));
}
