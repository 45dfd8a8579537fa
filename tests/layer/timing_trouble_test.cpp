// Drivers in trouble: lost devices, no queries, reads that wait, work pending at the end (pitfalls
// D35, D38, D39, D40).
//
// In: scripted faults. Out: the program undisturbed, its counts exact, reasons named.
#include <chrono>

#include "layer_test_case.h"

namespace {

class TimingTrouble : public LayerTest {
protected:
  void OpenA(const std::string &script = "") {
    Open(script);
    a = gpu.Pipeline("a", 5000);
  }

  VkCommandBuffer Recorded(VkCommandBufferUsageFlags usage = 0) {
    VkCommandBuffer buffer = gpu.Begin(usage);
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, a);
    gpu.End(buffer);
    return buffer;
  }

  VkPipeline a = VK_NULL_HANDLE;
};

TEST_F(TimingTrouble, D38_DeviceLostAtSubmit) {
  OpenA("lost_at_submit=2");
  ASSERT_EQ(gpu.Submit({Recorded()}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  EXPECT_EQ(gpu.Submit({Recorded()}), VK_ERROR_DEVICE_LOST);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(profile.Coverage().executed, 1);
  EXPECT_EQ(profile.Text("end_reason"), "device_lost");
  EXPECT_EQ(profile.Text("devices.0.end"), "lost");
}

TEST_F(TimingTrouble, D38_DeviceLostWhilePending) {
  OpenA("completion=manual");
  ASSERT_EQ(gpu.Submit({Recorded()}, gpu.fence), VK_SUCCESS);
  fake_lose_device();
  EXPECT_EQ(gpu.vk.WaitForFences(gpu.device, 1, &gpu.fence, VK_TRUE, UINT64_MAX),
            VK_ERROR_DEVICE_LOST);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").outcomes.missed, (Counts{{"device_lost", 1}}));
  EXPECT_EQ(profile.Text("end_reason"), "device_lost");
}

// Nobody but the layer's own read meets the loss.
TEST_F(TimingTrouble, D38_DeviceLostAtRead) {
  OpenA("completion=manual");
  ASSERT_EQ(gpu.Submit({Recorded()}), VK_SUCCESS);
  fake_lose_device();
  Settle();
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").outcomes.missed, (Counts{{"device_lost", 1}}));
  EXPECT_EQ(profile.Text("devices.0.end"), "lost");
}

// What a lost device gives for work that was pending is garbage, however available. (Without host
// reset, so that nothing is read before the loss is known.)
TEST_F(TimingTrouble, D38_ValuesOfALostDeviceAreNotBelieved) {
  OpenA("completion=manual;lost_reads=1;host_query_reset=0");
  ASSERT_EQ(gpu.Submit({Recorded()}), VK_SUCCESS);
  fake_lose_device();
  EXPECT_EQ(gpu.vk.DeviceWaitIdle(gpu.device), VK_ERROR_DEVICE_LOST);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").outcomes.measured, 0);
  EXPECT_EQ(profile.Row("a").outcomes.missed, (Counts{{"device_lost", 1}}));
}

// Reads that idle the device: the application's thread does not read while anything is outstanding.
TEST_F(TimingTrouble, D35_ReadsThatWaitAreLeftToTheCollector) {
  OpenA("driver_id=13;reads_idle_device=1;completion=manual"); // 13: MESA_LLVMPIPE
  ASSERT_EQ(gpu.Submit({Recorded()}, gpu.fence), VK_SUCCESS);
  ASSERT_EQ(gpu.Submit({Recorded()}), VK_SUCCESS);
  fake_complete(1);
  auto start = std::chrono::steady_clock::now();
  gpu.Wait();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  fake_complete_all();
  EXPECT_EQ(gpu.vk.DeviceWaitIdle(gpu.device), VK_SUCCESS);
  EXPECT_EQ(Finish().Row("a").samples, (Nanoseconds{5010, 5000}));
}

// The same while a submission waits for a host signal that comes after our read: no deadlock.
TEST_F(TimingTrouble, D35_ReadThatWaitsBeforeAHostSignal) {
  OpenA("driver_id=13;reads_idle_device=1");
  VkSemaphore semaphore = gpu.Timeline();
  uint64_t value = 1;
  VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &value;
  VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkCommandBuffer blocked = Recorded(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO, &values, 1, &semaphore, &stage, 1, &blocked};
  ASSERT_EQ(gpu.Submit({Recorded()}, gpu.fence), VK_SUCCESS);
  ASSERT_EQ(gpu.vk.QueueSubmit(gpu.queue, 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
  gpu.Wait();
  Settle();
  VkSemaphoreSignalInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, semaphore, 1};
  ASSERT_EQ(gpu.vk.SignalSemaphore(gpu.device, &signal), VK_SUCCESS);
  EXPECT_EQ(gpu.vk.DeviceWaitIdle(gpu.device), VK_SUCCESS);
  EXPECT_EQ(Finish().Row("a").outcomes.measured, 2);
}

// There, submitted again after a wait while another queue is busy: one of the two times is given
// up, never mixed up, and the application does not wait.
TEST_F(TimingTrouble, D35_SubmittedAgainWhereReadsWait) {
  OpenA("driver_id=13;reads_idle_device=1;completion=manual");
  VkCommandBuffer buffer = Recorded();
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
  ASSERT_EQ(gpu.Submit({Recorded()}, VK_NULL_HANDLE, gpu.Queue(0, 1)), VK_SUCCESS);
  fake_complete(1);
  gpu.Wait();
  fake_set_cost("a", 7000, 0);
  auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  fake_complete_all();
  EXPECT_EQ(gpu.vk.DeviceWaitIdle(gpu.device), VK_SUCCESS);
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.outcomes.executed, 3);
  EXPECT_EQ(row.outcomes.measured, 2);
  EXPECT_EQ(row.outcomes.missed["read_would_wait"] + row.outcomes.missed["read_in_progress"], 1);
}

TEST_F(TimingTrouble, D40_G5_QueryCap) {
  Setting("MAX_QUERIES", "256");
  OpenA();
  VkCommandBuffer buffer = gpu.Begin();
  for (int i = 0; i < 300; i++) {
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, a);
  }
  gpu.Run(buffer);
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.outcomes.executed, 600);
  EXPECT_EQ(row.outcomes.measured, 256);
  EXPECT_EQ(row.outcomes.untimed, (Counts{{"query_cap", 344}}));
  EXPECT_EQ(row.min, 5000);
  EXPECT_EQ(row.max, 5010);
}

TEST_F(TimingTrouble, D40_NoQueryPoolAtAll) {
  OpenA();
  fake_fail("vkCreateQueryPool", 0, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  ASSERT_EQ(gpu.Submit({Recorded()}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").outcomes.untimed, (Counts{{"out_of_memory", 1}}));
  EXPECT_EQ(profile.Coverage().executed, 1);
}

TEST_F(TimingTrouble, D40_SmallerPoolsWhereLargeOnesAreRefused) {
  OpenA("max_queries_per_pool=600");
  VkCommandBuffer buffer = gpu.Begin();
  for (int i = 0; i < 1000; i++) {
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, a);
  }
  gpu.Run(buffer);
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.outcomes.measured, 1000);
  EXPECT_EQ(row.sum, 1000 * 5000 + 10);
}

// Against the rules, but real: nothing hangs and nothing is invented.
TEST_F(TimingTrouble, D39_DeviceDestroyedWithPendingWork) {
  expect_violations = true;
  OpenA("completion=manual;block_limit_ms=2000");
  ASSERT_EQ(gpu.Submit({Recorded()}, gpu.fence), VK_SUCCESS);
  auto start = std::chrono::steady_clock::now();
  Profile profile = Finish();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(profile.Coverage().executed, 1);
  EXPECT_EQ(profile.Coverage().measured, 0);
  EXPECT_TRUE(fake_has_violation("vkDestroyDevice while submissions are pending"));
}

} // namespace
