// One workload of which every figure is known: 40 recordings of two dispatches that overlap, some
// of them control, on a counter of 36 bits that wraps in between.
//
// In: the scripted driver (fake_driver.h, THE MODEL) with issue 10 ns, stamp 100 ns, a 5000 ns, b
// 8000 ns. A submission starts at T, when the one before has ended. With stamps: s0 T+100; a T+110
// to T+5110; s1 T+5110; b, issued at T+220, to T+8220; s2 and the closing stamp T+8220. So a is
// charged 5010, b what it adds, 3110, and the span is 8120. Control: s0 T+100; a T+110; b T+120 to
// T+8120; the closing stamp T+8120: 8020. Out: the whole profile.

#include "layer_test_case.h"

namespace {

constexpr int64_t kRecordings = 40, kControl = 3, kMeasured = kRecordings - kControl;

class TimingKnown : public LayerTest {
protected:
  Profile Run() {
    Setting("CONTROL_EVERY", "8");
    Open("families=gc1:36;stamp_ns=100;start_ticks=68719376736"); // 2^36 - 100000
    VkPipeline a = gpu.Pipeline("a", 5000);
    VkPipeline b = gpu.Pipeline("b", 8000);
    for (int64_t i = 0; i < kRecordings; i++) {
      VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
      gpu.Dispatch(buffer, a, 2, 3, 4);
      gpu.Dispatch(buffer, b);
      gpu.Run(buffer);
    }
    return Finish();
  }
  static double Real(const Profile &profile, const std::string &path) {
    const cJSON *item = profile.At(path);
    EXPECT_TRUE(cJSON_IsNumber(item)) << path;
    return cJSON_IsNumber(item) ? item->valuedouble : -1;
  }
};

TEST_F(TimingKnown, D13_EveryFigureIsExact) {
  Profile profile = Run();

  Outcomes coverage = profile.Coverage();
  EXPECT_EQ(coverage.recorded, 2 * kRecordings);
  EXPECT_EQ(coverage.executed, 2 * kRecordings);
  EXPECT_EQ(coverage.measured, 2 * kMeasured);
  EXPECT_EQ(coverage.control, 2 * kControl);

  KernelRow a = profile.Row("a");
  EXPECT_EQ(a.groups, (Nanoseconds{2, 3, 4}));
  EXPECT_EQ(a.samples, Nanoseconds(kMeasured, 5010));
  EXPECT_EQ(a.sum, kMeasured * 5010);
  EXPECT_EQ(a.median, 5010);
  EXPECT_EQ(a.gap_count, 0);
  EXPECT_EQ(a.overlap_possible, 0);
  EXPECT_EQ(a.first_use, 0);
  EXPECT_EQ(a.outcomes.control, kControl);
  KernelRow b = profile.Row("b");
  EXPECT_EQ(b.samples, Nanoseconds(kMeasured, 3110));
  EXPECT_EQ(b.sum, kMeasured * 3110);
  EXPECT_EQ(b.gap_count, kMeasured);
  EXPECT_EQ(b.gap_sum, 0);
  EXPECT_EQ(b.overlap_possible, kMeasured);

  ASSERT_EQ(cJSON_GetArraySize(profile.At("plans")), 1);
  EXPECT_EQ(profile.Number("plans.0.commands"), 2);
  EXPECT_EQ(profile.Number("plans.0.recordings"), kRecordings);
  EXPECT_EQ(profile.Number("plans.0.executions"), kRecordings);
  EXPECT_EQ(profile.Number("plans.0.measured"), kMeasured);
  EXPECT_EQ(profile.Number("plans.0.control_measured"), kControl);
  EXPECT_EQ(profile.Number("plans.0.span.instrumented.min"), 8120);
  EXPECT_EQ(profile.Number("plans.0.span.instrumented.max"), 8120);
  EXPECT_EQ(profile.Number("plans.0.span.instrumented.sum"), kMeasured * 8120);
  EXPECT_EQ(profile.Number("plans.0.span.control.min"), 8020);
  EXPECT_EQ(profile.Number("plans.0.span.control.sum"), kControl * 8020);
  EXPECT_NEAR(Real(profile, "plans.0.instrumentation_ratio"), 8120.0 / 8020, 5e-7);
  EXPECT_NEAR(Real(profile, "overhead.instrumentation_ratio"), 8120.0 / 8020, 5e-7);
  EXPECT_TRUE(cJSON_IsNull(profile.At("plans.0.instrumentation_ratio_low"))); // of 3 pairs at most
  EXPECT_EQ(profile.Number("plans.0.marks.0.median"), 5010);
  EXPECT_EQ(profile.Number("plans.0.marks.1.median"), 3110);
  EXPECT_EQ(profile.Number("plans.0.marks.1.samples_seen"), kMeasured);

  ASSERT_EQ(profile.Queues().size(), 1U);
  QueueRow queue = profile.Queues()[0];
  EXPECT_EQ(queue.submissions, kRecordings);
  EXPECT_EQ(queue.command_buffers, kRecordings);
  EXPECT_EQ(queue.busy, kMeasured * 8120 + kControl * 8020);
  EXPECT_EQ(queue.idle,
            (kRecordings - 1) * 100); // from the end of one to the first stamp of the next
  EXPECT_EQ(queue.last - queue.first, queue.busy + queue.idle);

  EXPECT_EQ(profile.Number("overhead.stamps_written"), kMeasured * 4 + kControl * 2);
  EXPECT_EQ(profile.Number("overhead.marks_recorded"), 2 * kRecordings);
  EXPECT_EQ(profile.Number("overhead.submits"), kRecordings);
}

} // namespace
