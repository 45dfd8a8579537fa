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

/* A VkDeviceCreateInfo with extensions and host query reset added, in memory of its own. */
struct vkm_device_info_copy {
  VkDeviceCreateInfo info;
  const char **extensions;
  VkPhysicalDeviceHostQueryResetFeatures
      reset;    /* chained in front when no structure of the application holds it */
  void *prefix; /* copies of the structures up to the one that had to change */
};
/* extensions: names to add, not in the list yet. reset: whether hostQueryReset is to be switched
 * on. Returns false when memory is short, or when hostQueryReset sits in a structure that comes
 * after one of unknown size (then `reset_why` says so and nothing is to be freed). */
bool vkm_chain_copy_device_info(struct vkm_device_info_copy *copy, const VkDeviceCreateInfo *info,
                                const char *const *extensions, uint32_t extension_count, bool reset,
                                const char **reset_why);
void vkm_chain_free_device_info(struct vkm_device_info_copy *copy);

#endif
