// See loader_direct.h.
#include "loader_direct.h"

#include <dlfcn.h>

#include <cstring>

extern "C" PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance instance, const char *name);
extern "C" PFN_vkVoidFunction vk_icdGetPhysicalDeviceProcAddr(VkInstance instance,
                                                              const char *name);

Witnessed witnessed;

namespace {

VkInstance known_instance; // a layer would keep it by dispatch key

template <typename Info, typename Link>
Link *FindLink(const void *chain, VkStructureType type, Info **out) {
  for (auto *at = static_cast<const VkBaseInStructure *>(chain); at != nullptr; at = at->pNext) {
    auto *info = reinterpret_cast<const Info *>(at);
    if (at->sType == type && info->function == VK_LAYER_LINK_INFO) {
      *out = const_cast<Info *>(info);
      return (*out)->u.pLayerInfo;
    }
  }
  return nullptr;
}

template <int Index> struct Watcher {
  static VKAPI_ATTR VkResult VKAPI_CALL CreateInstance(const VkInstanceCreateInfo *info,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkInstance *out) {
    VkLayerInstanceCreateInfo *node = nullptr;
    auto *link = FindLink<VkLayerInstanceCreateInfo, VkLayerInstanceLink>(
        info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO, &node);
    witnessed.instance_links[Index].push_back(link);
    witnessed.instance_infos.push_back(info);
    auto next = reinterpret_cast<PFN_vkCreateInstance>(
        link->pfnNextGetInstanceProcAddr(nullptr, "vkCreateInstance"));
    node->u.pLayerInfo = link->pNext;
    VkResult result = next(info, allocator, out);
    if (result == VK_SUCCESS) {
      known_instance = *out;
    }
    return result;
  }

  static VKAPI_ATTR VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice physical,
                                                     const VkDeviceCreateInfo *info,
                                                     const VkAllocationCallbacks *allocator,
                                                     VkDevice *out) {
    VkLayerDeviceCreateInfo *node = nullptr;
    auto *link = FindLink<VkLayerDeviceCreateInfo, VkLayerDeviceLink>(
        info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, &node);
    witnessed.device_links[Index].push_back(link);
    witnessed.device_infos[Index].push_back(info);
    witnessed.allocators.push_back(allocator);
    if (Index == 0) {
      witnessed.device_copies.push_back(*info);
    }
    auto next = reinterpret_cast<PFN_vkCreateDevice>(
        link->pfnNextGetInstanceProcAddr(known_instance, "vkCreateDevice"));
    node->u.pLayerInfo = link->pNext;
    return next(physical, info, allocator, out);
  }

  static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL InstanceProc(VkInstance instance,
                                                               const char *name) {
    if (std::strcmp(name, "vkCreateInstance") == 0) {
      return reinterpret_cast<PFN_vkVoidFunction>(CreateInstance);
    }
    if (std::strcmp(name, "vkCreateDevice") == 0) {
      if (instance == nullptr) {
        witnessed.asked_without_instance++;
        return nullptr;
      }
      return reinterpret_cast<PFN_vkVoidFunction>(CreateDevice);
    }
    return vk_icdGetInstanceProcAddr(instance, name);
  }

  static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL DeviceProc(VkDevice device, const char *name) {
    auto replaced = witnessed.replaced.find(name);
    if (replaced != witnessed.replaced.end()) {
      return replaced->second;
    }
    static auto next = reinterpret_cast<PFN_vkGetDeviceProcAddr>(
        vk_icdGetInstanceProcAddr(known_instance, "vkGetDeviceProcAddr"));
    return next(device, name);
  }
};

} // namespace

void DirectLoader::Open(const std::string &script) {
  witnessed = Witnessed();
  ASSERT_TRUE(fake_configure(("direct=1;" + script).c_str())) << script;
  library = dlopen(VKM_TEST_LAYER, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  negotiate = reinterpret_cast<PFN_vkNegotiateLoaderLayerInterfaceVersion>(
      dlsym(library, "vkNegotiateLoaderLayerInterfaceVersion"));
  ASSERT_NE(negotiate, nullptr) << dlerror();
  layer = {LAYER_NEGOTIATE_INTERFACE_STRUCT, nullptr, 2, nullptr, nullptr, nullptr};
  ASSERT_EQ(negotiate(&layer), VK_SUCCESS);
}

VkResult DirectLoader::CreateInstance(uint32_t api, const std::vector<const char *> &extensions,
                                      VkInstance *out) {
  VkLayerInstanceLink links[3] = {
      {&links[1], Watcher<0>::InstanceProc, vk_icdGetPhysicalDeviceProcAddr},
      {&links[2], Watcher<1>::InstanceProc, vk_icdGetPhysicalDeviceProcAddr},
      {nullptr, vk_icdGetInstanceProcAddr, vk_icdGetPhysicalDeviceProcAddr}};
  VkLayerInstanceCreateInfo link{VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO};
  link.function = VK_LAYER_LINK_INFO;
  link.u.pLayerInfo = links;
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = api;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, &link};
  info.pApplicationInfo = &application;
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  given = &info;
  auto create = reinterpret_cast<PFN_vkCreateInstance>(
      layer.pfnGetInstanceProcAddr(nullptr, "vkCreateInstance"));
  VkResult result = create(&info, nullptr, out != nullptr ? out : &instance);
  if (result != VK_SUCCESS || out != nullptr) {
    return result;
  }
  uint32_t count = 1;
  Instance<PFN_vkEnumeratePhysicalDevices>("vkEnumeratePhysicalDevices")(instance, &count,
                                                                         &physical);
  return result;
}

const void *DirectLoader::Link(const void *chain) {
  auto driver = reinterpret_cast<PFN_vkGetDeviceProcAddr>(
      vk_icdGetInstanceProcAddr(instance, "vkGetDeviceProcAddr"));
  device_links[0] = {&device_links[1], Watcher<0>::InstanceProc, Watcher<0>::DeviceProc};
  device_links[1] = {&device_links[2], Watcher<1>::InstanceProc, Watcher<1>::DeviceProc};
  device_links[2] = {nullptr, vk_icdGetInstanceProcAddr, driver};
  device_link = {VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO, chain, VK_LAYER_LINK_INFO, {}};
  device_link.u.pLayerInfo = device_links;
  return &device_link;
}

VkResult DirectLoader::CreateDevice(const VkDeviceCreateInfo &info, VkDevice *device,
                                    const VkAllocationCallbacks *allocator) {
  auto create = Instance<PFN_vkCreateDevice>("vkCreateDevice");
  if (info.pNext == &device_link) {
    return create(physical, &info, allocator, device);
  }
  VkDeviceCreateInfo linked = info;
  linked.pNext = Link(info.pNext);
  return create(physical, &linked, allocator, device);
}

void DirectLoader::DestroyDevice(VkDevice device) {
  Device<PFN_vkDestroyDevice>(device, "vkDestroyDevice")(device, nullptr);
}

void DirectLoader::DestroyInstance() {
  Instance<PFN_vkDestroyInstance>("vkDestroyInstance")(instance, nullptr);
  instance = VK_NULL_HANDLE;
}
