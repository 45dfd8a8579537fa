// Quantiles of type 7 and the median absolute deviation, against values worked out by hand.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "measure/stats.h"
}

namespace {

struct vkm_summary Summarize(std::vector<int64_t> values) {
  struct vkm_summary summary;
  vkm_summarize(values.data(), values.size(), &summary);
  return summary;
}

TEST(MeasureStats, QuartilesOfFourNumbers) {
  const int64_t values[] = {1, 2, 3, 4};
  EXPECT_DOUBLE_EQ(vkm_quantile(values, 4, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(vkm_quantile(values, 4, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(vkm_quantile(values, 4, 0.75), 3.25);
  EXPECT_DOUBLE_EQ(vkm_quantile(values, 4, 0), 1);
  EXPECT_DOUBLE_EQ(vkm_quantile(values, 4, 1), 4);
}

TEST(MeasureStats, QuantilesOfOneAndOfNegativeNumbers) {
  const int64_t one[] = {7};
  EXPECT_DOUBLE_EQ(vkm_quantile(one, 1, 0), 7);
  EXPECT_DOUBLE_EQ(vkm_quantile(one, 1, 0.99), 7);
  EXPECT_DOUBLE_EQ(vkm_quantile(one, 1, 1), 7);
  const int64_t values[] = {-10, 0};
  EXPECT_DOUBLE_EQ(vkm_quantile(values, 2, 0.25), -7.5);
}

TEST(MeasureStats, ValuesFarApartDoNotOverflow) {
  const int64_t values[] = {INT64_MIN, INT64_MAX};
  EXPECT_DOUBLE_EQ(vkm_quantile(values, 2, 0.5), 0);
}

TEST(MeasureStats, SummaryOfUnorderedNumbers) {
  struct vkm_summary summary = Summarize({9, 1, 5, 3, 7});
  EXPECT_EQ(summary.count, 5U);
  EXPECT_DOUBLE_EQ(summary.min, 1);
  EXPECT_DOUBLE_EQ(summary.p25, 3);
  EXPECT_DOUBLE_EQ(summary.median, 5);
  EXPECT_DOUBLE_EQ(summary.p75, 7);
  EXPECT_DOUBLE_EQ(summary.p90, 8.2);
  EXPECT_DOUBLE_EQ(summary.p99, 8.92);
  EXPECT_DOUBLE_EQ(summary.max, 9);
  EXPECT_DOUBLE_EQ(summary.mean, 5);
  EXPECT_DOUBLE_EQ(summary.mad, 2); // deviations 0 2 2 4 4
}

TEST(MeasureStats, MedianAbsoluteDeviation) {
  EXPECT_DOUBLE_EQ(Summarize({1, 1, 2, 2, 4, 6, 9}).mad, 1); // the textbook's
  EXPECT_DOUBLE_EQ(Summarize({1, 2, 3, 4}).mad, 1);          // 0.5 0.5 1.5 1.5
  EXPECT_DOUBLE_EQ(Summarize({1, 2}).mad, 0.5);
  EXPECT_DOUBLE_EQ(Summarize({4}).mad, 0);
}

TEST(MeasureStats, DeviationIsZeroWhenMostValuesAreEqual) {
  EXPECT_DOUBLE_EQ(Summarize({100, 100, 100, 100}).mad, 0);
  EXPECT_DOUBLE_EQ(Summarize({100, 100, 100, 5000}).mad, 0);
  EXPECT_DOUBLE_EQ(Summarize({1, 100, 100, 100, 5000}).mad, 0);
}

TEST(MeasureStats, DeviationAgreesWithThePlainWay) {
  uint64_t random = 1;
  for (size_t count = 1; count < 60; count++) {
    std::vector<int64_t> values;
    for (size_t i = 0; i < count; i++) {
      random = random * UINT64_C(6364136223846793005) + 1;
      values.push_back(static_cast<int64_t>(random >> 59)); // many ties
    }
    struct vkm_summary summary = Summarize(values);
    std::vector<double> deviations;
    for (int64_t value : values) {
      deviations.push_back(std::fabs(static_cast<double>(value) - summary.median));
    }
    std::sort(deviations.begin(), deviations.end());
    double expected = (deviations[(count - 1) / 2] + deviations[count / 2]) / 2;
    EXPECT_DOUBLE_EQ(summary.mad, expected) << count;
  }
}

TEST(MeasureStats, NothingHasNoStatistics) {
  struct vkm_summary summary;
  vkm_summarize(nullptr, 0, &summary);
  EXPECT_EQ(summary.count, 0U);
}

// The ranks of the published tables for 95 %: the interval runs from the kth value to the kth last.
TEST(MeasureStats, MedianIntervalHasTheRanksOfTheTables) {
  const struct {
    size_t count, rank;
  } table[] = {{6, 1}, {8, 1}, {9, 2}, {12, 3}, {20, 6}, {25, 8}, {50, 18}, {100, 40}};
  for (const auto &row : table) {
    std::vector<int64_t> values(row.count);
    for (size_t i = 0; i < row.count; i++) {
      values[i] = static_cast<int64_t>(i + 1);
    }
    int64_t low = 0;
    int64_t high = 0;
    ASSERT_TRUE(vkm_median_interval(values.data(), row.count, &low, &high)) << row.count;
    EXPECT_EQ(low, static_cast<int64_t>(row.rank)) << row.count;
    EXPECT_EQ(high, static_cast<int64_t>(row.count - row.rank + 1)) << row.count;
  }
}

TEST(MeasureStats, MedianIntervalNeedsSixValuesAndStandsMany) {
  const int64_t few[] = {1, 2, 3, 4, 5};
  int64_t low = 0;
  int64_t high = 0;
  EXPECT_FALSE(vkm_median_interval(few, 5, &low, &high));
  EXPECT_FALSE(vkm_median_interval(nullptr, 0, &low, &high));
  std::vector<int64_t> many(100000);
  for (size_t i = 0; i < many.size(); i++) {
    many[i] = static_cast<int64_t>(i);
  }
  ASSERT_TRUE(vkm_median_interval(many.data(), many.size(), &low, &high));
  EXPECT_NEAR(static_cast<double>(low), 50000 - 1.96 * 158.1, 2); // half the root of the count
  EXPECT_NEAR(static_cast<double>(high), 50000 + 1.96 * 158.1, 2);
}

} // namespace
