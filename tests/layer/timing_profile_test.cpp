// What the profile says besides durations: kinds of commands, rows, samples kept, first use,
// identity, checkpoints.
//
// In: dispatches of every kind. Out: rows and coverage.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "layer_test_case.h"

namespace {

class TimingProfile : public LayerTest {
protected:
  std::string Content() {
    std::ifstream file(profile_path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
};

TEST_F(TimingProfile, E3_DispatchBase) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000, 10);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Bind(buffer, a);
  gpu.vk.CmdDispatchBase(buffer, 1, 2, 3, 4, 5, 6);
  gpu.Run(buffer);
  Profile profile = Finish();
  KernelRow row = profile.Row("a");
  EXPECT_EQ(row.kind, "dispatch_base");
  EXPECT_EQ(row.groups, (Nanoseconds{4, 5, 6}));
  EXPECT_EQ(row.base, (Nanoseconds{1, 2, 3}));
  EXPECT_EQ(row.samples, Nanoseconds{1000 + 10 * 120 + 10});
  EXPECT_EQ(profile.Coverage().measured, 1);
}

TEST_F(TimingProfile, E3_DispatchBaseOfTheExtension) {
  GpuOptions options;
  options.extensions = {"VK_KHR_device_group"};
  Open("", options);
  ASSERT_NE(gpu.vk.CmdDispatchBaseKHR, nullptr);
  VkPipeline a = gpu.Pipeline("a", 1000, 10);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Bind(buffer, a);
  gpu.vk.CmdDispatchBaseKHR(buffer, 0, 0, 7, 2, 1, 1);
  gpu.Run(buffer);
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.base, (Nanoseconds{0, 0, 7}));
  EXPECT_EQ(row.samples, Nanoseconds{1030});
}

TEST_F(TimingProfile, E2_DispatchIndirect) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000, 10);
  void *bytes;
  VkBuffer arguments = gpu.Buffer(16, &bytes);
  const uint32_t groups[] = {3, 2, 1};
  std::memcpy(static_cast<char *>(bytes) + 4, groups, sizeof groups);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Bind(buffer, a);
  gpu.vk.CmdDispatchIndirect(buffer, arguments, 4);
  gpu.Run(buffer);
  Profile profile = Finish();
  KernelRow row = profile.Row("a");
  EXPECT_EQ(row.kind, "dispatch_indirect");
  EXPECT_TRUE(row.groups.empty()); // null
  EXPECT_EQ(row.samples, Nanoseconds{1070});
  EXPECT_EQ(profile.Coverage().measured, 1);
}

// D24: the first execution of a pipeline is an outlier to be known as such: marked, and not lost.
TEST_F(TimingProfile, D24_FirstUseIsMarkedAndKept) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 9000);
  gpu.RunOne(a);
  fake_set_cost("a", 1000, 0);
  gpu.RunOne(a);
  gpu.RunOne(a);
  gpu.RunOne(a, 2);
  std::vector<KernelRow> rows = Finish().Rows("a");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].samples, (Nanoseconds{9010, 1010, 1010}));
  EXPECT_EQ(rows[0].first_use, 0);
  EXPECT_EQ(rows[1].samples, Nanoseconds{1010});
  EXPECT_EQ(rows[1].first_use, -1);
}

TEST_F(TimingProfile, D41_SamplesAreCappedAndSumsAreNot) {
  Setting("SAMPLES", "10");
  auto run = [this](const char *name) {
    Setting("OUTPUT", folder + "/" + name);
    InChild([this] {
      Open();
      VkPipeline a = gpu.Pipeline("a", 5000);
      for (uint64_t i = 0; i < 200; i++) {
        fake_set_cost("a", 5000 + i, 0);
        gpu.RunOne(a);
      }
      gpu.Close();
    });
    return Profile(folder + "/" + name).Row("a");
  };
  KernelRow row = run("first.json");
  EXPECT_EQ(row.seen, 200);
  EXPECT_EQ(row.kept, 10);
  EXPECT_EQ(row.samples.size(), 10U);
  EXPECT_EQ(row.min, 5010);
  EXPECT_EQ(row.max, 5209);
  EXPECT_EQ(row.sum, 200 * 5010 + 199 * 200 / 2);
  // In order of harvest, not only the first ones, and the same ones again.
  EXPECT_TRUE(std::is_sorted(row.samples.begin(), row.samples.end()));
  EXPECT_GT(row.samples.back(), 5019);
  EXPECT_EQ(run("second.json").samples, row.samples);
}

// The same module with other constants is another kernel; constants that say nothing are not.
TEST_F(TimingProfile, G4_SpecializationMakesAKernel) {
  Open();
  VkPipeline one = gpu.Pipeline("a", 5000, 0, {{0, 7}});
  VkPipeline two = gpu.Pipeline("a", 5000, 0, {{0, 8}});
  VkPipeline same = gpu.Pipeline("a", 5000, 0, {{0, 7}, {99, 1}});
  for (VkPipeline pipeline : {one, two, same}) {
    gpu.RunOne(pipeline);
  }
  std::vector<KernelRow> rows = Finish().Rows("a");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].outcomes.measured, 2);
  EXPECT_EQ(rows[1].outcomes.measured, 1);
}

TEST_F(TimingProfile, E10_LabelsMakePhases) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  VkDebugUtilsLabelEXT outer{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, "outer"};
  VkDebugUtilsLabelEXT inner{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, "inner"};
  gpu.Dispatch(buffer, a);
  gpu.vk.CmdBeginDebugUtilsLabelEXT(buffer, &outer);
  gpu.vk.CmdBeginDebugUtilsLabelEXT(buffer, &inner);
  gpu.Dispatch(buffer, a);
  gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
  gpu.Dispatch(buffer, a);
  gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
  gpu.Dispatch(buffer, a);
  gpu.Run(buffer);
  std::vector<KernelRow> rows = Finish().Rows("a");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].phase, "unlabelled");
  EXPECT_EQ(rows[0].outcomes.measured, 2);
  EXPECT_EQ(rows[1].phase, "outer/inner");
  EXPECT_EQ(rows[1].outcomes.measured, 1);
  EXPECT_EQ(rows[2].phase, "outer");
}

// DUMP_SPIRV: the code under the hash that the profile names, whole, once.
TEST_F(TimingProfile, CodeIsWrittenUnderItsHash) {
  Setting("DUMP_SPIRV", folder);
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkPipeline again = gpu.Pipeline("a", 5000);
  EXPECT_NE(a, again);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, a);
  gpu.Run(buffer);
  Profile profile = Finish();
  std::string path = folder + "/" + profile.Text("pipelines.0.identity.spirv_hash") + ".spv";
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file.is_open()) << path;
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<uint32_t> code = ComputeModule("a");
  EXPECT_EQ(bytes, std::string(reinterpret_cast<const char *>(code.data()), code.size() * 4));
  std::remove(path.c_str());
}

TEST_F(TimingProfile, G2_CountsOfStampsAndMarks) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkCommandBuffer buffer = gpu.Begin();
  for (int i = 0; i < 3; i++) {
    gpu.Dispatch(buffer, a);
  }
  gpu.Run(buffer);
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  Profile profile = Finish();
  EXPECT_EQ(profile.Number("overhead.stamps_written"), 5);
  EXPECT_EQ(profile.Number("overhead.marks_recorded"), 3);
  EXPECT_EQ(profile.Coverage().recorded, 3);
  EXPECT_EQ(profile.Coverage().executed, 6);
  EXPECT_EQ(profile.Number("overhead.submits"), 2);
}

// While the program runs: a whole document each time, put in place at once, so that who has the old
// one open keeps it.
TEST_F(TimingProfile, F4_CheckpointIsWholeAndPutInPlaceAtOnce) {
  Open("completion=manual");
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkPipeline b = gpu.Pipeline("b", 8000);
  VkCommandBuffer done = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(done, a);
  gpu.End(done);
  VkCommandBuffer waiting = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(waiting, b);
  gpu.End(waiting);
  ASSERT_EQ(gpu.Submit({done}), VK_SUCCESS);
  fake_complete(1);
  ASSERT_EQ(gpu.Submit({waiting}, gpu.fence), VK_SUCCESS);
  ASSERT_TRUE(Eventually([this] { return Read().Exists(); }));
  int file = open(profile_path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(file, 0);
  std::string first = Content();
  Profile checkpoint = Read();
  EXPECT_FALSE(checkpoint.Flag("complete"));
  EXPECT_EQ(checkpoint.Text("end_reason"), "checkpoint");
  EXPECT_EQ(checkpoint.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(checkpoint.Row("b").outcomes.missed, (Counts{{"not_finished", 1}}));
  fake_complete_all();
  gpu.Wait();
  ASSERT_TRUE(Eventually([this] { return Read().Row("b").outcomes.measured == 1; }));
  std::string kept(first.size() + 1, '\0');
  EXPECT_EQ(pread(file, kept.data(), kept.size(), 0), static_cast<ssize_t>(first.size()));
  kept.resize(first.size());
  EXPECT_EQ(kept, first);
  close(file);
  Profile profile = Finish();
  EXPECT_TRUE(profile.Flag("complete"));
  EXPECT_EQ(profile.Text("end_reason"), "device_destroyed");
  EXPECT_TRUE(profile.Row("b").outcomes.missed.empty());
}

} // namespace
