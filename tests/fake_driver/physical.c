// The rest of the physical device: queue families, memory, formats, external handles, tools.
//
// In: the configuration. Out: filled structures.
#include "internal.h"

#include <string.h>

static VkQueueFamilyProperties family_properties(uint32_t index) {
  const struct fake_family *family = &fake_settings()->families[index];
  return (VkQueueFamilyProperties){.queueFlags = family->flags,
                                   .queueCount = family->queue_count,
                                   .timestampValidBits = family->valid_bits,
                                   .minImageTransferGranularity = {1, 1, 1}};
}

void fake_vkGetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice physical, uint32_t *count,
                                                   VkQueueFamilyProperties *out) {
  (void)physical;
  uint32_t total = fake_settings()->family_count;
  *count = out == NULL || *count > total ? total : *count;
  for (uint32_t i = 0; out != NULL && i < *count; i++) {
    out[i] = family_properties(i);
  }
}

void fake_vkGetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice physical, uint32_t *count,
                                                    VkQueueFamilyProperties2 *out) {
  (void)physical;
  uint32_t total = fake_settings()->family_count;
  *count = out == NULL || *count > total ? total : *count;
  for (uint32_t i = 0; out != NULL && i < *count; i++) {
    out[i].queueFamilyProperties = family_properties(i);
  }
}

void fake_vkGetPhysicalDeviceMemoryProperties(VkPhysicalDevice physical,
                                              VkPhysicalDeviceMemoryProperties *out) {
  (void)physical;
  const VkMemoryPropertyFlags host =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  memset(out, 0, sizeof *out);
  out->memoryHeapCount = 2;
  out->memoryHeaps[0] = (VkMemoryHeap){4ULL << 30, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  out->memoryHeaps[1] = (VkMemoryHeap){4ULL << 30, 0};
  out->memoryTypeCount = 5;
  out->memoryTypes[0] = (VkMemoryType){VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0};
  out->memoryTypes[1] = (VkMemoryType){host, 1};
  out->memoryTypes[2] = (VkMemoryType){host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, 1};
  out->memoryTypes[3] = (VkMemoryType){host | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0};
  out->memoryTypes[4] = (VkMemoryType){
      VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT, 0};
}

void fake_vkGetPhysicalDeviceMemoryProperties2(VkPhysicalDevice physical,
                                               VkPhysicalDeviceMemoryProperties2 *out) {
  for (VkBaseOutStructure *node = out->pNext; node != NULL; node = node->pNext) {
    if (node->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT) {
      VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget = (void *)node;
      memset(budget->heapBudget, 0, sizeof budget->heapBudget);
      memset(budget->heapUsage, 0, sizeof budget->heapUsage);
      for (uint32_t i = 0; i < 2; i++) {
        budget->heapBudget[i] = fake_settings()->budget + i;
        budget->heapUsage[i] = fake_settings()->usage + i;
      }
    }
  }
  fake_vkGetPhysicalDeviceMemoryProperties(physical, &out->memoryProperties);
}

void fake_vkGetPhysicalDeviceFormatProperties(VkPhysicalDevice physical, VkFormat format,
                                              VkFormatProperties *out) {
  (void)physical;
  const VkFormatFeatureFlags all =
      VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT |
      VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_BLIT_SRC_BIT |
      VK_FORMAT_FEATURE_BLIT_DST_BIT | VK_FORMAT_FEATURE_TRANSFER_SRC_BIT |
      VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
  const VkFormatFeatureFlags buffer = VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT |
                                      VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT |
                                      VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT;
  bool color = format >= VK_FORMAT_R8_UNORM && format <= VK_FORMAT_R64G64B64A64_SFLOAT;
  *out = color ? (VkFormatProperties){all, all, buffer} : (VkFormatProperties){0, 0, 0};
}

void fake_vkGetPhysicalDeviceFormatProperties2(VkPhysicalDevice physical, VkFormat format,
                                               VkFormatProperties2 *out) {
  fake_vkGetPhysicalDeviceFormatProperties(physical, format, &out->formatProperties);
}

VkResult fake_vkGetPhysicalDeviceImageFormatProperties(VkPhysicalDevice physical, VkFormat format,
                                                       VkImageType type, VkImageTiling tiling,
                                                       VkImageUsageFlags usage,
                                                       VkImageCreateFlags flags,
                                                       VkImageFormatProperties *out) {
  (void)tiling;
  (void)usage;
  VkFormatProperties formats;
  fake_vkGetPhysicalDeviceFormatProperties(physical, format, &formats);
  bool sparse = (flags & VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT) != 0;
  memset(out, 0, sizeof *out);
  if (formats.optimalTilingFeatures == 0 || sparse) {
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  }
  uint32_t depth = type == VK_IMAGE_TYPE_3D ? 2048 : 1;
  uint32_t height = type == VK_IMAGE_TYPE_1D ? 1 : 16384;
  out->maxExtent = (VkExtent3D){depth > 1 ? 2048 : 16384, depth > 1 ? 2048 : height, depth};
  out->maxMipLevels = 15;
  out->maxArrayLayers = depth > 1 ? 1 : 2048;
  out->sampleCounts = VK_SAMPLE_COUNT_1_BIT;
  out->maxResourceSize = 1ULL << 31;
  return VK_SUCCESS;
}

VkResult
fake_vkGetPhysicalDeviceImageFormatProperties2(VkPhysicalDevice physical,
                                               const VkPhysicalDeviceImageFormatInfo2 *info,
                                               VkImageFormatProperties2 *out) {
  return fake_vkGetPhysicalDeviceImageFormatProperties(physical, info->format, info->type,
                                                       info->tiling, info->usage, info->flags,
                                                       &out->imageFormatProperties);
}

void fake_vkGetPhysicalDeviceSparseImageFormatProperties(VkPhysicalDevice physical, VkFormat format,
                                                         VkImageType type,
                                                         VkSampleCountFlagBits samples,
                                                         VkImageUsageFlags usage,
                                                         VkImageTiling tiling, uint32_t *count,
                                                         VkSparseImageFormatProperties *out) {
  (void)physical;
  (void)format;
  (void)type;
  (void)samples;
  (void)usage;
  (void)tiling;
  (void)out;
  *count = 0;
}

void fake_vkGetPhysicalDeviceSparseImageFormatProperties2(
    VkPhysicalDevice physical, const VkPhysicalDeviceSparseImageFormatInfo2 *info, uint32_t *count,
    VkSparseImageFormatProperties2 *out) {
  (void)physical;
  (void)info;
  (void)out;
  *count = 0;
}

void fake_vkGetPhysicalDeviceExternalBufferProperties(
    VkPhysicalDevice physical, const VkPhysicalDeviceExternalBufferInfo *info,
    VkExternalBufferProperties *out) {
  (void)physical;
  (void)info;
  memset(&out->externalMemoryProperties, 0, sizeof out->externalMemoryProperties);
}

void fake_vkGetPhysicalDeviceExternalFenceProperties(VkPhysicalDevice physical,
                                                     const VkPhysicalDeviceExternalFenceInfo *info,
                                                     VkExternalFenceProperties *out) {
  (void)physical;
  (void)info;
  out->exportFromImportedHandleTypes = out->compatibleHandleTypes = 0;
  out->externalFenceFeatures = 0;
}

void fake_vkGetPhysicalDeviceExternalSemaphoreProperties(
    VkPhysicalDevice physical, const VkPhysicalDeviceExternalSemaphoreInfo *info,
    VkExternalSemaphoreProperties *out) {
  (void)physical;
  (void)info;
  out->exportFromImportedHandleTypes = out->compatibleHandleTypes = 0;
  out->externalSemaphoreFeatures = 0;
}

VkResult fake_vkGetPhysicalDeviceToolProperties(VkPhysicalDevice physical, uint32_t *count,
                                                VkPhysicalDeviceToolProperties *out) {
  (void)physical;
  (void)out;
  *count = 0;
  return VK_SUCCESS;
}
