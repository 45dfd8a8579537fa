// The panel as a whole, and what compilers said otherwise.
#include <gtest/gtest.h>

#include <cmath>

#include "comparison_sides.hpp"

TEST(ComparisonTotals, AreSumsOverMatchedRowsOnly) {
  Side base;
  Side fresh;
  for (int i = 0; i < 5; i++) {
    base.Add({{"a", "a", {1000, 1000, 1000}},
              {"b", "b", {500 + i}},
              {"gone", "g", {40, 2}},
              {"untimed", "u", {7000}}});
    fresh.Add({{"a", "a", {1100, 1100, 1100}},
               {"b", "b", {500 + i}},
               {"new", "n", {70}},
               {"untimed", "u", {}}});
  }
  Comparison comparison(base, fresh);
  const struct vkm_panel &panel = comparison.Panel();
  EXPECT_EQ(panel.matched_count, 2U);
  EXPECT_NEAR(panel.matched_ns[VKM_BASE], 3502, 1e-9);
  EXPECT_NEAR(panel.matched_ns[VKM_NEW], 3802, 1e-9);
  EXPECT_EQ(panel.gone_ns, 42);
  EXPECT_EQ(panel.new_ns, 70);
  ASSERT_TRUE(panel.has_total);
  ASSERT_TRUE(panel.has_total_interval);
  EXPECT_NEAR(panel.total_change, 3802.0 / 3502 - 1, 1e-12);
  EXPECT_LT(panel.total_low, panel.total_change);
  EXPECT_GT(panel.total_high, panel.total_change);
  EXPECT_LT(panel.total_high - panel.total_low, 0.002);
  EXPECT_EQ(panel.total_verdict, VKM_VERDICT_SLOWER);
  ASSERT_TRUE(panel.has_geomean);
  EXPECT_NEAR(panel.geomean, std::sqrt(1.1) - 1, 1e-12);
}

TEST(ComparisonTotals, FewRunsHaveNoInterval) {
  Side base;
  Side fresh;
  Comparison comparison(base.Add({{"a", "a", {1000}}}), fresh.Add({{"a", "a", {3000}}}));
  EXPECT_TRUE(comparison.Panel().has_total);
  EXPECT_FALSE(comparison.Panel().has_total_interval);
  EXPECT_EQ(comparison.Panel().total_change, 2);
  EXPECT_EQ(comparison.Panel().total_verdict, VKM_VERDICT_UNCLEAR);
}

TEST(ComparisonTotals, IncompleteRunsAreCountedAndLeftOutOfSumsOnly) {
  Side base;
  Side fresh;
  for (int i = 0; i < 4; i++) {
    base.Add({{"a", "a", {1000, 1000}}});
    fresh.edit = [i](std::string text) {
      return i < 1 ? Replaced(std::move(text), "\"complete\": true", "\"complete\": false") : text;
    };
    fresh.Add(i < 1 ? Kernels{{"a", "a", {1000}}} : Kernels{{"a", "a", {1000, 1000}}});
  }
  Comparison comparison(base, fresh);
  EXPECT_EQ(comparison.Panel().incomplete_count[VKM_BASE], 0U);
  EXPECT_EQ(comparison.Panel().incomplete_count[VKM_NEW], 1U);
  EXPECT_EQ(comparison.Row("a").sides[VKM_NEW].run_count, 4U);
  EXPECT_EQ(comparison.Panel().matched_ns[VKM_NEW], 2000);
  EXPECT_EQ(comparison.Panel().total_verdict, VKM_VERDICT_SAME);
}

TEST(ComparisonTotals, SumsOfHostileNumbersStayFinite) {
  const int64_t most = ((int64_t)1 << 53) - 1;
  Side base;
  Side fresh;
  for (int i = 0; i < 3; i++) {
    std::vector<int64_t> samples(1000, most); // their sum just fits
    std::string sum = std::to_string(most);
    base.edit = fresh.edit = [sum](std::string text) {
      size_t at = text.find("\"sum\":") + 6;
      return text.replace(at, text.find(',', at) - at, sum);
    };
    base.Add({{"a", "a", samples, {1, 1, 1}, 0}});
    fresh.Add({{"a", "a", samples, {1, 1, 1}, 0}, {"b", "b", {-5}}});
  }
  Comparison comparison(base, fresh);
  EXPECT_TRUE(std::isfinite(comparison.Panel().matched_ns[VKM_BASE]));
  EXPECT_EQ(comparison.Panel().matched_ns[VKM_BASE], 0); // the sum was that of the first use
  EXPECT_FALSE(comparison.Panel().has_total);
  EXPECT_EQ(comparison.Said("a"), "same interval-within-threshold");
}

TEST(ComparisonStatistics, JoinsWhatDiffers) {
  Side base;
  Side fresh;
  base.Add(
      {{"k", "1", {1000}, {1, 1, 1}, -1, 0, "dispatch", {{"VGPRs", 96}, {"SGPRs", 16}, {"x", 1}}},
       {"same", "2", {1000}, {1, 1, 1}, -1, 0, "dispatch", {{"VGPRs", 96}}},
       {"none", "3", {1000}}});
  fresh.Add(
      {{"k", "4", {1000}, {1, 1, 1}, -1, 0, "dispatch", {{"VGPRs", 128}, {"SGPRs", 16}, {"y", 1}}},
       {"same", "2", {1000}, {1, 1, 1}, -1, 0, "dispatch", {{"VGPRs", 96}}},
       {"none", "3", {1000}, {1, 1, 1}, -1, 0, "dispatch", {{"VGPRs", 96}}}});
  Comparison comparison(base, fresh);
  const struct vkm_compared_row &row = comparison.Row("k");
  ASSERT_EQ(row.statistic_count, 1U);
  EXPECT_STREQ(row.statistics[0].executable, "compute");
  EXPECT_STREQ(row.statistics[0].name, "VGPRs");
  EXPECT_EQ(row.statistics[0].base, 96);
  EXPECT_EQ(row.statistics[0].fresh, 128);
  EXPECT_EQ(comparison.Row("same").statistic_count, 0U);
  EXPECT_EQ(comparison.Row("none").statistic_count, 0U);
}

TEST(ComparisonSamples, ThreePartsHaveToHold) {
  struct vkm_compare_settings settings = Comparison::Defaults();
  settings.rule = VKM_RULE_SAMPLES;
  settings.threshold = 0.2;
  settings.floor_ns = 100;
  auto said = [&](const std::vector<int64_t> &base, const std::vector<int64_t> &fresh) {
    Side one;
    Side other;
    return Comparison(one.Add({{"k", "a", base}}), other.Add({{"k", "a", fresh}}), settings)
        .Said("k");
  };
  EXPECT_EQ(said({1000, 1000, 1000, 1000}, {1300, 1300, 1300, 900}),
            "likely-slower samples-beyond-median");
  EXPECT_EQ(said({1000, 1000, 1000, 1000}, {700, 700, 700, 1900}),
            "likely-faster samples-beyond-median");
  EXPECT_EQ(said({1000}, {1200}), "same ratio-within-threshold");
  EXPECT_EQ(said({1000, 1000, 1000}, {1150, 1150, 1150}), "same ratio-within-threshold");
  EXPECT_EQ(said({100, 100, 100}, {190, 190, 190}), "same change-within-floor");
  EXPECT_EQ(said({1000}, {1500, 1500, 900}), "unclear samples-overlap"); // two of three
  EXPECT_EQ(said({1000}, {1500, 1500, 1500, 900}), "likely-slower samples-beyond-median");
}

TEST(ComparisonSamples, CountSamplesBeyondTheMedianWithoutFirstUses) {
  struct vkm_compare_settings settings = Comparison::Defaults();
  settings.rule = VKM_RULE_SAMPLES;
  Side base;
  Side fresh;
  base.Add({{"k", "a", {1000, 1000, 1000}, {1, 1, 1}, 0}});
  fresh.Add({{"k", "a", {1, 2000, 2000, 2000}, {1, 1, 1}, 0}});
  Comparison comparison(base, fresh, settings);
  EXPECT_EQ(comparison.Row("k").exceeding, 1);
  EXPECT_EQ(comparison.Row("k").evidence, VKM_EVIDENCE_SAMPLES);
  EXPECT_FALSE(comparison.Row("k").has_interval);
}
