// The model of time: the worked examples of fake_driver.h and what else a test computes by hand.
#include "fixture.h"

#include <cmath>
#include <cstring>

namespace {

class Model : public FakeTest {};

TEST_F(Model, ExampleA_IndependentDispatchesOverlap) {
  Open();
  VkCommandBuffer buffer = Begin();
  Stamp(buffer, 0);
  Dispatch(buffer, Pipeline("a", 5000));
  Stamp(buffer, 1);
  Dispatch(buffer, Pipeline("b", 8000));
  Stamp(buffer, 2);
  Run(buffer);
  EXPECT_EQ(Read(0), 0U);
  EXPECT_EQ(Read(1), 5010U);
  EXPECT_EQ(Read(2), 8020U);
}

TEST_F(Model, ExampleB_BarrierSerializes) {
  Open();
  VkCommandBuffer buffer = Begin();
  Stamp(buffer, 0);
  Dispatch(buffer, Pipeline("a", 5000));
  Stamp(buffer, 1);
  Barrier(buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  Dispatch(buffer, Pipeline("b", 8000));
  Stamp(buffer, 2);
  Run(buffer);
  EXPECT_EQ(Read(1), 5010U);
  EXPECT_EQ(Read(2), 13010U);
}

TEST_F(Model, ExampleC_TopOfPipeDoesNotWait) {
  Open();
  VkCommandBuffer buffer = Begin();
  Stamp(buffer, 0);
  Dispatch(buffer, Pipeline("a", 5000));
  Stamp(buffer, 1, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
  Barrier(buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  Dispatch(buffer, Pipeline("b", 8000));
  Stamp(buffer, 2);
  Run(buffer);
  EXPECT_EQ(Read(1), 10U);
  EXPECT_EQ(Read(2), 13010U);
}

TEST_F(Model, ExampleD_CopyIsNoComputeWork) {
  for (bool barrier : {false, true}) {
    fake_reset();
    Open("transfer_ns=500;byte_ns=2");
    void *bytes = nullptr;
    VkBuffer source = Buffer(1000, &bytes);
    VkBuffer target = Buffer(1000, &bytes);
    VkCommandBuffer buffer = Begin();
    VkBufferCopy region{0, 0, 1000};
    vk.CmdCopyBuffer(buffer, source, target, 1, &region);
    if (barrier) {
      Barrier(buffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    }
    Stamp(buffer, 0);
    Dispatch(buffer, Pipeline("a", 5000));
    Stamp(buffer, 1);
    Run(buffer);
    EXPECT_EQ(Read(0), barrier ? 2510U : 10U);
    EXPECT_EQ(Read(1), barrier ? 7510U : 5020U);
    CloseDevice();
    buffers.clear();
    memories.clear();
    pipelines.clear();
    command_pools.clear();
    module = VK_NULL_HANDLE;
    CloseInstance();
  }
}

TEST_F(Model, ExampleE_WrapAround) {
  Open("valid_bits=36;start_ticks=68719476636");
  VkCommandBuffer buffer = Begin();
  Stamp(buffer, 0);
  Dispatch(buffer, Pipeline("a", 5000));
  Stamp(buffer, 1);
  Run(buffer);
  EXPECT_EQ(Read(0), 68719476636U);
  EXPECT_EQ(Read(1), 4910U);
  EXPECT_EQ((Read(1) - Read(0)) & ((1ULL << 36) - 1), 5010U);
}

TEST_F(Model, PeriodTurnsNanosecondsIntoTicks) {
  Open("period=52.08;start_ticks=1000");
  VkCommandBuffer buffer = Begin();
  Dispatch(buffer, Pipeline("a", 5199));
  Stamp(buffer, 0);
  Run(buffer);
  EXPECT_EQ(Read(0), 1000U + 100U); // 5209 ns; the float is a little above 52.08
  EXPECT_EQ(fake_ticks(5209, 64), 1100U);
}

TEST_F(Model, OddPeriodsCountAsOne) {
  for (float period : {0.0F, HUGE_VALF, nanf("")}) {
    fake_config()->period = period;
    EXPECT_EQ(fake_ticks(123, 64), 123U);
  }
}

TEST_F(Model, GroupsAndDefaultsMakeTheCost) {
  Open("dispatch_ns=100;group_ns=3");
  VkPipeline scripted = Pipeline("scripted", 1000, 10);
  VkPipeline other = Pipeline("other", no_cost);
  VkCommandBuffer buffer = Begin();
  Dispatch(buffer, scripted, 2, 3, 4);
  Dispatch(buffer, other, 5);
  vk.CmdDispatchBase(buffer, 7, 0, 0, 3, 1, 1);
  Run(buffer);
  ASSERT_EQ(fake_execution_count(), 3U);
  EXPECT_EQ(fake_execution(0)->end_ns - fake_execution(0)->start_ns, 1240U);
  EXPECT_STREQ(fake_execution(0)->entry, "scripted");
  EXPECT_EQ(fake_execution(1)->end_ns - fake_execution(1)->start_ns, 115U);
  EXPECT_EQ(fake_execution(2)->end_ns - fake_execution(2)->start_ns, 109U);
  uint32_t count = 0;
  const fake_command *commands = fake_recorded(buffer, &count);
  EXPECT_EQ(commands[count - 1].base_x, 7U);
}

TEST_F(Model, IndirectReadsItsArgumentsWhenItRuns) {
  Open("completion=manual");
  void *bytes = nullptr;
  VkBuffer arguments = Buffer(64, &bytes);
  VkCommandBuffer buffer = Begin();
  vk.CmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, Pipeline("a", 0, 100));
  vk.CmdDispatchIndirect(buffer, arguments, 16);
  Stamp(buffer, 0);
  vk.EndCommandBuffer(buffer);
  ASSERT_EQ(Submit(buffer, fence), VK_SUCCESS);
  const uint32_t groups[3] = {2, 5, 1};
  memcpy((char *)bytes + 16, groups, sizeof groups);
  EXPECT_EQ(fake_complete(1), 0U);
  EXPECT_EQ(Read(0), 1010U);
  EXPECT_EQ(fake_execution(0)->y, 5U);
}

TEST_F(Model, IndirectWaitsForABarrierOfItsStage) {
  Open("transfer_ns=700;byte_ns=0");
  void *bytes = nullptr;
  VkBuffer arguments = Buffer(64, &bytes);
  VkCommandBuffer buffer = Begin();
  const uint32_t groups[3] = {4, 1, 1};
  vk.CmdUpdateBuffer(buffer, arguments, 0, sizeof groups, groups);
  Barrier(buffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT);
  vk.CmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, Pipeline("a", 0, 100));
  vk.CmdDispatchIndirect(buffer, arguments, 0);
  Stamp(buffer, 0);
  Run(buffer);
  EXPECT_EQ(Read(0), 710U + 400U);
}

TEST_F(Model, BarrierCostIsAGap) {
  Open("barrier_ns=250");
  VkCommandBuffer buffer = Begin();
  Dispatch(buffer, Pipeline("a", 1000));
  Stamp(buffer, 0);
  Barrier(buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  Stamp(buffer, 1);
  Dispatch(buffer, Pipeline("b", 500));
  Stamp(buffer, 2);
  Run(buffer);
  EXPECT_EQ(Read(0), 1010U);
  EXPECT_EQ(Read(1), 1260U);
  EXPECT_EQ(Read(2), 1760U);
}

TEST_F(Model, AllCommandsWaitsForEveryUnit) {
  Open("transfer_ns=9000;byte_ns=0");
  void *bytes = nullptr;
  VkBuffer target = Buffer(64, &bytes);
  VkCommandBuffer buffer = Begin();
  vk.CmdFillBuffer(buffer, target, 0, 64, 0x01020304);
  Dispatch(buffer, Pipeline("a", 1000));
  Stamp(buffer, 0);
  Stamp(buffer, 1, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  Stamp(buffer, 2, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
  Stamp(buffer, 3, VK_PIPELINE_STAGE_TRANSFER_BIT);
  Run(buffer);
  EXPECT_EQ(Read(0), 1020U);
  EXPECT_EQ(Read(1), 9010U);
  EXPECT_EQ(Read(2), 9010U);
  EXPECT_EQ(Read(3), 9010U);
  EXPECT_EQ(((uint8_t *)bytes)[63], 0x01);
}

TEST_F(Model, EventIsASplitBarrier) {
  Open();
  VkEventCreateInfo info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent event = VK_NULL_HANDLE;
  vk.CreateEvent(device, &info, nullptr, &event);
  VkCommandBuffer buffer = Begin();
  Dispatch(buffer, Pipeline("a", 1000));
  vk.CmdSetEvent(buffer, event, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  Dispatch(buffer, Pipeline("b", 9000)); // after the event: not waited for
  vk.CmdWaitEvents(buffer, 1, &event, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                   VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, nullptr, 0, nullptr, 0, nullptr);
  Dispatch(buffer, Pipeline("c", 100));
  Run(buffer);
  EXPECT_EQ(fake_execution(1)->start_ns, 20U);
  EXPECT_EQ(fake_execution(2)->start_ns, 1010U);
  EXPECT_EQ(vk.GetEventStatus(device, event), VK_EVENT_SET);
  vk.DestroyEvent(device, event, nullptr);
}

TEST_F(Model, SubmissionsOverlapUntilTheHostWaits) {
  Open();
  VkCommandBuffer buffer = Begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  Dispatch(buffer, Pipeline("a", 1000));
  vk.EndCommandBuffer(buffer);
  Submit(buffer);
  Submit(buffer);
  EXPECT_EQ(fake_execution(1)->start_ns, 20U);
  vk.QueueWaitIdle(queue);
  EXPECT_EQ(fake_now(), 1020U);
  fake_advance(80);
  Submit(buffer);
  EXPECT_EQ(fake_execution(2)->start_ns, 1110U);
}

TEST_F(Model, QueuesRunSideBySideAndSemaphoresOrderThem) {
  Open();
  VkQueue second = Queue(0, 1);
  VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  vk.CreateSemaphore(device, &info, nullptr, &semaphore);
  VkCommandBuffer first_buffer = Begin();
  Dispatch(first_buffer, Pipeline("a", 5000));
  vk.EndCommandBuffer(first_buffer);
  VkCommandBuffer second_buffer = Begin();
  Dispatch(second_buffer, Pipeline("b", 100));
  vk.EndCommandBuffer(second_buffer);
  VkSubmitInfo signal{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  signal.commandBufferCount = 1;
  signal.pCommandBuffers = &first_buffer;
  signal.signalSemaphoreCount = 1;
  signal.pSignalSemaphores = &semaphore;
  VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  VkSubmitInfo wait{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  wait.commandBufferCount = 1;
  wait.pCommandBuffers = &second_buffer;
  wait.waitSemaphoreCount = 1;
  wait.pWaitSemaphores = &semaphore;
  wait.pWaitDstStageMask = &stage;
  EXPECT_EQ(Submit(second_buffer, VK_NULL_HANDLE, second), VK_SUCCESS); // not ordered
  EXPECT_EQ(fake_execution(0)->start_ns, 10U);
  EXPECT_EQ(vk.QueueSubmit(queue, 1, &signal, VK_NULL_HANDLE), VK_SUCCESS);
  EXPECT_EQ(vk.QueueSubmit(second, 1, &wait, VK_NULL_HANDLE), VK_SUCCESS);
  EXPECT_EQ(fake_execution(1)->end_ns, 5010U);
  EXPECT_EQ(fake_execution(2)->start_ns, 5010U);
  vk.DestroySemaphore(device, semaphore, nullptr);
}

TEST_F(Model, SecondariesRunInPlace) {
  Open();
  VkCommandBuffer secondary =
      Begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, 0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  Dispatch(secondary, Pipeline("a", 1000));
  vk.EndCommandBuffer(secondary);
  VkCommandBuffer buffer = Begin();
  VkCommandBuffer twice[] = {secondary, secondary};
  vk.CmdExecuteCommands(buffer, 2, twice);
  Stamp(buffer, 0);
  Run(buffer);
  EXPECT_EQ(fake_execution_count(), 3U);
  EXPECT_EQ(Read(0), 1020U);
}

} // namespace
