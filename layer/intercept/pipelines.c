/* Hooks of shader modules, pipeline layouts and compute pipelines: who a kernel is. In: SPIR-V and
 * create-infos. Out: pipeline records. Next room: src/kernel. */
#include <string.h>

#include "base/alloc.h"
#include "device.h"
#include "intercept/hooks.h"
#include "session.h"

/* A shader module while it lives; or inline code of a pipeline's create-info. */
struct vkm_module {
  struct vkm_hash hash;
  size_t word_count;
  uint32_t *words; /* owned copy: the application may free its own at once */
  char *name;      /* debug-utils name; externally synchronized with the module */
};

struct vkm_pipeline_record *vkm_pipeline_of(struct vkm_device *device, VkPipeline pipeline) {
  return vkm_handles_get(&device->objects.pipelines, VKM_HANDLE(pipeline));
}

bool vkm_is_performance_pool(struct vkm_device *device, VkQueryPool pool) {
  return vkm_handles_get(&device->objects.performance_pools, VKM_HANDLE(pool)) != NULL;
}

/* ---- modules ---- */

static void destroy_module(struct vkm_module *module) {
  if (module) {
    vkm_free(module->words);
    vkm_free(module->name);
    vkm_free(module);
  }
}

static struct vkm_module *create_module(const VkShaderModuleCreateInfo *info) {
  struct vkm_module *module = vkm_calloc(1, sizeof *module);
  uint32_t *words = vkm_alloc(info->codeSize ? info->codeSize : 1);
  if (!module || !words) {
    vkm_free(module);
    vkm_free(words);
    return NULL;
  }
  memcpy(words, info->pCode, info->codeSize);
  module->words = words;
  module->word_count = info->codeSize / sizeof *words;
  module->hash = vkm_hash_bytes(words, info->codeSize);
  return module;
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateShaderModule(VkDevice handle,
                                                      const VkShaderModuleCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkShaderModule *module) {
  struct vkm_device *device = vkm_device_of(handle);
  VkResult result = device->table.CreateShaderModule(handle, info, allocator, module);
  if (result == VK_SUCCESS && vkm_device_active(device)) {
    struct vkm_module *known = create_module(info);
    if (!known || !vkm_handles_put(&device->objects.modules, VKM_HANDLE(*module), known)) {
      destroy_module(known); /* pipelines made of it will say that no code was seen */
    }
  }
  return vkm_device_result(device, result);
}

VKAPI_ATTR void VKAPI_CALL vkm_DestroyShaderModule(VkDevice handle, VkShaderModule module,
                                                   const VkAllocationCallbacks *allocator) {
  struct vkm_device *device = vkm_device_of(handle);
  if (module) {
    destroy_module(vkm_handles_take(&device->objects.modules, VKM_HANDLE(module)));
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

static const VkBaseInStructure *find_chained(const void *chain, VkStructureType type) {
  const VkBaseInStructure *at = chain;
  while (at && at->sType != type) {
    at = at->pNext;
  }
  return at;
}

/* What the stage runs. `owned` is set when the module was made here and is to be destroyed. */
static struct vkm_module *module_of(struct vkm_device *device,
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
      find_chained(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  if (!code) {
    *reason = "created without code (module identifier or pipeline binary)";
    return NULL;
  }
  *owned = create_module((const VkShaderModuleCreateInfo *)code);
  *reason = *owned ? NULL : "out of memory";
  return *owned;
}

static uint32_t required_subgroup_size(const VkPipelineShaderStageCreateInfo *stage) {
  const VkBaseInStructure *size = find_chained(
      stage->pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
  return size ? ((const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *)size)
                    ->requiredSubgroupSize
              : 0;
}

/* VkSpecializationInfo in src's terms. False without memory. */
static bool describe(const struct vkm_module *module, const VkPipelineShaderStageCreateInfo *stage,
                     struct vkm_spirv_kernel *kernel) {
  const VkSpecializationInfo *info = stage->pSpecializationInfo;
  struct vkm_specialization_entry *entries = NULL;
  struct vkm_specialization specialization = {0};
  if (info && info->mapEntryCount) {
    entries = vkm_calloc(info->mapEntryCount, sizeof *entries);
    if (!entries) {
      return false;
    }
    for (uint32_t i = 0; i < info->mapEntryCount; i++) {
      entries[i] = (struct vkm_specialization_entry){
          info->pMapEntries[i].constantID, info->pMapEntries[i].offset, info->pMapEntries[i].size};
    }
    specialization =
        (struct vkm_specialization){entries, info->mapEntryCount, info->pData, info->dataSize};
  }
  bool described =
      vkm_spirv_describe(module->words, module->word_count, stage->pName,
                         specialization.entry_count ? &specialization : NULL, kernel) == VKM_OK;
  vkm_free(entries);
  return described;
}

static void destroy_pipeline_record(struct vkm_pipeline_record *pipeline) {
  if (pipeline) {
    vkm_free(pipeline->entry_point);
    vkm_free(pipeline->module_name);
    vkm_free(pipeline->name);
    vkm_free(pipeline);
  }
}

static struct vkm_pipeline_record *describe_pipeline(struct vkm_device *device,
                                                     const VkComputePipelineCreateInfo *info) {
  const VkPipelineShaderStageCreateInfo *stage = &info->stage;
  struct vkm_pipeline_record *pipeline = vkm_calloc(1, sizeof *pipeline);
  if (!pipeline) {
    return NULL;
  }
  struct vkm_module *owned;
  const struct vkm_module *module = module_of(device, stage, &owned, &pipeline->spirv_reason);
  bool complete = true;
  pipeline->kernel.reason = pipeline->spirv_reason;
  pipeline->first_use_ns = INT64_MIN;
  pipeline->required_subgroup_size = required_subgroup_size(stage);
  pipeline->entry_point = vkm_strdup(stage->pName ? stage->pName : "");
  complete = pipeline->entry_point != NULL;
  if (module) {
    pipeline->has_spirv = true;
    pipeline->spirv_hash = module->hash;
    pipeline->spirv_bytes = module->word_count * sizeof(uint32_t);
    pipeline->module_name = module->name ? vkm_strdup(module->name) : NULL;
    complete = complete && describe(module, stage, &pipeline->kernel);
  }
  destroy_module(owned);
  uintptr_t layout = (uintptr_t)vkm_handles_get(&device->objects.layouts, VKM_HANDLE(info->layout));
  pipeline->layout_push_constant_bytes = layout ? (uint32_t)(layout - 1) : UINT32_MAX;
  if (!complete) {
    destroy_pipeline_record(pipeline);
    return NULL;
  }
  pipeline->identity = vkm_identity(pipeline->spirv_hash, pipeline->entry_point, &pipeline->kernel,
                                    pipeline->required_subgroup_size, VKM_PIPELINE_COMPUTE);
  return pipeline;
}

static void remember_pipeline(struct vkm_device *device, const VkComputePipelineCreateInfo *info,
                              VkPipeline handle, int64_t wall_ns) {
  struct vkm_pipeline_record *candidate = describe_pipeline(device, info);
  if (!candidate) {
    return; /* its dispatches will say that no pipeline is known */
  }
  struct vkm_pipeline_record *known = vkm_device_record_pipeline(device->record, candidate);
  if (known != candidate) {
    destroy_pipeline_record(candidate);
  }
  if (!known || !vkm_handles_put(&device->objects.pipelines, VKM_HANDLE(handle), known)) {
    return;
  }
  pthread_mutex_lock(&device->record->lock);
  if (known->create_count++ == 0) {
    known->create_wall_ns = wall_ns;
  }
  pthread_mutex_unlock(&device->record->lock);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateComputePipelines(VkDevice handle, VkPipelineCache cache,
                                                          uint32_t count,
                                                          const VkComputePipelineCreateInfo *infos,
                                                          const VkAllocationCallbacks *allocator,
                                                          VkPipeline *pipelines) {
  struct vkm_device *device = vkm_device_of(handle);
  int64_t begin_ns = vkm_now_ns();
  VkResult result =
      device->table.CreateComputePipelines(handle, cache, count, infos, allocator, pipelines);
  int64_t wall_ns = vkm_now_ns() - begin_ns;
  if (result < 0 || !vkm_device_active(device)) {
    return vkm_device_result(device, result);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (pipelines[i]) { /* VK_PIPELINE_COMPILE_REQUIRED leaves some NULL */
      remember_pipeline(device, &infos[i], pipelines[i], wall_ns / count);
    }
  }
  return result;
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

/* ---- names ---- */

VKAPI_ATTR VkResult VKAPI_CALL
vkm_SetDebugUtilsObjectNameEXT(VkDevice handle, const VkDebugUtilsObjectNameInfoEXT *info) {
  struct vkm_device *device = vkm_device_of(handle);
  if (vkm_device_active(device) && info->pObjectName &&
      info->objectType == VK_OBJECT_TYPE_PIPELINE) {
    struct vkm_pipeline_record *pipeline =
        vkm_handles_get(&device->objects.pipelines, info->objectHandle);
    if (pipeline) {
      vkm_device_record_name(device->record, pipeline, info->pObjectName);
    }
  } else if (vkm_device_active(device) && info->pObjectName &&
             info->objectType == VK_OBJECT_TYPE_SHADER_MODULE) {
    struct vkm_module *module = vkm_handles_get(&device->objects.modules, info->objectHandle);
    if (module) {
      vkm_free(module->name);
      module->name = vkm_strdup(info->pObjectName);
    }
  }
  return device->table.SetDebugUtilsObjectNameEXT(handle, info);
}

static void free_module(void *value, void *context) {
  (void)context;
  destroy_module(value);
}

void vkm_pipelines_finish(struct vkm_device *device) {
  vkm_handles_each(&device->objects.modules, free_module, NULL);
}
