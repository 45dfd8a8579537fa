// The program's own queries around its work (pitfalls D10, D11, D17).
//
// In: statistics, occlusion and performance queries begun before dispatches and ended after. Out:
// no rule broken, the program's results as without the layer, our times beside them.
#include <algorithm>

#include "layer_test_case.h"

namespace {

class TimingQueries : public LayerTest {
protected:
  void OpenA(const std::string &script = "") {
    GpuOptions options;
    options.extensions = {"VK_KHR_performance_query"};
    Open("rare_extensions=1;" + script, options);
    a = gpu.Pipeline("a", 5000);
    buffer = gpu.Begin();
  }

  VkQueryPool Counter(uint32_t index) {
    VkQueryPoolPerformanceCreateInfoKHR counters{
        VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR, nullptr, 0, 1, &index};
    VkQueryPool pool = gpu.Queries(VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR, 1, &counters);
    VkCommandBuffer reset = gpu.Begin(); // in a buffer before, as the scope demands
    gpu.vk.CmdResetQueryPool(reset, pool, 0, 1);
    gpu.Run(reset);
    return pool;
  }

  void Lock() {
    VkAcquireProfilingLockInfoKHR info{VK_STRUCTURE_TYPE_ACQUIRE_PROFILING_LOCK_INFO_KHR};
    ASSERT_EQ(gpu.vk.AcquireProfilingLockKHR(gpu.device, &info), VK_SUCCESS);
  }

  uint64_t Result(VkQueryPool pool, VkQueryResultFlags flags = VK_QUERY_RESULT_64_BIT) {
    uint64_t value = 0;
    EXPECT_EQ(gpu.vk.GetQueryPoolResults(gpu.device, pool, 0, 1, sizeof value, &value, sizeof value,
                                         flags),
              VK_SUCCESS);
    return value;
  }

  // Two dispatches, one after the other.
  void DispatchTwice() {
    gpu.Dispatch(buffer, a);
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, a);
  }

  // Of scope COMMAND_BUFFER: the begin is the first command and the end is the last.
  void RunCounted(VkQueryPool pool) {
    gpu.vk.CmdBeginQuery(buffer, pool, 0, 0);
    DispatchTwice();
    gpu.vk.CmdEndQuery(buffer, pool, 0);
    std::vector<std::string> lines = Recorded(buffer);
    EXPECT_EQ(lines.front(), "vkCmdBeginQuery");
    EXPECT_EQ(lines.back(), "vkCmdEndQuery");
    gpu.Run(buffer);
    lines = Recorded(buffer);
    EXPECT_EQ(lines.back(), "vkCmdEndQuery"); // no closing stamp either
    EXPECT_EQ(Result(pool, 0), 2U);
  }

  VkPipeline a = VK_NULL_HANDLE;
  VkCommandBuffer buffer = VK_NULL_HANDLE;
};

TEST_F(TimingQueries, D10_StatisticsAroundDispatches) {
  OpenA();
  VkQueryPool statistics = gpu.Queries(VK_QUERY_TYPE_PIPELINE_STATISTICS, 1);
  VkQueryPool occlusion = gpu.Queries(VK_QUERY_TYPE_OCCLUSION, 1);
  gpu.vk.CmdResetQueryPool(buffer, statistics, 0, 1);
  gpu.vk.CmdResetQueryPool(buffer, occlusion, 0, 1);
  gpu.vk.CmdBeginQuery(buffer, statistics, 0, 0);
  gpu.vk.CmdBeginQuery(buffer, occlusion, 0, VK_QUERY_CONTROL_PRECISE_BIT);
  DispatchTwice();
  gpu.vk.CmdEndQuery(buffer, occlusion, 0);
  gpu.vk.CmdEndQuery(buffer, statistics, 0);
  std::vector<std::string> lines = Recorded(buffer);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "vkCmdBeginQuery"), 2); // none of ours
  gpu.Run(buffer);
  EXPECT_EQ(Result(statistics), 2U);
  EXPECT_EQ(Result(occlusion), 2U);
  EXPECT_EQ(Finish().Row("a").samples, (Nanoseconds{5010, 5000}));
}

// Begun inside a chain of dispatches: an end stamp before it serves no begin after it.
TEST_F(TimingQueries, D10_D15_AQueryEndsTheChain) {
  OpenA();
  VkQueryPool statistics = gpu.Queries(VK_QUERY_TYPE_PIPELINE_STATISTICS, 1);
  gpu.vk.CmdResetQueryPool(buffer, statistics, 0, 1);
  gpu.Dispatch(buffer, a);
  gpu.vk.CmdBeginQuery(buffer, statistics, 0, 0);
  gpu.Dispatch(buffer, a);
  gpu.vk.CmdEndQuery(buffer, statistics, 0);
  gpu.Dispatch(buffer, a);
  std::vector<std::string> lines = Recorded(buffer);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "vkCmdWriteTimestamp stage=0x800"), 6);
  gpu.Run(buffer);
  EXPECT_EQ(Result(statistics), 1U);
}

TEST_F(TimingQueries, D10_TimestampsOfTheProgramBetweenDispatches) {
  OpenA();
  VkQueryPool own = gpu.Queries(VK_QUERY_TYPE_TIMESTAMP, 3);
  gpu.vk.CmdResetQueryPool(buffer, own, 0, 3);
  for (uint32_t i = 0; i < 3; i++) {
    gpu.vk.CmdWriteTimestamp(buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, own, i);
    gpu.Dispatch(buffer, a);
    gpu.Barrier(buffer);
  }
  gpu.Run(buffer);
  uint64_t values[3];
  ASSERT_EQ(gpu.vk.GetQueryPoolResults(gpu.device, own, 0, 3, sizeof values, values, 8,
                                       VK_QUERY_RESULT_64_BIT),
            VK_SUCCESS);
  EXPECT_EQ(values[1] - values[0], 5010U);
  EXPECT_EQ(values[2] - values[1], 5000U);
  EXPECT_EQ(Finish().Row("a").samples, (Nanoseconds{5010, 5000, 5000}));
}

TEST_F(TimingQueries, D11_APerformanceQueryOfTheWholeBuffer) {
  OpenA();
  Lock(); // would be said if the layer took it, too
  RunCounted(Counter(0));
  gpu.vk.ReleaseProfilingLockKHR(gpu.device);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, (Nanoseconds{5010, 5000}));
}

TEST_F(TimingQueries, D11_TheSameWithoutHostReset) {
  OpenA("host_query_reset=0");
  Lock();
  RunCounted(Counter(0));
  gpu.vk.ReleaseProfilingLockKHR(gpu.device);
  EXPECT_EQ(Finish().Row("a").samples, (Nanoseconds{5010, 5000}));
}

// One submission for each pass of the counters: the same recording again.
TEST_F(TimingQueries, D11_D34_SubmittedOnceForEachPass) {
  OpenA();
  Lock();
  VkQueryPool pool = Counter(0);
  gpu.vk.CmdBeginQuery(buffer, pool, 0, 0);
  DispatchTwice();
  gpu.vk.CmdEndQuery(buffer, pool, 0);
  gpu.End(buffer);
  uint32_t before = fake_submission_count();
  for (uint32_t pass = 0; pass < 2; pass++) {
    VkPerformanceQuerySubmitInfoKHR chained{VK_STRUCTURE_TYPE_PERFORMANCE_QUERY_SUBMIT_INFO_KHR,
                                            nullptr, pass};
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO, &chained};
    info.commandBufferCount = 1;
    info.pCommandBuffers = &buffer;
    uint64_t hash = fake_hash_submits(&info, 1);
    if (pass > 0) {
      VkCommandBuffer reset = gpu.Begin();
      gpu.vk.CmdResetQueryPool(reset, pool, 0, 1);
      gpu.Run(reset);
      before++;
    }
    ASSERT_EQ(gpu.vk.QueueSubmit(gpu.queue, 1, &info, gpu.fence), VK_SUCCESS);
    gpu.Wait();
    EXPECT_EQ(fake_submission(before + pass)->deep_hash, hash);
  }
  gpu.vk.ReleaseProfilingLockKHR(gpu.device);
  EXPECT_EQ(Finish().Row("a").samples, (Nanoseconds{5010, 5000, 5010, 5000}));
}

// Counters of one command: our stamps stand between its begin and end, or outside.
TEST_F(TimingQueries, D11_APerformanceQueryOfOneCommand) {
  OpenA();
  Lock();
  VkQueryPool pool = Counter(2);
  gpu.Dispatch(buffer, a);
  gpu.Barrier(buffer);
  gpu.vk.CmdBeginQuery(buffer, pool, 0, 0);
  gpu.Dispatch(buffer, a);
  gpu.vk.CmdEndQuery(buffer, pool, 0);
  gpu.Barrier(buffer);
  gpu.Dispatch(buffer, a);
  gpu.Run(buffer);
  EXPECT_EQ(Result(pool, 0), 1U);
  gpu.vk.ReleaseProfilingLockKHR(gpu.device);
  EXPECT_EQ(Finish().Row("a").samples, (Nanoseconds{5010, 5000, 5000}));
}

} // namespace
