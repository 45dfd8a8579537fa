/* Hooks of pipelines that are not tracked: only how long their creation takes. In: creations of
 * graphics and ray-tracing pipelines, joins of deferred ones. Next rooms: activity.c, hitches.c. */
#include "activity.h"
#include "device.h"
#include "hitches.h"
#include "intercept/hooks.h"

/* `count` pipelines were made; of a deferred creation that is done by joins the call is short. */
static VkResult built(struct vkm_device *device, const struct vkm_inside *inside, uint32_t count,
                      VkResult result) {
  int64_t wall_ns = vkm_activity_leave(inside);
  for (uint32_t i = 0; result >= 0 && vkm_device_follows(device) && i < count; i++) {
    vkm_hitch_built(device->record, NULL, wall_ns / count);
  }
  return vkm_device_result(device, result);
}

VKAPI_ATTR VkResult VKAPI_CALL
vkm_CreateGraphicsPipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                            const VkGraphicsPipelineCreateInfo *infos,
                            const VkAllocationCallbacks *allocator, VkPipeline *pipelines) {
  struct vkm_device *device = vkm_device_of(handle);
  struct vkm_inside inside = vkm_activity_enter(VKM_ACTIVITY_BUILD);
  return built(
      device, &inside, count,
      device->table.CreateGraphicsPipelines(handle, cache, count, infos, allocator, pipelines));
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateRayTracingPipelinesKHR(
    VkDevice handle, VkDeferredOperationKHR operation, VkPipelineCache cache, uint32_t count,
    const VkRayTracingPipelineCreateInfoKHR *infos, const VkAllocationCallbacks *allocator,
    VkPipeline *pipelines) {
  struct vkm_device *device = vkm_device_of(handle);
  struct vkm_inside inside = vkm_activity_enter(VKM_ACTIVITY_BUILD);
  return built(device, &inside, count,
               device->table.CreateRayTracingPipelinesKHR(handle, operation, cache, count, infos,
                                                          allocator, pipelines));
}

VKAPI_ATTR VkResult VKAPI_CALL
vkm_CreateRayTracingPipelinesNV(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                const VkRayTracingPipelineCreateInfoNV *infos,
                                const VkAllocationCallbacks *allocator, VkPipeline *pipelines) {
  struct vkm_device *device = vkm_device_of(handle);
  struct vkm_inside inside = vkm_activity_enter(VKM_ACTIVITY_BUILD);
  return built(
      device, &inside, count,
      device->table.CreateRayTracingPipelinesNV(handle, cache, count, infos, allocator, pipelines));
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_DeferredOperationJoinKHR(VkDevice handle,
                                                            VkDeferredOperationKHR operation) {
  struct vkm_device *device = vkm_device_of(handle);
  struct vkm_inside inside = vkm_activity_enter(VKM_ACTIVITY_BUILD);
  VkResult result = device->table.DeferredOperationJoinKHR(handle, operation);
  vkm_activity_leave(&inside);
  return vkm_device_result(device, result);
}
