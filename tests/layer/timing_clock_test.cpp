// Ticks to nanoseconds: period, valid bits, wrap; results that cannot be true (pitfalls D12 to
// D14).
//
// In: scripted clocks and moods of queries. Out: samples, or the reason why there are none.
#include "layer_test_case.h"

namespace {

class TimingClock : public LayerTest {
protected:
  // a costs 5000 and ends at 5010; b overlaps it and ends at 8020.
  Profile RunAB(const std::string &script) {
    Open(script);
    VkPipeline a = gpu.Pipeline("a", 5000);
    VkPipeline b = gpu.Pipeline("b", 8000);
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(buffer, a);
    gpu.Dispatch(buffer, b);
    gpu.Run(buffer);
    if (fake_config()->query_mode == FAKE_QUERY_LATE) {
      Settle();
    }
    return Finish();
  }

  void ExpectExact(const std::string &script) {
    Profile profile = RunAB(script);
    EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
    EXPECT_EQ(profile.Row("b").samples, Nanoseconds{3010});
  }

  void ExpectRejected(const std::string &script, const char *reason) {
    Profile profile = RunAB(script);
    EXPECT_EQ(profile.Coverage().executed, 2);
    EXPECT_EQ(profile.Coverage().measured, 0);
    EXPECT_EQ(profile.Row("a").outcomes.rejected, (Counts{{reason, 1}}));
    EXPECT_EQ(profile.Row("b").outcomes.rejected, (Counts{{reason, 1}}));
    EXPECT_EQ(profile.Row("a").seen, 0);
  }

  void ExpectNoPeriod(const std::string &script) {
    Profile profile = RunAB(script);
    EXPECT_EQ(profile.Coverage().executed, 2);
    EXPECT_EQ(profile.Row("a").outcomes.untimed, (Counts{{"no_period", 1}}));
    EXPECT_TRUE(cJSON_IsNull(profile.At("devices.0.timestamp_period_ns")));
    EXPECT_EQ(fake_call_count("vkCreateQueryPool"), 0U);
  }
};

// 96 ticks, then 57 (ends at tick 153): 96 * 52.08 = 4999.7, 57 * 52.08 = 2968.6.
TEST_F(TimingClock, D14_Period52) {
  Profile profile = RunAB("period=52.08");
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5000});
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{2969});
}

// 60 ticks, then 36.
TEST_F(TimingClock, D14_Period83) {
  Profile profile = RunAB("period=83.3333");
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5000});
  EXPECT_EQ(profile.Row("b").samples, Nanoseconds{3000});
}

// 2^53 ticks are past what a double holds; only differences are converted.
TEST_F(TimingClock, D14_LargeTicksKeepEveryNanosecond) {
  ExpectExact("start_ticks=9223372036854775806");
}

TEST_F(TimingClock, D14_PeriodZero) {
  ExpectNoPeriod("period=0");
}

TEST_F(TimingClock, D14_PeriodInfinite) {
  ExpectNoPeriod("period=inf");
}

TEST_F(TimingClock, D14_PeriodNotANumber) {
  ExpectNoPeriod("period=nan");
}

TEST_F(TimingClock, D13_WrapOf36Bits) {
  ExpectExact("valid_bits=36;start_ticks=68719476636"); // 2^36 - 100
}

TEST_F(TimingClock, D13_WrapOf48Bits) {
  ExpectExact("valid_bits=48;start_ticks=281474976704656"); // 2^48 - 6000: within b
}

TEST_F(TimingClock, D13_WrapOf64Bits) {
  ExpectExact("valid_bits=64;start_ticks=18446744073709551516"); // 2^64 - 100
}

TEST_F(TimingClock, D12_NoValidBits) {
  Profile profile = RunAB("valid_bits=0");
  EXPECT_EQ(profile.Row("a").outcomes.untimed, (Counts{{"no_timestamps", 1}}));
  EXPECT_EQ(fake_call_count("vkCreateQueryPool"), 0U);
}

// D13: five seconds cannot have passed since the submission. The whole execution is dropped.
TEST_F(TimingClock, D13_G5_LongerThanTheWallClock) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkPipeline age = gpu.Pipeline("age", UINT64_C(5000000000));
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, a);
  gpu.Dispatch(buffer, age);
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").outcomes.rejected, (Counts{{"too_long", 1}}));
  EXPECT_EQ(profile.Row("age").outcomes.rejected, (Counts{{"too_long", 1}}));
}

TEST_F(TimingClock, D29_G5_ZeroIsNoTime) {
  ExpectRejected("query_mode=zero", "zero_stamp");
}

TEST_F(TimingClock, D29_G5_QueriesThatNeverComeAreGivenUp) {
  ExpectRejected("query_mode=never", "unavailable");
}

TEST_F(TimingClock, D29_QueriesThatComeLateAreRead) {
  ExpectExact("query_mode=late;late_ms=50");
}

// Available is what is not 0.
TEST_F(TimingClock, D29_AvailabilityTwo) {
  ExpectExact("availability=2");
}

TEST_F(TimingClock, D29_G5_ReadErrorIsNoTime) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  fake_fail("vkGetQueryPoolResults", 0, VK_ERROR_OUT_OF_HOST_MEMORY);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, a);
  gpu.Run(buffer);
  EXPECT_EQ(Finish().Row("a").outcomes.rejected, (Counts{{"read_error", 1}}));
}

// A counter that starts again between two recordings spoils neither: only differences count.
TEST_F(TimingClock, D13_CounterThatStartsAgain) {
  Open("start_ticks=1000000000");
  VkPipeline a = gpu.Pipeline("a", 5000);
  for (uint64_t start : {UINT64_C(1000000000), UINT64_C(0)}) {
    fake_config()->start_ticks = start;
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(buffer, a);
    gpu.Run(buffer);
  }
  EXPECT_EQ(Finish().Row("a").samples, (Nanoseconds{5010, 5010}));
}

// In the middle of one: what would be a time of years is dropped, and the next one is measured.
TEST_F(TimingClock, D13_G5_CounterThatStartsAgainInARecording) {
  Open("start_ticks=1000000000;tick_reset_ns=3000");
  VkPipeline a = gpu.Pipeline("a", 5000);
  for (int i = 0; i < 2; i++) {
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, a);
    gpu.Run(buffer);
  }
  KernelRow row = Finish().Row("a");
  EXPECT_EQ(row.outcomes.rejected, (Counts{{"out_of_order", 1}}));
  EXPECT_EQ(row.samples, Nanoseconds{5010});
}

} // namespace
