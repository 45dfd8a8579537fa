// Each verdict over runs, and what it rests on. Intervals are those of scipy 1.10.1 (ttest_ind on
// the logs with equal_var=False), whose numbers are written down here.
#include <gtest/gtest.h>

#include <cmath>

#include "comparison_sides.hpp"

extern "C" {
#include "model/comparison_parts.h"
}

namespace {

const std::vector<int64_t> kBase = {181300, 183500, 182400, 181900, 183100};
const std::vector<int64_t> kSlower = {194900, 197200, 196100, 195300, 197000};

// One kernel, one sample a run.
void AddRuns(Side &side, const std::vector<int64_t> &runs, const std::string &code = "a") {
  for (int64_t run : runs) {
    side.Add({{"k", code, {run}}});
  }
}

std::string SaidOf(const std::vector<int64_t> &base, const std::vector<int64_t> &fresh,
                   struct vkm_compare_settings settings = Comparison::Defaults()) {
  Side one;
  Side other;
  AddRuns(one, base);
  AddRuns(other, fresh);
  return Comparison(one, other, settings).Said("k");
}

} // namespace

TEST(ComparisonJudge, NumbersOfSlowerAreThoseOfScipy) {
  Side base;
  Side fresh;
  AddRuns(base, kBase);
  AddRuns(fresh, kSlower, "b");
  Comparison comparison(base, fresh);
  const struct vkm_compared_row &row = comparison.Row("k");
  EXPECT_EQ(comparison.Said("k"), "slower interval-above-threshold");
  EXPECT_EQ(row.evidence, VKM_EVIDENCE_RUNS);
  EXPECT_EQ(row.code, VKM_CODE_CHANGED);
  EXPECT_EQ(row.sides[VKM_BASE].center_ns, 182400);
  EXPECT_EQ(row.sides[VKM_NEW].center_ns, 196100);
  EXPECT_EQ(row.sides[VKM_BASE].run_count, 5U);
  EXPECT_EQ(row.sides[VKM_BASE].run_ns[1], 183500);
  EXPECT_EQ(row.sides[VKM_BASE].calls, 5U);
  EXPECT_NEAR(row.change, 196100.0 / 182400 - 1, 1e-12);
  EXPECT_NEAR(row.log_difference, 0.0722021896809544, 1e-12);
  EXPECT_NEAR(row.standard_error, 0.00317310189836883, 1e-12);
  EXPECT_NEAR(row.degrees_of_freedom, 7.97208558859891, 1e-8);
  EXPECT_NEAR(row.t, 22.7544503749062, 1e-8);
  EXPECT_NEAR(row.low, 0.0670315507354173, 1e-10);
  EXPECT_NEAR(row.high, 0.0827713702234047, 1e-10);
  EXPECT_NEAR(row.impact_ns, 196100 - 182400, 1e-6);
  EXPECT_EQ(row.runs_needed, 0U);
  EXPECT_FALSE(row.has_p);
  EXPECT_EQ(comparison.it.verdict_counts[VKM_VERDICT_SLOWER], 1U);
}

TEST(ComparisonJudge, FasterSameAndUnclear) {
  EXPECT_EQ(SaidOf(kBase, {171300, 173500, 172400, 171900, 173100}),
            "faster interval-below-threshold");
  EXPECT_EQ(SaidOf(kBase, {181400, 183400, 182300, 181800, 183300}),
            "same interval-within-threshold");
  EXPECT_EQ(SaidOf(kBase, {174000, 196000, 188000, 182000, 201000}),
            "unclear interval-straddles-threshold");
}

TEST(ComparisonJudge, ThresholdAndConfidenceAreThoseAskedFor) {
  struct vkm_compare_settings settings = Comparison::Defaults();
  settings.threshold = 0.09; // the interval ends at 8.3 %
  EXPECT_EQ(SaidOf(kBase, kSlower, settings), "same interval-within-threshold");
  settings.threshold = 0.066; // and begins at 6.7 %
  EXPECT_EQ(SaidOf(kBase, kSlower, settings), "slower interval-above-threshold");
  settings.confidence = 0.999;
  EXPECT_EQ(SaidOf(kBase, kSlower, settings), "unclear interval-straddles-threshold");
}

TEST(ComparisonJudge, AChangeBelowTheFloorIsNone) {
  // 10 %, but 4 ns: with a tick of 1 ns the floor is 2 ns.
  EXPECT_EQ(SaidOf({40, 40, 40}, {44, 44, 44}), "slower interval-above-threshold");
  EXPECT_EQ(SaidOf({20, 20, 20}, {22, 22, 22}), "same interval-within-floor");
  struct vkm_compare_settings settings = Comparison::Defaults();
  settings.floor_ns = 5;
  EXPECT_EQ(SaidOf({40, 40, 40}, {44, 44, 44}, settings), "same interval-within-floor");
  EXPECT_EQ(SaidOf({44, 44, 44}, {40, 40, 40}, settings), "same interval-within-floor");
  EXPECT_EQ(SaidOf({40, 40, 40}, {44, 45, 46}, settings), "unclear interval-straddles-floor");
  settings.floor_ns = 3;
  EXPECT_EQ(SaidOf({44, 44, 44}, {40, 40, 40}, settings), "faster interval-below-threshold");
}

TEST(ComparisonJudge, RunsNeededFollowTheSpread) {
  // The example of the design: runs differ by 2.8 %, +3.2 %. scipy's quantiles give these numbers.
  EXPECT_EQ(vkm_runs_needed(std::log(1.032), 0.028, std::log(1.02), 0.95), 46U);
  EXPECT_EQ(vkm_runs_needed(0, 0.028, std::log(1.02), 0.95), 17U);
  EXPECT_EQ(vkm_runs_needed(0, 0.01, std::log(1.02), 0.95), 4U);
  EXPECT_EQ(vkm_runs_needed(-std::log(1.05), 0.01, std::log(1.02), 0.95), 3U);
  EXPECT_EQ(vkm_runs_needed(std::log(1.02), 0.01, std::log(1.02), 0.95), 0U); // on the limit
  EXPECT_EQ(vkm_runs_needed(0.1, 5, std::log(1.02), 0.95), 0U);
  Side base;
  Side fresh;
  AddRuns(base, {1000000, 1028000, 985000, 1005000, 980000});
  AddRuns(fresh, {1032000, 1060000, 1010000, 1045000, 1015000});
  Comparison comparison(base, fresh);
  const struct vkm_compared_row &row = comparison.Row("k");
  EXPECT_EQ(row.verdict, VKM_VERDICT_UNCLEAR);
  EXPECT_NEAR(row.low, 0.00384412754784743, 1e-10);
  EXPECT_NEAR(row.high, 0.0625780292795481, 1e-10);
  EXPECT_GT(row.runs_needed, 5U);
  EXPECT_LT(row.runs_needed, 50U);
}

TEST(ComparisonJudge, ARowThatFewRunsHaveIsUnclear) {
  Side base;
  Side fresh;
  for (int i = 0; i < 5; i++) {
    base.Add({{"k", "a", {1000}}, {"rare", "r", {1000}}});
    Kernels run = {{"k", "a", {1000}}};
    if (i < 2) {
      run.push_back({"rare", "r", {2000}});
    }
    fresh.Add(run);
  }
  Comparison comparison(base, fresh);
  EXPECT_EQ(comparison.Said("rare"), "unclear in-too-few-runs");
  EXPECT_EQ(comparison.Row("rare").runs_needed, 3U);
  EXPECT_EQ(comparison.Row("rare").evidence, VKM_EVIDENCE_NONE);
  EXPECT_EQ(comparison.Said("k"), "same interval-within-threshold");
}

TEST(ComparisonJudge, WhatHasNoTimeIsUnclear) {
  EXPECT_EQ(SaidOf({0, 0, 0}, {1, 1, 1}), "unclear below-resolution");
  Side base;
  Side fresh;
  for (int i = 0; i < 3; i++) {
    base.Add({{"k", "a", {1000}}});
    fresh.Add({{"k", "a", {}}});
  }
  Comparison comparison(base, fresh);
  EXPECT_EQ(comparison.Said("k"), "unclear not-timed");
  EXPECT_FALSE(comparison.Row("k").has_change);
  EXPECT_FALSE(comparison.Row("k").has_impact);
  EXPECT_FALSE(comparison.Row("k").sides[VKM_NEW].has_time);
}

TEST(ComparisonJudge, FirstUsesAreSetAside) {
  Side base;
  Side fresh;
  for (int i = 0; i < 3; i++) {
    base.Add({{"k", "a", {9000, 1000, 1000}, {1, 1, 1}, 0}, {"once", "o", {9000}, {1, 1, 1}, 0}});
    fresh.Add(
        {{"k", "a", {70000, 1000, 1000}, {1, 1, 1}, 0}, {"once", "o", {9000, 1000}, {1, 1, 1}, 0}});
  }
  Comparison comparison(base, fresh);
  EXPECT_EQ(comparison.Said("k"), "same interval-within-threshold");
  EXPECT_EQ(comparison.Row("k").sides[VKM_NEW].calls, 6U);
  EXPECT_EQ(comparison.Row("k").sides[VKM_NEW].total_ns, 2000);
  EXPECT_EQ(comparison.Said("once"), "unclear first-use-on-one-side");
  EXPECT_TRUE(comparison.Row("once").sides[VKM_BASE].only_first_use);
  EXPECT_EQ(comparison.Row("once").sides[VKM_BASE].center_ns, 9000);
  struct vkm_compare_settings settings = Comparison::Defaults();
  settings.warmup = 0;
  Comparison kept(base, fresh, settings);
  EXPECT_EQ(kept.Row("k").sides[VKM_NEW].total_ns, 72000);
  EXPECT_EQ(kept.Said("once"), "faster interval-below-threshold");
}

TEST(ComparisonJudge, OtherStatistics) {
  std::vector<int64_t> samples;
  for (int i = 0; i < 500; i++) {
    samples.push_back(1000 + i);
  }
  Side base;
  Side fresh;
  for (int i = 0; i < 3; i++) {
    base.Add({{"k", "a", samples}, {"few", "f", {1, 2, 3}}});
    std::vector<int64_t> tail = samples;
    for (int j = 490; j < 500; j++) {
      tail[j] += 5000; // 2 % of them
    }
    fresh.Add({{"k", "a", tail}, {"few", "f", {1, 2, 3}}});
  }
  struct vkm_compare_settings settings = Comparison::Defaults();
  EXPECT_EQ(Comparison(base, fresh, settings).Said("k"), "same interval-within-threshold");
  settings.stat = VKM_STAT_P99;
  Comparison tails(base, fresh, settings);
  EXPECT_EQ(tails.Said("k"), "slower interval-above-threshold");
  EXPECT_NEAR(tails.Row("k").sides[VKM_BASE].center_ns, 1494.01, 1e-9); // type 7
  EXPECT_EQ(tails.Said("few"), "unclear few-samples");
  settings.stat = VKM_STAT_MIN;
  Comparison least(base, fresh, settings);
  EXPECT_EQ(least.Row("k").sides[VKM_BASE].center_ns, 1000);
  EXPECT_EQ(least.Said("k"), "same interval-within-threshold");
}

TEST(ComparisonJudge, ProcessesOfARunCountAsOne) {
  Side base;
  Side fresh;
  for (int i = 0; i < 4; i++) {
    base.Add({{"k", "a", {1000, 1000}}}, "same").Add({{"k", "a", {1000}}}, "same");
    fresh.Add({{"k", "a", {2000}}});
  }
  Comparison comparison(base, fresh);
  EXPECT_EQ(comparison.Panel().run_count[VKM_BASE], 1U);
  EXPECT_EQ(comparison.Panel().run_count[VKM_NEW], 4U);
  EXPECT_EQ(comparison.Row("k").sides[VKM_BASE].run_count, 1U);
  EXPECT_EQ(comparison.Row("k").sides[VKM_BASE].calls, 12U);
  EXPECT_EQ(comparison.Row("k").sides[VKM_BASE].total_ns, 12000);
  EXPECT_EQ(comparison.Said("k"), "unclear single-run");
}

TEST(ComparisonJudge, RowsStandByVerdictThenImpactThenName) {
  Side base;
  Side fresh;
  for (int i = 0; i < 3; i++) {
    base.Add({{"gone", "g", {10}},
              {"slow", "s", {1000}},
              {"slower", "t", {100000}},
              {"b same", "u", {1000}},
              {"a same", "v", {1000}},
              {"fast", "f", {1000}},
              {"unclear", "x", {1000 + 500 * i}}});
    fresh.Add({{"new", "n", {10}},
               {"slow", "s", {2000}},
               {"slower", "t", {150000}},
               {"b same", "u", {1000}},
               {"a same", "v", {1000}},
               {"fast", "f", {500}},
               {"unclear", "x", {1000 + 500 * i}}});
  }
  Comparison comparison(base, fresh);
  EXPECT_EQ(comparison.Names(), "slower slower\nslow slower\nunclear unclear\nnew new\ngone gone\n"
                                "fast faster\na same same\nb same same");
  EXPECT_EQ(comparison.Row("gone").impact_ns, -10);
  EXPECT_EQ(comparison.Row("new").impact_ns, 10);
  EXPECT_EQ(comparison.Row("new").reason, std::string("only-in-new"));
  EXPECT_EQ(comparison.Panel().verdict_counts[VKM_VERDICT_SLOWER], 2U);
}

// Twenty rows of pure noise, and one that changed: p-values by hand of ranks.
TEST(ComparisonJudge, WithoutAThresholdHolmCorrects) {
  Side base;
  Side fresh;
  Kernels runs[6];
  for (int row = 0; row < 20; row++) {
    for (int i = 0; i < 6; i++) {
      // The new side is 0.1 % longer, runs spread by 0.1 %: p is near 0.29 in each.
      int64_t value = 1000000 + 1000 * (i % 3) + (i >= 3 ? 1000 : 0);
      runs[i].push_back({"k" + std::to_string(row), "c" + std::to_string(row), {value}});
    }
  }
  for (int i = 0; i < 6; i++) {
    int64_t value = 1000000 + 1000 * (i % 3) + (i >= 3 ? 10000 : 0);
    runs[i].push_back({"changed", "x", {value}}); // p is 0.00026, times 21 0.0054
    value = 1000000 + 1000 * (i % 3) + (i >= 3 ? 3500 : 0);
    runs[i].push_back({"by itself", "y", {value}}); // p is 0.0127: 1.3 %, but one of 22 rows
    (i < 3 ? base : fresh).Add(runs[i]);
  }
  struct vkm_compare_settings settings = Comparison::Defaults();
  settings.threshold = 0;
  Comparison comparison(base, fresh, settings);
  EXPECT_EQ(comparison.Said("changed"), "slower significant");
  EXPECT_EQ(comparison.Said("by itself"), "unclear not-significant");
  EXPECT_EQ(comparison.Said("k7"), "unclear not-significant");
  EXPECT_TRUE(comparison.Row("changed").has_p);
  EXPECT_LT(comparison.Row("changed").p, 0.05);
  EXPECT_GT(comparison.Row("by itself").p, 0.05);
  EXPECT_EQ(comparison.Row("k7").p, 1);
  EXPECT_EQ(comparison.Row("k7").runs_needed, 0U);
  EXPECT_EQ(SaidOf({1000000, 1001000, 1002000}, {1003500, 1004500, 1005500}, settings),
            "slower significant"); // as the only one
  EXPECT_EQ(SaidOf({100, 100, 100}, {101, 101, 101}, settings), "same interval-within-floor");
  settings.floor_ns = 3000; // of 3500: not surely beyond it
  EXPECT_EQ(SaidOf({1000000, 1001000, 1002000}, {1003500, 1004500, 1005500}, settings),
            "unclear not-significant");
}
