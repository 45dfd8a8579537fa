// Device times on the host's clock (pitfalls D21 to D23).
//
// In: the real clock in the driver, calibration that is right, offset, useless or missing. Out: the
// clock's source, and begins between the host's own readings.
#include <ctime>

#include "layer_test_case.h"

namespace {

int64_t Monotonic() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000000000 + now.tv_nsec;
}

constexpr int64_t kCost = 2000000;

class TimingCalibration : public LayerTest {
protected:
  // One execution of `kCost`; before and after are the host's readings around it.
  void RunOne(VkPipeline pipeline) {
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(buffer, pipeline);
    before = Monotonic();
    gpu.Run(buffer);
    after = Monotonic();
  }

  // "first" until the collector has calibrated (or had the time to), then "a" once.
  Profile RunCalibrated(const std::string &script) {
    Setting("SAMPLE_TIMES", "1");
    Open("completion=real;" + script);
    VkPipeline first = gpu.Pipeline("first", 5 * kCost);
    VkPipeline a = gpu.Pipeline("a", kCost);
    for (int i = 0; i < 20 && Calls() == 0; i++) {
      RunOne(first);
    }
    RunOne(a);
    return Finish();
  }

  static uint64_t Calls() {
    return fake_call_count("vkGetCalibratedTimestampsKHR") +
           fake_call_count("vkGetCalibratedTimestampsEXT");
  }

  void ExpectBeginBetweenReadings(const Profile &profile) {
    KernelRow row = profile.Row("a");
    ASSERT_EQ(row.begins.size(), 1U);
    int64_t begin = row.begins[0] + profile.Number("run.started_monotonic_ns");
    EXPECT_GE(begin, before);
    EXPECT_LE(begin + row.samples[0], after);
  }

  int64_t before = 0, after = 0;
};

TEST_F(TimingCalibration, D21_CalibratedBeginsLieBetweenTheHostsReadings) {
  Profile profile = RunCalibrated("");
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{kCost + 10});
  EXPECT_EQ(profile.Text("devices.0.clock.source"), "calibrated");
  EXPECT_EQ(profile.Text("devices.0.clock.domain"), "CLOCK_MONOTONIC");
  EXPECT_EQ(profile.Number("devices.0.clock.max_deviation_ns"), 1);
  EXPECT_FALSE(profile.Flag("devices.0.clock.mismatch"));
  ExpectBeginBetweenReadings(profile);
}

TEST_F(TimingCalibration, D21_ExtensionOfTheOlderName) {
  Profile profile = RunCalibrated("missing=VK_KHR_calibrated_timestamps");
  EXPECT_EQ(profile.Text("devices.0.clock.source"), "calibrated");
  ExpectBeginBetweenReadings(profile);
}

// D22: calibration read from another counter than queries: off by a constant 11.85 s.
TEST_F(TimingCalibration, D22_MismatchIsSaidAndNotUsed) {
  Profile profile = RunCalibrated("calibration_offset=11850000000");
  EXPECT_TRUE(profile.Flag("devices.0.clock.mismatch"));
  EXPECT_EQ(profile.Text("devices.0.clock.source"), "bracketed");
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{kCost + 10});
  KernelRow row = profile.Row("a");
  ASSERT_EQ(row.begins.size(), 1U);
  int64_t begin = row.begins[0] + profile.Number("run.started_monotonic_ns");
  EXPECT_NEAR(static_cast<double>(begin), static_cast<double>(before), 1e9);
}

// D23: a deviation that never gets better ends after ten tries.
TEST_F(TimingCalibration, D23_TriesAreBounded) {
  Profile profile = RunCalibrated("calibration_deviation=18446744073709551615");
  EXPECT_GE(Calls(), 1U);
  EXPECT_LE(Calls(), 20U); // at most two calibrations in the time that this takes
  EXPECT_EQ(profile.Text("devices.0.clock.source"), "bracketed");
  EXPECT_TRUE(cJSON_IsNull(profile.At("devices.0.clock.max_deviation_ns")));
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{kCost + 10});
}

TEST_F(TimingCalibration, D21_NoExtension) {
  Profile profile =
      RunCalibrated("missing=VK_KHR_calibrated_timestamps+VK_EXT_calibrated_timestamps");
  EXPECT_EQ(Calls(), 0U);
  EXPECT_EQ(profile.Text("devices.0.clock.source"), "bracketed");
  EXPECT_FALSE(profile.Flag("devices.0.clock.mismatch"));
  EXPECT_FALSE(profile.Flag("devices.0.capabilities.calibrated_timestamps"));
}

TEST_F(TimingCalibration, D23_NoMonotonicDomain) {
  Profile profile = RunCalibrated("calibration_domains=1");
  EXPECT_EQ(profile.Text("devices.0.clock.source"), "bracketed");
}

TEST_F(TimingCalibration, D22_CalibrationThatFails) {
  Open("completion=real");
  fake_fail("vkGetCalibratedTimestampsKHR", 0, VK_ERROR_OUT_OF_HOST_MEMORY);
  VkPipeline a = gpu.Pipeline("a", kCost);
  RunOne(a);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{kCost + 10});
  EXPECT_EQ(profile.Text("devices.0.clock.source"), "bracketed");
}

} // namespace
