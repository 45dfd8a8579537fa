// Ticks become nanoseconds: masks, wraps, rounding, no loss at 2^53, saturation.
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

extern "C" {
#include "measure/ticks.h"
}

namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

int64_t Ns(double period_ns, uint64_t ticks) {
  struct vkm_tick_clock clock = vkm_tick_clock_of(period_ns, 64);
  return vkm_ticks_to_ns(&clock, ticks);
}

TEST(MeasureTicks, D12_D14_SaysWhichClocksAreUsable) {
  EXPECT_TRUE(vkm_tick_clock_usable(1, 36));
  EXPECT_TRUE(vkm_tick_clock_usable(0.5, 1));
  EXPECT_TRUE(vkm_tick_clock_usable(83.333F, 64));
  EXPECT_FALSE(vkm_tick_clock_usable(0, 64));
  EXPECT_FALSE(vkm_tick_clock_usable(-1, 64));
  EXPECT_FALSE(vkm_tick_clock_usable(INFINITY, 64));
  EXPECT_FALSE(vkm_tick_clock_usable(NAN, 64));
  EXPECT_FALSE(vkm_tick_clock_usable(1, 0));
  EXPECT_FALSE(vkm_tick_clock_usable(1, 65));
}

TEST(MeasureTicks, D13_DifferencesAreRightAcrossOneWrap) {
  struct vkm_tick_clock narrow = vkm_tick_clock_of(1, 36);
  EXPECT_EQ(vkm_ticks_between(&narrow, 68719476700, 64), 100U);
  EXPECT_EQ(vkm_ticks_between(&narrow, 5, 5), 0U);
  EXPECT_EQ(vkm_ticks_between(&narrow, 10, 1010), 1000U);
  struct vkm_tick_clock wide = vkm_tick_clock_of(1, 64);
  EXPECT_EQ(vkm_ticks_between(&wide, UINT64_MAX - 3, 4), 8U);
  struct vkm_tick_clock one_bit = vkm_tick_clock_of(1, 1);
  EXPECT_EQ(vkm_ticks_between(&one_bit, 1, 0), 1U);
}

TEST(MeasureTicks, D13_BitsBeyondTheValidOnesAreIgnored) {
  struct vkm_tick_clock clock = vkm_tick_clock_of(1, 36);
  uint64_t rubbish = UINT64_C(0xabc) << 40;
  EXPECT_EQ(vkm_ticks_between(&clock, 10 | rubbish, 1010), 1000U);
  EXPECT_EQ(vkm_ticks_between(&clock, 10, 1010 | rubbish), 1000U);
}

TEST(MeasureTicks, RoundsToTheNearestNanosecond) {
  EXPECT_EQ(Ns(1, 0), 0);
  EXPECT_EQ(Ns(1, 1), 1);
  EXPECT_EQ(Ns(0.25, 1), 0);
  EXPECT_EQ(Ns(0.25, 2), 1); // one half rounds up
  EXPECT_EQ(Ns(0.25, 3), 1);
  EXPECT_EQ(Ns(0.25, 5), 1);
  EXPECT_EQ(Ns(0.25, 6), 2);
  EXPECT_EQ(Ns(1.5, 1), 2);
  EXPECT_EQ(Ns(1.5, 3), 5);
  EXPECT_EQ(Ns(10, 12345), 123450);
  EXPECT_EQ(Ns(52.083332F, 3), 156);      // 156.249996
  EXPECT_EQ(Ns(52.083332F, 1000), 52083); // 52083.332
  EXPECT_EQ(Ns(83.333336F, 12), 1000);    // 1000.000032
}

// Against whole numbers: the period's 24 bits times up to 38 bits of ticks, shifted, a half up.
TEST(MeasureTicks, FewTicksAreConvertedAsExactlyAsMany) {
  uint64_t random = 1;
  for (int i = 0; i < 200000; i++) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    uint64_t mantissa = (random >> 40) | 0x800000U; // 24 bits
    uint64_t ticks = (random >> 12) & ((UINT64_C(1) << (random % 39)) - 1);
    int shift = static_cast<int>(random >> 8 & 31) + 1;
    double period = std::ldexp(static_cast<double>(mantissa), -shift);
    uint64_t product = mantissa * ticks;
    int64_t expected = static_cast<int64_t>((product >> shift) + (product >> (shift - 1) & 1));
    ASSERT_EQ(Ns(period, ticks), expected) << period << " * " << ticks;
    struct vkm_tick_clock plain = {period, 64, 0, 0, 0};
    ASSERT_EQ(vkm_ticks_to_ns(&plain, ticks), expected) << period << " * " << ticks;
  }
  uint64_t many = (UINT64_C(1) << 38) + 1; // just beyond
  EXPECT_EQ(Ns(0.5, many), static_cast<int64_t>(many / 2 + 1));
  EXPECT_EQ(Ns(16777215, many - 2), static_cast<int64_t>(16777215 * (many - 2)));
}

TEST(MeasureTicks, D14_NothingIsLostBeyondTheMantissaOfADouble) {
  uint64_t past = (UINT64_C(1) << 53) + 1;
  EXPECT_EQ(Ns(1, past), static_cast<int64_t>(past));
  EXPECT_EQ(Ns(1, (UINT64_C(1) << 62) + 1), (INT64_C(1) << 62) + 1);
  EXPECT_EQ(Ns(0.5, (UINT64_C(1) << 63) + 2), (INT64_C(1) << 62) + 1);
  EXPECT_EQ(Ns(3, past), static_cast<int64_t>(3 * past));
  // 2^60 + 1 ticks of 52.083332F / 64, all exact powers but the period's 24 bits.
  double period_ns = 52.083332F / 64;
  EXPECT_EQ(Ns(period_ns, UINT64_C(1) << 60), static_cast<int64_t>(std::ldexp(period_ns, 60)));
}

TEST(MeasureTicks, D14_AgreesWithLongDoubleOnManyValues) {
  uint64_t ticks = 1;
  for (double period_ns : {1.0, 10.0, 0.0625, 52.083332F * 1.0, 83.333336F * 1.0, 1e-3F * 1.0}) {
    for (int i = 0; i < 1000; i++) {
      ticks = ticks * UINT64_C(6364136223846793005) + 1442695040888963407;
      uint64_t count = ticks >> 30; // 34 bits: the product fits the 64 of a long double's mantissa
      long double exact = static_cast<long double>(count) * static_cast<long double>(period_ns);
      EXPECT_EQ(Ns(period_ns, count), llroundl(exact)) << period_ns << " * " << count;
    }
  }
}

TEST(MeasureTicks, Saturates) {
  EXPECT_EQ(Ns(1, UINT64_MAX), kMost);
  EXPECT_EQ(Ns(1, UINT64_C(1) << 63), kMost);
  EXPECT_EQ(Ns(1, (UINT64_C(1) << 63) - 1), kMost);
  EXPECT_EQ(Ns(1e30F, 1), kMost);
  EXPECT_EQ(Ns(std::numeric_limits<double>::max(), 1), kMost);
  EXPECT_EQ(Ns(std::numeric_limits<double>::max(), 0), 0);
  EXPECT_EQ(Ns(std::numeric_limits<double>::denorm_min(), UINT64_MAX), 0);
  EXPECT_EQ(Ns(1.0 / (UINT64_C(1) << 63), UINT64_MAX), 2);
}

TEST(MeasureTicks, D13_LineUnwraps) {
  struct vkm_tick_clock clock = vkm_tick_clock_of(1, 36);
  struct vkm_tick_line line = {};
  EXPECT_EQ(vkm_tick_line_ns(&line, &clock, 68719476700), 0);
  EXPECT_EQ(vkm_tick_line_ns(&line, &clock, 68719476735), 35);
  EXPECT_EQ(vkm_tick_line_ns(&line, &clock, 64), 100);
  EXPECT_EQ(vkm_tick_line_ns(&line, &clock, 1064), 1100);
}

TEST(MeasureTicks, LineGoesBackForAStampThatLiesBefore) {
  struct vkm_tick_clock clock = vkm_tick_clock_of(10, 36);
  struct vkm_tick_line line = {};
  EXPECT_EQ(vkm_tick_line_ns(&line, &clock, 100), 0);
  EXPECT_EQ(vkm_tick_line_ns(&line, &clock, 40), -600);
  EXPECT_EQ(vkm_tick_line_ns(&line, &clock, 68719476700), -1360); // before the wrap
  EXPECT_EQ(vkm_tick_line_ns(&line, &clock, 150), 500);
}

TEST(MeasureTicks, LineTakesHalfTheRangeAsForward) {
  struct vkm_tick_clock clock = vkm_tick_clock_of(1, 8);
  struct vkm_tick_line forward = {};
  EXPECT_EQ(vkm_tick_line_ns(&forward, &clock, 0), 0);
  EXPECT_EQ(vkm_tick_line_ns(&forward, &clock, 128), 128);
  EXPECT_EQ(vkm_tick_line_ns(&forward, &clock, 0), 256);
  struct vkm_tick_line backward = {};
  EXPECT_EQ(vkm_tick_line_ns(&backward, &clock, 0), 0);
  EXPECT_EQ(vkm_tick_line_ns(&backward, &clock, 129), -127);
}

TEST(MeasureTicks, LineOf64BitsGoesBothWays) {
  struct vkm_tick_clock clock = vkm_tick_clock_of(1, 64);
  struct vkm_tick_line line = {};
  EXPECT_EQ(vkm_tick_line_ns(&line, &clock, UINT64_MAX), 0);
  EXPECT_EQ(vkm_tick_line_ns(&line, &clock, 9), 10);
  EXPECT_EQ(vkm_tick_line_ns(&line, &clock, UINT64_MAX - 9), -9 + 0);
}

TEST(MeasureTicks, LineDoesNotAddUpRoundingErrors) {
  struct vkm_tick_clock clock = vkm_tick_clock_of(0.4F, 36);
  struct vkm_tick_line line = {};
  int64_t last_ns = 0;
  for (uint64_t ticks = 0; ticks <= 1000; ticks++) { // each step alone would round to 0
    last_ns = vkm_tick_line_ns(&line, &clock, ticks);
  }
  EXPECT_EQ(last_ns, 400);
}

} // namespace

// D13: a 36-bit counter of 1 ns wraps every 68.7 s; a queue that idles for longer cannot be placed
// by its stamps alone.
TEST(MeasureTicks, D13_APauseOfMoreThanTheRangeIsPlacedByTheHostsClock) {
  struct vkm_tick_clock clock = vkm_tick_clock_of(1.0, 36);
  vkm_tick_line line = {};
  const int64_t range = INT64_C(1) << 36;
  EXPECT_EQ(vkm_tick_line_ns(&line, &clock, 1000), 0);
  uint64_t later = (1000 + 5 * static_cast<uint64_t>(range) + 77) & (range - 1);
  vkm_tick_line_ns(&line, &clock, later);
  vkm_tick_line_near(&line, &clock, 5 * range + 1000000);
  EXPECT_EQ(vkm_tick_line_ns(&line, &clock, later), 5 * range + 77);
  // More than half the range: taken for a step back at first.
  uint64_t half = (later + static_cast<uint64_t>(range) / 2 + 9) & (range - 1);
  EXPECT_LT(vkm_tick_line_ns(&line, &clock, half), 5 * range);
  vkm_tick_line_near(&line, &clock, 5 * range + range / 2);
  EXPECT_EQ(vkm_tick_line_ns(&line, &clock, half), 5 * range + 77 + range / 2 + 9);
}

TEST(MeasureTicks, AWideCounterIsNotMoved) {
  struct vkm_tick_clock clock = vkm_tick_clock_of(1.0, 64);
  vkm_tick_line line = {};
  EXPECT_EQ(vkm_tick_line_ns(&line, &clock, 5), 0);
  vkm_tick_line_near(&line, &clock, INT64_C(1) << 60);
  EXPECT_EQ(vkm_tick_line_ns(&line, &clock, 6), 1);
}
