// The door of the layer, called as a loader calls it (pitfalls A1, A2, A12 to A14, A16, A17).
//
// In: negotiation structures, names, handles, links. Out: addresses, and what the layers below saw.
#include "loader_direct.h"

namespace {

class LoaderNegotiate : public LayerTest {
protected:
  void OpenAll(const std::string &script = "", uint32_t api = VK_API_VERSION_1_3) {
    ASSERT_NO_FATAL_FAILURE(direct.Open(script));
    ASSERT_EQ(direct.CreateInstance(api), VK_SUCCESS);
    ASSERT_NE(direct.physical, nullptr);
  }

  VkDeviceCreateInfo Info() {
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    return info;
  }

  VkNegotiateLayerInterface Asked(uint32_t version) {
    return {LAYER_NEGOTIATE_INTERFACE_STRUCT, nullptr, version, nullptr, nullptr, nullptr};
  }

  DirectLoader direct;
  float priority = 1.0F;
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
};

TEST_F(LoaderNegotiate, A1_VersionTwoAndNothingMore) {
  ASSERT_NO_FATAL_FAILURE(direct.Open());
  for (uint32_t version : {2U, 3U, 99U}) {
    VkNegotiateLayerInterface asked = Asked(version);
    EXPECT_EQ(direct.negotiate(&asked), VK_SUCCESS);
    EXPECT_EQ(asked.loaderLayerInterfaceVersion, 2U);
    EXPECT_NE(asked.pfnGetInstanceProcAddr, nullptr);
    EXPECT_NE(asked.pfnGetDeviceProcAddr, nullptr);
  }
}

TEST_F(LoaderNegotiate, A1_RefusalsWriteNothing) {
  ASSERT_NO_FATAL_FAILURE(direct.Open());
  EXPECT_EQ(direct.negotiate(nullptr), VK_ERROR_INITIALIZATION_FAILED);
  VkNegotiateLayerInterface old = Asked(1);
  EXPECT_EQ(direct.negotiate(&old), VK_ERROR_INITIALIZATION_FAILED);
  EXPECT_EQ(old.loaderLayerInterfaceVersion, 1U);
  EXPECT_EQ(old.pfnGetInstanceProcAddr, nullptr);
  VkNegotiateLayerInterface other = Asked(2);
  other.sType = LAYER_NEGOTIATE_UNINTIALIZED;
  EXPECT_EQ(direct.negotiate(&other), VK_ERROR_INITIALIZATION_FAILED);
  EXPECT_EQ(other.pfnGetInstanceProcAddr, nullptr);
}

TEST_F(LoaderNegotiate, A12_WithoutInstance) {
  ASSERT_NO_FATAL_FAILURE(direct.Open());
  auto get = direct.layer.pfnGetInstanceProcAddr;
  EXPECT_NE(get(nullptr, "vkCreateInstance"), nullptr);
  EXPECT_EQ(reinterpret_cast<PFN_vkGetInstanceProcAddr>(get(nullptr, "vkGetInstanceProcAddr")),
            get);
  for (const char *name : {"vkEnumeratePhysicalDevices", "vkDestroyInstance", "vkGetDeviceProcAddr",
                           "vkQueueSubmit", "vkEnumerateInstanceVersion", "vkBogusEXT", ""}) {
    EXPECT_EQ(get(nullptr, name), nullptr) << name;
  }
  EXPECT_EQ(get(nullptr, nullptr), nullptr);
}

// An object of somebody else's, whose first word is no key of ours.
TEST_F(LoaderNegotiate, A12_A17_UnknownHandles) {
  ASSERT_NO_FATAL_FAILURE(direct.Open());
  uintptr_t object[2] = {12345, 0};
  auto unknown = reinterpret_cast<VkInstance>(object);
  EXPECT_NE(direct.layer.pfnGetInstanceProcAddr(unknown, "vkCreateInstance"), nullptr);
  EXPECT_EQ(direct.layer.pfnGetInstanceProcAddr(unknown, "vkQueueSubmit"), nullptr);
  EXPECT_EQ(direct.layer.pfnGetPhysicalDeviceProcAddr(unknown, "vkBogusEXT"), nullptr);
  EXPECT_EQ(direct.layer.pfnGetPhysicalDeviceProcAddr(nullptr, "vkBogusEXT"), nullptr);
  EXPECT_EQ(direct.layer.pfnGetDeviceProcAddr(reinterpret_cast<VkDevice>(object), "vkQueueSubmit"),
            nullptr);
  EXPECT_EQ(direct.layer.pfnGetDeviceProcAddr(nullptr, "vkQueueSubmit"), nullptr);
}

TEST_F(LoaderNegotiate, A12_AnyInstanceForVkCreateInstance) {
  ASSERT_NO_FATAL_FAILURE(direct.Open());
  auto invalid = reinterpret_cast<VkInstance>(uintptr_t{8}); // may not be looked into
  EXPECT_NE(direct.layer.pfnGetInstanceProcAddr(invalid, "vkCreateInstance"), nullptr);
}

TEST_F(LoaderNegotiate, A17_PhysicalDeviceNamesGoOn) {
  OpenAll();
  auto get = direct.layer.pfnGetPhysicalDeviceProcAddr;
  ASSERT_NE(get, nullptr);
  EXPECT_NE(get(direct.instance, "vkGetPhysicalDeviceProperties2"), nullptr);
  EXPECT_EQ(get(direct.instance, "vkQueueSubmit"), nullptr); // not of a physical device
  EXPECT_EQ(get(direct.instance, "vkBogusEXT"), nullptr);
  EXPECT_EQ(direct.layer.pfnGetInstanceProcAddr(direct.instance, "vkBogusEXT"), nullptr);
  direct.DestroyInstance();
}

TEST_F(LoaderNegotiate, A13_AsksDownWithTheInstance) {
  OpenAll();
  VkDevice device = VK_NULL_HANDLE;
  ASSERT_EQ(direct.CreateDevice(Info(), &device), VK_SUCCESS);
  EXPECT_EQ(witnessed.asked_without_instance, 0U); // NULL would have been the answer
  EXPECT_EQ(witnessed.device_infos[0].size(), 1U);
  direct.DestroyDevice(device);
  direct.DestroyInstance();
}

TEST_F(LoaderNegotiate, A13_AnswersWithoutInstance) {
  OpenAll();
  auto create = reinterpret_cast<PFN_vkCreateDevice>(
      direct.layer.pfnGetInstanceProcAddr(nullptr, "vkCreateDevice"));
  ASSERT_NE(create, nullptr);
  VkDeviceCreateInfo info = Info();
  info.pNext = direct.Link(nullptr);
  VkDevice device = VK_NULL_HANDLE;
  ASSERT_EQ(create(direct.physical, &info, nullptr, &device), VK_SUCCESS);
  direct.DestroyDevice(device);
  direct.DestroyInstance();
}

TEST_F(LoaderNegotiate, A13_WithoutLinkCreationFails) {
  OpenAll();
  VkDeviceCreateInfo info = Info();
  VkDevice device = VK_NULL_HANDLE;
  auto create = direct.Instance<PFN_vkCreateDevice>("vkCreateDevice");
  EXPECT_EQ(create(direct.physical, &info, nullptr, &device), VK_ERROR_INITIALIZATION_FAILED);
  EXPECT_EQ(device, nullptr);
  direct.DestroyInstance();
}

// Every layer below starts every attempt from its own link.
TEST_F(LoaderNegotiate, A14_B8_LinksAreRestoredForEachAttempt) {
  OpenAll("refuse_extensions=VK_EXT_calibrated_timestamps+VK_KHR_calibrated_timestamps;"
          "refuse_features=hostQueryReset");
  EXPECT_EQ(witnessed.instance_links[0].size(), 1U);
  EXPECT_EQ(witnessed.instance_links[1].size(), 1U);
  VkDevice device = VK_NULL_HANDLE;
  ASSERT_EQ(direct.CreateDevice(Info(), &device), VK_SUCCESS);
  constexpr size_t kAttempts = 7; // down to the one addition that is not refused
  ASSERT_EQ(witnessed.device_links[0].size(), kAttempts);
  ASSERT_EQ(witnessed.device_links[1].size(), kAttempts);
  for (size_t i = 0; i < kAttempts; i++) {
    EXPECT_EQ(witnessed.device_links[0][i], &direct.device_links[1]);
    EXPECT_EQ(witnessed.device_links[1][i], &direct.device_links[2]);
  }
  direct.DestroyDevice(device);
  direct.DestroyInstance();
}

TEST_F(LoaderNegotiate, A14_AFailureLeavesTheOutputAlone) {
  ASSERT_NO_FATAL_FAILURE(direct.Open());
  fake_fail("vkCreateInstance", 1, VK_ERROR_INCOMPATIBLE_DRIVER);
  auto before = reinterpret_cast<VkInstance>(uintptr_t{16});
  VkInstance out = before;
  EXPECT_EQ(direct.CreateInstance(VK_API_VERSION_1_3, {}, &out), VK_ERROR_INCOMPATIBLE_DRIVER);
  EXPECT_EQ(out, before);
  ASSERT_EQ(direct.CreateInstance(), VK_SUCCESS);
  fake_fail("vkCreateDevice", 0, VK_ERROR_INITIALIZATION_FAILED);
  auto device_before = reinterpret_cast<VkDevice>(uintptr_t{16});
  VkDevice device = device_before;
  EXPECT_EQ(direct.CreateDevice(Info(), &device), VK_ERROR_INITIALIZATION_FAILED);
  EXPECT_EQ(device, device_before);
  direct.DestroyInstance();
}

uint32_t core_calls, khr_calls;

VKAPI_ATTR VkResult VKAPI_CALL CoreCounter(VkDevice, VkSemaphore, uint64_t *value) {
  core_calls++;
  *value = 0;
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL KhrCounter(VkDevice, VkSemaphore, uint64_t *value) {
  khr_calls++;
  *value = 0;
  return VK_SUCCESS;
}

TEST_F(LoaderNegotiate, A16_EachNameForwardsToItsOwn) {
  OpenAll();
  witnessed.replaced = {
      {"vkGetSemaphoreCounterValue", reinterpret_cast<PFN_vkVoidFunction>(CoreCounter)},
      {"vkGetSemaphoreCounterValueKHR", reinterpret_cast<PFN_vkVoidFunction>(KhrCounter)}};
  VkDevice device = VK_NULL_HANDLE;
  ASSERT_EQ(direct.CreateDevice(Info(), &device), VK_SUCCESS);
  uint64_t value;
  using Get = PFN_vkGetSemaphoreCounterValue;
  direct.Device<Get>(device, "vkGetSemaphoreCounterValue")(device, VK_NULL_HANDLE, &value);
  EXPECT_EQ(core_calls, 1U);
  EXPECT_EQ(khr_calls, 0U);
  direct.Device<Get>(device, "vkGetSemaphoreCounterValueKHR")(device, VK_NULL_HANDLE, &value);
  EXPECT_EQ(core_calls, 1U);
  EXPECT_EQ(khr_calls, 1U);
  // Fetched from the instance they are the same hooks, for any device.
  direct.Instance<Get>("vkGetSemaphoreCounterValueKHR")(device, VK_NULL_HANDLE, &value);
  EXPECT_EQ(khr_calls, 2U);
  direct.DestroyDevice(device);
  direct.DestroyInstance();
}

TEST_F(LoaderNegotiate, A16_InstanceCommandsAreNotOfADevice) {
  OpenAll();
  VkDevice device = VK_NULL_HANDLE;
  ASSERT_EQ(direct.CreateDevice(Info(), &device), VK_SUCCESS);
  for (const char *name : {"vkDestroyInstance", "vkCreateDevice", "vkCreateInstance",
                           "vkGetInstanceProcAddr", "vkEnumeratePhysicalDevices"}) {
    EXPECT_EQ(direct.layer.pfnGetDeviceProcAddr(device, name), nullptr) << name;
  }
  EXPECT_EQ(direct.layer.pfnGetDeviceProcAddr(device, nullptr), nullptr);
  EXPECT_NE(direct.layer.pfnGetDeviceProcAddr(device, "vkGetDeviceProcAddr"), nullptr);
  direct.DestroyDevice(device);
  direct.DestroyInstance();
}

} // namespace
