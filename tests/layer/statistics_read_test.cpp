// What the driver's compiler says of a pipeline, in the profile (pitfalls C6, C7, H6).
//
// In: executables and statistics of every shape. Out: names, formats and exact values.
#include <algorithm>
#include <thread>

#include "statistics_case.h"

namespace {

class StatisticsRead : public StatisticsTest {};

TEST_F(StatisticsRead, C7_EveryFormatExactly) {
  Open();
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  ASSERT_EQ(fake_creation_count(), 1U);
  EXPECT_EQ(fake_creation(0)->flags, kStatistics);
  Profile profile = End();
  const std::string one = "pipelines.0.executables.0.";
  EXPECT_EQ(profile.Text(one + "name"), "fake compute");
  EXPECT_EQ(profile.Text(one + "description"), "scripted");
  EXPECT_EQ(profile.Text(one + "stages.0"), "compute");
  EXPECT_EQ(profile.Number(one + "subgroup_size"), 32);
  EXPECT_EQ(profile.Number("pipelines.0.subgroup_size.reported"), 32);
  EXPECT_EQ(profile.Text("pipelines.0.executables_source"),
            "VK_KHR_pipeline_executable_properties");
  EXPECT_EQ(profile.Number("pipelines.0.executables_dropped"), 0);
  EXPECT_TRUE(profile.Flag("pipelines.0.create.statistics_captured"));
  EXPECT_TRUE(profile.Flag("devices.0.capabilities.pipeline_statistics"));
  const struct {
    const char *name, *format, *value;
  } wanted[] = {{"registers", "uint64", "42"},
                {"spills", "int64", "-7"},
                {"early preamble", "bool", "true"},
                {"occupancy", "float64", "0.75"},
                {"hash", "uint64", "18364758544493064721"},
                {"estimate", "float64", "null"}};
  std::string document = Document();
  EXPECT_EQ(cJSON_GetArraySize(profile.At(one + "statistics")), 6);
  for (const auto &each : wanted) { // as text: readers of JSON round
    std::string text = std::string("\"name\": \"") + each.name +
                       "\",\n       \"description\": \"scripted\",\n       \"format\": \"" +
                       each.format + "\",\n       \"value\": " + each.value;
    EXPECT_NE(document.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(profile.Text(one + "statistics.5.value_reason"), "the driver gave no finite number");
}

TEST_F(StatisticsRead, C7_NamesOfAnyBytes) {
  Open("odd_names=1");
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  Profile profile = End();
  const std::string one = "pipelines.0.executables.0.statistics.";
  EXPECT_EQ(profile.Text(one + "0.name"), "a \"quoted\" name");
  EXPECT_EQ(profile.Number(one + "0.value"), 42);
  EXPECT_EQ(profile.Text(one + "1.name"), "bytes \xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(profile.Text(one + "2.name"), "line\nbreak\t\\");
  EXPECT_EQ(profile.Text(one + "3.name"), std::string(256, 'n')); // without a NUL
  EXPECT_EQ(profile.Text(one + "3.description"), std::string(256, 'd'));
  EXPECT_EQ(profile.Text(one + "3.format"), "unknown");
  EXPECT_EQ(profile.Text(one + "3.value_reason"), "of a format that vkmeter does not know");
}

TEST_F(StatisticsRead, C7_SeveralExecutables) {
  Open("executables=3");
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  Profile profile = End();
  EXPECT_EQ(cJSON_GetArraySize(profile.At("pipelines.0.executables")), 3);
  EXPECT_EQ(profile.Text("pipelines.0.executables.2.name"), "fake compute 2");
  EXPECT_EQ(profile.Number("pipelines.0.executables.2.statistics.0.value"), 42);
}

TEST_F(StatisticsRead, C7_NoExecutableAtAll) {
  Open("executables=0");
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  Profile profile = End();
  EXPECT_EQ(cJSON_GetArraySize(profile.At("pipelines.0.executables")), 0);
  EXPECT_EQ(profile.Text("pipelines.0.subgroup_size.reported_reason"),
            "the driver names no executable");
}

// Beyond a cap nothing is kept, and what is not kept is counted.
TEST_F(StatisticsRead, C6_BeyondTheCaps) {
  Open("executables=20;statistics=200");
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  Profile profile = End();
  EXPECT_EQ(cJSON_GetArraySize(profile.At("pipelines.0.executables")), 16);
  EXPECT_EQ(profile.Number("pipelines.0.executables_dropped"), 4);
  for (const char *at : {"pipelines.0.executables.0", "pipelines.0.executables.15"}) {
    EXPECT_EQ(cJSON_GetArraySize(profile.At(std::string(at) + ".statistics")), 128);
    EXPECT_EQ(profile.Number(std::string(at) + ".statistics_dropped"), 78);
    EXPECT_EQ(profile.Number(std::string(at) + ".statistics.127.value"), 121000);
  }
}

TEST_F(StatisticsRead, C6_BeyondTheCapOfTexts) {
  Open("executables=2;statistics=200;odd_names=2");
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  Profile profile = End();
  EXPECT_EQ(cJSON_GetArraySize(profile.At("pipelines.0.executables.0.statistics")), 127);
  EXPECT_EQ(profile.Number("pipelines.0.executables.0.statistics_dropped"), 79);
  EXPECT_EQ(cJSON_GetArraySize(profile.At("pipelines.0.executables.1.statistics")), 0);
  EXPECT_EQ(profile.Number("pipelines.0.executables.1.statistics_dropped"), 206);
}

// More than the driver had announced: VK_INCOMPLETE.
TEST_F(StatisticsRead, C6_MoreThanAnnounced) {
  Open("executables=3;announced_less=1");
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  Profile profile = End();
  EXPECT_EQ(cJSON_GetArraySize(profile.At("pipelines.0.executables")), 2);
  EXPECT_EQ(profile.Number("pipelines.0.executables_dropped"), 1);
  EXPECT_EQ(cJSON_GetArraySize(profile.At("pipelines.0.executables.0.statistics")), 5);
  EXPECT_EQ(profile.Number("pipelines.0.executables.0.statistics_dropped"), 1);
}

TEST_F(StatisticsRead, C6_FailuresHaveAReason) {
  Open("executables=2");
  fake_fail("vkGetPipelineExecutableStatisticsKHR", 2, VK_ERROR_OUT_OF_HOST_MEMORY);
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  fake_fail("vkGetPipelineExecutablePropertiesKHR", 1, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  VkPipeline b = gpu.Pipeline("b", 1000);
  gpu.RunOne(made[0]);
  gpu.RunOne(b);
  Profile profile = End();
  EXPECT_TRUE(Null(profile, "pipelines.0.executables.0.statistics"));
  EXPECT_EQ(profile.Text("pipelines.0.executables.0.statistics_reason"),
            "the driver failed to tell them");
  EXPECT_EQ(cJSON_GetArraySize(profile.At("pipelines.0.executables.1.statistics")), 6);
  EXPECT_TRUE(Null(profile, "pipelines.1.executables"));
  EXPECT_EQ(profile.Text("pipelines.1.executables_reason"), "the driver failed to tell them");
  EXPECT_TRUE(profile.Flag("pipelines.1.create.statistics_captured"));
  EXPECT_EQ(profile.Row("a").outcomes.measured, 1); // nothing else is lost
  EXPECT_EQ(profile.Row("b").outcomes.measured, 1);
}

// In the creating call, once an identity: a program that makes the same pipeline again and again
// pays once.
TEST_F(StatisticsRead, C6_H6_OnceAnIdentityInTheCreatingCall) {
  Open();
  gpu.Pipeline("a", 1000);
  EXPECT_EQ(fake_call_count("vkGetPipelineExecutablePropertiesKHR"), 2U);
  EXPECT_EQ(fake_call_count("vkGetPipelineExecutableStatisticsKHR"), 2U);
  gpu.Pipeline("a", 1000);
  gpu.RunOne(gpu.Pipeline("a", 1000));
  EXPECT_EQ(fake_call_count("vkGetPipelineExecutablePropertiesKHR"), 2U);
  gpu.Pipeline("a", 1000, 0, {{0, 9}}); // other constants, another code
  EXPECT_EQ(fake_call_count("vkGetPipelineExecutablePropertiesKHR"), 4U);
  EXPECT_EQ(fake_creation(2)->flags, kStatistics); // the cache has one kind of entries
  EXPECT_EQ(fake_call_count("vkGetPipelineExecutableInternalRepresentationsKHR"), 0U);
  Profile profile = Finish();
  EXPECT_EQ(profile.Number("pipelines.0.create.count"), 3);
  EXPECT_EQ(fake_call_count("vkGetPipelineExecutablePropertiesKHR"), 4U);
}

// Nobody destroys a pipeline while it is asked about: the application does not have it yet.
TEST_F(StatisticsRead, C6_CreatedAndDestroyedByFourThreads) {
  Open();
  VkPipelineLayout layout = gpu.Layout();
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; number++) {
    threads.emplace_back([this, number, layout] {
      for (uint32_t i = 0; i < 40; i++) {
        std::string entry = "entry" + std::to_string(i % 20 + number % 2 * 10);
        std::vector<uint32_t> words = ComputeModule(entry);
        VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
        code.codeSize = words.size() * 4;
        code.pCode = words.data();
        VkShaderModule module = VK_NULL_HANDLE;
        EXPECT_EQ(gpu.vk.CreateShaderModule(gpu.device, &code, nullptr, &module), VK_SUCCESS);
        VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
        info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
        info.stage.module = module;
        info.stage.pName = entry.c_str();
        info.layout = layout;
        VkPipeline pipeline = VK_NULL_HANDLE;
        EXPECT_EQ(
            gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_SUCCESS);
        gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
        gpu.vk.DestroyShaderModule(gpu.device, module, nullptr);
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  Profile profile = Finish();
  EXPECT_EQ(cJSON_GetArraySize(profile.At("pipelines")), 30);
  int64_t count = 0;
  for (int i = 0; i < 30; i++) {
    std::string at = "pipelines." + std::to_string(i);
    count += profile.Number(at + ".create.count");
    EXPECT_EQ(profile.Number(at + ".executables.0.statistics.0.value"), 42) << at;
  }
  EXPECT_EQ(count, 160);
  EXPECT_EQ(fake_call_count("vkGetPipelineExecutablePropertiesKHR"), 60U); // each once
}

// ---- VK_AMD_shader_info ----

TEST_F(StatisticsRead, C7_ShaderInfoWhereNothingElseIsOffered) {
  Open("pipeline_executable_info=0;shader_info=1");
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->flags, 0U);
  EXPECT_EQ(get_device_proc(gpu.device, "vkGetShaderInfoAMD"), nullptr); // it is ours
  Profile profile = End();
  EXPECT_EQ(profile.Text("pipelines.0.executables_source"), "VK_AMD_shader_info");
  const std::string one = "pipelines.0.executables.0.statistics.";
  const struct {
    const char *name;
    int64_t value;
  } wanted[] = {{"numUsedVgprs", 24},
                {"numUsedSgprs", 18},
                {"ldsSizePerLocalWorkGroup", 65536},
                {"ldsUsageSizeInBytes", 1024},
                {"scratchMemUsageInBytes", 512},
                {"numPhysicalVgprs", 1024},
                {"numPhysicalSgprs", 800},
                {"numAvailableVgprs", 256},
                {"numAvailableSgprs", 104}};
  int index = 0;
  for (const auto &each : wanted) {
    EXPECT_EQ(profile.Text(one + std::to_string(index) + ".name"), each.name);
    EXPECT_EQ(profile.Number(one + std::to_string(index++) + ".value"), each.value);
  }
  EXPECT_FALSE(profile.Flag("pipelines.0.create.statistics_captured"));
  EXPECT_EQ(profile.Text("pipelines.0.create.statistics_captured_reason"),
            "read by VK_AMD_shader_info, which needs no flag");
  Names enabled = Enabled(profile);
  EXPECT_EQ(std::count(enabled.begin(), enabled.end(), "VK_AMD_shader_info"), 1);
}

TEST_F(StatisticsRead, C7_ShaderInfoOfTheApplication) {
  GpuOptions options;
  options.extensions = {"VK_AMD_shader_info"};
  Open("pipeline_executable_info=0;shader_info=1", options);
  EXPECT_NE(get_device_proc(gpu.device, "vkGetShaderInfoAMD"), nullptr);
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  Profile profile = End();
  EXPECT_EQ(profile.Number("pipelines.0.executables.0.statistics.0.value"), 24);
  Names enabled = Enabled(profile);
  EXPECT_EQ(std::count(enabled.begin(), enabled.end(), "VK_AMD_shader_info"), 0);
}

TEST_F(StatisticsRead, C7_ShaderInfoFails) {
  Open("pipeline_executable_info=0;shader_info=1");
  fake_fail("vkGetShaderInfoAMD", 1, VK_ERROR_FEATURE_NOT_PRESENT);
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  EXPECT_EQ(End().Text("pipelines.0.executables_reason"), "the driver failed to tell them");
}

TEST_F(StatisticsRead, C7_NothingOffered) {
  Open("pipeline_executable_info=0");
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  Profile profile = End();
  const char reason[] = "the driver offers neither pipelineExecutableInfo nor VK_AMD_shader_info";
  EXPECT_EQ(profile.Text("devices.0.capabilities.pipeline_statistics_reason"), reason);
  EXPECT_EQ(profile.Text("pipelines.0.executables_reason"), reason);
  EXPECT_EQ(profile.Text("pipelines.0.create.statistics_captured_reason"), reason);
}

} // namespace
