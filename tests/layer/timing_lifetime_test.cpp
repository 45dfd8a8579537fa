// Recordings that go away before or after their results were read (pitfalls D26 to D28, D40, D41).
//
// In: every way to lose a recording, with results that come late. Out: no execution is lost, none
// gets another's time, and queries are used again.
#include <algorithm>

#include "layer_test_case.h"

namespace {

enum class Way { kBegin, kResetBuffer, kResetPool, kFree, kDestroyPool };

std::string NameOf(const ::testing::TestParamInfo<Way> &info) {
  static const char *const names[] = {"Begin", "ResetCommandBuffer", "ResetCommandPool",
                                      "FreeCommandBuffers", "DestroyCommandPool"};
  return names[static_cast<int>(info.param)];
}

class TimingLifetime : public LayerTest {};

class TimingLifetimeWays : public LayerTest, public ::testing::WithParamInterface<Way> {
protected:
  VkCommandPool NewPool() {
    VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr,
                                 VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT, 0};
    VkCommandPool out = VK_NULL_HANDLE;
    EXPECT_EQ(gpu.vk.CreateCommandPool(gpu.device, &info, nullptr, &out), VK_SUCCESS);
    return out;
  }

  // A buffer to record into, after the previous recording went the way of the test.
  VkCommandBuffer Next() {
    if (pool == VK_NULL_HANDLE) {
      pool = NewPool();
      return buffer = gpu.Allocate(pool);
    }
    switch (GetParam()) {
    case Way::kBegin:
      break;
    case Way::kResetBuffer:
      EXPECT_EQ(gpu.vk.ResetCommandBuffer(buffer, 0), VK_SUCCESS);
      break;
    case Way::kResetPool:
      EXPECT_EQ(gpu.vk.ResetCommandPool(gpu.device, pool, 0), VK_SUCCESS);
      break;
    case Way::kFree:
      gpu.vk.FreeCommandBuffers(gpu.device, pool, 1, &buffer);
      buffer = gpu.Allocate(pool);
      break;
    case Way::kDestroyPool:
      gpu.vk.DestroyCommandPool(gpu.device, pool, nullptr);
      pool = NewPool();
      buffer = gpu.Allocate(pool);
      break;
    }
    return buffer;
  }

  void RunMany(uint64_t count, VkCommandBufferUsageFlags usage) {
    VkPipeline a = gpu.Pipeline("a", 5000);
    for (uint64_t i = 0; i < count; i++) {
      fake_set_cost("a", 5000 + i, 0);
      VkCommandBuffer recording = Next();
      gpu.Start(recording, usage);
      gpu.Dispatch(recording, a);
      gpu.Run(recording);
    }
    gpu.vk.DestroyCommandPool(gpu.device, pool, nullptr);
  }

  void ExpectAll(const Profile &profile, int64_t count) {
    KernelRow row = profile.Row("a");
    std::sort(row.samples.begin(), row.samples.end());
    Nanoseconds expected;
    for (int64_t i = 0; i < count; i++) {
      expected.push_back(5010 + i);
    }
    EXPECT_EQ(row.samples, expected);
    EXPECT_EQ(row.outcomes.measured, count);
    EXPECT_EQ(row.outcomes.executed, count);
  }

  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer buffer = VK_NULL_HANDLE;
};

TEST_P(TimingLifetimeWays, D27_EveryExecutionIsMeasured) {
  Open();
  RunMany(50, 0);
  Profile profile = Finish();
  ExpectAll(profile, 50);
  EXPECT_LE(profile.Number("overhead.queries_peak"), 512);
}

// The values are in the queries, and those are not given away before they were read.
TEST_P(TimingLifetimeWays, D28_ResultsThatComeAfterTheRecordingIsGone) {
  Open("query_mode=late;late_ms=40");
  RunMany(20, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  Settle();
  ExpectAll(Finish(), 20);
}

TEST_P(TimingLifetimeWays, D28_WithoutHostReset) {
  Open("query_mode=late;late_ms=40;host_query_reset=0");
  RunMany(20, 0);
  Settle();
  ExpectAll(Finish(), 20);
}

INSTANTIATE_TEST_SUITE_P(Ways, TimingLifetimeWays,
                         ::testing::Values(Way::kBegin, Way::kResetBuffer, Way::kResetPool,
                                           Way::kFree, Way::kDestroyPool),
                         NameOf);

// Several buffers of one pool, freed in another order than allocated, with NULL among them.
TEST_F(TimingLifetime, D27_FreedInAnyOrder) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkCommandPool pool = gpu.Pool();
  VkCommandBuffer buffers[4];
  for (auto &buffer : buffers) {
    buffer = gpu.Allocate(pool);
    gpu.Start(buffer);
    gpu.Dispatch(buffer, a);
    gpu.Run(buffer);
  }
  VkCommandBuffer order[] = {buffers[2], VK_NULL_HANDLE, buffers[0]};
  gpu.vk.FreeCommandBuffers(gpu.device, pool, 3, order);
  ASSERT_EQ(gpu.Submit({buffers[1], buffers[3]}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.outcomes.measured, 6);
  EXPECT_EQ(row.outcomes.executed, 6);
}

// Recorded, but never submitted: counted as recorded only, and its queries are used again.
TEST_F(TimingLifetime, D41_NeverSubmitted) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkCommandBuffer buffer = gpu.Allocate(gpu.Pool());
  for (int i = 0; i < 100; i++) {
    gpu.Start(buffer);
    gpu.Dispatch(buffer, a);
    gpu.Dispatch(buffer, a);
    gpu.End(buffer);
  }
  Profile profile = Finish();
  EXPECT_EQ(profile.Coverage().recorded, 200);
  EXPECT_EQ(profile.Coverage().executed, 0);
  EXPECT_LE(profile.Number("overhead.queries_peak"), 512);
  EXPECT_EQ(fake_call_count("vkCreateQueryPool"), 1U);
}

// vkTrimCommandPool and a failed vkEndCommandBuffer.
TEST_F(TimingLifetime, D27_TrimmingIsNoReset) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkCommandPool pool = gpu.Pool();
  VkCommandBuffer buffer = gpu.Allocate(pool);
  gpu.Start(buffer);
  gpu.Dispatch(buffer, a);
  gpu.Run(buffer);
  gpu.vk.TrimCommandPool(gpu.device, pool, 0);
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  EXPECT_EQ(Finish().Row("a").samples, (Nanoseconds{5010, 5010}));
}

TEST_F(TimingLifetime, G2_FailedEndIsNoRecording) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkCommandBuffer buffer = gpu.Begin();
  gpu.Dispatch(buffer, a);
  fake_fail("vkEndCommandBuffer", 1, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(gpu.vk.EndCommandBuffer(buffer), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  VkCommandBuffer again = gpu.Begin();
  gpu.Dispatch(again, a);
  gpu.Run(again);
  EXPECT_EQ(Finish().Row("a").samples, Nanoseconds{5010});
}

// More stamps than one block holds: chained marks go on across blocks. Each adds what issue takes.
TEST_F(TimingLifetime, D40_MoreStampsThanABlock) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 100);
  for (int count : {300, 5000}) {
    VkCommandBuffer buffer = gpu.Begin();
    gpu.Bind(buffer, a);
    for (int i = 0; i < count; i++) {
      gpu.vk.CmdDispatch(buffer, 1, 1, 1);
    }
    gpu.Run(buffer);
    ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
    gpu.Wait();
  }
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.outcomes.measured, 2 * (300 + 5000));
  EXPECT_EQ(row.min, 10);
  EXPECT_EQ(row.max, 110);
  EXPECT_EQ(row.sum, 2 * (300 + 5000) * 10 + 4 * 100);
  EXPECT_EQ(row.overlap_possible, 2 * (300 + 5000) - 4);
}

TEST_F(TimingLifetime, D40_MoreStampsThanABlockWithoutHostReset) {
  Open("host_query_reset=0");
  VkPipeline a = gpu.Pipeline("a", 100);
  VkCommandBuffer buffer = gpu.Begin();
  for (int i = 0; i < 1000; i++) {
    gpu.Dispatch(buffer, a);
    gpu.Barrier(buffer);
  }
  gpu.Run(buffer);
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.outcomes.executed, 2000);
  EXPECT_EQ(row.outcomes.measured, 2000);
}

} // namespace
