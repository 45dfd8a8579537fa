/* Hooks of pipelines of several shaders: ray tracing, and graphics on request. What they are and
 * what the compiler says of them is recorded; their uses are not followed. In: create-infos. Out:
 * pipeline records. */
#include <string.h>

#include "base/alloc.h"
#include "capture.h"
#include "chain.h"
#include "device.h"
#include "intercept/builds.h"
#include "intercept/hooks.h"
#include "intercept/kernels.h"
#include "session.h"
#include "statistics.h"

/* ---- who ---- */

/* What one stage adds to the identity: plain bytes, the same in every run. */
struct stage_key {
  uint64_t stage;
  struct vkm_hash module, entry, specialization;
};

static struct vkm_hash specialization_of(const VkSpecializationInfo *info) {
  struct vkm_hash none = {0, 0};
  if (!info || info->mapEntryCount == 0) {
    return none;
  }
  struct vkm_hash parts[2] = {none, vkm_hash_bytes(info->pData, info->dataSize)};
  for (uint32_t i = 0; i < info->mapEntryCount; i++) { /* the structure may have gaps */
    const VkSpecializationMapEntry *entry = &info->pMapEntries[i];
    uint64_t key[5] = {parts[0].high, parts[0].low, entry->constantID, entry->offset, entry->size};
    parts[0] = vkm_hash_bytes(key, sizeof key);
  }
  return vkm_hash_bytes(parts, sizeof parts);
}

static struct stage_key key_of(struct vkm_device *device,
                               const VkPipelineShaderStageCreateInfo *stage) {
  struct vkm_module *owned;
  const char *reason;
  const struct vkm_module *module = vkm_module_of(device, stage, &owned, &reason);
  struct stage_key key = {.stage = stage->stage,
                          .entry = vkm_hash_bytes(stage->pName, strlen(stage->pName)),
                          .specialization = specialization_of(stage->pSpecializationInfo)};
  if (module) {
    key.module = module->hash;
  }
  vkm_module_destroy(owned);
  return key;
}

/* The entry point is the first stage's. NULL without memory. */
static struct vkm_pipeline_record *describe(struct vkm_device *device, enum vkm_pipeline_kind kind,
                                            const VkPipelineShaderStageCreateInfo *stages,
                                            uint32_t count) {
  static const char reason[] = "it is made of several shaders";
  struct vkm_pipeline_record *pipeline = vkm_calloc(1, sizeof *pipeline);
  struct stage_key *keys = vkm_calloc(count, sizeof *keys);
  if (pipeline && keys) {
    for (uint32_t i = 0; i < count; i++) {
      keys[i] = key_of(device, &stages[i]);
    }
    pipeline->kind = kind;
    pipeline->spirv_reason = pipeline->kernel.reason = reason;
    pipeline->first_use_ns = INT64_MIN;
    pipeline->family.family = VKM_FAMILY_unclassified; /* by nobody */
    pipeline->layout_push_constant_bytes = UINT32_MAX;
    pipeline->entry_point = vkm_strdup(stages[0].pName);
    struct vkm_hash all = vkm_hash_bytes(keys, count * sizeof *keys);
    pipeline->identity = vkm_identity(all, "", &pipeline->kernel, 0, kind);
  }
  bool complete = pipeline && pipeline->entry_point;
  vkm_free(keys);
  if (!complete) {
    vkm_pipeline_record_destroy(pipeline);
  }
  return complete ? pipeline : NULL;
}

/* Of what has shaders of its own; what is only linked of libraries has no identity. */
static void remember(const struct vkm_capture *capture, struct vkm_device *device,
                     enum vkm_pipeline_kind kind, const VkPipeline *pipelines, VkResult result,
                     int64_t wall_ns) {
  for (uint32_t i = 0; i < capture->count; i++) {
    const void *info = (const unsigned char *)capture->infos + i * capture->form->stride;
    uint32_t count;
    const VkPipelineShaderStageCreateInfo *stages = capture->form->stages(info, &count);
    if (!pipelines[i] || count == 0 || (result < 0 && vkm_pipeline_of(device, pipelines[i]))) {
      continue;
    }
    uint64_t flags;
    struct vkm_profile_compile compile = vkm_capture_compile(capture, i, &flags);
    struct vkm_pipeline_record *known = vkm_pipeline_record_keep(
        device, describe(device, kind, stages, count), wall_ns / capture->count, &compile);
    if (!known) {
      continue;
    }
    vkm_statistics_read(device, pipelines[i], flags, known);
    if (!vkm_handles_put(&device->objects.pipelines, VKM_HANDLE(pipelines[i]), known)) {
      return; /* it will have no name */
    }
  }
}

/* ---- ray tracing ---- */

static const VkPipelineShaderStageCreateInfo *ray_tracing_stages(const void *info,
                                                                 uint32_t *count) {
  const VkRayTracingPipelineCreateInfoKHR *own = info;
  *count = own->stageCount;
  return own->pStages;
}

struct call {
  struct vkm_device *device;
  VkDeferredOperationKHR deferred;
  VkPipelineCache cache;
  uint32_t count;
  const VkAllocationCallbacks *allocator;
};

static VkResult create_ray_tracing(void *context, const void *infos, VkPipeline *pipelines) {
  const struct call *call = context;
  return call->device->table.CreateRayTracingPipelinesKHR(call->device->handle, call->deferred,
                                                          call->cache, call->count, infos,
                                                          call->allocator, pipelines);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateRayTracingPipelinesKHR(
    VkDevice handle, VkDeferredOperationKHR deferred, VkPipelineCache cache, uint32_t count,
    const VkRayTracingPipelineCreateInfoKHR *infos, const VkAllocationCallbacks *allocator,
    VkPipeline *pipelines) {
  static const struct vkm_capture_form form = {sizeof(VkRayTracingPipelineCreateInfoKHR),
                                               ray_tracing_stages,
                                               VKM_CALL_CreateRayTracingPipelinesKHR, false};
  struct vkm_device *device = vkm_device_of(handle);
  if (!vkm_device_active(device)) {
    struct vkm_inside inside = vkm_activity_enter(VKM_CALL_CreateRayTracingPipelinesKHR);
    return vkm_built(device, &inside, count,
                     device->table.CreateRayTracingPipelinesKHR(handle, deferred, cache, count,
                                                                infos, allocator, pipelines));
  }
  struct call call = {device, deferred, cache, count, allocator};
  struct vkm_capture capture = {
      .device = device, .form = &form, .infos = infos, .count = count, .allocator = allocator};
  int64_t wall_ns;
  vkm_capture_begin(&capture, deferred != VK_NULL_HANDLE);
  VkResult result = vkm_capture_create(&capture, create_ray_tracing, &call, pipelines, &wall_ns);
  /* Of a deferred call nothing is known before its operation is complete. */
  if (vkm_device_active(device) && result != VK_OPERATION_DEFERRED_KHR) {
    remember(&capture, device, VKM_PIPELINE_RAY_TRACING, pipelines, result, wall_ns);
  }
  vkm_capture_finish(&capture);
  return vkm_device_result(device, result);
}

/* ---- graphics ---- */

/* A part of a pipeline that has no shaders may have anything in its pStages. */
static const VkPipelineShaderStageCreateInfo *graphics_stages(const void *info, uint32_t *count) {
  const VkGraphicsPipelineCreateInfo *own = info;
  const VkBaseInStructure *part =
      vkm_chain_find(own->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
  const VkBaseInStructure *linked =
      vkm_chain_find(own->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  bool shaders = true;
  if (part) {
    shaders = ((const VkGraphicsPipelineLibraryCreateInfoEXT *)part)->flags &
              (VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
               VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT);
  } else if (linked) {
    shaders = ((const VkPipelineLibraryCreateInfoKHR *)linked)->libraryCount == 0;
  }
  *count = shaders ? own->stageCount : 0;
  return own->pStages;
}

static VkResult create_graphics(void *context, const void *infos, VkPipeline *pipelines) {
  const struct call *call = context;
  return call->device->table.CreateGraphicsPipelines(call->device->handle, call->cache, call->count,
                                                     infos, call->allocator, pipelines);
}

VKAPI_ATTR VkResult VKAPI_CALL
vkm_CreateGraphicsPipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                            const VkGraphicsPipelineCreateInfo *infos,
                            const VkAllocationCallbacks *allocator, VkPipeline *pipelines) {
  static const struct vkm_capture_form form = {sizeof(VkGraphicsPipelineCreateInfo),
                                               graphics_stages, VKM_CALL_CreateGraphicsPipelines,
                                               false};
  struct vkm_device *device = vkm_device_of(handle);
  if (!vkm_device_active(device) ||
      vkm_session_settings()->pipeline_statistics != VKM_STATISTICS_ALL) {
    struct vkm_inside inside = vkm_activity_enter(VKM_CALL_CreateGraphicsPipelines);
    return vkm_built(
        device, &inside, count,
        device->table.CreateGraphicsPipelines(handle, cache, count, infos, allocator, pipelines));
  }
  struct call call = {device, VK_NULL_HANDLE, cache, count, allocator};
  struct vkm_capture capture = {
      .device = device, .form = &form, .infos = infos, .count = count, .allocator = allocator};
  int64_t wall_ns;
  vkm_capture_begin(&capture, false);
  VkResult result = vkm_capture_create(&capture, create_graphics, &call, pipelines, &wall_ns);
  if (vkm_device_active(device)) {
    remember(&capture, device, VKM_PIPELINE_GRAPHICS, pipelines, result, wall_ns);
  }
  vkm_capture_finish(&capture);
  return vkm_device_result(device, result);
}
