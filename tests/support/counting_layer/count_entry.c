/* In: the loader's questions and the creation of instances and devices. Out: our hooks where the
 * next layer has the command too. Next: the hooks. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

#include "count_device.h"
#include "count_report.h"
#include "count_state.h"

#define LAYER_NAME "VK_LAYER_VKMTEST_count"

struct instance {
  const void *key;
  VkInstance handle;
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
  PFN_vkDestroyInstance DestroyInstance;
  PFN_vkEnumerateDeviceExtensionProperties EnumerateDeviceExtensionProperties;
  UT_hash_handle hh;
};

static struct instance *instances;

static struct instance *instance_of(const void *dispatchable) {
  const void *key = vkmtest_key(dispatchable);
  struct instance *instance = NULL;
  vkmtest_lock();
  HASH_FIND_PTR(instances, &key, instance);
  vkmtest_unlock();
  return instance;
}

/* The loader's link to the next layer. Moving it on is what the loader expects of every layer. */
static VkLayerInstanceCreateInfo *instance_link(const VkInstanceCreateInfo *info) {
  for (const VkBaseInStructure *at = info->pNext; at != NULL; at = at->pNext) {
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)(uintptr_t)at;
    if (at->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO &&
        link->function == VK_LAYER_LINK_INFO) {
      return link;
    }
  }
  return NULL;
}

static VkLayerDeviceCreateInfo *device_link(const VkDeviceCreateInfo *info) {
  for (const VkBaseInStructure *at = info->pNext; at != NULL; at = at->pNext) {
    VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)(uintptr_t)at;
    if (at->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO &&
        link->function == VK_LAYER_LINK_INFO) {
      return link;
    }
  }
  return NULL;
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_CreateInstance(const VkInstanceCreateInfo *info,
                                                          const VkAllocationCallbacks *allocator,
                                                          VkInstance *handle) {
  VkLayerInstanceCreateInfo *link = instance_link(info);
  struct instance *instance = calloc(1, sizeof *instance);
  if (link == NULL || instance == NULL) {
    free(instance);
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  PFN_vkCreateInstance create = (PFN_vkCreateInstance)next(VK_NULL_HANDLE, "vkCreateInstance");
  VkResult result = create(info, allocator, handle);
  if (result != VK_SUCCESS) {
    free(instance);
    return result;
  }
  instance->key = vkmtest_key(*handle);
  instance->handle = *handle;
  instance->GetInstanceProcAddr = next;
  instance->DestroyInstance = (PFN_vkDestroyInstance)next(*handle, "vkDestroyInstance");
  instance->EnumerateDeviceExtensionProperties = (PFN_vkEnumerateDeviceExtensionProperties)next(
      *handle, "vkEnumerateDeviceExtensionProperties");
  vkmtest_state_init();
  vkmtest_lock();
  HASH_ADD_PTR(instances, key, instance);
  vkmtest_totals()->instances++;
  vkmtest_unlock();
  return result;
}

static VKAPI_ATTR void VKAPI_CALL hook_DestroyInstance(VkInstance handle,
                                                       const VkAllocationCallbacks *allocator) {
  if (handle == VK_NULL_HANDLE) {
    return;
  }
  struct instance *instance = instance_of(handle);
  vkmtest_lock();
  HASH_DEL(instances, instance);
  vkmtest_totals()->instances_gone++;
  vkmtest_unlock();
  instance->DestroyInstance(handle, allocator);
  free(instance);
  vkmtest_report_write("instance");
}

static VKAPI_ATTR VkResult VKAPI_CALL hook_CreateDevice(VkPhysicalDevice physical,
                                                        const VkDeviceCreateInfo *info,
                                                        const VkAllocationCallbacks *allocator,
                                                        VkDevice *handle) {
  VkLayerDeviceCreateInfo *link = device_link(info);
  if (link == NULL) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  PFN_vkGetInstanceProcAddr next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  PFN_vkGetDeviceProcAddr next = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  PFN_vkCreateDevice create =
      (PFN_vkCreateDevice)next_instance(instance_of(physical)->handle, "vkCreateDevice");
  VkResult result = create(physical, info, allocator, handle);
  if (result != VK_SUCCESS) {
    return result;
  }
  struct vkmtest_device *device = vkmtest_device_add(*handle, next);
  if (device == NULL) {
    PFN_vkDestroyDevice destroy = (PFN_vkDestroyDevice)next(*handle, "vkDestroyDevice");
    destroy(*handle, allocator);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  vkmtest_lock();
  vkmtest_totals()->devices++;
  vkmtest_unlock();
  return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
hook_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical, const char *layer,
                                        uint32_t *count, VkExtensionProperties *properties) {
  if (layer != NULL && strcmp(layer, LAYER_NAME) == 0) {
    *count = 0;
    return VK_SUCCESS;
  }
  return instance_of(physical)->EnumerateDeviceExtensionProperties(physical, layer, count,
                                                                   properties);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL hook_GetDeviceProcAddr(VkDevice handle,
                                                                       const char *name);
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL hook_GetInstanceProcAddr(VkInstance handle,
                                                                         const char *name);

static PFN_vkVoidFunction instance_hook(const char *name) {
  static const struct {
    const char *name;
    PFN_vkVoidFunction hook;
  } hooks[] = {
      {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)hook_GetInstanceProcAddr},
      {"vkCreateInstance", (PFN_vkVoidFunction)hook_CreateInstance},
      {"vkDestroyInstance", (PFN_vkVoidFunction)hook_DestroyInstance},
      {"vkCreateDevice", (PFN_vkVoidFunction)hook_CreateDevice},
      {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)hook_GetDeviceProcAddr},
      {"vkEnumerateDeviceExtensionProperties",
       (PFN_vkVoidFunction)hook_EnumerateDeviceExtensionProperties},
  };
  for (size_t i = 0; i < sizeof hooks / sizeof hooks[0]; i++) {
    if (strcmp(hooks[i].name, name) == 0) {
      return hooks[i].hook;
    }
  }
  return NULL;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL hook_GetDeviceProcAddr(VkDevice handle,
                                                                       const char *name) {
  vkmtest_lock();
  vkmtest_totals()->device_lookups++;
  vkmtest_unlock();
  if (strcmp(name, "vkGetDeviceProcAddr") == 0) {
    return (PFN_vkVoidFunction)hook_GetDeviceProcAddr;
  }
  PFN_vkVoidFunction next = vkmtest_device_of(handle)->GetDeviceProcAddr(handle, name);
  PFN_vkVoidFunction hook = vkmtest_device_hook(name);
  return next != NULL && hook != NULL ? hook : next;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL hook_GetInstanceProcAddr(VkInstance handle,
                                                                         const char *name) {
  vkmtest_lock();
  vkmtest_totals()->instance_lookups++;
  vkmtest_unlock();
  PFN_vkVoidFunction hook = instance_hook(name);
  if (handle == VK_NULL_HANDLE) {
    /* Older layers ask for vkCreateDevice without an instance. */
    bool global = strcmp(name, "vkGetInstanceProcAddr") == 0 ||
                  strcmp(name, "vkCreateInstance") == 0 || strcmp(name, "vkCreateDevice") == 0;
    return global ? hook : NULL;
  }
  if (hook != NULL) {
    return hook;
  }
  /* A command that the next layer lacks must stay missing: programs take the answer for an offer.
   */
  const struct instance *instance = instance_of(handle);
  PFN_vkVoidFunction next = instance != NULL ? instance->GetInstanceProcAddr(handle, name) : NULL;
  hook = vkmtest_device_hook(name);
  return next != NULL && hook != NULL ? hook : next;
}

__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface) {
  if (interface == NULL || interface->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
      interface->loaderLayerInterfaceVersion < 2) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  interface->loaderLayerInterfaceVersion = 2;
  interface->pfnGetInstanceProcAddr = hook_GetInstanceProcAddr;
  interface->pfnGetDeviceProcAddr = hook_GetDeviceProcAddr;
  interface->pfnGetPhysicalDeviceProcAddr = NULL;
  return VK_SUCCESS;
}
