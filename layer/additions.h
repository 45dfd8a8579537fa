/* What the layer adds to a device for itself: asked for in one call, then step by step down to the
 * application's own create-info. In: capabilities. Out: the device, and what it really has. */
#ifndef VKM_LAYER_ADDITIONS_H
#define VKM_LAYER_ADDITIONS_H

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include "capabilities.h"

struct vkm_device;

/* One vkCreateDevice of the application; everything is borrowed for the time of the call. */
struct vkm_creation {
  PFN_vkCreateDevice next;
  VkPhysicalDevice physical;
  const VkDeviceCreateInfo *info;
  const VkAllocationCallbacks *allocator;
  VkDevice *handle;
  VkLayerDeviceCreateInfo *link;
  VkLayerDeviceLink *next_link;
  struct vkm_capabilities capabilities; /* of what could be had, only what was had stays */
};

/* Calls down until a device is there or the application's own create-info has failed; returns that
 * result. Any thread. */
VkResult vkm_additions_create(struct vkm_creation *creation);
/* Resolves the commands that are really there, and notes in the record what was added and why not.
 * Before the device is published. */
void vkm_additions_settle(struct vkm_device *device, const struct vkm_capabilities *capabilities);

/* `reason` is static; NULL: the device is capable of it. Before the record is published. */
void vkm_note_capability(struct vkm_device_record *record, const char *name, const char *reason);

#endif
