// What the layer leaves alone, and what it keeps small: the application's pipelines, flags and
// command state; reads, pools and resets.
//
// In: ordinary recordings. Out: what the driver received, and how often it was asked.
#include "layer_test_case.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace {

using Lines = std::vector<std::string>;

bool IsOurs(const std::string &line) {
  return line.rfind("vkCmdWriteTimestamp", 0) == 0 || line.rfind("vkCmdResetQueryPool", 0) == 0;
}

class TimingManners : public LayerTest {
protected:
  // A pipeline of that entry point, and what a test adds to its stage.
  VkComputePipelineCreateInfo Info(const char *entry, VkShaderModule module,
                                   const void *chain = nullptr) {
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.pNext = chain;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = entry;
    info.layout = gpu.Layout();
    return info;
  }

  VkShaderModule Module(const char *entry) {
    std::vector<uint32_t> code = ComputeModule(entry);
    VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    info.codeSize = code.size() * sizeof code[0];
    info.pCode = code.data();
    VkShaderModule out = VK_NULL_HANDLE;
    EXPECT_EQ(gpu.vk.CreateShaderModule(gpu.device, &info, nullptr, &out), VK_SUCCESS);
    return out;
  }

  uint64_t Reads() {
    return fake_call_count("vkGetQueryPoolResults");
  }
};

// vkCreateComputePipelines makes what it can: a failure of one leaves the others valid.
TEST_F(TimingManners, C5_APipelineBesideAFailedOneIsKnown) {
  Open();
  fake_fail("vkCreateComputePipelines", 2, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  fake_fail("vkCreateComputePipelines", 4, VK_ERROR_OUT_OF_DEVICE_MEMORY); // and when asked again
  VkShaderModule modules[] = {Module("first"), Module("bad"), Module("last")};
  VkComputePipelineCreateInfo infos[] = {Info("first", modules[0]), Info("bad", modules[1]),
                                         Info("last", modules[2])};
  VkPipeline made[3] = {VK_NULL_HANDLE, VK_NULL_HANDLE, VK_NULL_HANDLE};
  EXPECT_EQ(gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE, 3, infos, nullptr, made),
            VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(made[1], VkPipeline{VK_NULL_HANDLE});
  for (VkShaderModule module : modules) {
    gpu.vk.DestroyShaderModule(gpu.device, module, nullptr);
  }
  for (VkPipeline pipeline : {made[0], made[2]}) {
    gpu.Own(pipeline);
    gpu.RunOne(pipeline);
  }
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("first").outcomes.measured, 1);
  EXPECT_EQ(profile.Row("last").outcomes.measured, 1);
  EXPECT_TRUE(profile.Rows("bad").empty());
}

// The driver reports a host reset of queries that something pending uses.
TEST_F(TimingManners, D2_QueriesAreResetByTheHostOnlyWhenNothingUsesThem) {
  Open("completion=manual");
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkCommandBuffer buffers[2] = {gpu.Begin(), gpu.Begin()};
  for (VkCommandBuffer buffer : buffers) {
    gpu.Dispatch(buffer, a);
    gpu.End(buffer);
  }
  for (int i = 0; i < 8; i++) {
    ASSERT_EQ(gpu.Submit({buffers[i % 2]}, gpu.fence), VK_SUCCESS);
    ASSERT_EQ(fake_complete_all(), 0U);
    ASSERT_EQ(gpu.Wait(), VK_SUCCESS);
  }
  EXPECT_GE(fake_call_count("vkResetQueryPool"), 6U);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, (Nanoseconds(8, 5010)));
}

// Between the begin of a pass whose contents are secondaries and its end stands nothing else.
TEST_F(TimingManners, D6_NothingStandsAroundSecondariesOfAPass) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkCommandBuffer secondary = gpu.BeginSecondary(VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
  gpu.End(secondary);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, a);
  VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.flags = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
  info.renderArea.extent = {1, 1};
  info.layerCount = 1;
  gpu.vk.CmdBeginRendering(buffer, &info);
  gpu.vk.CmdExecuteCommands(buffer, 1, &secondary);
  gpu.vk.CmdEndRendering(buffer);
  gpu.End(buffer);
  Lines lines = Recorded(buffer);
  auto begin = std::find_if(lines.begin(), lines.end(), [](const std::string &line) {
    return line.rfind("vkCmdBeginRendering", 0) == 0;
  });
  ASSERT_GE(lines.end() - begin, 3);
  EXPECT_EQ(begin[1].substr(0, begin[1].find(' ')), "vkCmdExecuteCommands");
  EXPECT_EQ(begin[2].substr(0, begin[2].find(' ')), "vkCmdEndRendering");
  EXPECT_TRUE(Recorded(secondary).empty());
}

// The one place where a dispatch may stand inside a pass is a per-tile execution.
TEST_F(TimingManners, D9_ADispatchInsideAPassHasNoStamps) {
  expect_violations = true; // the driver knows no tile shading
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = {1, 1};
  info.layerCount = 1;
  gpu.vk.CmdBeginRendering(buffer, &info);
  gpu.Dispatch(buffer, a);
  gpu.vk.CmdEndRendering(buffer);
  gpu.Run(buffer);
  Lines lines = Recorded(buffer);
  auto from = std::find_if(lines.begin(), lines.end(), [](const std::string &line) {
    return line.rfind("vkCmdBeginRendering", 0) == 0;
  });
  auto to = std::find_if(lines.begin(), lines.end(), [](const std::string &line) {
    return line.rfind("vkCmdEndRendering", 0) == 0;
  });
  ASSERT_LT(from, to);
  EXPECT_EQ(std::count_if(from, to, IsOurs), 0);
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.outcomes.executed, 1);
  EXPECT_EQ(row.outcomes.measured, 0);
  EXPECT_EQ(row.outcomes.untimed.size(), 1U) << "a reason";
}

// A query pool that is destroyed would make every recording invalid that names it.
TEST_F(TimingManners, D26_AnOldRecordingKeepsItsPool) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkCommandBuffer old = gpu.Begin();
  gpu.Dispatch(old, a);
  gpu.Run(old);
  VkCommandPool pool = gpu.Pool();
  for (int i = 0; i < 300; i++) {
    VkCommandBuffer passing = gpu.Allocate(pool);
    gpu.Start(passing, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(passing, a);
    gpu.Run(passing);
    gpu.vk.FreeCommandBuffers(gpu.device, pool, 1, &passing);
  }
  EXPECT_EQ(fake_call_count("vkDestroyQueryPool"), 0U);
  ASSERT_EQ(gpu.Submit({old}, gpu.fence), VK_SUCCESS);
  ASSERT_EQ(gpu.Wait(), VK_SUCCESS);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").outcomes.measured, 302);
}

TEST_F(TimingManners, D43_OnlyStampsAreAdded) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkPipeline b = gpu.Pipeline("b", 7000);
  void *mapped;
  VkBuffer from = gpu.Buffer(64, &mapped);
  VkBuffer to = gpu.Buffer(64, &mapped);
  VkBufferCopy region{0, 0, 64};
  auto record = [&](VkCommandBuffer buffer) {
    gpu.Dispatch(buffer, a);
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, b, 2, 3, 4);
    gpu.vk.CmdDispatch(buffer, 5, 1, 1);
    gpu.vk.CmdFillBuffer(buffer, to, 0, 64, 7);
    gpu.vk.CmdCopyBuffer(buffer, from, to, 1, &region);
    gpu.Dispatch(buffer, a);
    gpu.End(buffer);
  };
  VkCommandBuffer buffer = gpu.Begin();
  record(buffer);
  Lines lines = Recorded(buffer);
  EXPECT_GT(std::count_if(lines.begin(), lines.end(), IsOurs), 0);
  lines.erase(std::remove_if(lines.begin(), lines.end(), IsOurs), lines.end());
  for (std::string &line : lines) {
    line = line.substr(0, line.find(' '));
  }
  EXPECT_EQ(lines, (Lines{"vkCmdBindPipeline", "vkCmdDispatch", "vkCmdPipelineBarrier",
                          "vkCmdBindPipeline", "vkCmdDispatch", "vkCmdDispatch", "vkCmdFillBuffer",
                          "vkCmdCopyBuffer", "vkCmdBindPipeline", "vkCmdDispatch"}));
}

// One-time buffers need no reset on the device, and no pool of their own.
TEST_F(TimingManners, D44_OneTimeBuffersAreResetByTheHost) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkCommandBuffer buffer = gpu.Allocate(gpu.Pool());
  constexpr int kTimes = 40;
  for (int i = 0; i < kTimes; i++) {
    gpu.Start(buffer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(buffer, a);
    gpu.Run(buffer);
    Lines lines = Recorded(buffer);
    EXPECT_EQ(lines.size(), 5U) << "bind, dispatch, three stamps";
  }
  EXPECT_LE(fake_call_count("vkResetQueryPool"), kTimes);
  EXPECT_EQ(fake_call_count("vkCreateQueryPool"), 1U);
  EXPECT_EQ(Finish().Row("a").outcomes.measured, kTimes);
}

TEST_F(TimingManners, E7_TheRequiredSubgroupSizeMakesAKernel) {
  Open();
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required{
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO, nullptr, 32};
  VkShaderModule module = Module("a");
  VkComputePipelineCreateInfo infos[] = {Info("a", module), Info("a", module, &required)};
  VkPipeline made[2];
  ASSERT_EQ(gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE, 2, infos, nullptr, made),
            VK_SUCCESS);
  gpu.vk.DestroyShaderModule(gpu.device, module, nullptr);
  for (VkPipeline pipeline : made) {
    gpu.Own(pipeline);
    gpu.RunOne(pipeline);
  }
  Profile profile = Finish();
  EXPECT_EQ(profile.Rows("a").size(), 2U);
  bool is_null[2] = {cJSON_IsNull(profile.At("pipelines.0.subgroup_size.required")) != 0,
                     cJSON_IsNull(profile.At("pipelines.1.subgroup_size.required")) != 0};
  EXPECT_NE(is_null[0], is_null[1]);
  EXPECT_EQ(profile.Number(is_null[0] ? "pipelines.1.subgroup_size.required"
                                      : "pipelines.0.subgroup_size.required"),
            32);
}

TEST_F(TimingManners, H3_RecordingAgainTakesNoMorePools) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkCommandPool pool = gpu.Pool();
  VkCommandBuffer buffer = gpu.Allocate(pool);
  uint64_t pools = 0;
  uint32_t objects = 0;
  for (int i = 0; i < 2000; i++) {
    gpu.Start(buffer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    for (int j = 0; j < 4; j++) {
      gpu.Dispatch(buffer, a);
    }
    gpu.Run(buffer);
    if (i == 100) {
      pools = fake_call_count("vkCreateQueryPool");
      objects = fake_live_objects();
    }
  }
  EXPECT_EQ(fake_call_count("vkCreateQueryPool"), pools);
  EXPECT_EQ(fake_live_objects(), objects);
  EXPECT_EQ(Finish().Row("a").outcomes.measured, 8000);
}

TEST_F(TimingManners, H5_ManyMarksAreReadInFewCalls) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 50);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  constexpr int kMarks = 1000;
  for (int i = 0; i < kMarks; i++) {
    gpu.Dispatch(buffer, a);
    gpu.Barrier(buffer);
  }
  gpu.Run(buffer);
  Settle();
  uint64_t reads = Reads();
  EXPECT_LE(reads, 40U) << "for " << 2 * kMarks << " stamps";
  EXPECT_EQ(Finish().Row("a").outcomes.measured, kMarks);
}

TEST_F(TimingManners, H5_NothingIsReadWhenNothingIsOutstanding) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  gpu.RunOne(a);
  VkCommandBuffer never = gpu.Begin(); // recorded, not submitted
  gpu.Dispatch(never, a);
  gpu.End(never);
  Settle();
  uint64_t before = Reads();
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  EXPECT_EQ(Reads(), before);
}

TEST_F(TimingManners, H7_BeginFlagsAreTheApplications) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  for (VkCommandBufferUsageFlags flags :
       {VkCommandBufferUsageFlags{0},
        VkCommandBufferUsageFlags{VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT},
        VkCommandBufferUsageFlags{VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT}}) {
    VkCommandBuffer buffer = gpu.Begin(flags);
    gpu.Dispatch(buffer, a);
    gpu.Run(buffer);
    EXPECT_EQ(fake_begin_flags(buffer), flags);
  }
  VkCommandBuffer secondary = gpu.BeginSecondary(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  gpu.End(secondary);
  EXPECT_EQ(fake_begin_flags(secondary),
            VkCommandBufferUsageFlags{VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT});
}

} // namespace
