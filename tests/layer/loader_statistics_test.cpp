// The feature pipelineExecutableInfo among the additions to a device: what the application itself
// asked for, what the driver refuses, what stays invisible (pitfalls A15, B1 to B9).
//
// In: chains in memory that cannot be written. Out: what the driver received.
#include "loader_create.h"

namespace {

const VkStructureType kExecutablesType =
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR;

class LoaderStatistics : public LoaderCreate {
protected:
  void SetUp() override {
    LoaderCreate::SetUp();
    Setting("PIPELINE_STATISTICS", "compute");
  }

  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR *Executables(VkBool32 on,
                                                                       void *next = nullptr) {
    return memory.Put(
        VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR{kExecutablesType, next, on});
  }
};

TEST_F(LoaderStatistics, A15_B1_B9_NoChain) {
  OpenAll();
  ASSERT_EQ(Create(Info()), VK_SUCCESS);
  EXPECT_EQ(fake_device_attempt_count(), 1U);
  EXPECT_EQ(Extensions(0), (Names{kCalibrated, kExecutables}));
  EXPECT_TRUE(Last()->pipeline_executable_info);
  EXPECT_TRUE(Last()->host_query_reset);
  ASSERT_EQ(Last()->chain_count, 3U); // two in front
  EXPECT_EQ(Last()->chain[1], kExecutablesType);
  EXPECT_EQ(Last()->chain_pointers[2], &direct.device_link);
  Profile profile = Destroy();
  EXPECT_EQ(Enabled(profile),
            (Names{"hostQueryReset", kCalibrated, kExecutables, "pipelineExecutableInfo"}));
  EXPECT_EQ(Reason(profile, "pipeline_statistics"), "");
  EXPECT_EQ(Reason(profile, "pipeline_creation_feedback"), "");
}

TEST_F(LoaderStatistics, B6_TheApplicationsOwnFeature) {
  OpenAll();
  auto *own = Executables(VK_TRUE, memory.Put(Twelve(VK_TRUE)));
  const VkDeviceCreateInfo *info = Info(own, {kCalibrated, kExecutables});
  ASSERT_EQ(Create(info), VK_SUCCESS);
  ExpectOriginal(info, 1);
  EXPECT_NE(direct.layer.pfnGetDeviceProcAddr(device, "vkGetPipelineExecutableStatisticsKHR"),
            nullptr);
  Profile profile = Destroy();
  EXPECT_EQ(Enabled(profile), Names());
  EXPECT_EQ(Reason(profile, "pipeline_statistics"), "");
}

// Both structures of the application are copied, once, up to the last of them.
TEST_F(LoaderStatistics, A15_B1_B2_BothFeaturesOff) {
  OpenAll();
  void *after = memory.Put(
      VkPhysicalDeviceVulkan13Features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES});
  auto *own = Executables(VK_FALSE, after);
  auto *twelve = memory.Put(Twelve(VK_FALSE, own));
  ASSERT_EQ(Create(Info(twelve, {kExecutables})), VK_SUCCESS);
  EXPECT_EQ(Extensions(0), (Names{kExecutables, kCalibrated}));
  EXPECT_TRUE(Last()->pipeline_executable_info);
  EXPECT_TRUE(Last()->host_query_reset);
  EXPECT_TRUE(Last()->timeline_semaphore);
  ASSERT_EQ(Last()->chain_count, 4U);
  EXPECT_NE(Last()->chain_pointers[1], twelve);
  EXPECT_NE(Last()->chain_pointers[2], own);
  EXPECT_EQ(Last()->chain_pointers[3], after);
  Profile profile = Destroy();
  EXPECT_EQ(Enabled(profile), (Names{"hostQueryReset", kCalibrated, "pipelineExecutableInfo"}));
}

TEST_F(LoaderStatistics, A15_B1_OnlyTheSecondIsOff) {
  OpenAll();
  auto *twelve = memory.Put(Twelve(VK_FALSE));
  auto *own = Executables(VK_FALSE, twelve);
  ASSERT_EQ(Create(Info(own)), VK_SUCCESS);
  EXPECT_TRUE(Last()->pipeline_executable_info);
  EXPECT_TRUE(Last()->host_query_reset);
  ASSERT_EQ(Last()->chain_count, 3U); // nothing twice
  Destroy();
}

TEST_F(LoaderStatistics, A15_B1_UnknownBeforeTheHolder) {
  OpenAll();
  auto *own = Executables(VK_FALSE);
  auto *unknown = memory.Put(VkBaseInStructure{static_cast<VkStructureType>(1000999000),
                                               reinterpret_cast<const VkBaseInStructure *>(own)});
  auto *twelve = memory.Put(Twelve(VK_FALSE, unknown));
  ASSERT_EQ(Create(Info(twelve)), VK_SUCCESS);
  EXPECT_EQ(fake_device_attempt_count(), 1U);
  EXPECT_FALSE(Last()->pipeline_executable_info);
  EXPECT_TRUE(Last()->host_query_reset); // stands before it
  EXPECT_EQ(Last()->chain_pointers[2], unknown);
  Profile profile = Destroy();
  EXPECT_EQ(Enabled(profile), (Names{"hostQueryReset", kCalibrated}));
  EXPECT_EQ(Reason(profile, "pipeline_statistics"),
            "a structure of unknown size stands before the one to change");
}

TEST_F(LoaderStatistics, B7_OurCommandsAreInvisible) {
  OpenAll("expose_disabled=1");
  ASSERT_EQ(Create(Info()), VK_SUCCESS);
  for (const char *name :
       {"vkGetPipelineExecutablePropertiesKHR", "vkGetPipelineExecutableStatisticsKHR",
        "vkGetPipelineExecutableInternalRepresentationsKHR"}) {
    EXPECT_EQ(direct.layer.pfnGetDeviceProcAddr(device, name), nullptr) << name;
  }
  Destroy();
}

// ---- refusals: each alone costs no other ----

const char kRefused[] = "the driver refused a device with it";

TEST_F(LoaderStatistics, B8_FeatureRefused) {
  OpenAll("refuse_features=pipelineExecutableInfo");
  ASSERT_EQ(Create(Info()), VK_SUCCESS);
  EXPECT_EQ(fake_device_attempt_count(), 2U);
  EXPECT_EQ(Extensions(1), (Names{kCalibrated}));
  EXPECT_TRUE(Last()->host_query_reset);
  Profile profile = Destroy();
  EXPECT_EQ(Enabled(profile), (Names{"hostQueryReset", kCalibrated}));
  EXPECT_EQ(Reason(profile, "pipeline_statistics"), kRefused);
  EXPECT_EQ(Reason(profile, "host_query_reset"), "");
}

TEST_F(LoaderStatistics, B8_ExtensionRefused) {
  OpenAll(std::string("refuse_extensions=") + kExecutables);
  ASSERT_EQ(Create(Info()), VK_SUCCESS);
  EXPECT_EQ(Enabled(Destroy()), (Names{"hostQueryReset", kCalibrated}));
}

TEST_F(LoaderStatistics, B8_FeedbackRefused) {
  OpenAll(std::string("refuse_extensions=") + kFeedback, VK_API_VERSION_1_2);
  ASSERT_EQ(Create(Info()), VK_SUCCESS);
  Profile profile = Destroy();
  EXPECT_EQ(Enabled(profile),
            (Names{"hostQueryReset", kCalibrated, kExecutables, "pipelineExecutableInfo"}));
  EXPECT_EQ(Reason(profile, "pipeline_creation_feedback"), kRefused);
}

TEST_F(LoaderStatistics, B8_OneOfTimingRefused) {
  OpenAll("refuse_features=hostQueryReset");
  ASSERT_EQ(Create(Info()), VK_SUCCESS);
  EXPECT_EQ(Enabled(Destroy()), (Names{kCalibrated, kExecutables, "pipelineExecutableInfo"}));
}

TEST_F(LoaderStatistics, B8_AllOfTimingRefused) {
  OpenAll(std::string("refuse_features=hostQueryReset;refuse_extensions=") + kCalibrated);
  ASSERT_EQ(Create(Info()), VK_SUCCESS);
  EXPECT_EQ(Enabled(Destroy()), (Names{kExecutables, "pipelineExecutableInfo"}));
}

TEST_F(LoaderStatistics, B8_EverythingRefused) {
  OpenAll(std::string("refuse_features=hostQueryReset+pipelineExecutableInfo;refuse_extensions=") +
              kCalibrated + "+" + kFeedback,
          VK_API_VERSION_1_2);
  const VkDeviceCreateInfo *info = Info();
  ASSERT_EQ(Create(info), VK_SUCCESS);
  ExpectOriginal(info, 10);
  EXPECT_EQ(Enabled(Destroy()), Names());
}

TEST_F(LoaderStatistics, B6_B9_SwitchedOff) {
  Setting("ENABLE_FEATURES", "0");
  OpenAll("", VK_API_VERSION_1_2);
  const VkDeviceCreateInfo *info = Info();
  ASSERT_EQ(Create(info), VK_SUCCESS);
  ExpectOriginal(info, 1);
  Profile profile = Destroy();
  const char reason[] = "switched off by the setting ENABLE_FEATURES";
  EXPECT_EQ(Reason(profile, "pipeline_statistics"), reason);
  EXPECT_EQ(Reason(profile, "pipeline_creation_feedback"), reason);
}

} // namespace
