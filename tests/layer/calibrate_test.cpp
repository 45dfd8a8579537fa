// Device ticks on the host's clock, with clocks that drift, by hand (pitfalls D21, D22).
//
// In: ticks and host times. Out: where timing/calibrate.c puts a tick. The host's clock starts at
// 1000 s, the device's at 0, both in ns unless said otherwise.
#include <cstdint>

#include <gtest/gtest.h>

#include "calibrate_world.h"

namespace {

constexpr int64_t kSecond = 1000000000;
constexpr int64_t kStart = 1000 * kSecond;

// A device clock that is `millionths` faster than the host's.
uint64_t Ticks(int64_t since_start_ns, int64_t millionths) {
  return static_cast<uint64_t>(since_start_ns + since_start_ns / 1000000 * millionths);
}

// An execution of 10 us, submitted 50 us before it began, seen `late_ns` after its end.
void See(int64_t at_ns, int64_t millionths, int64_t late_ns) {
  calibrate_seen(Ticks(at_ns, millionths), Ticks(at_ns + 10000, millionths), kStart + at_ns - 50000,
                 kStart + at_ns + 10000 + late_ns);
}

TEST(LayerCalibrate, NothingIsKnownBeforeAnything) {
  calibrate_open(1, 64);
  EXPECT_EQ(calibrate_host_ns(5), INT64_MIN);
}

TEST(LayerCalibrate, D21_TheBracketAloneGivesItsMiddle) {
  calibrate_open(1, 64);
  See(0, 0, 150000);
  EXPECT_EQ(calibrate_host_ns(0), kStart + 50000); // between -50 us and +150 us
  See(kSecond / 1000000, 0, 30000);                // later ones narrow it
  EXPECT_EQ(calibrate_host_ns(0), kStart - 10000);
  EXPECT_FALSE(calibrate_mismatch());
}

TEST(LayerCalibrate, D21_OneCalibrationIsExactWithoutDrift) {
  calibrate_open(1, 64);
  See(0, 0, 150000);
  calibrate_taken(Ticks(kSecond, 0), kStart + kSecond);
  EXPECT_EQ(calibrate_host_ns(Ticks(5 * kSecond, 0)), kStart + 5 * kSecond);
  EXPECT_FALSE(calibrate_mismatch());
}

// Half a second after a calibration a clock that is 100 millionths off is wrong by 50 us; along the
// drift of the last two calibrations it is not.
TEST(LayerCalibrate, D21_BetweenCalibrationsTheDriftIsFollowed) {
  calibrate_open(1, 64);
  See(0, 100, 150000);
  calibrate_taken(Ticks(kSecond, 100), kStart + kSecond);
  EXPECT_NEAR(static_cast<double>(calibrate_host_ns(Ticks(3 * kSecond / 2, 100)) - kStart),
              1.5e9 + 50000, 100); // nothing is known of the drift yet
  calibrate_taken(Ticks(2 * kSecond, 100), kStart + 2 * kSecond);
  for (int64_t at : {2 * kSecond, 5 * kSecond / 2, 3 * kSecond / 2}) {
    EXPECT_NEAR(static_cast<double>(calibrate_host_ns(Ticks(at, 100)) - kStart),
                static_cast<double>(at), 100);
  }
}

TEST(LayerCalibrate, D21_ADriftThatNoClockHasIsNotFollowed) {
  calibrate_open(1, 64);
  See(0, 0, 150000);
  calibrate_taken(Ticks(kSecond, 0), kStart + kSecond);
  calibrate_taken(Ticks(2 * kSecond, 0), kStart + 2 * kSecond + 400000000); // a jump
  EXPECT_EQ(calibrate_host_ns(Ticks(2 * kSecond, 0)), kStart + 50000 + 2 * kSecond);
  EXPECT_TRUE(calibrate_mismatch());
}

// The counter that is calibrated has another epoch than that of the queries.
TEST(LayerCalibrate, D22_AConstantOffsetIsFoundAndTheBracketUsed) {
  calibrate_open(1, 64);
  See(0, 0, 150000);
  calibrate_taken(Ticks(kSecond, 0) + 11850000000, kStart + kSecond);
  EXPECT_EQ(calibrate_host_ns(0), kStart + 50000);
  EXPECT_TRUE(calibrate_mismatch());
}

// A bound of long ago is not held against a calibration of now: in an hour a clock that is 100
// millionths off moves by 360 ms. Executions are seen late, so they do not push the old bound away.
TEST(LayerCalibrate, D22_DriftOverAnHourIsNoMismatch) {
  calibrate_open(1, 64);
  for (int64_t minute = 0; minute <= 60; minute++) {
    int64_t at = minute * 60 * kSecond;
    See(at, 100, minute % 7 == 0 ? 100000 : 900000000);
    calibrate_taken(Ticks(at + kSecond, 100), kStart + at + kSecond);
    (void)calibrate_host_ns(Ticks(at, 100));
    ASSERT_FALSE(calibrate_mismatch()) << "minute " << minute;
  }
}

TEST(LayerCalibrate, D13_ANarrowCounterIsFollowedAcrossItsWraps) {
  constexpr uint64_t kMask = (UINT64_C(1) << 36) - 1; // 68.7 s
  calibrate_open(1, 36);
  calibrate_seen(0, 10000, kStart - 50000, kStart + 160000);
  uint64_t later = static_cast<uint64_t>(200 * kSecond);
  calibrate_seen(later & kMask, (later + 10000) & kMask, kStart + 200 * kSecond - 50000,
                 kStart + 200 * kSecond + 160000);
  EXPECT_NEAR(static_cast<double>(calibrate_host_ns(later & kMask) - kStart), 200e9, 1e6);
}

} // namespace
