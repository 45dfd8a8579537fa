/* In: amounts. Out: verdicts on src/measure/share, against a whole that has to be reached exactly.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

extern "C" {
#include "base/alloc.h"
#include "measure/share.h"
}

namespace {

std::vector<uint32_t> Shares(const std::vector<uint64_t> &values) {
  std::vector<uint32_t> shares(values.size(), 77);
  EXPECT_EQ(vkm_shares(values.data(), values.size(), shares.data()), VKM_OK);
  return shares;
}

TEST(MeasureShare, LargestRemaindersAreRoundedUp) {
  EXPECT_EQ(Shares({1, 1, 1}), (std::vector<uint32_t>{3334, 3333, 3333}));
  EXPECT_EQ(Shares({1, 2}), (std::vector<uint32_t>{3333, 6667}));
  EXPECT_EQ(Shares({5, 0, 5}), (std::vector<uint32_t>{5000, 0, 5000}));
  EXPECT_EQ(Shares({7}), (std::vector<uint32_t>{10000}));
  EXPECT_EQ(Shares({1, 99999}), (std::vector<uint32_t>{0, 10000}));
}

TEST(MeasureShare, OfNothingThereIsNoShare) {
  EXPECT_EQ(Shares({0, 0}), (std::vector<uint32_t>{0, 0}));
  EXPECT_EQ(Shares({}), std::vector<uint32_t>{});
}

TEST(MeasureShare, AddUpWhateverTheValues) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; round++) {
    std::vector<uint64_t> values(1 + random() % 50);
    unsigned bits = 1 + random() % 64;
    for (uint64_t &value : values) {
      value = random() >> (64 - bits);
    }
    std::vector<uint32_t> shares = Shares(values);
    bool any = std::any_of(values.begin(), values.end(), [](uint64_t value) { return value > 0; });
    EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), 0u), any ? 10000u : 0u) << round;
    long double sum = std::accumulate(values.begin(), values.end(), 0.0L);
    for (size_t i = 0; any && i < values.size(); i++) {
      EXPECT_NEAR(static_cast<double>(shares[i]),
                  static_cast<double>(static_cast<long double>(values[i]) / sum * 10000), 1.01);
    }
  }
}

TEST(MeasureShare, SumsAndProductsAreCapped) {
  EXPECT_EQ(vkm_add_capped(UINT64_MAX, 1), UINT64_MAX);
  EXPECT_EQ(vkm_add_capped(2, 3), 5u);
  EXPECT_EQ(vkm_multiply_capped(UINT64_MAX, 2), UINT64_MAX);
  EXPECT_EQ(vkm_multiply_capped(6, 7), 42u);
}

TEST(MeasureShare, MemoryThatIsShort) {
  uint64_t values[] = {1, 2};
  uint32_t shares[2];
  vkm_alloc_fail(1, 1);
  EXPECT_EQ(vkm_shares(values, 2, shares), VKM_OUT_OF_MEMORY);
  vkm_alloc_fail(0, 0);
}

} // namespace
