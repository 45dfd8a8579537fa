// What a driver cannot give is in the profile, each with its reason.
//
// In: drivers with and without. Out: devices[].capabilities.
#include "layer_test_case.h"

namespace {

class Capabilities : public LayerTest {
protected:
  Profile RunOn(const std::string &script) {
    Open(script);
    VkPipeline a = gpu.Pipeline("a", 1000);
    gpu.RunOne(a);
    return Finish();
  }

  // "yes", or why not.
  static std::string Of(const Profile &profile, const std::string &name) {
    const std::string way = "devices.0.capabilities." + name;
    return profile.Flag(way) ? "yes" : profile.Text(way + "_reason");
  }
};

TEST_F(Capabilities, AllThere) {
  Profile profile = RunOn("rare_extensions=1");
  EXPECT_EQ(Of(profile, "timestamps"), "yes");
  EXPECT_EQ(Of(profile, "timestamps_on_every_family"), "yes");
  EXPECT_EQ(Of(profile, "performance_query"), "yes");
  EXPECT_EQ(Of(profile, "host_query_reset"), "yes");
  EXPECT_EQ(Of(profile, "calibrated_timestamps"), "yes");
}

TEST_F(Capabilities, SomeFamiliesWithoutTimestamps) {
  Profile profile = RunOn("families=gc+t:0+c+s:0");
  EXPECT_EQ(Of(profile, "timestamps"), "yes");
  EXPECT_EQ(Of(profile, "timestamps_on_every_family"),
            "the driver gives timestamps no valid bits on queue family 1, 3");
}

TEST_F(Capabilities, NoFamilyWithTimestamps) {
  Profile profile = RunOn("families=gc:0");
  EXPECT_EQ(Of(profile, "timestamps"),
            "the driver gives timestamps no valid bits on any queue family");
  EXPECT_EQ(Of(profile, "timestamps_on_every_family"),
            "the driver gives timestamps no valid bits on queue family 0");
  EXPECT_EQ(profile.Coverage().measured, 0);
}

TEST_F(Capabilities, NoTick) {
  Profile profile = RunOn("period=inf");
  EXPECT_EQ(Of(profile, "timestamps"),
            "the driver reports a tick of no usable length (timestampPeriod)");
  EXPECT_EQ(profile.Coverage().measured, 0);
}

TEST_F(Capabilities, ExtensionsNotOffered) {
  Profile profile = RunOn("missing=VK_EXT_memory_budget");
  EXPECT_EQ(Of(profile, "memory_budget"), "the driver does not offer VK_EXT_memory_budget");
  EXPECT_EQ(Of(profile, "performance_query"), "the driver does not offer VK_KHR_performance_query");
}

// A CPU driver is known as one by its type, and by its name behind a virtual device.
TEST_F(Capabilities, SoftwareByType) {
  EXPECT_TRUE(RunOn("type=cpu").Flag("devices.0.software"));
}

TEST_F(Capabilities, SoftwareByNameBehindAVirtualDevice) {
  EXPECT_TRUE(RunOn("type=virtual;name=Virtio-GPU Venus (llvmpipe)").Flag("devices.0.software"));
}

TEST_F(Capabilities, AVirtualGpuIsNoSoftware) {
  EXPECT_FALSE(RunOn("type=virtual;name=Virtio-GPU Venus (Radeon)").Flag("devices.0.software"));
}

} // namespace
