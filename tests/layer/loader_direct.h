// A loader of the test's own: the layer, below it two layers that watch, then the scripted driver.
//
// In: create-infos. Out: what the layer does with its links, and the addresses it gives out. The
// real loader hides both: it rebuilds create-infos and has commands of its own. One thread. Next
// room: loader_*_test.cpp.
#ifndef LOADER_DIRECT_H
#define LOADER_DIRECT_H

#include <map>
#include <string>
#include <vector>

#include <vulkan/vk_layer.h>

#include "layer_test_case.h"

// What the layers below saw; both add to it. Cleared by DirectLoader::Open.
struct Witnessed {
  std::vector<const void *> instance_links[2], device_links[2]; // of each layer, each creation
  std::vector<const VkDeviceCreateInfo *> device_infos[2];
  std::vector<VkDeviceCreateInfo> device_copies; // as the first of them got it
  std::vector<const VkInstanceCreateInfo *> instance_infos;
  std::vector<const VkAllocationCallbacks *> allocators; // of every vkCreateDevice
  uint32_t asked_without_instance = 0;                   // for vkCreateDevice, answered with NULL
  std::map<std::string, PFN_vkVoidFunction> replaced;    // what GetDeviceProcAddr answers instead
};
extern Witnessed witnessed;

class DirectLoader {
public:
  // Loads and negotiates; the driver gets the script in its mode without a loader.
  void Open(const std::string &script = "");
  VkResult CreateInstance(uint32_t api = VK_API_VERSION_1_3,
                          const std::vector<const char *> &extensions = {},
                          VkInstance *out = nullptr);
  // The loader's structure in front of the application's chain; goes into pNext. Valid until the
  // next call.
  const void *Link(const void *chain);
  // `info` has a Link in its chain, or none yet.
  VkResult CreateDevice(const VkDeviceCreateInfo &info, VkDevice *device,
                        const VkAllocationCallbacks *allocator = nullptr);
  template <typename Function> Function Instance(const char *name) const {
    return reinterpret_cast<Function>(layer.pfnGetInstanceProcAddr(instance, name));
  }
  template <typename Function> Function Device(VkDevice device, const char *name) const {
    return reinterpret_cast<Function>(layer.pfnGetDeviceProcAddr(device, name));
  }
  void DestroyDevice(VkDevice device);
  void DestroyInstance();

  void *library = nullptr;
  PFN_vkNegotiateLoaderLayerInterfaceVersion negotiate = nullptr;
  VkNegotiateLayerInterface layer{};
  const VkInstanceCreateInfo *given = nullptr; // to the last vkCreateInstance; to compare only
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE; // the first
  VkLayerDeviceLink device_links[3]{};
  VkLayerDeviceCreateInfo device_link{};
};

#endif
