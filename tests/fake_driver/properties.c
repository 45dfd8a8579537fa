// Properties and limits of the physical device: identity, families, memory, formats.
//
// In: the configuration. Out: filled structures.
#include "internal.h"

#include <string.h>

static void fill_limits_of_resources(VkPhysicalDeviceLimits *limits) {
  limits->maxImageDimension1D = limits->maxImageDimension2D = 16384;
  limits->maxImageDimension3D = 2048;
  limits->maxImageDimensionCube = 16384;
  limits->maxImageArrayLayers = 2048;
  limits->maxTexelBufferElements = 1U << 27;
  limits->maxUniformBufferRange = 1U << 16;
  limits->maxStorageBufferRange = 1U << 30;
  limits->maxPushConstantsSize = 256;
  limits->maxMemoryAllocationCount = 1U << 20;
  limits->maxSamplerAllocationCount = 1U << 16;
  limits->bufferImageGranularity = 64;
  limits->sparseAddressSpaceSize = 1ULL << 40;
  limits->maxBoundDescriptorSets = 8;
  limits->maxPerStageDescriptorSamplers = 1024;
  limits->maxPerStageDescriptorUniformBuffers = 1024;
  limits->maxPerStageDescriptorStorageBuffers = 1024;
  limits->maxPerStageDescriptorSampledImages = 1024;
  limits->maxPerStageDescriptorStorageImages = 1024;
  limits->maxPerStageDescriptorInputAttachments = 1024;
  limits->maxPerStageResources = 4096;
  limits->maxDescriptorSetSamplers = 4096;
  limits->maxDescriptorSetUniformBuffers = 4096;
  limits->maxDescriptorSetUniformBuffersDynamic = 16;
  limits->maxDescriptorSetStorageBuffers = 4096;
  limits->maxDescriptorSetStorageBuffersDynamic = 16;
  limits->maxDescriptorSetSampledImages = 4096;
  limits->maxDescriptorSetStorageImages = 4096;
  limits->maxDescriptorSetInputAttachments = 4096;
  limits->minMemoryMapAlignment = 64;
  limits->minTexelBufferOffsetAlignment = 16;
  limits->minUniformBufferOffsetAlignment = 16;
  limits->minStorageBufferOffsetAlignment = 16;
  limits->optimalBufferCopyOffsetAlignment = 4;
  limits->optimalBufferCopyRowPitchAlignment = 4;
  limits->nonCoherentAtomSize = 64;
}

static void fill_limits_of_compute(VkPhysicalDeviceLimits *limits) {
  limits->maxComputeSharedMemorySize = 65536;
  limits->maxComputeWorkGroupInvocations = 1024;
  for (int i = 0; i < 3; i++) {
    limits->maxComputeWorkGroupCount[i] = i == 0 ? 0x7fffffff : 65535;
    limits->maxComputeWorkGroupSize[i] = i == 2 ? 64 : 1024;
  }
  const struct fake_config *config = fake_settings();
  limits->timestampPeriod = config->period;
  limits->timestampComputeAndGraphics = VK_TRUE;
  for (uint32_t i = 0; i < config->family_count; i++) {
    if ((config->families[i].flags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT)) != 0 &&
        config->families[i].valid_bits == 0) {
      limits->timestampComputeAndGraphics = VK_FALSE;
    }
  }
}

static void fill_limits_of_vertices(VkPhysicalDeviceLimits *limits) {
  limits->maxVertexInputAttributes = 32;
  limits->maxVertexInputBindings = 32;
  limits->maxVertexInputAttributeOffset = 2047;
  limits->maxVertexInputBindingStride = 2048;
  limits->maxVertexOutputComponents = 128;
  limits->maxTessellationGenerationLevel = 64;
  limits->maxTessellationPatchSize = 32;
  limits->maxTessellationControlPerVertexInputComponents = 128;
  limits->maxTessellationControlPerVertexOutputComponents = 128;
  limits->maxTessellationControlPerPatchOutputComponents = 120;
  limits->maxTessellationControlTotalOutputComponents = 4096;
  limits->maxTessellationEvaluationInputComponents = 128;
  limits->maxTessellationEvaluationOutputComponents = 128;
  limits->maxGeometryShaderInvocations = 32;
  limits->maxGeometryInputComponents = 128;
  limits->maxGeometryOutputComponents = 128;
  limits->maxGeometryOutputVertices = 256;
  limits->maxGeometryTotalOutputComponents = 1024;
  limits->maxDrawIndexedIndexValue = 0xffffffff;
  limits->maxDrawIndirectCount = 0xffffffff;
  limits->maxClipDistances = limits->maxCullDistances = 8;
  limits->maxCombinedClipAndCullDistances = 8;
}

static void fill_limits_of_pixels(VkPhysicalDeviceLimits *limits) {
  const VkSampleCountFlags samples = VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_4_BIT;
  limits->maxFragmentInputComponents = 128;
  limits->maxFragmentOutputAttachments = 8;
  limits->maxFragmentDualSrcAttachments = 1;
  limits->maxFragmentCombinedOutputResources = 1024;
  limits->subPixelPrecisionBits = limits->subTexelPrecisionBits = limits->mipmapPrecisionBits = 8;
  limits->maxSamplerLodBias = 16.0F;
  limits->maxSamplerAnisotropy = 1.0F;
  limits->maxViewports = 16;
  limits->maxViewportDimensions[0] = limits->maxViewportDimensions[1] = 16384;
  limits->viewportBoundsRange[0] = -32768.0F;
  limits->viewportBoundsRange[1] = 32768.0F;
  limits->minTexelOffset = -8;
  limits->maxTexelOffset = 7;
  limits->minTexelGatherOffset = -8;
  limits->maxTexelGatherOffset = 7;
  limits->minInterpolationOffset = -0.5F;
  limits->maxInterpolationOffset = 0.5F;
  limits->subPixelInterpolationOffsetBits = 4;
  limits->maxFramebufferWidth = limits->maxFramebufferHeight = 16384;
  limits->maxFramebufferLayers = 1024;
  limits->framebufferColorSampleCounts = limits->framebufferDepthSampleCounts = samples;
  limits->framebufferStencilSampleCounts = samples;
  limits->framebufferNoAttachmentsSampleCounts = samples;
  limits->maxColorAttachments = 8;
  limits->sampledImageColorSampleCounts = limits->sampledImageIntegerSampleCounts = samples;
  limits->sampledImageDepthSampleCounts = limits->sampledImageStencilSampleCounts = samples;
  limits->storageImageSampleCounts = VK_SAMPLE_COUNT_1_BIT;
  limits->maxSampleMaskWords = 1;
  limits->discreteQueuePriorities = 2;
  limits->pointSizeRange[0] = limits->pointSizeRange[1] = 1.0F;
  limits->lineWidthRange[0] = limits->lineWidthRange[1] = 1.0F;
  limits->standardSampleLocations = VK_TRUE;
}

void fake_vkGetPhysicalDeviceProperties(VkPhysicalDevice physical,
                                        VkPhysicalDeviceProperties *out) {
  (void)physical;
  const struct fake_config *config = fake_settings();
  memset(out, 0, sizeof *out);
  out->apiVersion = config->api_version;
  out->driverVersion = config->driver_version;
  out->vendorID = config->vendor_id;
  out->deviceID = config->device_id;
  out->deviceType = config->type;
  memcpy(out->deviceName, config->name, sizeof config->name);
  memcpy(out->pipelineCacheUUID, "fake-cache-uuid", VK_UUID_SIZE);
  fill_limits_of_resources(&out->limits);
  fill_limits_of_compute(&out->limits);
  fill_limits_of_vertices(&out->limits);
  fill_limits_of_pixels(&out->limits);
}

static void fill_driver(VkPhysicalDeviceDriverProperties *out) {
  const struct fake_config *config = fake_settings();
  out->driverID = config->driver_id;
  memset(out->driverName, 0, sizeof out->driverName);
  memset(out->driverInfo, 0, sizeof out->driverInfo);
  memcpy(out->driverName, config->driver_name, sizeof config->driver_name);
  memcpy(out->driverInfo, config->driver_info, sizeof config->driver_info);
  out->conformanceVersion = (VkConformanceVersion){1, 3, 0, 0};
}

static void fill_12(VkPhysicalDeviceVulkan12Properties *out) {
  VkPhysicalDeviceDriverProperties driver = {0};
  fill_driver(&driver);
  out->driverID = driver.driverID;
  memcpy(out->driverName, driver.driverName, sizeof out->driverName);
  memcpy(out->driverInfo, driver.driverInfo, sizeof out->driverInfo);
  out->conformanceVersion = driver.conformanceVersion;
  out->maxTimelineSemaphoreValueDifference = UINT64_MAX;
  out->framebufferIntegerColorSampleCounts = VK_SAMPLE_COUNT_1_BIT;
  out->supportedDepthResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
  out->supportedStencilResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
}

static void fill_11(VkPhysicalDeviceVulkan11Properties *out) {
  memcpy(out->deviceUUID, "fake-device-uuid", VK_UUID_SIZE);
  memcpy(out->driverUUID, "fake-driver-uuid", VK_UUID_SIZE);
  out->deviceLUIDValid = VK_FALSE;
  out->deviceNodeMask = 1;
  out->subgroupSize = 32;
  out->subgroupSupportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
  out->subgroupSupportedOperations = VK_SUBGROUP_FEATURE_BASIC_BIT;
  out->maxMultiviewViewCount = 6;
  out->maxMultiviewInstanceIndex = 1U << 27;
  out->maxPerSetDescriptors = 4096;
  out->maxMemoryAllocationSize = 1ULL << 30;
}

static void fill_small_properties(VkBaseOutStructure *node) {
  switch (node->sType) {
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES: {
    VkPhysicalDeviceIDProperties *out = (void *)node;
    memcpy(out->deviceUUID, "fake-device-uuid", VK_UUID_SIZE);
    memcpy(out->driverUUID, "fake-driver-uuid", VK_UUID_SIZE);
    out->deviceLUIDValid = VK_FALSE;
    break;
  }
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES: {
    VkPhysicalDeviceSubgroupProperties *out = (void *)node;
    out->subgroupSize = 32;
    out->supportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
    out->supportedOperations = VK_SUBGROUP_FEATURE_BASIC_BIT;
    break;
  }
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES: {
    VkPhysicalDeviceSubgroupSizeControlProperties *out = (void *)node;
    out->minSubgroupSize = out->maxSubgroupSize = 32;
    out->maxComputeWorkgroupSubgroups = 32;
    out->requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
    break;
  }
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_PROPERTIES:
    ((VkPhysicalDeviceTimelineSemaphoreProperties *)node)->maxTimelineSemaphoreValueDifference =
        UINT64_MAX;
    break;
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES: {
    VkPhysicalDeviceMaintenance3Properties *out = (void *)node;
    out->maxPerSetDescriptors = 4096;
    out->maxMemoryAllocationSize = 1ULL << 30;
    break;
  }
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES:
    ((VkPhysicalDeviceMaintenance4Properties *)node)->maxBufferSize = 1ULL << 30;
    break;
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR:
    ((VkPhysicalDevicePushDescriptorPropertiesKHR *)node)->maxPushDescriptors = 32;
    break;
  default:
    break;
  }
}

void fake_vkGetPhysicalDeviceProperties2(VkPhysicalDevice physical,
                                         VkPhysicalDeviceProperties2 *out) {
  fake_vkGetPhysicalDeviceProperties(physical, &out->properties);
  for (VkBaseOutStructure *node = out->pNext; node != NULL; node = node->pNext) {
    switch (node->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES:
      fill_driver((void *)node);
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES:
      fill_11((void *)node);
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES:
      fill_12((void *)node);
      break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES: {
      VkPhysicalDeviceVulkan13Properties *properties = (void *)node;
      properties->minSubgroupSize = properties->maxSubgroupSize = 32;
      properties->maxComputeWorkgroupSubgroups = 32;
      properties->requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
      properties->maxBufferSize = 1ULL << 30;
      break;
    }
    default:
      fill_small_properties(node);
      break;
    }
  }
}
