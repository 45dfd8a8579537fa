// One run a side: what rows whose code did not change say of the machine.
#include <gtest/gtest.h>

#include <cmath>

#include "comparison_sides.hpp"

namespace {

// Controls of 1 ms that move by 0, +0.1 %, -0.1 %, +0.2 %, ... around `drift`; one row that
// changed.
void AddPair(Side &base, Side &fresh, int controls, double drift, double changed) {
  Kernels before;
  Kernels after;
  for (int i = 0; i < controls; i++) {
    int steps = (i + 1) / 2;
    double step = 0.001 * (i % 2 == 1 ? steps : -steps);
    std::string name = "control " + std::to_string(i);
    before.push_back({name, name, {1000000}});
    after.push_back({name, name, {std::llround(1e6 * std::exp(drift + step))}});
  }
  before.push_back({"changed", "old", {1000000}});
  after.push_back({"changed", "new", {std::llround(1e6 * (1 + changed))}});
  base.Add(before);
  fresh.Add(after);
}

std::string SaidOf(int controls, double drift, double changed,
                   struct vkm_compare_settings settings = Comparison::Defaults()) {
  Side base;
  Side fresh;
  AddPair(base, fresh, controls, drift, changed);
  return Comparison(base, fresh, settings).Said("changed");
}

} // namespace

TEST(ComparisonControls, AreJudgedByTheirMedianAndSpread) {
  Side base;
  Side fresh;
  AddPair(base, fresh, 11, 0.01, 0.08);
  Comparison comparison(base, fresh);
  const struct vkm_panel &panel = comparison.Panel();
  const struct vkm_compared_row &row = comparison.Row("changed");
  EXPECT_EQ(panel.control_count, 11U);
  ASSERT_TRUE(panel.has_drift);
  EXPECT_NEAR(std::log1p(panel.drift), 0.01, 1e-6);
  // Steps 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5 thousandths: their median is 3. t of 10 degrees at 97.5 %
  // is 2.228 (a table of Student's t).
  double half = 2.228138852 * 1.4826 * 0.003 * std::sqrt(1 + 1.57 / 11);
  EXPECT_NEAR(std::log1p(panel.noise_floor), half, 1e-5);
  EXPECT_EQ(panel.controls_outside, 0U);
  EXPECT_FALSE(panel.drifted);
  EXPECT_EQ(comparison.Said("changed"), "likely-slower interval-above-threshold");
  EXPECT_EQ(row.evidence, VKM_EVIDENCE_CONTROLS);
  EXPECT_NEAR(std::log1p(row.low), std::log(1.08) - 0.01 - half, 1e-5);
  EXPECT_NEAR(std::log1p(row.high), std::log(1.08) - 0.01 + half, 1e-5);
  EXPECT_NEAR(row.change, 0.08, 1e-9); // as it is: not relative to the drift
  EXPECT_NEAR(row.degrees_of_freedom, 10, 1e-9);
}

TEST(ComparisonControls, VerdictsAreAtMostLikely) {
  EXPECT_EQ(SaidOf(11, 0, 0.5), "likely-slower interval-above-threshold");
  EXPECT_EQ(SaidOf(11, 0, -0.5), "likely-faster interval-below-threshold");
  EXPECT_EQ(SaidOf(11, 0, 0.02), "unclear interval-straddles-threshold");
  EXPECT_EQ(SaidOf(11, 0, 0.003), "same interval-within-threshold");
}

TEST(ComparisonControls, FewerThanTenSayNothing) {
  Side base;
  Side fresh;
  AddPair(base, fresh, 9, 0, 0.5);
  Comparison comparison(base, fresh);
  EXPECT_EQ(comparison.Said("changed"), "unclear single-run");
  EXPECT_EQ(comparison.Said("control 3"), "unclear single-run");
  EXPECT_EQ(comparison.Row("changed").evidence, VKM_EVIDENCE_NONE);
  EXPECT_TRUE(comparison.Row("changed").has_change);
  EXPECT_FALSE(comparison.Row("changed").has_interval);
  EXPECT_EQ(comparison.Panel().control_count, 9U);
  EXPECT_FALSE(comparison.Panel().has_drift);
  EXPECT_EQ(SaidOf(10, 0, 0.5), "likely-slower interval-above-threshold");
}

TEST(ComparisonControls, ChangedKindsAndUnknownGroupsAreNone) {
  Side base;
  Side fresh;
  Kernels before;
  Kernels after;
  for (int i = 0; i < 12; i++) {
    std::string name = std::to_string(i);
    bool indirect = i < 2;
    std::vector<uint32_t> groups =
        indirect ? std::vector<uint32_t>() : std::vector<uint32_t>{1, 1, 1};
    before.push_back({name, name, {1000}, groups, -1, 0, "dispatch_indirect"});
    after.push_back({name,
                     i == 2 ? "other" : name,
                     {1000},
                     groups,
                     -1,
                     0,
                     i == 3 ? "dispatch" : "dispatch_indirect"});
  }
  Comparison comparison(base.Add(before), fresh.Add(after));
  EXPECT_EQ(comparison.Panel().control_count, 8U);
}

TEST(ComparisonControls, DriftOfTheWholeMachineIsFlagged) {
  Side base;
  Side fresh;
  AddPair(base, fresh, 20, 0.05, 0.05);
  Comparison comparison(base, fresh);
  EXPECT_TRUE(comparison.Panel().drifted);
  EXPECT_NEAR(comparison.Panel().drift, std::expm1(0.05), 2e-3);
  // Relative to the drift nothing changed; that is no proof while the machine moves by 5 %.
  EXPECT_EQ(comparison.Said("control 0"), "unclear machine-drifted");
  // A drift of less than the threshold, however sure, is weather.
  Side calm;
  Side breeze;
  AddPair(calm, breeze, 20, 0.015, 0);
  EXPECT_FALSE(Comparison(calm, breeze).Panel().drifted);
}

TEST(ComparisonControls, DriftOverRunsIsReportedAndSubtractedOnlyWhenAsked) {
  Side base;
  Side fresh;
  for (int i = 0; i < 3; i++) {
    AddPair(base, fresh, 11, 0.05, 0.16 + 0.0001 * i);
  }
  Comparison as_is(base, fresh);
  EXPECT_TRUE(as_is.Panel().drifted);
  EXPECT_EQ(as_is.Said("control 0"), "slower interval-above-threshold");
  EXPECT_NEAR(as_is.Row("changed").change, 0.1601, 1e-4);
  struct vkm_compare_settings settings = Comparison::Defaults();
  settings.adjust_drift = true;
  Comparison adjusted(base, fresh, settings);
  EXPECT_EQ(adjusted.Said("control 0"), "same interval-within-threshold");
  EXPECT_EQ(adjusted.Said("changed"), "slower interval-above-threshold");
  EXPECT_NEAR(adjusted.Row("changed").change, 1.1601 / std::exp(0.05) - 1, 1e-4);
  EXPECT_NEAR(std::log1p(adjusted.Row("changed").low), std::log(1.1601) - 0.05, 1e-3);
  EXPECT_NEAR(adjusted.Panel().total_change, (1 + as_is.Panel().total_change) / std::exp(0.05) - 1,
              1e-6);
}

TEST(ComparisonControls, WhereNothingVariesTheTickIsTheSpread) {
  Side base;
  Side fresh;
  Kernels before;
  Kernels after;
  for (int i = 0; i < 12; i++) {
    std::string name = std::to_string(i);
    before.push_back({name, name, {100}});
    after.push_back({name, name, {100}});
  }
  before.push_back({"changed", "old", {100}});
  after.push_back({"changed", "new", {102}});
  Comparison comparison(base.Add(before), fresh.Add(after));
  EXPECT_EQ(comparison.Panel().noise_floor, 0);
  EXPECT_EQ(comparison.Said("changed"), "unclear interval-straddles-threshold");
  EXPECT_NEAR(std::log1p(comparison.Row("changed").high), std::log(1.02) + 0.005, 1e-9);
}

TEST(ComparisonControls, ThoseOutsideTheNoiseFloorAreCounted) {
  Side base;
  Side fresh;
  AddPair(base, fresh, 21, 0, 0);
  Kernels before = {{"wild", "w", {1000000}}, {"wild too", "v", {1000000}}};
  Kernels after = {{"wild", "w", {1500000}}, {"wild too", "v", {600000}}};
  base.Add(before, "run-0");
  fresh.Add(after, "run-0");
  Comparison comparison(base, fresh);
  EXPECT_EQ(comparison.Panel().control_count, 23U);
  EXPECT_EQ(comparison.Panel().controls_outside, 2U);
}
