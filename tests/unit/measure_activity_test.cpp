// What threads spend inside the driver: sums, exact unions, overlap with devices.
#include <gtest/gtest.h>

#include <memory>

extern "C" {
#include "measure/activity.h"
}

namespace {

class MeasureActivity : public ::testing::Test {
protected:
  void Enter(enum vkm_activity kind, int64_t now) {
    vkm_activities_enter(all.get(), kind, now);
  }
  void Leave(enum vkm_activity kind, int64_t began, int64_t now) {
    vkm_activities_leave(all.get(), kind, began, now);
  }
  struct vkm_activity_figures Read(int64_t now) {
    struct vkm_activity_figures figures;
    vkm_activities_read(all.get(), now, &figures);
    return figures;
  }
  std::unique_ptr<struct vkm_activities> all = std::make_unique<struct vkm_activities>();
};

TEST_F(MeasureActivity, NothingIsZero) {
  struct vkm_activity_figures figures = Read(12345);
  EXPECT_EQ(figures.wall_ns, 0);
  EXPECT_EQ(figures.each[VKM_ACTIVITY_BUILD].union_ns, 0);
  EXPECT_EQ(figures.accounted_ns, 0);
  EXPECT_TRUE(figures.overlap_known);
}

TEST_F(MeasureActivity, G1_ThreadsAtOnceCountOnceInTheUnion) {
  Enter(VKM_ACTIVITY_BUILD, 100);
  Enter(VKM_ACTIVITY_BUILD, 150); // another thread
  Leave(VKM_ACTIVITY_BUILD, 100, 200);
  Leave(VKM_ACTIVITY_BUILD, 150, 260);
  Enter(VKM_ACTIVITY_BUILD, 300);
  Leave(VKM_ACTIVITY_BUILD, 300, 310);
  struct vkm_activity_figures figures = Read(400);
  EXPECT_EQ(figures.each[VKM_ACTIVITY_BUILD].count, 3U);
  EXPECT_EQ(figures.each[VKM_ACTIVITY_BUILD].sum_ns, 100 + 110 + 10);
  EXPECT_EQ(figures.each[VKM_ACTIVITY_BUILD].union_ns, 160 + 10);
  EXPECT_EQ(figures.any_ns, 170);
  EXPECT_EQ(figures.wall_ns, 300);
}

// A wait of one thread over many short calls of others: no cap makes the union shorter.
TEST_F(MeasureActivity, G1_ALongWaitBesideManyShortOnes) {
  Enter(VKM_ACTIVITY_WAIT, 0);
  for (int64_t i = 0; i < 5000; i++) {
    Enter(VKM_ACTIVITY_WAIT, 100 + 10 * i);
    Leave(VKM_ACTIVITY_WAIT, 100 + 10 * i, 105 + 10 * i);
    Enter(VKM_ACTIVITY_SUBMIT, 106 + 10 * i);
    Leave(VKM_ACTIVITY_SUBMIT, 106 + 10 * i, 107 + 10 * i);
  }
  Leave(VKM_ACTIVITY_WAIT, 0, 60000);
  struct vkm_activity_figures figures = Read(60000);
  EXPECT_EQ(figures.each[VKM_ACTIVITY_WAIT].union_ns, 60000);
  EXPECT_EQ(figures.each[VKM_ACTIVITY_WAIT].sum_ns, 60000 + 25000);
  EXPECT_EQ(figures.each[VKM_ACTIVITY_SUBMIT].union_ns, 5000);
  EXPECT_EQ(figures.any_ns, 60000);
  EXPECT_EQ(figures.accounted_ns, 60000);
}

TEST_F(MeasureActivity, CallsUnderWayAreInTheFigures) {
  Enter(VKM_ACTIVITY_WAIT, 1000);
  struct vkm_activity_figures figures = Read(1700);
  EXPECT_EQ(figures.each[VKM_ACTIVITY_WAIT].union_ns, 700);
  EXPECT_EQ(figures.each[VKM_ACTIVITY_WAIT].count, 0U);
  EXPECT_EQ(figures.accounted_ns, 700);
}

// Clocks are read before the lock is taken.
TEST_F(MeasureActivity, TimesThatComeInTheWrongOrder) {
  Enter(VKM_ACTIVITY_MAP, 100);
  Leave(VKM_ACTIVITY_MAP, 100, 120);
  Enter(VKM_ACTIVITY_MAP, 118); // read earlier, came later
  Leave(VKM_ACTIVITY_MAP, 118, 119);
  Leave(VKM_ACTIVITY_MAP, 118, 119); // nobody is inside: another life of the process
  EXPECT_EQ(Read(200).each[VKM_ACTIVITY_MAP].union_ns, 20);
}

TEST_F(MeasureActivity, BuildsBesideDevices) {
  vkm_activities_device(all.get(), 0, 100);
  Enter(VKM_ACTIVITY_BUILD, 60);
  Leave(VKM_ACTIVITY_BUILD, 60, 160);         // 40 beside the device
  vkm_activities_device(all.get(), 130, 200); // its result comes late: 30 more
  struct vkm_activity_figures figures = Read(200);
  EXPECT_EQ(figures.build_while_active_ns, 70);
  EXPECT_EQ(figures.active_ns, 170);
  EXPECT_EQ(figures.accounted_ns, 200);
  EXPECT_TRUE(figures.overlap_known);
}

TEST_F(MeasureActivity, AnUntiedDeviceMakesOverlapsUnknown) {
  all->untied = 1;
  EXPECT_FALSE(Read(0).overlap_known);
  EXPECT_STREQ(Read(0).overlap_reason, "the time of a device was not tied to the host's clock");
}

TEST_F(MeasureActivity, ResultsThatComeTooLateMakeOverlapsUnknown) {
  for (int64_t i = 0; i < int64_t{3} * VKM_SPANS_KEPT; i++) {
    Enter(VKM_ACTIVITY_SUBMIT, 10 * i);
    Leave(VKM_ACTIVITY_SUBMIT, 10 * i, 10 * i + 1);
  }
  vkm_activities_device(all.get(), 5, 8);
  EXPECT_FALSE(Read(100000).overlap_known);
  EXPECT_EQ(Read(100000).each[VKM_ACTIVITY_SUBMIT].union_ns, 3 * VKM_SPANS_KEPT);
}

} // namespace
