// Each verdict over runs, and what it rests on.
#include <gtest/gtest.h>

#include <cmath>

#include "comparison_sides.hpp"

namespace {

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

const std::vector<int64_t> kBase = {181300, 183500, 182400, 181900, 183100};

} // namespace

TEST(ComparisonJudge, NumbersOfSlowerAreThoseOfScipy) {
  Side base;
  Side fresh;
  AddRuns(base, kBase);
  AddRuns(fresh, {194900, 197200, 196100, 195300, 197000}, "b");
  Comparison comparison(base, fresh);
  const struct vkm_compared_row &row = comparison.Row("k");
  EXPECT_EQ(comparison.Said("k"), "slower interval-above-threshold");
  EXPECT_EQ(row.evidence, VKM_EVIDENCE_RUNS);
  EXPECT_EQ(row.code, VKM_CODE_CHANGED);
  EXPECT_EQ(row.sides[VKM_BASE].center_ns, 182400);
  EXPECT_EQ(row.sides[VKM_NEW].center_ns, 196100);
  EXPECT_EQ(row.sides[VKM_BASE].run_count, 5U);
  EXPECT_EQ(row.sides[VKM_BASE].run_ns[1], 183500);
  EXPECT_NEAR(row.change, 196100.0 / 182400 - 1, 1e-12);
  EXPECT_NEAR(row.impact_ns, 196100 - 182440, 1e-6);
  EXPECT_EQ(row.runs_needed, 0U);
  EXPECT_FALSE(row.has_p);
}

TEST(ComparisonJudge, FasterSameAndUnclear) {
  EXPECT_EQ(SaidOf(kBase, {171300, 173500, 172400, 171900, 173100}),
            "faster interval-below-threshold");
  EXPECT_EQ(SaidOf(kBase, {181400, 183400, 182300, 181800, 183300}),
            "same interval-within-threshold");
  EXPECT_EQ(SaidOf(kBase, {174000, 196000, 188000, 182000, 201000}),
            "unclear interval-straddles-threshold");
}
