// What the compiler says of a pipeline: executables, their statistics, what they were on the way.
//
// In: pipelines and the flags they were created with. Out: scripted names and values, the same for
// every pipeline.
#include "internal.h"

#include <stdio.h>
#include <string.h>

static void require_executables(VkDevice device, const char *name) {
  fake_require((struct fake_device *)device, 0, FAKE_BIT(FAKE_KHR_pipeline_executable_properties),
               name);
  if (!((struct fake_device *)device)->executable_info) {
    fake_violate("%s without the feature pipelineExecutableInfo", name);
  }
}

static void require_flag(const VkPipelineExecutableInfoKHR *info, VkPipelineCreateFlagBits flag,
                         const char *name) {
  if ((FAKE_OBJECT(fake_pipeline, info->pipeline)->flags & flag) == 0) {
    fake_violate("%s of a pipeline created without their flag", name);
  }
  if (info->executableIndex >= fake_settings()->executables) {
    fake_violate("%s of an executable that is not there", name);
  }
}

static void put_text(char out[VK_MAX_DESCRIPTION_SIZE], const char *text) {
  memset(out, 0, VK_MAX_DESCRIPTION_SIZE);
  (void)snprintf(out, VK_MAX_DESCRIPTION_SIZE, "%s", text);
}

// How many of `total` go into the array; announces them where there is none.
static uint32_t room(uint32_t total, uint32_t *count, bool has_array) {
  if (!has_array) {
    uint32_t less = fake_settings()->announced_less != 0 && total > 0 ? 1 : 0;
    *count = total - less;
    return 0;
  }
  *count = *count < total ? *count : total;
  return *count;
}

VkResult fake_vkGetPipelineExecutablePropertiesKHR(VkDevice device, const VkPipelineInfoKHR *info,
                                                   uint32_t *count,
                                                   VkPipelineExecutablePropertiesKHR *out) {
  (void)info;
  FAKE_ENTER();
  require_executables(device, "vkGetPipelineExecutablePropertiesKHR");
  uint32_t total = fake_settings()->executables;
  uint32_t written = room(total, count, out != NULL);
  for (uint32_t i = 0; i < written; i++) {
    char name[VK_MAX_DESCRIPTION_SIZE] = "fake compute";
    if (i > 0) {
      (void)snprintf(name, sizeof name, "fake compute %u", i);
    }
    if (out[i].sType != VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR) {
      fake_violate("vkGetPipelineExecutablePropertiesKHR into a structure of another type");
    }
    out[i].stages = VK_SHADER_STAGE_COMPUTE_BIT;
    put_text(out[i].name, name);
    put_text(out[i].description, "scripted");
    out[i].subgroupSize = 32;
  }
  return out != NULL && written < total ? VK_INCOMPLETE : VK_SUCCESS;
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
enum { STATISTIC_COUNT = sizeof statistics / sizeof statistics[0] };

static void put_statistic(VkPipelineExecutableStatisticKHR *out, uint32_t index) {
  static const char *const odd[] = {"a \"quoted\" name", "bytes \xff\xfe", "line\nbreak\t\\"};
  put_text(out->description, "scripted");
  if (index < STATISTIC_COUNT) {
    put_text(out->name, statistics[index].name);
    out->format = statistics[index].format;
    out->value = statistics[index].value;
  } else {
    char name[VK_MAX_DESCRIPTION_SIZE];
    (void)snprintf(name, sizeof name, "more %u", index - STATISTIC_COUNT);
    put_text(out->name, name);
    out->format = VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR;
    out->value.u64 = (uint64_t)1000 * (index - STATISTIC_COUNT);
  }
  if (fake_settings()->odd_names == 1 && index < sizeof odd / sizeof odd[0]) {
    put_text(out->name, odd[index]);
  } else if (fake_settings()->odd_names > 1 ||
             (fake_settings()->odd_names == 1 && index == sizeof odd / sizeof odd[0])) {
    memset(out->name, 'n', sizeof out->name);
    memset(out->description, 'd', sizeof out->description);
    out->format = (VkPipelineExecutableStatisticFormatKHR)77;
  }
}

VkResult fake_vkGetPipelineExecutableStatisticsKHR(VkDevice device,
                                                   const VkPipelineExecutableInfoKHR *info,
                                                   uint32_t *count,
                                                   VkPipelineExecutableStatisticKHR *out) {
  FAKE_ENTER();
  require_executables(device, "vkGetPipelineExecutableStatisticsKHR");
  require_flag(info, VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR, "statistics");
  uint32_t total = STATISTIC_COUNT + fake_settings()->statistics;
  uint32_t written = room(total, count, out != NULL);
  for (uint32_t i = 0; i < written; i++) {
    if (out[i].sType != VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR) {
      fake_violate("vkGetPipelineExecutableStatisticsKHR into a structure of another type");
    }
    put_statistic(&out[i], i);
  }
  return out != NULL && written < total ? VK_INCOMPLETE : VK_SUCCESS;
}

// Texts and binaries in turn. A text counts its NUL.
static VkResult put_representation(VkPipelineExecutableInternalRepresentationKHR *out,
                                   uint32_t index) {
  static const char text[] = "v_mov_b32 v0, s0\ns_endpgm\n";
  static const uint8_t binary[] = {0x7f, 'E', 'L', 'F', 0, 0xff};
  bool is_text = index % 2 == 0;
  size_t size = is_text ? sizeof text : sizeof binary;
  VkResult result = VK_SUCCESS;
  if (out->sType != VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR) {
    fake_violate("vkGetPipelineExecutableInternalRepresentationsKHR into another structure");
  }
  put_text(out->name, is_text ? "Assembly (final)" : "../Machine code");
  put_text(out->description, "scripted");
  out->isText = is_text;
  if (out->pData != NULL && out->dataSize < size) {
    size = out->dataSize;
    result = VK_INCOMPLETE;
  }
  if (out->pData != NULL) {
    memcpy(out->pData, is_text ? (const void *)text : (const void *)binary, size);
  }
  out->dataSize = size;
  return result;
}

VkResult fake_vkGetPipelineExecutableInternalRepresentationsKHR(
    VkDevice device, const VkPipelineExecutableInfoKHR *info, uint32_t *count,
    VkPipelineExecutableInternalRepresentationKHR *out) {
  FAKE_ENTER();
  require_executables(device, "vkGetPipelineExecutableInternalRepresentationsKHR");
  require_flag(info, VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR,
               "internal representations");
  uint32_t total = fake_settings()->representations;
  uint32_t written = room(total, count, out != NULL);
  VkResult result = out != NULL && written < total ? VK_INCOMPLETE : VK_SUCCESS;
  for (uint32_t i = 0; i < written; i++) {
    VkResult own = put_representation(&out[i], i);
    result = own != VK_SUCCESS ? own : result;
  }
  return result;
}

VkResult fake_vkGetShaderInfoAMD(VkDevice device, VkPipeline pipeline, VkShaderStageFlagBits stage,
                                 VkShaderInfoTypeAMD type, size_t *size, void *out) {
  (void)pipeline;
  FAKE_ENTER();
  fake_require((struct fake_device *)device, 0, FAKE_BIT(FAKE_AMD_shader_info),
               "vkGetShaderInfoAMD");
  if (type != VK_SHADER_INFO_TYPE_STATISTICS_AMD || stage != VK_SHADER_STAGE_COMPUTE_BIT) {
    return VK_ERROR_FEATURE_NOT_PRESENT;
  }
  const VkShaderStatisticsInfoAMD info = {.shaderStageMask = VK_SHADER_STAGE_COMPUTE_BIT,
                                          .resourceUsage = {.numUsedVgprs = 24,
                                                            .numUsedSgprs = 18,
                                                            .ldsSizePerLocalWorkGroup = 65536,
                                                            .ldsUsageSizeInBytes = 1024,
                                                            .scratchMemUsageInBytes = 512},
                                          .numPhysicalVgprs = 1024,
                                          .numPhysicalSgprs = 800,
                                          .numAvailableVgprs = 256,
                                          .numAvailableSgprs = 104,
                                          .computeWorkGroupSize = {64, 1, 1}};
  size_t wanted = out == NULL || *size >= sizeof info ? sizeof info : *size;
  if (out != NULL) {
    memcpy(out, &info, wanted);
  }
  *size = wanted;
  return wanted < sizeof info ? VK_INCOMPLETE : VK_SUCCESS;
}
