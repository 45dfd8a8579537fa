// Only a part of the run is timed: settings CAPTURE_*.
//
// In: a setting, and programs that cross its border. Out: exact counts of what was measured, what
// had no stamps (untimed.not_chosen) and what had some for nothing (missed.not_chosen); together
// they are everything that was executed. The driver sees to it that queries are reset before they
// are written again.
#include <chrono>
#include <thread>

#include "timing_choice.h"

namespace {

TEST_F(TimingChoice, NothingLeftOutIsSaidToo) {
  Open();
  gpu.RunOne(gpu.Pipeline("a", 1000));
  Profile profile = Finish();
  EXPECT_TRUE(cJSON_IsNull(profile.At("contract.chosen")));
  EXPECT_EQ(profile.Coverage().measured, 1);
}

// ---- submissions

TEST_F(TimingChoice, SubmissionsOfOneTimeRecordings) {
  Setting("CAPTURE_SUBMISSIONS", "3-5");
  Open();
  RunTimes(gpu.Pipeline("a", 1000), 8);
  Profile profile = Finish();
  KernelRow row = profile.Row("a");
  EXPECT_EQ(row.samples, (Nanoseconds{3010, 4010, 5010}));
  Expect(row.outcomes, 3, {{"not_chosen", 3}}, {{"not_chosen", 2}});
  EXPECT_EQ(profile.Text("contract.chosen.submissions"), "3-5");
  EXPECT_EQ(profile.Text("run.settings.CAPTURE_SUBMISSIONS"), "3-5");
  EXPECT_EQ(row.first_use, -1); // it was not timed, so nothing is set aside
}

// Begun more than 64 submissions before the first one that is chosen: no stamps.
TEST_F(TimingChoice, FarBeforeTheRangeThereAreNoStamps) {
  Setting("CAPTURE_SUBMISSIONS", "100-101");
  Open();
  RunTimes(gpu.Pipeline("a", 1000), 102);
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.samples, (Nanoseconds{100010, 101010}));
  Expect(row.outcomes, 2, {{"not_chosen", 36}}, {{"not_chosen", 64}});
}

TEST_F(TimingChoice, EverySubmitCallCounts) {
  Setting("CAPTURE_SUBMISSIONS", "4-");
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000);
  ASSERT_EQ(gpu.Submit({}), VK_SUCCESS);
  ASSERT_EQ(gpu.vk.QueueSubmit(gpu.queue, 0, nullptr, VK_NULL_HANDLE), VK_SUCCESS);
  RunTimes(a, 3);
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.samples, (Nanoseconds{2010, 3010}));
  Expect(row.outcomes, 2, kNone, {{"not_chosen", 1}});
}

// Two recordings made ahead, as with frames in flight.
TEST_F(TimingChoice, RecordedBeforeTheRangeSubmittedInIt) {
  Setting("CAPTURE_SUBMISSIONS", "2");
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000);
  VkCommandBuffer first = Again(a, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  VkCommandBuffer second = Again(a, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  SubmitTimes(first, 1);
  SubmitTimes(second, 1);
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.samples, (Nanoseconds{2010}));
  Expect(row.outcomes, 1, kNone, {{"not_chosen", 1}});
}

class TimingChoiceAcross : public TimingChoice,
                           public ::testing::WithParamInterface<const char *> {};

// The border lies between executions of one recording.
TEST_P(TimingChoiceAcross, ARecordingSubmittedAgain) {
  Setting("CAPTURE_SUBMISSIONS", "3-5");
  Open(GetParam());
  SubmitTimes(Again(gpu.Pipeline("a", 1000)), 8);
  uint64_t resets = fake_call_count("vkResetQueryPool");
  EXPECT_EQ(resets, std::string(GetParam()).empty() ? 8U : 0U);
  Profile profile = Finish();
  KernelRow row = profile.Row("a");
  EXPECT_EQ(row.samples, (Nanoseconds{3010, 4010, 5010}));
  Expect(row.outcomes, 3, kNone, {{"not_chosen", 5}});
  EXPECT_EQ(profile.Number("plans.0.executions"), 8);
  EXPECT_EQ(profile.Number("plans.0.measured"), 3);
}

TEST_P(TimingChoiceAcross, ARecordingForSimultaneousUse) {
  Setting("CAPTURE_SUBMISSIONS", "3-5");
  Open(GetParam());
  SubmitTimes(Again(gpu.Pipeline("a", 1000), VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT), 8);
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.samples, (Nanoseconds{3010, 4010, 5010}));
  Expect(row.outcomes, 3, kNone, {{"not_chosen", 5}});
}

TEST_P(TimingChoiceAcross, ASecondaryAndItsPrimary) {
  Setting("CAPTURE_SUBMISSIONS", "2-3");
  Open(GetParam());
  VkPipeline a = gpu.Pipeline("a", 1000);
  VkCommandBuffer secondary = gpu.BeginSecondary();
  gpu.Dispatch(secondary, a);
  gpu.End(secondary);
  VkCommandBuffer buffer = gpu.Begin();
  gpu.vk.CmdExecuteCommands(buffer, 1, &secondary);
  gpu.Barrier(buffer);
  gpu.Dispatch(buffer, gpu.Pipeline("b", 2000));
  gpu.End(buffer);
  SubmitTimes(buffer, 4);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, (Nanoseconds{2010, 3010}));
  Expect(profile.Row("a").outcomes, 2, kNone, {{"not_chosen", 2}});
  Expect(profile.Row("b").outcomes, 2, kNone, {{"not_chosen", 2}});
}

INSTANTIATE_TEST_SUITE_P(Drivers, TimingChoiceAcross,
                         ::testing::Values("", "host_query_reset=0",
                                           "host_query_reset=0;reads_idle_device=1"));

// The one that is not chosen still runs when the chosen one begins: both write the same queries.
TEST_F(TimingChoice, D4_PendingTwiceAcrossTheBorder) {
  Setting("CAPTURE_SUBMISSIONS", "2-");
  Open("completion=manual");
  VkCommandBuffer buffer =
      Again(gpu.Pipeline("a", 1000), VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  ASSERT_EQ(gpu.Submit({buffer}), VK_SUCCESS);
  ASSERT_EQ(gpu.Submit({buffer}), VK_SUCCESS);
  fake_complete_all();
  ASSERT_EQ(gpu.vk.QueueWaitIdle(gpu.queue), VK_SUCCESS);
  ASSERT_EQ(gpu.Submit({buffer}), VK_SUCCESS);
  fake_complete_all();
  ASSERT_EQ(gpu.vk.QueueWaitIdle(gpu.queue), VK_SUCCESS);
  KernelRow row = Finish().Row("a");
  Expect(row.outcomes, 1, kNone, {{"not_chosen", 1}, {"pending_twice", 1}});
  EXPECT_EQ(row.samples, Nanoseconds{1010});
}

TEST_F(TimingChoice, WhatIsNotChosenIsNeverRead) {
  Setting("CAPTURE_SUBMISSIONS", "1000-");
  Open();
  SubmitTimes(Again(gpu.Pipeline("a", 1000)), 10);
  EXPECT_EQ(fake_call_count("vkGetQueryPoolResults"), 0U);
  Profile profile = Finish();
  Expect(profile.Row("a").outcomes, 0, kNone, {{"not_chosen", 10}});
  EXPECT_NE(profile.Number("pipelines.0.create.first_use_ns"), INT64_MIN); // it was submitted
}

TEST_F(TimingChoice, AFailedSubmissionIsACallAndNoExecution) {
  Setting("CAPTURE_SUBMISSIONS", "3-");
  Open();
  VkCommandBuffer buffer = Again(gpu.Pipeline("a", 1000));
  fake_fail("vkQueueSubmit", 1, VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_NE(gpu.Submit({buffer}), VK_SUCCESS);
  SubmitTimes(buffer, 3);
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.samples, (Nanoseconds{2010, 3010}));
  Expect(row.outcomes, 2, kNone, {{"not_chosen", 1}});
}

// ---- time

TEST_F(TimingChoice, TimeFromTheFirstDeviceOn) {
  Setting("CAPTURE_TIME", "0-1000");
  Open();
  RunTimes(gpu.Pipeline("a", 1000), 3);
  Profile profile = Finish();
  Expect(profile.Row("a").outcomes, 3, kNone, kNone);
  EXPECT_EQ(profile.Text("contract.chosen.time_seconds"), "0-1000");
}

TEST_F(TimingChoice, TimeThatDoesNotCome) {
  Setting("CAPTURE_TIME", "1000-");
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000);
  RunTimes(a, 3);
  SubmitTimes(Again(a), 2);
  Expect(Finish().Row("a").outcomes, 0, {{"not_chosen", 3}}, {{"not_chosen", 2}});
}

TEST_F(TimingChoice, TimeComesWhileARecordingIsSubmittedAgain) {
  Setting("CAPTURE_TIME", "3-1000");
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000);
  VkCommandBuffer buffer = Again(a);
  SubmitTimes(buffer, 2);
  std::this_thread::sleep_for(std::chrono::milliseconds(3100));
  SubmitTimes(buffer, 3);
  RunTimes(a, 1);
  KernelRow row = FinishLater().Row("a");
  EXPECT_EQ(row.samples, (Nanoseconds{3010, 4010, 5010, 6010}));
  Expect(row.outcomes, 4, kNone, {{"not_chosen", 2}});
}

TEST_F(TimingChoice, TimeIsOver) {
  Setting("CAPTURE_TIME", "0-0.000001");
  Open();
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  VkPipeline a = gpu.Pipeline("a", 1000);
  RunTimes(a, 2);
  VkCommandBuffer buffer = Again(a);
  EXPECT_EQ(Stamps(buffer), 0);
  SubmitTimes(buffer, 2);
  Expect(Finish().Row("a").outcomes, 0, {{"not_chosen", 4}}, kNone);
}

// ---- what is not understood

TEST_F(TimingChoice, WrongPatternsAreSaidAndEverythingIsTimed) {
  Setting("CAPTURE_SUBMISSIONS", "5-3");
  Setting("CAPTURE_TIME", "10");
  Setting("CAPTURE_KERNEL", "a(");
  Open();
  RunTimes(gpu.Pipeline("a", 1000), 3);
  Profile profile = Finish();
  Expect(profile.Coverage(), 3, kNone, kNone);
  EXPECT_TRUE(cJSON_IsNull(profile.At("contract.chosen")));
  ASSERT_EQ(cJSON_GetArraySize(profile.At("run.settings_rejected")), 3);
  EXPECT_EQ(profile.Text("run.settings_rejected.0.name"), "CAPTURE_SUBMISSIONS");
  EXPECT_NE(profile.Text("run.settings_rejected.0.accepted").find("FIRST-LAST"), std::string::npos);
  EXPECT_NE(profile.Text("run.settings_rejected.1.accepted").find("seconds"), std::string::npos);
  EXPECT_EQ(profile.Text("run.settings_rejected.2.value"), "a(");
}

TEST_F(TimingChoice, EachWrongValue) {
  const std::pair<const char *, const char *> wrong[] = {
      {"CAPTURE_SUBMISSIONS", "0-5"},
      {"CAPTURE_SUBMISSIONS", "-5"},
      {"CAPTURE_SUBMISSIONS", "1-2-3"},
      {"CAPTURE_SUBMISSIONS", "1 - 2"},
      {"CAPTURE_SUBMISSIONS", "1.5-2"},
      {"CAPTURE_SUBMISSIONS", "1-99999999999999999999"},
      {"CAPTURE_TIME", "2-1"},
      {"CAPTURE_TIME", "2-2"},
      {"CAPTURE_TIME", ".5-2"},
      {"CAPTURE_TIME", "1.-2"},
      {"CAPTURE_TIME", "1-2s"},
      {"CAPTURE_TIME", "1.0000000001-2"},
      {"CAPTURE_KERNEL", "["},
      {"CAPTURE_KERNEL", "*("},
      {"CAPTURE_KERNEL", "((a{1000}){1000}){1000}"},
      {"CAPTURE_KERNEL", "a++++++++++++++++++++++++++++++++++++++++++++++++++++++++++++"}};
  for (const auto &[name, value] : wrong) {
    InChild([&, name = name, value = value] {
      Setting(name, value);
      Open();
      gpu.RunOne(gpu.Pipeline("a", 1000));
      Profile profile = Finish();
      EXPECT_EQ(cJSON_GetArraySize(profile.At("run.settings_rejected")), 1) << name << value;
      EXPECT_EQ(profile.Text("run.settings_rejected.0.value"), value);
      EXPECT_EQ(profile.Coverage().measured, 1);
    });
  }
}

} // namespace
