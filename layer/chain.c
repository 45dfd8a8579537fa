/* Walks and copies of create-info chains, see chain.h.
 *
 * A structure in the middle of a chain cannot be changed without copying every structure before it,
 * and one of unknown type has an unknown size. So new structures go in front; where the application
 * itself chained the structure that holds the feature (with the feature off), the structures up to
 * it are copied when all of them are known. */
#include "chain.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"

VkLayerInstanceCreateInfo *vkm_chain_instance_link(const VkInstanceCreateInfo *info) {
  const VkBaseInStructure *at = info->pNext;
  while (at && !(at->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO &&
                 ((const VkLayerInstanceCreateInfo *)at)->function == VK_LAYER_LINK_INFO)) {
    at = at->pNext;
  }
  return (VkLayerInstanceCreateInfo *)(uintptr_t)at; /* the loader's memory, meant to be advanced */
}

VkLayerDeviceCreateInfo *vkm_chain_device_link(const VkDeviceCreateInfo *info) {
  const VkBaseInStructure *at = info->pNext;
  while (at && !(at->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO &&
                 ((const VkLayerDeviceCreateInfo *)at)->function == VK_LAYER_LINK_INFO)) {
    at = at->pNext;
  }
  return (VkLayerDeviceCreateInfo *)(uintptr_t)at;
}

const VkBaseInStructure *vkm_chain_find(const void *chain, VkStructureType type) {
  const VkBaseInStructure *at = chain;
  while (at && at->sType != type) {
    at = at->pNext;
  }
  return at;
}

/* Size of the structures that come before the interesting ones in practice; 0: unknown. */
static size_t size_of(VkStructureType type) {
  static const struct {
    VkStructureType type;
    size_t size;
  } known[] = {
#define FEATURES(name, type_)                                                                      \
  {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type_, sizeof(VkPhysicalDevice##name)},
#define PIPELINES(name, type_) {VK_STRUCTURE_TYPE_##type_, sizeof(Vk##name)},
#include "feature_structures.inc"
#undef PIPELINES
#undef FEATURES
      {VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, sizeof(VkLayerDeviceCreateInfo)},
      {VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO, sizeof(VkDeviceGroupDeviceCreateInfo)},
      {VK_STRUCTURE_TYPE_DEVICE_PRIVATE_DATA_CREATE_INFO, sizeof(VkDevicePrivateDataCreateInfo)},
      {VK_STRUCTURE_TYPE_DEVICE_MEMORY_OVERALLOCATION_CREATE_INFO_AMD,
       sizeof(VkDeviceMemoryOverallocationCreateInfoAMD)},
      {VK_STRUCTURE_TYPE_DEVICE_DIAGNOSTICS_CONFIG_CREATE_INFO_NV,
       sizeof(VkDeviceDiagnosticsConfigCreateInfoNV)},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (known[i].type == type) {
      return known[i].size;
    }
  }
  return 0;
}

const char vkm_memory_was_short[] = "memory was short when the device was created";

static size_t aligned(size_t size) {
  return (size + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
}

void *vkm_chain_copy_prefix(const VkBaseInStructure *head, const VkBaseInStructure *last,
                            VkBaseOutStructure **last_copy, const char **why) {
  size_t total = 0;
  for (const VkBaseInStructure *at = head; at != last->pNext; at = at->pNext) {
    size_t size = size_of(at->sType);
    if (size == 0) {
      *why = "a structure of unknown size stands before the one to change";
      return NULL;
    }
    total += aligned(size);
  }
  unsigned char *memory = vkm_alloc(total);
  if (!memory) {
    *why = vkm_memory_was_short;
    return NULL;
  }
  size_t offset = 0;
  for (const VkBaseInStructure *at = head; at != last->pNext; at = at->pNext) {
    size_t size = size_of(at->sType);
    VkBaseOutStructure *to = (VkBaseOutStructure *)(void *)(memory + offset);
    memcpy(to, at, size);
    offset += aligned(size);
    if (at != last) {
      to->pNext = (VkBaseOutStructure *)(void *)(memory + offset);
    }
    *last_copy = to;
  }
  return memory;
}

/* ---- devices ---- */

/* The application's structure that holds a feature, if any. */
static const VkBaseInStructure *holder(const void *chain, enum vkm_switch feature) {
  if (feature == VKM_SWITCH_EXECUTABLES) {
    return vkm_chain_find(
        chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR);
  }
  const VkBaseInStructure *core =
      vkm_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  return core ? core
              : vkm_chain_find(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES);
}

/* A structure of the application's own, or the copy of one, with the feature switched on. */
static void switch_on(VkBaseOutStructure *held) {
  switch (held->sType) {
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES:
    ((VkPhysicalDeviceVulkan12Features *)(void *)held)->hostQueryReset = VK_TRUE;
    break;
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES:
    ((VkPhysicalDeviceHostQueryResetFeatures *)(void *)held)->hostQueryReset = VK_TRUE;
    break;
  default:
    ((VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR *)(void *)held)
        ->pipelineExecutableInfo = VK_TRUE;
  }
}

static void put_in_front(struct vkm_device_info_copy *copy, enum vkm_switch feature) {
  void *rest = (void *)(uintptr_t)copy->info.pNext;
  if (feature == VKM_SWITCH_RESET) {
    copy->reset = (VkPhysicalDeviceHostQueryResetFeatures){
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES, rest, VK_TRUE};
    copy->info.pNext = &copy->reset;
  } else {
    copy->executables = (VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR){
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, rest,
        VK_TRUE};
    copy->info.pNext = &copy->executables;
  }
}

/* Copies the chain once, up to the last of the structures that hold one of the features. */
static bool switch_on_held(struct vkm_device_info_copy *copy, unsigned switches,
                           unsigned *impossible, const char **why) {
  const VkBaseInStructure *last = NULL;
  for (const VkBaseInStructure *at = copy->info.pNext; at; at = at->pNext) {
    unsigned here = 0;
    for (unsigned bit = VKM_SWITCH_RESET; bit <= VKM_SWITCH_EXECUTABLES; bit <<= 1) {
      here |= switches & bit && holder(copy->info.pNext, bit) == at ? bit : 0;
    }
    last = here ? at : last;
    *impossible = here ? here : *impossible;
  }
  if (!last) {
    return true;
  }
  VkBaseOutStructure *changed = NULL;
  copy->prefix = vkm_chain_copy_prefix(copy->info.pNext, last, &changed, why);
  if (!copy->prefix || !changed) {
    return false;
  }
  copy->info.pNext = copy->prefix;
  for (unsigned bit = VKM_SWITCH_RESET; bit <= VKM_SWITCH_EXECUTABLES; bit <<= 1) {
    const VkBaseInStructure *held = switches & bit ? holder(copy->info.pNext, bit) : NULL;
    if (held) { /* within the prefix, which is ours */
      switch_on((VkBaseOutStructure *)(uintptr_t)held);
    }
  }
  return true;
}

static bool copy_extensions(struct vkm_device_info_copy *copy, const VkDeviceCreateInfo *info,
                            const char *const *extensions, uint32_t extension_count) {
  size_t total = info->enabledExtensionCount + (size_t)extension_count;
  copy->extensions = vkm_alloc((total ? total : 1) * sizeof *copy->extensions);
  if (!copy->extensions) {
    return false;
  }
  if (info->enabledExtensionCount) {
    memcpy(copy->extensions, info->ppEnabledExtensionNames,
           info->enabledExtensionCount * sizeof *copy->extensions);
  }
  if (extension_count) {
    memcpy(copy->extensions + info->enabledExtensionCount, extensions,
           extension_count * sizeof *copy->extensions);
  }
  copy->info.ppEnabledExtensionNames = copy->extensions;
  copy->info.enabledExtensionCount = (uint32_t)total;
  return true;
}

bool vkm_chain_copy_device_info(struct vkm_device_info_copy *copy, const VkDeviceCreateInfo *info,
                                const char *const *extensions, uint32_t extension_count,
                                unsigned switches, unsigned *impossible, const char **why) {
  *copy = (struct vkm_device_info_copy){.info = *info};
  *impossible = 0;
  *why = NULL;
  if (!copy_extensions(copy, info, extensions, extension_count)) {
    *why = vkm_memory_was_short;
    return false;
  }
  unsigned held = 0;
  for (unsigned bit = VKM_SWITCH_RESET; bit <= VKM_SWITCH_EXECUTABLES; bit <<= 1) {
    held |= switches & bit && holder(info->pNext, bit) ? bit : 0;
  }
  if (!switch_on_held(copy, held, impossible, why)) {
    vkm_chain_free_device_info(copy);
    return false;
  }
  for (unsigned bit = VKM_SWITCH_EXECUTABLES; bit >= VKM_SWITCH_RESET; bit >>= 1) {
    if (switches & bit & ~held) {
      put_in_front(copy, bit);
    }
  }
  return true;
}

void vkm_chain_free_device_info(struct vkm_device_info_copy *copy) {
  vkm_free(copy->extensions);
  vkm_free(copy->prefix);
  copy->extensions = NULL;
  copy->prefix = NULL;
}
