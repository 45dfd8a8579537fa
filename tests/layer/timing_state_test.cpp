// What the program put around its work: labels, conditional rendering, suspended rendering
// (pitfalls D7, D19, E10).
//
// In: such state, opened and closed in every place. Out: phases and flags of the rows.
#include <algorithm>

#include "layer_test_case.h"

namespace {

class TimingState : public LayerTest {
protected:
  void OpenA(const std::vector<const char *> &extensions = {}, const std::string &script = "") {
    GpuOptions options;
    options.extensions = extensions;
    Open("rare_extensions=1;" + script, options);
    a = gpu.Pipeline("a", 5000);
  }

  VkCommandBuffer Begin() {
    return gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  }

  static VkDebugUtilsLabelEXT Label(const char *name) {
    return {VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, name, {}};
  }

  void OpenOnQueue(VkQueue queue, const char *name) {
    VkDebugUtilsLabelEXT label = Label(name);
    gpu.vk.QueueBeginDebugUtilsLabelEXT(queue, &label);
  }

  void RunOne(VkQueue queue = VK_NULL_HANDLE) {
    VkCommandBuffer buffer = Begin();
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, a);
    gpu.Run(buffer, queue);
  }

  // Phases of the entry's rows with their counts.
  static Counts Phases(const Profile &profile) {
    Counts out;
    for (const KernelRow &row : profile.Rows("a")) {
      out[row.phase] += row.outcomes.measured;
    }
    return out;
  }

  VkPipeline a = VK_NULL_HANDLE;
};

// ---- labels ----

TEST_F(TimingState, E10_DebugMarkersAreLabels) {
  OpenA({"VK_EXT_debug_marker"});
  VkDebugMarkerMarkerInfoEXT outer{
      VK_STRUCTURE_TYPE_DEBUG_MARKER_MARKER_INFO_EXT, nullptr, "outer", {}};
  VkDebugMarkerMarkerInfoEXT inner{
      VK_STRUCTURE_TYPE_DEBUG_MARKER_MARKER_INFO_EXT, nullptr, "inner", {}};
  VkDebugUtilsLabelEXT mixed = Label("mixed");
  VkCommandBuffer buffer = Begin();
  gpu.vk.CmdDebugMarkerBeginEXT(buffer, &outer);
  gpu.Dispatch(buffer, a);
  gpu.vk.CmdDebugMarkerInsertEXT(buffer, &inner); // names a point, opens nothing
  gpu.vk.CmdDispatch(buffer, 1, 1, 1);
  gpu.vk.CmdDebugMarkerBeginEXT(buffer, &inner);
  gpu.vk.CmdBeginDebugUtilsLabelEXT(buffer, &mixed);
  gpu.vk.CmdDispatch(buffer, 1, 1, 1);
  gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
  gpu.vk.CmdDebugMarkerEndEXT(buffer);
  gpu.vk.CmdDebugMarkerEndEXT(buffer);
  gpu.vk.CmdDispatch(buffer, 1, 1, 1);
  std::vector<std::string> lines = Recorded(buffer);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "vkCmdWriteTimestamp stage=0x800"), 5);
  gpu.Run(buffer);
  EXPECT_EQ(Phases(Finish()), (Counts{{"outer", 2}, {"outer/inner/mixed", 1}, {"unlabelled", 1}}));
}

TEST_F(TimingState, E10_DebugMarkersNamePipelines) {
  OpenA({"VK_EXT_debug_marker"});
  VkDebugMarkerObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT, nullptr,
                                      VK_DEBUG_REPORT_OBJECT_TYPE_PIPELINE_EXT,
                                      reinterpret_cast<uint64_t>(a), "by marker"};
  EXPECT_EQ(gpu.vk.DebugMarkerSetObjectNameEXT(gpu.device, &info), VK_SUCCESS);
  RunOne();
  EXPECT_EQ(Finish().Text("pipelines.0.name"), "by marker");
}

// NULL for a name is against the rules, and real.
TEST_F(TimingState, E10_NamesThatAreNull) {
  OpenA({"VK_EXT_debug_marker"});
  VkDebugUtilsLabelEXT label = Label(nullptr);
  VkDebugMarkerMarkerInfoEXT marker{
      VK_STRUCTURE_TYPE_DEBUG_MARKER_MARKER_INFO_EXT, nullptr, nullptr, {}};
  gpu.vk.QueueBeginDebugUtilsLabelEXT(gpu.queue, &label);
  VkCommandBuffer buffer = Begin();
  gpu.vk.CmdBeginDebugUtilsLabelEXT(buffer, &label);
  gpu.vk.CmdDebugMarkerBeginEXT(buffer, &marker);
  gpu.Dispatch(buffer, a);
  gpu.vk.CmdDebugMarkerEndEXT(buffer);
  gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
  gpu.Run(buffer);
  gpu.vk.QueueEndDebugUtilsLabelEXT(gpu.queue);
  EXPECT_EQ(Finish().Coverage().measured, 1);
}

// Labels of a queue hold across submissions, on that queue alone, and stand before a recording's.
TEST_F(TimingState, E10_LabelsOfQueues) {
  OpenA();
  VkQueue other = gpu.Queue(0, 1);
  RunOne();
  OpenOnQueue(gpu.queue, "frame");
  RunOne();
  RunOne(other);
  OpenOnQueue(gpu.queue, "pass");
  RunOne();
  VkDebugUtilsLabelEXT inside = Label("inside");
  VkCommandBuffer buffer = Begin();
  gpu.vk.CmdBeginDebugUtilsLabelEXT(buffer, &inside);
  gpu.Dispatch(buffer, a);
  gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
  gpu.Run(buffer);
  gpu.vk.QueueInsertDebugUtilsLabelEXT(gpu.queue, &inside);
  gpu.vk.QueueEndDebugUtilsLabelEXT(gpu.queue);
  RunOne();
  gpu.vk.QueueEndDebugUtilsLabelEXT(gpu.queue);
  RunOne();
  EXPECT_EQ(Phases(Finish()),
            (Counts{{"frame", 2}, {"frame/pass", 1}, {"frame/pass/inside", 1}, {"unlabelled", 3}}));
}

// ---- conditional rendering ----

class TimingConditional : public TimingState {
protected:
  void OpenConditional() {
    OpenA({"VK_EXT_conditional_rendering"});
    info.buffer = gpu.Buffer(16, &bytes);
  }

  VkConditionalRenderingBeginInfoEXT info{VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT};
  void *bytes = nullptr;
};

TEST_F(TimingConditional, D19_WhatMayNotHaveRunIsFlagged) {
  OpenConditional();
  VkCommandBuffer buffer = Begin();
  gpu.Dispatch(buffer, a);
  gpu.vk.CmdBeginConditionalRenderingEXT(buffer, &info);
  gpu.Dispatch(buffer, a);
  gpu.Dispatch(buffer, a);
  gpu.vk.CmdEndConditionalRenderingEXT(buffer);
  gpu.Dispatch(buffer, a);
  gpu.Run(buffer);
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.outcomes.measured, 4);
  EXPECT_EQ(row.conditional, 2);
}

// A secondary that may be executed inside conditional rendering, and one that may not.
TEST_F(TimingConditional, D19_Inherited) {
  OpenConditional();
  VkPipeline b = gpu.Pipeline("b", 8000);
  VkCommandBufferInheritanceConditionalRenderingInfoEXT conditional{
      VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT};
  VkCommandBufferInheritanceInfo inheritance{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                             &conditional};
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, 0,
                                 &inheritance};
  VkCommandBuffer secondaries[2];
  for (int i = 0; i < 2; i++) {
    secondaries[i] = gpu.Allocate(gpu.Pool(), VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    conditional.conditionalRenderingEnable = i == 0;
    ASSERT_EQ(gpu.vk.BeginCommandBuffer(secondaries[i], &begin), VK_SUCCESS);
    gpu.Dispatch(secondaries[i], i == 0 ? a : b);
    gpu.End(secondaries[i]);
  }
  VkCommandBuffer buffer = Begin();
  gpu.vk.CmdBeginConditionalRenderingEXT(buffer, &info);
  gpu.vk.CmdExecuteCommands(buffer, 1, &secondaries[0]);
  gpu.vk.CmdEndConditionalRenderingEXT(buffer);
  gpu.vk.CmdExecuteCommands(buffer, 1, &secondaries[1]);
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").conditional, 1);
  EXPECT_EQ(profile.Row("b").conditional, 0);
}

// The state of a recording ends with it.
TEST_F(TimingConditional, D19_IsForgottenWithItsRecording) {
  OpenConditional();
  expect_violations = true; // the first recording is thrown away inside conditional rendering
  VkCommandBuffer buffer = gpu.Begin();
  gpu.vk.CmdBeginConditionalRenderingEXT(buffer, &info);
  EXPECT_EQ(gpu.vk.ResetCommandBuffer(buffer, 0), VK_SUCCESS);
  gpu.Start(buffer);
  gpu.Dispatch(buffer, a);
  gpu.Run(buffer);
  EXPECT_EQ(Finish().Row("a").conditional, 0);
}

// ---- suspended and resumed rendering ----

// D7: from the suspension in one command buffer to the end in another there is no stamp, reset or
// other command of ours; before and after, work is timed.
TEST_F(TimingState, D7_SuspendedInOneBufferResumedInTheNext) {
  OpenA({}, "draw_ns=700");
  VkCommandBuffer buffers[3];
  for (int i = 0; i < 3; i++) {
    buffers[i] = Begin();
    if (i == 0) {
      gpu.Dispatch(buffers[i], a);
      gpu.Barrier(buffers[i], VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                  VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    }
    VkRenderingFlags flags = 0;
    flags |= i > 0 ? VK_RENDERING_RESUMING_BIT : VkRenderingFlagBits{};
    flags |= i < 2 ? VK_RENDERING_SUSPENDING_BIT : VkRenderingFlagBits{};
    gpu.BeginRendering(buffers[i], flags);
    gpu.vk.CmdDraw(buffers[i], 3, 1, 0, 0);
    gpu.vk.CmdEndRendering(buffers[i]);
    if (i == 2) {
      gpu.Barrier(buffers[i], VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                  VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
      gpu.Dispatch(buffers[i], a);
    }
    gpu.End(buffers[i]);
  }
  EXPECT_EQ(Recorded(buffers[1]).size(), 3U);
  EXPECT_EQ(Recorded(buffers[0]).back(), "vkCmdEndRendering");
  EXPECT_EQ(Recorded(buffers[2])[0], "vkCmdBeginRendering");
  ASSERT_EQ(gpu.Submit({buffers[0], buffers[1], buffers[2]}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, (Nanoseconds{5010, 5000}));
  EXPECT_EQ(profile.Kind("render_pass").outcomes.untimed, (Counts{{"suspended_rendering", 3}}));
}

} // namespace
