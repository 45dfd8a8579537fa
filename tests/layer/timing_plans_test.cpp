// Plans, control recordings, windows and modes, to the nanosecond of the scripted driver.
//
// In: recordings whose times are worked out by hand (fake_driver.h, THE MODEL; issue 10 ns). Out:
// the profile's section plans, its ratio, and the stamps that the driver was asked for.
#include <algorithm>
#include <cmath>
#include <set>

#include "layer_test_case.h"

namespace {

int64_t Stamps(VkCommandBuffer buffer) {
  int64_t count = 0;
  for (const std::string &command : Recorded(buffer)) {
    count += command.rfind("vkCmdWriteTimestamp", 0) == 0;
  }
  return count;
}

class TimingPlans : public LayerTest {
protected:
  // A recording of the two, with a barrier between; returns how many stamps it got.
  int64_t RunPair(VkPipeline first, VkPipeline second) {
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(buffer, first);
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, second);
    gpu.Run(buffer);
    return Stamps(buffer);
  }
  static double Real(const Profile &profile, const std::string &path) {
    const cJSON *item = profile.At(path);
    EXPECT_TRUE(cJSON_IsNumber(item)) << path;
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
  }
  static Nanoseconds List(const Profile &profile, const std::string &path) {
    Nanoseconds out;
    const cJSON *item;
    cJSON_ArrayForEach(item, profile.At(path)) {
      out.push_back(static_cast<int64_t>(item->valuedouble));
    }
    return out;
  }
};

// [4, 1, 3, 2]: the quartiles of type 7 are 1.75, 2.5 and 3.25.
TEST_F(TimingPlans, QuartilesAndGeometryOfOneCommand) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 0, 1000);
  for (uint32_t x : {4U, 1U, 3U, 2U}) {
    gpu.RunOne(a, x);
  }
  Profile profile = Finish();
  EXPECT_EQ(cJSON_GetArraySize(profile.At("plans")), 1); // geometry is listed within
  EXPECT_EQ(profile.Number("plans.0.recordings"), 4);
  EXPECT_EQ(profile.Number("plans.0.executions"), 4);
  EXPECT_EQ(profile.Number("plans.0.measured"), 4);
  EXPECT_EQ(profile.Number("plans.0.commands"), 1);
  EXPECT_EQ(List(profile, "plans.0.marks.0.samples"), (Nanoseconds{4010, 1010, 3010, 2010}));
  EXPECT_EQ(profile.Number("plans.0.marks.0.p25"), 1760);
  EXPECT_EQ(profile.Number("plans.0.marks.0.median"), 2510);
  EXPECT_EQ(profile.Number("plans.0.marks.0.p75"), 3260);
  EXPECT_EQ(List(profile, "plans.0.marks.0.kernels"), (Nanoseconds{0, 1, 2, 3}));
  EXPECT_EQ(profile.Number("plans.0.span.instrumented.min"), 1010);
  EXPECT_EQ(profile.Number("plans.0.span.instrumented.median"), 2510);
  EXPECT_EQ(profile.Number("plans.0.span.instrumented.max"), 4010);
  EXPECT_EQ(profile.Number("plans.0.window_count"), 1);
}

TEST_F(TimingPlans, TheSequenceOfPipelinesIsThePlan) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 100);
  VkPipeline b = gpu.Pipeline("b", 100);
  RunPair(a, b);
  RunPair(b, a);
  RunPair(a, b);
  gpu.RunOne(a);
  Profile profile = Finish();
  ASSERT_EQ(cJSON_GetArraySize(profile.At("plans")), 3);
  EXPECT_EQ(profile.Number("plans.0.executions"), 2);
  EXPECT_EQ(profile.Number("plans.1.executions"), 1);
  EXPECT_EQ(profile.Number("plans.2.commands"), 1);
  EXPECT_NE(profile.Text("plans.0.signature"), profile.Text("plans.1.signature"));
}

// The first takes 1, 1, 10 and the second 10, 1, 1 us (and 10 ns to issue the first): medians 1010
// and 1000, but two of three executions took 11010.
TEST_F(TimingPlans, MedianOfTotalsIsNotTheSumOfMedians) {
  Open();
  VkPipeline a = gpu.Pipeline("matmul_first", 0, 1000);
  VkPipeline b = gpu.Pipeline("matmul_second", 0, 1000);
  VkPipeline c = gpu.Pipeline("softmax", 990);
  for (uint32_t i = 0; i < 3; i++) {
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(buffer, a, i == 2 ? 10 : 1);
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, b, i == 0 ? 10 : 1);
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, c);
    gpu.Run(buffer);
  }
  Profile profile = Finish();
  EXPECT_EQ(profile.Text("plans.0.families.0.name"), "matrix");
  EXPECT_EQ(profile.Number("plans.0.families.0.commands"), 2);
  EXPECT_EQ(profile.Number("plans.0.families.0.sum_of_medians_ns"), 2010);
  EXPECT_EQ(profile.Number("plans.0.families.0.median_of_totals_ns"), 11010);
  EXPECT_NEAR(Real(profile, "plans.0.families.0.share_percent"), 67, 1e-9);
  EXPECT_EQ(profile.Text("plans.0.families.1.name"), "normalization_reduction");
  EXPECT_NEAR(Real(profile, "plans.0.families.1.share_percent"), 33, 1e-9);
  EXPECT_EQ(profile.Text("plans.0.phases.0.name"), "unlabelled");
  EXPECT_EQ(profile.Number("plans.0.phases.0.sum_of_medians_ns"), 3000);
  EXPECT_EQ(profile.Number("plans.0.phases.0.median_of_totals_ns"), 12000);
}

// A stamp holds the front end for 1000 ns. Instrumented: stamps at 1000, 2010, 3010, 4020 and the
// closing one at 5020, a span of 4020. Control: 1000 and 2020, 1020. 4020 / 1020 = 3.941176.
TEST_F(TimingPlans, OneRecordingInEightIsControlAndTellsTheRatio) {
  Setting("CONTROL_EVERY", "8");
  Open("stamp_ns=1000");
  VkPipeline a = gpu.Pipeline("a", 100);
  VkPipeline b = gpu.Pipeline("b", 100);
  std::vector<int64_t> stamps(16 + 7 * 8 + 8);
  for (int64_t &count : stamps) {
    count = RunPair(a, b);
  }
  for (size_t first = 0; first < stamps.size(); first += 8) {
    EXPECT_EQ(std::count(stamps.begin() + first, stamps.begin() + first + 8, 2), first < 16 ? 0 : 1)
        << "recordings from " << first << " on";
  }
  std::set<size_t> places;
  for (size_t i = 16; i < stamps.size(); i++) {
    EXPECT_EQ(stamps[i] == 2 || stamps[i] == 5, true) << stamps[i];
    places.insert(stamps[i] == 2 ? i % 8 : 8);
  }
  EXPECT_GT(places.size(), 3U); // not always the same place
  Profile profile = Finish();
  EXPECT_EQ(profile.Number("plans.0.control_measured"), 8);
  EXPECT_EQ(profile.Number("plans.0.measured"), 72);
  EXPECT_EQ(profile.Number("plans.0.span.control.median"), 1020);
  EXPECT_EQ(profile.Number("plans.0.span.instrumented.median"), 4020);
  EXPECT_NEAR(Real(profile, "plans.0.instrumentation_ratio"), 4020.0 / 1020, 1e-6);
  EXPECT_NEAR(Real(profile, "plans.0.instrumentation_ratio_low"), 4020.0 / 1020, 1e-6);
  EXPECT_NEAR(Real(profile, "overhead.instrumentation_ratio"), 4020.0 / 1020, 1e-6);
  EXPECT_EQ(profile.Number("plans.0.unseen_in_control"), 0);
  Outcomes coverage = profile.Coverage();
  EXPECT_EQ(coverage.executed, 160);
  EXPECT_EQ(coverage.measured, 144);
  EXPECT_EQ(coverage.control, 16);
  EXPECT_EQ(profile.Row("a").outcomes.control, 8);
  EXPECT_EQ(profile.Number("contract.control_every"), 8);
}

// A control recording has no times of commands, but the queue works.
TEST_F(TimingPlans, ControlCountsAsBusy) {
  Setting("CONTROL_EVERY", "1");
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  for (int i = 0; i < 17; i++) {
    gpu.RunOne(a);
  }
  Profile profile = Finish();
  EXPECT_EQ(profile.Coverage().control, 1);
  EXPECT_EQ(profile.Queues()[0].busy, 17 * 5010);
}

TEST_F(TimingPlans, WhatRunsAFewTimesIsNeverControl) {
  Setting("CONTROL_EVERY", "1");
  Open();
  VkPipeline a = gpu.Pipeline("a", 100);
  for (int i = 0; i < 16; i++) {
    gpu.RunOne(a);
  }
  Profile profile = Finish();
  EXPECT_EQ(profile.Coverage().control, 0);
  EXPECT_NE(profile.Text("plans.0.instrumentation_ratio_reason").find("the first ones never are"),
            std::string::npos);
}

TEST_F(TimingPlans, ANewPlanEndsTheRepetition) {
  Setting("CONTROL_EVERY", "1");
  Open();
  VkPipeline a = gpu.Pipeline("a", 100);
  for (int i = 0; i < 15; i++) {
    gpu.RunOne(a);
  }
  gpu.RunOne(gpu.Pipeline("b", 100));
  for (int i = 0; i < 8; i++) {
    gpu.RunOne(a); // the last eight again: after them one could be control
  }
  EXPECT_EQ(Finish().Coverage().control, 0);
}

// The guess failed: the recording after the repetitions is another one.
TEST_F(TimingPlans, AKernelThatWasSeenInControlOnlyIsSaid) {
  Setting("CONTROL_EVERY", "1");
  Open();
  VkPipeline a = gpu.Pipeline("a", 100);
  for (int i = 0; i < 16; i++) {
    gpu.RunOne(a);
  }
  gpu.RunOne(gpu.Pipeline("b", 100));
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("b").outcomes.control, 1);
  EXPECT_EQ(profile.Row("b").outcomes.measured, 0);
  EXPECT_EQ(profile.Number("plans.1.unseen_in_control"), 1);
  EXPECT_EQ(profile.Number("plans.0.unseen_in_control"), 0);
}

TEST_F(TimingPlans, OneRecordingSubmittedAgainHasNoRatio) {
  Setting("CONTROL_EVERY", "1");
  Open();
  VkCommandBuffer buffer = gpu.Begin();
  gpu.Dispatch(buffer, gpu.Pipeline("a", 100));
  gpu.Run(buffer);
  for (int i = 0; i < 30; i++) {
    gpu.Submit({buffer}, gpu.fence);
    gpu.Wait();
  }
  Profile profile = Finish();
  EXPECT_EQ(profile.Coverage().measured, 31);
  EXPECT_EQ(profile.Number("plans.0.recordings"), 1);
  EXPECT_NE(profile.Text("plans.0.instrumentation_ratio_reason").find("recorded once"),
            std::string::npos);
}

TEST_F(TimingPlans, WhatExecutesSecondariesIsNeverControl) {
  Setting("CONTROL_EVERY", "1");
  Open();
  VkPipeline a = gpu.Pipeline("a", 100);
  for (int i = 0; i < 30; i++) {
    VkCommandBuffer secondary = gpu.BeginSecondary();
    gpu.Dispatch(secondary, a);
    gpu.End(secondary);
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(buffer, a);
    gpu.vk.CmdExecuteCommands(buffer, 1, &secondary);
    gpu.Run(buffer);
  }
  Profile profile = Finish();
  EXPECT_EQ(profile.Coverage().control, 0);
  EXPECT_EQ(profile.Coverage().measured, 60);
  ASSERT_EQ(cJSON_GetArraySize(profile.At("plans")), 2);
  int secondary = profile.Flag("plans.0.secondary") ? 0 : 1;
  std::string primary = secondary ? "plans.0" : "plans.1";
  EXPECT_EQ(profile.Number(primary + ".secondaries"), 1);
  EXPECT_NE(profile.Text(primary + ".instrumentation_ratio_reason").find("secondary"),
            std::string::npos);
}

// What failed once for all of a recording fails for control as well.
TEST_F(TimingPlans, D29_ControlOfZeroIsRejected) {
  Setting("MODE", "submit");
  Open("query_mode=zero");
  gpu.RunOne(gpu.Pipeline("a", 100));
  Profile profile = Finish();
  EXPECT_EQ(profile.Coverage().control, 0);
  EXPECT_EQ(profile.Coverage().rejected, (Counts{{"zero_stamp", 1}}));
}

TEST_F(TimingPlans, SubmitModeHasTwoStampsARecording) {
  Setting("MODE", "submit");
  Open();
  EXPECT_EQ(RunPair(gpu.Pipeline("a", 5000), gpu.Pipeline("b", 8000)), 2);
  Profile profile = Finish();
  EXPECT_EQ(profile.Text("contract.mode"), "submit");
  EXPECT_EQ(profile.Text("environment.segment.mode"), "submit");
  EXPECT_EQ(profile.Coverage().control, 2);
  EXPECT_EQ(profile.Number("plans.0.span.control.median"), 13010);
  EXPECT_NE(profile.Text("plans.0.instrumentation_ratio_reason").find("mode inline"),
            std::string::npos);
}

// Without a barrier of the application the two would overlap; isolated they do not.
TEST_F(TimingPlans, IsolatedModeKeepsCommandsApart) {
  Setting("MODE", "isolated");
  Open();
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, gpu.Pipeline("a", 5000));
  gpu.Dispatch(buffer, gpu.Pipeline("b", 8000));
  gpu.Run(buffer);
  std::vector<std::string> names;
  for (const std::string &command : Recorded(buffer)) {
    std::string name = command.substr(0, command.find(' '));
    if (name != "vkCmdBindPipeline") {
      names.push_back(name.substr(5));
    }
  }
  const std::vector<std::string> one = {"PipelineBarrier", "WriteTimestamp",  "PipelineBarrier",
                                        "Dispatch",        "PipelineBarrier", "WriteTimestamp"};
  std::vector<std::string> expected = one;
  expected.insert(expected.end(), one.begin(), one.end());
  expected.emplace_back("WriteTimestamp"); // closing: of another stage
  EXPECT_EQ(names, expected);
  Profile profile = Finish();
  EXPECT_EQ(profile.Text("contract.mode"), "isolated");
  EXPECT_EQ(cJSON_GetArraySize(profile.At("contract.barriers_added")), 1);
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{8000});
  EXPECT_EQ(profile.Row("b").overlap_possible, 0);
}

TEST_F(TimingPlans, WindowsCutALongRecordingEvenly) {
  Setting("MAX_STAMPS_PER_RECORDING", "1000");
  Open();
  VkPipeline a = gpu.Pipeline("a", 100);
  VkCommandBuffer buffer = gpu.Allocate(gpu.Pool());
  int64_t most = 0;
  for (int i = 0; i < 5; i++) {
    gpu.Start(buffer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Bind(buffer, a);
    for (int j = 0; j < 1034; j++) {
      gpu.vk.CmdDispatch(buffer, 1, 1, 1);
    }
    gpu.Run(buffer);
    most = std::max(most, Stamps(buffer));
  }
  EXPECT_LE(most, 1000);
  Profile profile = Finish();
  EXPECT_EQ(profile.Number("plans.0.window_count"), 2);
  // The first recording could not know: as much as there was room for.
  EXPECT_EQ(profile.Number("plans.0.windows.0.first"), 0);
  EXPECT_EQ(profile.Number("plans.0.windows.0.count"), 998);
  int64_t other = profile.Number("plans.0.windows.1.first");
  EXPECT_EQ(other + profile.Number("plans.0.windows.2.first"), 517);
  for (const char *window : {"plans.0.windows.1", "plans.0.windows.2"}) {
    EXPECT_EQ(profile.Number(std::string(window) + ".count"), 517);
    EXPECT_EQ(profile.Number(std::string(window) + ".executions"), 2);
  }
  Outcomes coverage = profile.Coverage();
  EXPECT_EQ(coverage.executed, 5 * 1034);
  EXPECT_EQ(coverage.measured, 998 + 4 * 517);
  EXPECT_EQ(coverage.untimed, (Counts{{"window", 36 + 4 * 517}}));
  EXPECT_EQ(profile.Number("plans.0.marks.0.samples_seen"), 3);
  EXPECT_EQ(profile.Number("plans.0.marks.1033.samples_seen"), 2);
}

// Every command needs two stamps: three windows, and none is longer than the limit.
TEST_F(TimingPlans, WindowsKnowWhatACommandTakes) {
  Setting("MAX_STAMPS_PER_RECORDING", "100");
  Open();
  VkPipeline a = gpu.Pipeline("a", 100);
  VkCommandBuffer buffer = gpu.Allocate(gpu.Pool());
  for (int i = 0; i < 7; i++) {
    gpu.Start(buffer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Bind(buffer, a);
    for (int j = 0; j < 120; j++) {
      gpu.vk.CmdDispatch(buffer, 1, 1, 1);
      gpu.Barrier(buffer);
    }
    gpu.Run(buffer);
    EXPECT_LE(Stamps(buffer), 100);
  }
  Profile profile = Finish();
  EXPECT_EQ(profile.Number("plans.0.window_count"), 3);
  for (const char *window : {"plans.0.windows.1", "plans.0.windows.2", "plans.0.windows.3"}) {
    EXPECT_EQ(profile.Number(std::string(window) + ".count"), 40);
    EXPECT_EQ(profile.Number(std::string(window) + ".executions"), 2);
  }
}

// As a cache that grows with every token: the kernel keeps its time, whatever its geometry.
TEST_F(TimingPlans, GeometryOfEveryStepIsGathered) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000);
  VkCommandBuffer buffer = gpu.Allocate(gpu.Pool());
  for (uint32_t x = 1; x <= 300; x++) {
    gpu.Start(buffer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(buffer, a, x);
    gpu.Run(buffer);
  }
  Profile profile = Finish();
  std::vector<KernelRow> rows = profile.Rows("a");
  ASSERT_EQ(rows.size(), 257U);
  EXPECT_TRUE(rows[256].groups.empty());
  EXPECT_EQ(rows[256].outcomes.measured, 44);
  EXPECT_EQ(rows[256].sum, 44 * 1010);
  EXPECT_EQ(profile.Number("coverage.dispatch_beyond_row_cap.executed"), 0);
  EXPECT_EQ(cJSON_GetArraySize(profile.At("plans")), 1);
  EXPECT_EQ(profile.Number("plans.0.marks.0.kernels_beyond"), 296);
}

TEST_F(TimingPlans, PlansBeyondTheCapAreCounted) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 100);
  VkCommandBuffer buffer = gpu.Allocate(gpu.Pool());
  for (int length = 1; length <= 520; length++) {
    gpu.Start(buffer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Bind(buffer, a);
    for (int j = 0; j < length; j++) {
      gpu.vk.CmdDispatch(buffer, 1, 1, 1);
    }
    gpu.Run(buffer);
  }
  Profile profile = Finish();
  EXPECT_EQ(cJSON_GetArraySize(profile.At("plans")), 512);
  EXPECT_EQ(profile.Number("plans_other.executions"), 8);
  EXPECT_EQ(profile.Number("plans_other.measured"), 8);
  EXPECT_EQ(profile.Number("plans_other.commands"), 8 * 513 + 28);
  EXPECT_TRUE(cJSON_IsNull(profile.At("plans.511.marks")));
}

} // namespace
