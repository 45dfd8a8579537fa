// Compute pipelines: their entry point decides what a dispatch costs. Caches, executables.
//
// In: create-infos with a module or inline SPIR-V. Out: VkPipeline. Next room: record.c.
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
  const VkPipelineCreationFeedbackCreateInfo *wanted =
      in_chain(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
  if (wanted == NULL) {
    return;
  }
  const VkPipelineCreationFeedback feedback = {VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT, 1234567};
  *wanted->pPipelineCreationFeedback = feedback;
  for (uint32_t i = 0; i < wanted->pipelineStageCreationFeedbackCount && i < stage_count; i++) {
    wanted->pPipelineStageCreationFeedbacks[i] = feedback;
  }
}

static uint64_t flags_of(const void *chain, VkPipelineCreateFlags flags) {
  const VkPipelineCreateFlags2CreateInfo *two =
      in_chain(chain, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO);
  return two != NULL ? two->flags : flags;
}

static void check_stage(const struct fake_device *device,
                        const VkPipelineShaderStageCreateInfo *stage, uint64_t flags) {
  bool code = FAKE_ID(stage->module) != 0 ||
              in_chain(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO) != NULL;
  if (!code) {
    fake_violate("pipeline stage without a module and without inline SPIR-V");
  }
  const uint64_t captures = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
                            VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  if ((flags & captures) != 0 && !device->executable_info) {
    fake_violate("CAPTURE flag without the feature pipelineExecutableInfo");
  }
}

static VkPipeline make(struct fake_device *device, const char *entry, VkPipelineBindPoint point,
                       uint64_t flags) {
  struct fake_pipeline *pipeline = fake_object_new(device, "VkPipeline", sizeof *pipeline);
  if (pipeline != NULL) {
    pipeline->cost = fake_cost_of(entry);
    pipeline->point = point;
    pipeline->captures = (flags & VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR) != 0;
  }
  return FAKE_HANDLE(VkPipeline, pipeline);
}

VkResult fake_vkCreateComputePipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                       const VkComputePipelineCreateInfo *infos,
                                       const VkAllocationCallbacks *allocator, VkPipeline *out) {
  (void)cache;
  (void)allocator;
  struct fake_device *device = (struct fake_device *)handle;
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count; i++) { // all are tried; the first failure is the result
    out[i] = VK_NULL_HANDLE;
    VkResult own = fake_enter("vkCreateComputePipelines");
    if (own != VK_SUCCESS) {
      result = result == VK_SUCCESS ? own : result;
      continue;
    }
    uint64_t flags = flags_of(infos[i].pNext, infos[i].flags);
    check_stage(device, &infos[i].stage, flags);
    out[i] = make(device, infos[i].stage.pName, VK_PIPELINE_BIND_POINT_COMPUTE, flags);
    give_feedback(infos[i].pNext, 1);
  }
  return result;
}

VkResult fake_vkCreateGraphicsPipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                        const VkGraphicsPipelineCreateInfo *infos,
                                        const VkAllocationCallbacks *allocator, VkPipeline *out) {
  (void)cache;
  (void)allocator;
  struct fake_device *device = (struct fake_device *)handle;
  VkResult result = fake_enter("vkCreateGraphicsPipelines");
  for (uint32_t i = 0; i < count; i++) {
    out[i] = VK_NULL_HANDLE;
    if (result != VK_SUCCESS) {
      continue;
    }
    uint64_t flags = flags_of(infos[i].pNext, infos[i].flags);
    const char *entry = infos[i].stageCount > 0 ? infos[i].pStages[0].pName : "";
    out[i] = make(device, entry, VK_PIPELINE_BIND_POINT_GRAPHICS, flags);
    give_feedback(infos[i].pNext, infos[i].stageCount);
  }
  return result;
}

void fake_vkDestroyPipeline(VkDevice device, VkPipeline pipeline,
                            const VkAllocationCallbacks *allocator) {
  (void)device;
  (void)allocator;
  fake_object_delete(FAKE_OBJECT(fake_pipeline, pipeline));
}

static void require_executables(VkDevice device, const char *name) {
  fake_require((struct fake_device *)device, 0, FAKE_BIT(FAKE_KHR_pipeline_executable_properties),
               name);
}

VkResult fake_vkGetPipelineExecutablePropertiesKHR(VkDevice device, const VkPipelineInfoKHR *info,
                                                   uint32_t *count,
                                                   VkPipelineExecutablePropertiesKHR *out) {
  (void)info;
  FAKE_ENTER();
  require_executables(device, "vkGetPipelineExecutablePropertiesKHR");
  if (out != NULL && *count == 0) {
    return VK_INCOMPLETE;
  }
  *count = 1;
  if (out != NULL) {
    out->stages = VK_SHADER_STAGE_COMPUTE_BIT;
    memset(out->name, 0, sizeof out->name);
    memcpy(out->name, "fake compute", sizeof "fake compute");
    memset(out->description, 0, sizeof out->description);
    memcpy(out->description, "scripted", sizeof "scripted");
    out->subgroupSize = 32;
  }
  return VK_SUCCESS;
}

struct statistic {
  const char *name;
  VkPipelineExecutableStatisticFormatKHR format;
  VkPipelineExecutableStatisticValueKHR value;
};

// One of every format; the last two are what no double holds exactly and what is not finite.
static const struct statistic statistics[] = {
    {"registers", VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR, {.u64 = 42}},
    {"spills", VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR, {.i64 = -7}},
    {"early preamble", VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR, {.b32 = VK_TRUE}},
    {"occupancy", VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR, {.f64 = 0.75}},
    {"hash", VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR, {.u64 = 0xfedcba9876543211}},
    {"estimate", VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR, {.f64 = __builtin_inf()}},
};

VkResult fake_vkGetPipelineExecutableStatisticsKHR(VkDevice device,
                                                   const VkPipelineExecutableInfoKHR *info,
                                                   uint32_t *count,
                                                   VkPipelineExecutableStatisticKHR *out) {
  FAKE_ENTER();
  require_executables(device, "vkGetPipelineExecutableStatisticsKHR");
  if (!FAKE_OBJECT(fake_pipeline, info->pipeline)->captures) {
    fake_violate("statistics of a pipeline created without CAPTURE_STATISTICS");
  }
  uint32_t total = sizeof statistics / sizeof statistics[0];
  uint32_t room = out == NULL || *count > total ? total : *count;
  for (uint32_t i = 0; out != NULL && i < room; i++) {
    memset(out[i].name, 0, sizeof out[i].name);
    memcpy(out[i].name, statistics[i].name, strlen(statistics[i].name));
    memset(out[i].description, 0, sizeof out[i].description);
    memcpy(out[i].description, "scripted", sizeof "scripted");
    out[i].format = statistics[i].format;
    out[i].value = statistics[i].value;
  }
  *count = room;
  return room < total ? VK_INCOMPLETE : VK_SUCCESS;
}

VkResult fake_vkGetPipelineExecutableInternalRepresentationsKHR(
    VkDevice device, const VkPipelineExecutableInfoKHR *info, uint32_t *count,
    VkPipelineExecutableInternalRepresentationKHR *out) {
  (void)info;
  (void)out;
  FAKE_ENTER();
  require_executables(device, "vkGetPipelineExecutableInternalRepresentationsKHR");
  *count = 0;
  return VK_SUCCESS;
}
