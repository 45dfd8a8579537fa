// Every way to learn that work has finished: an application that waits and exits loses nothing
// (pitfall D33).
//
// In: a child process whose results may only be read once a wait covers them (no host query reset),
// that waits in one way and exits without destroying anything. Out: the profile of its exit.
#include <thread>

#include "layer_test_case.h"

namespace {

class TimingCompletion : public LayerTest {
protected:
  void SubmitA(VkFence fence = VK_NULL_HANDLE) {
    VkPipeline a = gpu.Pipeline("a", 5000);
    VkCommandBuffer buffer = gpu.Begin();
    gpu.Dispatch(buffer, a);
    gpu.End(buffer);
    EXPECT_EQ(gpu.Submit({buffer}, fence), VK_SUCCESS);
  }

  VkSemaphore SubmitASignalling(uint64_t value) {
    VkPipeline a = gpu.Pipeline("a", 5000);
    VkCommandBuffer buffer = gpu.Begin();
    gpu.Dispatch(buffer, a);
    gpu.End(buffer);
    VkSemaphore semaphore = gpu.Timeline();
    VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    values.signalSemaphoreValueCount = 1;
    values.pSignalSemaphoreValues = &value;
    VkSubmitInfo info{
        VK_STRUCTURE_TYPE_SUBMIT_INFO, &values, 0, nullptr, nullptr, 1, &buffer, 1, &semaphore};
    EXPECT_EQ(gpu.vk.QueueSubmit(gpu.queue, 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
    return semaphore;
  }

  VkSemaphore SubmitTwoSignalling(VkPipelineStageFlags2 stages) {
    VkPipeline a = gpu.Pipeline("a", 5000);
    VkCommandBufferSubmitInfo buffer{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
    buffer.commandBuffer = gpu.Begin();
    gpu.Dispatch(buffer.commandBuffer, a);
    gpu.End(buffer.commandBuffer);
    VkSemaphoreSubmitInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
    signal.semaphore = gpu.Timeline();
    signal.value = 3;
    signal.stageMask = stages;
    VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
    info.commandBufferInfoCount = 1;
    info.pCommandBufferInfos = &buffer;
    info.signalSemaphoreInfoCount = 1;
    info.pSignalSemaphoreInfos = &signal;
    EXPECT_EQ(gpu.vk.QueueSubmit2(gpu.queue, 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
    return signal.semaphore;
  }

  VkSemaphoreWaitInfo WaitFor(const VkSemaphore *semaphore, const uint64_t *value) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, 0, 1, semaphore, value};
  }

  void ExpectMeasured(const std::function<void()> &wait, const GpuOptions &options = {}) {
    InChild([&] {
      Open("host_query_reset=0", options);
      wait();
    });
    Profile profile = Read();
    EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
    EXPECT_EQ(profile.Coverage().executed, 1);
    EXPECT_EQ(profile.Text("end_reason"), "exit");
    EXPECT_EQ(profile.Text("devices.0.end"), "alive");
    EXPECT_TRUE(profile.Flag("complete"));
  }

  // Nothing proves that the execution has finished.
  void ExpectNotFinished(const std::function<void()> &wait) {
    InChild([&] {
      Open("host_query_reset=0");
      wait();
    });
    Profile profile = Read();
    EXPECT_EQ(profile.Row("a").outcomes.executed, 1);
    EXPECT_EQ(profile.Row("a").outcomes.missed, (Counts{{"not_finished", 1}}));
  }
};

TEST_F(TimingCompletion, D33_FenceWait) {
  ExpectMeasured([this] {
    SubmitA(gpu.fence);
    EXPECT_EQ(gpu.vk.WaitForFences(gpu.device, 1, &gpu.fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
  });
}

TEST_F(TimingCompletion, D33_FenceStatus) {
  ExpectMeasured([this] {
    SubmitA(gpu.fence);
    EXPECT_EQ(gpu.vk.GetFenceStatus(gpu.device, gpu.fence), VK_SUCCESS);
  });
}

TEST_F(TimingCompletion, D33_FenceOfALaterSubmission) {
  ExpectMeasured([this] {
    SubmitA();
    EXPECT_EQ(gpu.vk.QueueSubmit(gpu.queue, 0, nullptr, gpu.fence), VK_SUCCESS);
    gpu.Wait();
  });
}

TEST_F(TimingCompletion, D33_AnyOfOneFenceIsThatFence) {
  ExpectMeasured([this] {
    SubmitA(gpu.fence);
    EXPECT_EQ(gpu.vk.WaitForFences(gpu.device, 1, &gpu.fence, VK_FALSE, UINT64_MAX), VK_SUCCESS);
  });
}

TEST_F(TimingCompletion, D33_QueueIdle) {
  ExpectMeasured([this] {
    SubmitA();
    EXPECT_EQ(gpu.vk.QueueWaitIdle(gpu.queue), VK_SUCCESS);
  });
}

TEST_F(TimingCompletion, D33_DeviceIdle) {
  ExpectMeasured([this] {
    SubmitA();
    EXPECT_EQ(gpu.vk.DeviceWaitIdle(gpu.device), VK_SUCCESS);
  });
}

TEST_F(TimingCompletion, D33_TimelineWait) {
  ExpectMeasured([this] {
    VkSemaphore semaphore = SubmitASignalling(3);
    uint64_t value = 3;
    VkSemaphoreWaitInfo info = WaitFor(&semaphore, &value);
    EXPECT_EQ(gpu.vk.WaitSemaphores(gpu.device, &info, UINT64_MAX), VK_SUCCESS);
  });
}

TEST_F(TimingCompletion, D33_TimelineCounterValue) {
  ExpectMeasured([this] {
    VkSemaphore semaphore = SubmitASignalling(3);
    uint64_t value = 0;
    EXPECT_EQ(gpu.vk.GetSemaphoreCounterValue(gpu.device, semaphore, &value), VK_SUCCESS);
    EXPECT_EQ(value, 3U);
  });
}

TEST_F(TimingCompletion, D33_TimelineOfTheExtension) {
  GpuOptions options;
  options.extensions = {"VK_KHR_timeline_semaphore"};
  ExpectMeasured(
      [this] {
        VkSemaphore semaphore = SubmitASignalling(3);
        uint64_t value = 3;
        VkSemaphoreWaitInfo info = WaitFor(&semaphore, &value);
        EXPECT_EQ(gpu.vk.WaitSemaphoresKHR(gpu.device, &info, UINT64_MAX), VK_SUCCESS);
      },
      options);
}

TEST_F(TimingCompletion, D33_TimelineCounterValueOfTheExtension) {
  GpuOptions options;
  options.extensions = {"VK_KHR_timeline_semaphore"};
  ExpectMeasured(
      [this] {
        VkSemaphore semaphore = SubmitASignalling(3);
        uint64_t value = 0;
        EXPECT_EQ(gpu.vk.GetSemaphoreCounterValueKHR(gpu.device, semaphore, &value), VK_SUCCESS);
      },
      options);
}

TEST_F(TimingCompletion, D33_TimelineOfSubmitTwo) {
  ExpectMeasured([this] {
    VkSemaphore semaphore = SubmitTwoSignalling(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    uint64_t value = 3;
    VkSemaphoreWaitInfo info = WaitFor(&semaphore, &value);
    EXPECT_EQ(gpu.vk.WaitSemaphores(gpu.device, &info, UINT64_MAX), VK_SUCCESS);
  });
}

TEST_F(TimingCompletion, D33_SignalOfSomeStagesProvesNothing) {
  ExpectNotFinished([this] {
    VkSemaphore semaphore = SubmitTwoSignalling(VK_PIPELINE_STAGE_2_COPY_BIT);
    uint64_t value = 3;
    VkSemaphoreWaitInfo info = WaitFor(&semaphore, &value);
    EXPECT_EQ(gpu.vk.WaitSemaphores(gpu.device, &info, UINT64_MAX), VK_SUCCESS);
  });
}

TEST_F(TimingCompletion, D33_EarlierTimelineValueProvesNothing) {
  ExpectNotFinished([this] {
    VkSemaphore semaphore = SubmitASignalling(3);
    uint64_t value = 2;
    VkSemaphoreWaitInfo info = WaitFor(&semaphore, &value);
    EXPECT_EQ(gpu.vk.WaitSemaphores(gpu.device, &info, UINT64_MAX), VK_SUCCESS);
  });
}

TEST_F(TimingCompletion, D33_AnyOfSeveralFencesProvesNothing) {
  ExpectNotFinished([this] {
    SubmitA(gpu.fence);
    VkFence fences[] = {gpu.fence, gpu.Fence()};
    EXPECT_EQ(gpu.vk.WaitForFences(gpu.device, 2, fences, VK_FALSE, UINT64_MAX), VK_SUCCESS);
  });
}

TEST_F(TimingCompletion, D33_WaitThatTimesOutProvesNothing) {
  ExpectNotFinished([this] {
    fake_config()->completion = FAKE_COMPLETION_MANUAL;
    SubmitA(gpu.fence);
    EXPECT_EQ(gpu.vk.WaitForFences(gpu.device, 1, &gpu.fence, VK_TRUE, 1000), VK_TIMEOUT);
    EXPECT_EQ(gpu.vk.GetFenceStatus(gpu.device, gpu.fence), VK_NOT_READY);
  });
}

TEST_F(TimingCompletion, D33_NoWaitProvesNothing) {
  ExpectNotFinished([this] { SubmitA(); });
}

// With host reset the availability of the queries is enough: the collector finds them by itself.
TEST_F(TimingCompletion, D33_CollectorAlone) {
  InChild([this] {
    Open();
    SubmitA();
    Settle();
  });
  EXPECT_EQ(Read().Row("a").samples, Nanoseconds{5010});
}

// The child's own quick_exit, and a return from main with threads still alive.
TEST_F(TimingCompletion, ExitWithALivingThread) {
  ExpectMeasured([this] {
    SubmitA();
    EXPECT_EQ(gpu.vk.DeviceWaitIdle(gpu.device), VK_SUCCESS);
    std::thread([] { std::this_thread::sleep_for(std::chrono::hours(1)); }).detach();
  });
}

TEST_F(TimingCompletion, InstanceDestroyedWithALivingDevice) {
  InChild([this] {
    expect_violations = true; // it is against the rules
    Open();
    SubmitA(gpu.fence);
    gpu.Wait();
    in.DestroyInstance(instance, nullptr);
  });
  Profile profile = Read();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_TRUE(profile.Flag("complete"));
}

} // namespace
