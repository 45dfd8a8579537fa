// What the writer writes, the reader reads; what it did not write, the reader refuses and says
// where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <climits>
#include <cstdio>
#include <fstream>
#include <string>

#include "profile_example.hpp"

extern "C" {
#include "base/alloc.h"
#include "profile/profile_read.h"
#include "profile/profile_read_place.h"
}

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class Reading {
public:
  explicit Reading(const std::string &text) {
    status = vkm_profile_read_bytes(text.data(), text.size(), &profile, &error);
  }
  ~Reading() {
    vkm_profile_read_finish(&profile);
  }
  Reading(const Reading &) = delete;
  Reading &operator=(const Reading &) = delete;

  enum vkm_status status;
  struct vkm_read_profile profile = {};
  struct vkm_read_error error = {};
};

std::string Replaced(std::string text, const std::string &from, const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// The cause that the reader gives for the example with one thing changed.
std::string CauseOf(const std::string &from, const std::string &to) {
  Reading reading(Replaced(Example().Format(), from, to));
  EXPECT_EQ(reading.status, VKM_BAD_INPUT) << from << " -> " << to;
  EXPECT_EQ(reading.profile.kernels, nullptr);
  EXPECT_NE(reading.error.remedy, nullptr);
  return reading.error.cause;
}

std::vector<int64_t> SamplesOf(const struct vkm_read_kernel &kernel) {
  return {kernel.samples_ns, kernel.samples_ns + kernel.sample_count};
}

} // namespace

TEST(ProfileRead, WhatTheCompilerSaid) {
  Reading reading(Example().Format());
  ASSERT_EQ(reading.status, VKM_OK) << reading.error.cause;
  ASSERT_EQ(reading.profile.pipeline_count, 3U);
  const struct vkm_read_pipeline &blur = reading.profile.pipelines[0];
  EXPECT_TRUE(blur.statistics_captured);
  EXPECT_TRUE(blur.has_feedback);
  EXPECT_TRUE(blur.cache_hit);
  EXPECT_EQ(blur.feedback_ns, 90000U);
  ASSERT_EQ(blur.executable_count, 2U);
  EXPECT_STREQ(blur.executables[0].name, "compute");
  EXPECT_EQ(blur.executables[0].subgroup_size, 32U);
  ASSERT_EQ(blur.executables[0].statistic_count, 7U);
  const struct vkm_read_statistic *statistics = blur.executables[0].statistics;
  EXPECT_STREQ(statistics[0].name, "VGPRs");
  EXPECT_STREQ(statistics[0].format, "uint64");
  EXPECT_EQ(statistics[0].value, 24);
  EXPECT_STREQ(statistics[3].name, "early \"preamble\"");
  EXPECT_EQ(statistics[3].value, 1);
  EXPECT_EQ(statistics[4].value, 0.1 + 0.2); // to the last bit
  EXPECT_FALSE(statistics[5].has_value);
  EXPECT_FALSE(statistics[6].has_value);
  EXPECT_FALSE(blur.executables[1].has_statistics);
  const struct vkm_read_pipeline &unseen = reading.profile.pipelines[2];
  EXPECT_FALSE(unseen.statistics_captured);
  EXPECT_FALSE(unseen.has_feedback);
  EXPECT_FALSE(unseen.has_executables);
}

TEST(ProfileRead, WhatTheCompilerCannotHaveSaid) {
  EXPECT_THAT(CauseOf("\"value\": 24", "\"value\": true"),
              HasSubstr("pipelines[0].executables[0].statistics[0].value: expected a number"));
  EXPECT_THAT(CauseOf("\"value\": true", "\"value\": 1"), HasSubstr("expected true or false"));
  EXPECT_THAT(CauseOf("\"format\": \"uint64\"", "\"format\": 64"), HasSubstr("expected text"));
  EXPECT_THAT(CauseOf("\"feedback_ns\": 90000", "\"feedback_ns\": -1"), HasSubstr("out of range"));
}

TEST(ProfileRead, RunAndEnvironmentComeBack) {
  Reading reading(Example().Format());
  ASSERT_EQ(reading.status, VKM_OK) << reading.error.cause;
  const struct vkm_read_profile &profile = reading.profile;
  EXPECT_TRUE(profile.complete);
  EXPECT_STREQ(profile.end_reason, "exit");
  EXPECT_STREQ(profile.run.id, "6f1c-4242-1");
  EXPECT_EQ(profile.run.duration_ns, 2500000000);
  EXPECT_EQ(profile.run.pid, 4242);
  EXPECT_EQ(profile.run.started_unix_ns / 1000000000, 1700000000);
  EXPECT_STREQ(profile.run.application_name, "program");
  EXPECT_EQ(profile.run.engine_name, nullptr);
  ASSERT_EQ(profile.run.tags.count, 2U);
  EXPECT_STREQ(profile.run.tags.items[1].name, "workload");
  EXPECT_STREQ(profile.run.tags.items[1].value, "blur");
  ASSERT_EQ(profile.chosen.count, 2U);
  EXPECT_STREQ(profile.chosen.items[0].name, "submissions");
  EXPECT_STREQ(profile.chosen.items[0].value, "1-1000");
  ASSERT_EQ(profile.run.rejected_count, 2U);
  EXPECT_STREQ(profile.run.rejected[0].name, "colour");
  EXPECT_EQ(profile.run.rejected[0].accepted, nullptr);
  EXPECT_STREQ(profile.run.rejected[1].accepted, "inline, submit");
  EXPECT_STREQ(profile.os, "Debian GNU/Linux 12");
  EXPECT_EQ(profile.cpu, nullptr);
  EXPECT_STREQ(profile.workload_tag, "blur");
  EXPECT_STREQ(profile.mode, "inline");
}

TEST(ProfileRead, DevicesComeBack) {
  Reading reading(Example().Format());
  ASSERT_EQ(reading.status, VKM_OK) << reading.error.cause;
  ASSERT_EQ(reading.profile.device_count, 3U);
  const struct vkm_read_device &one = reading.profile.devices[0];
  EXPECT_STREQ(one.name, "Example GPU");
  EXPECT_STREQ(one.driver_version, "22.3.6");
  EXPECT_STREQ(one.type, "cpu");
  EXPECT_TRUE(one.software);
  EXPECT_TRUE(one.profiled);
  EXPECT_TRUE(one.has_period);
  EXPECT_NEAR(one.period_ns, 52.083332, 1e-6);
  ASSERT_EQ(one.enabled_count, 2U);
  EXPECT_STREQ(one.enabled[1], "VK_EXT_calibrated_timestamps");
  ASSERT_EQ(one.capability_count, 2U);
  EXPECT_TRUE(one.capabilities[0].available);
  EXPECT_FALSE(one.capabilities[1].available);
  EXPECT_STREQ(one.capabilities[1].reason, "the device does not offer it");
  const struct vkm_read_device &three = reading.profile.devices[2];
  EXPECT_EQ(three.name, nullptr);
  EXPECT_FALSE(three.profiled);
  EXPECT_STREQ(three.not_profiled_reason, "the device is a group of 2 physical devices");
  EXPECT_FALSE(three.has_period);
  EXPECT_TRUE(three.clock_mismatch);
}

TEST(ProfileRead, MemoryAndBreakdownComeBack) {
  Reading reading(Example().Format());
  ASSERT_EQ(reading.status, VKM_OK) << reading.error.cause;
  const struct vkm_read_memory &memory = reading.profile.devices[0].memory;
  ASSERT_EQ(memory.heap_count, 2U);
  EXPECT_TRUE(memory.heaps[0].known);
  EXPECT_EQ(memory.heaps[0].allocated_bytes, 1024U);
  EXPECT_EQ(memory.heaps[0].peak_bytes, 4096U);
  EXPECT_TRUE(memory.heaps[0].has_budget);
  EXPECT_EQ(memory.heaps[0].budget_bytes, 8000U);
  EXPECT_EQ(memory.allocations_peak, 3U);
  EXPECT_EQ(memory.mapped_peak_bytes, 4096U);
  const struct vkm_read_breakdown &breakdown = reading.profile.breakdown;
  EXPECT_EQ(breakdown.wall_ns, 20000);
  EXPECT_EQ(breakdown.build_ns, 700);
  EXPECT_EQ(breakdown.wait_ns, 5000);
  EXPECT_EQ(breakdown.run_ns, INT64_MIN); // of one device it is not known
  EXPECT_EQ(breakdown.unaccounted_ns, 12000);
  EXPECT_STREQ(breakdown.moves[1].direction, "h2d");
  EXPECT_EQ(breakdown.moves[1].bytes, 8192U);
  EXPECT_EQ(breakdown.moves[1].executions, 2U);
  EXPECT_FALSE(breakdown.moves[3].has_bytes);
  EXPECT_EQ(breakdown.hitch_count, 2U);
  EXPECT_EQ(breakdown.hitch_ns, 650);
  EXPECT_EQ(breakdown.resident_peak_bytes, 1048576U);
}

TEST(ProfileRead, TheOverlapsOfTheBreakdownComeBack) {
  Reading reading(Example().Format());
  ASSERT_EQ(reading.status, VKM_OK) << reading.error.cause;
  const struct vkm_read_breakdown &breakdown = reading.profile.breakdown;
  EXPECT_EQ(breakdown.executing_ns, 5500);
  EXPECT_EQ(breakdown.build_while_executing_ns, 100);
  EXPECT_EQ(breakdown.host_any_ns, 6100);
  EXPECT_EQ(breakdown.overlap_ns, 500); // of the one device that is known
  EXPECT_EQ(breakdown.unsplit_ns, 0);
  EXPECT_EQ(breakdown.cold_ns, 1000);
  EXPECT_EQ(breakdown.warm_ns, 1006);
  EXPECT_EQ(breakdown.moves[1].measured, 1U);
  EXPECT_STREQ(breakdown.hosts[0].name, "build");
  EXPECT_EQ(breakdown.hosts[0].calls, 4U);
  EXPECT_STREQ(breakdown.hosts[8].name, "wait");
  EXPECT_EQ(breakdown.hosts[8].ns, 5000);
}

TEST(ProfileRead, PlansComeBack) {
  Reading reading(Example().Format());
  ASSERT_EQ(reading.status, VKM_OK) << reading.error.cause;
  ASSERT_EQ(reading.profile.plan_count, 2U);
  const struct vkm_read_plan &plan = reading.profile.plans[0];
  EXPECT_STREQ(plan.signature, "00000000000000050000000000000006");
  EXPECT_FALSE(plan.secondary);
  EXPECT_EQ(plan.commands, 2U);
  EXPECT_EQ(plan.recordings, 40U);
  EXPECT_EQ(plan.executions, 24U);
  EXPECT_EQ(plan.measured, 16U);
  EXPECT_EQ(plan.control_measured, 7U);
  EXPECT_EQ(plan.window_count, 2U);
  EXPECT_EQ(plan.instrumented.count, 16U);
  EXPECT_EQ(plan.instrumented.median_ns, 2108);
  EXPECT_EQ(plan.control.sum_ns, 14084);
  ASSERT_TRUE(plan.has_interval);
  EXPECT_DOUBLE_EQ(plan.ratio, 1.0499625);
  EXPECT_DOUBLE_EQ(plan.ratio_high, 1.050025);
  ASSERT_EQ(plan.family_count, 1U);
  EXPECT_STREQ(plan.families[0].name, "convolution_spatial");
  EXPECT_EQ(plan.families[0].share_percent, 100);
  const struct vkm_read_plan &secondary = reading.profile.plans[1];
  EXPECT_TRUE(secondary.secondary);
  EXPECT_EQ(secondary.instrumented.count, 0U);
  EXPECT_FALSE(secondary.has_ratio);
  EXPECT_EQ(secondary.family_count, 0U);
}

TEST(ProfileRead, WhatAPipelineWasMadeWithComesBack) {
  Reading reading(Example().Format());
  ASSERT_EQ(reading.status, VKM_OK) << reading.error.cause;
  const struct vkm_read_pipeline &pipeline = reading.profile.pipelines[0];
  EXPECT_STREQ(pipeline.kind, "compute");
  ASSERT_TRUE(pipeline.has_local_size);
  EXPECT_EQ(pipeline.local_size[1], 8U);
  EXPECT_EQ(pipeline.subgroup_required, 32U);
  EXPECT_EQ(pipeline.subgroup_reported, 0U);
  ASSERT_EQ(pipeline.specialization.count, 2U);
  EXPECT_STREQ(pipeline.specialization.items[1].name, "7");
  EXPECT_STREQ(pipeline.specialization.items[1].value, "0x3ff0000000000000");
  EXPECT_EQ(pipeline.shared_memory_bytes, 4096U);
  EXPECT_EQ(pipeline.push_constant_bytes, 12U);
  EXPECT_EQ(pipeline.created, 2U);
  EXPECT_EQ(pipeline.create_ns, 150000);
}

TEST(ProfileRead, FiguresOfTheBreakdownHaveToAgree) {
  EXPECT_THAT(CauseOf("\"overlap_ns\": 500", "\"overlap_ns\": 501"), HasSubstr("busy_ns is not"));
  EXPECT_THAT(CauseOf("\"peak_bytes\": 4096", "\"peak_bytes\": 1000"),
              HasSubstr("less than allocated_bytes"));
  EXPECT_THAT(CauseOf("\"wall_ns\": 20000", "\"wall_ns\": 600"), HasSubstr("exceeds wall_ns"));
  EXPECT_THAT(CauseOf("\"bytes_unknown\": 0", "\"bytes_unknown\": 9"),
              HasSubstr("exceeds executions"));
  EXPECT_THAT(CauseOf("\"hitches\"", "\"hitchs\""), HasSubstr("hitches"));
}

TEST(ProfileRead, KernelsComeBack) {
  Reading reading(Example().Format());
  ASSERT_EQ(reading.status, VKM_OK) << reading.error.cause;
  ASSERT_EQ(reading.profile.kernel_count, 10U);
  const struct vkm_read_kernel *kernels = reading.profile.kernels;
  EXPECT_STREQ(kernels[0].kind, "dispatch");
  EXPECT_TRUE(kernels[0].has_groups);
  EXPECT_THAT(kernels[0].groups, ElementsAre(4, 2, 1));
  EXPECT_EQ(kernels[0].outcomes.executed, 5U);
  EXPECT_EQ(kernels[0].outcomes.measured, 4U);
  ASSERT_EQ(kernels[0].outcomes.reason_count, 1U);
  EXPECT_STREQ(kernels[0].outcomes.reasons[0].outcome, "missed");
  EXPECT_STREQ(kernels[0].outcomes.reasons[0].name, "not_finished");
  EXPECT_EQ(kernels[0].outcomes.reasons[0].count, 1U);
  EXPECT_THAT(SamplesOf(kernels[0]), ElementsAre(1000, 1003, 1006, 1009));
  EXPECT_EQ(kernels[0].first_use, 0U);
  EXPECT_EQ(kernels[0].duration.sum_ns, 4018);
  EXPECT_EQ(kernels[1].samples_seen, 20U);
  EXPECT_EQ(kernels[1].sample_count, 5U);
  EXPECT_FALSE(kernels[2].has_groups);
  EXPECT_EQ(kernels[2].first_use, VKM_READ_NONE);
  EXPECT_FALSE(kernels[3].duration.known);
  EXPECT_EQ(kernels[6].pipeline, VKM_READ_NONE);
  EXPECT_EQ(kernels[8].device, 1U);
  ASSERT_NE(kernels[9].pipeline, VKM_READ_NONE);
  EXPECT_STREQ(reading.profile.pipelines[kernels[9].pipeline].identity,
               "00000000000000090000000000000009");
}

TEST(ProfileRead, FamiliesAndPhasesComeBack) {
  Reading reading(Example().Format());
  ASSERT_EQ(reading.status, VKM_OK) << reading.error.cause;
  const struct vkm_read_profile &profile = reading.profile;
  EXPECT_STREQ(profile.pipelines[1].family, "matrix");
  EXPECT_STREQ(profile.pipelines[1].family_source, "rule");
  EXPECT_STREQ(profile.kernels[0].family, "convolution_spatial");
  ASSERT_EQ(profile.families.count, 4U);
  EXPECT_STREQ(profile.families.items[2].name, "matrix");
  EXPECT_EQ(profile.families.items[2].kernels, 2U);
  EXPECT_EQ(profile.families.items[2].kernels_not_measured, 1U);
  EXPECT_EQ(profile.families.items[2].sum_of_medians_ns, 77);
  EXPECT_TRUE(profile.families.items[2].has_share);
  EXPECT_DOUBLE_EQ(profile.families.items[2].share_percent, 0.42);
  ASSERT_EQ(profile.phases.count, 4U);
  EXPECT_STREQ(profile.phases.items[3].name, "by rule");
  EXPECT_FALSE(profile.phases.items[3].has_time);
}

TEST(ProfileRead, SharesThatDoNotAddUpAreRefused) {
  EXPECT_THAT(CauseOf("\"share_percent\": 88.5\n", "\"share_percent\": 88.4\n"),
              StartsWith("families: the shares add up to 99.9 percent, at byte "));
}

// Those of an earlier vkmeter had neither: members may be added under one version.
TEST(ProfileRead, WithoutFamiliesItIsReadToo) {
  std::string document = Example().Format();
  for (const char *name : {"\"families\"", "\"phases\"", "\"family\": \"", "\"family_source\""}) {
    for (size_t at; (at = document.find(name)) != std::string::npos;) {
      document.replace(at + 1, 3, "old");
    }
  }
  Reading reading(document);
  ASSERT_EQ(reading.status, VKM_OK) << reading.error.cause;
  EXPECT_EQ(reading.profile.families.count, 0U);
  EXPECT_EQ(reading.profile.kernels[0].family, nullptr);
}

// Where the layer kept them; of no use where one of them is not known.
TEST(ProfileRead, BeginsOfSamplesComeBack) {
  Example example;
  EXPECT_EQ(Reading(example.Format()).profile.kernels[0].begins_ns, nullptr);
  example.settings = {{"sample_times", "1"}};
  example.Link();
  std::string document = example.Format();
  Reading reading(document);
  ASSERT_EQ(reading.status, VKM_OK) << reading.error.cause;
  EXPECT_EQ(reading.profile.run.started_monotonic_ns, 987654321000);
  const struct vkm_read_kernel &kernel = reading.profile.kernels[0];
  ASSERT_NE(kernel.begins_ns, nullptr);
  EXPECT_LE(kernel.begins_ns[0] + kernel.samples_ns[0], kernel.begins_ns[1]);
  size_t list = document.find('[', document.find("\"sample_begins_ns\""));
  document.insert(list + 1, "null,");
  EXPECT_EQ(Reading(document).profile.kernels[0].begins_ns, nullptr);
}

TEST(ProfileRead, QueuesCoverageAndCostComeBack) {
  Reading reading(Example().Format());
  ASSERT_EQ(reading.status, VKM_OK) << reading.error.cause;
  const struct vkm_read_profile &profile = reading.profile;
  ASSERT_EQ(profile.queue_count, 2U);
  EXPECT_TRUE(profile.queues[0].has_busy);
  EXPECT_EQ(profile.queues[0].busy_ns, 5500);
  EXPECT_FALSE(profile.queues[1].has_busy);
  EXPECT_EQ(profile.queues[1].index, 3U);
  EXPECT_EQ(profile.dispatches_recorded, 45U);
  EXPECT_EQ(profile.dispatches.executed, 44U);
  EXPECT_EQ(profile.dispatches.measured, 29U);
  EXPECT_EQ(profile.beyond_rows.executed, 5U);
  EXPECT_TRUE(profile.overhead.has_record);
  EXPECT_NEAR(profile.overhead.record_ns_per_mark, 100.0 / 3, 1e-6);
  EXPECT_EQ(profile.overhead.peak_bytes, 65536U);
}

TEST(ProfileRead, ErrorsNamePathCauseByteAndLine) {
  EXPECT_THAT(CauseOf("\"pid\": 4242", "\"pid\": \"4242\""),
              StartsWith("run.pid: expected a number, found text, at byte "));
  std::string text = Example().Format();
  size_t place = text.find("\"pid\": 4242") + std::string("\"pid\": ").size();
  long line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(place), '\n');
  EXPECT_THAT(CauseOf("\"pid\": 4242", "\"pid\": null"),
              EndsWith("found null, at byte " + std::to_string(place) + " (line " +
                       std::to_string(line) + ")"));
  EXPECT_THAT(CauseOf("\"groups\": [4, 2, 1]", "\"groups\": [4, 2]"),
              StartsWith("kernels[0].groups: expected 3 numbers, found 2, at byte "));
  EXPECT_THAT(CauseOf("\"groups\": [4, 2, 1]", "\"groups\": [4, 2.5, 1]"),
              StartsWith("kernels[0].groups[1]: expected a whole number, at byte "));
  EXPECT_THAT(CauseOf("\"host_query_reset\": true", "\"host_query_reset\": 1"),
              StartsWith("devices[0].capabilities.host_query_reset: expected true or false"));
  EXPECT_THAT(CauseOf("\"pipelines\"", "\"pipelanes\""), StartsWith("pipelines: missing, in the"));
}

TEST(ProfileRead, NumbersOutOfRangeAreRefused) {
  EXPECT_THAT(CauseOf("\"pid\": 4242", "\"pid\": 1e999"), HasSubstr("out of range"));
  EXPECT_THAT(CauseOf("\"duration_ns\": 2500000000", "\"duration_ns\": 9007199254740992"),
              HasSubstr("out of range"));
  EXPECT_THAT(CauseOf("\"recorded\": 45", "\"recorded\": -1"), HasSubstr("out of range"));
  EXPECT_THAT(CauseOf("\"recorded\": 45", "\"recorded\": 18446744073709551616"),
              HasSubstr("out of range"));
  EXPECT_THAT(CauseOf("\"family\": 1", "\"family\": 4294967296"), HasSubstr("out of range"));
}

TEST(ProfileRead, PlacesThatAreNotThereAreRefused) {
  EXPECT_THAT(CauseOf("\"first_use\": 0", "\"first_use\": 4"),
              HasSubstr("no such index: there are 4"));
  EXPECT_THAT(CauseOf("\"pipeline\": \"p0\"", "\"pipeline\": \"p3\""),
              HasSubstr("no pipeline has the id 'p3'"));
  EXPECT_THAT(CauseOf("\"pipeline\": \"p0\"", "\"pipeline\": \"p2\""),
              HasSubstr("belongs to another device"));
}

TEST(ProfileRead, OtherDocumentsAreToldApart) {
  const struct {
    const char *text, *cause;
  } cases[] = {
      {"", "it is empty"},
      {" \n\t", "it is empty"},
      {"[]", "it is JSON without a schema, so no profile of vkmeter"},
      {"7", "it is JSON without a schema, so no profile of vkmeter"},
      {"{\"schema\": 1}", "it is JSON without a schema, so no profile of vkmeter"},
      {"{\"schema\": \"vkmeter.profile/2\"}",
       "its schema is 'vkmeter.profile/2', this vkmeter reads 'vkmeter.profile/1'"},
      {"{\"schema\": \"other.trace/2\"}",
       "its schema is 'other.trace/2', so it is no profile of vkmeter"},
      {"hello", "no JSON: expected a value, found 'h', at byte 0 (line 1)"},
      {"{\"a\":\n[1, 2", "truncated: the document breaks off, at byte 11 (line 2)"},
      {"{\"a\": \"b", "truncated: the document breaks off, at byte 8 (line 1)"},
      {"{} {}", "no JSON: expected the end of the file, found '{', at byte 3 (line 1)"},
  };
  for (const auto &one : cases) {
    Reading reading(one.text);
    EXPECT_EQ(reading.status, VKM_BAD_INPUT) << one.text;
    EXPECT_STREQ(reading.error.cause, one.cause) << one.text;
  }
}

TEST(ProfileRead, NestingHasALimit) {
  std::string deep(100000, '[');
  Reading reading(deep);
  EXPECT_EQ(reading.status, VKM_BAD_INPUT);
  EXPECT_STREQ(reading.error.cause, "nested deeper than 64 levels, at byte 64 (line 1)");
}

TEST(ProfileRead, EveryPrefixIsTruncated) {
  std::string text = Example().Format();
  text.erase(text.find_last_of('}')); // a document without its last bracket and line end
  for (size_t length = 1; length < text.size(); length += 97) {
    Reading reading(text.substr(0, length));
    EXPECT_EQ(reading.status, VKM_BAD_INPUT);
    EXPECT_THAT(reading.error.cause, StartsWith("truncated:")) << length;
  }
}

TEST(ProfileRead, UnknownMembersAreTolerated) {
  Reading reading(
      Replaced(Example().Format(), "\"complete\": true,", "\"complete\": true, \"later\": [{}],"));
  EXPECT_EQ(reading.status, VKM_OK) << reading.error.cause;
  EXPECT_TRUE(reading.profile.complete);
}

TEST(ProfileRead, ANameTwiceIsAnError) {
  EXPECT_THAT(CauseOf("\"complete\": true,", "\"complete\": true, \"complete\": true,"),
              StartsWith("\"complete\" is there twice in one object, at byte "));
  EXPECT_THAT(CauseOf("\"complete\": true,", R"("complete": true, "compl\u0065te": true,)"),
              StartsWith(R"("compl\u0065te" is there twice)"));
}

// One failure, and no memory at all from there on.
TEST(ProfileRead, ShortMemoryIsToldAndLeaksNothing) {
  std::string text = Example().Format();
  for (unsigned long failures : {1UL, ULONG_MAX}) {
    unsigned long nth = 1;
    for (;; nth++) {
      vkm_alloc_fail(nth, failures);
      Reading reading(text);
      vkm_alloc_fail(0, 0);
      if (reading.status == VKM_OK) {
        break;
      }
      ASSERT_EQ(reading.status, VKM_OUT_OF_MEMORY) << nth;
      ASSERT_STREQ(reading.error.cause, "out of memory");
    }
    EXPECT_GT(nth, 100U);
  }
}

TEST(ProfileRead, FilesAreReadAndMissingOnesTold) {
  std::string path = testing::TempDir() + "profile_read_test.json";
  std::ofstream(path) << Example().Format();
  struct vkm_read_profile profile = {};
  struct vkm_read_error error = {};
  EXPECT_EQ(vkm_profile_read(path.c_str(), &profile, &error), VKM_OK) << error.cause;
  EXPECT_EQ(profile.device_count, 3U);
  vkm_profile_read_finish(&profile);
  ASSERT_EQ(std::remove(path.c_str()), 0);
  EXPECT_EQ(vkm_profile_read(path.c_str(), &profile, &error), VKM_IO);
  EXPECT_STREQ(error.cause, "No such file or directory");
}

TEST(ProfileReadPlace, FindsMembersAndElements) {
  const std::string text = R"( {"a, \"b": [1, {"c": "]"}, [2]], "d": 7})";
  size_t root = vkm_place_root(text.data(), text.size());
  EXPECT_EQ(text[root], '{');
  size_t list = vkm_place_member(text.data(), text.size(), root, "a, \\\"b");
  EXPECT_EQ(text.substr(list, 3), "[1,");
  EXPECT_EQ(text.substr(vkm_place_element(text.data(), text.size(), list, 2), 3), "[2]");
  EXPECT_EQ(text.substr(vkm_place_element(text.data(), text.size(), list, 1), 4), "{\"c\"");
  EXPECT_EQ(text[vkm_place_member(text.data(), text.size(), root, "d")], '7');
  EXPECT_EQ(vkm_place_member(text.data(), text.size(), root, "e"), root);
}
