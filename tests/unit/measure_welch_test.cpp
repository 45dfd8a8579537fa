// Welch's interval against scipy 1.10.1 (ttest_ind(equal_var=False) and t with polished quantiles),
// whose numbers are written down here.
#include <gtest/gtest.h>

#include <vector>

extern "C" {
#include "measure/welch.h"
}

namespace {

struct vkm_welch Welch(const std::vector<double> &base, const std::vector<double> &fresh,
                       double confidence = 0.95) {
  struct vkm_welch welch;
  EXPECT_TRUE(vkm_welch(base.data(), base.size(), fresh.data(), fresh.size(), confidence, &welch));
  return welch;
}

} // namespace

TEST(MeasureWelch, UnequalCountsAndVariances) {
  struct vkm_welch welch = Welch({1, 2, 3, 4}, {2, 4, 4, 7, 9});
  EXPECT_NEAR(welch.difference, 2.7, 1e-11);
  EXPECT_NEAR(welch.standard_error, 1.39880901722, 1e-11);
  EXPECT_NEAR(welch.degrees_of_freedom, 5.88309581806, 1e-10);
  EXPECT_NEAR(welch.t, 1.93021346499, 1e-10);
  EXPECT_NEAR(welch.low, -0.739317031347, 1e-10);
  EXPECT_NEAR(welch.high, 6.13931703135, 1e-10);
}

TEST(MeasureWelch, ConfidenceWidensTheInterval) {
  struct vkm_welch welch = Welch({10.1, 10.2, 9.9}, {10.6, 10.5, 10.9, 10.4}, 0.99);
  EXPECT_NEAR(welch.degrees_of_freedom, 5, 1e-10);
  EXPECT_NEAR(welch.low, -0.0289221426021, 1e-10);
  EXPECT_NEAR(welch.high, 1.09558880927, 1e-10);
}

TEST(MeasureWelch, OneSideThatDoesNotVary) {
  struct vkm_welch welch = Welch({1, 1, 1}, {1, 2, 3});
  EXPECT_NEAR(welch.degrees_of_freedom, 2, 1e-12);
  EXPECT_NEAR(welch.low, -1.48413771184, 1e-10);
  EXPECT_NEAR(welch.high, 3.48413771184, 1e-10);
}

TEST(MeasureWelch, WhereNothingVariesTheIntervalIsTheDifference) {
  struct vkm_welch welch = Welch({4, 4, 4}, {5, 5});
  EXPECT_EQ(welch.low, 1);
  EXPECT_EQ(welch.high, 1);
  EXPECT_EQ(welch.standard_error, 0);
  EXPECT_EQ(welch.degrees_of_freedom, 3);
  EXPECT_EQ(welch.t, 0);
}

TEST(MeasureWelch, VariancesWhoseSquaresVanish) {
  struct vkm_welch welch = Welch({0, 1e-100, 2e-100}, {0, 1e-100, 2e-100});
  EXPECT_NEAR(welch.degrees_of_freedom, 4, 1e-9);
  EXPECT_GT(welch.high, 0);
}

TEST(MeasureWelch, OneRunASideHasNone) {
  struct vkm_welch welch;
  const double values[] = {1, 2, 3};
  EXPECT_FALSE(vkm_welch(values, 1, values, 3, 0.95, &welch));
  EXPECT_FALSE(vkm_welch(values, 3, values, 1, 0.95, &welch));
  EXPECT_FALSE(vkm_welch(values, 0, values, 0, 0.95, &welch));
  EXPECT_EQ(welch.high, 0);
}

TEST(MeasureWelch, MeanAndVarianceOfFewValues) {
  const double values[] = {3, 5};
  EXPECT_EQ(vkm_mean(values, 2), 4);
  EXPECT_EQ(vkm_variance(values, 2), 2);
  EXPECT_EQ(vkm_variance(values, 1), 0);
  EXPECT_EQ(vkm_mean(values, 0), 0);
}
