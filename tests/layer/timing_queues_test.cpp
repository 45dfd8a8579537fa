// Queues: several at once from several threads, protected, sparse, video, of a device group, and
// those that synchronize themselves (pitfalls A20, B11, D34, D36, D42, D45).
//
// In: a device with such queues. Out: no queue used by two threads, every execution accounted for.
#include <mutex>
#include <thread>

#include "layer_test_case.h"

namespace {

class TimingQueues : public LayerTest {
protected:
  // Waits for all before it.
  VkCommandBuffer Recorded(VkPipeline pipeline, uint32_t family = 0) {
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, family);
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, pipeline);
    gpu.End(buffer);
    return buffer;
  }

  void WaitFor(VkFence fence) {
    EXPECT_EQ(gpu.vk.WaitForFences(gpu.device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    EXPECT_EQ(gpu.vk.ResetFences(gpu.device, 1, &fence), VK_SUCCESS);
  }

  // A device with one queue of family 0, created with these flags. Its queue by `gpu.queue`.
  void OpenFlagged(VkDeviceQueueCreateFlags flags, const void *chain = nullptr) {
    OpenInstance();
    uint32_t count = 1;
    ASSERT_EQ(in.EnumeratePhysicalDevices(instance, &count, &gpu.physical), VK_SUCCESS);
    float priority = 1.0F;
    VkDeviceQueueCreateInfo queue{
        VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, flags, 0, 1, &priority};
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, chain};
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    ASSERT_EQ(in.CreateDevice(gpu.physical, &info, nullptr, &gpu.device), VK_SUCCESS);
    vkuInitDeviceDispatchTable(gpu.device, &gpu.vk, get_device_proc);
    VkDeviceQueueInfo2 ask{VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2, nullptr, flags, 0, 0};
    gpu.vk.GetDeviceQueue2(gpu.device, &ask, &gpu.queue);
    ASSERT_NE(gpu.queue, nullptr);
    gpu.fence = gpu.Fence();
  }
};

// ---- several threads ----

// D36: each thread owns one queue and takes no lock; the driver sees every use of a queue and says
// when two overlap. Calls take a while, and the collector works beside them.
TEST_F(TimingQueues, D36_OneThreadForEachQueue) {
  constexpr int kQueues = 4;
  constexpr int kRounds = 40;
  Open("families=gct4:64;completion=delayed;delay_ms=1;queue_call_us=50");
  std::vector<std::thread> threads;
  for (int i = 0; i < kQueues; i++) {
    VkPipeline pipeline = gpu.Pipeline("t" + std::to_string(i), 5000);
    VkQueue queue = gpu.Queue(0, static_cast<uint32_t>(i));
    VkFence fence = gpu.Fence();
    VkCommandBuffer buffer = gpu.Allocate(gpu.Pool());
    threads.emplace_back([this, i, pipeline, queue, fence, buffer] {
      VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, "round", {}};
      for (int round = 0; round < kRounds; round++) {
        gpu.Start(buffer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        gpu.Barrier(buffer);
        gpu.Dispatch(buffer, pipeline);
        gpu.End(buffer);
        gpu.vk.QueueBeginDebugUtilsLabelEXT(queue, &label);
        EXPECT_EQ(gpu.Submit({buffer}, fence, queue), VK_SUCCESS);
        if (i % 2 == 0) {
          WaitFor(fence);
        } else {
          EXPECT_EQ(gpu.vk.QueueWaitIdle(queue), VK_SUCCESS);
          EXPECT_EQ(gpu.vk.ResetFences(gpu.device, 1, &fence), VK_SUCCESS);
        }
        gpu.vk.QueueEndDebugUtilsLabelEXT(queue);
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  Profile profile = Finish();
  for (int i = 0; i < kQueues; i++) {
    KernelRow row = profile.Row("t" + std::to_string(i));
    EXPECT_EQ(row.outcomes.measured, kRounds);
    EXPECT_EQ(row.phase, "round");
    EXPECT_GE(row.min, 5000);
    EXPECT_LE(row.max, 5010);
  }
}

// The driver catches it, so the test above can fail: two threads of the program on one queue.
TEST_F(TimingQueues, D36_TheDriverSeesTwoThreadsOnOneQueue) {
  expect_violations = true;
  Open("queue_call_us=2000");
  auto submit_until_seen = [this] {
    for (int i = 0; i < 1000 && fake_violation_count() == 0; i++) {
      gpu.Submit({});
    }
  };
  std::thread other(submit_until_seen);
  submit_until_seen();
  other.join();
  EXPECT_TRUE(fake_has_violation("the queue is used by two threads at once"));
  EXPECT_EQ(gpu.vk.DeviceWaitIdle(gpu.device), VK_SUCCESS);
}

// A20: a queue that synchronizes itself may be used by any thread at any time, labels included.
TEST_F(TimingQueues, A20_D36_AQueueThatSynchronizesItself) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 40;
  const VkDeviceQueueCreateFlags synchronized = 4; // newer than the headers
  ASSERT_TRUE(fake_configure("completion=delayed;delay_ms=1;queue_call_us=50"));
  OpenFlagged(synchronized);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++) {
    VkPipeline pipeline = gpu.Pipeline("t" + std::to_string(i), 5000);
    VkFence fence = gpu.Fence();
    VkCommandBuffer buffer = gpu.Allocate(gpu.Pool());
    threads.emplace_back([this, pipeline, fence, buffer] {
      VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, "round", {}};
      for (int round = 0; round < kRounds; round++) {
        gpu.Start(buffer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        gpu.Barrier(buffer);
        gpu.Dispatch(buffer, pipeline);
        gpu.End(buffer);
        gpu.vk.QueueBeginDebugUtilsLabelEXT(gpu.queue, &label);
        gpu.vk.QueueEndDebugUtilsLabelEXT(gpu.queue);
        EXPECT_EQ(gpu.Submit({buffer}, fence), VK_SUCCESS);
        WaitFor(fence);
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  Profile profile = Finish();
  EXPECT_EQ(profile.Coverage().measured, kThreads * kRounds);
  EXPECT_EQ(profile.Coverage().rejected, Counts{});
  EXPECT_EQ(profile.Coverage().missed, Counts{});
  EXPECT_EQ(profile.Queues().at(0).submissions, kThreads * kRounds);
}

// ---- protected ----

TEST_F(TimingQueues, D42_D34_ProtectedSubmissions) {
  ASSERT_TRUE(fake_configure("families=gctp:64;protected_memory=1"));
  VkPhysicalDeviceProtectedMemoryFeatures features{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES, nullptr, VK_TRUE};
  OpenFlagged(VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT, &features);
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkCommandBuffer buffer = gpu.Allocate(gpu.Pool(0, VK_COMMAND_POOL_CREATE_PROTECTED_BIT));
  gpu.Start(buffer);
  gpu.Dispatch(buffer, a);
  gpu.End(buffer);
  EXPECT_EQ(::Recorded(buffer).size(), 2U);
  VkProtectedSubmitInfo chained{VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO, nullptr, VK_TRUE};
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO, &chained};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &buffer;
  uint64_t hash = fake_hash_submits(&info, 1);
  for (int i = 0; i < 2; i++) {
    ASSERT_EQ(gpu.vk.QueueSubmit(gpu.queue, 1, &info, gpu.fence), VK_SUCCESS);
    gpu.Wait();
    EXPECT_EQ(fake_submission(static_cast<uint32_t>(i))->deep_hash, hash);
    EXPECT_EQ(fake_submission(static_cast<uint32_t>(i))->pointer, &info);
  }
  EXPECT_EQ(fake_call_count("vkCreateQueryPool"), 0U);
  EXPECT_EQ(Finish().Row("a").outcomes.untimed, (Counts{{"protected_memory", 2}}));
}

// ---- sparse, transfer and video families ----

TEST_F(TimingQueues, D45_D33_SparseBindsPassThrough) {
  Open("families=gct:64+s:0");
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkQueue sparse = gpu.Queue(1, 0);
  VkSemaphore semaphore = gpu.Timeline();
  uint64_t value = 1;
  VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.signalSemaphoreValueCount = values.waitSemaphoreValueCount = 1;
  values.pSignalSemaphoreValues = values.pWaitSemaphoreValues = &value;
  VkBindSparseInfo bind{VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, &values};
  bind.signalSemaphoreCount = 1;
  bind.pSignalSemaphores = &semaphore;
  ASSERT_EQ(gpu.vk.QueueBindSparse(sparse, 1, &bind, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  EXPECT_EQ(fake_submission(0)->pointer, &bind);
  EXPECT_EQ(fake_submission(0)->queue, sparse);
  VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkCommandBuffer buffer = Recorded(a);
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO, &values, 1, &semaphore, &stage, 1, &buffer};
  values.signalSemaphoreValueCount = 0;
  ASSERT_EQ(gpu.vk.QueueSubmit(gpu.queue, 1, &info, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  EXPECT_EQ(gpu.vk.QueueWaitIdle(sparse), VK_SUCCESS);
  EXPECT_EQ(Finish().Row("a").samples, Nanoseconds{5010});
}

// D1: on a video family nothing of ours is recorded, whatever its queues can write.
TEST_F(TimingQueues, D1_D45_VideoFamiliesAreCountedOnly) {
  for (const char *reset : {"1", "0"}) {
    Setting("OUTPUT", folder + "/video" + reset + ".json");
    InChild([this, reset] {
      GpuOptions options;
      options.extensions = {"VK_KHR_video_decode_queue"};
      Open(std::string("rare_extensions=1;families=gct:64+v:64;host_query_reset=") + reset,
           options);
      auto decode = reinterpret_cast<PFN_vkCmdDecodeVideoKHR>(
          get_device_proc(gpu.device, "vkCmdDecodeVideoKHR"));
      VkCommandBuffer buffer = gpu.Begin(0, 1);
      VkVideoDecodeInfoKHR info{VK_STRUCTURE_TYPE_VIDEO_DECODE_INFO_KHR};
      decode(buffer, &info);
      EXPECT_EQ(::Recorded(buffer), std::vector<std::string>{"vkCmdDecodeVideoKHR"});
      gpu.Run(buffer, gpu.Queue(1, 0));
      gpu.Close();
    });
    Profile profile(folder + "/video" + reset + ".json");
    EXPECT_EQ(profile.Kind("video").outcomes.untimed, (Counts{{"not_timed", 1}}));
  }
}

// ---- device groups and masks ----

// B11: one device, named by masks everywhere: the masks pass through and all is measured.
TEST_F(TimingQueues, B11_D34_DeviceMasksOfOneDevice) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkDeviceGroupCommandBufferBeginInfo group{
      VK_STRUCTURE_TYPE_DEVICE_GROUP_COMMAND_BUFFER_BEGIN_INFO, nullptr, 1};
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, &group, 0, nullptr};
  VkCommandBuffer buffer = gpu.Allocate(gpu.Pool());
  ASSERT_EQ(gpu.vk.BeginCommandBuffer(buffer, &begin), VK_SUCCESS);
  gpu.vk.CmdSetDeviceMask(buffer, 1);
  gpu.Dispatch(buffer, a);
  gpu.vk.CmdSetDeviceMask(buffer, 1);
  gpu.Dispatch(buffer, a);
  gpu.End(buffer);
  uint32_t mask = 1;
  VkDeviceGroupSubmitInfo chained{VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO};
  chained.commandBufferCount = 1;
  chained.pCommandBufferDeviceMasks = &mask;
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO, &chained};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &buffer;
  uint64_t hash = fake_hash_submits(&info, 1);
  ASSERT_EQ(gpu.vk.QueueSubmit(gpu.queue, 1, &info, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  EXPECT_EQ(fake_submission(0)->deep_hash, hash);
  EXPECT_EQ(Finish().Row("a").samples, (Nanoseconds{5010, 10})); // the second adds its issue only
}

// D34: structures that nobody here knows, in front of and behind those that the layer reads.
TEST_F(TimingQueues, D34_UnknownStructuresPassThrough) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkSemaphore semaphore = gpu.Timeline();
  uint64_t value = 3;
  VkBaseInStructure behind{static_cast<VkStructureType>(1000999001), nullptr};
  VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO, &behind};
  values.signalSemaphoreValueCount = 1;
  values.pSignalSemaphoreValues = &value;
  VkBaseInStructure front{static_cast<VkStructureType>(1000999000),
                          reinterpret_cast<const VkBaseInStructure *>(&values)};
  VkCommandBuffer buffer = Recorded(a);
  VkSubmitInfo info{
      VK_STRUCTURE_TYPE_SUBMIT_INFO, &front, 0, nullptr, nullptr, 1, &buffer, 1, &semaphore};
  uint64_t hash = fake_hash_submits(&info, 1);
  ASSERT_EQ(gpu.vk.QueueSubmit(gpu.queue, 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
  EXPECT_EQ(fake_submission(0)->deep_hash, hash);
  VkSemaphoreWaitInfo wait{
      VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, 0, 1, &semaphore, &value};
  EXPECT_EQ(gpu.vk.WaitSemaphores(gpu.device, &wait, UINT64_MAX), VK_SUCCESS);
  EXPECT_EQ(Finish().Row("a").samples, Nanoseconds{5010});
}

// D35: one queue waits for a value that another one signals only after this call has returned.
TEST_F(TimingQueues, D35_WaitBeforeSignalOnAnotherQueue) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkPipeline b = gpu.Pipeline("b", 8000);
  VkSemaphore semaphore = gpu.Timeline();
  uint64_t value = 1;
  VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = values.pSignalSemaphoreValues = &value;
  VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkCommandBuffer waiting = Recorded(a);
  VkCommandBuffer signalling = Recorded(b);
  VkSubmitInfo wait{VK_STRUCTURE_TYPE_SUBMIT_INFO, &values, 1, &semaphore, &stage, 1, &waiting};
  VkSubmitInfo signal{
      VK_STRUCTURE_TYPE_SUBMIT_INFO, &values, 0, nullptr, nullptr, 1, &signalling, 1, &semaphore};
  ASSERT_EQ(gpu.vk.QueueSubmit(gpu.Queue(0, 1), 1, &wait, gpu.fence), VK_SUCCESS);
  EXPECT_EQ(gpu.vk.GetFenceStatus(gpu.device, gpu.fence), VK_NOT_READY);
  Settle(); // the collector had its chance to wait for what cannot come yet
  EXPECT_EQ(gpu.vk.GetFenceStatus(gpu.device, gpu.fence), VK_NOT_READY);
  ASSERT_EQ(gpu.vk.QueueSubmit(gpu.queue, 1, &signal, VK_NULL_HANDLE), VK_SUCCESS);
  gpu.Wait();
  EXPECT_EQ(gpu.vk.DeviceWaitIdle(gpu.device), VK_SUCCESS);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5000}); // its barrier waits for the semaphore
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{8010});
}

} // namespace
