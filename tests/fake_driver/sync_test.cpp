// Completion: modes, host waits that block, wait-before-signal, lost devices.
#include "fixture.h"

#include <chrono>
#include <thread>

namespace {

class Sync : public FakeTest {
protected:
  VkCommandBuffer Recorded(uint64_t ns = 1000, VkCommandBufferUsageFlags usage = 0) {
    VkCommandBuffer buffer = Begin(usage);
    Dispatch(buffer, Pipeline("kernel", ns));
    vk.EndCommandBuffer(buffer);
    return buffer;
  }

  VkSemaphore Timeline(uint64_t value) {
    VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    type.initialValue = value;
    VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
    VkSemaphore out = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateSemaphore(device, &info, nullptr, &out), VK_SUCCESS);
    return out;
  }

  VkResult Submit2(VkCommandBuffer buffer, VkSemaphore wait, uint64_t wait_value,
                   VkSemaphore signal, uint64_t signal_value, VkQueue to) {
    VkCommandBufferSubmitInfo buffer_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, nullptr,
                                          buffer, 0};
    VkSemaphoreSubmitInfo waits{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, wait, wait_value,
                                VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
    VkSemaphoreSubmitInfo signals{
        VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, signal, signal_value,
        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
    VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
    info.commandBufferInfoCount = buffer != VK_NULL_HANDLE ? 1 : 0;
    info.pCommandBufferInfos = &buffer_info;
    info.waitSemaphoreInfoCount = wait != VK_NULL_HANDLE ? 1 : 0;
    info.pWaitSemaphoreInfos = &waits;
    info.signalSemaphoreInfoCount = signal != VK_NULL_HANDLE ? 1 : 0;
    info.pSignalSemaphoreInfos = &signals;
    return vk.QueueSubmit2(to, 1, &info, VK_NULL_HANDLE);
  }

  VkResult Signal(VkSemaphore semaphore, uint64_t value) {
    VkSemaphoreSignalInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, semaphore, value};
    return vk.SignalSemaphore(device, &info);
  }

  VkResult Wait(VkSemaphore semaphore, uint64_t value, uint64_t timeout) {
    VkSemaphoreWaitInfo info{
        VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, 0, 1, &semaphore, &value};
    return vk.WaitSemaphores(device, &info, timeout);
  }
};

TEST_F(Sync, ImmediateCompletesInsideTheCall) {
  Open();
  ASSERT_EQ(Submit(Recorded(), fence), VK_SUCCESS);
  EXPECT_EQ(vk.GetFenceStatus(device, fence), VK_SUCCESS);
  EXPECT_EQ(fake_now(), 1010U);
}

TEST_F(Sync, ManualCompletesCallByCall) {
  Open("completion=manual");
  VkCommandBuffer buffer = Recorded(1000, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  VkSubmitInfo two[2] = {{VK_STRUCTURE_TYPE_SUBMIT_INFO}, {VK_STRUCTURE_TYPE_SUBMIT_INFO}};
  for (auto &info : two) {
    info.commandBufferCount = 1;
    info.pCommandBuffers = &buffer;
  }
  ASSERT_EQ(vk.QueueSubmit(queue, 2, two, fence), VK_SUCCESS);
  ASSERT_EQ(Submit(buffer), VK_SUCCESS);
  EXPECT_EQ(fake_pending(), 2U);
  EXPECT_EQ(vk.GetFenceStatus(device, fence), VK_NOT_READY);
  EXPECT_EQ(vk.WaitForFences(device, 1, &fence, VK_TRUE, 1000000), VK_TIMEOUT);
  EXPECT_EQ(fake_complete(1), 1U);
  EXPECT_EQ(fake_execution_count(), 2U);
  EXPECT_EQ(vk.GetFenceStatus(device, fence), VK_SUCCESS);
  EXPECT_EQ(fake_complete_all(), 0U);
  EXPECT_EQ(fake_execution(2)->submission, 1U);
}

TEST_F(Sync, DelayedCompletesByItself) {
  Open("completion=delayed;delay_ms=20");
  auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(Submit(Recorded(), fence), VK_SUCCESS);
  EXPECT_EQ(vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(19));
}

TEST_F(Sync, RealModeFollowsTheMonotonicClock) {
  Open("completion=real", {VK_API_VERSION_1_3, {"VK_KHR_calibrated_timestamps"}});
  auto begin = std::chrono::steady_clock::now();
  VkCommandBuffer buffer = Begin();
  Stamp(buffer, 0);
  Dispatch(buffer, Pipeline("kernel", 5000000));
  Stamp(buffer, 1);
  Run(buffer);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(5));
  EXPECT_EQ(Read(1) - Read(0), 5000010U); // durations stay exact
  VkCalibratedTimestampInfoKHR infos[2] = {{VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_KHR},
                                           {VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_KHR}};
  infos[0].timeDomain = VK_TIME_DOMAIN_DEVICE_KHR;
  infos[1].timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR;
  uint64_t stamps[2];
  uint64_t deviation = 0;
  ASSERT_EQ(vk.GetCalibratedTimestampsKHR(device, 2, infos, stamps, &deviation), VK_SUCCESS);
  uint64_t host_of_begin = stamps[1] - (stamps[0] - Read(0));
  EXPECT_GE(host_of_begin, (uint64_t)begin.time_since_epoch().count());
  EXPECT_GE(stamps[0], Read(1));
}

TEST_F(Sync, WaitBeforeSignalFromTheHost) {
  Open();
  VkSemaphore semaphore = Timeline(0);
  ASSERT_EQ(Submit2(Recorded(), semaphore, 5, VK_NULL_HANDLE, 0, queue), VK_SUCCESS);
  EXPECT_EQ(fake_pending(), 1U);
  fake_advance(700);
  EXPECT_EQ(Signal(semaphore, 5), VK_SUCCESS);
  EXPECT_EQ(fake_pending(), 0U);
  EXPECT_EQ(fake_execution(0)->start_ns, 700U);
  vk.DestroySemaphore(device, semaphore, nullptr);
}

TEST_F(Sync, WaitBeforeSignalFromAnotherQueue) {
  Open();
  VkSemaphore semaphore = Timeline(0);
  ASSERT_EQ(Submit2(Recorded(100), semaphore, 1, semaphore, 2, Queue(0, 1)), VK_SUCCESS);
  EXPECT_EQ(Wait(semaphore, 2, 1000000), VK_TIMEOUT);
  ASSERT_EQ(Submit2(Recorded(100), VK_NULL_HANDLE, 0, semaphore, 1, queue), VK_SUCCESS);
  EXPECT_EQ(Wait(semaphore, 2, UINT64_MAX), VK_SUCCESS);
  uint64_t value = 0;
  EXPECT_EQ(vk.GetSemaphoreCounterValue(device, semaphore, &value), VK_SUCCESS);
  EXPECT_EQ(value, 2U);
  vk.DestroySemaphore(device, semaphore, nullptr);
}

TEST_F(Sync, HostWaitIsWokenByAnotherThread) {
  Open("completion=manual");
  ASSERT_EQ(Submit(Recorded()), VK_SUCCESS);
  std::thread completer([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    fake_complete_all();
  });
  EXPECT_EQ(vk.DeviceWaitIdle(device), VK_SUCCESS);
  EXPECT_EQ(fake_pending(), 0U);
  completer.join();
}

TEST_F(Sync, EventFromTheHostReleasesABatch) {
  Open();
  VkEventCreateInfo info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent event = VK_NULL_HANDLE;
  vk.CreateEvent(device, &info, nullptr, &event);
  VkCommandBuffer buffer = Begin();
  vk.CmdWaitEvents(buffer, 1, &event, VK_PIPELINE_STAGE_HOST_BIT,
                   VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, nullptr, 0, nullptr, 0, nullptr);
  Dispatch(buffer, Pipeline("kernel", 10));
  vk.EndCommandBuffer(buffer);
  ASSERT_EQ(Submit(buffer), VK_SUCCESS);
  EXPECT_EQ(fake_pending(), 1U);
  vk.SetEvent(device, event);
  EXPECT_EQ(fake_pending(), 0U);
  vk.DestroyEvent(device, event, nullptr);
}

TEST_F(Sync, EmptySubmitSignalsItsFence) {
  Open();
  ASSERT_EQ(vk.QueueSubmit(queue, 0, nullptr, fence), VK_SUCCESS);
  EXPECT_EQ(vk.GetFenceStatus(device, fence), VK_SUCCESS);
}

TEST_F(Sync, WaitAnyOfTwoFences) {
  Open("completion=manual");
  VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence other = VK_NULL_HANDLE;
  vk.CreateFence(device, &info, nullptr, &other);
  ASSERT_EQ(Submit(Recorded(), fence), VK_SUCCESS);
  fake_complete_all();
  VkFence both[] = {other, fence};
  EXPECT_EQ(vk.WaitForFences(device, 2, both, VK_FALSE, UINT64_MAX), VK_SUCCESS);
  EXPECT_EQ(vk.WaitForFences(device, 2, both, VK_TRUE, 0), VK_TIMEOUT);
  vk.DestroyFence(device, other, nullptr);
}

TEST_F(Sync, DeviceLostAtTheNthSubmit) {
  Open("completion=manual;lost_at_submit=2");
  VkCommandBuffer buffer = Recorded(1000, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  EXPECT_EQ(Submit(buffer, fence), VK_SUCCESS);
  EXPECT_EQ(Submit(buffer), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(fake_pending(), 0U);
  EXPECT_EQ(Submit(buffer), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(fake_submission(1)->result, VK_ERROR_DEVICE_LOST);
}

TEST_F(Sync, SparseBindTakesPartInOrdering) {
  Open("families=gct1+s1");
  VkSemaphore semaphore = Timeline(0);
  uint64_t value = 3;
  VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.signalSemaphoreValueCount = 1;
  values.pSignalSemaphoreValues = &value;
  VkBindSparseInfo info{VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, &values};
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &semaphore;
  EXPECT_EQ(vk.QueueBindSparse(Queue(1, 0), 1, &info, fence), VK_SUCCESS);
  EXPECT_EQ(Wait(semaphore, 3, 0), VK_SUCCESS);
  vk.DestroySemaphore(device, semaphore, nullptr);
}

TEST_F(Sync, EightThreadsOnTheirOwnBuffers) {
  Open("families=gct8;completion=delayed;delay_ms=1");
  std::vector<VkCommandBuffer> recorded;
  for (int i = 0; i < 8; i++) {
    recorded.push_back(Recorded(10));
  }
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 8; i++) {
    threads.emplace_back([this, i, &recorded] {
      for (int round = 0; round < 20; round++) {
        EXPECT_EQ(Submit(recorded[i], VK_NULL_HANDLE, Queue(0, i)), VK_SUCCESS);
        EXPECT_EQ(vk.QueueWaitIdle(Queue(0, i)), VK_SUCCESS);
      }
    });
  }
  for (auto &thread : threads) {
    thread.join();
  }
  EXPECT_EQ(fake_execution_count(), 160U);
}

} // namespace
