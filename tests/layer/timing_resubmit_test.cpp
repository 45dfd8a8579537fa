// A recording that is executed more than once (pitfalls D3, D4).
//
// In: one recording, submitted again and again; its cost changes between submissions, so that a
// value of another execution shows. Out: every execution under its own time, or missed.
#include "layer_test_case.h"

namespace {

class TimingResubmit : public LayerTest {
protected:
  void Record(const std::string &script, VkCommandBufferUsageFlags usage = 0) {
    Open(script);
    a = gpu.Pipeline("a", 5000);
    buffer = gpu.Begin(usage);
    gpu.Dispatch(buffer, a);
    gpu.End(buffer);
  }

  void SubmitCosting(uint64_t cost) {
    fake_set_cost("a", cost, 0);
    ASSERT_EQ(gpu.Submit({buffer}), VK_SUCCESS);
  }

  void WaitIdle() {
    ASSERT_EQ(gpu.vk.QueueWaitIdle(gpu.queue), VK_SUCCESS);
  }

  // Each waits for the one before.
  void RunHundred() {
    for (uint64_t i = 0; i < 100; i++) {
      SubmitCosting(5000 + i);
      WaitIdle();
    }
  }

  void ExpectHundred() {
    Nanoseconds expected;
    for (int64_t i = 0; i < 100; i++) {
      expected.push_back(5010 + i);
    }
    KernelRow row = Finish().Row("a");
    EXPECT_EQ(row.samples, expected);
    EXPECT_EQ(row.outcomes.executed, 100);
    EXPECT_EQ(row.outcomes.measured, 100);
  }

  VkPipeline a = VK_NULL_HANDLE;
  VkCommandBuffer buffer = VK_NULL_HANDLE;
};

TEST_F(TimingResubmit, D3_HundredTimesEachExact) {
  Record("");
  RunHundred();
  EXPECT_EQ(fake_call_count("vkResetQueryPool"), 100U); // at allocation, and before each again
  ExpectHundred();
}

TEST_F(TimingResubmit, D3_HundredTimesWithoutHostReset) {
  Record("host_query_reset=0");
  RunHundred();
  EXPECT_EQ(fake_call_count("vkResetQueryPool"), 0U);
  ExpectHundred();
}

TEST_F(TimingResubmit, D4_HundredTimesForSimultaneousUse) {
  Record("", VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  RunHundred();
  ExpectHundred();
}

// The previous result is read when the recording is submitted again; no wait of the application is
// needed for it.
TEST_F(TimingResubmit, D3_HundredTimesWithoutAnyWait) {
  Record("");
  for (uint64_t i = 0; i < 100; i++) {
    SubmitCosting(5000 + i);
    fake_advance(100000); // so that submissions do not queue up behind each other
  }
  WaitIdle();
  ExpectHundred();
}

// Against the rules of Vulkan: both executions write the same queries. Neither is given a time.
TEST_F(TimingResubmit, D3_SubmittedAgainWhilePendingMissesBoth) {
  expect_violations = true;
  Record("completion=manual");
  SubmitCosting(5000);
  SubmitCosting(6000);
  fake_complete_all();
  WaitIdle();
  SubmitCosting(7000);
  fake_complete_all();
  WaitIdle();
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.outcomes.executed, 3);
  EXPECT_EQ(row.outcomes.missed, (Counts{{"resubmitted_pending", 2}}));
  EXPECT_EQ(row.samples, Nanoseconds{7010});
  for (uint32_t i = 0; i < fake_violation_count(); i++) {
    std::string said = fake_violation(i);
    EXPECT_TRUE(said.find("not for SIMULTANEOUS_USE") != std::string::npos ||
                said.find("written twice") != std::string::npos)
        << said;
  }
}

// Until a wait covers them all, nobody knows what is in the queries.
TEST_F(TimingResubmit, D3_StaysUntimedUntilAWaitCoversAll) {
  expect_violations = true;
  Record("completion=manual");
  SubmitCosting(5000);
  SubmitCosting(6000);
  fake_complete_all();
  SubmitCosting(7000);
  fake_complete_all();
  WaitIdle();
  SubmitCosting(8000);
  fake_complete_all();
  WaitIdle();
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.outcomes.missed, (Counts{{"resubmitted_pending", 3}}));
  EXPECT_EQ(row.samples, Nanoseconds{8010});
}

TEST_F(TimingResubmit, D4_PendingTwiceMissesBoth) {
  Record("completion=manual", VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  SubmitCosting(5000);
  SubmitCosting(6000);
  fake_complete_all();
  WaitIdle();
  SubmitCosting(7000);
  fake_complete_all();
  WaitIdle();
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.outcomes.executed, 3);
  EXPECT_EQ(row.outcomes.missed, (Counts{{"pending_twice", 2}}));
  EXPECT_EQ(row.samples, Nanoseconds{7010});
}

TEST_F(TimingResubmit, D4_TwiceInOneSubmissionMissesBoth) {
  Record("", VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  ASSERT_EQ(gpu.Submit({buffer, buffer}), VK_SUCCESS);
  WaitIdle();
  SubmitCosting(7000);
  WaitIdle();
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.outcomes.missed, (Counts{{"pending_twice", 2}}));
  EXPECT_EQ(row.samples, Nanoseconds{7010});
}

// Without host reset the queries still hold the previous execution's values, available, until the
// next one runs: nothing may be read before a wait covers it.
TEST_F(TimingResubmit, D3_D30_PreviousValuesAreNotTakenForNewOnes) {
  Record("host_query_reset=0;completion=manual");
  SubmitCosting(5000);
  fake_complete_all();
  WaitIdle();
  SubmitCosting(6000);
  Settle(); // the collector had every chance
  fake_complete_all();
  WaitIdle();
  EXPECT_EQ(Finish().Row("a").samples, (Nanoseconds{5010, 6010}));
}

// A driver whose queries give the previous value for a while after they were written anew.
TEST_F(TimingResubmit, D3_D30_StaleValuesMeanNotReady) {
  Record("host_query_reset=0;query_mode=stale;stale_reads=3");
  for (uint64_t i = 0; i < 5; i++) {
    SubmitCosting(5000 + i * 1000);
    WaitIdle();
    Settle();
  }
  EXPECT_EQ(Finish().Row("a").samples, (Nanoseconds{5010, 6010, 7010, 8010, 9010}));
}

// The same with several marks: each query has its own delay.
TEST_F(TimingResubmit, D3_StaleValuesOfAnyMarkMeanNotReady) {
  Open("host_query_reset=0;query_mode=stale;stale_reads=2");
  a = gpu.Pipeline("a", 5000);
  VkPipeline b = gpu.Pipeline("b", 5000);
  buffer = gpu.Begin();
  gpu.Dispatch(buffer, a);
  gpu.Barrier(buffer);
  gpu.Dispatch(buffer, b);
  gpu.End(buffer);
  for (uint64_t i = 0; i < 3; i++) {
    fake_set_cost("b", 8000 + i, 0);
    SubmitCosting(5000 + i);
    WaitIdle();
    Settle();
  }
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, (Nanoseconds{5010, 5011, 5012}));
  EXPECT_EQ(profile.Row("b").samples, (Nanoseconds{8000, 8001, 8002}));
}

} // namespace
