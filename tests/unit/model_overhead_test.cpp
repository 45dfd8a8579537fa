// Pairs of wall times: medians, the median ratio and its interval.
#include <gtest/gtest.h>

#include <vector>

extern "C" {
#include "model/overhead.h"
}

namespace {

vkm_pair Pair(int64_t profiled_ns, int64_t plain_ns) {
  return {0, false, true, true, profiled_ns, plain_ns};
}

vkm_overhead Judge(const std::vector<vkm_pair> &pairs) {
  vkm_overhead overhead;
  EXPECT_TRUE(vkm_overhead_judge(pairs.data(), pairs.size(), &overhead));
  return overhead;
}

TEST(ModelOverhead, MediansAndTheMedianOfRatios) {
  // Ratios 1.1, 2, 1.5: their median is not that of the medians (300/200 against 220/200).
  vkm_overhead overhead = Judge({Pair(220, 200), Pair(200, 100), Pair(600, 400)});
  EXPECT_EQ(overhead.count, 3u);
  EXPECT_EQ(overhead.profiled_median_ns, 220);
  EXPECT_EQ(overhead.plain_median_ns, 200);
  EXPECT_DOUBLE_EQ(overhead.ratio, 1.5);
  EXPECT_DOUBLE_EQ(overhead.least, 1.1);
  EXPECT_DOUBLE_EQ(overhead.most, 2);
  EXPECT_FALSE(overhead.has_interval);
}

TEST(ModelOverhead, OnlyWholePairsCount) {
  vkm_pair failed = Pair(900, 100);
  failed.plain_good = false;
  vkm_pair half = Pair(900, 0);
  half.plain_good = false;
  vkm_pair other = Pair(900, 100);
  other.profiled_good = false;
  vkm_overhead overhead = Judge({failed, Pair(110, 100), half, other});
  EXPECT_EQ(overhead.count, 1u);
  EXPECT_DOUBLE_EQ(overhead.ratio, 1.1);
}

TEST(ModelOverhead, NothingIsKnownOfNothing) {
  EXPECT_EQ(Judge({}).count, 0u);
}

// Of six, the least and the most hold the median with 1 - 2/2^6 = 96.9 %; of five with 93.75 %.
TEST(ModelOverhead, AnIntervalFromSixPairsOn) {
  std::vector<vkm_pair> pairs;
  for (int64_t ratio : {13, 11, 15, 12, 14}) {
    pairs.push_back(Pair(ratio * 10, 100));
  }
  EXPECT_FALSE(Judge(pairs).has_interval);
  pairs.push_back(Pair(160, 100));
  vkm_overhead overhead = Judge(pairs);
  EXPECT_TRUE(overhead.has_interval);
  EXPECT_DOUBLE_EQ(overhead.low, 1.1);
  EXPECT_DOUBLE_EQ(overhead.high, 1.6);
  EXPECT_DOUBLE_EQ(overhead.ratio, 1.35);
}

} // namespace
