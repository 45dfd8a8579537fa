/* What the driver's compiler says of pipelines, see statistics.h. */
#include "statistics.h"

#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "capabilities.h"
#include "device.h"
#include "representations.h"
#include "session.h"

static const char memory_short[] = "memory was short when they were read";
static const char driver_failed[] = "the driver failed to tell them";

/* ---- which drivers ---- */

struct avoided {
  uint32_t driver_id;
  uint32_t first, last; /* driver versions, as the driver packs them */
  const char *reason;
};

const char *vkm_statistics_unwanted(const struct vkm_settings *settings,
                                    const struct vkm_device_record *record) {
  static const struct avoided avoided[] = {
#define VKM_AVOIDED(driver_id, first, last, reason) {driver_id, first, last, reason},
#include "avoided_drivers.def"
#undef VKM_AVOIDED
  };
  if (settings->pipeline_statistics == VKM_STATISTICS_OFF) {
    return "switched off by the setting PIPELINE_STATISTICS";
  }
  for (size_t i = 0; i < sizeof avoided / sizeof avoided[0]; i++) {
    if (avoided[i].driver_id == record->driver_id && avoided[i].first <= record->driver_version &&
        record->driver_version <= avoided[i].last) {
      return avoided[i].reason;
    }
  }
  return NULL;
}

void vkm_statistics_settle(struct vkm_statistics_commands *commands,
                           const struct vkm_statistics_offer *offer, PFN_vkGetDeviceProcAddr get,
                           VkDevice handle) {
  *commands = (struct vkm_statistics_commands){.no_statistics_reason = offer->no_statistics_reason,
                                               .no_feedback_reason = offer->no_feedback_reason};
  if (offer->enabled || offer->feature) {
    commands->get_executables = (PFN_vkGetPipelineExecutablePropertiesKHR)get(
        handle, "vkGetPipelineExecutablePropertiesKHR");
    commands->get_statistics = (PFN_vkGetPipelineExecutableStatisticsKHR)get(
        handle, "vkGetPipelineExecutableStatisticsKHR");
    commands->get_representations = (PFN_vkGetPipelineExecutableInternalRepresentationsKHR)get(
        handle, "vkGetPipelineExecutableInternalRepresentationsKHR");
  } else if (offer->shader_info_enabled || offer->shader_info_extension) {
    commands->get_shader_info = (PFN_vkGetShaderInfoAMD)get(handle, "vkGetShaderInfoAMD");
  }
  bool complete =
      commands->get_executables && commands->get_statistics && commands->get_representations;
  if (!complete && !commands->get_shader_info && !commands->no_statistics_reason) {
    commands->get_executables = NULL;
    commands->no_statistics_reason = "the driver does not have the commands of its extension";
  }
}

/* ---- texts ---- */

/* Of a driver's array, which need not end in NUL. */
static size_t text_bytes(const char *text) {
  return strnlen(text, VK_MAX_DESCRIPTION_SIZE) + 1;
}

static const char *put_text(char **at, const char *text) {
  char *out = *at;
  size_t length = text_bytes(text) - 1;
  memcpy(out, text, length);
  out[length] = '\0';
  *at = out + length + 1;
  return out;
}

/* ---- statistics ---- */

static void put_value(struct vkm_profile_statistic *to,
                      const VkPipelineExecutableStatisticKHR *from) {
  switch (from->format) {
  case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
    to->format = VKM_STATISTIC_BOOL;
    to->value.truth = from->value.b32 != VK_FALSE;
    break;
  case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
    to->format = VKM_STATISTIC_INT64;
    to->value.i64 = from->value.i64;
    break;
  case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
    to->format = VKM_STATISTIC_UINT64;
    to->value.u64 = from->value.u64;
    break;
  case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR:
    to->format = VKM_STATISTIC_FLOAT64;
    to->value.f64 = from->value.f64;
    break;
  default:
    to->format = VKM_STATISTIC_UNKNOWN;
  }
}

/* Copies as many as the text that is left allows; one block: the statistics, then their texts. */
static void keep_statistics(struct vkm_profile_executable *executable,
                            const VkPipelineExecutableStatisticKHR *list, uint32_t count,
                            size_t *text_left) {
  size_t bytes = 0;
  uint32_t kept = 0;
  while (kept < count) {
    size_t more = text_bytes(list[kept].name) + text_bytes(list[kept].description);
    if (bytes + more > *text_left) {
      break;
    }
    bytes += more;
    kept++;
  }
  executable->statistics_dropped += count - kept;
  executable->statistics = vkm_alloc(kept * sizeof *executable->statistics + bytes + 1);
  if (!executable->statistics) {
    executable->no_statistics_reason = memory_short;
    return;
  }
  *text_left -= bytes;
  executable->statistic_count = kept;
  char *text = (char *)(executable->statistics + kept);
  for (uint32_t i = 0; i < kept; i++) {
    struct vkm_profile_statistic *to = &executable->statistics[i];
    to->name = put_text(&text, list[i].name);
    to->description = put_text(&text, list[i].description);
    put_value(to, &list[i]);
  }
}

/* How many are beyond `kept`, when `total` was announced; a driver that finds it has more (`more`)
 * has at least one. */
static uint32_t beyond(uint32_t total, uint32_t kept, bool more) {
  uint32_t dropped = total > kept ? total - kept : 0;
  return dropped ? dropped : more;
}

static void read_statistics(const struct vkm_device *device, VkPipeline pipeline, uint32_t index,
                            struct vkm_profile_executable *executable, size_t *text_left) {
  const VkPipelineExecutableInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
      .pipeline = pipeline,
      .executableIndex = index,
  };
  uint32_t total = 0;
  PFN_vkGetPipelineExecutableStatisticsKHR get = device->statistics.get_statistics;
  if (get(device->handle, &info, &total, NULL) < VK_SUCCESS) {
    executable->no_statistics_reason = driver_failed;
    return;
  }
  uint32_t count = total < VKM_STATISTIC_CAP ? total : VKM_STATISTIC_CAP;
  VkPipelineExecutableStatisticKHR *list = vkm_calloc(count ? count : 1, sizeof *list);
  if (!list) {
    executable->no_statistics_reason = memory_short;
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    list[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
  }
  uint32_t got = count;
  VkResult result = get(device->handle, &info, &got, list);
  if (result < VK_SUCCESS) {
    executable->no_statistics_reason = driver_failed;
  } else {
    got = got < count ? got : count;
    executable->statistics_dropped = beyond(total, count, result == VK_INCOMPLETE);
    keep_statistics(executable, list, got, text_left);
  }
  vkm_free(list);
}

/* ---- executables ---- */

/* One block: the executables, then their texts. */
static struct vkm_profile_executables *
make_executables(const VkPipelineExecutablePropertiesKHR *list, uint32_t count) {
  struct vkm_profile_executables *made = vkm_calloc(1, sizeof *made);
  size_t bytes = 1;
  for (uint32_t i = 0; i < count; i++) {
    bytes += text_bytes(list[i].name) + text_bytes(list[i].description);
  }
  size_t head = count * sizeof *made->items;
  struct vkm_profile_executable *items = vkm_alloc(head + bytes);
  if (!made || !items) {
    vkm_free(made);
    vkm_free(items);
    return NULL;
  }
  memset(items, 0, head + bytes);
  char *text = (char *)(items + count);
  for (uint32_t i = 0; i < count; i++) {
    items[i].name = put_text(&text, list[i].name);
    items[i].description = put_text(&text, list[i].description);
    items[i].stages = list[i].stages;
    items[i].subgroup_size = list[i].subgroupSize;
  }
  made->items = items;
  made->count = count;
  return made;
}

/* The executables without their statistics. NULL: `why`. */
static struct vkm_profile_executables *list_executables(const struct vkm_device *device,
                                                        VkPipeline pipeline, const char **why) {
  const VkPipelineInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR,
                                  .pipeline = pipeline};
  VkPipelineExecutablePropertiesKHR list[VKM_EXECUTABLE_CAP];
  uint32_t total = 0;
  PFN_vkGetPipelineExecutablePropertiesKHR get = device->statistics.get_executables;
  *why = driver_failed;
  if (get(device->handle, &info, &total, NULL) < VK_SUCCESS) {
    return NULL;
  }
  uint32_t count = total < VKM_EXECUTABLE_CAP ? total : VKM_EXECUTABLE_CAP;
  memset(list, 0, sizeof list);
  for (uint32_t i = 0; i < count; i++) {
    list[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
  }
  uint32_t got = count;
  VkResult result = get(device->handle, &info, &got, list);
  if (result < VK_SUCCESS) {
    return NULL;
  }
  *why = memory_short;
  struct vkm_profile_executables *made = make_executables(list, got < count ? got : count);
  if (made) {
    made->source = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
    made->dropped = beyond(total, count, result == VK_INCOMPLETE);
  }
  return made;
}

static struct vkm_profile_executables *read_executables(const struct vkm_device *device,
                                                        VkPipeline pipeline, uint64_t flags,
                                                        struct vkm_hash identity,
                                                        const char **why) {
  struct vkm_profile_executables *made = list_executables(device, pipeline, why);
  bool statistics = flags & VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  bool representations = flags & VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  size_t text_left = VKM_STATISTIC_TEXT_CAP;
  for (uint32_t i = 0; made && i < made->count; i++) {
    if (statistics) {
      read_statistics(device, pipeline, i, &made->items[i], &text_left);
    }
    if (representations) {
      vkm_representations_write(device, pipeline, i, identity, &made->items[i]);
    }
  }
  if (made) {
    made->representations = representations;
  }
  return made;
}

/* ---- VK_AMD_shader_info ---- */

static void set_statistic(VkPipelineExecutableStatisticKHR *statistic, const char *name,
                          const char *description, uint64_t value) {
  memcpy(statistic->name, name, strlen(name));
  memcpy(statistic->description, description, strlen(description));
  statistic->format = VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR;
  statistic->value.u64 = value;
}

static uint32_t list_shader_info(const VkShaderStatisticsInfoAMD *info,
                                 VkPipelineExecutableStatisticKHR list[12]) {
  const VkShaderResourceUsageAMD *usage = &info->resourceUsage;
  uint32_t count = 0;
  set_statistic(&list[count++], "numUsedVgprs", "vector registers used", usage->numUsedVgprs);
  set_statistic(&list[count++], "numUsedSgprs", "scalar registers used", usage->numUsedSgprs);
  set_statistic(&list[count++], "ldsSizePerLocalWorkGroup", "largest LDS of a workgroup, bytes",
                usage->ldsSizePerLocalWorkGroup);
  set_statistic(&list[count++], "ldsUsageSizeInBytes", "LDS used", usage->ldsUsageSizeInBytes);
  set_statistic(&list[count++], "scratchMemUsageInBytes", "scratch memory used",
                usage->scratchMemUsageInBytes);
  set_statistic(&list[count++], "numPhysicalVgprs", "vector registers of the machine",
                info->numPhysicalVgprs);
  set_statistic(&list[count++], "numPhysicalSgprs", "scalar registers of the machine",
                info->numPhysicalSgprs);
  set_statistic(&list[count++], "numAvailableVgprs", "vector registers that may be used",
                info->numAvailableVgprs);
  set_statistic(&list[count++], "numAvailableSgprs", "scalar registers that may be used",
                info->numAvailableSgprs);
  return count;
}

static struct vkm_profile_executables *read_shader_info(const struct vkm_device *device,
                                                        VkPipeline pipeline, const char **why) {
  VkShaderStatisticsInfoAMD info = {0};
  size_t size = sizeof info;
  *why = driver_failed;
  VkResult result =
      device->statistics.get_shader_info(device->handle, pipeline, VK_SHADER_STAGE_COMPUTE_BIT,
                                         VK_SHADER_INFO_TYPE_STATISTICS_AMD, &size, &info);
  if (result != VK_SUCCESS || size != sizeof info) {
    return NULL;
  }
  const VkPipelineExecutablePropertiesKHR properties = {
      .stages = VK_SHADER_STAGE_COMPUTE_BIT,
      .name = "compute",
      .description = "statistics of VK_AMD_shader_info",
  };
  size_t text_left = VKM_STATISTIC_TEXT_CAP;
  VkPipelineExecutableStatisticKHR list[12];
  memset(list, 0, sizeof list);
  *why = memory_short;
  struct vkm_profile_executables *made = make_executables(&properties, 1);
  if (made) {
    made->source = VK_AMD_SHADER_INFO_EXTENSION_NAME;
    keep_statistics(&made->items[0], list, list_shader_info(&info, list), &text_left);
  }
  return made;
}

/* ---- records ---- */

static int64_t bytes_of(const struct vkm_profile_executables *executables) {
  size_t bytes = sizeof *executables + executables->count * sizeof *executables->items;
  for (uint32_t i = 0; i < executables->count; i++) {
    const struct vkm_profile_executable *item = &executables->items[i];
    bytes += item->statistic_count * sizeof *item->statistics +
             item->representation_count * sizeof *item->representations;
    for (uint32_t j = 0; j < item->statistic_count; j++) {
      bytes += strlen(item->statistics[j].name) + strlen(item->statistics[j].description) + 2;
    }
  }
  return (int64_t)bytes;
}

void vkm_statistics_read(struct vkm_device *device, VkPipeline pipeline, uint64_t flags,
                         struct vkm_pipeline_record *record) {
  const struct vkm_statistics_commands *commands = &device->statistics;
  const uint64_t captured = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
                            VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  bool by_flag = commands->get_executables && flags & captured;
  bool by_info = commands->get_shader_info && record->kind == VKM_PIPELINE_COMPUTE;
  if (!(by_flag || by_info) || atomic_exchange(&record->executables_claimed, true)) {
    return;
  }
  const char *why = NULL;
  struct vkm_profile_executables *made =
      by_flag ? read_executables(device, pipeline, flags, record->identity, &why)
              : read_shader_info(device, pipeline, &why);
  pthread_mutex_lock(&device->record->lock);
  record->executables = made;
  record->no_executables_reason = made ? NULL : why;
  pthread_mutex_unlock(&device->record->lock);
  if (made) {
    vkm_device_record_bytes(device->record, bytes_of(made));
  } else if (why == memory_short) {
    atomic_store(&record->executables_claimed, false); /* the next of its kind may have more luck */
  }
}
