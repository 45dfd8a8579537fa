/* A VkInstance as the layer knows it. In: vkCreateInstance from the loader. Next room: device.c. */
#ifndef VKM_LAYER_INSTANCE_H
#define VKM_LAYER_INSTANCE_H

#include <stdbool.h>

#include <vulkan/utility/vk_dispatch_table.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include "handles.h"

struct vkm_instance {
  VkInstance handle;
  uint64_t key;
  struct vkm_instance *next; /* registry, owned by instance.c */
  PFN_vkGetInstanceProcAddr next_proc_addr;
  PFN_GetPhysicalDeviceProcAddr next_physical_proc_addr; /* may be NULL */
  VkuInstanceDispatchTable table;                        /* the next layer's commands */
  uint32_t api_version; /* as the application asked; VK_API_VERSION_1_0 when it did not */
  bool properties2; /* vkGetPhysicalDeviceProperties2 may be used: core 1.1 or the KHR extension */
};

/* NULL when the handle is none of ours. Any thread. Good until vkDestroyInstance. */
struct vkm_instance *vkm_instance_of_key(uint64_t key);

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateInstance(const VkInstanceCreateInfo *info,
                                                  const VkAllocationCallbacks *allocator,
                                                  VkInstance *instance);
VKAPI_ATTR void VKAPI_CALL vkm_DestroyInstance(VkInstance handle,
                                               const VkAllocationCallbacks *allocator);
/* After fork, in the child: forgets all instances. */
void vkm_instances_forked(void);

#endif
