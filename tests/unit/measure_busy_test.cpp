// Busy time: the union of intervals, however they come.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

extern "C" {
#include "measure/busy.h"
}

namespace {

using Intervals = std::vector<std::pair<int64_t, int64_t>>;

struct vkm_busy Add(const Intervals &intervals) {
  struct vkm_busy busy = {};
  for (auto [begin, end] : intervals) {
    vkm_busy_add(&busy, begin, end);
  }
  return busy;
}

int64_t Total(const Intervals &intervals) {
  struct vkm_busy busy = Add(intervals);
  return vkm_busy_total_ns(&busy);
}

int64_t Union(Intervals intervals) {
  std::sort(intervals.begin(), intervals.end());
  int64_t total = 0;
  int64_t until = INT64_MIN;
  for (auto [begin, end] : intervals) {
    if (end > until) {
      total += end - std::max(begin, until);
      until = end;
    }
  }
  return total;
}

TEST(MeasureBusy, NothingIsNothing) {
  struct vkm_busy busy = {};
  EXPECT_FALSE(busy.any);
  EXPECT_EQ(vkm_busy_total_ns(&busy), 0);
}

TEST(MeasureBusy, G1_OverlapsCountOnce) {
  EXPECT_EQ(Total({{0, 10}}), 10);
  EXPECT_EQ(Total({{0, 10}, {20, 25}}), 15);
  EXPECT_EQ(Total({{0, 10}, {5, 15}}), 15);
  EXPECT_EQ(Total({{0, 10}, {10, 15}}), 15);
  EXPECT_EQ(Total({{0, 10}, {2, 3}}), 10);
  EXPECT_EQ(Total({{2, 3}, {0, 10}}), 10);
  EXPECT_EQ(Total({{0, 10}, {20, 30}, {40, 50}, {5, 45}}), 50);
  EXPECT_EQ(Total({{40, 50}, {20, 30}, {0, 10}}), 30);
  EXPECT_EQ(Total({{-30, -20}, {-25, -5}}), 25);
}

TEST(MeasureBusy, TouchingIntervalsBecomeOne) {
  struct vkm_busy busy = Add({{0, 10}, {20, 30}, {10, 20}});
  EXPECT_EQ(busy.open_count, 1U);
}

TEST(MeasureBusy, EmptyAndBackwardIntervals) {
  struct vkm_busy busy = Add({{5, 5}});
  EXPECT_TRUE(busy.any);
  EXPECT_EQ(busy.first_ns, 5);
  EXPECT_EQ(busy.last_ns, 5);
  EXPECT_EQ(vkm_busy_total_ns(&busy), 0);
  vkm_busy_add(&busy, 9, 4);
  EXPECT_EQ(busy.last_ns, 5);
  EXPECT_EQ(vkm_busy_total_ns(&busy), 0);
}

TEST(MeasureBusy, KnowsTheFirstBeginAndTheLastEnd) {
  struct vkm_busy busy = Add({{100, 200}, {50, 60}, {150, 400}, {300, 350}});
  EXPECT_EQ(busy.first_ns, 50);
  EXPECT_EQ(busy.last_ns, 400);
}

TEST(MeasureBusy, ManyIntervalsFoldAwayWithoutLoss) {
  Intervals intervals;
  for (int64_t i = 0; i < 10000; i++) {
    intervals.emplace_back(i * 10, i * 10 + 4);
  }
  EXPECT_EQ(Total(intervals), 40000);
}

TEST(MeasureBusy, AnIntervalBehindTheFoldedOnesIsClipped) {
  struct vkm_busy busy = {};
  for (int64_t i = 0; i < VKM_BUSY_OPEN + 10; i++) { // ten are folded away, up to 94
    vkm_busy_add(&busy, i * 10, i * 10 + 4);
  }
  int64_t before = vkm_busy_total_ns(&busy);
  vkm_busy_add(&busy, 0, 50);
  EXPECT_EQ(vkm_busy_total_ns(&busy), before);
  vkm_busy_add(&busy, 0, 98);
  EXPECT_EQ(vkm_busy_total_ns(&busy), before + 4);
}

TEST(MeasureBusy, AFullSetFoldsTheOldest) {
  struct vkm_busy busy = {};
  for (int64_t i = 1; i <= VKM_BUSY_OPEN; i++) {
    vkm_busy_add(&busy, i * 10, i * 10 + 4);
  }
  vkm_busy_add(&busy, 0, 4); // older than all that is open: it is the one to go
  EXPECT_EQ(busy.closed_until_ns, 4);
  EXPECT_EQ(vkm_busy_total_ns(&busy), (VKM_BUSY_OPEN + 1) * 4);
  vkm_busy_add(&busy, 5, 20); // touches the first open one
  EXPECT_EQ(vkm_busy_total_ns(&busy), (VKM_BUSY_OPEN + 1) * 4 + 11);
  vkm_busy_add(&busy, 25, 26); // between the first and the second of a set that is full
  EXPECT_EQ(vkm_busy_total_ns(&busy), (VKM_BUSY_OPEN + 1) * 4 + 12);
}

TEST(MeasureBusy, G1_AgreesWithThePlainWayWhenNearlyInOrder) {
  uint64_t random = 7;
  for (int round = 0; round < 50; round++) {
    Intervals intervals;
    for (int64_t i = 0; i < 500; i++) {
      random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
      int64_t begin = i * 20 + static_cast<int64_t>((random >> 40) % 400);
      intervals.emplace_back(begin, begin + static_cast<int64_t>((random >> 50) % 60));
    }
    EXPECT_EQ(Total(intervals), Union(intervals)) << round;
  }
}

} // namespace
