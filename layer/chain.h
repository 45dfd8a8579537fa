/* Walks and copies of create-info chains. The application's memory is never written (pitfalls A15,
 * B1). */
#ifndef VKM_LAYER_CHAIN_H
#define VKM_LAYER_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

/* The loader's link to the next layer, in the chain of a VkInstanceCreateInfo / VkDeviceCreateInfo;
 * NULL: none. The link is the one structure that a layer changes: it advances u.pLayerInfo, once a
 * call. */
VkLayerInstanceCreateInfo *vkm_chain_instance_link(const VkInstanceCreateInfo *info);
VkLayerDeviceCreateInfo *vkm_chain_device_link(const VkDeviceCreateInfo *info);

/* Why an addition could not be made; static. */
extern const char vkm_memory_was_short[];

/* The first structure of a type in a chain; NULL: none. */
const VkBaseInStructure *vkm_chain_find(const void *chain, VkStructureType type);

/* Copies the chain from `head` up to and including `last`, of device or pipeline create-infos, into
 * one piece of memory: free it with vkm_free. The copy of `last` goes on with the application's own
 * structures. NULL without memory or when a size is unknown; `why`, static, says which. */
void *vkm_chain_copy_prefix(const VkBaseInStructure *head, const VkBaseInStructure *last,
                            VkBaseOutStructure **last_copy, const char **why);

/* Features that the layer may switch on, as bits. */
enum vkm_switch { VKM_SWITCH_RESET = 1, VKM_SWITCH_EXECUTABLES = 2 };

/* A VkDeviceCreateInfo with extensions and features added, in memory of its own. */
struct vkm_device_info_copy {
  VkDeviceCreateInfo info;
  const char **extensions;
  /* Chained in front when no structure of the application holds the feature. */
  VkPhysicalDeviceHostQueryResetFeatures reset;
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables;
  void *prefix; /* copies of the structures up to the last one that had to change */
};
/* extensions: names to add, not in the list yet. switches: features to switch on. Returns false
 * when memory is short, or when a feature sits in a structure that comes after one of unknown size:
 * then `why` says so, `impossible` holds the switches concerned (0: all that was asked for), and
 * nothing is to be freed. */
bool vkm_chain_copy_device_info(struct vkm_device_info_copy *copy, const VkDeviceCreateInfo *info,
                                const char *const *extensions, uint32_t extension_count,
                                unsigned switches, unsigned *impossible, const char **why);
void vkm_chain_free_device_info(struct vkm_device_info_copy *copy);

#endif
