// Deep hashes of what the driver receives, for the proof that it arrived unchanged.
//
// In: submit and create structures. Out: one number over bytes, arrays and chains.
#include "internal.h"

#include <string.h>

static uint64_t add(uint64_t hash, const void *data, size_t size) {
  const uint8_t *bytes = data;
  for (size_t i = 0; i < size; i++) {
    hash = (hash ^ bytes[i]) * 0x100000001b3ULL;
  }
  return hash;
}

static uint64_t add_array(uint64_t hash, const void *data, size_t count, size_t size) {
  hash = add(hash, &count, sizeof count);
  return data != NULL ? add(hash, data, count * size) : hash;
}

// 0: unknown; then only the header is hashed.
static size_t size_of(VkStructureType type) {
  switch (type) {
  case VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO:
    return sizeof(VkTimelineSemaphoreSubmitInfo);
  case VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO:
    return sizeof(VkDeviceGroupSubmitInfo);
  case VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO:
    return sizeof(VkProtectedSubmitInfo);
  case VK_STRUCTURE_TYPE_PERFORMANCE_QUERY_SUBMIT_INFO_KHR:
    return sizeof(VkPerformanceQuerySubmitInfoKHR);
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2:
    return sizeof(VkPhysicalDeviceFeatures2);
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES:
    return sizeof(VkPhysicalDeviceVulkan11Features);
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES:
    return sizeof(VkPhysicalDeviceVulkan12Features);
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES:
    return sizeof(VkPhysicalDeviceVulkan13Features);
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES:
    return sizeof(VkPhysicalDeviceHostQueryResetFeatures);
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES:
    return sizeof(VkPhysicalDeviceSynchronization2Features);
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES:
    return sizeof(VkPhysicalDeviceTimelineSemaphoreFeatures);
  default:
    return sizeof(VkBaseInStructure);
  }
}

static uint64_t add_chain(uint64_t hash, const void *chain) {
  for (const VkBaseInStructure *node = chain; node != NULL; node = node->pNext) {
    hash = add(hash, node, size_of(node->sType));
    if (node->sType == VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO) {
      const VkTimelineSemaphoreSubmitInfo *values = (const void *)node;
      hash = add_array(hash, values->pWaitSemaphoreValues, values->waitSemaphoreValueCount, 8);
      hash = add_array(hash, values->pSignalSemaphoreValues, values->signalSemaphoreValueCount, 8);
    }
  }
  return hash;
}

static const uint64_t seed = 0xcbf29ce484222325ULL;

uint64_t fake_hash_submits(const VkSubmitInfo *submits, uint32_t count) {
  uint64_t hash = add_array(seed, submits, count, sizeof *submits);
  for (uint32_t i = 0; i < count; i++) {
    const VkSubmitInfo *submit = &submits[i];
    hash = add_chain(hash, submit->pNext);
    hash = add_array(hash, submit->pWaitSemaphores, submit->waitSemaphoreCount,
                     sizeof *submit->pWaitSemaphores);
    hash = add_array(hash, submit->pWaitDstStageMask, submit->waitSemaphoreCount,
                     sizeof *submit->pWaitDstStageMask);
    hash = add_array(hash, submit->pCommandBuffers, submit->commandBufferCount,
                     sizeof *submit->pCommandBuffers);
    hash = add_array(hash, submit->pSignalSemaphores, submit->signalSemaphoreCount,
                     sizeof *submit->pSignalSemaphores);
  }
  return hash;
}

uint64_t fake_hash_submits2(const VkSubmitInfo2 *submits, uint32_t count) {
  uint64_t hash = add_array(seed, submits, count, sizeof *submits);
  for (uint32_t i = 0; i < count; i++) {
    const VkSubmitInfo2 *submit = &submits[i];
    hash = add_chain(hash, submit->pNext);
    hash = add_array(hash, submit->pWaitSemaphoreInfos, submit->waitSemaphoreInfoCount,
                     sizeof *submit->pWaitSemaphoreInfos);
    hash = add_array(hash, submit->pCommandBufferInfos, submit->commandBufferInfoCount,
                     sizeof *submit->pCommandBufferInfos);
    hash = add_array(hash, submit->pSignalSemaphoreInfos, submit->signalSemaphoreInfoCount,
                     sizeof *submit->pSignalSemaphoreInfos);
    for (uint32_t j = 0; j < submit->commandBufferInfoCount; j++) {
      hash = add_chain(hash, submit->pCommandBufferInfos[j].pNext);
    }
  }
  return hash;
}

uint64_t fake_hash_device_info(const VkDeviceCreateInfo *info) {
  uint64_t hash = add(seed, info, sizeof *info);
  hash = add_chain(hash, info->pNext);
  for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
    const char *name = info->ppEnabledExtensionNames[i];
    hash = add(hash, name, strlen(name) + 1);
  }
  for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
    const VkDeviceQueueCreateInfo *queue = &info->pQueueCreateInfos[i];
    hash = add(hash, queue, sizeof *queue);
    hash = add_chain(hash, queue->pNext);
    hash = add_array(hash, queue->pQueuePriorities, queue->queueCount, sizeof(float));
  }
  return info->pEnabledFeatures != NULL
             ? add(hash, info->pEnabledFeatures, sizeof *info->pEnabledFeatures)
             : hash;
}
