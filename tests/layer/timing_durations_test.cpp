// Durations, gaps and merged stamps, to the nanosecond of the scripted driver (pitfalls D15, D16).
//
// In: recordings whose times are worked out by hand (fake_driver.h, WORKED EXAMPLES; issue 10 ns).
// Out: the profile's samples.
#include "layer_test_case.h"

namespace {

class TimingDurations : public LayerTest {};

// Without a barrier they overlap: the second is charged what it added, and its begin is the end of
// the first.
TEST_F(TimingDurations, D15_OverlappingDispatchIsChargedWhatItAdded) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkPipeline b = gpu.Pipeline("b", 8000);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, a);
  gpu.Dispatch(buffer, b);
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{3010});
  EXPECT_EQ(profile.Row("a").overlap_possible, 0);
  EXPECT_EQ(profile.Row("b").overlap_possible, 1);
  EXPECT_EQ(profile.Row("b").gap_sum, 0);
  EXPECT_EQ(profile.Row("b").gap_count, 1);
  EXPECT_EQ(profile.Coverage().measured, 2);
}

TEST_F(TimingDurations, D15_BarrierMakesDispatchesFollowEachOther) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkPipeline b = gpu.Pipeline("b", 8000);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, a);
  gpu.Barrier(buffer);
  gpu.Dispatch(buffer, b);
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{8000});
  EXPECT_EQ(profile.Row("b").overlap_possible, 0);
}

} // namespace
