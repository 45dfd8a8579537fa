// Wall time and memory of whole runs on two sides.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <deque>
#include <string>
#include <vector>

extern "C" {
#include "model/measures.h"
#include "model/sample_file.h"
#include "model/side.h"
}

namespace {

constexpr vkm_measure_limit TEN_PERCENT{0.1, 25e6};

struct Side {
  explicit Side(const std::vector<double> &walls, double heap = 0) {
    heap_.known = true;
    heap_.peak_bytes = static_cast<uint64_t>(heap);
    device_.memory.heaps = &heap_;
    device_.memory.heap_count = 1;
    for (double wall : walls) {
      ids_.push_back("run");
      vkm_read_profile profile{};
      profile.run.id = "run";
      profile.run.sequence = static_cast<int64_t>(profiles_.size());
      profile.devices = &device_;
      profile.device_count = 1;
      runs_.push_back(profiles_.size());
      vkm_side_sample sample{};
      sample.run = ids_.back().data();
      sample.sequence = profile.run.sequence;
      sample.wall_ns = std::llround(wall);
      profiles_.push_back(profile);
      samples_.push_back(sample);
    }
  }
  const vkm_side *get() {
    side_.profiles = profiles_.data();
    side_.profile_count = profiles_.size();
    side_.runs = runs_.data();
    side_.samples = samples_.data();
    side_.sample_count = samples_.size();
    return &side_;
  }
  std::deque<std::string> ids_;
  std::vector<vkm_read_profile> profiles_;
  std::vector<size_t> runs_;
  std::vector<vkm_side_sample> samples_;
  vkm_read_heap heap_{};
  vkm_read_device device_{};
  vkm_side side_{};
};

std::array<vkm_measure, VKM_MEASURES> Compare(Side &base, Side &fresh,
                                              vkm_measure_limit limit = TEN_PERCENT,
                                              vkm_rule rule = VKM_RULE_RUNS) {
  vkm_compare_settings settings{};
  settings.confidence = 0.95;
  settings.rule = rule;
  const vkm_measure_limit limits[VKM_MEASURES] = {limit, {0.1, 0}, {0.1, 0}};
  std::array<vkm_measure, VKM_MEASURES> measures{};
  EXPECT_TRUE(vkm_measures_compare(measures.data(), base.get(), fresh.get(), &settings, limits));
  return measures;
}

// Milliseconds around a center, e^0.01 apart.
std::vector<double> Around(double center_ms) {
  return {center_ms * 1e6, center_ms * 1e6 * std::exp(0.01), center_ms * 1e6 * std::exp(-0.01)};
}

TEST(ModelMeasures, TheIntervalIsThatOfATable) {
  Side base(Around(1000));
  Side fresh(Around(1200));
  vkm_measure wall = Compare(base, fresh)[VKM_MEASURE_WALL];
  // Both deviations are 0.01, so there are 4 degrees of freedom, and t of 97.5 % is 2.7764451.
  double half = 2.7764451 * std::sqrt(2 * 1e-4 / 3);
  EXPECT_NEAR(wall.change, 0.2, 1e-8);
  EXPECT_NEAR(wall.low, 1.2 * std::exp(-half) - 1, 1e-7);
  EXPECT_NEAR(wall.high, 1.2 * std::exp(half) - 1, 1e-7);
  EXPECT_EQ(wall.verdict, VKM_VERDICT_SLOWER);
}

TEST(ModelMeasures, BothLimitsHaveToBeExceeded) {
  Side base(Around(100));
  Side fresh(Around(120));
  EXPECT_EQ(Compare(base, fresh)[VKM_MEASURE_WALL].verdict, VKM_VERDICT_SAME);
  EXPECT_EQ(Compare(base, fresh, {0.1, 10e6})[VKM_MEASURE_WALL].verdict, VKM_VERDICT_SLOWER);
  EXPECT_EQ(Compare(base, fresh, {0.3, 10e6})[VKM_MEASURE_WALL].verdict, VKM_VERDICT_SAME);
  EXPECT_EQ(Compare(fresh, base, {0.1, 10e6})[VKM_MEASURE_WALL].verdict, VKM_VERDICT_FASTER);
}

TEST(ModelMeasures, OneNoisyRunIsNoFalseAlarm) {
  for (double noisy : {1.5, 2.0, 5.0, 100.0}) {
    Side base({1e9, 1.01e9, 0.99e9, 1e9, 1.005e9});
    Side fresh({1e9, 1.01e9, noisy * 1e9, 1e9, 0.995e9});
    EXPECT_EQ(Compare(base, fresh)[VKM_MEASURE_WALL].verdict, VKM_VERDICT_UNCLEAR) << noisy;
    EXPECT_EQ(Compare(base, fresh, TEN_PERCENT, VKM_RULE_SAMPLES)[VKM_MEASURE_WALL].verdict,
              VKM_VERDICT_SAME)
        << noisy;
  }
}

TEST(ModelMeasures, SamplesNeedThreeQuartersBeyondTheMedian) {
  Side base({1e9, 1e9, 1e9, 1e9});
  Side three({2e9, 2e9, 2e9, 0.9e9});
  Side two({2.5e9, 2e9, 0.9e9, 0.9e9});
  Side single({2e9});
  EXPECT_EQ(Compare(base, three, TEN_PERCENT, VKM_RULE_SAMPLES)[VKM_MEASURE_WALL].verdict,
            VKM_VERDICT_LIKELY_SLOWER);
  EXPECT_EQ(Compare(base, two, TEN_PERCENT, VKM_RULE_SAMPLES)[VKM_MEASURE_WALL].verdict,
            VKM_VERDICT_UNCLEAR);
  EXPECT_EQ(Compare(base, single, TEN_PERCENT, VKM_RULE_SAMPLES)[VKM_MEASURE_WALL].verdict,
            VKM_VERDICT_LIKELY_SLOWER);
  EXPECT_EQ(Compare(base, single)[VKM_MEASURE_WALL].verdict, VKM_VERDICT_UNCLEAR);
  EXPECT_STREQ(Compare(base, single)[VKM_MEASURE_WALL].reason, "in-too-few-runs");
}

TEST(ModelMeasures, RunsWithoutProfilesDoNotCount) {
  Side base(Around(1000));
  Side fresh(Around(1000));
  fresh.samples_[2].sequence = 77;
  fresh.samples_[2].wall_ns = 1;
  vkm_measure wall = Compare(base, fresh)[VKM_MEASURE_WALL];
  EXPECT_EQ(wall.run_count[VKM_NEW], 2U);
  EXPECT_EQ(wall.verdict, VKM_VERDICT_UNCLEAR);
}

TEST(ModelMeasures, WhatASideDoesNotKnowIsNotCompared) {
  Side base(Around(1000), 1000);
  Side fresh(Around(1000), 1200);
  Side unknown({});
  auto measures = Compare(base, fresh);
  EXPECT_EQ(measures[VKM_MEASURE_RESIDENT].reason, nullptr);
  EXPECT_EQ(measures[VKM_MEASURE_DEVICE_MEMORY].verdict, VKM_VERDICT_SLOWER);
  EXPECT_EQ(measures[VKM_MEASURE_DEVICE_MEMORY].center[VKM_NEW], 1200);
  for (const vkm_measure &measure : Compare(unknown, fresh)) {
    EXPECT_EQ(measure.reason, nullptr);
    EXPECT_FALSE(measure.has_change);
  }
}

TEST(ModelMeasures, AProcessMoreOfARunAddsItsMemory) {
  Side base(Around(1000), 1000);
  Side fresh(Around(1000), 1000);
  vkm_read_profile more = fresh.profiles_[1];
  fresh.profiles_.push_back(more);
  fresh.runs_.push_back(1);
  auto measures = Compare(base, fresh);
  EXPECT_EQ(measures[VKM_MEASURE_DEVICE_MEMORY].run_count[VKM_NEW], 3U);
  EXPECT_EQ(measures[VKM_MEASURE_DEVICE_MEMORY].center[VKM_NEW], 1000);
  EXPECT_EQ(measures[VKM_MEASURE_DEVICE_MEMORY].verdict, VKM_VERDICT_UNCLEAR);
}

} // namespace
