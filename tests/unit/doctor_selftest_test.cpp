// The verdict of the self test on profiles made by hand: right, and each way to be wrong.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "doctor/selftest.h"
}

namespace {

constexpr int64_t kStart = 5000000000; // of the run, on the host's clock
constexpr int64_t kPause = 1000000;    // between submissions
constexpr int64_t kLoads[] = {10, 5000, 400000};

// 13 runs of every pattern, one after the other, each time exactly what its load takes.
class SelfTest : public ::testing::Test {
protected:
  void SetUp() override {
    int64_t now = 1000;
    for (int run = 0; run < VKM_SELFTEST_RUNS; run++) {
      for (int pattern = 0; pattern < VKM_PATTERN_COUNT; pattern++) {
        int64_t begin = now;
        for (int at = 0; at < VKM_POSITION_COUNT; at++) {
          if (vkm_positions[at].pattern == pattern) {
            int64_t duration = kLoads[vkm_positions[at].load];
            samples[at].push_back(duration);
            begins[at].push_back(now);
            now += duration;
          }
        }
        AddRun(pattern, run, kStart + begin - 100, kStart + now + 100);
        now += kPause;
      }
    }
  }

  struct vkm_selftest Judge(const char *clock = "calibrated") {
    std::vector<struct vkm_read_kernel> kernels(VKM_POSITION_COUNT);
    std::vector<struct vkm_read_pipeline> pipelines(VKM_POSITION_COUNT);
    for (size_t at = 0; at < VKM_POSITION_COUNT; at++) {
      pipelines[at].entry_point = vkm_positions[at].entry_point;
      kernels[at].pipeline = at;
      kernels[at].samples_ns = samples[at].data();
      kernels[at].sample_count = samples[at].size();
      kernels[at].begins_ns = begins[at].empty() ? nullptr : begins[at].data();
    }
    struct vkm_read_device device = {};
    device.clock_source = clock;
    struct vkm_read_profile profile = {};
    profile.run.started_monotonic_ns = kStart;
    profile.devices = &device;
    profile.device_count = 1;
    profile.kernels = kernels.data();
    profile.kernel_count = kernels.size();
    profile.pipelines = pipelines.data();
    profile.pipeline_count = pipelines.size();
    struct vkm_facts facts = {};
    facts.items = items.data();
    facts.count = items.size();
    struct vkm_selftest selftest;
    vkm_selftest_judge(&selftest, &profile, 0, &facts);
    return selftest;
  }

  std::vector<int64_t> samples[VKM_POSITION_COUNT], begins[VKM_POSITION_COUNT];
  std::vector<struct vkm_fact> items;

private:
  void AddRun(int pattern, int run, int64_t before, int64_t after) {
    struct vkm_fact fact = {"run", {Keep(pattern), Keep(run), Keep(before), Keep(after), "1", ""}};
    items.push_back(fact);
  }

  const char *Keep(int64_t value) {
    texts.push_back(std::make_unique<std::string>(std::to_string(value)));
    return texts.back()->c_str();
  }

  std::vector<std::unique_ptr<std::string>> texts;
};

TEST_F(SelfTest, RightWhereEveryTimeIsThatOfItsLoad) {
  struct vkm_selftest selftest = Judge();
  EXPECT_EQ(selftest.attribution, VKM_ATTRIBUTION_RIGHT);
  EXPECT_STREQ(selftest.why, "");
  EXPECT_TRUE(vkm_selftest_good(&selftest));
  EXPECT_EQ(selftest.compared, 60);
  EXPECT_EQ(selftest.reversed, 0);
  EXPECT_EQ(selftest.placed, 140);
  EXPECT_EQ(selftest.outside, 0);
  EXPECT_EQ(selftest.disordered, 0);
  EXPECT_EQ(selftest.runs, 91);
  EXPECT_EQ(selftest.after_heavy_ns, 0);
  EXPECT_EQ(selftest.above_empty_ns, 4990);
}

TEST_F(SelfTest, BiasIsOfTheMediansBehindTheFirstThreeRuns) {
  for (size_t run = 0; run < 3; run++) {
    samples[VKM_POSITION_L_1][run] = 90000000;
  }
  for (int64_t &sample : samples[VKM_POSITION_HL_2]) {
    sample += 123;
  }
  struct vkm_selftest selftest = Judge();
  EXPECT_EQ(selftest.attribution, VKM_ATTRIBUTION_RIGHT);
  EXPECT_EQ(selftest.median_ns[VKM_POSITION_L_1], 5000);
  EXPECT_EQ(selftest.after_heavy_ns, 123);
}

TEST_F(SelfTest, NeighboursWithEachOthersTimesAreWrongInEveryPattern) {
  const int pairs[][2] = {{VKM_POSITION_HL_1, VKM_POSITION_HL_2},
                          {VKM_POSITION_LH_1, VKM_POSITION_LH_2},
                          {VKM_POSITION_HLH_1, VKM_POSITION_HLH_2},
                          {VKM_POSITION_HLH_2, VKM_POSITION_HLH_3},
                          {VKM_POSITION_HL_shared_1, VKM_POSITION_HL_shared_2},
                          {VKM_POSITION_LH_shared_1, VKM_POSITION_LH_shared_2}};
  for (const int *pair : pairs) {
    std::swap(samples[pair[0]], samples[pair[1]]);
    struct vkm_selftest selftest = Judge();
    EXPECT_EQ(selftest.attribution, VKM_ATTRIBUTION_WRONG) << pair[0];
    EXPECT_NE(std::string(selftest.why).find(vkm_positions[pair[0]].entry_point), std::string::npos)
        << selftest.why;
    EXPECT_FALSE(vkm_selftest_good(&selftest));
    std::swap(samples[pair[0]], samples[pair[1]]);
  }
}

// Begin stamps that do not wait for earlier work (as TOP_OF_PIPE): what comes after something heavy
// is charged with it.
TEST_F(SelfTest, LightThatIsChargedWithTheHeavyBeforeItIsWrong) {
  for (int at : {VKM_POSITION_HL_2, VKM_POSITION_HLH_2}) {
    for (int64_t &sample : samples[at]) {
      sample += kLoads[VKM_LOAD_heavy];
    }
  }
  struct vkm_selftest selftest = Judge();
  EXPECT_EQ(selftest.attribution, VKM_ATTRIBUTION_WRONG);
  EXPECT_EQ(selftest.reversed, 30);
}

TEST_F(SelfTest, AFewDisturbedRunsAreNoVerdict) {
  for (size_t run = 3; run < 7; run++) {
    samples[VKM_POSITION_LH_1][run] = 3 * kLoads[VKM_LOAD_heavy];
  }
  struct vkm_selftest selftest = Judge();
  EXPECT_EQ(selftest.attribution, VKM_ATTRIBUTION_RIGHT);
  EXPECT_EQ(selftest.reversed, 4);
}

TEST_F(SelfTest, WhatIsMissingOrAlikeIsNotKnown) {
  samples[VKM_POSITION_LH_2].pop_back();
  struct vkm_selftest selftest = Judge();
  EXPECT_EQ(selftest.attribution, VKM_ATTRIBUTION_UNKNOWN);
  EXPECT_STREQ(selftest.why, "not all 13 runs of LH_2_heavy were timed");
  EXPECT_FALSE(vkm_selftest_good(&selftest));
  samples[VKM_POSITION_LH_2].push_back(kLoads[VKM_LOAD_heavy]);
  for (int64_t &sample : samples[VKM_POSITION_H_1]) {
    sample = 9999;
  }
  selftest = Judge();
  EXPECT_EQ(selftest.attribution, VKM_ATTRIBUTION_UNKNOWN);
  EXPECT_NE(std::string(selftest.why).find("too alike to tell"), std::string::npos);
}

TEST_F(SelfTest, WithoutTheEmptyPatternThereIsABiasLess) {
  samples[VKM_POSITION_E_1].clear();
  begins[VKM_POSITION_E_1].clear();
  struct vkm_selftest selftest = Judge();
  EXPECT_TRUE(vkm_selftest_good(&selftest));
  EXPECT_FALSE(selftest.has_bias);
}

TEST_F(SelfTest, StampsOutsideTheirSubmissionAndOutOfOrder) {
  for (int at = 0; at < VKM_POSITION_COUNT; at++) {
    for (int64_t &begin : begins[at]) {
      begin -= kPause / 2;
    }
  }
  struct vkm_selftest selftest = Judge();
  EXPECT_EQ(selftest.outside, 140);
  EXPECT_EQ(selftest.disordered, 0);
  EXPECT_FALSE(vkm_selftest_good(&selftest));
  for (int64_t &begin : begins[VKM_POSITION_HLH_3]) {
    begin -= 100;
  }
  EXPECT_EQ(Judge().disordered, 10);
  EXPECT_EQ(Judge("none").placed, 0); // no clock to compare with
}

TEST_F(SelfTest, WrongResultsAreSeen) {
  items[4].values[4] = "0"; // LH of the first run
  struct vkm_selftest selftest = Judge();
  EXPECT_EQ(selftest.attribution, VKM_ATTRIBUTION_RIGHT);
  EXPECT_EQ(selftest.wrong_results, 1);
  EXPECT_FALSE(vkm_selftest_good(&selftest));
}

} // namespace
