// Submissions: what is in one call, what reaches the driver, and calls that fail (pitfalls D34,
// D38).
//
// In: every form of a submission. Out: the driver's own log of it, counts and times.
#include "layer_test_case.h"

namespace {

class TimingSubmit : public LayerTest {
protected:
  void OpenA(const std::string &script = "", const GpuOptions &options = {}) {
    Open(script, options);
    a = gpu.Pipeline("a", 5000);
  }

  // Waits for all before it, so that its time depends on nothing else.
  VkCommandBuffer Recorded(VkPipeline pipeline, VkCommandBufferUsageFlags usage = 0) {
    VkCommandBuffer buffer = gpu.Begin(usage);
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, pipeline);
    gpu.End(buffer);
    return buffer;
  }

  void WaitIdle() {
    ASSERT_EQ(gpu.vk.DeviceWaitIdle(gpu.device), VK_SUCCESS);
  }

  VkPipeline a = VK_NULL_HANDLE;
};

TEST_F(TimingSubmit, G2_SeveralBuffersAndBatchesInOneCall) {
  OpenA();
  VkPipeline b = gpu.Pipeline("b", 8000);
  VkCommandBuffer buffers[] = {Recorded(a), Recorded(b), Recorded(a)};
  VkSubmitInfo infos[3] = {{VK_STRUCTURE_TYPE_SUBMIT_INFO},
                           {VK_STRUCTURE_TYPE_SUBMIT_INFO},
                           {VK_STRUCTURE_TYPE_SUBMIT_INFO}};
  infos[0].commandBufferCount = 2;
  infos[0].pCommandBuffers = buffers;
  infos[2].commandBufferCount = 1; // the second is empty
  infos[2].pCommandBuffers = &buffers[2];
  ASSERT_EQ(gpu.vk.QueueSubmit(gpu.queue, 3, infos, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, (Nanoseconds{5010, 5000}));
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{8000});
  EXPECT_EQ(profile.Queues()[0].submissions, 1);
  EXPECT_EQ(profile.Queues()[0].command_buffers, 3);
}

TEST_F(TimingSubmit, G3_EmptySubmissionsAreSubmissions) {
  OpenA();
  ASSERT_EQ(gpu.vk.QueueSubmit(gpu.queue, 0, nullptr, VK_NULL_HANDLE), VK_SUCCESS);
  ASSERT_EQ(gpu.Submit({}), VK_SUCCESS);
  ASSERT_EQ(gpu.Submit({Recorded(a)}), VK_SUCCESS);
  ASSERT_EQ(gpu.vk.QueueSubmit(gpu.queue, 0, nullptr, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  VkCommandBuffer nothing = gpu.Begin();
  gpu.End(nothing);
  ASSERT_EQ(gpu.Submit({nothing}), VK_SUCCESS);
  WaitIdle();
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(profile.Queues()[0].submissions, 5);
  EXPECT_EQ(profile.Queues()[0].command_buffers, 2);
}

// D38: what failed never ran. Its fence proves nothing.
TEST_F(TimingSubmit, D38_G3_FailedSubmissionIsNotCounted) {
  OpenA();
  VkCommandBuffer buffer = Recorded(a);
  fake_fail("vkQueueSubmit", 1, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  WaitIdle();
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  fake_fail("vkQueueSubmit", 1, VK_ERROR_OUT_OF_HOST_MEMORY);
  ASSERT_EQ(gpu.Submit({buffer, buffer}), VK_ERROR_OUT_OF_HOST_MEMORY);
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, (Nanoseconds{5010, 5010}));
  EXPECT_EQ(profile.Row("a").outcomes.executed, 2);
  EXPECT_EQ(profile.Coverage().recorded, 1);
  EXPECT_EQ(profile.Coverage().executed, 2);
  EXPECT_EQ(profile.Queues()[0].submissions, 2);
}

// D34: pointers, arrays and chains as the application gave them.
TEST_F(TimingSubmit, D34_ReachesTheDriverByteForByte) {
  OpenA();
  VkCommandBuffer buffers[] = {Recorded(a), Recorded(a)};
  VkSemaphore semaphore = gpu.Timeline(1);
  uint64_t wait_value = 1;
  uint64_t signal_value = 2;
  VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &wait_value;
  values.pSignalSemaphoreValues = &signal_value;
  VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  VkSubmitInfo infos[2] = {
      {VK_STRUCTURE_TYPE_SUBMIT_INFO, &values, 1, &semaphore, &stage, 1, &buffers[0], 1,
       &semaphore},
      {VK_STRUCTURE_TYPE_SUBMIT_INFO, nullptr, 0, nullptr, nullptr, 1, &buffers[1], 0, nullptr}};
  uint64_t hash = fake_hash_submits(infos, 2);
  ASSERT_EQ(gpu.vk.QueueSubmit(gpu.queue, 2, infos, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  ASSERT_EQ(fake_submission_count(), 1U);
  const struct fake_submission *seen = fake_submission(0);
  EXPECT_EQ(seen->pointer, infos);
  EXPECT_EQ(seen->count, 2U);
  EXPECT_EQ(seen->fence, gpu.fence);
  EXPECT_EQ(seen->queue, gpu.queue);
  EXPECT_EQ(seen->deep_hash, hash);
  EXPECT_EQ(fake_hash_submits(infos, 2), hash); // ours to keep, too
}

TEST_F(TimingSubmit, D34_SubmitTwoReachesTheDriverByteForByte) {
  OpenA();
  VkCommandBufferSubmitInfo buffers[2] = {{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO},
                                          {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO}};
  buffers[0].commandBuffer = Recorded(a);
  buffers[1].commandBuffer = Recorded(a);
  VkSemaphoreSubmitInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
  signal.semaphore = gpu.Timeline();
  signal.value = 7;
  signal.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  info.commandBufferInfoCount = 2;
  info.pCommandBufferInfos = buffers;
  info.signalSemaphoreInfoCount = 1;
  info.pSignalSemaphoreInfos = &signal;
  uint64_t hash = fake_hash_submits2(&info, 1);
  ASSERT_EQ(gpu.vk.QueueSubmit2(gpu.queue, 1, &info, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  ASSERT_EQ(fake_submission_count(), 1U);
  EXPECT_EQ(fake_submission(0)->pointer, &info);
  EXPECT_EQ(fake_submission(0)->deep_hash, hash);
  EXPECT_EQ(Finish().Row("a").samples, (Nanoseconds{5010, 5000}));
}

TEST_F(TimingSubmit, D34_SubmitTwoOfTheExtension) {
  GpuOptions options;
  options.extensions = {"VK_KHR_synchronization2"};
  OpenA("", options);
  ASSERT_NE(gpu.vk.QueueSubmit2KHR, nullptr);
  VkCommandBufferSubmitInfo buffer{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
  buffer.commandBuffer = Recorded(a);
  VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  info.commandBufferInfoCount = 1;
  info.pCommandBufferInfos = &buffer;
  uint64_t hash = fake_hash_submits2(&info, 1);
  ASSERT_EQ(gpu.vk.QueueSubmit2KHR(gpu.queue, 1, &info, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  EXPECT_EQ(fake_submission(0)->deep_hash, hash);
  EXPECT_EQ(Finish().Row("a").samples, Nanoseconds{5010});
}

// D21: each queue has a line of its own; their times are not mixed.
TEST_F(TimingSubmit, D21_TwoQueues) {
  OpenA();
  VkPipeline b = gpu.Pipeline("b", 8000);
  VkQueue other = gpu.Queue(0, 1);
  ASSERT_EQ(gpu.Submit({Recorded(a)}), VK_SUCCESS);
  ASSERT_EQ(gpu.Submit({Recorded(b)}, VK_NULL_HANDLE, other), VK_SUCCESS);
  WaitIdle();
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{8010});
  std::vector<QueueRow> queues = profile.Queues();
  ASSERT_EQ(queues.size(), 2U);
  EXPECT_EQ(queues[0].busy, 5010);
  EXPECT_EQ(queues[1].busy, 8010);
  EXPECT_EQ(queues[1].index, 1);
}

// A fence on one queue says nothing of another.
TEST_F(TimingSubmit, D33_WaitOnOneQueueCoversOnlyThatQueue) {
  int status = InChild([this] {
    OpenA("host_query_reset=0");
    VkPipeline b = gpu.Pipeline("b", 8000);
    EXPECT_EQ(gpu.Submit({Recorded(a)}), VK_SUCCESS);
    EXPECT_EQ(gpu.Submit({Recorded(b)}, gpu.fence, gpu.Queue(0, 1)), VK_SUCCESS);
    gpu.Wait();
  });
  EXPECT_EQ(status, 0);
  Profile profile = Read();
  EXPECT_EQ(profile.Row("a").outcomes.missed, (Counts{{"not_finished", 1}}));
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{8010});
}

TEST_F(TimingSubmit, A22_TwoDevices) {
  OpenA();
  Gpu second;
  ASSERT_EQ(OpenDevice(second), VK_SUCCESS);
  VkPipeline b = second.Pipeline("b", 8000);
  VkCommandBuffer buffer = second.Begin();
  second.Dispatch(buffer, b);
  second.Run(buffer);
  ASSERT_EQ(gpu.Submit({Recorded(a)}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  second.Close();
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{8010});
  EXPECT_EQ(profile.Row("a").outcomes.measured, 1);
  ASSERT_EQ(profile.Queues().size(), 2U);
  EXPECT_EQ(profile.Queues()[0].device, 0);
  EXPECT_EQ(profile.Queues()[1].device, 1);
  EXPECT_EQ(profile.Coverage().executed, 2);
}

// D35: a submission that waits for a signal that only the host gives, later, while the layer reads.
TEST_F(TimingSubmit, D35_WaitBeforeHostSignal) {
  OpenA();
  VkSemaphore semaphore = gpu.Timeline();
  uint64_t value = 1;
  VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &value;
  VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkCommandBuffer blocked = Recorded(a);
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO, &values, 1, &semaphore, &stage, 1, &blocked};
  ASSERT_EQ(gpu.Submit({Recorded(a)}, gpu.fence), VK_SUCCESS);
  ASSERT_EQ(gpu.vk.QueueSubmit(gpu.queue, 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
  gpu.Wait();
  Settle();
  VkSemaphoreSignalInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, semaphore, 1};
  ASSERT_EQ(gpu.vk.SignalSemaphore(gpu.device, &signal), VK_SUCCESS);
  WaitIdle();
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.outcomes.measured, 2);
  EXPECT_EQ(row.outcomes.rejected, Counts{});
  EXPECT_EQ(row.outcomes.missed, Counts{});
}

} // namespace
