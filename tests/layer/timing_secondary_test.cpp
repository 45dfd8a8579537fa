// Secondary command buffers (pitfall D5).
//
// In: secondaries executed once, several times, from several primaries, freed before them. Out:
// their times, or missed; the primary's own marks are never harmed.
#include "layer_test_case.h"

namespace {

class TimingSecondary : public LayerTest {
protected:
  void Record(VkCommandBufferUsageFlags usage, const std::string &script = "") {
    Open(script);
    a = gpu.Pipeline("a", 5000);
    b = gpu.Pipeline("b", 8000);
    secondary = gpu.BeginSecondary(usage);
    gpu.Dispatch(secondary, a);
    gpu.End(secondary);
  }

  // Runs the secondary that many times, with a barrier after each, then b.
  VkCommandBuffer Primary(int times, VkCommandBufferUsageFlags usage = 0) {
    VkCommandBuffer primary = gpu.Begin(usage);
    for (int i = 0; i < times; i++) {
      gpu.vk.CmdExecuteCommands(primary, 1, &secondary);
      gpu.Barrier(primary);
    }
    gpu.Dispatch(primary, b);
    gpu.End(primary);
    return primary;
  }

  void SubmitAndWait(VkCommandBuffer primary) {
    ASSERT_EQ(gpu.Submit({primary}, gpu.fence), VK_SUCCESS);
    gpu.Wait();
  }

  VkPipeline a = VK_NULL_HANDLE, b = VK_NULL_HANDLE;
  VkCommandBuffer secondary = VK_NULL_HANDLE;
};

TEST_F(TimingSecondary, D5_OnceIsMeasured) {
  Record(0);
  SubmitAndWait(Primary(1));
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{8000});
}

TEST_F(TimingSecondary, D5_PrimarySubmittedAgain) {
  Record(0);
  VkCommandBuffer primary = Primary(1);
  for (uint64_t i = 0; i < 20; i++) {
    fake_set_cost("a", 5000 + i, 0);
    SubmitAndWait(primary);
  }
  KernelRow row = Finish().Row("a");
  ASSERT_EQ(row.samples.size(), 20U);
  for (int64_t i = 0; i < 20; i++) {
    EXPECT_EQ(row.samples[static_cast<size_t>(i)], 5010 + i);
  }
}

TEST_F(TimingSecondary, D5_RepeatedInOnePrimaryIsMissed) {
  Record(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  SubmitAndWait(Primary(3));
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").outcomes.executed, 3);
  EXPECT_EQ(profile.Row("a").outcomes.missed, (Counts{{"secondary_repeated", 3}}));
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{8000});
}

TEST_F(TimingSecondary, D5_MeasuredAgainAfterARepetition) {
  Record(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  VkCommandBuffer twice = Primary(2);
  VkCommandBuffer once = Primary(1);
  SubmitAndWait(twice);
  SubmitAndWait(once);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").outcomes.missed, (Counts{{"secondary_repeated", 2}}));
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(profile.Row("b").outcomes.measured, 2);
}

// The same while a wait of the application leaves slow reads to the collector: what needs no read
// is settled all the same.
TEST_F(TimingSecondary, D5_MeasuredAgainWhileReadsAreLeftOver) {
  Record(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, "query_call_us=1500");
  std::vector<VkCommandBuffer> buffers;
  for (int i = 0; i < 6; i++) {
    buffers.push_back(gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT));
    gpu.Dispatch(buffers.back(), b);
    gpu.End(buffers.back());
  }
  buffers.push_back(Primary(2));
  VkCommandBuffer once = Primary(1);
  ASSERT_EQ(gpu.Submit(buffers, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  SubmitAndWait(once);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").outcomes.missed, (Counts{{"secondary_repeated", 2}}));
  EXPECT_EQ(profile.Row("a").outcomes.measured, 1);
  EXPECT_EQ(profile.Row("b").outcomes.measured, 8);
}

TEST_F(TimingSecondary, D5_InSeveralPrimariesOneAfterTheOther) {
  Record(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  VkCommandBuffer first = Primary(1);
  VkCommandBuffer second = Primary(1);
  SubmitAndWait(first);
  fake_set_cost("a", 6000, 0);
  SubmitAndWait(second);
  EXPECT_EQ(Finish().Row("a").samples, (Nanoseconds{5010, 6010}));
}

TEST_F(TimingSecondary, D5_InSeveralPrimariesAtOnceIsMissed) {
  Record(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, "completion=manual");
  VkCommandBuffer first = Primary(1);
  VkCommandBuffer second = Primary(1);
  ASSERT_EQ(gpu.Submit({first}), VK_SUCCESS);
  ASSERT_EQ(gpu.Submit({second}, gpu.fence), VK_SUCCESS);
  fake_complete_all();
  gpu.Wait();
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").outcomes.missed, (Counts{{"pending_twice", 2}}));
  EXPECT_EQ(profile.Row("b").outcomes.measured, 2);
}

// The snapshot at vkCmdExecuteCommands counts, not the handle: it may be gone or recorded anew.
TEST_F(TimingSecondary, D5_FreedBeforeItsPrimary) {
  Open("query_mode=late;late_ms=40");
  a = gpu.Pipeline("a", 5000);
  b = gpu.Pipeline("b", 8000);
  VkCommandPool pool = gpu.Pool();
  for (int i = 0; i < 5; i++) {
    secondary = gpu.Allocate(pool, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    gpu.Start(secondary);
    gpu.Dispatch(secondary, a);
    gpu.End(secondary);
    VkCommandBuffer primary = Primary(1);
    SubmitAndWait(primary);
    gpu.vk.FreeCommandBuffers(gpu.device, pool, 1, &secondary);
  }
  Settle();
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds(5, 5010));
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds(5, 8000));
}

TEST_F(TimingSecondary, D5_RecordedAnewBetweenPrimaries) {
  Record(0);
  VkCommandBuffer primary = Primary(1);
  SubmitAndWait(primary);
  gpu.Start(secondary); // the primary is invalid now
  gpu.Dispatch(secondary, b);
  gpu.Dispatch(secondary, b);
  gpu.End(secondary);
  SubmitAndWait(Primary(1));
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").outcomes.executed, 1);
  EXPECT_EQ(profile.Row("b").outcomes.executed, 1 + 3);
  EXPECT_EQ(profile.Row("b").outcomes.measured, 1 + 3);
}

// Marks before and after the secondaries keep their own stamps.
TEST_F(TimingSecondary, D5_EndsTheChainOfThePrimary) {
  Record(0);
  VkCommandBuffer primary = gpu.Begin();
  gpu.Dispatch(primary, b);
  gpu.Barrier(primary);
  gpu.vk.CmdExecuteCommands(primary, 1, &secondary);
  gpu.Barrier(primary);
  gpu.Dispatch(primary, b);
  gpu.End(primary);
  SubmitAndWait(primary);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5000});
  EXPECT_EQ(profile.Row("b").samples, (Nanoseconds{8010, 8000}));
  EXPECT_EQ(profile.Row("b").gap_sum, 5000);
}

// ---- nested (VK_EXT_nested_command_buffer) ----

class TimingSecondaryNested : public TimingSecondary {
protected:
  void RecordNested(VkCommandBufferUsageFlags usage) {
    GpuOptions options;
    options.extensions = {"VK_EXT_nested_command_buffer"};
    Open("rare_extensions=1", options);
    a = gpu.Pipeline("a", 5000);
    b = gpu.Pipeline("b", 8000);
    inner = gpu.BeginSecondary(usage);
    gpu.Dispatch(inner, a);
    gpu.End(inner);
    secondary = Middle(usage);
  }

  // Runs b, then the inner one, each after a barrier.
  VkCommandBuffer Middle(VkCommandBufferUsageFlags usage) {
    VkCommandBuffer middle = gpu.BeginSecondary(usage);
    gpu.Dispatch(middle, b);
    gpu.Barrier(middle);
    gpu.vk.CmdExecuteCommands(middle, 1, &inner);
    gpu.Barrier(middle);
    gpu.End(middle);
    return middle;
  }

  VkCommandBuffer inner = VK_NULL_HANDLE;
};

TEST_F(TimingSecondaryNested, D5_G2_EachLevelHasItsTimes) {
  RecordNested(0);
  VkCommandBuffer primary = Primary(1);
  SubmitAndWait(primary);
  SubmitAndWait(primary);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, (Nanoseconds{5000, 5000}));
  EXPECT_EQ(profile.Row("b").samples, (Nanoseconds{8000, 8010, 8000, 8010})); // the primary first
  EXPECT_EQ(profile.Coverage().recorded, 3);
  EXPECT_EQ(profile.Coverage().executed, 6);
}

TEST_F(TimingSecondaryNested, D5_FreedFromTheInsideOut) {
  RecordNested(0);
  fake_configure("query_mode=late;late_ms=40");
  VkCommandBuffer primary = Primary(1);
  SubmitAndWait(primary);
  gpu.vk.ResetCommandBuffer(inner, 0);
  gpu.vk.ResetCommandBuffer(secondary, 0);
  gpu.vk.ResetCommandBuffer(primary, 0);
  Settle();
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5000});
  EXPECT_EQ(profile.Row("b").samples, (Nanoseconds{8000, 8010}));
}

TEST_F(TimingSecondaryNested, D5_TheMiddleRepeated) {
  RecordNested(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  SubmitAndWait(Primary(2));
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").outcomes.missed, (Counts{{"secondary_repeated", 2}}));
  EXPECT_EQ(profile.Row("b").outcomes.missed, (Counts{{"secondary_repeated", 2}}));
  EXPECT_EQ(profile.Row("b").outcomes.measured, 1);
}

// Once in each of two: repeated in their primary all the same.
TEST_F(TimingSecondaryNested, D5_TheInnerRepeatedByTwoMiddles) {
  RecordNested(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  VkCommandBuffer both[] = {secondary, Middle(0)};
  VkCommandBuffer primary = gpu.Begin();
  gpu.vk.CmdExecuteCommands(primary, 2, both);
  gpu.End(primary);
  SubmitAndWait(primary);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").outcomes.missed, (Counts{{"secondary_repeated", 2}}));
  EXPECT_EQ(profile.Row("b").samples, (Nanoseconds{8010, 8000}));
}

TEST_F(TimingSecondary, D5_WithoutHostReset) {
  Record(0, "host_query_reset=0");
  VkCommandBuffer primary = Primary(1);
  SubmitAndWait(primary);
  fake_set_cost("a", 6000, 0);
  SubmitAndWait(primary);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, (Nanoseconds{5010, 6010}));
  EXPECT_EQ(profile.Row("b").samples, (Nanoseconds{8000, 8000}));
}

} // namespace
