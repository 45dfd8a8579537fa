// Instances, their physical devices and extensions, debug messengers.
//
// In: the application's or loader's calls. Out: VkInstance, VkPhysicalDevice. Next room: device.c.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

VkResult fake_vkEnumerateInstanceVersion(uint32_t *version) {
  *version = VK_API_VERSION_1_3;
  return VK_SUCCESS;
}

static VkResult list_extensions(char level, uint32_t *count, VkExtensionProperties *out) {
  uint64_t bits = fake_offered(level);
  uint32_t total = 0;
  uint32_t room = out != NULL ? *count : 0;
  for (uint32_t i = 0; i < FAKE_EXTENSION_COUNT; i++) {
    if ((bits & FAKE_BIT(i)) == 0) {
      continue;
    }
    if (total < room) {
      memset(&out[total], 0, sizeof out[total]);
      memcpy(out[total].extensionName, fake_extensions[i].name, strlen(fake_extensions[i].name));
      out[total].specVersion = fake_extensions[i].version;
    }
    total++;
  }
  *count = out != NULL && room < total ? room : total;
  return out != NULL && room < total ? VK_INCOMPLETE : VK_SUCCESS;
}

VkResult fake_vkEnumerateInstanceExtensionProperties(const char *layer, uint32_t *count,
                                                     VkExtensionProperties *out) {
  return layer != NULL ? VK_ERROR_LAYER_NOT_PRESENT : list_extensions('i', count, out);
}

VkResult fake_vkEnumerateDeviceExtensionProperties(VkPhysicalDevice physical, const char *layer,
                                                   uint32_t *count, VkExtensionProperties *out) {
  (void)physical;
  FAKE_ENTER();
  return layer != NULL ? VK_ERROR_LAYER_NOT_PRESENT : list_extensions('d', count, out);
}

VkResult fake_vkEnumerateInstanceLayerProperties(uint32_t *count, VkLayerProperties *out) {
  (void)out;
  *count = 0;
  return VK_SUCCESS;
}

VkResult fake_vkEnumerateDeviceLayerProperties(VkPhysicalDevice physical, uint32_t *count,
                                               VkLayerProperties *out) {
  (void)physical;
  (void)out;
  *count = 0;
  return VK_SUCCESS;
}

VkResult fake_vkCreateInstance(const VkInstanceCreateInfo *info,
                               const VkAllocationCallbacks *allocator, VkInstance *out) {
  (void)allocator;
  FAKE_ENTER();
  uint64_t bits = 0;
  for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
    uint64_t bit = fake_extension_bit(info->ppEnabledExtensionNames[i]);
    if ((bit & fake_offered('i')) == 0) {
      return VK_ERROR_EXTENSION_NOT_PRESENT;
    }
    if ((bits & bit) != 0) {
      fake_violate("vkCreateInstance: %s listed twice", info->ppEnabledExtensionNames[i]);
    }
    bits |= bit;
  }
  struct fake_instance *instance = calloc(1, sizeof *instance);
  if (instance == NULL) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  const VkApplicationInfo *application = info->pApplicationInfo;
  uint32_t api = application != NULL ? application->apiVersion : 0;
  instance->api = api != 0 ? api : VK_API_VERSION_1_0;
  instance->extensions = bits;
  instance->key = fake_key(instance);
  instance->physical_count = fake_settings()->device_count > 1 ? 2 : 1;
  for (uint32_t i = 0; i < 2; i++) {
    instance->physicals[i] = (struct fake_physical){fake_key(instance), instance, i};
  }
  *out = (VkInstance)instance;
  return VK_SUCCESS;
}

void fake_vkDestroyInstance(VkInstance handle, const VkAllocationCallbacks *allocator) {
  (void)allocator;
  struct fake_instance *instance = (struct fake_instance *)handle;
  if (instance == NULL) {
    return;
  }
  pthread_mutex_lock(&fake_mutex);
  for (struct fake_device *device = fake_devices; device != NULL; device = device->next) {
    if (device->instance == instance) {
      device->orphan = true;
      fake_violate("VkDevice alive at vkDestroyInstance");
    }
  }
  pthread_mutex_unlock(&fake_mutex);
  free(instance);
}

VkResult fake_vkEnumeratePhysicalDevices(VkInstance handle, uint32_t *count,
                                         VkPhysicalDevice *out) {
  struct fake_instance *instance = (struct fake_instance *)handle;
  FAKE_ENTER();
  if (out == NULL) {
    *count = instance->physical_count;
    return VK_SUCCESS;
  }
  uint32_t room = *count < instance->physical_count ? *count : instance->physical_count;
  for (uint32_t i = 0; i < room; i++) {
    out[i] = (VkPhysicalDevice)&instance->physicals[i];
  }
  *count = room;
  return room < instance->physical_count ? VK_INCOMPLETE : VK_SUCCESS;
}

VkResult fake_vkEnumeratePhysicalDeviceGroups(VkInstance handle, uint32_t *count,
                                              VkPhysicalDeviceGroupProperties *out) {
  struct fake_instance *instance = (struct fake_instance *)handle;
  if (out != NULL && *count == 0) {
    return VK_INCOMPLETE;
  }
  *count = 1;
  if (out != NULL) {
    out->physicalDeviceCount = instance->physical_count;
    out->subsetAllocation = VK_FALSE;
    for (uint32_t i = 0; i < instance->physical_count; i++) {
      out->physicalDevices[i] = (VkPhysicalDevice)&instance->physicals[i];
    }
  }
  return VK_SUCCESS;
}

VkResult fake_vkCreateDebugUtilsMessengerEXT(VkInstance instance,
                                             const VkDebugUtilsMessengerCreateInfoEXT *info,
                                             const VkAllocationCallbacks *allocator,
                                             VkDebugUtilsMessengerEXT *out) {
  (void)info;
  (void)allocator;
  // Nothing is ever reported; any non-null handle does.
  *out = FAKE_HANDLE(VkDebugUtilsMessengerEXT, instance);
  return VK_SUCCESS;
}

void fake_vkDestroyDebugUtilsMessengerEXT(VkInstance instance, VkDebugUtilsMessengerEXT messenger,
                                          const VkAllocationCallbacks *allocator) {
  (void)instance;
  (void)messenger;
  (void)allocator;
}

void fake_vkSubmitDebugUtilsMessageEXT(VkInstance instance,
                                       VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                       VkDebugUtilsMessageTypeFlagsEXT types,
                                       const VkDebugUtilsMessengerCallbackDataEXT *data) {
  (void)instance;
  (void)severity;
  (void)types;
  (void)data;
}
