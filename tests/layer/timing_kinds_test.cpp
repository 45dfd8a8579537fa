// Every kind of work as a mark of its own, or counted with a reason (pitfalls E1, E8, E9, D18,
// D20).
//
// In: each command that work.def calls work, between two dispatches. Out: its stamps, its time, its
// row; the dispatches' times without it.
#include <algorithm>
#include <cstring>

#include "layer_test_case.h"

namespace {

struct Work {
  const char *command, *kind;
};

const Work kWork[] = {
#define VKM_OWN(command)
#define VKM_PASS(command)
#define VKM_NO_WORK(command, why)
#define VKM_WORK(command, kind) {"vkCmd" #command, #kind},
#include "work.def"
#undef VKM_OWN
#undef VKM_PASS
#undef VKM_NO_WORK
#undef VKM_WORK
};

struct Kind {
  const char *constant, *name, *member;
  bool timed;
};

const Kind kKinds[] = {
#define VKM_KIND(constant, name, member, timed) {#constant, #name, #member, timed},
#include "measure/kinds.def"
#undef VKM_KIND
};

const Kind &KindOf(const Work &work) {
  for (const Kind &kind : kKinds) {
    if (std::strcmp(kind.constant, work.kind) == 0) {
      return kind;
    }
  }
  ADD_FAILURE() << work.kind;
  return kKinds[0];
}

const char kStamp[] = "vkCmdWriteTimestamp stage=0x800";
const char kAllStamp[] = "vkCmdWriteTimestamp stage=0x10000";

class TimingKinds : public LayerTest {
protected:
  void OpenRare(const std::string &script = "") {
    GpuOptions options;
    options.extensions = {"VK_KHR_acceleration_structure",    "VK_KHR_ray_tracing_pipeline",
                          "VK_KHR_ray_tracing_maintenance1",  "VK_NV_ray_tracing",
                          "VK_EXT_device_generated_commands", "VK_KHR_video_decode_queue",
                          "VK_KHR_video_encode_queue",        "VK_FAKE_work"};
    Open("rare_extensions=1;families=gct:64+v:64+e:64;" + script, options);
    a = gpu.Pipeline("a", 5000);
  }

  // With arguments that the driver reads where it reads any, else with zeros: the layer hands on
  // what it does not look at.
  void Call(const std::string &name, VkCommandBuffer buffer) {
    void *bytes;
    if (name == "vkCmdCopyBuffer" || name == "vkCmdCopyBuffer2") {
      VkBufferCopy2 region{VK_STRUCTURE_TYPE_BUFFER_COPY_2, nullptr, 0, 0, 64};
      VkCopyBufferInfo2 info{VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
                             nullptr,
                             gpu.Buffer(64, &bytes),
                             gpu.Buffer(64, &bytes),
                             1,
                             &region};
      VkBufferCopy old{0, 0, 64};
      if (name == "vkCmdCopyBuffer2") {
        gpu.vk.CmdCopyBuffer2(buffer, &info);
      } else {
        gpu.vk.CmdCopyBuffer(buffer, info.srcBuffer, info.dstBuffer, 1, &old);
      }
    } else if (name == "vkCmdFillBuffer") {
      gpu.vk.CmdFillBuffer(buffer, gpu.Buffer(64, &bytes), 0, 64, 7);
    } else if (name == "vkCmdUpdateBuffer") {
      const uint64_t words[8] = {};
      gpu.vk.CmdUpdateBuffer(buffer, gpu.Buffer(64, &bytes), 0, 64, words);
    } else if (name == "vkCmdCopyQueryPoolResults") {
      VkQueryPool pool = gpu.Queries(VK_QUERY_TYPE_TIMESTAMP, 8);
      gpu.vk.CmdResetQueryPool(buffer, pool, 0, 8);
      gpu.vk.CmdCopyQueryPoolResults(buffer, pool, 0, 8, gpu.Buffer(64, &bytes), 0, 8, 0);
    } else {
      CallWithZeros(name, buffer);
    }
  }

  void CallWithZeros(const std::string &name, VkCommandBuffer buffer) {
    using Function = void(VKAPI_PTR *)(VkCommandBuffer, uint64_t, uint64_t, uint64_t, uint64_t,
                                       uint64_t, uint64_t, uint64_t, uint64_t);
    auto function = reinterpret_cast<Function>(get_device_proc(gpu.device, name.c_str()));
    ASSERT_NE(function, nullptr) << name << ": the scripted driver has no such command";
    // Of the structures that the layer looks at: no regions.
    static const uint64_t kNothing[16] = {};
    const bool structure = name.back() == '2';
    function(buffer, structure ? reinterpret_cast<uintptr_t>(kNothing) : 0, 0, 0, 0, 0, 0, 0, 0);
  }

  void AllBarrier(VkCommandBuffer buffer) {
    gpu.Barrier(buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  }

  VkPipeline a = VK_NULL_HANDLE;
};

class TimingKindsEach : public TimingKinds, public ::testing::WithParamInterface<Work> {};

int64_t CostOf(const Work &work) {
  const std::string kind = work.kind;
  const std::string name = work.command;
  const bool exotic =
      name == "vkCmdCopyMemoryIndirectNV" || name == "vkCmdCopyMemoryToImageIndirectNV";
  if (exotic || (kind != "COPY" && kind != "FILL" && kind != "UPDATE" && kind != "BLIT" &&
                 kind != "CLEAR" && kind != "RESOLVE")) {
    return 3000;
  }
  return name.find("Image") == std::string::npos ? 564 : 500; // images have no bytes here
}

TEST_P(TimingKindsEach, E1_IsAMarkOfItsOwnOrCounted) {
  const Work &work = GetParam();
  const Kind &kind = KindOf(work);
  const bool video = std::strcmp(work.kind, "VIDEO") == 0;
  const bool decode = std::strcmp(work.command, "vkCmdDecodeVideoKHR") == 0;
  const uint32_t family = !video ? 0U : decode ? 1U : 2U;
  OpenRare();
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, family);
  if (!video) {
    gpu.Dispatch(buffer, a);
    AllBarrier(buffer);
  }
  Call(work.command, buffer);
  if (!video) {
    AllBarrier(buffer);
    gpu.Dispatch(buffer, a);
  }
  std::vector<std::string> lines = Recorded(buffer);
  size_t at = 0;
  while (at < lines.size() && lines[at].substr(0, lines[at].find(' ')) != work.command) {
    at++;
  }
  ASSERT_LT(at, lines.size());
  if (kind.timed) {
    ASSERT_GT(at, 0U);
    EXPECT_EQ(lines[at - 1], kAllStamp);
    EXPECT_EQ(lines.at(at + 1), kAllStamp);
  }
  EXPECT_EQ(std::count(lines.begin(), lines.end(), kAllStamp), kind.timed ? 2 : 0);
  gpu.Run(buffer, video ? gpu.Queue(family, 0) : VK_NULL_HANDLE);
  Profile profile = Finish();
  KernelRow row = profile.Kind(kind.name);
  EXPECT_EQ(row.outcomes.executed, 1);
  EXPECT_EQ(row.pipeline, "(none)");
  if (kind.timed) {
    EXPECT_EQ(row.samples, Nanoseconds{CostOf(work)});
  } else {
    EXPECT_EQ(row.outcomes.untimed, (Counts{{"not_timed", 1}}));
  }
  EXPECT_EQ(profile.Coverage(kind.member).recorded, 1);
  EXPECT_EQ(profile.Coverage(kind.member).executed, 1);
  if (!video) {
    EXPECT_EQ(profile.Row("a").samples, (Nanoseconds{5010, 5000}));
  }
}

INSTANTIATE_TEST_SUITE_P(Work, TimingKindsEach, ::testing::ValuesIn(kWork),
                         [](const auto &info) { return std::string(info.param.command); });

// Without a barrier, too, a stamp of a neighbour serves no work of another stage.
TEST_F(TimingKinds, E1_D15_NeighboursKeepTheirTimes) {
  OpenRare();
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, a);
  CallWithZeros("vkCmdTraceRaysKHR", buffer);
  CallWithZeros("vkCmdBuildAccelerationStructuresKHR", buffer);
  gpu.Dispatch(buffer, a);
  gpu.End(buffer);
  std::vector<std::string> lines = Recorded(buffer);
  for (std::string &line : lines) {
    line = line.rfind("vkCmdWriteTimestamp", 0) == 0 ? line : line.substr(0, line.find(' '));
  }
  EXPECT_EQ(lines, (std::vector<std::string>{"vkCmdBindPipeline", kStamp, "vkCmdDispatch", kStamp,
                                             kAllStamp, "vkCmdTraceRaysKHR", kAllStamp,
                                             "vkCmdBuildAccelerationStructuresKHR", kAllStamp,
                                             "vkCmdBindPipeline", kStamp, "vkCmdDispatch", kStamp,
                                             kAllStamp}));
}

// ---- generated commands ----

TEST_F(TimingKinds, E8_PreprocessAndExecuteAreTwoMarks) {
  OpenRare();
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  CallWithZeros("vkCmdPreprocessGeneratedCommandsEXT", buffer);
  AllBarrier(buffer);
  CallWithZeros("vkCmdExecuteGeneratedCommandsEXT", buffer);
  gpu.Run(buffer);
  EXPECT_EQ(Finish().Kind("generated_commands").samples, (Nanoseconds{3010, 3000}));
}

TEST_F(TimingKinds, E8_D18_InsideRenderingTheyArePartOfThePass) {
  OpenRare();
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.BeginRendering(buffer);
  CallWithZeros("vkCmdExecuteGeneratedCommandsEXT", buffer);
  gpu.vk.CmdEndRendering(buffer);
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(profile.Kind("render_pass").samples, Nanoseconds{3010});
  EXPECT_EQ(profile.Kind("generated_commands").outcomes.untimed, (Counts{{"render_pass", 1}}));
}

// The registry has the older command inside render passes only, but with
// VK_NV_device_generated_commands_compute it runs dispatches outside of them.
TEST_F(TimingKinds, E8_TheOlderCommandEndsTheChain) {
  OpenRare();
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, a);
  AllBarrier(buffer);
  CallWithZeros("vkCmdExecuteGeneratedCommandsNV", buffer);
  gpu.Dispatch(buffer, a);
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(profile.Kind("generated_commands").samples, Nanoseconds{3000});
  EXPECT_EQ(profile.Row("a").samples, (Nanoseconds{5010, 2000}));
}

// ---- render passes ----

TEST_F(TimingKinds, D8_D18_RenderPassesOfBothVersions) {
  GpuOptions options;
  options.extensions = {"VK_KHR_create_renderpass2", "VK_KHR_dynamic_rendering"};
  Open("draw_ns=700", options);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  VkRenderPassBeginInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  VkSubpassBeginInfo begin{VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO};
  VkSubpassEndInfo end{VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
  VkRenderingInfo rendering{VK_STRUCTURE_TYPE_RENDERING_INFO};
  auto draw = [&](uint32_t times) {
    for (uint32_t i = 0; i < times; i++) {
      gpu.vk.CmdDraw(buffer, 3, 1, 0, 0);
      gpu.Barrier(buffer, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT);
    }
  };
  gpu.vk.CmdBeginRenderPass(buffer, &info, VK_SUBPASS_CONTENTS_INLINE);
  draw(1);
  gpu.vk.CmdNextSubpass(buffer, VK_SUBPASS_CONTENTS_INLINE);
  draw(1);
  gpu.vk.CmdEndRenderPass(buffer);
  gpu.vk.CmdBeginRenderPass2(buffer, &info, &begin);
  draw(3);
  gpu.vk.CmdEndRenderPass2(buffer, &end);
  gpu.vk.CmdBeginRenderPass2KHR(buffer, &info, &begin);
  draw(4);
  gpu.vk.CmdEndRenderPass2KHR(buffer, &end);
  gpu.vk.CmdBeginRenderingKHR(buffer, &rendering);
  draw(5);
  gpu.vk.CmdEndRenderingKHR(buffer);
  gpu.Run(buffer);
  // The first draw is issued ten nanoseconds after the first stamp; each pass then waits for the
  // one before.
  EXPECT_EQ(Finish().Kind("render_pass").samples, (Nanoseconds{1410, 2100, 2800, 3500}));
}

TEST_F(TimingKinds, D18_D6_SecondariesInAPassGetNoStamps) {
  Open("draw_ns=700");
  VkCommandBuffer secondary = gpu.BeginSecondary(VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
  gpu.vk.CmdDraw(secondary, 3, 1, 0, 0);
  gpu.End(secondary);
  EXPECT_EQ(Recorded(secondary).size(), 1U);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.BeginRendering(buffer, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
  gpu.vk.CmdExecuteCommands(buffer, 1, &secondary);
  gpu.vk.CmdEndRendering(buffer);
  std::vector<std::string> lines = Recorded(buffer);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0], kAllStamp);
  EXPECT_EQ(lines[2], "vkCmdExecuteCommands count=1");
  EXPECT_EQ(lines[4], kAllStamp);
  gpu.Run(buffer);
  EXPECT_EQ(Finish().Kind("render_pass").samples, Nanoseconds{710});
}

// ---- passed through ----

// What the headers hide or do not know yet: it reaches the driver with its arguments, and is
// counted.
TEST_F(TimingKinds, E1_E9_LaterCommandsAreCounted) {
  OpenRare();
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  const std::pair<const char *, const char *> commands[] = {
      {"vkCmdCudaLaunchKernelNV", "cuda_launch"},
      {"vkCmdDispatchGraphAMDX", "graph_dispatch"},
      {"vkCmdDispatchTileQCOM", "tile_dispatch"},
      {"vkCmdDispatchDataGraphARM", "data_graph"}};
  std::vector<std::string> expected;
  for (const auto &command : commands) {
    CallWithZeros(command.first, buffer);
    expected.emplace_back(command.first);
  }
  EXPECT_EQ(Recorded(buffer), expected);
  gpu.Run(buffer);
  Profile profile = Finish();
  for (const auto &command : commands) {
    EXPECT_EQ(profile.Kind(command.second).outcomes.untimed, (Counts{{"not_timed", 1}}));
    EXPECT_EQ(profile.Coverage(command.second).executed, 1) << command.second;
  }
  EXPECT_EQ(cJSON_GetArraySize(profile.At("coverage.not_intercepted")), 0);
}

// What nobody has heard of: it reaches the driver, and the profile names it.
TEST_F(TimingKinds, E1_D9_UnknownWorkIsNamed) {
  OpenRare();
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  CallWithZeros("vkCmdUnheardOfFAKE", buffer);
  EXPECT_EQ(Recorded(buffer), std::vector<std::string>{"vkCmdUnheardOfFAKE"});
  gpu.Run(buffer);
  EXPECT_GE(Finish().Number("coverage.not_intercepted.vkCmdUnheardOfFAKE"), 1);
}

TEST_F(TimingKinds, E9_LaunchesOfCudaBinariesAreCounted) {
  OpenRare();
  VkCommandBuffer buffer = gpu.Begin();
  CallWithZeros("vkCmdCuLaunchKernelNVX", buffer);
  CallWithZeros("vkCmdCuLaunchKernelNVX", buffer);
  EXPECT_EQ(Recorded(buffer), std::vector<std::string>(2, "vkCmdCuLaunchKernelNVX"));
  gpu.Run(buffer);
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  Profile profile = Finish();
  EXPECT_EQ(profile.Kind("cuda_launch").outcomes.untimed, (Counts{{"not_timed", 4}}));
  EXPECT_EQ(profile.Coverage("cuda_launch").recorded, 2);
  EXPECT_EQ(profile.Coverage("cuda_launch").executed, 4);
}

// ---- empty work ----

TEST_F(TimingKinds, D20_EmptyDispatchesAreARowOfTheirOwn) {
  Open();
  a = gpu.Pipeline("a", 0, 100);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, a, 7, 1, 1);
  gpu.Barrier(buffer);
  gpu.Dispatch(buffer, a, 0, 1, 1);
  gpu.Run(buffer);
  std::vector<KernelRow> rows = Finish().Rows("a");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].samples, Nanoseconds{710});
  EXPECT_EQ(rows[1].groups, (std::vector<int64_t>{0, 1, 1}));
  EXPECT_EQ(rows[1].samples, Nanoseconds{0});
}

} // namespace
