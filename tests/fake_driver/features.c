// Features: what the device offers, and what an application asked for.
//
// In: pNext chains. Out: filled structures; the switches that later commands are checked against.
#include "internal.h"

#include <string.h>

#define ON(field) features->field = VK_TRUE
// Everything behind sType and pNext.
#define CLEAR(structure)                                                                           \
  memset((uint8_t *)(structure) + sizeof(VkBaseOutStructure), 0,                                   \
         sizeof *(structure) - sizeof(VkBaseOutStructure))

void fake_fill_features(VkPhysicalDeviceFeatures *features) {
  memset(features, 0, sizeof *features);
  ON(robustBufferAccess);
  ON(fullDrawIndexUint32);
  ON(independentBlend);
  ON(multiDrawIndirect);
  ON(drawIndirectFirstInstance);
  ON(occlusionQueryPrecise);
  ON(pipelineStatisticsQuery);
  ON(vertexPipelineStoresAndAtomics);
  ON(fragmentStoresAndAtomics);
  ON(shaderStorageImageExtendedFormats);
  ON(shaderUniformBufferArrayDynamicIndexing);
  ON(shaderSampledImageArrayDynamicIndexing);
  ON(shaderStorageBufferArrayDynamicIndexing);
  ON(shaderStorageImageArrayDynamicIndexing);
  ON(shaderFloat64);
  ON(shaderInt64);
  ON(shaderInt16);
  ON(sparseBinding);
  ON(inheritedQueries);
}

static void features_11(VkPhysicalDeviceVulkan11Features *features) {
  const struct fake_config *config = fake_settings();
  CLEAR(features);
  ON(storageBuffer16BitAccess);
  ON(uniformAndStorageBuffer16BitAccess);
  ON(variablePointersStorageBuffer);
  ON(variablePointers);
  ON(multiview);
  features->protectedMemory = config->protected_memory != 0;
}

static void features_12(VkPhysicalDeviceVulkan12Features *features) {
  const struct fake_config *config = fake_settings();
  CLEAR(features);
  ON(storageBuffer8BitAccess);
  ON(uniformAndStorageBuffer8BitAccess);
  ON(shaderFloat16);
  ON(shaderInt8);
  ON(scalarBlockLayout);
  ON(uniformBufferStandardLayout);
  ON(bufferDeviceAddress);
  ON(vulkanMemoryModel);
  ON(vulkanMemoryModelDeviceScope);
  ON(shaderSubgroupExtendedTypes);
  ON(separateDepthStencilLayouts);
  ON(imagelessFramebuffer);
  features->hostQueryReset = config->host_query_reset != 0;
  features->timelineSemaphore = config->timeline_semaphore != 0;
}

static void features_13(VkPhysicalDeviceVulkan13Features *features) {
  const struct fake_config *config = fake_settings();
  CLEAR(features);
  ON(pipelineCreationCacheControl);
  ON(privateData);
  ON(subgroupSizeControl);
  ON(computeFullSubgroups);
  ON(dynamicRendering);
  ON(shaderZeroInitializeWorkgroupMemory);
  features->synchronization2 = config->synchronization2 != 0;
  features->maintenance4 = config->maintenance4 != 0;
}

// Structures that are one VkBool32 whose value is one number of the configuration.
static bool fill_single(VkBaseOutStructure *node) {
  const struct fake_config *config = fake_settings();
  uint32_t value = 1;
  switch ((uint32_t)node->sType) {
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES:
    value = config->host_query_reset;
    break;
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES:
    value = config->timeline_semaphore;
    break;
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES:
    value = config->synchronization2;
    break;
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES:
    value = config->maintenance4;
    break;
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES:
    value = config->maintenance5;
    break;
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR:
    value = config->pipeline_executable_info;
    break;
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES:
    value = config->protected_memory;
    break;
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT:
    value = config->rare_extensions;
    break;
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES:
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES:
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES:
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES:
    break;
  default:
    return false;
  }
  ((VkPhysicalDeviceHostQueryResetFeatures *)node)->hostQueryReset = value != 0;
  return true;
}

static void fill_multiple(VkBaseOutStructure *node) {
  switch ((uint32_t)node->sType) {
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES: {
    VkPhysicalDeviceSubgroupSizeControlFeatures *features = (void *)node;
    CLEAR(features);
    ON(subgroupSizeControl);
    ON(computeFullSubgroups);
    break;
  }
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES: {
    VkPhysicalDeviceBufferDeviceAddressFeatures *features = (void *)node;
    CLEAR(features);
    ON(bufferDeviceAddress);
    break;
  }
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES: {
    VkPhysicalDevice16BitStorageFeatures *features = (void *)node;
    CLEAR(features);
    ON(storageBuffer16BitAccess);
    ON(uniformAndStorageBuffer16BitAccess);
    break;
  }
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES: {
    VkPhysicalDevice8BitStorageFeatures *features = (void *)node;
    CLEAR(features);
    ON(storageBuffer8BitAccess);
    ON(uniformAndStorageBuffer8BitAccess);
    break;
  }
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES: {
    VkPhysicalDeviceShaderFloat16Int8Features *features = (void *)node;
    CLEAR(features);
    ON(shaderFloat16);
    ON(shaderInt8);
    break;
  }
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT: {
    VkPhysicalDeviceConditionalRenderingFeaturesEXT *features = (void *)node;
    CLEAR(features);
    ON(conditionalRendering);
    ON(inheritedConditionalRendering);
    break;
  }
  default:
    break;
  }
}

void fake_vkGetPhysicalDeviceFeatures(VkPhysicalDevice physical, VkPhysicalDeviceFeatures *out) {
  (void)physical;
  fake_fill_features(out);
}

void fake_vkGetPhysicalDeviceFeatures2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *out) {
  (void)physical;
  fake_fill_features(&out->features);
  for (VkBaseOutStructure *node = out->pNext; node != NULL; node = node->pNext) {
    switch (node->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES:
      features_11((void *)node);
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES:
      features_12((void *)node);
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES:
      features_13((void *)node);
      break;
    default:
      if (!fill_single(node)) {
        fill_multiple(node);
      }
      break;
    }
  }
}

struct fake_asked fake_asked_features(const VkDeviceCreateInfo *info) {
  struct fake_asked asked = {0};
  for (const VkBaseInStructure *node = info->pNext; node != NULL; node = node->pNext) {
    switch ((uint32_t)node->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES: {
      const VkPhysicalDeviceVulkan12Features *features = (const void *)node;
      asked.host_query_reset |= features->hostQueryReset != 0;
      asked.timeline_semaphore |= features->timelineSemaphore != 0;
      break;
    }
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES:
      asked.synchronization2 |=
          ((const VkPhysicalDeviceVulkan13Features *)node)->synchronization2 != 0;
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES:
      asked.host_query_reset |=
          ((const VkPhysicalDeviceHostQueryResetFeatures *)node)->hostQueryReset != 0;
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES:
      asked.timeline_semaphore |=
          ((const VkPhysicalDeviceTimelineSemaphoreFeatures *)node)->timelineSemaphore != 0;
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES:
      asked.synchronization2 |=
          ((const VkPhysicalDeviceSynchronization2Features *)node)->synchronization2 != 0;
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR:
      asked.executable_info |=
          ((const VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR *)node)
              ->pipelineExecutableInfo != 0;
      break;
    default:
      break;
    }
  }
  return asked;
}
