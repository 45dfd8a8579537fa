// Devices and their queues: creation with its checks, destruction with its checks.
//
// In: VkDeviceCreateInfo. Out: VkDevice, VkQueue, one logged attempt a call. Next room: queue.c.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static bool chained(const VkDeviceCreateInfo *info, VkStructureType type) {
  for (const VkBaseInStructure *node = info->pNext; node != NULL; node = node->pNext) {
    if (node->sType == type) {
      return true;
    }
  }
  return false;
}

static void check_duplicates(const VkDeviceCreateInfo *info) {
  for (const VkBaseInStructure *node = info->pNext; node != NULL; node = node->pNext) {
    for (const VkBaseInStructure *later = node->pNext; later != NULL; later = later->pNext) {
      // The loader adds its own structures of these types, one for each layer.
      if (later->sType == node->sType &&
          node->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO &&
          node->sType != VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO) {
        fake_violate("vkCreateDevice: sType %d chained twice", (int)node->sType);
      }
    }
  }
}

struct mixture {
  VkStructureType whole, part;
};

static void check_mixtures(const VkDeviceCreateInfo *info) {
  static const struct mixture mixtures[] = {
      {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES},
      {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES},
      {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES},
      {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES},
      {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES},
      {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES},
      {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES},
      {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES},
      {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES},
  };
  for (size_t i = 0; i < sizeof mixtures / sizeof mixtures[0]; i++) {
    if (chained(info, mixtures[i].whole) && chained(info, mixtures[i].part)) {
      fake_violate("vkCreateDevice: sType %d mixed with sType %d", (int)mixtures[i].whole,
                   (int)mixtures[i].part);
    }
  }
  if (info->pEnabledFeatures != NULL &&
      chained(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)) {
    fake_violate("vkCreateDevice: pEnabledFeatures mixed with VkPhysicalDeviceFeatures2");
  }
}

static VkResult take_extensions(struct fake_device *device, const VkDeviceCreateInfo *info) {
  const struct fake_config *config = fake_settings();
  for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
    const char *name = info->ppEnabledExtensionNames[i];
    uint64_t bit = fake_extension_bit(name);
    if ((bit & fake_offered('d')) == 0) {
      return VK_ERROR_EXTENSION_NOT_PRESENT;
    }
    if (fake_listed(config->refuse_extensions, name)) {
      return config->refuse_result;
    }
    if ((device->extensions & bit) != 0) {
      fake_violate("vkCreateDevice: %s listed twice", name);
    }
    device->extensions |= bit;
  }
  return VK_SUCCESS;
}

static bool offers(const struct fake_asked *asked) {
  const struct fake_config *config = fake_settings();
  return (!asked->host_query_reset || config->host_query_reset != 0) &&
         (!asked->executable_info || config->pipeline_executable_info != 0) &&
         (!asked->synchronization2 || config->synchronization2 != 0) &&
         (!asked->timeline_semaphore || config->timeline_semaphore != 0);
}

static bool refuses(const struct fake_asked *asked) {
  const char *list = fake_settings()->refuse_features;
  return (asked->host_query_reset && fake_listed(list, "hostQueryReset")) ||
         (asked->executable_info && fake_listed(list, "pipelineExecutableInfo"));
}

static VkResult take_features(struct fake_device *device, const VkDeviceCreateInfo *info) {
  struct fake_asked asked = fake_asked_features(info);
  if (!offers(&asked)) {
    return VK_ERROR_FEATURE_NOT_PRESENT;
  }
  if (refuses(&asked)) {
    return fake_settings()->refuse_result;
  }
  uint64_t bits = device->extensions;
  if (asked.host_query_reset && device->api < VK_API_VERSION_1_2 &&
      (bits & FAKE_BIT(FAKE_EXT_host_query_reset)) == 0) {
    fake_violate("vkCreateDevice: hostQueryReset without core 1.2 or VK_EXT_host_query_reset");
  }
  if (asked.executable_info && (bits & FAKE_BIT(FAKE_KHR_pipeline_executable_properties)) == 0) {
    fake_violate("vkCreateDevice: pipelineExecutableInfo without its extension");
  }
  device->host_query_reset = asked.host_query_reset;
  device->executable_info = asked.executable_info;
  device->synchronization2 = asked.synchronization2;
  device->timeline_semaphore = asked.timeline_semaphore;
  return VK_SUCCESS;
}

static VkResult take_queues(struct fake_device *device, const VkDeviceCreateInfo *info) {
  const struct fake_config *config = fake_settings();
  uint32_t count = 0;
  for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
    const VkDeviceQueueCreateInfo *queue = &info->pQueueCreateInfos[i];
    if (queue->queueFamilyIndex >= config->family_count ||
        queue->queueCount > config->families[queue->queueFamilyIndex].queue_count) {
      fake_violate("vkCreateDevice: more queues than the family has");
      return VK_ERROR_INITIALIZATION_FAILED;
    }
    count += queue->queueCount;
  }
  device->queues = calloc(count > 0 ? count : 1, sizeof *device->queues);
  if (device->queues == NULL) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
    const VkDeviceQueueCreateInfo *wanted = &info->pQueueCreateInfos[i];
    for (uint32_t index = 0; index < wanted->queueCount; index++) {
      struct fake_queue *queue = &device->queues[device->queue_count++];
      queue->key = fake_key(device);
      queue->device = device;
      queue->family = wanted->queueFamilyIndex;
      queue->index = index;
      queue->flags = wanted->flags;
    }
  }
  return VK_SUCCESS;
}

static VkResult create(struct fake_physical *physical, const VkDeviceCreateInfo *info,
                       struct fake_device *device) {
  struct fake_instance *instance = physical->instance;
  uint32_t api = fake_settings()->api_version;
  device->instance = instance;
  device->physical = physical;
  device->api = api < instance->api ? api : instance->api;
  device->instance_extensions = instance->extensions;
  device->key = fake_key(device);
  check_duplicates(info);
  check_mixtures(info);
  VkResult result = take_extensions(device, info);
  result = result == VK_SUCCESS ? take_features(device, info) : result;
  return result == VK_SUCCESS ? take_queues(device, info) : result;
}

VkResult fake_vkCreateDevice(VkPhysicalDevice handle, const VkDeviceCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkDevice *out) {
  (void)allocator;
  VkResult result = fake_enter("vkCreateDevice");
  struct fake_device *device = calloc(1, sizeof *device);
  if (device == NULL) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  if (result == VK_SUCCESS) {
    result = create((struct fake_physical *)handle, info, device);
  }
  fake_log_attempt(info, result);
  if (result != VK_SUCCESS) {
    free(device->queues);
    free(device);
    return result;
  }
  pthread_mutex_lock(&fake_mutex);
  device->next = fake_devices;
  fake_devices = device;
  pthread_mutex_unlock(&fake_mutex);
  *out = (VkDevice)device;
  return VK_SUCCESS;
}

static void unlink_device(struct fake_device *device) {
  struct fake_device **link = &fake_devices;
  while (*link != device) {
    link = &(*link)->next;
  }
  *link = device->next;
}

void fake_vkDestroyDevice(VkDevice handle, const VkAllocationCallbacks *allocator) {
  (void)allocator;
  struct fake_device *device = (struct fake_device *)handle;
  if (device == NULL) {
    return;
  }
  fake_enter("vkDestroyDevice");
  pthread_mutex_lock(&fake_mutex);
  if (!fake_device_idle_locked(device)) {
    fake_violate("vkDestroyDevice while submissions are pending");
  }
  unlink_device(device);
  device->worker_stops = true;
  pthread_cond_broadcast(&fake_changed);
  pthread_mutex_unlock(&fake_mutex);
  if (device->worker_runs) {
    pthread_join(device->worker, NULL);
  }
  fake_objects_report(device);
  fake_nodes_drop(device);
  fake_queries_free_dead(device);
  fake_spare_buffers_free(device);
  free(device->queues);
  free(device);
}

static VkQueue find_queue(VkDevice handle, uint32_t family, uint32_t index,
                          VkDeviceQueueCreateFlags flags, bool any_flags) {
  struct fake_device *device = (struct fake_device *)handle;
  for (uint32_t i = 0; i < device->queue_count; i++) {
    struct fake_queue *queue = &device->queues[i];
    if (queue->family == family && queue->index == index && (any_flags || queue->flags == flags)) {
      return (VkQueue)queue;
    }
  }
  return NULL;
}

void fake_vkGetDeviceQueue(VkDevice device, uint32_t family, uint32_t index, VkQueue *out) {
  *out = find_queue(device, family, index, 0, fake_settings()->null_flagged_queues == 0);
  if (find_queue(device, family, index, 0, false) == NULL) {
    fake_violate("vkGetDeviceQueue of a queue created with flags, or not at all");
  }
}

void fake_vkGetDeviceQueue2(VkDevice device, const VkDeviceQueueInfo2 *info, VkQueue *out) {
  *out = find_queue(device, info->queueFamilyIndex, info->queueIndex, info->flags, false);
  if (*out == NULL) {
    fake_violate("vkGetDeviceQueue2 of a queue that was not created so");
  }
}

void fake_vkGetDeviceGroupPeerMemoryFeatures(VkDevice device, uint32_t heap, uint32_t local,
                                             uint32_t remote, VkPeerMemoryFeatureFlags *out) {
  (void)device;
  (void)heap;
  (void)local;
  (void)remote;
  *out = VK_PEER_MEMORY_FEATURE_COPY_SRC_BIT | VK_PEER_MEMORY_FEATURE_COPY_DST_BIT;
}
