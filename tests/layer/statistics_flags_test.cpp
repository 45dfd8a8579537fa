// How the flag for statistics and the request for feedback come to the driver, and where they do
// not (pitfalls C1 to C5, C8, A15, B1).
//
// In: create-infos in memory that cannot be written. Out: what the driver received.
#include <algorithm>

#include "statistics_case.h"

namespace {

const VkStructureType kFlags2 = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO;
const VkStructureType kFeedbackType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO;

class StatisticsFlags : public StatisticsTest {
protected:
  VkPipelineCreateFlags2CreateInfo *Two(VkPipelineCreateFlags2 flags, const void *next = nullptr) {
    return memory.Put(VkPipelineCreateFlags2CreateInfo{kFlags2, next, flags});
  }
};

// ---- flags and structures ----

TEST_F(StatisticsFlags, A15_C1_TheOldFlags) {
  Open();
  ASSERT_EQ(Create({Info("a", VK_PIPELINE_CREATE_DISPATCH_BASE_BIT)}), VK_SUCCESS);
  ASSERT_EQ(fake_creation_count(), 1U);
  const struct fake_creation *got = fake_creation(0);
  EXPECT_EQ(got->old_flags, kStatistics | VK_PIPELINE_CREATE_DISPATCH_BASE_BIT);
  EXPECT_FALSE(got->has_flags2); // one of ours would discard the old flags
  EXPECT_NE(got->infos, given);
  EXPECT_EQ(given->flags, VkPipelineCreateFlags{VK_PIPELINE_CREATE_DISPATCH_BASE_BIT});
  End();
}

TEST_F(StatisticsFlags, A15_B1_C1_TheNewFlags) {
  Open();
  auto *after = memory.Put(
      VkPipelineRobustnessCreateInfoEXT{VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT});
  auto *two = Two(VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT, after);
  auto *before = memory.Put(VkPipelineCompilerControlCreateInfoAMD{
      VK_STRUCTURE_TYPE_PIPELINE_COMPILER_CONTROL_CREATE_INFO_AMD, two});
  ASSERT_EQ(Create({Info("a", VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT, before)}), VK_SUCCESS);
  const struct fake_creation *got = fake_creation(0);
  EXPECT_EQ(got->flags, kStatistics | VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT);
  EXPECT_EQ(got->old_flags, uint64_t{VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT}); // as they were
  ASSERT_EQ(got->chain_count, 4U);
  EXPECT_EQ(got->chain[0], kFeedbackType);
  EXPECT_NE(got->chain_pointers[1], before); // copies up to the one that had to change
  EXPECT_NE(got->chain_pointers[2], two);
  EXPECT_EQ(got->chain_pointers[3], after); // from there on the application's own
  Profile profile = End();
  EXPECT_TRUE(profile.Flag("pipelines.0.create.statistics_captured"));
  EXPECT_EQ(profile.Number("pipelines.0.executables.0.statistics.0.value"), 42);
}

TEST_F(StatisticsFlags, C1_TheNewFlagsAreNone) {
  Open();
  ASSERT_EQ(Create({Info("a", 0, Two(0))}), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->flags, kStatistics);
  EXPECT_EQ(fake_creation(0)->old_flags, 0U);
  End();
}

TEST_F(StatisticsFlags, B1_C1_UnknownStructureInFront) {
  Open();
  auto *two = Two(VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT);
  auto *unknown = memory.Put(
      VkBaseInStructure{kUnknownStructure, reinterpret_cast<const VkBaseInStructure *>(two)});
  ASSERT_EQ(Create({Info("a", 0, unknown)}), VK_SUCCESS);
  const struct fake_creation *got = fake_creation(0);
  EXPECT_EQ(got->flags, VkPipelineCreateFlags2{VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT});
  EXPECT_EQ(got->old_flags, 0U);
  ASSERT_EQ(got->chain_count, 3U); // feedback goes in front all the same
  EXPECT_EQ(got->chain_pointers[1], unknown);
  Profile profile = End();
  EXPECT_FALSE(profile.Flag("pipelines.0.create.statistics_captured"));
  const char reason[] = "a structure of unknown size stands before the one to change";
  EXPECT_EQ(profile.Text("pipelines.0.create.statistics_captured_reason"), reason);
  EXPECT_EQ(profile.Text("pipelines.0.executables_reason"), reason);
  EXPECT_EQ(profile.Number("pipelines.0.create.feedback_ns"), 1234567);
}

TEST_F(StatisticsFlags, B1_C1_UnknownStructureBehind) {
  Open();
  auto *unknown = memory.Put(VkBaseInStructure{kUnknownStructure, nullptr});
  ASSERT_EQ(Create({Info("a", 0, Two(0, unknown)), Info("b", 0, unknown)}), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->flags, kStatistics);
  EXPECT_EQ(fake_creation(0)->chain_pointers[2], unknown);
  EXPECT_EQ(fake_creation(1)->flags, kStatistics);
  EXPECT_EQ(fake_creation(1)->chain_pointers[1], unknown);
  End();
}

// The application's own flag is as good as ours.
TEST_F(StatisticsFlags, C1_C2_TheApplicationsOwnFlag) {
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR feature{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, nullptr,
      VK_TRUE};
  GpuOptions options;
  options.chain = &feature;
  options.extensions = {kExecutables};
  Open("", options);
  ASSERT_EQ(Create({Info("a", VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR)}), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->flags, kStatistics);
  Profile profile = End();
  EXPECT_TRUE(profile.Flag("pipelines.0.create.statistics_captured"));
  EXPECT_EQ(profile.Number("pipelines.0.executables.0.statistics.0.value"), 42);
}

// ---- where the flag does not belong ----

struct Rule {
  const char *name;
  VkPipelineCreateFlags old_flags;
  bool two; // flags in the newer structure
  VkPipelineCreateFlags2 new_flags;
  bool binaries, identifier;
  const char *reason;
};

void PrintTo(const Rule &rule, std::ostream *out) {
  *out << rule.name;
}

class StatisticsRules : public StatisticsFlags, public ::testing::WithParamInterface<Rule> {};

TEST_P(StatisticsRules, C3_C4_ThePipelineIsAsTheApplicationWantsIt) {
  const Rule &rule = GetParam();
  Setting("DUMP_ISA", folder);
  Open();
  const void *chain = rule.two ? Two(rule.new_flags) : nullptr;
  if (rule.binaries) {
    chain = memory.Put(VkPipelineBinaryInfoKHR{VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR, chain});
  }
  VkComputePipelineCreateInfo info = Info("a", rule.old_flags, chain);
  uint8_t bytes[16] = {};
  if (rule.identifier) {
    info.stage.pNext = memory.Put(VkPipelineShaderStageModuleIdentifierCreateInfoEXT{
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT, nullptr,
        sizeof bytes, bytes});
    info.stage.module = VK_NULL_HANDLE;
  }
  ASSERT_EQ(Create({info, Info("plain")}), VK_SUCCESS);
  ASSERT_EQ(fake_creation_count(), 2U);
  EXPECT_EQ(fake_creation(0)->flags, rule.two ? rule.new_flags : rule.old_flags);
  EXPECT_EQ(fake_creation(0)->old_flags, rule.old_flags);
  EXPECT_EQ(fake_creation(0)->has_flags2, rule.two);
  EXPECT_EQ(fake_creation(1)->flags, kStatistics | kRepresentations); // beside it
  Profile profile = End();
  EXPECT_FALSE(profile.Flag("pipelines.0.create.statistics_captured"));
  EXPECT_EQ(profile.Text("pipelines.0.create.statistics_captured_reason"), rule.reason);
  EXPECT_EQ(profile.Text("pipelines.0.executables_reason"), rule.reason);
  EXPECT_TRUE(profile.Flag("pipelines.1.create.statistics_captured"));
  bool binaries = rule.binaries || rule.new_flags == VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
  EXPECT_EQ(Chained(fake_creation(0), kFeedbackType), !binaries);
}

const char kCached[] = "the program wants it from its cache or not at all";
INSTANTIATE_TEST_SUITE_P(
    Each, StatisticsRules,
    ::testing::Values(
        Rule{"fail_on_compile", VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, false, 0,
             false, false, kCached},
        Rule{"fail_on_compile_2", 0, true,
             VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, false, false, kCached},
        Rule{"early_return", VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT, false, 0, false, false,
             kCached},
        Rule{"indirect_bindable_nv", VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV, false, 0, false,
             false, "it is bound by generated commands"},
        Rule{"indirect_bindable_ext", 0, true, VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT,
             false, false, "it is bound by generated commands"},
        Rule{"library", VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, false, 0, false, false,
             "it is a library"},
        Rule{"capture_data", 0, true, VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR, false, false,
             "its binary is wanted by the program"},
        Rule{"binaries", 0, false, 0, true, false, "it is made of a binary"},
        Rule{"identifier", 0, false, 0, false, true, "it is made of a module's identifier"}),
    [](const auto &info) { return std::string(info.param.name); });

// ---- settings and drivers ----

TEST_F(StatisticsFlags, C2_C8_SwitchedOff) {
  Setting("PIPELINE_STATISTICS", "off");
  Open();
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->flags, 0U);
  EXPECT_TRUE(Chained(fake_creation(0), kFeedbackType)); // times of creation are judged so
  EXPECT_FALSE(fake_device_attempt(0)->pipeline_executable_info);
  Profile profile = End();
  const char reason[] = "switched off by the setting PIPELINE_STATISTICS";
  EXPECT_EQ(profile.Text("devices.0.capabilities.pipeline_statistics_reason"), reason);
  EXPECT_EQ(profile.Text("pipelines.0.create.statistics_captured_reason"), reason);
  EXPECT_EQ(profile.Text("pipelines.0.subgroup_size.reported_reason"), reason);
  EXPECT_EQ(profile.Text("run.settings.PIPELINE_STATISTICS"), "off");
  EXPECT_EQ(fake_call_count("vkGetPipelineExecutablePropertiesKHR"), 0U);
}

TEST_F(StatisticsFlags, C2_SettingThatIsNotUnderstood) {
  Setting("PIPELINE_STATISTICS", "graphics");
  Open();
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->flags, kStatistics);
  Profile profile = End();
  EXPECT_EQ(profile.Text("run.settings_rejected.0.name"), "PIPELINE_STATISTICS");
  EXPECT_EQ(profile.Text("run.settings_rejected.0.accepted"), "compute, all or off");
}

TEST_F(StatisticsFlags, C8_ADriverOfTheList) {
  Open("driver_id=0x7f00a701;driver_version=8");
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->flags, 0U);
  EXPECT_FALSE(fake_device_attempt(0)->pipeline_executable_info);
  const char reason[] = "this driver is known to break when it is asked for statistics";
  EXPECT_EQ(End().Text("devices.0.capabilities.pipeline_statistics_reason"), reason);
}

TEST_F(StatisticsFlags, C8_AnotherVersionOfADriverOfTheList) {
  Open("driver_id=0x7f00a701;driver_version=10");
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->flags, kStatistics);
  End();
}

// ---- refusals ----

TEST_F(StatisticsFlags, C2_ADriverThatRefusesTheFlag) {
  Open("refuse_flags=0x40"); // CAPTURE_STATISTICS
  ASSERT_EQ(Create({Info("a"), Info("b", VK_PIPELINE_CREATE_LIBRARY_BIT_KHR)}), VK_SUCCESS);
  ASSERT_EQ(fake_creation_count(), 4U);
  EXPECT_NE(fake_creation(0)->infos, given);
  EXPECT_EQ(fake_creation(2)->infos, given); // untouched
  EXPECT_EQ(fake_creation(2)->flags, 0U);
  EXPECT_EQ(fake_creation(2)->chain_count, 0U);
  EXPECT_EQ(made[0], fake_creation(2)->pipeline);
  EXPECT_EQ(made[1], fake_creation(3)->pipeline);
  EXPECT_EQ(fake_call_count("vkGetPipelineExecutablePropertiesKHR"), 0U);
  Profile profile = End(); // the driver would report what is not destroyed
  const char reason[] = "the driver refused the pipeline with it";
  EXPECT_EQ(profile.Text("pipelines.0.create.statistics_captured_reason"), reason);
  EXPECT_EQ(profile.Text("pipelines.0.create.feedback_ns_reason"), reason);
  EXPECT_EQ(profile.Text("pipelines.1.create.statistics_captured_reason"), "it is a library");
}

// The program's own mistake, or the driver's: the result of its own create-infos is its own.
TEST_F(StatisticsFlags, C2_C5_AFailureIsTheApplications) {
  Open();
  fake_fail("vkCreateComputePipelines", 0, VK_ERROR_INVALID_SHADER_NV);
  EXPECT_EQ(Create({Info("a")}), VK_ERROR_INVALID_SHADER_NV);
  EXPECT_EQ(made[0], VkPipeline{VK_NULL_HANDLE});
  ASSERT_EQ(fake_creation_count(), 2U);
  EXPECT_EQ(fake_creation(1)->infos, given);
  EXPECT_EQ(cJSON_GetArraySize(End().At("pipelines")), 0);
}

// Some of a batch were made before it failed: they go, and those of the second call stay.
TEST_F(StatisticsFlags, C5_WhatWasMadeBeforeTheRefusalIsDestroyed) {
  Open();
  uint32_t before = fake_live_objects();
  fake_fail("vkCreateComputePipelines", 2, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  ASSERT_EQ(Create({Info("a"), Info("b"), Info("c")}), VK_SUCCESS);
  ASSERT_EQ(fake_creation_count(), 6U);
  EXPECT_EQ(fake_live_objects() - before, 3U + 3U + 1U); // pipelines, modules, a layout
  for (uint32_t i = 0; i < 3; i++) {
    EXPECT_EQ(made[i], fake_creation(3 + i)->pipeline);
    EXPECT_EQ(fake_creation(3 + i)->flags, 0U);
  }
  End();
}

// A base is named by its place in the array.
TEST_F(StatisticsFlags, C5_TheWholeArrayInItsOrder) {
  Open();
  VkComputePipelineCreateInfo base = Info("a", VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT);
  VkComputePipelineCreateInfo derived = Info("b", VK_PIPELINE_CREATE_DERIVATIVE_BIT);
  base.basePipelineIndex = -1;
  derived.basePipelineIndex = 0;
  ASSERT_EQ(Create({base, derived, Info("c", VK_PIPELINE_CREATE_LIBRARY_BIT_KHR)}), VK_SUCCESS);
  ASSERT_EQ(fake_creation_count(), 3U);
  for (uint32_t i = 0; i < 3; i++) {
    EXPECT_EQ(fake_creation(i)->infos, fake_creation(0)->infos);
    EXPECT_EQ(fake_creation(i)->index, i);
  }
  EXPECT_EQ(fake_creation(1)->flags, kStatistics | VK_PIPELINE_CREATE_DERIVATIVE_BIT);
  EXPECT_EQ(fake_creation(2)->flags, uint64_t{VK_PIPELINE_CREATE_LIBRARY_BIT_KHR});
  End();
}

// VK_PIPELINE_COMPILE_REQUIRED is no error, and nothing is tried again.
TEST_F(StatisticsFlags, C3_CompileRequiredIsHandedOn) {
  Open();
  fake_fail("vkCreateComputePipelines", 1, VK_PIPELINE_COMPILE_REQUIRED);
  EXPECT_EQ(
      Create({Info("a", VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT), Info("b")}),
      VK_PIPELINE_COMPILE_REQUIRED);
  EXPECT_EQ(fake_creation_count(), 2U);
  EXPECT_EQ(made[0], VkPipeline{VK_NULL_HANDLE});
  EXPECT_NE(made[1], VkPipeline{VK_NULL_HANDLE});
  EXPECT_EQ(End().Text("pipelines.0.entry_point"), "b");
}

// ---- feedback ----

TEST_F(StatisticsFlags, E4_FeedbackOfTheFirstCreation) {
  Open("feedback_flags=7;feedback_ns=5000;stage_feedback_ns=4000");
  gpu.Pipeline("a", 1000);
  fake_configure("feedback_flags=1;feedback_ns=1;stage_feedback_ns=1");
  gpu.Pipeline("a", 1000);
  Profile profile = Finish();
  EXPECT_TRUE(profile.Flag("devices.0.capabilities.pipeline_creation_feedback"));
  EXPECT_EQ(profile.Number("pipelines.0.create.count"), 2);
  EXPECT_TRUE(profile.Flag("pipelines.0.create.cache_hit"));
  EXPECT_TRUE(profile.Flag("pipelines.0.create.base_acceleration"));
  EXPECT_EQ(profile.Number("pipelines.0.create.feedback_ns"), 5000);
  EXPECT_EQ(profile.Text("pipelines.0.create.stages.0.stage"), "compute");
  EXPECT_TRUE(profile.Flag("pipelines.0.create.stages.0.cache_hit"));
  EXPECT_EQ(profile.Number("pipelines.0.create.stages.0.feedback_ns"), 4000);
}

TEST_F(StatisticsFlags, FeedbackWithoutAHit) {
  Open();
  gpu.Pipeline("a", 1000);
  Profile profile = Finish();
  EXPECT_FALSE(profile.Flag("pipelines.0.create.cache_hit"));
  EXPECT_FALSE(profile.Flag("pipelines.0.create.base_acceleration"));
  EXPECT_EQ(profile.Number("pipelines.0.create.feedback_ns"), 1234567);
}

TEST_F(StatisticsFlags, FeedbackThatIsNotValid) {
  Open("feedback_flags=2");
  gpu.Pipeline("a", 1000);
  Profile profile = Finish();
  EXPECT_TRUE(Null(profile, "pipelines.0.create.cache_hit"));
  EXPECT_EQ(profile.Text("pipelines.0.create.feedback_ns_reason"), "the driver gave none");
  EXPECT_EQ(profile.Text("pipelines.0.create.stages.0.feedback_ns_reason"), "the driver gave none");
}

// The application's own request is left as it is, and read.
TEST_F(StatisticsFlags, B2_FeedbackOfTheApplication) {
  Open("feedback_ns=5000");
  VkPipelineCreationFeedback whole{};
  auto *own =
      memory.Put(VkPipelineCreationFeedbackCreateInfo{kFeedbackType, nullptr, &whole, 0, nullptr});
  ASSERT_EQ(Create({Info("a", 0, own)}), VK_SUCCESS);
  ASSERT_EQ(fake_creation(0)->chain_count, 1U);
  EXPECT_EQ(fake_creation(0)->chain_pointers[0], own);
  EXPECT_EQ(whole.duration, 5000U);
  Profile profile = End();
  EXPECT_EQ(profile.Number("pipelines.0.create.feedback_ns"), 5000);
  EXPECT_EQ(profile.Text("pipelines.0.create.stages_reason"), "no stage was asked for");
}

TEST_F(StatisticsFlags, B4_FeedbackByItsExtension) {
  OpenInstance(VK_API_VERSION_1_2);
  Open("feedback_ns=5000");
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  Profile profile = End();
  Names enabled = Enabled(profile);
  EXPECT_EQ(std::count(enabled.begin(), enabled.end(), kFeedback), 1);
  EXPECT_EQ(profile.Number("pipelines.0.create.feedback_ns"), 5000);
}

TEST_F(StatisticsFlags, B4_FeedbackThatIsNotOffered) {
  OpenInstance(VK_API_VERSION_1_2);
  Open("missing=VK_EXT_pipeline_creation_feedback");
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->chain_count, 0U);
  Profile profile = End();
  const char reason[] =
      "the driver offers neither Vulkan 1.3 nor VK_EXT_pipeline_creation_feedback";
  EXPECT_EQ(profile.Text("devices.0.capabilities.pipeline_creation_feedback_reason"), reason);
  EXPECT_EQ(profile.Text("pipelines.0.create.cache_hit_reason"), reason);
  EXPECT_TRUE(profile.Flag("pipelines.0.create.statistics_captured"));
}

// Nothing to add: the application's own array goes down.
TEST_F(StatisticsFlags, C2_NothingIsCopiedWhereNothingIsAdded) {
  Setting("PIPELINE_STATISTICS", "off");
  OpenInstance(VK_API_VERSION_1_2);
  Open("missing=VK_EXT_pipeline_creation_feedback");
  ASSERT_EQ(Create({Info("a")}), VK_SUCCESS);
  EXPECT_EQ(fake_creation(0)->infos, given);
  End();
}

} // namespace
