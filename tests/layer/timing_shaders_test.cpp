// Compute by VK_EXT_shader_object (pitfalls C9, E4, E6).
//
// In: shader objects and pipelines, bound in turns. Out: each dispatch under the kernel that ran.
#include "layer_test_case.h"

namespace {

class TimingShaders : public LayerTest {
protected:
  void OpenShaders() {
    GpuOptions options;
    options.extensions = {"VK_EXT_shader_object"};
    Open("rare_extensions=1", options);
    a = gpu.Pipeline("a", 5000);
    buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  }

  static VkShaderCreateInfoEXT Info(const char *entry, const std::vector<uint32_t> &words) {
    VkShaderCreateInfoEXT info{VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT};
    info.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT;
    info.codeSize = words.size() * sizeof words[0];
    info.pCode = words.data();
    info.pName = entry;
    return info;
  }

  VkShaderEXT Shader(const VkShaderCreateInfoEXT &info) {
    VkShaderEXT out = VK_NULL_HANDLE;
    EXPECT_EQ(gpu.vk.CreateShadersEXT(gpu.device, 1, &info, nullptr, &out), VK_SUCCESS);
    return out;
  }

  void Bind(VkShaderEXT shader) {
    VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    gpu.vk.CmdBindShadersEXT(buffer, 1, &stage, &shader);
  }

  // Each waits for the one before.
  void Dispatch() {
    gpu.Barrier(buffer);
    gpu.vk.CmdDispatch(buffer, 1, 1, 1);
  }

  void Destroy(VkShaderEXT shader) {
    gpu.vk.DestroyShaderEXT(gpu.device, shader, nullptr);
  }

  VkPipeline a = VK_NULL_HANDLE;
  VkCommandBuffer buffer = VK_NULL_HANDLE;
};

TEST_F(TimingShaders, C9_E4_BindsOfBothKindsReplaceEachOther) {
  OpenShaders();
  fake_set_cost("object", 7000, 0);
  VkShaderEXT object = Shader(Info("object", ComputeModule("object")));
  gpu.Bind(buffer, a);
  Dispatch(); // the first begins ten nanoseconds after its stamp
  Bind(object);
  Dispatch();
  gpu.Bind(buffer, a);
  Dispatch();
  Bind(object);
  Dispatch();
  gpu.Run(buffer);
  Destroy(object);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, (Nanoseconds{5010, 5000}));
  EXPECT_EQ(profile.Row("object").samples, (Nanoseconds{7000, 7000}));
}

// Whoever runs the same code is the same kernel.
TEST_F(TimingShaders, C9_G4_SameCodeSameIdentity) {
  OpenShaders();
  VkShaderEXT same = Shader(Info("a", ComputeModule("a")));
  gpu.Bind(buffer, a);
  Dispatch();
  Bind(same);
  Dispatch();
  gpu.Run(buffer);
  Destroy(same);
  EXPECT_EQ(Finish().Row("a").samples, (Nanoseconds{5010, 5000}));
}

// Other stages leave compute alone; a NULL for compute, or no list at all, takes it away.
TEST_F(TimingShaders, C9_StagesAndNull) {
  expect_violations = true; // dispatches without a kernel
  OpenShaders();
  fake_set_cost("object", 7000, 0);
  VkShaderEXT object = Shader(Info("object", ComputeModule("object")));
  VkShaderCreateInfoEXT vertex_info = Info("vertex", ComputeModule("vertex"));
  vertex_info.stage = VK_SHADER_STAGE_VERTEX_BIT;
  VkShaderEXT vertex = Shader(vertex_info);
  VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_COMPUTE_BIT};
  VkShaderEXT shaders[] = {vertex, object};
  gpu.vk.CmdBindShadersEXT(buffer, 2, stages, shaders);
  gpu.vk.CmdBindShadersEXT(buffer, 1, stages, nullptr);
  Dispatch();
  EXPECT_EQ(fake_violation_count(), 0U);
  Bind(VK_NULL_HANDLE);
  Dispatch();
  gpu.Bind(buffer, a);
  gpu.vk.CmdBindShadersEXT(buffer, 2, stages, nullptr);
  Dispatch();
  EXPECT_EQ(fake_violation_count(), 2U);
  gpu.Run(buffer);
  Destroy(object);
  Destroy(vertex);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("object").outcomes.measured, 1);
  EXPECT_TRUE(profile.Rows("a").empty());
  EXPECT_EQ(profile.Coverage().measured, 3);
}

TEST_F(TimingShaders, C9_E6_ABinaryHasNoCodeToLookAt) {
  OpenShaders();
  std::vector<uint32_t> words{1, 2, 3, 4};
  VkShaderCreateInfoEXT info = Info("binary", words);
  info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
  VkShaderEXT binary = Shader(info);
  Bind(binary);
  Dispatch();
  gpu.Run(buffer);
  Destroy(binary);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("binary").outcomes.measured, 1);
  bool told = false;
  const cJSON *pipeline;
  cJSON_ArrayForEach(pipeline, profile.At("pipelines")) {
    const cJSON *reason = cJSON_GetObjectItem(pipeline, "spirv_reason");
    told |= cJSON_IsString(reason) &&
            std::string(reason->valuestring) == "a shader object made of a binary";
  }
  EXPECT_TRUE(told);
}

// A call that fails at its second shader leaves the first one valid, and it may be used.
TEST_F(TimingShaders, C9_C5_WhatWasMadeBeforeAFailureIsKnown) {
  OpenShaders();
  std::vector<uint32_t> words = ComputeModule("object");
  VkShaderCreateInfoEXT infos[] = {Info("object", words), Info("object", words)};
  VkShaderEXT shaders[2];
  fake_fail("vkCreateShadersEXT", 2, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  ASSERT_EQ(gpu.vk.CreateShadersEXT(gpu.device, 2, infos, nullptr, shaders),
            VK_ERROR_OUT_OF_DEVICE_MEMORY);
  ASSERT_NE(shaders[0], (VkShaderEXT)VK_NULL_HANDLE);
  ASSERT_EQ(shaders[1], (VkShaderEXT)VK_NULL_HANDLE);
  Bind(shaders[0]);
  Dispatch();
  gpu.Run(buffer);
  Destroy(shaders[0]);
  EXPECT_EQ(Finish().Row("object").outcomes.measured, 1);
}

} // namespace
