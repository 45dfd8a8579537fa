// Which commands the layer adds, and where: the recorded commands as the driver received them.
//
// In: recordings with dispatches and what may lie between them (pitfalls D11, D15, D16). Out: the
// exact list of commands.
#include <algorithm>

#include "layer_test_case.h"

namespace {

using Lines = std::vector<std::string>;

const char kStamp[] = "vkCmdWriteTimestamp stage=0x800";
const char kClosing[] = "vkCmdWriteTimestamp stage=0x10000";
const char kBarrier[] = "vkCmdPipelineBarrier";

// Without the arguments that a test does not care about.
std::string Short(const std::string &line) {
  return line.rfind("vkCmdWriteTimestamp", 0) == 0 ? line : line.substr(0, line.find(' '));
}

class TimingStamps : public LayerTest {
protected:
  void OpenA(const std::string &script = "", uint32_t family = 0) {
    Open(script);
    a = gpu.Pipeline("a", 5000);
    buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, family);
  }

  void Dispatch() {
    gpu.Dispatch(buffer, a);
  }

  void Copy() {
    void *mapped;
    VkBuffer from = gpu.Buffer(64, &mapped);
    VkBuffer to = gpu.Buffer(64, &mapped);
    VkBufferCopy region{0, 0, 64};
    gpu.vk.CmdCopyBuffer(buffer, from, to, 1, &region);
  }

  Lines End() {
    gpu.End(buffer);
    Lines lines;
    for (const auto &line : Recorded(buffer)) {
      lines.push_back(Short(line));
    }
    return lines;
  }

  VkPipeline a = VK_NULL_HANDLE;
  VkCommandBuffer buffer = VK_NULL_HANDLE;
};

TEST_F(TimingStamps, D11_NothingIsRecordedWithoutWork) {
  OpenA();
  EXPECT_EQ(Recorded(buffer), Lines{});
  gpu.Barrier(buffer);
  EXPECT_EQ(End(), Lines{kBarrier});
  EXPECT_EQ(fake_call_count("vkCreateQueryPool"), 0U);
}

TEST_F(TimingStamps, D11_FirstStampComesRightBeforeTheFirstWork) {
  OpenA();
  gpu.Barrier(buffer);
  Dispatch();
  EXPECT_EQ(End(),
            (Lines{kBarrier, "vkCmdBindPipeline", kStamp, "vkCmdDispatch", kStamp, kClosing}));
}

// Stamps of two stages are no neighbours: the copy's serve no dispatch.
TEST_F(TimingStamps, D15_ACopyHasStampsOfItsOwnStage) {
  OpenA();
  Copy();
  Dispatch();
  Copy();
  EXPECT_EQ(End(), (Lines{kClosing, "vkCmdCopyBuffer", kClosing, "vkCmdBindPipeline", kStamp,
                          "vkCmdDispatch", kStamp, kClosing, "vkCmdCopyBuffer", kClosing}));
}

TEST_F(TimingStamps, D15_OneStampServesTwoNeighbours) {
  OpenA();
  Dispatch();
  Dispatch();
  EXPECT_EQ(End(), (Lines{"vkCmdBindPipeline", kStamp, "vkCmdDispatch", kStamp, "vkCmdBindPipeline",
                          "vkCmdDispatch", kStamp, kClosing}));
}

TEST_F(TimingStamps, D15_E10_LabelsAreState) {
  OpenA();
  Dispatch();
  VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, "phase"};
  gpu.vk.CmdBeginDebugUtilsLabelEXT(buffer, &label);
  gpu.vk.CmdInsertDebugUtilsLabelEXT(buffer, &label);
  gpu.vk.CmdDispatch(buffer, 1, 1, 1);
  gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
  Lines lines = End();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), kStamp), 3);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), kClosing), 1);
}

TEST_F(TimingStamps, D15_ABarrierEndsTheChain) {
  OpenA();
  Dispatch();
  gpu.Barrier(buffer);
  Dispatch();
  EXPECT_EQ(End(), (Lines{"vkCmdBindPipeline", kStamp, "vkCmdDispatch", kStamp, kBarrier,
                          "vkCmdBindPipeline", kStamp, "vkCmdDispatch", kStamp, kClosing}));
}

TEST_F(TimingStamps, D15_SynchronizationTwoEndsTheChain) {
  OpenA();
  Dispatch();
  VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  gpu.vk.CmdPipelineBarrier2(buffer, &info);
  Dispatch();
  Lines lines = End();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), kStamp), 4);
}

TEST_F(TimingStamps, D15_WorkOfAnotherKindEndsTheChain) {
  OpenA();
  void *mapped;
  VkBuffer target = gpu.Buffer(64, &mapped);
  Dispatch();
  Copy();
  Dispatch();
  gpu.vk.CmdFillBuffer(buffer, target, 0, 64, 0);
  Dispatch();
  Lines lines = End();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), kStamp), 6);
}

// D16: no barrier of ours, in any of it.
TEST_F(TimingStamps, D16_NoBarrierIsAdded) {
  OpenA();
  Dispatch();
  Copy();
  Dispatch();
  Lines lines = End();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), kBarrier), 0);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "vkCmdResetQueryPool"), 0);
}

// On a family without GRAPHICS all stamps are of ALL_COMMANDS, and the last end closes the
// recording.
TEST_F(TimingStamps, D15_ComputeOnlyFamilyStampsAllCommands) {
  OpenA("families=gct:64+c:64", 1);
  Dispatch();
  Dispatch();
  EXPECT_EQ(End(), (Lines{"vkCmdBindPipeline", kClosing, "vkCmdDispatch", kClosing,
                          "vkCmdBindPipeline", "vkCmdDispatch", kClosing}));
}

TEST_F(TimingStamps, D15_ComputeOnlyFamilyClosesAfterOtherWork) {
  OpenA("families=gct:64+ct:64", 1);
  Dispatch();
  Copy();
  EXPECT_EQ(End(), (Lines{"vkCmdBindPipeline", kClosing, "vkCmdDispatch", kClosing,
                          "vkCmdCopyBuffer", kClosing}));
}

TEST_F(TimingStamps, D15_ComputeOnlyFamilyTimes) {
  OpenA("families=gct:64+c:64", 1);
  VkPipeline b = gpu.Pipeline("b", 8000);
  Dispatch();
  gpu.Dispatch(buffer, b);
  gpu.Run(buffer, gpu.Queue(1, 0));
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{3010});
}

// D12: the pool's family counts, and a family without timestamps gets no command.
TEST_F(TimingStamps, D12_FamilyWithoutTimestampsIsLeftAlone) {
  OpenA("families=gct:64+c:0", 1);
  Dispatch();
  Dispatch();
  EXPECT_EQ(End(),
            (Lines{"vkCmdBindPipeline", "vkCmdDispatch", "vkCmdBindPipeline", "vkCmdDispatch"}));
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence, gpu.Queue(1, 0)), VK_SUCCESS);
  gpu.Wait();
  Profile profile = Finish();
  EXPECT_EQ(profile.Coverage().executed, 2);
  EXPECT_EQ(profile.Row("a").outcomes.untimed, (Counts{{"no_timestamps", 2}}));
  EXPECT_EQ(profile.Row("a").seen, 0);
}

// D45: nothing is timed on a family without COMPUTE, and nothing is added.
// D1, D45: a transfer-only family may write timestamps, but not reset queries: the host does.
TEST_F(TimingStamps, D1_D45_TransferFamilyIsTimedWithHostReset) {
  OpenA("families=gct:64+t:64", 1);
  Copy();
  EXPECT_EQ(End(), (Lines{kClosing, "vkCmdCopyBuffer", kClosing}));
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence, gpu.Queue(1, 0)), VK_SUCCESS);
  gpu.Wait();
  EXPECT_EQ(Finish().Kind("copy").outcomes.measured, 1);
}

TEST_F(TimingStamps, D1_D45_TransferFamilyIsLeftAloneWithoutHostReset) {
  OpenA("families=gct:64+t:64;host_query_reset=0;missing=VK_EXT_host_query_reset", 1);
  Copy();
  EXPECT_EQ(End(), Lines{"vkCmdCopyBuffer"});
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence, gpu.Queue(1, 0)), VK_SUCCESS);
  gpu.Wait();
  EXPECT_EQ(Finish().Kind("copy").outcomes.untimed, (Counts{{"no_reset", 1}}));
}

// D42: protected command buffers are passed through.
TEST_F(TimingStamps, D42_ProtectedCommandBufferIsLeftAlone) {
  Open("families=gctp:64;protected_memory=1");
  a = gpu.Pipeline("a", 5000);
  buffer = gpu.Allocate(gpu.Pool(0, VK_COMMAND_POOL_CREATE_PROTECTED_BIT));
  gpu.Start(buffer);
  Dispatch();
  EXPECT_EQ(End(), (Lines{"vkCmdBindPipeline", "vkCmdDispatch"}));
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  EXPECT_EQ(Finish().Row("a").outcomes.untimed, (Counts{{"protected_memory", 1}}));
}

// D7, D8: no stamp inside rendering; suspended rendering leaves no closing stamp either.
TEST_F(TimingStamps, D7_SuspendedRenderingIsNotTouched) {
  OpenA();
  Dispatch();
  VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.flags = VK_RENDERING_SUSPENDING_BIT;
  info.renderArea.extent = {1, 1};
  info.layerCount = 1;
  gpu.vk.CmdBeginRendering(buffer, &info);
  gpu.vk.CmdEndRendering(buffer);
  EXPECT_EQ(End(), (Lines{"vkCmdBindPipeline", kStamp, "vkCmdDispatch", kStamp,
                          "vkCmdBeginRendering", "vkCmdEndRendering"}));
}

TEST_F(TimingStamps, D8_D18_RenderingIsTimedAsAWholeFromOutside) {
  OpenA();
  Dispatch();
  VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = {1, 1};
  info.layerCount = 1;
  gpu.vk.CmdBeginRendering(buffer, &info);
  gpu.vk.CmdEndRendering(buffer);
  Dispatch();
  EXPECT_EQ(End(), (Lines{"vkCmdBindPipeline", kStamp, "vkCmdDispatch", kStamp, kClosing,
                          "vkCmdBeginRendering", "vkCmdEndRendering", kClosing, "vkCmdBindPipeline",
                          kStamp, "vkCmdDispatch", kStamp, kClosing}));
}

// D17: version 1 of the command everywhere; a stamp of our own in no other pool than ours.
TEST_F(TimingStamps, D17_ApplicationQueriesAreNotTouched) {
  OpenA();
  VkQueryPool own = gpu.Queries(VK_QUERY_TYPE_TIMESTAMP, 2);
  gpu.vk.CmdResetQueryPool(buffer, own, 0, 2);
  gpu.vk.CmdWriteTimestamp(buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, own, 0);
  Dispatch();
  gpu.vk.CmdWriteTimestamp(buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, own, 1);
  gpu.Run(buffer);
  uint64_t values[2] = {0, 0};
  EXPECT_EQ(gpu.vk.GetQueryPoolResults(gpu.device, own, 0, 2, sizeof values, values,
                                       sizeof values[0], VK_QUERY_RESULT_64_BIT),
            VK_SUCCESS);
  EXPECT_EQ(values[1] - values[0], 5010U);
  EXPECT_EQ(Finish().Row("a").samples, Nanoseconds{5010});
}

} // namespace
