// False alarms and power of the default rule, simulated as in the design: 40 us kernels, runs that
// differ by 1 %, a slow drift within a run, jitter of 1 %, one sample of a hundred an outlier,
// ticks of 32 ns, 300 samples a run. The generator is written out here, so the numbers are the same
// everywhere; the limits are those of the design's table, give or take what its trials leave open.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "comparison_sides.hpp"

namespace {

class Generator {
public:
  double Uniform() { // splitmix64
    state_ += 0x9e3779b97f4a7c15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
  }
  double Normal() { // Box and Muller
    return std::sqrt(-2 * std::log(1 - Uniform())) * std::cos(2 * M_PI * Uniform());
  }

private:
  uint64_t state_ = 20240611;
};

constexpr int kTrials = 400;
constexpr int kSamples = 300;

// Median of a run, on ticks of 32 ns.
int64_t MedianOfRun(Generator &generator, double center_ns) {
  double run = center_ns * std::exp(0.01 * generator.Normal());
  double phase = 2 * M_PI * generator.Uniform();
  std::vector<int64_t> samples;
  for (int i = 0; i < kSamples; i++) {
    double drift = 1 + 0.005 * std::sin(phase + 2 * M_PI * i / kSamples);
    double sample = run * drift * (1 + 0.01 * generator.Normal());
    sample *= generator.Uniform() < 0.01 ? 1.5 : 1;
    samples.push_back(32 * std::llround(sample / 32));
  }
  std::nth_element(samples.begin(), samples.begin() + kSamples / 2, samples.end());
  return samples[kSamples / 2];
}

struct Shares {
  double slower = 0, faster = 0, same = 0, unclear = 0;
};

// Each trial is a row of one comparison; their code differs, so none is a control.
Shares Simulate(int runs, double change) {
  Generator generator;
  std::vector<Kernels> documents[2] = {std::vector<Kernels>(runs), std::vector<Kernels>(runs)};
  for (int trial = 0; trial < kTrials; trial++) {
    for (int side = 0; side < 2; side++) {
      for (int run = 0; run < runs; run++) {
        int64_t median = MedianOfRun(generator, 40000 * (side == 1 ? 1 + change : 1));
        std::string name = "k" + std::to_string(trial);
        documents[side][run].push_back({name, name + (side == 1 ? "b" : "a"), {median}});
      }
    }
  }
  Side base;
  Side fresh;
  for (int run = 0; run < runs; run++) {
    base.Add(documents[0][run]);
    fresh.Add(documents[1][run]);
  }
  Comparison comparison(base, fresh);
  const size_t *counts = comparison.it.verdict_counts;
  EXPECT_EQ(comparison.Panel().row_count, (size_t)kTrials);
  return {(double)counts[VKM_VERDICT_SLOWER] / kTrials,
          (double)counts[VKM_VERDICT_FASTER] / kTrials, (double)counts[VKM_VERDICT_SAME] / kTrials,
          (double)counts[VKM_VERDICT_UNCLEAR] / kTrials};
}

} // namespace

TEST(ComparisonSimulation, NoChangeRaisesNoAlarm) {
  for (int runs : {3, 5, 10}) {
    Shares shares = Simulate(runs, 0);
    EXPECT_LE(shares.slower + shares.faster, 0.01) << runs;
    // SAME: 12, 56 and 98 % in the table.
    EXPECT_NEAR(shares.same, runs == 3 ? 0.12 : runs == 5 ? 0.56 : 0.98, 0.06) << runs;
  }
}

TEST(ComparisonSimulation, FivePercentAreFound) {
  EXPECT_NEAR(Simulate(3, 0.05).slower, 0.61, 0.08);
  Shares five = Simulate(5, 0.05);
  EXPECT_GE(five.slower, 0.94);
  EXPECT_EQ(five.faster, 0);
  EXPECT_EQ(five.same, 0);
  EXPECT_GE(Simulate(10, 0.05).slower, 0.999);
  EXPECT_GE(Simulate(5, -0.05).faster, 0.94);
}

TEST(ComparisonSimulation, AChangeOnTheLimitIsUnclear) {
  Shares shares = Simulate(5, 0.02);
  EXPECT_LE(shares.slower, 0.05);
  EXPECT_LE(shares.same, 0.05);
  EXPECT_GE(shares.unclear, 0.9);
}

// One run a side, no change: rows judged by so many code-identical ones. A threshold of practically
// nothing shows the interval's own false alarms, 9, 7 and 6 % in the design.
TEST(ComparisonSimulation, ControlsHoldTheirConfidence) {
  struct vkm_compare_settings settings = Comparison::Defaults();
  settings.threshold = 1e-9;
  settings.floor_ns = 0;
  Generator generator;
  for (int controls : {10, 20, 40}) {
    const int trials = 50;
    const int changed = 20;
    size_t alarms = 0;
    size_t alarms_by_default = 0;
    for (int trial = 0; trial < trials; trial++) {
      Kernels documents[2];
      for (int i = 0; i < controls + changed; i++) {
        for (int side = 0; side < 2; side++) {
          std::string name = "k" + std::to_string(i);
          std::string code = i < controls || side == 0 ? name : name + "b";
          int64_t time = std::llround(1e6 * std::exp(0.01 * generator.Normal() + 0.03 * side));
          documents[side].push_back({name, code, {time}});
        }
      }
      Side base;
      Side fresh;
      base.Add(documents[0]);
      fresh.Add(documents[1]);
      Comparison comparison(base, fresh, settings);
      Comparison by_default(base, fresh);
      for (int i = controls; i < controls + changed; i++) {
        alarms += comparison.Row("k" + std::to_string(i)).verdict != VKM_VERDICT_UNCLEAR;
        enum vkm_verdict verdict = by_default.Row("k" + std::to_string(i)).verdict;
        alarms_by_default +=
            verdict == VKM_VERDICT_LIKELY_SLOWER || verdict == VKM_VERDICT_LIKELY_FASTER;
      }
    }
    double expected = controls == 10 ? 0.09 : controls == 20 ? 0.07 : 0.06;
    EXPECT_NEAR((double)alarms / (trials * changed), expected, 0.04) << controls;
    EXPECT_LE((double)alarms_by_default / (trials * changed), 0.02) << controls;
  }
}
