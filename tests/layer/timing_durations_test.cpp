// Durations, gaps and merged stamps, to the nanosecond of the scripted driver.
//
// In: recordings whose times are worked out by hand (fake_driver.h, WORKED EXAMPLES; issue 10 ns).
// Out: the profile's samples, gaps and busy times.
#include "layer_test_case.h"

namespace {

class TimingDurations : public LayerTest {
protected:
  void OpenAB(const std::string &script = "") {
    Open(script);
    a = gpu.Pipeline("a", 5000);
    b = gpu.Pipeline("b", 8000);
    buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  }

  void Copy(VkDeviceSize bytes) {
    void *mapped;
    VkBuffer from = gpu.Buffer(bytes, &mapped);
    VkBuffer to = gpu.Buffer(bytes, &mapped);
    VkBufferCopy region{0, 0, bytes};
    gpu.vk.CmdCopyBuffer(buffer, from, to, 1, &region);
  }

  VkPipeline a = VK_NULL_HANDLE, b = VK_NULL_HANDLE;
  VkCommandBuffer buffer = VK_NULL_HANDLE;
};

// Without a barrier they overlap: the second is charged what it added, and its begin is the end of
// the first.
TEST_F(TimingDurations, D15_OverlappingDispatchIsChargedWhatItAdded) {
  OpenAB();
  gpu.Dispatch(buffer, a);
  gpu.Dispatch(buffer, b);
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{3010});
  EXPECT_EQ(profile.Row("a").overlap_possible, 0);
  EXPECT_EQ(profile.Row("b").overlap_possible, 1);
  EXPECT_EQ(profile.Row("a").gap_count, 0);
  EXPECT_EQ(profile.Row("b").gap_sum, 0);
  EXPECT_EQ(profile.Row("b").gap_count, 1);
  EXPECT_EQ(profile.Coverage().measured, 2);
  EXPECT_EQ(profile.Queues()[0].busy, 8020);
  EXPECT_EQ(profile.Queues()[0].idle, 0);
}

// One that ends before its predecessor adds nothing; that is a sample of 0, not a rejected one.
TEST_F(TimingDurations, D15_DispatchHiddenBehindALongerOneTakesNothing) {
  OpenAB();
  gpu.Dispatch(buffer, b);
  gpu.Dispatch(buffer, a);
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{8010});
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{0});
}

// A stamp at TOP_OF_PIPE would charge 10 and 13000 (worked example c).
TEST_F(TimingDurations, D15_BarrierMakesDispatchesFollowEachOther) {
  OpenAB();
  gpu.Dispatch(buffer, a);
  gpu.Barrier(buffer);
  gpu.Dispatch(buffer, b);
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{8000});
  EXPECT_EQ(profile.Row("b").overlap_possible, 0);
}

TEST_F(TimingDurations, D15_TimeOfABarrierIsAGap) {
  OpenAB("barrier_ns=700");
  gpu.Dispatch(buffer, a);
  gpu.Barrier(buffer);
  gpu.Dispatch(buffer, b);
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{8000});
  EXPECT_EQ(profile.Row("b").gap_sum, 700);
  EXPECT_EQ(profile.Row("b").gap_count, 1);
  QueueRow queue = profile.Queues()[0];
  EXPECT_EQ(queue.busy, 13010);
  EXPECT_EQ(queue.idle, 700);
  EXPECT_EQ(queue.last - queue.first, 13710);
}

// The copy is a command of its own, timed at all stages; a gap is known only between stamps of one
// stage.
TEST_F(TimingDurations, D15_CopyBetweenTwoBarriersIsACommandOfItsOwn) {
  OpenAB();
  gpu.Dispatch(buffer, a);
  gpu.Barrier(buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT);
  Copy(1000); // 5010..6510
  gpu.Barrier(buffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  gpu.Dispatch(buffer, b);
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{8000});
  EXPECT_EQ(profile.Row("b").gap_sum, 0);
  EXPECT_EQ(profile.Kind("copy").samples, Nanoseconds{1500});
}

// Worked example d: a copy that nothing orders before the dispatch runs beside it.
TEST_F(TimingDurations, D15_UnorderedCopyIsNoPartOfTheDispatch) {
  OpenAB("transfer_ns=500;byte_ns=2");
  Copy(1000);
  gpu.Dispatch(buffer, a);
  gpu.Run(buffer);
  EXPECT_EQ(Finish().Row("a").samples, Nanoseconds{5010});
}

TEST_F(TimingDurations, D15_CopyThatTheDispatchWaitsForIsNoPartOfIt) {
  OpenAB("transfer_ns=500;byte_ns=2");
  Copy(1000);
  gpu.Barrier(buffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  gpu.Dispatch(buffer, a);
  gpu.Run(buffer);
  EXPECT_EQ(Finish().Row("a").samples, Nanoseconds{5000});
}

// A stamp that takes time of its own is part of what it precedes, and only of that.
TEST_F(TimingDurations, D25_CostOfStamps) {
  OpenAB("stamp_ns=3");
  gpu.Dispatch(buffer, a);
  gpu.Barrier(buffer);
  gpu.Dispatch(buffer, b);
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010}); // stamp 3, dispatch 13..5013
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{8000});
}

TEST_F(TimingDurations, D41_GroupsMakeRowsOfTheirOwn) {
  Open();
  VkPipeline grid = gpu.Pipeline("grid", 100, 7);
  buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  for (uint32_t x : {1, 2, 1}) {
    gpu.Dispatch(buffer, grid, x, 3, 5);
    gpu.Barrier(buffer);
  }
  gpu.Run(buffer);
  std::vector<KernelRow> rows = Finish().Rows("grid");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].groups, (Nanoseconds{1, 3, 5}));
  EXPECT_EQ(rows[0].samples, (Nanoseconds{215, 205}));
  EXPECT_EQ(rows[1].groups, (Nanoseconds{2, 3, 5}));
  EXPECT_EQ(rows[1].samples, Nanoseconds{310});
}

// The mark's own end, never that of its neighbour: three different costs in one chain.
TEST_F(TimingDurations, D15_EveryMarkGetsItsOwnEnd) {
  OpenAB();
  VkPipeline c = gpu.Pipeline("c", 21000);
  gpu.Dispatch(buffer, a);
  gpu.Dispatch(buffer, b);
  gpu.Dispatch(buffer, c);
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{3010});  // ends 8020
  EXPECT_EQ(profile.Row("c").samples, Nanoseconds{13010}); // ends 21030
}

// What a queue was busy is the union of intervals: two submissions with host time between them.
TEST_F(TimingDurations, D15_G1_BusyIsTheUnionOfIntervals) {
  OpenAB();
  gpu.Dispatch(buffer, a);
  gpu.Run(buffer);
  fake_advance(2000);
  buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, b);
  gpu.Run(buffer);
  QueueRow queue = Finish().Queues()[0];
  EXPECT_EQ(queue.busy, 5010 + 8010);
  EXPECT_EQ(queue.idle, 2000);
  EXPECT_EQ(queue.submissions, 2);
  EXPECT_EQ(queue.command_buffers, 2);
}

} // namespace
