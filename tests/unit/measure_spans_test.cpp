// Unions of intervals that come late, and what two of them share, against counting each
// nanosecond.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

extern "C" {
#include "measure/spans.h"
}

namespace {

class MeasureSpans : public ::testing::Test {
protected:
  void Add(int which, int64_t begin, int64_t end) {
    vkm_spans_add(spans[which].get(), begin, end, spans[1 - which].get(), &shared);
  }
  int64_t Total(int which) const {
    return vkm_spans_total_ns(spans[which].get());
  }

  std::unique_ptr<struct vkm_spans> spans[2] = {std::make_unique<struct vkm_spans>(),
                                                std::make_unique<struct vkm_spans>()};
  int64_t shared = 0;
};

TEST_F(MeasureSpans, EmptyOnesAndBackwardOnesAreNothing) {
  Add(0, 5, 5);
  Add(0, 9, 3);
  EXPECT_EQ(Total(0), 0);
  EXPECT_EQ(spans[0]->count, 0U);
}

TEST_F(MeasureSpans, WhatIsCoveredTwiceIsSharedOnce) {
  Add(0, 0, 100);
  Add(1, 50, 150); // 50 shared
  Add(0, 20, 80);  // nothing new
  Add(1, 0, 200);  // new: [0,50) shared, [150,200) not
  EXPECT_EQ(shared, 100);
  Add(0, 90, 300); // new: [100,300), of it [100,200) is covered there
  EXPECT_EQ(shared, 200);
  EXPECT_EQ(Total(0), 300);
  EXPECT_EQ(Total(1), 200);
}

TEST_F(MeasureSpans, G1_AgreesWithCountingEachNanosecond) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; round++) {
    std::vector<bool> covered[2] = {std::vector<bool>(2000), std::vector<bool>(2000)};
    spans[0] = std::make_unique<struct vkm_spans>();
    spans[1] = std::make_unique<struct vkm_spans>();
    shared = 0;
    for (int i = 0; i < 60; i++) {
      int which = static_cast<int>(random() % 2);
      auto begin = static_cast<int64_t>(random() % 1900);
      auto end = begin + static_cast<int64_t>(random() % 100);
      Add(which, begin, end);
      for (int64_t at = begin; at < end; at++) {
        covered[which][static_cast<size_t>(at)] = true;
      }
    }
    int64_t total[2] = {};
    int64_t both = 0;
    for (size_t at = 0; at < 2000; at++) {
      total[0] += covered[0][at];
      total[1] += covered[1][at];
      both += covered[0][at] && covered[1][at];
    }
    ASSERT_EQ(Total(0), total[0]);
    ASSERT_EQ(Total(1), total[1]);
    ASSERT_EQ(shared, both) << round;
  }
}

// Far more than are kept: the sum stays exact, and what comes too late is told.
TEST_F(MeasureSpans, D41_OlderOnesBecomeASum) {
  const int64_t count = int64_t{10} * VKM_SPANS_KEPT;
  for (int64_t i = 0; i < count; i++) {
    Add(0, 10 * i, 10 * i + 4);
  }
  EXPECT_EQ(Total(0), 4 * count);
  EXPECT_EQ(spans[0]->late_ns, 0);
  EXPECT_LE(spans[0]->count, static_cast<uint32_t>(VKM_SPANS_KEPT));
  Add(0, 100, 130); // long folded: perhaps counted, not added
  EXPECT_EQ(Total(0), 4 * count);
  EXPECT_EQ(spans[0]->late_ns, 30);
  Add(1, 200, 210); // the other cannot tell what of it was covered there
  EXPECT_EQ(shared, 0);
  EXPECT_EQ(spans[1]->blind_ns, 10);
  Add(1, 10 * count - 10, 10 * count); // of the latest it can
  EXPECT_EQ(shared, 4);
}

} // namespace
