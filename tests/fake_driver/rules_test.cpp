// Every rule that the driver watches: broken once, it is reported; kept, nothing is.
#include "fixture.h"

#include <cstring>
#include <thread>

namespace {

class Rules : public FakeTest {
protected:
  void SetUp() override {
    FakeTest::SetUp();
    expect_violations = true;
  }

  void Expect(const char *part) {
    EXPECT_TRUE(fake_has_violation(part)) << "missing: " << part;
    for (uint32_t i = 0; !fake_has_violation(part) && i < fake_violation_count(); i++) {
      ADD_FAILURE() << "instead: " << fake_violation(i);
    }
  }

  VkCommandBuffer Stamped(VkCommandBufferUsageFlags usage = 0) {
    VkCommandBuffer buffer = Begin(usage);
    Stamp(buffer, 0);
    vk.EndCommandBuffer(buffer);
    return buffer;
  }

  // Another thread will wait on it, sooner or later.
  void SubmitUntilSeen(VkQueue used) {
    for (int i = 0; i < 500 && fake_violation_count() == 0; i++) {
      vk.QueueSubmit(used, 0, nullptr, VK_NULL_HANDLE);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  void BeginPass(VkCommandBuffer buffer, VkRenderingFlags flags = 0) {
    VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
    info.flags = flags;
    vk.CmdBeginRendering(buffer, &info);
  }
};

TEST_F(Rules, QueryWrittenTwice) {
  Open();
  VkCommandBuffer buffer = Stamped();
  Submit(buffer);
  EXPECT_EQ(fake_violation_count(), 0U);
  Submit(buffer);
  Expect("query 0 is written twice without a reset");
}

TEST_F(Rules, QueryNeverReset) {
  Open("host_query_reset=0");
  Submit(Stamped());
  Expect("query 0 was never reset");
}

TEST_F(Rules, HostResetOfAPendingQuery) {
  Open("completion=manual");
  Submit(Stamped());
  vk.ResetQueryPool(device, queries, 1, 1);
  EXPECT_EQ(fake_violation_count(), 0U);
  vk.ResetQueryPool(device, queries, 0, 2);
  Expect("vkResetQueryPool of a query that a pending submission uses");
  fake_complete_all();
}

TEST_F(Rules, RangeUsedByTwoThreads) {
  Open("query_call_us=50000");
  auto read = [this] { Read(0); };
  std::thread first(read);
  std::thread second(read);
  first.join();
  second.join();
  EXPECT_EQ(fake_violation_count(), 0U); // two readers are fine
  std::thread reader(read);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  vk.ResetQueryPool(device, queries, 1, 1); // elsewhere
  EXPECT_EQ(fake_violation_count(), 0U);
  reader.join();
  for (int i = 0; i < 20 && fake_violation_count() == 0; i++) { // until they meet
    std::thread again(read);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    vk.ResetQueryPool(device, queries, 0, 1);
    again.join();
  }
  Expect("the range is used by two threads at once");
}

TEST_F(Rules, QueueUsedByTwoThreads) {
  Open("completion=manual");
  VkCommandBuffer buffer = Begin();
  vk.EndCommandBuffer(buffer);
  VkCommandBuffer other = Begin();
  vk.EndCommandBuffer(other);
  Submit(buffer);
  std::thread waiter([this] { vk.QueueWaitIdle(queue); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  Submit(other, VK_NULL_HANDLE, Queue(0, 1)); // another queue
  EXPECT_EQ(fake_violation_count(), 0U);
  SubmitUntilSeen(queue);
  fake_complete_all();
  waiter.join();
  Expect("vkQueueSubmit: the queue is used by two threads at once");
}

TEST_F(Rules, DeviceWaitIdleUsesEveryQueue) {
  Open("completion=manual");
  VkCommandBuffer buffer = Begin();
  vk.EndCommandBuffer(buffer);
  Submit(buffer);
  std::thread waiter([this] { vk.DeviceWaitIdle(device); });
  SubmitUntilSeen(Queue(0, 1));
  fake_complete_all();
  waiter.join();
  Expect("the queue is used by two threads at once");
}

TEST_F(Rules, CommandsInsideARenderPass) {
  Open();
  VkPipeline pipeline = Pipeline("a", 1);
  VkCommandBuffer buffer = Begin();
  BeginPass(buffer);
  vk.CmdResetQueryPool(buffer, queries, 0, 1);
  Expect("vkCmdResetQueryPool inside a render pass");
  Stamp(buffer, 0);
  Expect("vkCmdWriteTimestamp inside a render pass");
  Dispatch(buffer, pipeline);
  Expect("vkCmdDispatch inside a render pass");
  fake_clear_violations();
  vk.CmdDraw(buffer, 3, 1, 0, 0);
  vk.CmdEndRendering(buffer);
  EXPECT_EQ(fake_violation_count(), 0U);
  vk.CmdDraw(buffer, 3, 1, 0, 0);
  Expect("vkCmdDraw outside a render pass");
}

TEST_F(Rules, CommandsInASecondaryThatContinuesAPass) {
  Open();
  VkCommandBuffer buffer =
      Begin(VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, 0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  vk.CmdResetQueryPool(buffer, queries, 0, 1);
  Expect("vkCmdResetQueryPool inside a render pass");
}

TEST_F(Rules, CommandsBetweenSuspendedAndResumedRendering) {
  Open();
  VkCommandBuffer buffer = Begin();
  BeginPass(buffer, VK_RENDERING_SUSPENDING_BIT);
  vk.CmdEndRendering(buffer);
  EXPECT_EQ(fake_violation_count(), 0U);
  Stamp(buffer, 0);
  Expect("vkCmdWriteTimestamp between suspended and resumed rendering");
  fake_clear_violations();
  BeginPass(buffer, VK_RENDERING_RESUMING_BIT);
  vk.CmdEndRendering(buffer);
  Stamp(buffer, 1);
  EXPECT_EQ(fake_violation_count(), 0U);
}

TEST_F(Rules, FamiliesAndStages) {
  Open("families=gct:64+c:0+t:64");
  VkCommandBuffer compute = Begin(0, 1);
  Stamp(compute, 0);
  Expect("vkCmdWriteTimestamp on a family with 0 valid bits");
  fake_clear_violations();
  vk.CmdResetQueryPool(compute, queries, 0, 1);
  EXPECT_EQ(fake_violation_count(), 0U);
  Barrier(compute, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  Expect("vkCmdPipelineBarrier: stage 0x80 not supported by the family");
  VkCommandBuffer transfer = Begin(0, 2);
  Stamp(transfer, 1);
  Expect("vkCmdWriteTimestamp: stage 0x800 not supported by the family");
  vk.CmdResetQueryPool(transfer, queries, 0, 1);
  Expect("vkCmdResetQueryPool on a family without GRAPHICS or COMPUTE");
  Dispatch(transfer, Pipeline("a", 1));
  Expect("vkCmdDispatch on a family without COMPUTE");
  fake_clear_violations();
  Stamp(transfer, 2, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  EXPECT_EQ(fake_violation_count(), 0U);
  Stamp(transfer, 2, (VkPipelineStageFlagBits)0x3000);
  Expect("at more than one stage");
  vk.EndCommandBuffer(transfer);
  Submit(transfer);
  Expect("submitted command buffer is of another family");
}

TEST_F(Rules, QueryPoolDestroyedWhilePendingOrRecorded) {
  Open("completion=manual");
  VkCommandBuffer buffer = Stamped();
  Submit(buffer);
  vk.DestroyQueryPool(device, queries, nullptr);
  Expect("vkDestroyQueryPool while a submission uses it");
  queries = VK_NULL_HANDLE;
  fake_complete_all();
  Expect("vkCmdWriteTimestamp executed with a destroyed query pool");
}

TEST_F(Rules, QueryPoolDestroyedThenSubmitted) {
  Open();
  VkCommandBuffer buffer = Stamped();
  vk.DestroyQueryPool(device, queries, nullptr);
  EXPECT_EQ(fake_violation_count(), 0U);
  Submit(buffer);
  Expect("vkCmdWriteTimestamp executed with a destroyed query pool");
  uint64_t data[2];
  vk.GetQueryPoolResults(device, queries, 0, 1, 16, data, 16, VK_QUERY_RESULT_64_BIT);
  Expect("vkGetQueryPoolResults of a destroyed query pool");
  queries = VK_NULL_HANDLE;
}

TEST_F(Rules, PastTheEndOfThePool) {
  Open();
  Stamp(Begin(), 64);
  Expect("vkCmdWriteTimestamp past the end of the query pool");
  vk.ResetQueryPool(device, queries, 60, 5);
  Expect("vkResetQueryPool past the end of the query pool");
}

TEST_F(Rules, ObjectsAliveAtDestroyDevice) {
  Open();
  VkFence leaked = fence;
  fence = VK_NULL_HANDLE;
  EXPECT_NE(leaked, (VkFence)VK_NULL_HANDLE);
  CloseDevice();
  Expect("VkFence alive at vkDestroyDevice");
  EXPECT_EQ(fake_violation_count(), 1U);
}

TEST_F(Rules, DeviceAliveAtDestroyInstance) {
  Open();
  CloseInstance();
  Expect("VkDevice alive at vkDestroyInstance");
  Read(0);
  Expect("vkGetQueryPoolResults after vkDestroyInstance");
}

TEST_F(Rules, CommandBufferStates) {
  Open("completion=manual");
  VkCommandBuffer buffer = Begin();
  vk.EndCommandBuffer(buffer);
  Stamp(buffer, 0);
  Expect("vkCmdWriteTimestamp in a command buffer that is not recording");
  Submit(buffer);
  Submit(buffer);
  Expect("submitted command buffer is pending and not for SIMULTANEOUS_USE");
  vk.ResetCommandBuffer(buffer, 0);
  Expect("vkResetCommandBuffer of a pending command buffer");
  fake_complete_all();
  Submit(buffer);
  Expect("submitted command buffer is not executable");
  VkCommandBuffer once = Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  vk.EndCommandBuffer(once);
  fake_clear_violations();
  Submit(once);
  fake_complete_all();
  EXPECT_EQ(fake_violation_count(), 0U);
  Submit(once);
  Expect("submitted command buffer is not executable");
  fake_complete_all();
}

TEST_F(Rules, SecondaryGoneBeforeItsPrimaryRuns) {
  Open();
  VkCommandBuffer secondary = Begin(0, 0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  vk.EndCommandBuffer(secondary);
  VkCommandBuffer buffer = Begin();
  vk.CmdExecuteCommands(buffer, 1, &secondary);
  vk.EndCommandBuffer(buffer);
  vk.ResetCommandBuffer(secondary, 0);
  Submit(buffer);
  Expect("executes a secondary that is gone");
}

TEST_F(Rules, NotEnabled) {
  Open("expose_disabled=1", {VK_API_VERSION_1_0, {}, nullptr, false});
  VkCommandBuffer buffer = Begin();
  vk.CmdWriteTimestamp2KHR(buffer, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, queries, 0);
  Expect("vkCmdWriteTimestamp2 used but not enabled");
  Expect("vkCmdWriteTimestamp2 without the feature synchronization2");
  vk.ResetQueryPoolEXT(device, queries, 0, 1);
  Expect("vkResetQueryPool used but not enabled");
  Expect("vkResetQueryPool without the feature hostQueryReset");
  vk.CmdDispatchBaseKHR(buffer, 0, 0, 0, 1, 1, 1);
  Expect("vkCmdDispatchBase used but not enabled");
}

TEST_F(Rules, DeviceCreateInfo) {
  VkPhysicalDeviceHostQueryResetFeatures two{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES, nullptr, VK_TRUE};
  VkPhysicalDeviceHostQueryResetFeatures one{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES, &two, VK_TRUE};
  VkPhysicalDeviceVulkan12Features twelve{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                          &one};
  ASSERT_EQ(
      TryDevice(
          {VK_API_VERSION_1_3, {"VK_EXT_host_query_reset", "VK_EXT_host_query_reset"}, &twelve}),
      VK_SUCCESS);
  Expect("vkCreateDevice: VK_EXT_host_query_reset listed twice");
  Expect("vkCreateDevice: sType 1000261000 chained twice");
  Expect("vkCreateDevice: sType 51 mixed with sType 1000261000");
}

TEST_F(Rules, FlaggedQueues) {
  DeviceOptions options;
  options.flags = VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT;
  Open("null_flagged_queues=1", options);
  EXPECT_EQ(Queue(0, 0), (VkQueue)VK_NULL_HANDLE);
  Expect("vkGetDeviceQueue of a queue created with flags");
  VkDeviceQueueInfo2 info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2};
  info.flags = VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT;
  VkQueue out = VK_NULL_HANDLE;
  vk.GetDeviceQueue2(device, &info, &out);
  EXPECT_NE(out, (VkQueue)VK_NULL_HANDLE);
}

TEST_F(Rules, BuffersOfTheWrongUsage) {
  Open();
  void *bytes = nullptr;
  Buffer(16, &bytes);
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = 16;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  VkBuffer plain = VK_NULL_HANDLE;
  vk.CreateBuffer(device, &info, nullptr, &plain);
  buffers.push_back(plain);
  VkCommandBuffer buffer = Begin();
  VkBufferCopy region{0, 0, 12};
  vk.CmdCopyBuffer(buffer, plain, buffers[0], 1, &region);
  Expect("vkCmdCopyBuffer with a buffer without TRANSFER_SRC usage");
  vk.CmdFillBuffer(buffer, plain, 0, 4, 0);
  Expect("vkCmdFillBuffer with a buffer without TRANSFER_DST usage");
  vk.EndCommandBuffer(buffer);
  Submit(buffer);
  Expect("a command uses a buffer without memory");
}

TEST_F(Rules, FencesAndSemaphores) {
  Open("completion=manual");
  VkCommandBuffer buffer = Begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  vk.EndCommandBuffer(buffer);
  Submit(buffer, fence);
  vk.ResetFences(device, 1, &fence);
  Expect("vkResetFences of a pending fence");
  fake_complete_all();
  Submit(buffer, fence);
  Expect("submitted with a fence that is signaled or pending");
  fake_complete_all();
}

TEST_F(Rules, CaptureStatisticsWithoutItsFeature) {
  Open();
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  info.stage.pName = "main";
  VkPipeline out = VK_NULL_HANDLE;
  vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &out);
  pipelines.push_back(out);
  Expect("CAPTURE flag without the feature pipelineExecutableInfo");
  Expect("pipeline stage without a module and without inline SPIR-V");
}

} // namespace
