// The writer when the sink or the memory gives out, and over a long run.
#include "timeline_writing.hpp"

#include <random>

extern "C" {
#include "base/text.h"
#include "timeline/statistics.h"
}

using viewer::Trace;
using namespace writing;

namespace {

const std::vector<std::string> kNoFaults;

class TimelineFailures : public testing::TestWithParam<vkm_trace_style> {};
INSTANTIATE_TEST_SUITE_P(Timeline, TimelineFailures,
                         testing::Values(VKM_TRACE_RENDER_STAGE, VKM_TRACE_TRACK_EVENT));

size_t Drawn(const Trace &trace) {
  size_t found = trace.stages.size();
  for (const viewer::Slice &slice : trace.slices) {
    found += slice.category == "vulkan.gpu" ? 1 : 0;
  }
  return found;
}

void Add(std::string *text, const viewer::Values &values) {
  for (const auto &value : values) {
    *text += " " + value.first + "=" + value.second;
  }
}

// All that is said of each call and each command, but for its lane: that depends on the others.
std::multiset<std::string> Said(const Trace &trace) {
  std::multiset<std::string> all;
  for (const viewer::Stage &stage : trace.stages) {
    std::string text = std::to_string(stage.begin) + " " + stage.name;
    Add(&text, stage.kernel_args);
    Add(&text, stage.launch_args);
    all.insert(text);
  }
  for (const viewer::Slice &slice : trace.slices) {
    if (slice.category != "vulkan.label") {
      std::string text = std::to_string(slice.begin) + " " + slice.name;
      Add(&text, slice.notes);
      for (const auto *ids : {&slice.submits, &slice.waits, &slice.terminating}) {
        for (const uint64_t id : *ids) {
          text += " " + std::to_string(id);
        }
      }
      all.insert(text);
    }
  }
  return all;
}

TEST_P(TimelineFailures, WhatTheSinkLostIsToldAgain) {
  std::mt19937 random(11);
  for (int round = 0; round < 30; round++) {
    How how = in(GetParam());
    how.keeps = [&random](size_t) { return random() % 3 != 0; };
    const Written written = write(program(30), how);
    ASSERT_GT(written.refused, 10U);
    const Trace trace(written.bytes);
    // An end that was lost is written with the next batch; only that of the very last may be
    // missing: who closes a trace keeps room for it.
    for (const std::string &fault : trace.faults) {
      EXPECT_EQ(fault.find("a slice without an end"), 0U) << fault;
    }
  }
}

TEST_P(TimelineFailures, ASinkThatIsFullKeepsItsLastWords) {
  for (const size_t kept : {0U, 1U, 2U, 10U, 50U, 51U, 52U, 53U, 54U, 55U}) {
    How how = in(GetParam());
    bool closing = false;
    how.keeps = [&closing, kept](size_t batch) { return closing || batch < kept; };
    how.between = [&closing](vkm_trace_writer *) { closing = true; };
    const Trace trace(write(program(30), how).bytes);
    EXPECT_EQ(trace.faults, kNoFaults);
    ASSERT_FALSE(trace.instants.empty());
    EXPECT_EQ(trace.instants.back().name, "vkmeter");
  }
}

TEST_P(TimelineFailures, AfterALossNothingIsMissing) {
  How how = in(GetParam());
  how.keeps = [](size_t batch) { return batch % 2 == 1; };
  std::vector<vkm_event> events;
  for (uint64_t i = 0; i < 10; i++) { // each twice: the first is lost
    const auto at = static_cast<int64_t>(100 * i);
    events.push_back(gpu(2 * i + 1, at, at + 10, 1, static_cast<uint32_t>(i)));
    events.push_back(gpu(2 * i + 2, at, at + 10, 1, static_cast<uint32_t>(i)));
  }
  const Trace trace(write(events, how).bytes);
  EXPECT_EQ(trace.faults, kNoFaults);
  EXPECT_EQ(Drawn(trace), 10U);
}

// The writer, its first batch, the seven names of the last packet and the table that they are in.
constexpr unsigned long kAtOpening = 11;

TEST_P(TimelineFailures, EachRequestForMemoryMayFail) {
  const std::vector<vkm_event> events = program(12);
  const unsigned long before = vkm_alloc_count();
  const Trace complete(write(events, in(GetParam())).bytes);
  const std::multiset<std::string> said = Said(complete);
  const size_t whole = Drawn(complete);
  const unsigned long asked = vkm_alloc_count() - before;
  ASSERT_EQ(whole, 48U);
  ASSERT_GT(asked, 30U);
  for (const unsigned long count : {1UL, 1000000UL}) { // alone, or with all that follow
    for (unsigned long nth = 1; nth <= asked; nth++) {
      vkm_alloc_fail(nth, count);
      const Written written = write(events, in(GetParam()));
      vkm_alloc_fail(0, 0);
      if (!written.opened) {
        EXPECT_LE(nth, kAtOpening);
        continue;
      }
      const Trace trace(written.bytes);
      EXPECT_EQ(trace.faults, kNoFaults) << nth;
      ASSERT_FALSE(trace.instants.empty()) << nth << " of " << count;
      EXPECT_EQ(trace.instants.back().name, "vkmeter") << nth; // needs no memory any more
      const size_t all = Drawn(trace);
      const std::multiset<std::string> some = Said(trace); // an event is whole, or lost
      EXPECT_TRUE(std::includes(said.begin(), said.end(), some.begin(), some.end())) << nth;
      EXPECT_LE(whole - all, written.lost) << nth;
      EXPECT_TRUE(count != 1 || written.lost <= 1) << nth << " " << written.lost;
    }
  }
}

TEST_P(TimelineFailures, ALongRunTakesNoMoreMemory) {
  Written written;
  How how = in(GetParam());
  how.keeps = [&written](size_t) {
    written.bytes.clear();
    return true;
  };
  Sink sink{&written, &how};
  vkm_trace_writer *writer = open(how, &sink);
  std::vector<vkm_event> events = program(100);
  vkm_trace_writer_add(writer, events.data(), events.size(), &written.lost);
  const unsigned long asked = vkm_alloc_count();
  const size_t many = GetParam() == VKM_TRACE_RENDER_STAGE ? 1000000 : 250000;
  size_t total = 0;
  while (total < many) {
    for (vkm_event &each : events) { // the program goes on
      each.begin_ns += 20000000;
      each.end_ns += 20000000;
      each.clock.line_ns += each.type == VKM_EVENT_CLOCK ? 20000000 : 0;
    }
    vkm_trace_writer_add(writer, events.data(), events.size(), &written.lost);
    total += events.size();
  }
  EXPECT_EQ(vkm_alloc_count(), asked);
  EXPECT_EQ(written.lost, 0U);
  EXPECT_LT(written.largest, 64U * 1024);
  const vkm_trace_counts counts = {};
  vkm_trace_writer_close(writer, &counts);
}

TEST_P(TimelineFailures, ThreadsWithoutEndAreStillDrawn) {
  std::vector<vkm_event> events;
  for (uint32_t i = 1; i <= 5000; i++) {
    events.push_back(call(VKM_CALL_QueueSubmit, i, 10, 20, i));
  }
  const Written written = write(events, in(GetParam()));
  const Trace trace(written.bytes);
  EXPECT_EQ(trace.faults, kNoFaults);
  EXPECT_EQ(trace.slices.size(), 5000U);
  EXPECT_EQ(trace.tracks.size(), 5001U);
  EXPECT_EQ(written.lost, 0U);
}

TEST_P(TimelineFailures, QueuesBeyondTheCapAreCounted) {
  std::vector<vkm_event> events;
  for (uint32_t i = 0; i < 300; i++) {
    events.push_back(gpu(i + 1, 10, 20, i + 1));
    events.back().queue = i;
  }
  const Written written = write(events, in(GetParam()));
  const Trace trace(written.bytes);
  EXPECT_EQ(trace.faults, kNoFaults);
  EXPECT_EQ(Drawn(trace), 256U);
  EXPECT_EQ(written.lost, 44U);
}

// A dispatch with its share of the submit and of the wait that saw it finished, times and numbers
// as large as those of a day's run.
TEST(Timeline, BytesOfADispatch) {
  const uint64_t dispatches = 20000;
  std::vector<vkm_event> events;
  const int64_t day = 86400LL * 1000000000LL;
  for (uint64_t i = 0; i < dispatches; i++) {
    const auto at = day + static_cast<int64_t>(20000 * i);
    const auto execution = static_cast<uint32_t>(100000 + i / 1000);
    if (i % 1000 == 0) {
      events.push_back(call(VKM_CALL_QueueSubmit, 7, at, at + 10, execution, 1));
      events.push_back(range(execution, 1000000 + i, 1000));
      events.push_back(call(VKM_CALL_WaitForFences, 7, at + 10, at + 20, 0, 1));
      events.push_back(range(execution, 1000000 + i, 1000));
    }
    events.push_back(gpu(1000000 + i, at, at + 10000, execution, 3 + i % 50, 1 + i / 100 % 4));
  }
  const double each = static_cast<double>(write(events).bytes.size()) / dispatches;
  const double slice =
      static_cast<double>(write(events, in(VKM_TRACE_TRACK_EVENT)).bytes.size()) / dispatches;
  std::printf("bytes a dispatch: %.1f as a stage, %.1f as a slice\n", each, slice);
  EXPECT_LE(each, 80);
  EXPECT_LE(slice, 300);
}

TEST(Timeline, CallsHaveTheirNames) {
  EXPECT_STREQ(vkm_call_name(VKM_CALL_CreateInstance), "vkCreateInstance");
  EXPECT_STREQ(vkm_call_name(VKM_CALL_DeviceWaitIdle), "vkDeviceWaitIdle");
  EXPECT_EQ(vkm_call_activity(VKM_CALL_QueueSubmit2), VKM_ACTIVITY_SUBMIT);
  EXPECT_EQ(vkm_call_activity(VKM_CALL_QueuePresentKHR), VKM_ACTIVITY_COUNT);
}

TEST(Timeline, FiguresThatViewersKnow) {
  EXPECT_STREQ(vkm_statistic_viewed("VGPRs"), "registers_per_thread");
  EXPECT_STREQ(vkm_statistic_viewed("LDS size"), "shared_mem_static");
  EXPECT_STREQ(vkm_statistic_viewed("LDS Size"), "shared_mem_static");
  EXPECT_STREQ(vkm_statistic_viewed("Register Count"), "registers_per_thread");
  EXPECT_EQ(vkm_statistic_viewed("Subgroups per SIMD"), nullptr);
  EXPECT_EQ(vkm_statistic_viewed(""), nullptr);
}

} // namespace
