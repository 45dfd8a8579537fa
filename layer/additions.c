/* What the layer adds to a device, see additions.h. */
#include "additions.h"

#include "chain.h"
#include "device.h"

/* What is asked for in one attempt; 0: the application's own create-info. */
enum addition {
  ADD_RESET = 1,
  ADD_CALIBRATED = 2,
  ADD_STATISTICS = 4,
  ADD_FEEDBACK = 8,
  ADD_ALL = 15,
};

static const char refused_reason[] = "the driver refused a device with it";

static unsigned available(const struct vkm_capabilities *capabilities) {
  const struct vkm_statistics_offer *statistics = &capabilities->statistics;
  return (capabilities->reset_feature ? ADD_RESET : 0U) |
         (capabilities->calibrated_extension ? ADD_CALIBRATED : 0U) |
         (statistics->feature || statistics->shader_info_extension ? ADD_STATISTICS : 0U) |
         (statistics->feedback_extension ? ADD_FEEDBACK : 0U);
}

static void give_up(struct vkm_capabilities *capabilities, unsigned additions, const char *why) {
  struct vkm_statistics_offer *statistics = &capabilities->statistics;
  unsigned given_up = additions & available(capabilities);
  if (given_up & ADD_RESET) {
    capabilities->reset_feature = false;
    capabilities->reset_extension = NULL;
    capabilities->no_reset_reason = why;
  }
  if (given_up & ADD_CALIBRATED) {
    capabilities->calibrated_extension = NULL;
    capabilities->no_calibrated_reason = why;
  }
  if (given_up & ADD_STATISTICS) {
    statistics->feature = false;
    statistics->extension = NULL;
    statistics->shader_info_extension = NULL;
    statistics->no_statistics_reason = why;
  }
  if (given_up & ADD_FEEDBACK) {
    statistics->feedback_extension = NULL;
    statistics->no_feedback_reason = why;
  }
}

static uint32_t list_extensions(const struct vkm_capabilities *capabilities, unsigned additions,
                                const char *extensions[VKM_ADDED_EXTENSIONS]) {
  const struct vkm_statistics_offer *statistics = &capabilities->statistics;
  const struct {
    unsigned addition;
    const char *extension;
  } all[] = {{ADD_RESET, capabilities->reset_extension},
             {ADD_CALIBRATED, capabilities->calibrated_extension},
             {ADD_STATISTICS, statistics->extension},
             {ADD_STATISTICS, statistics->shader_info_extension},
             {ADD_FEEDBACK, statistics->feedback_extension}};
  uint32_t count = 0;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    if (additions & all[i].addition && all[i].extension) {
      extensions[count++] = all[i].extension;
    }
  }
  return count;
}

/* One call down. The link is set anew each time: the layers below have advanced it in the attempt
 * before. `why` is set when the create-info could not be made and nothing was asked; `impossible`
 * are then the additions that could not be put in. */
static VkResult attempt(struct vkm_creation *creation, unsigned additions, unsigned *impossible,
                        const char **why) {
  const char *extensions[VKM_ADDED_EXTENSIONS];
  const struct vkm_capabilities *capabilities = &creation->capabilities;
  creation->link->u.pLayerInfo = creation->next_link;
  *why = NULL;
  if (additions == 0) {
    return creation->next(creation->physical, creation->info, creation->allocator,
                          creation->handle);
  }
  bool executables = additions & ADD_STATISTICS && capabilities->statistics.feature;
  unsigned switches =
      (additions & ADD_RESET ? VKM_SWITCH_RESET : 0U) | (executables ? VKM_SWITCH_EXECUTABLES : 0U);
  uint32_t count = list_extensions(capabilities, additions, extensions);
  struct vkm_device_info_copy copy;
  unsigned failed;
  if (!vkm_chain_copy_device_info(&copy, creation->info, extensions, count, switches, &failed,
                                  why)) {
    *impossible = (failed & VKM_SWITCH_RESET ? ADD_RESET : 0U) |
                  (failed & VKM_SWITCH_EXECUTABLES ? ADD_STATISTICS : 0U);
    *impossible = *impossible ? *impossible : additions;
    return VK_ERROR_FEATURE_NOT_PRESENT;
  }
  VkResult result =
      creation->next(creation->physical, &copy.info, creation->allocator, creation->handle);
  vkm_chain_free_device_info(&copy);
  return result;
}

static bool worth_another_step(VkResult result) {
  return result == VK_ERROR_EXTENSION_NOT_PRESENT || result == VK_ERROR_FEATURE_NOT_PRESENT ||
         result == VK_ERROR_INITIALIZATION_FAILED;
}

/* Everything, everything but one, what timing needs and its parts, the rest, nothing: at most ten
 * calls down (eight on Vulkan 1.3, four where only timing has something to add), and a driver that
 * refuses one addition costs no other. */
VkResult vkm_additions_create(struct vkm_creation *creation) {
  static const unsigned steps[] = {ADD_ALL,
                                   ADD_ALL & ~ADD_STATISTICS,
                                   ADD_ALL & ~ADD_FEEDBACK,
                                   ADD_ALL & ~ADD_CALIBRATED,
                                   ADD_ALL & ~ADD_RESET,
                                   ADD_RESET | ADD_CALIBRATED,
                                   ADD_RESET,
                                   ADD_CALIBRATED,
                                   ADD_STATISTICS | ADD_FEEDBACK};
  struct vkm_capabilities *capabilities = &creation->capabilities;
  unsigned refused = 0, impossible = 0; /* refused: bit n is the set n of additions */
  const char *why;
  size_t step = 0;
  while (step < sizeof steps / sizeof steps[0]) {
    unsigned additions = steps[step] & available(capabilities);
    if (additions == 0 || refused >> additions & 1) {
      step++;
      continue;
    }
    VkResult result = attempt(creation, additions, &impossible, &why);
    if (why) { /* without what cannot be put in, the same step again */
      give_up(capabilities, impossible, why);
      continue;
    }
    if (result == VK_SUCCESS) {
      give_up(capabilities, ~additions, refused_reason);
      return result;
    }
    refused |= 1U << additions;
    if (!worth_another_step(result)) {
      break;
    }
  }
  give_up(capabilities, ~0U, refused_reason);
  return attempt(creation, 0, &impossible, &why);
}

/* ---- after creation ---- */

static void note_enabled(struct vkm_device *device, const char *name, bool is_extension) {
  struct vkm_device_record *record = device->record;
  record->enabled_by_vkmeter[record->enabled_count++] = name;
  if (is_extension) {
    device->hidden_extensions[device->hidden_extension_count++] = name;
  }
}

void vkm_note_capability(struct vkm_device_record *record, const char *name, const char *reason) {
  record->capabilities[record->capability_count++] =
      (struct vkm_profile_capability){name, reason == NULL, reason};
}

static void note_all_enabled(struct vkm_device *device,
                             const struct vkm_capabilities *capabilities) {
  const struct vkm_statistics_offer *statistics = &capabilities->statistics;
  const struct {
    const char *name;
    bool is_extension;
  } all[] = {{capabilities->reset_extension, true},
             {capabilities->reset_feature ? "hostQueryReset" : NULL, false},
             {capabilities->calibrated_extension, true},
             {statistics->extension, true},
             {statistics->feature ? "pipelineExecutableInfo" : NULL, false},
             {statistics->shader_info_extension, true},
             {statistics->feedback_extension, true}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    if (all[i].name) {
      note_enabled(device, all[i].name, all[i].is_extension);
    }
  }
}

void vkm_additions_settle(struct vkm_device *device, const struct vkm_capabilities *capabilities) {
  PFN_vkGetDeviceProcAddr get = device->next_proc_addr;
  note_all_enabled(device, capabilities);
  if (capabilities->reset_feature || capabilities->reset_enabled) {
    const char *name =
        capabilities->version >= VK_API_VERSION_1_2 ? "vkResetQueryPool" : "vkResetQueryPoolEXT";
    device->reset_query_pool = (PFN_vkResetQueryPool)get(device->handle, name);
  }
  if ((capabilities->calibrated_extension || capabilities->calibrated_enabled) &&
      capabilities->calibrated_monotonic) {
    const char *name = capabilities->calibrated_khr ? "vkGetCalibratedTimestampsKHR"
                                                    : "vkGetCalibratedTimestampsEXT";
    device->get_calibrated_timestamps = (PFN_vkGetCalibratedTimestampsKHR)get(device->handle, name);
    device->host_domain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR;
    device->record->clock_domain = "CLOCK_MONOTONIC";
  }
  vkm_note_capability(device->record, "host_query_reset", capabilities->no_reset_reason);
  vkm_note_capability(device->record, "calibrated_timestamps", capabilities->no_calibrated_reason);
  vkm_note_capability(device->record, "pipeline_statistics",
                      capabilities->statistics.no_statistics_reason);
  vkm_note_capability(device->record, "pipeline_creation_feedback",
                      capabilities->statistics.no_feedback_reason);
  vkm_statistics_settle(&device->statistics, &capabilities->statistics, get, device->handle);
}
