// Statistics of pipelines of several shaders: ray tracing, and graphics on request (pitfalls C3 to
// C5).
//
// In: create-infos in memory that cannot be written. Out: what the driver received, and records.
#include "statistics_case.h"

namespace {

class StatisticsStages : public StatisticsTest {
protected:
  void OpenRare(const std::string &script = "") {
    GpuOptions options;
    options.extensions = {"VK_KHR_ray_tracing_pipeline"};
    Open("rare_extensions=1;" + script, options);
  }

  // Two stages out of the modules of Info.
  const VkPipelineShaderStageCreateInfo *Stages(VkShaderStageFlagBits first,
                                                VkShaderStageFlagBits second) {
    VkPipelineShaderStageCreateInfo stages[2] = {Info("one").stage, Info("two").stage};
    stages[0].stage = first;
    stages[1].stage = second;
    const auto *out = memory.Put(stages[0]);
    memory.Put(stages[1]);
    return out;
  }

  VkResult Trace(VkDeferredOperationKHR deferred, VkPipelineCreateFlags flags = 0) {
    VkRayTracingPipelineCreateInfoKHR info{VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR};
    info.flags = flags;
    info.stageCount = 2;
    info.pStages = Stages(VK_SHADER_STAGE_RAYGEN_BIT_KHR, VK_SHADER_STAGE_MISS_BIT_KHR);
    info.layout = gpu.Layout();
    const auto *kept = memory.Put(info);
    infos = kept;
    memory.Freeze();
    VkPipeline out = VK_NULL_HANDLE;
    VkResult result = gpu.vk.CreateRayTracingPipelinesKHR(gpu.device, deferred, VK_NULL_HANDLE, 1,
                                                          kept, nullptr, &out);
    gpu.Own(out);
    return result;
  }

  VkResult Draw(const VkGraphicsPipelineCreateInfo &info) {
    const auto *kept = memory.Put(info);
    infos = kept;
    memory.Freeze();
    VkPipeline out = VK_NULL_HANDLE;
    VkResult result =
        gpu.vk.CreateGraphicsPipelines(gpu.device, VK_NULL_HANDLE, 1, kept, nullptr, &out);
    gpu.Own(out);
    return result;
  }

  VkGraphicsPipelineCreateInfo Graphics() {
    VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    info.stageCount = 2;
    info.pStages = Stages(VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT);
    info.layout = gpu.Layout();
    return info;
  }

  const void *infos = nullptr; // given to the last call
};

TEST_F(StatisticsStages, A15_C7_RayTracing) {
  OpenRare("executables=2");
  ASSERT_EQ(Trace(VK_NULL_HANDLE), VK_SUCCESS);
  ASSERT_EQ(fake_creation_count(), 1U);
  EXPECT_EQ(fake_creation(0)->flags, kStatistics);
  EXPECT_NE(fake_creation(0)->infos, infos);
  Profile profile = End();
  EXPECT_EQ(profile.Text("pipelines.0.kind"), "ray_tracing");
  EXPECT_EQ(profile.Text("pipelines.0.entry_point"), "one");
  EXPECT_EQ(profile.Number("pipelines.0.executables.1.statistics.0.value"), 42);
  EXPECT_EQ(profile.Number("pipelines.0.create.feedback_ns"), 1234567);
  EXPECT_EQ(profile.Text("pipelines.0.create.stages.0.stage"), "raygen");
  EXPECT_EQ(profile.Text("pipelines.0.create.stages.1.stage"), "miss");
  EXPECT_EQ(profile.Text("pipelines.0.create.first_use_ns_reason"),
            "uses of pipelines of this kind are not followed");
  EXPECT_EQ(profile.Text("pipelines.0.local_size_reason"), "it is made of several shaders");
}

// The create-infos of a deferred call are read after it: they are the application's.
TEST_F(StatisticsStages, A15_C5_DeferredCallsAreLeftAlone) {
  OpenRare();
  auto operation = (VkDeferredOperationKHR)16; // a pointer or a number
  EXPECT_EQ(Trace(operation), VK_OPERATION_NOT_DEFERRED_KHR);
  ASSERT_EQ(fake_creation_count(), 1U);
  EXPECT_EQ(fake_creation(0)->infos, infos);
  EXPECT_EQ(fake_creation(0)->flags, 0U);
  EXPECT_EQ(fake_creation(0)->chain_count, 0U);
  Profile profile = End();
  EXPECT_EQ(profile.Text("pipelines.0.create.statistics_captured_reason"),
            "its creation is deferred");
  EXPECT_EQ(profile.Text("pipelines.0.create.feedback_ns_reason"), "its creation is deferred");
}

TEST_F(StatisticsStages, C4_LibrariesOfRayTracing) {
  OpenRare();
  ASSERT_EQ(Trace(VK_NULL_HANDLE, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->flags, uint64_t{VK_PIPELINE_CREATE_LIBRARY_BIT_KHR});
  End();
}

TEST_F(StatisticsStages, C2_C5_RefusedRayTracing) {
  OpenRare("refuse_flags=0x40");
  ASSERT_EQ(Trace(VK_NULL_HANDLE), VK_SUCCESS);
  ASSERT_EQ(fake_creation_count(), 2U);
  EXPECT_EQ(fake_creation(1)->infos, infos);
  EXPECT_EQ(End().Text("pipelines.0.executables_reason"),
            "the driver refused the pipeline with it");
}

// By default graphics is none of our business.
TEST_F(StatisticsStages, C2_GraphicsIsLeftAlone) {
  Open();
  ASSERT_EQ(Draw(Graphics()), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->infos, infos);
  EXPECT_EQ(cJSON_GetArraySize(End().At("pipelines")), 0);
}

TEST_F(StatisticsStages, A15_C7_GraphicsOnRequest) {
  Setting("PIPELINE_STATISTICS", "all");
  Open();
  ASSERT_EQ(Draw(Graphics()), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->flags, kStatistics);
  Profile profile = End();
  EXPECT_EQ(profile.Text("pipelines.0.kind"), "graphics");
  EXPECT_EQ(profile.Number("pipelines.0.executables.0.statistics.0.value"), 42);
  EXPECT_EQ(profile.Text("pipelines.0.create.stages.1.stage"), "fragment");
}

// A part without shaders may have anything in pStages.
TEST_F(StatisticsStages, C4_PartsWithoutShaders) {
  Setting("PIPELINE_STATISTICS", "all");
  Open();
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  auto *part = memory.Put(VkGraphicsPipelineLibraryCreateInfoEXT{
      VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, nullptr,
      VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT});
  info.pNext = part;
  info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
  info.stageCount = 7;
  info.pStages = reinterpret_cast<const VkPipelineShaderStageCreateInfo *>(uintptr_t{16});
  ASSERT_EQ(Draw(info), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->flags, uint64_t{VK_PIPELINE_CREATE_LIBRARY_BIT_KHR});
  EXPECT_EQ(cJSON_GetArraySize(End().At("pipelines")), 0);
}

} // namespace
