/* What a physical device offers, see capabilities.h. */
#include "capabilities.h"

#include <string.h>

#include "base/alloc.h"
#include "chain.h"

/* ---- extensions ---- */

struct extensions {
  VkExtensionProperties *items;
  uint32_t count;
  bool out_of_memory; /* then none of them are known */
};

static struct extensions read_extensions(const struct vkm_instance *instance,
                                         VkPhysicalDevice physical) {
  struct extensions extensions = {0};
  PFN_vkEnumerateDeviceExtensionProperties enumerate =
      instance->table.EnumerateDeviceExtensionProperties;
  uint32_t count = 0;
  if (enumerate(physical, NULL, &count, NULL) != VK_SUCCESS || count == 0) {
    return extensions;
  }
  extensions.items = vkm_calloc(count, sizeof *extensions.items);
  extensions.out_of_memory = !extensions.items;
  if (extensions.items) {
    VkResult result = enumerate(physical, NULL, &count, extensions.items);
    extensions.count = result == VK_SUCCESS || result == VK_INCOMPLETE ? count : 0;
  }
  return extensions;
}

static bool offers(const struct extensions *extensions, const char *name) {
  for (uint32_t i = 0; i < extensions->count; i++) {
    if (strcmp(extensions->items[i].extensionName, name) == 0) {
      return true;
    }
  }
  return false;
}

static bool enables(const VkDeviceCreateInfo *info, const char *name) {
  for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
    if (strcmp(info->ppEnabledExtensionNames[i], name) == 0) {
      return true;
    }
  }
  return false;
}

/* ---- additions ---- */

static bool reset_already_on(const VkDeviceCreateInfo *info) {
  const VkBaseInStructure *core =
      vkm_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  const VkBaseInStructure *split =
      vkm_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES);
  return (core && ((const VkPhysicalDeviceVulkan12Features *)core)->hostQueryReset) ||
         (split && ((const VkPhysicalDeviceHostQueryResetFeatures *)split)->hostQueryReset);
}

/* Asks for one structure of features; false: there is no command to ask with. */
static bool read_features(const struct vkm_instance *instance, VkPhysicalDevice physical,
                          void *structure) {
  VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                        .pNext = structure};
  PFN_vkGetPhysicalDeviceFeatures2 get = instance->api_version >= VK_API_VERSION_1_1
                                             ? instance->table.GetPhysicalDeviceFeatures2
                                             : instance->table.GetPhysicalDeviceFeatures2KHR;
  if (get) {
    get(physical, &features);
  }
  return get != NULL;
}

static bool reset_offered(const struct vkm_instance *instance, VkPhysicalDevice physical) {
  VkPhysicalDeviceHostQueryResetFeatures reset = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES};
  return read_features(instance, physical, &reset) && reset.hostQueryReset;
}

static const char without_properties2[] =
    "the application's instance is 1.0 without VK_KHR_get_physical_device_properties2";

static void find_reset(struct vkm_capabilities *capabilities, const struct vkm_instance *instance,
                       VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                       const struct extensions *extensions) {
  bool core = capabilities->version >= VK_API_VERSION_1_2;
  bool extension_on = enables(info, VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME);
  if (reset_already_on(info)) {
    capabilities->reset_enabled = true;
  } else if (!instance->properties2) {
    capabilities->no_reset_reason = without_properties2;
  } else if (!core && !extension_on &&
             !offers(extensions, VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME)) {
    capabilities->no_reset_reason = extensions->out_of_memory
                                        ? vkm_memory_was_short
                                        : "the driver does not offer VK_EXT_host_query_reset";
  } else if (!reset_offered(instance, physical)) {
    capabilities->no_reset_reason = "the driver does not offer the feature hostQueryReset";
  } else {
    capabilities->reset_feature = true;
    capabilities->reset_extension =
        core || extension_on ? NULL : VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME;
  }
}

/* Whether the device calibrates against CLOCK_MONOTONIC, the clock that all our host times are in.
 */
static bool has_monotonic(const struct vkm_instance *instance, VkPhysicalDevice physical,
                          bool khr) {
  VkTimeDomainKHR domains[16];
  uint32_t count = sizeof domains / sizeof domains[0];
  PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsKHR get =
      khr ? instance->table.GetPhysicalDeviceCalibrateableTimeDomainsKHR
          : instance->table.GetPhysicalDeviceCalibrateableTimeDomainsEXT;
  VkResult result = get ? get(physical, &count, domains) : VK_ERROR_EXTENSION_NOT_PRESENT;
  for (uint32_t i = 0; (result == VK_SUCCESS || result == VK_INCOMPLETE) && i < count; i++) {
    if (domains[i] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR) {
      return true;
    }
  }
  return false;
}

static void find_calibrated(struct vkm_capabilities *capabilities,
                            const struct vkm_instance *instance, VkPhysicalDevice physical,
                            const VkDeviceCreateInfo *info, const struct extensions *extensions) {
  bool khr_on = enables(info, VK_KHR_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
  bool ext_on = enables(info, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
  bool khr = offers(extensions, VK_KHR_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
  bool ext = offers(extensions, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
  if (!khr_on && !ext_on && !instance->properties2) {
    capabilities->no_calibrated_reason = without_properties2;
  } else if (!khr && !ext) {
    capabilities->no_calibrated_reason =
        extensions->out_of_memory ? vkm_memory_was_short
                                  : "the driver offers neither VK_KHR_calibrated_timestamps nor "
                                    "VK_EXT_calibrated_timestamps";
  } else {
    capabilities->calibrated_enabled = khr_on || ext_on;
    capabilities->calibrated_khr = khr_on || (khr && !ext_on);
    capabilities->calibrated_monotonic =
        has_monotonic(instance, physical, capabilities->calibrated_khr);
    if (!capabilities->calibrated_enabled) {
      capabilities->calibrated_extension = capabilities->calibrated_khr
                                               ? VK_KHR_CALIBRATED_TIMESTAMPS_EXTENSION_NAME
                                               : VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME;
    }
    if (!capabilities->calibrated_monotonic) {
      capabilities->no_calibrated_reason = "the driver does not calibrate against CLOCK_MONOTONIC";
    }
  }
}

static bool executables_already_on(const VkDeviceCreateInfo *info) {
  const VkBaseInStructure *features = vkm_chain_find(
      info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
  return features && ((const VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR *)features)
                         ->pipelineExecutableInfo;
}

static bool executables_offered(const struct vkm_instance *instance, VkPhysicalDevice physical) {
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
  return instance->properties2 && read_features(instance, physical, &executables) &&
         executables.pipelineExecutableInfo;
}

/* VK_KHR_pipeline_executable_properties, and where that is not offered VK_AMD_shader_info. */
static void find_statistics(struct vkm_statistics_offer *offer, const struct vkm_instance *instance,
                            VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                            const struct extensions *extensions) {
  static const char khr[] = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
  static const char amd[] = VK_AMD_SHADER_INFO_EXTENSION_NAME;
  bool on = enables(info, khr);
  if (on && executables_already_on(info)) {
    offer->enabled = true;
  } else if ((on || offers(extensions, khr)) && executables_offered(instance, physical)) {
    offer->feature = true;
    offer->extension = on ? NULL : khr;
  } else if (enables(info, amd)) {
    offer->shader_info_enabled = true;
  } else if (!instance->properties2) {
    offer->no_statistics_reason = without_properties2;
  } else if (offers(extensions, amd)) {
    offer->shader_info_extension = amd;
  } else {
    offer->no_statistics_reason =
        extensions->out_of_memory
            ? vkm_memory_was_short
            : "the driver offers neither pipelineExecutableInfo nor VK_AMD_shader_info";
  }
}

static void find_feedback(struct vkm_capabilities *capabilities,
                          const struct vkm_instance *instance, const VkDeviceCreateInfo *info,
                          const struct extensions *extensions) {
  static const char name[] = VK_EXT_PIPELINE_CREATION_FEEDBACK_EXTENSION_NAME;
  struct vkm_statistics_offer *offer = &capabilities->statistics;
  if (capabilities->version >= VK_API_VERSION_1_3 || enables(info, name)) {
    offer->feedback_enabled = true;
  } else if (!instance->properties2) {
    offer->no_feedback_reason = without_properties2;
  } else if (offers(extensions, name)) {
    offer->feedback_extension = name;
  } else {
    offer->no_feedback_reason =
        extensions->out_of_memory
            ? vkm_memory_was_short
            : "the driver offers neither Vulkan 1.3 nor VK_EXT_pipeline_creation_feedback";
  }
}

static void add_nothing(struct vkm_capabilities *capabilities) {
  static const char reason[] = "switched off by the setting ENABLE_FEATURES";
  struct vkm_statistics_offer *offer = &capabilities->statistics;
  if (capabilities->reset_feature) {
    capabilities->reset_feature = false;
    capabilities->reset_extension = NULL;
    capabilities->no_reset_reason = reason;
  }
  if (capabilities->calibrated_extension) {
    capabilities->calibrated_extension = NULL;
    capabilities->no_calibrated_reason = reason;
  }
  if (offer->feature || offer->shader_info_extension) {
    offer->feature = false;
    offer->extension = offer->shader_info_extension = NULL;
    offer->no_statistics_reason = reason;
  }
  if (offer->feedback_extension) {
    offer->feedback_extension = NULL;
    offer->no_feedback_reason = reason;
  }
}

void vkm_capabilities_find(struct vkm_capabilities *capabilities,
                           const struct vkm_instance *instance, VkPhysicalDevice physical,
                           const VkDeviceCreateInfo *info, const struct vkm_wishes *wishes) {
  VkPhysicalDeviceProperties properties;
  *capabilities = (struct vkm_capabilities){0};
  instance->table.GetPhysicalDeviceProperties(physical, &properties);
  capabilities->version =
      properties.apiVersion < instance->api_version ? properties.apiVersion : instance->api_version;
  struct extensions extensions = read_extensions(instance, physical);
  find_reset(capabilities, instance, physical, info, &extensions);
  find_calibrated(capabilities, instance, physical, info, &extensions);
  find_feedback(capabilities, instance, info, &extensions);
  if (wishes->no_statistics_reason) {
    capabilities->statistics.no_statistics_reason = wishes->no_statistics_reason;
  } else {
    find_statistics(&capabilities->statistics, instance, physical, info, &extensions);
  }
  vkm_free(extensions.items);
  if (!wishes->may_add) {
    add_nothing(capabilities);
  }
}

/* ---- facts ---- */

static void describe_driver(struct vkm_device_record *record, const struct vkm_instance *instance,
                            VkPhysicalDevice physical) {
  struct extensions extensions = read_extensions(instance, physical);
  VkPhysicalDeviceDriverProperties driver = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  VkPhysicalDeviceIDProperties id = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {.sType =
                                                VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  PFN_vkGetPhysicalDeviceProperties2 get = instance->api_version >= VK_API_VERSION_1_1
                                               ? instance->table.GetPhysicalDeviceProperties2
                                               : instance->table.GetPhysicalDeviceProperties2KHR;
  record->memory.figures.no_budget_reason =
      !instance->properties2 || !get
          ? "the application's instance is 1.0 without VK_KHR_get_physical_device_properties2"
      : offers(&extensions, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME) ? NULL
      : extensions.out_of_memory                                 ? vkm_memory_was_short
                                 : "the driver does not offer VK_EXT_memory_budget";
  bool has_driver = record->api_version >= VK_API_VERSION_1_2 ||
                    offers(&extensions, VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME);
  record->has_uuid = record->api_version >= VK_API_VERSION_1_1;
  vkm_free(extensions.items);
  if (!instance->properties2 || !get) {
    record->has_uuid = false;
    return;
  }
  if (has_driver) {
    properties.pNext = &driver;
  }
  if (record->has_uuid) {
    id.pNext = properties.pNext;
    properties.pNext = &id;
  }
  get(physical, &properties);
  memcpy(record->device_uuid, id.deviceUUID, sizeof record->device_uuid);
  if (has_driver) {
    record->driver_id = driver.driverID;
    record->driver_name = vkm_strdup(driver.driverName);
    record->driver_info = vkm_strdup(driver.driverInfo);
  }
}

static void describe_memory(struct vkm_device_record *record, const struct vkm_instance *instance,
                            VkPhysicalDevice physical) {
  VkPhysicalDeviceMemoryProperties memory = {0};
  instance->table.GetPhysicalDeviceMemoryProperties(physical, &memory);
  record->heap_count = memory.memoryHeapCount;
  record->memory.heap_count = memory.memoryHeapCount;
  record->memory.type_count = memory.memoryTypeCount;
  memcpy(record->memory.types, memory.memoryTypes, sizeof memory.memoryTypes);
  for (uint32_t i = 0; i < memory.memoryHeapCount; i++) {
    record->heaps[i] = (struct vkm_profile_heap){
        memory.memoryHeaps[i].size, memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  }
}

static void describe_families(struct vkm_device_record *record, const struct vkm_instance *instance,
                              VkPhysicalDevice physical) {
  VkQueueFamilyProperties families[VKM_FAMILY_CAP];
  uint32_t count = 0;
  /* Asked first without an array: a driver was seen that fills as many as asked and does not clamp.
   */
  instance->table.GetPhysicalDeviceQueueFamilyProperties(physical, &count, NULL);
  count = count < VKM_FAMILY_CAP ? count : VKM_FAMILY_CAP;
  instance->table.GetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
  record->family_count = count;
  for (uint32_t i = 0; i < count; i++) {
    record->families[i] = (struct vkm_profile_family){
        families[i].queueFlags, families[i].timestampValidBits, families[i].queueCount};
    if (vkm_tick_clock_usable(record->timestamp_period_ns, families[i].timestampValidBits)) {
      record->clocks[i] =
          vkm_tick_clock_of(record->timestamp_period_ns, families[i].timestampValidBits);
    }
  }
}

/* Drivers that compute on the CPU, also behind a virtual device: Mesa's Venus passes on the name of
 * the host's. */
static bool is_software(const struct vkm_device_record *record) {
  static const char *const names[] = {"llvmpipe", "SwiftShader"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (record->name && strstr(record->name, names[i]) != NULL) {
      return true;
    }
  }
  return record->device_type == VK_PHYSICAL_DEVICE_TYPE_CPU ||
         record->driver_id == VK_DRIVER_ID_MESA_LLVMPIPE ||
         record->driver_id == VK_DRIVER_ID_GOOGLE_SWIFTSHADER;
}

void vkm_capabilities_describe(struct vkm_device_record *record,
                               const struct vkm_instance *instance, VkPhysicalDevice physical) {
  VkPhysicalDeviceProperties properties;
  instance->table.GetPhysicalDeviceProperties(physical, &properties);
  record->name = vkm_strdup(properties.deviceName);
  record->driver_version = properties.driverVersion;
  record->api_version = properties.apiVersion;
  record->vendor_id = properties.vendorID;
  record->device_id = properties.deviceID;
  record->device_type = properties.deviceType;
  record->timestamp_period_ns = properties.limits.timestampPeriod;
  describe_driver(record, instance, physical);
  describe_memory(record, instance, physical);
  describe_families(record, instance, physical);
  record->software = is_software(record);
}

bool vkm_driver_reads_wait(const struct vkm_device_record *record) {
  /* Mesa's lavapipe, by name where the driver's id cannot be asked for. */
  return record->driver_id == VK_DRIVER_ID_MESA_LLVMPIPE ||
         (record->driver_id == 0 && record->name && strstr(record->name, "llvmpipe") != NULL);
}
