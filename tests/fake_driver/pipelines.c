// Pipelines: their entry point decides what a dispatch costs. Caches.
//
// In: create-infos with a module or inline SPIR-V. Out: VkPipeline. Next rooms: record.c,
// executables.c.
#include "internal.h"

#include <string.h>

struct fake_cache {
  struct fake_object object;
};

VkResult fake_vkCreatePipelineCache(VkDevice device, const VkPipelineCacheCreateInfo *info,
                                    const VkAllocationCallbacks *allocator, VkPipelineCache *out) {
  (void)info;
  (void)allocator;
  FAKE_ENTER();
  struct fake_cache *cache =
      fake_object_new((struct fake_device *)device, "VkPipelineCache", sizeof *cache);
  *out = FAKE_HANDLE(VkPipelineCache, cache);
  return cache != NULL ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void fake_vkDestroyPipelineCache(VkDevice device, VkPipelineCache cache,
                                 const VkAllocationCallbacks *allocator) {
  (void)device;
  (void)allocator;
  fake_object_delete(FAKE_OBJECT(fake_cache, cache));
}

VkResult fake_vkGetPipelineCacheData(VkDevice device, VkPipelineCache cache, size_t *size,
                                     void *data) {
  (void)device;
  (void)cache;
  const struct fake_config *config = fake_settings();
  VkPipelineCacheHeaderVersionOne header = {sizeof header,
                                            VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
                                            config->vendor_id,
                                            config->device_id,
                                            {0}};
  memcpy(header.pipelineCacheUUID, "fake-cache-uuid", VK_UUID_SIZE);
  if (data != NULL && *size < sizeof header) {
    *size = 0;
    return VK_INCOMPLETE;
  }
  *size = sizeof header;
  if (data != NULL) {
    memcpy(data, &header, sizeof header);
  }
  return VK_SUCCESS;
}

VkResult fake_vkMergePipelineCaches(VkDevice device, VkPipelineCache target, uint32_t count,
                                    const VkPipelineCache *sources) {
  (void)device;
  (void)target;
  (void)count;
  (void)sources;
  return VK_SUCCESS;
}

static const void *in_chain(const void *chain, VkStructureType type) {
  for (const VkBaseInStructure *node = chain; node != NULL; node = node->pNext) {
    if (node->sType == type) {
      return node;
    }
  }
  return NULL;
}

static void give_feedback(const void *chain, uint32_t stage_count) {
  const struct fake_config *config = fake_settings();
  const VkPipelineCreationFeedbackCreateInfo *wanted =
      in_chain(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
  if (wanted == NULL) {
    return;
  }
  if (wanted->pipelineStageCreationFeedbackCount != 0 &&
      wanted->pipelineStageCreationFeedbackCount != stage_count) {
    fake_violate("creation feedback of %u stages for a pipeline of %u",
                 wanted->pipelineStageCreationFeedbackCount, stage_count);
  }
  *wanted->pPipelineCreationFeedback =
      (VkPipelineCreationFeedback){config->feedback_flags, config->feedback_ns};
  for (uint32_t i = 0; i < wanted->pipelineStageCreationFeedbackCount && i < stage_count; i++) {
    wanted->pPipelineStageCreationFeedbacks[i] =
        (VkPipelineCreationFeedback){config->feedback_flags, config->stage_feedback_ns};
  }
}

static void check_stage(const VkPipelineShaderStageCreateInfo *stage, const void *chain) {
  bool code =
      FAKE_ID(stage->module) != 0 ||
      in_chain(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO) != NULL ||
      in_chain(stage->pNext,
               VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT) != NULL ||
      in_chain(chain, VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR) != NULL;
  if (!code) {
    fake_violate("pipeline stage without a module and without inline SPIR-V");
  }
}

// One element of the array that a call was given.
struct request {
  struct fake_device *device;
  struct fake_creation creation;
  const void *chain;
  const VkPipelineShaderStageCreateInfo *stages;
  uint32_t stage_count;
  VkPipelineBindPoint point;
};

static void read_flags(struct request *request, VkPipelineCreateFlags old) {
  const VkPipelineCreateFlags2CreateInfo *two =
      in_chain(request->chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO);
  struct fake_creation *creation = &request->creation;
  creation->old_flags = old;
  creation->has_flags2 = two != NULL;
  creation->flags = two != NULL ? two->flags : old;
  for (const VkBaseInStructure *node = request->chain; node != NULL; node = node->pNext) {
    if (creation->chain_count < sizeof creation->chain / sizeof creation->chain[0]) {
      creation->chain[creation->chain_count] = node->sType;
      creation->chain_pointers[creation->chain_count] = node;
    }
    creation->chain_count++;
  }
}

static void check_flags(const struct request *request) {
  const uint64_t captures = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
                            VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  if ((request->creation.flags & captures) != 0 && !request->device->executable_info) {
    fake_violate("CAPTURE flag without the feature pipelineExecutableInfo");
  }
  if (in_chain(request->chain, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO) != NULL) {
    fake_require(request->device, VK_API_VERSION_1_3, FAKE_BIT(FAKE_EXT_pipeline_creation_feedback),
                 "creation feedback");
  }
}

static VkResult make(struct request *request, VkPipelineCreateFlags old, VkPipeline *out) {
  struct fake_creation *creation = &request->creation;
  *out = VK_NULL_HANDLE;
  read_flags(request, old);
  check_flags(request);
  creation->result = fake_enter(creation->command);
  if (creation->result == VK_SUCCESS && (creation->flags & fake_settings()->refuse_flags) != 0) {
    creation->result = fake_settings()->refuse_result;
  }
  if (creation->result == VK_SUCCESS) {
    for (uint32_t i = 0; i < request->stage_count; i++) {
      check_stage(&request->stages[i], request->chain);
    }
    struct fake_pipeline *pipeline =
        fake_object_new(request->device, "VkPipeline", sizeof *pipeline);
    if (pipeline != NULL) {
      pipeline->cost = fake_cost_of(request->stage_count > 0 ? request->stages[0].pName : "");
      pipeline->point = request->point;
      pipeline->flags = creation->flags;
    }
    *out = FAKE_HANDLE(VkPipeline, pipeline);
    give_feedback(request->chain, request->stage_count);
  }
  creation->pipeline = *out;
  fake_log_creation(creation);
  return creation->result;
}

VkResult fake_vkCreateComputePipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                       const VkComputePipelineCreateInfo *infos,
                                       const VkAllocationCallbacks *allocator, VkPipeline *out) {
  (void)cache;
  (void)allocator;
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count; i++) { // all are tried; the first failure is the result
    struct request request = {(struct fake_device *)handle,
                              {.command = "vkCreateComputePipelines", .infos = infos, .index = i},
                              infos[i].pNext,
                              &infos[i].stage,
                              1,
                              VK_PIPELINE_BIND_POINT_COMPUTE};
    VkResult own = make(&request, infos[i].flags, &out[i]);
    result = result == VK_SUCCESS ? own : result;
  }
  return result;
}

// How many of pStages count: none in a part of a pipeline that holds no shaders.
static uint32_t graphics_stage_count(const VkGraphicsPipelineCreateInfo *info) {
  const VkGraphicsPipelineLibraryCreateInfoEXT *part =
      in_chain(info->pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
  const VkPipelineLibraryCreateInfoKHR *linked =
      in_chain(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  bool none = part != NULL
                  ? (part->flags & (VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |
                                    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT)) == 0
                  : linked != NULL && linked->libraryCount > 0;
  return none ? 0 : info->stageCount;
}

VkResult fake_vkCreateGraphicsPipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                        const VkGraphicsPipelineCreateInfo *infos,
                                        const VkAllocationCallbacks *allocator, VkPipeline *out) {
  (void)cache;
  (void)allocator;
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count; i++) {
    struct request request = {(struct fake_device *)handle,
                              {.command = "vkCreateGraphicsPipelines", .infos = infos, .index = i},
                              infos[i].pNext,
                              infos[i].pStages,
                              graphics_stage_count(&infos[i]),
                              VK_PIPELINE_BIND_POINT_GRAPHICS};
    VkResult own = make(&request, infos[i].flags, &out[i]);
    result = result == VK_SUCCESS ? own : result;
  }
  return result;
}

VkResult fake_vkCreateRayTracingPipelinesKHR(VkDevice handle, VkDeferredOperationKHR operation,
                                             VkPipelineCache cache, uint32_t count,
                                             const VkRayTracingPipelineCreateInfoKHR *infos,
                                             const VkAllocationCallbacks *allocator,
                                             VkPipeline *out) {
  (void)cache;
  (void)allocator;
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count; i++) {
    struct request request = {
        (struct fake_device *)handle,
        {.command = "vkCreateRayTracingPipelinesKHR", .infos = infos, .index = i},
        infos[i].pNext,
        infos[i].pStages,
        infos[i].stageCount,
        VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR};
    VkResult own = make(&request, infos[i].flags, &out[i]);
    result = result == VK_SUCCESS ? own : result;
  }
  return result == VK_SUCCESS && FAKE_ID(operation) != 0 ? VK_OPERATION_NOT_DEFERRED_KHR : result;
}

void fake_vkDestroyPipeline(VkDevice device, VkPipeline pipeline,
                            const VkAllocationCallbacks *allocator) {
  (void)device;
  (void)allocator;
  fake_object_delete(FAKE_OBJECT(fake_pipeline, pipeline));
}
