// Families: by rules, names, code; when names come late; rules that are wrong.
//
// In: pipelines with names, labels and rule files. Out: families of pipelines and rows with who
// said so, and what the profile says of lines that were not understood.
#include <fstream>

#include "layer_test_case.h"

extern "C" {
#include "kernel/identity.h"
}

namespace {

class TimingFamilies : public LayerTest {
protected:
  void Rules(const std::string &text) {
    std::ofstream(folder + "/rules.txt") << text;
    Setting("RULES", folder + "/rules.txt");
  }

  void Name(VkPipeline pipeline, const char *name) {
    VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
    info.objectType = VK_OBJECT_TYPE_PIPELINE;
    info.objectHandle = reinterpret_cast<uint64_t>(pipeline);
    info.pObjectName = name;
    EXPECT_EQ(gpu.vk.SetDebugUtilsObjectNameEXT(gpu.device, &info), VK_SUCCESS);
  }

  void RunUnder(const char *name, const std::vector<VkPipeline> &pipelines) {
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, name, {}};
    gpu.vk.CmdBeginDebugUtilsLabelEXT(buffer, &label);
    for (VkPipeline pipeline : pipelines) {
      gpu.Dispatch(buffer, pipeline);
    }
    gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
    gpu.Run(buffer);
  }

  // "family by source" of the pipeline with this number.
  static std::string Pipeline(const Profile &profile, int number) {
    std::string path = "pipelines." + std::to_string(number) + ".";
    return profile.Text(path + "family") + " by " + profile.Text(path + "family_source");
  }
  static std::string Row(const Profile &profile, int number) {
    return profile.Text("kernels." + std::to_string(number) + ".family");
  }
};

TEST_F(TimingFamilies, ByNamesThatComeLate) {
  Open();
  VkPipeline late = gpu.Pipeline("k1", 1000);
  VkPipeline entry = gpu.Pipeline("softmax_rows", 1000);
  VkPipeline nobody = gpu.Pipeline("k2", 1000);
  gpu.RunOne(late);
  Name(late, "mul_mat_vec");
  gpu.RunOne(entry);
  gpu.RunOne(nobody);
  Profile profile = Finish();
  EXPECT_EQ(Pipeline(profile, 0), "matrix by name");
  EXPECT_EQ(Pipeline(profile, 1), "normalization_reduction by name");
  EXPECT_EQ(Pipeline(profile, 2), "unclassified by none"); // its module stores nothing
  EXPECT_EQ(Row(profile, 0), "matrix");
}

// A label around one kernel is a name for it; a label around several is not.
TEST_F(TimingFamilies, ByLabelsAroundOneKernel) {
  Open();
  VkPipeline alone = gpu.Pipeline("k1", 1000);
  VkPipeline together = gpu.Pipeline("k2", 1000);
  VkPipeline torn = gpu.Pipeline("k3", 1000);
  RunUnder("matmul 7", {alone});
  RunUnder("attention", {alone, together});
  RunUnder("fft", {torn});
  RunUnder("sort", {torn});
  Profile profile = Finish();
  EXPECT_EQ(Pipeline(profile, 0), "matrix by name");
  EXPECT_EQ(Pipeline(profile, 1), "unclassified by none");
  EXPECT_EQ(Pipeline(profile, 2), "unclassified by none");
}

TEST_F(TimingFamilies, RulesStandAboveNames) {
  Rules("name=special* family=transform\n"
        "entry=k? family=optimizer\n"
        "label=outer family=attention\n");
  Open();
  VkPipeline named = gpu.Pipeline("gemm", 1000);
  VkPipeline by_entry = gpu.Pipeline("k2", 1000);
  VkPipeline other = gpu.Pipeline("relu", 1000);
  Name(named, "special_gemm");
  RunUnder("outer", {named, by_entry, other});
  gpu.RunOne(other);
  Profile profile = Finish();
  EXPECT_EQ(Pipeline(profile, 0), "transform by rule");
  EXPECT_EQ(Pipeline(profile, 1), "optimizer by rule");
  EXPECT_EQ(Pipeline(profile, 2), "pointwise by name");
  EXPECT_EQ(Row(profile, 0), "transform"); // an earlier rule than that of the label
  EXPECT_EQ(Row(profile, 1), "optimizer");
  EXPECT_EQ(Row(profile, 2), "attention"); // by the label that it ran under
  EXPECT_EQ(Row(profile, 3), "pointwise"); // without it
  EXPECT_EQ(cJSON_GetArraySize(profile.At("run.rules_rejected")), 0);
}

TEST_F(TimingFamilies, RulesByTheHashOfTheCode) {
  std::vector<uint32_t> code = ComputeModule("k1");
  char hash[VKM_HASH_TEXT_BYTES];
  vkm_hash_text(vkm_hash_bytes(code.data(), code.size() * sizeof code[0]), hash);
  Rules("hash=" + std::string(hash).substr(0, 12) + "* family=ray_tracing\n");
  Open();
  gpu.RunOne(gpu.Pipeline("k1", 1000));
  gpu.RunOne(gpu.Pipeline("k2", 1000));
  Profile profile = Finish();
  EXPECT_EQ(Pipeline(profile, 0), "ray_tracing by rule");
  EXPECT_EQ(Pipeline(profile, 1), "unclassified by none");
}

TEST_F(TimingFamilies, WrongLinesAreSaidAndTheOthersHold) {
  Rules("name=a famly=matrix\nentry=k1 family=matrix\nentry=k2 family=foo\n");
  Open();
  gpu.RunOne(gpu.Pipeline("k1", 1000));
  Profile profile = Finish();
  EXPECT_EQ(Pipeline(profile, 0), "matrix by rule");
  EXPECT_EQ(cJSON_GetArraySize(profile.At("run.rules_rejected")), 2);
  EXPECT_EQ(profile.Number("run.rules_rejected.0.line"), 1);
  EXPECT_EQ(profile.Text("run.rules_rejected.0.word"), "famly");
  EXPECT_EQ(profile.Number("run.rules_rejected.1.line"), 3);
  EXPECT_EQ(profile.Text("run.rules_rejected.1.word"), "foo");
  EXPECT_NE(profile.Text("run.rules_rejected.1.accepted").find("matrix"), std::string::npos);
  EXPECT_EQ(profile.Number("run.rules_rejected_beyond"), 0);
}

TEST_F(TimingFamilies, AFileThatIsNotThereIsARejectedSetting) {
  Setting("RULES", folder + "/nothing.txt");
  Setting("PHASE_DIGITS", "some");
  Open();
  gpu.RunOne(gpu.Pipeline("k1", 1000));
  Profile profile = Finish();
  EXPECT_EQ(profile.Text("run.settings_rejected.0.name"), "RULES");
  EXPECT_EQ(profile.Text("run.settings_rejected.1.name"), "PHASE_DIGITS");
  EXPECT_EQ(profile.Text("run.settings_rejected.1.accepted"), "collapse or keep");
}

TEST_F(TimingFamilies, AFileThatIsTooLargeIsARejectedSetting) {
  Rules(std::string(262145, '#'));
  Open();
  gpu.RunOne(gpu.Pipeline("k1", 1000));
  EXPECT_EQ(Finish().Text("run.settings_rejected.0.name"), "RULES");
}

// Shares of families and phases: exact on the scripted clock (10 ns of each are the stamp's), and
// 100 together.
TEST_F(TimingFamilies, SharesOfTheSumOfMedians) {
  Open();
  VkPipeline matmul = gpu.Pipeline("matmul", 3000);
  VkPipeline relu = gpu.Pipeline("relu", 1000);
  VkPipeline silu = gpu.Pipeline("silu", 2000);
  for (int i = 0; i < 2; i++) {
    gpu.RunOne(matmul);
    gpu.RunOne(relu);
  }
  gpu.RunOne(silu);
  Profile profile = Finish();
  EXPECT_EQ(profile.Text("families.0.name"), "matrix");
  EXPECT_EQ(profile.Number("families.0.kernels"), 1);
  EXPECT_EQ(profile.Number("families.0.measured"), 2);
  EXPECT_EQ(profile.Number("families.0.sum_of_medians_ns"), 6020);
  EXPECT_DOUBLE_EQ(profile.At("families.0.share_percent")->valuedouble, 59.9);
  EXPECT_EQ(profile.Text("families.1.name"), "pointwise");
  EXPECT_EQ(profile.Number("families.1.kernels"), 2);
  EXPECT_EQ(profile.Number("families.1.sum_of_medians_ns"), 4030);
  EXPECT_EQ(profile.Number("families.1.sum_ns"), 4030);
  EXPECT_DOUBLE_EQ(profile.At("families.1.share_percent")->valuedouble, 40.1);
  EXPECT_EQ(profile.Text("phases.0.name"), "unlabelled");
  EXPECT_EQ(profile.Number("phases.0.share_percent"), 100);
}

} // namespace
