// Which kernel a dispatch is counted for (pitfalls E4, E6).
//
// In: pipelines bound, lost and destroyed in the ways that Vulkan allows; code given in every form.
// Out: rows under the kernel that ran, or under none.
#include "layer_test_case.h"

namespace {

class TimingKernels : public LayerTest {
protected:
  // A compute pipeline whose stage has this chain and no module. Destroy it.
  VkPipeline Make(const char *entry, const void *chain, VkShaderModule module = VK_NULL_HANDLE) {
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  chain,
                  0,
                  VK_SHADER_STAGE_COMPUTE_BIT,
                  module,
                  entry,
                  nullptr};
    VkPipeline out = VK_NULL_HANDLE;
    EXPECT_EQ(gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &out),
              VK_SUCCESS);
    return out;
  }

  void RunOne(VkPipeline pipeline) {
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, pipeline);
    gpu.Run(buffer);
  }

  void Destroy(VkPipeline pipeline) {
    gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  }
};

// A secondary starts without state, and leaves none behind: what is dispatched there without a bind
// is counted for no kernel, never for the last one.
TEST_F(TimingKernels, E4_StateIsNeitherInheritedNorKept) {
  expect_violations = true;
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkCommandBuffer secondary = gpu.BeginSecondary();
  gpu.vk.CmdDispatch(secondary, 1, 1, 1);
  gpu.End(secondary);
  VkCommandBuffer buffer = gpu.Begin();
  gpu.Dispatch(buffer, a);
  gpu.vk.CmdExecuteCommands(buffer, 1, &secondary);
  gpu.vk.CmdDispatch(buffer, 1, 1, 1);
  gpu.Run(buffer);
  gpu.Start(buffer); // nor by a recording from the one before
  gpu.vk.CmdDispatch(buffer, 1, 1, 1);
  gpu.Run(buffer);
  EXPECT_EQ(fake_violation_count(), 3U);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").outcomes.measured, 1);
  EXPECT_EQ(profile.Coverage().measured, 4);
}

// Gone as soon as its work is done, its handle perhaps in use again before the result is read.
TEST_F(TimingKernels, E4_DestroyedBeforeItsResultIsRead) {
  Open("query_mode=late;late_ms=60");
  for (int i = 0; i < 20; i++) {
    std::vector<uint32_t> words = ComputeModule(i % 2 == 0 ? "even" : "odd");
    VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0,
                                  words.size() * 4, words.data()};
    VkPipeline pipeline = Make(i % 2 == 0 ? "even" : "odd", &code);
    fake_set_cost(i % 2 == 0 ? "even" : "odd", i % 2 == 0 ? 2000 : 3000, 0);
    RunOne(pipeline);
    Destroy(pipeline);
  }
  Settle();
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("even").samples.size(), 10U);
  EXPECT_EQ(profile.Row("even").max, 2010);
  EXPECT_EQ(profile.Row("odd").samples.size(), 10U);
  EXPECT_EQ(profile.Row("odd").min, 3010);
}

// A module, the same code inline, and the module destroyed before the pipeline runs: one kernel.
TEST_F(TimingKernels, E6_G4_ByModuleAndInlineAreTheSame) {
  Open();
  std::vector<uint32_t> words = ComputeModule("a");
  VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0,
                                words.size() * 4, words.data()};
  VkShaderModule module = VK_NULL_HANDLE;
  ASSERT_EQ(gpu.vk.CreateShaderModule(gpu.device, &code, nullptr, &module), VK_SUCCESS);
  VkPipeline by_module = Make("a", nullptr, module);
  gpu.vk.DestroyShaderModule(gpu.device, module, nullptr);
  VkPipeline in_line = Make("a", &code);
  words.assign(words.size(), 0);
  RunOne(by_module);
  RunOne(in_line);
  Destroy(by_module);
  Destroy(in_line);
  EXPECT_EQ(Finish().Row("a").outcomes.measured, 2);
}

TEST_F(TimingKernels, E6_WithoutCode) {
  expect_violations = true; // the scripted driver keeps no modules by identifier
  Open();
  VkPipelineShaderStageModuleIdentifierCreateInfoEXT identifier{
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT};
  VkPipeline pipeline = Make("hidden", &identifier);
  RunOne(pipeline);
  Destroy(pipeline);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("hidden").outcomes.measured, 1);
  EXPECT_EQ(profile.Text("pipelines.0.spirv_reason"),
            "created without code (module identifier or pipeline binary)");
}

} // namespace
