/* Hooks of shader modules, pipeline layouts and compute pipelines: who a kernel is. In: SPIR-V and
 * create-infos. Out: pipeline records. Next room: src/kernel. */
#include "base/alloc.h"
#include "capture.h"
#include "chain.h"
#include "device.h"
#include "intercept/builds.h"
#include "intercept/hooks.h"
#include "intercept/kernels.h"
#include "session.h"
#include "statistics.h"
#include "trace_calls.h"

struct vkm_pipeline_record *vkm_pipeline_of(struct vkm_device *device, VkPipeline pipeline) {
  return vkm_handles_get(&device->objects.pipelines, VKM_HANDLE(pipeline));
}

bool vkm_is_performance_pool(struct vkm_device *device, VkQueryPool pool) {
  return vkm_handles_get(&device->objects.performance_pools, VKM_HANDLE(pool)) != NULL;
}

/* ---- modules ---- */

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateShaderModule(VkDevice handle,
                                                      const VkShaderModuleCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkShaderModule *module) {
  struct vkm_device *device = vkm_device_of(handle);
  struct vkm_inside inside = vkm_activity_enter(VKM_CALL_CreateShaderModule);
  VkResult result = device->table.CreateShaderModule(handle, info, allocator, module);
  vkm_activity_leave(&inside);
  vkm_trace_called(&inside, (struct vkm_called){
                                .device = device, .result = result, .made = result == VK_SUCCESS});
  if (result == VK_SUCCESS && vkm_device_active(device)) {
    struct vkm_module *known = vkm_module_create(info->pCode, info->codeSize);
    if (!known || !vkm_handles_put(&device->objects.modules, VKM_HANDLE(*module), known)) {
      vkm_module_destroy(known); /* pipelines made of it will say that no code was seen */
    }
  }
  return vkm_device_result(device, result);
}

VKAPI_ATTR void VKAPI_CALL vkm_DestroyShaderModule(VkDevice handle, VkShaderModule module,
                                                   const VkAllocationCallbacks *allocator) {
  struct vkm_device *device = vkm_device_of(handle);
  if (module) {
    vkm_module_destroy(vkm_handles_take(&device->objects.modules, VKM_HANDLE(module)));
  }
  device->table.DestroyShaderModule(handle, module, allocator);
}

/* ---- layouts ---- */

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreatePipelineLayout(VkDevice handle,
                                                        const VkPipelineLayoutCreateInfo *info,
                                                        const VkAllocationCallbacks *allocator,
                                                        VkPipelineLayout *layout) {
  struct vkm_device *device = vkm_device_of(handle);
  VkResult result = device->table.CreatePipelineLayout(handle, info, allocator, layout);
  if (result == VK_SUCCESS && vkm_device_active(device)) {
    uintptr_t bytes = 0;
    for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
      const VkPushConstantRange *range = &info->pPushConstantRanges[i];
      uintptr_t end = (uintptr_t)range->offset + range->size;
      if (range->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT && end > bytes) {
        bytes = end;
      }
    }
    if (!vkm_handles_put(&device->objects.layouts, VKM_HANDLE(*layout), (void *)(bytes + 1))) {
      return result; /* the size will be unknown */
    }
  }
  return vkm_device_result(device, result);
}

VKAPI_ATTR void VKAPI_CALL vkm_DestroyPipelineLayout(VkDevice handle, VkPipelineLayout layout,
                                                     const VkAllocationCallbacks *allocator) {
  struct vkm_device *device = vkm_device_of(handle);
  if (layout) {
    vkm_handles_take(&device->objects.layouts, VKM_HANDLE(layout));
  }
  device->table.DestroyPipelineLayout(handle, layout, allocator);
}

/* ---- pipelines ---- */

struct vkm_module *vkm_module_of(struct vkm_device *device,
                                 const VkPipelineShaderStageCreateInfo *stage,
                                 struct vkm_module **owned, const char **reason) {
  *owned = NULL;
  if (stage->module) {
    struct vkm_module *module =
        vkm_handles_get(&device->objects.modules, VKM_HANDLE(stage->module));
    *reason = module ? NULL : "the shader module was not seen";
    return module;
  }
  const VkBaseInStructure *code =
      vkm_chain_find(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  if (!code) {
    *reason = "created without code (module identifier or pipeline binary)";
    return NULL;
  }
  const VkShaderModuleCreateInfo *info = (const VkShaderModuleCreateInfo *)code;
  *owned = vkm_module_create(info->pCode, info->codeSize);
  *reason = *owned ? NULL : "out of memory";
  return *owned;
}

static void remember_pipeline(struct vkm_device *device, const VkComputePipelineCreateInfo *info,
                              VkPipeline handle, int64_t wall_ns,
                              const struct vkm_profile_compile *compile, uint64_t flags) {
  const VkPipelineShaderStageCreateInfo *stage = &info->stage;
  uintptr_t layout = (uintptr_t)vkm_handles_get(&device->objects.layouts, VKM_HANDLE(info->layout));
  struct vkm_kernel_source source = {.entry_point = stage->pName,
                                     .specialization = stage->pSpecializationInfo,
                                     .stage_chain = stage->pNext,
                                     .push_constant_bytes =
                                         layout ? (uint32_t)(layout - 1) : UINT32_MAX};
  struct vkm_module *owned;
  source.module = vkm_module_of(device, stage, &owned, &source.no_module_reason);
  struct vkm_pipeline_record *known = vkm_kernel_remember(device, &source, wall_ns, compile);
  vkm_module_destroy(owned);
  if (known) {
    vkm_statistics_read(device, handle, flags, known);
  }
  if (known && !vkm_handles_put(&device->objects.pipelines, VKM_HANDLE(handle), known)) {
    return; /* its dispatches will say that no pipeline is known */
  }
}

static const VkPipelineShaderStageCreateInfo *compute_stages(const void *info, uint32_t *count) {
  *count = 1;
  return &((const VkComputePipelineCreateInfo *)info)->stage;
}

struct compute_call {
  struct vkm_device *device;
  VkPipelineCache cache;
  uint32_t count;
  const VkAllocationCallbacks *allocator;
};

static VkResult create_compute(void *context, const void *infos, VkPipeline *pipelines) {
  const struct compute_call *call = context;
  return call->device->table.CreateComputePipelines(call->device->handle, call->cache, call->count,
                                                    infos, call->allocator, pipelines);
}

static void remember_pipelines(const struct vkm_capture *capture, struct vkm_device *device,
                               const VkPipeline *pipelines, VkResult result, int64_t wall_ns) {
  const VkComputePipelineCreateInfo *infos = capture->infos;
  for (uint32_t i = 0; i < capture->count; i++) {
    /* Also of a call that failed: only what could not be made is NULL. A driver that gave up early
     * has left what was there before, perhaps a pipeline that we know. */
    if (pipelines[i] && (result >= 0 || !vkm_pipeline_of(device, pipelines[i]))) {
      uint64_t flags;
      struct vkm_profile_compile compile = vkm_capture_compile(capture, i, &flags);
      remember_pipeline(device, &infos[i], pipelines[i], wall_ns / capture->count, &compile, flags);
    }
  }
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateComputePipelines(VkDevice handle, VkPipelineCache cache,
                                                          uint32_t count,
                                                          const VkComputePipelineCreateInfo *infos,
                                                          const VkAllocationCallbacks *allocator,
                                                          VkPipeline *pipelines) {
  static const struct vkm_capture_form form = {sizeof(VkComputePipelineCreateInfo), compute_stages,
                                               VKM_CALL_CreateComputePipelines, true};
  struct vkm_device *device = vkm_device_of(handle);
  if (!vkm_device_active(device)) {
    struct vkm_inside inside = vkm_activity_enter(VKM_CALL_CreateComputePipelines);
    return vkm_built(
        device, &inside, count,
        device->table.CreateComputePipelines(handle, cache, count, infos, allocator, pipelines));
  }
  struct compute_call call = {device, cache, count, allocator};
  struct vkm_capture capture = {
      .device = device, .form = &form, .infos = infos, .count = count, .allocator = allocator};
  int64_t wall_ns;
  vkm_capture_begin(&capture, false);
  VkResult result = vkm_capture_create(&capture, create_compute, &call, pipelines, &wall_ns);
  if (vkm_device_active(device)) {
    remember_pipelines(&capture, device, pipelines, result, wall_ns);
  }
  vkm_capture_finish(&capture);
  return vkm_device_result(device, result);
}

VKAPI_ATTR void VKAPI_CALL vkm_DestroyPipeline(VkDevice handle, VkPipeline pipeline,
                                               const VkAllocationCallbacks *allocator) {
  struct vkm_device *device = vkm_device_of(handle);
  if (pipeline) {
    vkm_handles_take(&device->objects.pipelines, VKM_HANDLE(pipeline));
  }
  device->table.DestroyPipeline(handle, pipeline, allocator);
}

/* ---- query pools: only to know performance queries ---- */

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateQueryPool(VkDevice handle,
                                                   const VkQueryPoolCreateInfo *info,
                                                   const VkAllocationCallbacks *allocator,
                                                   VkQueryPool *pool) {
  struct vkm_device *device = vkm_device_of(handle);
  VkResult result = device->table.CreateQueryPool(handle, info, allocator, pool);
  if (result == VK_SUCCESS && vkm_device_active(device) &&
      info->queryType == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR &&
      !vkm_handles_put(&device->objects.performance_pools, VKM_HANDLE(*pool), device)) {
    vkm_device_disable(device, "out_of_memory"); /* a closing stamp could break such a query */
  }
  return vkm_device_result(device, result);
}

VKAPI_ATTR void VKAPI_CALL vkm_DestroyQueryPool(VkDevice handle, VkQueryPool pool,
                                                const VkAllocationCallbacks *allocator) {
  struct vkm_device *device = vkm_device_of(handle);
  if (pool) {
    vkm_handles_take(&device->objects.performance_pools, VKM_HANDLE(pool));
  }
  device->table.DestroyQueryPool(handle, pool, allocator);
}

static void free_module(void *value, void *context) {
  (void)context;
  vkm_module_destroy(value);
}

void vkm_pipelines_finish(struct vkm_device *device) {
  vkm_handles_each(&device->objects.modules, free_module, NULL);
}
