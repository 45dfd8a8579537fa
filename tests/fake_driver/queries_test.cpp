// Queries: who sees which value when, and the moods of real drivers.
#include "fixture.h"

#include <cstring>
#include <thread>

namespace {

class Queries : public FakeTest {
protected:
  // One stamp of query 0 after a dispatch of `ns`; not submitted.
  VkCommandBuffer Stamped(uint64_t ns, bool reset = false) {
    VkCommandBuffer buffer = Begin();
    if (reset) {
      vk.CmdResetQueryPool(buffer, queries, 0, 1);
    }
    Dispatch(buffer, Pipeline("kernel", ns));
    Stamp(buffer, 0);
    vk.EndCommandBuffer(buffer);
    return buffer;
  }
};

const VkQueryResultFlags wide = VK_QUERY_RESULT_64_BIT;
const VkQueryResultFlags with = VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;

TEST_F(Queries, AppearWhenTheSubmissionCompletes) {
  Open("completion=manual");
  VkCommandBuffer buffer = Stamped(1000);
  ASSERT_EQ(Submit(buffer), VK_SUCCESS);
  EXPECT_EQ(fake_pending(), 1U);
  EXPECT_EQ(Read(0), UINT64_MAX);
  EXPECT_EQ(fake_complete(1), 0U);
  EXPECT_EQ(Read(0), 1010U);
}

TEST_F(Queries, FlagsAndStride) {
  Open();
  ASSERT_EQ(Submit(Stamped(1000)), VK_SUCCESS);
  uint64_t data[6];
  memset(data, 0xee, sizeof data);
  EXPECT_EQ(vk.GetQueryPoolResults(device, queries, 0, 2, sizeof data, data, 24, wide | with),
            VK_NOT_READY);
  EXPECT_EQ(data[0], 1010U);
  EXPECT_EQ(data[1], 1U);
  EXPECT_EQ(data[2], 0xeeeeeeeeeeeeeeeeU); // between two strides
  EXPECT_EQ(data[3], 0xeeeeeeeeeeeeeeeeU); // the value of an unavailable query is left alone
  EXPECT_EQ(data[4], 0U);
  EXPECT_EQ(vk.GetQueryPoolResults(device, queries, 0, 1, 16, data, 16, wide), VK_SUCCESS);
  uint32_t narrow[2] = {7, 7};
  EXPECT_EQ(vk.GetQueryPoolResults(device, queries, 0, 1, sizeof narrow, narrow, 8, with),
            VK_SUCCESS);
  EXPECT_EQ(narrow[0], 1010U);
  EXPECT_EQ(narrow[1], 1U);
}

TEST_F(Queries, HostResetIsImmediateCommandResetIsNot) {
  Open("completion=manual");
  ASSERT_EQ(Submit(Stamped(1000)), VK_SUCCESS);
  fake_complete_all();
  ASSERT_EQ(Read(0), 1010U);
  VkCommandBuffer again = Stamped(2000, true);
  ASSERT_EQ(Submit(again), VK_SUCCESS);
  EXPECT_EQ(Read(0), 1010U); // the old value stays available
  fake_complete_all();
  EXPECT_EQ(Read(0), 2020U);
  vk.ResetQueryPool(device, queries, 0, 1);
  EXPECT_EQ(Read(0), UINT64_MAX);
}

TEST_F(Queries, Moods) {
  Open("availability=2");
  ASSERT_EQ(Submit(Stamped(1000)), VK_SUCCESS);
  uint64_t data[2];
  vk.GetQueryPoolResults(device, queries, 0, 1, 16, data, 16, wide | with);
  EXPECT_EQ(data[1], 2U);
  fake_configure("query_mode=zero");
  EXPECT_EQ(Read(0), 0U);
  fake_configure("query_mode=never");
  EXPECT_EQ(Read(0), UINT64_MAX);
  fake_configure("query_mode=normal");
  EXPECT_EQ(Read(0), 1010U);
}

TEST_F(Queries, LateUntilReleased) {
  Open("query_mode=late;late_ms=100000");
  ASSERT_EQ(Submit(Stamped(1000)), VK_SUCCESS);
  ASSERT_EQ(vk.QueueWaitIdle(queue), VK_SUCCESS);
  EXPECT_EQ(Read(0), UINT64_MAX);
  fake_release_queries();
  EXPECT_EQ(Read(0), 1010U);
}

TEST_F(Queries, StaleReadsGiveThePreviousValueFirst) {
  Open("query_mode=stale;stale_reads=2");
  ASSERT_EQ(Submit(Stamped(1000)), VK_SUCCESS);
  EXPECT_EQ(Read(0), 1010U);
  ASSERT_EQ(Submit(Stamped(2000, true)), VK_SUCCESS);
  EXPECT_EQ(Read(0), 1010U);
  EXPECT_EQ(Read(0), 1010U);
  EXPECT_EQ(Read(0), 2020U);
}

TEST_F(Queries, WaitBlocksUntilCompletion) {
  Open("completion=delayed;delay_ms=30");
  ASSERT_EQ(Submit(Stamped(1000)), VK_SUCCESS);
  uint64_t value = 0;
  EXPECT_EQ(vk.GetQueryPoolResults(device, queries, 0, 1, 8, &value, 8, wide), VK_NOT_READY);
  EXPECT_EQ(
      vk.GetQueryPoolResults(device, queries, 0, 1, 8, &value, 8, wide | VK_QUERY_RESULT_WAIT_BIT),
      VK_SUCCESS);
  EXPECT_EQ(value, 1010U);
}

TEST_F(Queries, WaitThatNeverEndsIsAViolation) {
  expect_violations = true;
  Open("block_limit_ms=20");
  uint64_t value = 0;
  EXPECT_EQ(
      vk.GetQueryPoolResults(device, queries, 0, 1, 8, &value, 8, wide | VK_QUERY_RESULT_WAIT_BIT),
      VK_NOT_READY);
  EXPECT_TRUE(fake_has_violation("vkGetQueryPoolResults with WAIT blocked for 20 ms"));
}

TEST_F(Queries, ReadThatIdlesTheDevice) {
  Open("completion=manual;reads_idle_device=1");
  ASSERT_EQ(Submit(Stamped(1000)), VK_SUCCESS);
  std::thread completer([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    fake_complete_all();
  });
  EXPECT_EQ(Read(0), 1010U);
  completer.join();
  expect_violations = true;
  fake_configure("block_limit_ms=20");
  ASSERT_EQ(Submit(Stamped(1000, true)), VK_SUCCESS);
  Read(0);
  EXPECT_TRUE(fake_has_violation("vkGetQueryPoolResults blocked for 20 ms"));
  fake_complete_all();
}

TEST_F(Queries, CopyIsAvailableOnlyAfterTheStamp) {
  Open("transfer_ns=10;byte_ns=0");
  void *bytes = nullptr;
  VkBuffer target = Buffer(64, &bytes);
  memset(bytes, 0xee, 64);
  VkCommandBuffer buffer = Begin();
  Dispatch(buffer, Pipeline("a", 1000));
  Stamp(buffer, 0);
  vk.CmdCopyQueryPoolResults(buffer, queries, 0, 1, target, 0, 16, wide | with);
  vk.CmdCopyQueryPoolResults(buffer, queries, 0, 1, target, 32, 16,
                             wide | with | VK_QUERY_RESULT_WAIT_BIT);
  Run(buffer);
  const uint64_t *words = (const uint64_t *)bytes;
  EXPECT_EQ(words[0], 0xeeeeeeeeeeeeeeeeU);
  EXPECT_EQ(words[1], 0U);
  EXPECT_EQ(words[4], 1010U);
  EXPECT_EQ(words[5], 1U);
}

TEST_F(Queries, BeginEndCountsWork) {
  Open();
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS;
  info.queryCount = 1;
  info.pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;
  VkQueryPool pool = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateQueryPool(device, &info, nullptr, &pool), VK_SUCCESS);
  VkCommandBuffer buffer = Begin();
  vk.CmdResetQueryPool(buffer, pool, 0, 1);
  vk.CmdBeginQuery(buffer, pool, 0, 0);
  Dispatch(buffer, Pipeline("a", 100));
  vk.CmdDispatch(buffer, 1, 1, 1);
  vk.CmdEndQuery(buffer, pool, 0);
  Run(buffer);
  uint64_t value = 0;
  EXPECT_EQ(vk.GetQueryPoolResults(device, pool, 0, 1, 8, &value, 8, wide), VK_SUCCESS);
  EXPECT_EQ(value, 2U);
  vk.DestroyQueryPool(device, pool, nullptr);
}

TEST_F(Queries, LargePoolsCanFail) {
  Open("max_queries_per_pool=1024");
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = 2048;
  VkQueryPool pool = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateQueryPool(device, &info, nullptr, &pool), VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

TEST_F(Queries, LostDevice) {
  Open("completion=manual");
  ASSERT_EQ(Submit(Stamped(1000), fence), VK_SUCCESS);
  fake_lose_device();
  uint64_t data[2] = {0, 0};
  EXPECT_EQ(vk.GetQueryPoolResults(device, queries, 0, 1, 16, data, 16, wide | with),
            VK_ERROR_DEVICE_LOST);
  fake_configure("lost_reads=1");
  EXPECT_EQ(vk.GetQueryPoolResults(device, queries, 0, 1, 16, data, 16, wide | with), VK_SUCCESS);
  EXPECT_EQ(data[0], 0xdeaddeaddeaddeadU);
  EXPECT_EQ(vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.GetFenceStatus(device, fence), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.DeviceWaitIdle(device), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(fake_pending(), 0U);
}

} // namespace
