/* In: nothing but the environment. Out: an open device. Next: gpu_work.c puts work on it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"

void gpu_die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  (void)vfprintf(stderr, format, arguments);
  va_end(arguments);
  (void)fputc('\n', stderr);
  exit(EXIT_FAILURE);
}

void gpu_check(VkResult result, const char *what) {
  if (result != VK_SUCCESS) {
    gpu_die("%s failed with VkResult %d", what, (int)result);
  }
}

static _Noreturn void die_without_driver(const char *cause) {
  (void)fprintf(stderr,
                "no Vulkan driver: %s. Install one (Debian: mesa-vulkan-drivers has a software "
                "driver), or name one with VK_DRIVER_FILES=/path/to/icd.json\n",
                cause);
  exit(GPU_NO_DRIVER);
}

static bool instance_has(const char *extension) {
  uint32_t count = 0;
  gpu_check(vkEnumerateInstanceExtensionProperties(NULL, &count, NULL), "listing extensions");
  VkExtensionProperties *list = calloc(count + 1, sizeof *list);
  if (list == NULL) {
    gpu_die("out of memory");
  }
  (void)vkEnumerateInstanceExtensionProperties(NULL, &count, list);
  bool found = false;
  for (uint32_t i = 0; i < count && !found; i++) {
    found = strcmp(list[i].extensionName, extension) == 0;
  }
  free(list);
  return found;
}

void gpu_open_instance(struct gpu *gpu, const struct gpu_options *options) {
  memset(gpu, 0, sizeof *gpu);
  const char *extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
  bool named = instance_has(extensions[0]);
  VkApplicationInfo application = {
      .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
      .pApplicationName = options->application,
      .applicationVersion = VK_MAKE_VERSION(1, 0, 0),
      .apiVersion = options->newest ? VK_API_VERSION_1_3 : VK_API_VERSION_1_1,
  };
  VkInstanceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .pApplicationInfo = &application,
      .enabledExtensionCount = named ? 1 : 0,
      .ppEnabledExtensionNames = extensions,
  };
  VkResult result = vkCreateInstance(&info, NULL, &gpu->instance);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
    die_without_driver("the loader found none that works");
  }
  gpu_check(result, "vkCreateInstance");
  if (named) {
    gpu->set_name = (PFN_vkSetDebugUtilsObjectNameEXT)vkGetInstanceProcAddr(
        gpu->instance, "vkSetDebugUtilsObjectNameEXT");
    gpu->begin_label = (PFN_vkCmdBeginDebugUtilsLabelEXT)vkGetInstanceProcAddr(
        gpu->instance, "vkCmdBeginDebugUtilsLabelEXT");
    gpu->end_label = (PFN_vkCmdEndDebugUtilsLabelEXT)vkGetInstanceProcAddr(
        gpu->instance, "vkCmdEndDebugUtilsLabelEXT");
  }
}

static bool find_family(VkPhysicalDevice physical, uint32_t *family) {
  uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, NULL);
  VkQueueFamilyProperties *list = calloc(count + 1, sizeof *list);
  if (list == NULL) {
    gpu_die("out of memory");
  }
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, list);
  bool found = false;
  for (uint32_t i = 0; i < count && !found; i++) {
    if ((list[i].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0 && list[i].queueCount > 0) {
      *family = i;
      found = true;
    }
  }
  free(list);
  return found;
}

/* Usable: it computes, knows Vulkan 1.1, and is the one that was asked for. */
static bool usable(VkPhysicalDevice physical, const char *wanted, struct gpu *gpu) {
  vkGetPhysicalDeviceProperties(physical, &gpu->properties);
  if (gpu->properties.apiVersion < VK_API_VERSION_1_1 ||
      (wanted != NULL && strstr(gpu->properties.deviceName, wanted) == NULL)) {
    return false;
  }
  return find_family(physical, &gpu->family);
}

static void choose_device(struct gpu *gpu, const char *wanted) {
  uint32_t count = 0;
  VkResult result = vkEnumeratePhysicalDevices(gpu->instance, &count, NULL);
  if (result != VK_SUCCESS || count == 0) {
    die_without_driver("it offers no device");
  }
  VkPhysicalDevice *list = calloc(count, sizeof *list);
  if (list == NULL) {
    gpu_die("out of memory");
  }
  (void)vkEnumeratePhysicalDevices(gpu->instance, &count, list);
  for (uint32_t i = 0; i < count && gpu->physical == VK_NULL_HANDLE; i++) {
    if (usable(list[i], wanted, gpu)) {
      gpu->physical = list[i];
    }
  }
  free(list);
  if (gpu->physical == VK_NULL_HANDLE) {
    gpu_die("none of %u devices has Vulkan 1.1, a compute queue and '%s' in its name", count,
            wanted != NULL ? wanted : "");
  }
  vkGetPhysicalDeviceMemoryProperties(gpu->physical, &gpu->memory);
}

static bool device_has(VkPhysicalDevice physical, const char *extension) {
  uint32_t count = 0;
  (void)vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL);
  VkExtensionProperties *list = calloc(count + 1, sizeof *list);
  if (list == NULL) {
    gpu_die("out of memory");
  }
  (void)vkEnumerateDeviceExtensionProperties(physical, NULL, &count, list);
  bool found = false;
  for (uint32_t i = 0; i < count && !found; i++) {
    found = strcmp(list[i].extensionName, extension) == 0;
  }
  free(list);
  return found;
}

static void create_pools(struct gpu *gpu) {
  gpu->pool = gpu_pool_create(gpu, VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT);
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 256};
  VkDescriptorPoolCreateInfo descriptors = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .maxSets = 64,
      .poolSizeCount = 1,
      .pPoolSizes = &size,
  };
  gpu_check(vkCreateDescriptorPool(gpu->device, &descriptors, NULL, &gpu->descriptors),
            "vkCreateDescriptorPool");
}

/* The extensions that the device offers, each with the feature that switches it on. */
struct extras {
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline;
  VkPhysicalDeviceSynchronization2Features synchronization2;
  VkPhysicalDeviceMaintenance5FeaturesKHR maintenance5;
  const char *extensions[4];
  uint32_t count;
  void *chain;
};

static bool add_extra(const struct gpu *gpu, struct extras *extras, const char *extension,
                      void *feature) {
  if (!device_has(gpu->physical, extension)) {
    return false;
  }
  extras->extensions[extras->count++] = extension;
  ((VkBaseOutStructure *)feature)->pNext = extras->chain;
  extras->chain = feature;
  return true;
}

static void find_extras(struct gpu *gpu, bool newest, struct extras *extras) {
  *extras = (struct extras){
      .timeline = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
                   .timelineSemaphore = VK_TRUE},
      .synchronization2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
                           .synchronization2 = VK_TRUE},
      .maintenance5 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR,
                       .maintenance5 = VK_TRUE},
  };
  gpu->timeline =
      add_extra(gpu, extras, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME, &extras->timeline);
  gpu->synchronization2 = newest && add_extra(gpu, extras, VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME,
                                              &extras->synchronization2);
  gpu->maintenance5 =
      newest && gpu->properties.apiVersion >= VK_API_VERSION_1_3 &&
      add_extra(gpu, extras, VK_KHR_MAINTENANCE_5_EXTENSION_NAME, &extras->maintenance5);
}

void gpu_open_device(struct gpu *gpu, const struct gpu_options *options) {
  if (gpu->physical == VK_NULL_HANDLE) {
    choose_device(gpu, options->device);
  }
  struct extras extras;
  find_extras(gpu, options->newest, &extras);
  float priority = 1.0F;
  VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
      .queueFamilyIndex = gpu->family,
      .queueCount = 1,
      .pQueuePriorities = &priority,
  };
  VkDeviceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .pNext = extras.chain,
      .queueCreateInfoCount = 1,
      .pQueueCreateInfos = &queue,
      .enabledExtensionCount = extras.count,
      .ppEnabledExtensionNames = extras.extensions,
  };
  gpu_check(vkCreateDevice(gpu->physical, &info, NULL, &gpu->device), "vkCreateDevice");
  vkGetDeviceQueue(gpu->device, gpu->family, 0, &gpu->queue);
  create_pools(gpu);
}

void gpu_open(struct gpu *gpu, const struct gpu_options *options) {
  gpu_open_instance(gpu, options);
  gpu_open_device(gpu, options);
}

void gpu_close_device(struct gpu *gpu) {
  (void)vkDeviceWaitIdle(gpu->device);
  vkDestroyDescriptorPool(gpu->device, gpu->descriptors, NULL);
  vkDestroyCommandPool(gpu->device, gpu->pool, NULL);
  vkDestroyDevice(gpu->device, NULL);
  gpu->device = VK_NULL_HANDLE;
}

void gpu_close(struct gpu *gpu) {
  gpu_close_device(gpu);
  vkDestroyInstance(gpu->instance, NULL);
}

const char *gpu_argument(int count, char *const arguments[], const char *name) {
  for (int i = 1; i < count; i++) {
    if (strcmp(arguments[i], name) == 0) {
      if (i + 1 >= count) {
        gpu_die("%s needs a value", name);
      }
      return arguments[i + 1];
    }
  }
  return NULL;
}

long gpu_argument_number(int count, char *const arguments[], const char *name, long otherwise,
                         long low, long high) {
  const char *text = gpu_argument(count, arguments, name);
  if (text == NULL) {
    return otherwise;
  }
  char *end = NULL;
  long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || value < low || value > high) {
    gpu_die("%s: '%s' is not a whole number between %ld and %ld", name, text, low, high);
  }
  return value;
}

bool gpu_flag(int count, char *const arguments[], const char *name) {
  for (int i = 1; i < count; i++) {
    if (strcmp(arguments[i], name) == 0) {
      return true;
    }
  }
  return false;
}
