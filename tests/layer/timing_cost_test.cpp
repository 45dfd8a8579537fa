// What recording costs is taken of some commands (layer/timing/cost.h), which must get the very
// stamps that the others get. In: long and short recordings, in each mode. Out: the profile's
// `overhead`, what the driver saw. No time is judged.

#include <algorithm>

#include "layer_test_case.h"

namespace {

constexpr int kFirst = 130, kLeast = 256,
              kMost = 769; // commands, to the first, to each further one

class TimingCost : public LayerTest {
protected:
  VkCommandBuffer RunLong(int dispatches) {
    Setting("CONTROL_EVERY", "0");
    Open();
    VkPipeline a = gpu.Pipeline("a", 5000);
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    for (int i = 0; i < dispatches; i++) {
      gpu.Dispatch(buffer, a);
      gpu.Barrier(buffer);
    }
    gpu.Run(buffer);
    return buffer;
  }
  long Seen(VkCommandBuffer buffer, const std::string &name) {
    const std::vector<std::string> commands = Recorded(buffer);
    return std::count_if(commands.begin(), commands.end(), [&](const std::string &command) {
      return command.substr(0, command.find(' ')) == name;
    });
  }
  static void ExpectTaken(const Profile &profile, int dispatches) {
    int64_t taken = profile.Number("overhead.record_sample_count");
    EXPECT_GE(taken, 1 + (dispatches - kFirst) / kMost);
    EXPECT_LE(taken, 1 + (dispatches - kFirst) / kLeast);
    EXPECT_TRUE(cJSON_IsNumber(profile.At("overhead.record_ns_per_mark")));
    EXPECT_EQ(profile.Coverage().executed, dispatches);
  }
};

TEST_F(TimingCost, TheCommandThatIsTakenIsStampedLikeAnyOther) {
  constexpr int kDispatches = 2000;
  VkCommandBuffer buffer = RunLong(kDispatches);
  EXPECT_EQ(Seen(buffer, "vkCmdWriteTimestamp"), 2 * kDispatches + 1);
  Profile profile = Finish();
  ExpectTaken(profile, kDispatches);
  EXPECT_EQ(profile.Coverage().measured, kDispatches);
  EXPECT_EQ(profile.Row("a").sum, kDispatches * 5000 + 10); // the first is issued behind its stamp
}

TEST_F(TimingCost, IsolatedItKeepsItsBarriers) {
  constexpr int kDispatches = 1200;
  Setting("MODE", "isolated");
  VkCommandBuffer buffer = RunLong(kDispatches);
  EXPECT_EQ(Seen(buffer, "vkCmdPipelineBarrier"), (3 + 1) * kDispatches);
  Profile profile = Finish();
  ExpectTaken(profile, kDispatches);
  EXPECT_EQ(profile.Coverage().measured, kDispatches);
}

TEST_F(TimingCost, WhereOnlyTheWholeIsTimedItGetsNoStamps) {
  constexpr int kDispatches = 1200;
  Setting("MODE", "submit");
  VkCommandBuffer buffer = RunLong(kDispatches);
  EXPECT_EQ(Seen(buffer, "vkCmdWriteTimestamp"), 2);
  Profile profile = Finish();
  ExpectTaken(profile, kDispatches);
  EXPECT_EQ(profile.Coverage().control, kDispatches);
}

TEST_F(TimingCost, ShortRecordingsTogether) {
  constexpr int kRecordings = 1200;
  Setting("CONTROL_EVERY", "0");
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  for (int i = 0; i < kRecordings; i++) {
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(buffer, a);
    gpu.Run(buffer);
  }
  Profile profile = Finish();
  ExpectTaken(profile, kRecordings);
  EXPECT_EQ(profile.Number("overhead.stamps_written"), 3 * kRecordings);
}

TEST_F(TimingCost, OfFewCommandsNothingIsSaid) {
  RunLong(kFirst - 10);
  Profile profile = Finish();
  EXPECT_TRUE(cJSON_IsNull(profile.At("overhead.record_ns_per_mark")));
  EXPECT_EQ(profile.Text("overhead.record_ns_per_mark_reason"), "not sampled");
}

} // namespace
