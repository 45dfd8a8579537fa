// What the layer adds to the application's create-info of a device (pitfalls A15, B1 to B3, B6, B9,
// B12, B13).
//
// In: chains of every shape, in memory that cannot be written. Out: what the driver received.
#include "loader_create.h"

namespace {

const auto kUnknownType = static_cast<VkStructureType>(1000999000);

// ---- chains ----

TEST_F(LoaderCreate, A15_B1_B2_NoChain) {
  OpenAll();
  ASSERT_EQ(Create(Info(nullptr, {"VK_KHR_maintenance4"})), VK_SUCCESS);
  EXPECT_EQ(fake_device_attempt_count(), 1U);
  EXPECT_EQ(Extensions(0), (Names{"VK_KHR_maintenance4", kCalibrated}));
  EXPECT_TRUE(Last()->host_query_reset);
  ASSERT_EQ(Last()->chain_count, 2U);
  EXPECT_EQ(Last()->chain[0], VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES);
  EXPECT_EQ(Last()->chain_pointers[1], &direct.device_link);
  Profile profile = Destroy();
  EXPECT_EQ(Enabled(profile), (Names{"hostQueryReset", kCalibrated}));
  EXPECT_EQ(Reason(profile, "host_query_reset"), "");
  EXPECT_EQ(Reason(profile, "calibrated_timestamps"), "");
}

TEST_F(LoaderCreate, A15_B1_B2_Vulkan12Off) {
  OpenAll();
  void *after = memory.Put(
      VkPhysicalDeviceVulkan13Features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES});
  auto *twelve = memory.Put(Twelve(VK_FALSE, after));
  ASSERT_EQ(Create(Info(twelve)), VK_SUCCESS);
  EXPECT_TRUE(Last()->host_query_reset);
  EXPECT_TRUE(Last()->timeline_semaphore); // the rest of the structure came along
  ASSERT_EQ(Last()->chain_count, 3U);      // nothing in front
  EXPECT_EQ(Last()->chain[1], VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  EXPECT_NE(Last()->chain_pointers[1], twelve);
  EXPECT_EQ(Last()->chain_pointers[2], after); // what follows is the application's own
  EXPECT_EQ(twelve->hostQueryReset, VK_FALSE);
  EXPECT_EQ(Enabled(Destroy()), (Names{"hostQueryReset", kCalibrated}));
}

TEST_F(LoaderCreate, A15_B1_B2_Vulkan12On) {
  OpenAll();
  auto *twelve = memory.Put(Twelve(VK_TRUE));
  ASSERT_EQ(Create(Info(twelve)), VK_SUCCESS);
  EXPECT_TRUE(Last()->host_query_reset);
  ASSERT_EQ(Last()->chain_count, 2U);
  EXPECT_EQ(Last()->chain_pointers[1], twelve);
  EXPECT_EQ(Enabled(Destroy()), (Names{kCalibrated}));
}

TEST_F(LoaderCreate, A15_B1_B2_SplitOff) {
  OpenAll();
  auto *split = memory.Put(Split(VK_FALSE));
  ASSERT_EQ(Create(Info(split)), VK_SUCCESS);
  EXPECT_TRUE(Last()->host_query_reset);
  ASSERT_EQ(Last()->chain_count, 2U);
  EXPECT_NE(Last()->chain_pointers[1], split);
  EXPECT_EQ(split->hostQueryReset, VK_FALSE);
  EXPECT_EQ(Enabled(Destroy()), (Names{"hostQueryReset", kCalibrated}));
}

TEST_F(LoaderCreate, A15_B1_B2_SplitOn) {
  OpenAll();
  auto *split = memory.Put(Split(VK_TRUE));
  ASSERT_EQ(Create(Info(split)), VK_SUCCESS);
  EXPECT_TRUE(Last()->host_query_reset);
  ASSERT_EQ(Last()->chain_count, 2U);
  EXPECT_EQ(Last()->chain_pointers[1], split);
  EXPECT_EQ(Enabled(Destroy()), (Names{kCalibrated}));
}

TEST_F(LoaderCreate, A15_B1_B3_Features2InTheChain) {
  OpenAll();
  auto *twelve = memory.Put(Twelve(VK_FALSE));
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, twelve};
  features.features.shaderInt64 = VK_TRUE;
  ASSERT_EQ(Create(Info(memory.Put(features))), VK_SUCCESS);
  EXPECT_FALSE(Last()->has_enabled_features);
  EXPECT_TRUE(Last()->host_query_reset);
  ASSERT_EQ(Last()->chain_count, 3U);
  EXPECT_EQ(Last()->chain[1], VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  EXPECT_EQ(Last()->chain[2], VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  Destroy();
}

TEST_F(LoaderCreate, A15_B3_EnabledFeaturesStay) {
  OpenAll();
  VkPhysicalDeviceFeatures features{};
  features.shaderInt64 = VK_TRUE;
  const VkPhysicalDeviceFeatures *kept = memory.Put(features);
  ASSERT_EQ(Create(Info(nullptr, {}, kept)), VK_SUCCESS);
  EXPECT_EQ(witnessed.device_copies[0].pEnabledFeatures, kept);
  for (uint32_t i = 0; i < Last()->chain_count; i++) {
    EXPECT_NE(Last()->chain[i], VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  }
  EXPECT_TRUE(Last()->host_query_reset);
  Destroy();
}

// A structure of unknown size cannot be copied: the feature stays as the application left it.
TEST_F(LoaderCreate, A15_B1_B2_UnknownBeforeTheHolder) {
  OpenAll();
  auto *twelve = memory.Put(Twelve(VK_FALSE));
  auto *unknown = memory.Put(
      VkBaseInStructure{kUnknownType, reinterpret_cast<const VkBaseInStructure *>(twelve)});
  ASSERT_EQ(Create(Info(unknown)), VK_SUCCESS);
  EXPECT_EQ(fake_device_attempt_count(), 1U); // the other addition is not given up with it
  EXPECT_EQ(Extensions(0), (Names{kCalibrated}));
  EXPECT_FALSE(Last()->host_query_reset);
  ASSERT_EQ(Last()->chain_count, 3U);
  EXPECT_EQ(Last()->chain_pointers[1], unknown);
  EXPECT_EQ(Last()->chain_pointers[2], twelve);
  Profile profile = Destroy();
  EXPECT_EQ(Enabled(profile), (Names{kCalibrated}));
  EXPECT_EQ(Reason(profile, "host_query_reset"),
            "a structure of unknown size stands before the one to change");
}

TEST_F(LoaderCreate, A15_B1_B2_UnknownAfterTheHolder) {
  OpenAll();
  auto *unknown = memory.Put(VkBaseInStructure{kUnknownType, nullptr});
  auto *twelve = memory.Put(Twelve(VK_FALSE, unknown));
  ASSERT_EQ(Create(Info(twelve)), VK_SUCCESS);
  EXPECT_TRUE(Last()->host_query_reset);
  ASSERT_EQ(Last()->chain_count, 3U);
  EXPECT_EQ(Last()->chain_pointers[2], unknown);
  Destroy();
}

TEST_F(LoaderCreate, A15_A18_B1_UnknownAlone) {
  OpenAll();
  auto *unknown = memory.Put(VkBaseInStructure{kUnknownType, nullptr});
  ASSERT_EQ(Create(Info(unknown)), VK_SUCCESS);
  EXPECT_TRUE(Last()->host_query_reset);
  ASSERT_EQ(Last()->chain_count, 3U);
  EXPECT_EQ(Last()->chain[0], VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES);
  EXPECT_EQ(Last()->chain_pointers[2], unknown);
  Destroy();
}

TEST_F(LoaderCreate, B12_B13_EverythingElseIsTheApplications) {
  OpenAll();
  VkDevicePrivateDataCreateInfo slots{VK_STRUCTURE_TYPE_DEVICE_PRIVATE_DATA_CREATE_INFO};
  slots.privateDataSlotRequestCount = 3;
  VkDeviceMemoryOverallocationCreateInfoAMD more{
      VK_STRUCTURE_TYPE_DEVICE_MEMORY_OVERALLOCATION_CREATE_INFO_AMD, memory.Put(slots)};
  VkDeviceDiagnosticsConfigCreateInfoNV diagnostics{
      VK_STRUCTURE_TYPE_DEVICE_DIAGNOSTICS_CONFIG_CREATE_INFO_NV, memory.Put(more), 5};
  VkDeviceQueueGlobalPriorityCreateInfoKHR global{
      VK_STRUCTURE_TYPE_DEVICE_QUEUE_GLOBAL_PRIORITY_CREATE_INFO_KHR, nullptr,
      VK_QUEUE_GLOBAL_PRIORITY_LOW_KHR};
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, memory.Put(global)};
  queue.queueCount = 1;
  queue.pQueuePriorities = memory.Put(0.25F);
  const char *layers[1] = {"VK_LAYER_of_the_application"};
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  const void *chain = memory.Put(diagnostics);
  info.pNext = direct.Link(chain);
  info.flags = 0x40;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = memory.Put(queue);
  info.enabledLayerCount = 1;
  info.ppEnabledLayerNames = *memory.Put(layers);
  VkPhysicalDeviceFeatures features{};
  info.pEnabledFeatures = memory.Put(features);
  const VkDeviceCreateInfo *frozen = memory.Put(info);
  memory.Freeze();
  ASSERT_EQ(Create(frozen), VK_SUCCESS);
  const VkDeviceCreateInfo &got = witnessed.device_copies.at(0);
  EXPECT_EQ(got.flags, info.flags);
  EXPECT_EQ(got.queueCreateInfoCount, 1U); // no queue is added
  EXPECT_EQ(got.pQueueCreateInfos, info.pQueueCreateInfos);
  EXPECT_EQ(got.enabledLayerCount, 1U);
  EXPECT_EQ(got.ppEnabledLayerNames, info.ppEnabledLayerNames);
  EXPECT_EQ(got.pEnabledFeatures, info.pEnabledFeatures);
  ASSERT_EQ(Last()->chain_count, 5U);
  EXPECT_EQ(Last()->chain_pointers[2], chain);
  Destroy();
}

// ---- what is there already, what is not offered ----

TEST_F(LoaderCreate, B6_NothingTwice) {
  OpenAll();
  auto *twelve = memory.Put(Twelve(VK_TRUE));
  const VkDeviceCreateInfo *info = Info(twelve, {kCalibrated});
  ASSERT_EQ(Create(info), VK_SUCCESS);
  ExpectOriginal(info, 1);
  EXPECT_EQ(Enabled(Destroy()), Names());
}

TEST_F(LoaderCreate, B6_TheOlderExtensionServes) {
  OpenAll();
  auto *twelve = memory.Put(Twelve(VK_TRUE));
  const VkDeviceCreateInfo *info = Info(twelve, {"VK_EXT_calibrated_timestamps"});
  ASSERT_EQ(Create(info), VK_SUCCESS);
  ExpectOriginal(info, 1);
  Profile profile = Destroy();
  EXPECT_EQ(Enabled(profile), Names());
  EXPECT_EQ(Reason(profile, "calibrated_timestamps"), "");
}

TEST_F(LoaderCreate, B6_OnlyTheOlderExtensionOffered) {
  OpenAll("missing=VK_KHR_calibrated_timestamps");
  ASSERT_EQ(Create(Info()), VK_SUCCESS);
  EXPECT_EQ(Extensions(0), (Names{"VK_EXT_calibrated_timestamps"}));
  EXPECT_EQ(Enabled(Destroy()), (Names{"hostQueryReset", "VK_EXT_calibrated_timestamps"}));
}

TEST_F(LoaderCreate, B6_NothingOffered) {
  OpenAll("host_query_reset=0;missing=VK_EXT_calibrated_timestamps+VK_KHR_calibrated_timestamps");
  const VkDeviceCreateInfo *info = Info();
  ASSERT_EQ(Create(info), VK_SUCCESS);
  ExpectOriginal(info, 1);
  Profile profile = Destroy();
  EXPECT_EQ(Enabled(profile), Names());
  EXPECT_EQ(Reason(profile, "host_query_reset"),
            "the driver does not offer the feature hostQueryReset");
  EXPECT_EQ(
      Reason(profile, "calibrated_timestamps"),
      "the driver offers neither VK_KHR_calibrated_timestamps nor VK_EXT_calibrated_timestamps");
}

TEST_F(LoaderCreate, B6_B9_SwitchedOff) {
  Setting("ENABLE_FEATURES", "0");
  OpenAll();
  const VkDeviceCreateInfo *info = Info();
  ASSERT_EQ(Create(info), VK_SUCCESS);
  ExpectOriginal(info, 1);
  Profile profile = Destroy();
  EXPECT_EQ(Enabled(profile), Names());
  EXPECT_EQ(Reason(profile, "host_query_reset"), "switched off by the setting ENABLE_FEATURES");
}

} // namespace
