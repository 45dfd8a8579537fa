// Plans: signatures, samples of each command, control pairs and windows, with figures by hand.
#include <cstdint>
#include <set>
#include <string>

#include <gtest/gtest.h>

extern "C" {
#include "base/alloc.h"
#include "measure/plan.h"
}

namespace {

constexpr int64_t kUnit = VKM_PLAN_RATIO_UNIT;

std::string Signature(const std::string &commands, uint32_t children = 0, bool secondary = false) {
  struct vkm_plan_signer signer = {};
  for (char command : commands) {
    vkm_plan_sign(&signer, {1, static_cast<uint64_t>(command)}, 0);
  }
  char text[VKM_HASH_TEXT_BYTES];
  vkm_hash_text(vkm_plan_signature(&signer, children, secondary), text);
  return text;
}

class MeasurePlan : public ::testing::Test {
protected:
  void SetUp() override {
    vkm_plans_init(&plans);
  }
  void TearDown() override {
    vkm_alloc_fail(0, 0);
    vkm_plans_finish(&plans);
  }
  struct vkm_plan *Find(uint64_t low, uint32_t marks) {
    struct vkm_plan_shape shape = {{1, low}, marks, 0, false};
    return vkm_plans_find(&plans, &shape);
  }
  struct vkm_plans plans;
};

TEST_F(MeasurePlan, SignatureTellsSequencesApart) {
  std::set<std::string> seen = {Signature(""),
                                Signature("a"),
                                Signature("b"),
                                Signature("ab"),
                                Signature("ba"),
                                Signature("aab"),
                                Signature("ab", 1),
                                Signature("ab", 0, true),
                                Signature("abb"),
                                Signature(std::string(64, 'a')),
                                Signature(std::string(65, 'a')),
                                Signature(std::string(1000, 'a')),
                                Signature("b" + std::string(999, 'a')),
                                Signature(std::string(999, 'a') + "b")};
  EXPECT_EQ(seen.size(), 14U);
  EXPECT_EQ(Signature("abc"), Signature("abc"));
  struct vkm_plan_signer copy = {};
  vkm_plan_sign(&copy, {1, 'a'}, 5); // another kind of command
  char text[VKM_HASH_TEXT_BYTES];
  vkm_hash_text(vkm_plan_signature(&copy, 0, false), text);
  EXPECT_NE(text, Signature("a"));
}

TEST_F(MeasurePlan, EachCommandHasItsSamplesAndTheRowsItWasSeenAs) {
  struct vkm_plan *plan = Find(1, 2);
  ASSERT_NE(plan, nullptr);
  EXPECT_EQ(Find(1, 2), plan);
  EXPECT_NE(Find(2, 2), plan);
  for (int64_t value : {4, 1, 3, 2}) {
    vkm_plan_measured(plan, 1, value, static_cast<uint32_t>(value == 3 ? 9 : 7));
  }
  EXPECT_EQ(plan->marks[0].durations.seen, 0U);
  EXPECT_EQ(plan->marks[1].durations.seen, 4U);
  EXPECT_EQ(plan->marks[1].durations.kept[0].value_ns, 4); // in order of time
  EXPECT_EQ(plan->marks[1].row_count, 2U);
  EXPECT_EQ(plan->marks[1].rows[1], 9U);
  for (uint32_t row = 20; row < 30; row++) {
    vkm_plan_measured(plan, 1, 5, row);
  }
  EXPECT_EQ(plan->marks[1].row_count, static_cast<uint32_t>(VKM_PLAN_ROW_CAP));
  EXPECT_EQ(plan->marks[1].rows_beyond, 8U);
  vkm_plan_measured(plan, 2, 5, 1); // none of its commands
}

TEST_F(MeasurePlan, ControlIsPairedWithBothNeighbours) {
  struct vkm_plan *plan = Find(1, 1);
  for (int i = 0; i < 8; i++) {
    vkm_plan_span(plan, false, 900); // settling: never a neighbour
  }
  vkm_plan_span(plan, true, 100);
  vkm_plan_span(plan, false, 130); // alone: the only one that has settled
  vkm_plan_span(plan, true, 100);
  vkm_plan_span(plan, false, 150);
  ASSERT_EQ(plan->ratios.kept_count, 2U);
  EXPECT_EQ(plan->ratios.kept[0].value_ns, kUnit * 13 / 10);
  EXPECT_EQ(plan->ratios.kept[1].value_ns, kUnit * 14 / 10); // (130 + 150) / 2 / 100
  vkm_plan_span(plan, true, 100);
  vkm_plan_span(plan, true, 100); // the first of the two has only an earlier neighbour
  vkm_plan_span(plan, false, 170);
  ASSERT_EQ(plan->ratios.kept_count, 4U);
  EXPECT_EQ(plan->ratios.kept[2].value_ns, kUnit * 15 / 10);
  EXPECT_EQ(plan->ratios.kept[3].value_ns, kUnit * 16 / 10);
  EXPECT_EQ(plan->control_spans.seen, 4U);
  EXPECT_EQ(plan->spans.seen, 11U);
}

TEST_F(MeasurePlan, ControlOfLengthZeroIsNoPair) {
  struct vkm_plan *plan = Find(1, 1);
  for (int i = 0; i < 9; i++) {
    vkm_plan_span(plan, false, 100);
  }
  vkm_plan_span(plan, true, 0);
  vkm_plan_span(plan, false, 100);
  EXPECT_EQ(plan->ratios.kept_count, 0U);
}

TEST_F(MeasurePlan, WindowsAreFewestAndEven) {
  EXPECT_EQ(vkm_plan_windows(1034, 1000, 1), 2U);
  EXPECT_EQ((1034 - 1) / 2 + 1, 517);
  EXPECT_EQ(vkm_plan_windows(997, 1000, 1), 1U);
  EXPECT_EQ(vkm_plan_windows(998, 1000, 1), 2U);
  EXPECT_EQ(vkm_plan_windows(1034, 1000, 2), 3U); // no stamp serves twice
  EXPECT_EQ(vkm_plan_windows(0, 1000, 1), 1U);
  EXPECT_EQ(vkm_plan_windows(5, 8, 2), 3U);
  EXPECT_EQ(vkm_plan_windows(5, 3, 2), 5U); // no room at all: one at a time
}

TEST_F(MeasurePlan, WindowsAreListedUpToTheirCap) {
  struct vkm_plan *plan = Find(1, 100);
  for (uint32_t i = 0; i < 20; i++) {
    vkm_plan_windowed(plan, 5 * i, 5, 20);
  }
  vkm_plan_windowed(plan, 0, 5, 20);
  vkm_plan_windowed(plan, 0, 6, 0); // a guess changes what is needed as little as it is listed
  EXPECT_EQ(plan->window_count, static_cast<uint32_t>(VKM_PLAN_WINDOW_CAP));
  EXPECT_EQ(plan->windows[0].executions, 2U);
  EXPECT_EQ(plan->window_beyond, 5U);
  EXPECT_EQ(plan->windows_needed, 20U);
}

TEST_F(MeasurePlan, BeyondTheCapsThereAreNoMarksAndThenNoPlans) {
  plans.plan_cap = 2;
  plans.mark_cap = 10;
  struct vkm_plan *one = Find(1, 8);
  struct vkm_plan *two = Find(2, 3);
  ASSERT_TRUE(one && two);
  EXPECT_NE(one->marks, nullptr);
  EXPECT_EQ(two->marks, nullptr);
  vkm_plan_measured(two, 0, 5, 0);
  vkm_plan_span(two, false, 5);
  EXPECT_EQ(two->spans.seen, 1U);
  EXPECT_EQ(Find(3, 1), nullptr);
  EXPECT_EQ(Find(1, 8), one);
}

TEST_F(MeasurePlan, EveryAllocationMayFail) {
  for (unsigned long nth = 1; nth < 12; nth++) {
    struct vkm_plans set;
    vkm_plans_init(&set);
    struct vkm_plan_shape shape = {{1, nth}, 3, 0, false};
    vkm_alloc_fail(nth, 1);
    struct vkm_plan *plan = vkm_plans_find(&set, &shape);
    if (plan != nullptr) {
      vkm_plan_measured(plan, 0, 1, 0);
      vkm_plan_span(plan, false, 1);
      struct vkm_plan copy;
      if (vkm_plan_copy(&copy, plan)) {
        vkm_plan_finish(&copy);
      }
    }
    vkm_alloc_fail(0, 0);
    EXPECT_EQ(set.count, plan != nullptr ? 1U : 0U);
    vkm_plans_finish(&set);
  }
}

TEST_F(MeasurePlan, ACopySharesNothing) {
  struct vkm_plan *plan = Find(1, 2);
  vkm_plan_measured(plan, 1, 5, 3);
  vkm_plan_span(plan, false, 7);
  struct vkm_plan copy;
  ASSERT_TRUE(vkm_plan_copy(&copy, plan));
  vkm_plan_measured(plan, 1, 6, 4);
  vkm_plan_span(plan, false, 8);
  EXPECT_EQ(copy.marks[1].durations.kept_count, 1U);
  EXPECT_EQ(copy.marks[1].durations.kept[0].value_ns, 5);
  EXPECT_EQ(copy.spans.kept_count, 1U);
  vkm_plan_finish(&copy);
  EXPECT_EQ(plan->marks[1].durations.kept[0].value_ns, 5);
}

} // namespace
