// What is added by the version of the application and of the device, and what happens when the
// driver refuses it (pitfalls B4, B5, B7, B8, B10).
//
// In: versions, drivers that refuse one thing, everything, or fail otherwise. Out: every attempt;
// the last is the application's own.
#include "loader_create.h"

namespace {

const char kRefused[] = "the driver refused a device with it";

// ---- versions ----

struct Version {
  uint32_t api;
  std::vector<const char *> instance_extensions;
  Names added;
  bool reset;
};

// The name of the test.
void PrintTo(const Version &version, std::ostream *out) {
  *out << "1." << VK_API_VERSION_MINOR(version.api) << (version.api == 0 ? "_by_0" : "")
       << (version.instance_extensions.empty() ? "" : "_properties2");
}

class LoaderCreateVersion : public LoaderCreate, public ::testing::WithParamInterface<Version> {};

TEST_P(LoaderCreateVersion, B4_B5_B10_AdditionsByVersion) {
  const Version &version = GetParam();
  OpenAll("", version.api, version.instance_extensions);
  EXPECT_EQ(witnessed.instance_infos.at(0), direct.given); // as it came
  const VkDeviceCreateInfo *info = Info();
  ASSERT_EQ(Create(info), VK_SUCCESS);
  EXPECT_EQ(fake_device_attempt_count(), 1U);
  EXPECT_EQ(Extensions(0), version.added);
  EXPECT_EQ(Last()->host_query_reset, version.reset);
  if (version.added.empty()) {
    ExpectOriginal(info, 1);
  }
  EXPECT_EQ(direct.layer.pfnGetDeviceProcAddr(device, "vkResetQueryPoolEXT"), nullptr);
  EXPECT_EQ(direct.layer.pfnGetDeviceProcAddr(device, "vkGetCalibratedTimestampsKHR"), nullptr);
  EXPECT_EQ(direct.layer.pfnGetDeviceProcAddr(device, "vkGetCalibratedTimestampsEXT"), nullptr);
  Profile profile = Destroy();
  if (version.added.empty()) {
    const char reason[] =
        "the application's instance is 1.0 without VK_KHR_get_physical_device_properties2";
    EXPECT_EQ(Reason(profile, "host_query_reset"), reason);
    EXPECT_EQ(Reason(profile, "calibrated_timestamps"), reason);
  } else {
    EXPECT_EQ(Reason(profile, "host_query_reset"), "");
    EXPECT_EQ(Reason(profile, "calibrated_timestamps"), "");
  }
}

// The commands that are called by name exist at every version.
TEST_P(LoaderCreateVersion, B4_MeasuresAtEveryVersion) {
  const Version &version = GetParam();
  OpenAll("", version.api, version.instance_extensions);
  vkuInitInstanceDispatchTable(direct.instance, &in, direct.layer.pfnGetInstanceProcAddr);
  in.CreateDevice = direct.Instance<PFN_vkCreateDevice>("vkCreateDevice");
  GpuOptions options;
  options.chain = direct.Link(nullptr);
  ASSERT_EQ(gpu.Open(direct.instance, in, direct.layer.pfnGetDeviceProcAddr, options), VK_SUCCESS);
  VkPipeline pipeline = gpu.Pipeline("one", 1000);
  VkCommandBuffer buffer = gpu.Begin();
  gpu.Dispatch(buffer, pipeline);
  gpu.End(buffer);
  for (int i = 0; i < 3; i++) {
    EXPECT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
    EXPECT_EQ(gpu.Wait(), VK_SUCCESS);
  }
  gpu.Close();
  direct.DestroyInstance();
  Profile profile = Read();
  EXPECT_EQ(profile.Coverage().measured, 3);
  EXPECT_EQ(fake_call_count("vkResetQueryPool") != 0, version.reset);
}

const char kProperties2[] = "VK_KHR_get_physical_device_properties2";
INSTANTIATE_TEST_SUITE_P(
    All, LoaderCreateVersion,
    ::testing::Values(
        Version{0, {}, {}, false}, Version{VK_API_VERSION_1_0, {}, {}, false},
        Version{0, {kProperties2}, {kReset, kCalibrated, kFeedback}, true},
        Version{VK_API_VERSION_1_0, {kProperties2}, {kReset, kCalibrated, kFeedback}, true},
        Version{VK_API_VERSION_1_1, {}, {kReset, kCalibrated, kFeedback}, true},
        Version{VK_API_VERSION_1_2, {}, {kCalibrated, kFeedback}, true},
        Version{VK_API_VERSION_1_3, {}, {kCalibrated}, true},
        Version{VK_API_VERSION_1_4, {}, {kCalibrated}, true}));

// The device is older than what the application is written for.
TEST_F(LoaderCreate, B4_OlderDevice) {
  OpenAll("api_version=" + std::to_string(VK_API_VERSION_1_1));
  ASSERT_EQ(Create(Info()), VK_SUCCESS);
  EXPECT_EQ(Extensions(0), (Names{kReset, kCalibrated, kFeedback}));
  EXPECT_EQ(Enabled(Destroy()), (Names{kReset, "hostQueryReset", kCalibrated, kFeedback}));
}

// The application's own extension is found on an old device, and its commands stay visible.
TEST_F(LoaderCreate, B4_B7_OwnExtensionStaysVisible) {
  OpenAll("", VK_API_VERSION_1_1);
  ASSERT_EQ(Create(Info(memory.Put(Split(VK_TRUE)), {kReset, kCalibrated, kFeedback})), VK_SUCCESS);
  EXPECT_EQ(Extensions(0), (Names{kReset, kCalibrated, kFeedback}));
  EXPECT_NE(direct.layer.pfnGetDeviceProcAddr(device, "vkResetQueryPoolEXT"), nullptr);
  EXPECT_NE(direct.layer.pfnGetDeviceProcAddr(device, "vkGetCalibratedTimestampsKHR"), nullptr);
  EXPECT_EQ(Enabled(Destroy()), Names());
}

// ---- refusals ----

TEST_F(LoaderCreate, B8_CalibrationRefused) {
  OpenAll("refuse_extensions=VK_KHR_calibrated_timestamps");
  ASSERT_EQ(Create(Info(nullptr, {"VK_KHR_maintenance4"})), VK_SUCCESS);
  EXPECT_EQ(fake_device_attempt_count(), 2U);
  EXPECT_EQ(Extensions(0), (Names{"VK_KHR_maintenance4", kCalibrated}));
  EXPECT_EQ(Extensions(1), (Names{"VK_KHR_maintenance4"}));
  EXPECT_TRUE(Last()->host_query_reset);
  Profile profile = Destroy();
  EXPECT_EQ(Enabled(profile), (Names{"hostQueryReset"}));
  EXPECT_EQ(Reason(profile, "calibrated_timestamps"), kRefused);
  EXPECT_EQ(Reason(profile, "host_query_reset"), "");
}

TEST_F(LoaderCreate, B8_ResetRefused) {
  OpenAll("refuse_features=hostQueryReset");
  ASSERT_EQ(Create(Info(memory.Put(Twelve(VK_FALSE)))), VK_SUCCESS);
  EXPECT_EQ(fake_device_attempt_count(), 3U);
  EXPECT_EQ(Extensions(0), (Names{kCalibrated}));
  EXPECT_EQ(Extensions(1), Names());
  EXPECT_TRUE(fake_device_attempt(1)->host_query_reset);
  EXPECT_EQ(Extensions(2), (Names{kCalibrated}));
  EXPECT_FALSE(Last()->host_query_reset);
  Profile profile = Destroy();
  EXPECT_EQ(Enabled(profile), (Names{kCalibrated}));
  EXPECT_EQ(Reason(profile, "host_query_reset"), kRefused);
  EXPECT_EQ(Reason(profile, "calibrated_timestamps"), "");
}

TEST_F(LoaderCreate, B8_ResetExtensionRefused) {
  OpenAll("refuse_extensions=VK_EXT_host_query_reset", VK_API_VERSION_1_1);
  ASSERT_EQ(Create(Info()), VK_SUCCESS);
  EXPECT_EQ(Extensions(fake_device_attempt_count() - 1), (Names{kCalibrated, kFeedback}));
  EXPECT_EQ(Enabled(Destroy()), (Names{kCalibrated, kFeedback}));
}

// One addition only: the application's own comes next.
TEST_F(LoaderCreate, B8_OnlyAdditionRefused) {
  OpenAll("refuse_features=hostQueryReset;"
          "missing=VK_EXT_calibrated_timestamps+VK_KHR_calibrated_timestamps");
  const VkDeviceCreateInfo *info = Info();
  ASSERT_EQ(Create(info), VK_SUCCESS);
  ExpectOriginal(info, 2);
  EXPECT_EQ(Reason(Destroy(), "host_query_reset"), kRefused);
}

class LoaderCreateRefusal : public LoaderCreate, public ::testing::WithParamInterface<VkResult> {};

TEST_P(LoaderCreateRefusal, B8_BothRefused) {
  OpenAll("refuse_features=hostQueryReset;refuse_extensions=VK_KHR_calibrated_timestamps;"
          "refuse_result=" +
          std::to_string(GetParam()));
  const VkDeviceCreateInfo *info = Info(nullptr, {"VK_KHR_maintenance4"});
  ASSERT_EQ(Create(info), VK_SUCCESS);
  ExpectOriginal(info, 4);
  Profile profile = Destroy();
  EXPECT_EQ(Enabled(profile), Names());
  EXPECT_EQ(Reason(profile, "host_query_reset"), kRefused);
  EXPECT_EQ(Reason(profile, "calibrated_timestamps"), kRefused);
}

TEST_P(LoaderCreateRefusal, B8_AlwaysRefused) {
  OpenAll();
  fake_fail("vkCreateDevice", 0, GetParam());
  const VkDeviceCreateInfo *info = Info();
  EXPECT_EQ(Create(info), GetParam());
  ExpectOriginal(info, 4);
  direct.DestroyInstance();
}

INSTANTIATE_TEST_SUITE_P(All, LoaderCreateRefusal,
                         ::testing::Values(VK_ERROR_EXTENSION_NOT_PRESENT,
                                           VK_ERROR_FEATURE_NOT_PRESENT,
                                           VK_ERROR_INITIALIZATION_FAILED));

class LoaderCreateError : public LoaderCreate, public ::testing::WithParamInterface<VkResult> {};

// These have nothing to do with what was added: the application's own at once.
TEST_P(LoaderCreateError, B8_OtherErrorsAreReturned) {
  OpenAll();
  fake_fail("vkCreateDevice", 0, GetParam());
  const VkDeviceCreateInfo *info = Info();
  EXPECT_EQ(Create(info), GetParam());
  ExpectOriginal(info, 2);
  direct.DestroyInstance();
}

// Once only: the device is there, without additions.
TEST_P(LoaderCreateError, B8_OtherErrorOnce) {
  OpenAll();
  fake_fail("vkCreateDevice", 1, GetParam());
  const VkDeviceCreateInfo *info = Info();
  ASSERT_EQ(Create(info), VK_SUCCESS);
  ExpectOriginal(info, 2);
  EXPECT_EQ(Enabled(Destroy()), Names());
}

INSTANTIATE_TEST_SUITE_P(All, LoaderCreateError,
                         ::testing::Values(VK_ERROR_OUT_OF_HOST_MEMORY,
                                           VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_TOO_MANY_OBJECTS,
                                           VK_ERROR_DEVICE_LOST));

TEST_F(LoaderCreate, B8_OneAttemptWhereNothingIsAdded) {
  OpenAll("host_query_reset=0;missing=VK_EXT_calibrated_timestamps+VK_KHR_calibrated_timestamps");
  fake_fail("vkCreateDevice", 0, VK_ERROR_FEATURE_NOT_PRESENT);
  const VkDeviceCreateInfo *info = Info();
  EXPECT_EQ(Create(info), VK_ERROR_FEATURE_NOT_PRESENT);
  ExpectOriginal(info, 1);
  direct.DestroyInstance();
}

// The application asks for what the driver does not have: its error, not ours.
TEST_F(LoaderCreate, B8_TheApplicationsOwnMistake) {
  OpenAll();
  const VkDeviceCreateInfo *info = Info(nullptr, {"VK_EXT_does_not_exist"});
  EXPECT_EQ(Create(info), VK_ERROR_EXTENSION_NOT_PRESENT);
  ExpectOriginal(info, 4);
  direct.DestroyInstance();
}

} // namespace
