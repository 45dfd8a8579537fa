// The writer of traces, by what a viewer makes of them: see timeline_viewer.hpp.
#include "timeline_writing.hpp"

#include <ctime>

using viewer::Slice;
using viewer::Stage;
using viewer::Trace;
using namespace writing;

namespace {

std::vector<std::string> NoFaults() {
  return {};
}

class TimelineStyles : public testing::TestWithParam<vkm_trace_style> {};
INSTANTIATE_TEST_SUITE_P(Timeline, TimelineStyles,
                         testing::Values(VKM_TRACE_RENDER_STAGE, VKM_TRACE_TRACK_EVENT));

TEST_P(TimelineStyles, StartsWithClocksAndTheProcess) {
  const Written written = write({}, in(GetParam()));
  const Trace trace(written.bytes);
  EXPECT_EQ(trace.faults, NoFaults());
  EXPECT_EQ(trace.default_clock, 3U);
  EXPECT_EQ(trace.primary_clock, 6U);
  ASSERT_EQ(trace.snapshots.size(), 1U);
  ASSERT_EQ(trace.snapshots[0].size(), 4U);
  EXPECT_EQ(trace.snapshots[0].at(3), 1000U); // when the process began
  const auto now_ns = [](clockid_t clock) {
    timespec at;
    clock_gettime(clock, &at);
    return static_cast<double>(at.tv_sec) * 1e9 + static_cast<double>(at.tv_nsec);
  };
  const double since_ns = now_ns(CLOCK_MONOTONIC) - 1000;
  EXPECT_NEAR(static_cast<double>(trace.snapshots[0].at(1)), now_ns(CLOCK_REALTIME) - since_ns,
              60e9);
  EXPECT_NEAR(static_cast<double>(trace.snapshots[0].at(6)), now_ns(CLOCK_BOOTTIME) - since_ns,
              60e9);
  EXPECT_EQ(trace.snapshots[0].count(5), 1U);
  ASSERT_EQ(trace.tracks.size(), 1U);
  EXPECT_EQ(trace.tracks.begin()->second.kind, "process");
  EXPECT_EQ(trace.tracks.begin()->second.name, "program");
  EXPECT_EQ(trace.tracks.begin()->second.description, "vkmeter 17");
  ASSERT_EQ(trace.sequences.size(), 1U);
  EXPECT_NE(*trace.sequences.begin(), 0U);
}

TEST_P(TimelineStyles, EndsWithTheCounts) {
  const Trace trace(write({}, in(GetParam())).bytes);
  ASSERT_EQ(trace.instants.size(), 1U);
  EXPECT_EQ(trace.instants[0].name, "vkmeter");
  EXPECT_EQ(trace.instants[0].category, "vkmeter");
  EXPECT_EQ(trace.instants[0].notes, (viewer::Values{{"events", "0"},
                                                     {"dropped_full", "1"},
                                                     {"dropped_rate", "2"},
                                                     {"dropped_size", "3"},
                                                     {"short_calls", "4"}}));
}

TEST_P(TimelineStyles, CallsStandOnTheirThreads) {
  vkm_event memory = call(VKM_CALL_AllocateMemory, 7, 500, 900);
  memory.call.bytes = 1ULL << 40;
  memory.call.result = -2;
  vkm_event build = call(VKM_CALL_CreateComputePipelines, 9, 100, 700);
  build.call.made = 3;
  build.call.cache_hits = 0;
  const Trace trace(write({thread(7, "main"), memory, build,
                           call(VKM_CALL_QueueSubmit, 7, 1000, 1000, 4), thread(9, "late")},
                          in(GetParam()))
                        .bytes);
  EXPECT_EQ(trace.faults, NoFaults());
  ASSERT_EQ(trace.slices.size(), 3U);
  const std::vector<Slice> main = trace.on("main");
  ASSERT_EQ(main.size(), 2U);
  EXPECT_EQ(main[0].name, "vkAllocateMemory");
  EXPECT_EQ(main[0].category, "vulkan");
  EXPECT_EQ(main[0].begin, 500);
  EXPECT_EQ(main[0].end, 900);
  EXPECT_EQ(main[0].notes, (viewer::Values{{"bytes", "1099511627776"}, {"result", "-2"}}));
  EXPECT_EQ(main[1].name, "vkQueueSubmit");
  EXPECT_EQ(main[1].begin, main[1].end);
  EXPECT_EQ(main[1].notes, (viewer::Values{{"submission", "4"}}));
  const std::vector<Slice> late = trace.on("late"); // renamed behind its call
  ASSERT_EQ(late.size(), 1U);
  EXPECT_EQ(late[0].notes, (viewer::Values{{"made", "3"}, {"cache_hits", "0"}}));
}

TEST_P(TimelineStyles, SubmitsAndWaitsAreTiedToTheirWork) {
  const Trace trace(
      write({call(VKM_CALL_QueueSubmit, 7, 10, 20, 1, 2), range(1, 1, 2), range(1, 5, 1),
             call(VKM_CALL_QueueSubmit, 7, 30, 40, 2, 1), range(2, 3, 2), gpu(1, 50, 60, 1),
             gpu(2, 60, 70, 1), call(VKM_CALL_WaitForFences, 7, 41, 90, 0, 3), range(1, 1, 2),
             range(1, 5, 1), range(2, 3, 2), range(2, 77, 1)},
            in(GetParam()))
          .bytes);
  EXPECT_EQ(trace.faults, NoFaults());
  const auto submits = trace.called("vkQueueSubmit");
  const auto waits = trace.called("vkWaitForFences");
  ASSERT_EQ(submits.size(), 2U);
  ASSERT_EQ(waits.size(), 1U);
  EXPECT_EQ(submits[0]->submits, (std::vector<uint64_t>{1, 2, 5}));
  EXPECT_EQ(submits[1]->submits, (std::vector<uint64_t>{3, 4}));
  EXPECT_EQ(waits[0]->waits, (std::vector<uint64_t>{1, 2, 5, 3, 4, 77}));
  ASSERT_EQ(submits[0]->flows.size(), 1U);
  ASSERT_EQ(submits[1]->flows.size(), 1U);
  EXPECT_NE(submits[0]->flows, submits[1]->flows);
  EXPECT_EQ(waits[0]->terminating,
            (std::vector<uint64_t>{submits[0]->flows[0], submits[1]->flows[0]}));
  if (GetParam() == VKM_TRACE_TRACK_EVENT) {
    const auto kernels = trace.called("kernel 3");
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_EQ(kernels[0]->flows, submits[0]->flows); // the first of the execution
    EXPECT_TRUE(kernels[1]->flows.empty());
  }
}

TEST(Timeline, RangesMayComeLater) {
  Written written;
  const How how;
  Sink sink{&written, &how};
  vkm_trace_writer *writer = open(how, &sink);
  const vkm_event submit = call(VKM_CALL_QueueSubmit, 7, 10, 20, 1, 2);
  const vkm_event ranges[] = {range(1, 1, 1), range(1, 9, 1)};
  vkm_trace_writer_add(writer, &submit, 1, &written.lost);
  vkm_trace_writer_add(writer, &ranges[0], 1, &written.lost);
  vkm_trace_writer_add(writer, &ranges[1], 1, &written.lost);
  const vkm_trace_counts counts = {};
  vkm_trace_writer_close(writer, &counts);
  const Trace trace(written.bytes);
  ASSERT_EQ(trace.slices.size(), 1U);
  EXPECT_EQ(trace.slices[0].submits, (std::vector<uint64_t>{1, 9}));
}

TEST(Timeline, IdsBeyondTheCapAreCounted) {
  const Trace trace(write({call(VKM_CALL_QueueSubmit, 7, 10, 20, 1, 2), range(1, 1, 65000),
                           range(1, 65001, 1000)})
                        .bytes);
  ASSERT_EQ(trace.slices.size(), 1U);
  EXPECT_EQ(trace.slices[0].submits.size(), 65536U);
  EXPECT_EQ(trace.slices[0].submits.back(), 65536U);
  EXPECT_EQ(trace.slices[0].notes.at("event_ids_left_out"), "464");
}

TEST(Timeline, AStageSaysWhatRan) {
  vkm_event dispatch = gpu(9, 1000, 1500, 3, 5, 2);
  dispatch.device = 1;
  dispatch.queue = 3;
  const Trace trace(write({dispatch}).bytes);
  EXPECT_EQ(trace.faults, NoFaults());
  ASSERT_EQ(trace.stages.size(), 1U);
  const Stage &stage = trace.stages[0];
  EXPECT_EQ(stage.id, 9U);
  EXPECT_EQ(stage.begin, 1000);
  EXPECT_EQ(stage.end, 1500);
  EXPECT_EQ(stage.submission, 3U);
  EXPECT_EQ(stage.gpu, 1U);
  EXPECT_EQ(stage.context_pid, 42U);
  EXPECT_EQ(stage.name, "kernel 5");
  EXPECT_EQ(stage.queue, "queue 1.1 (GPU 1)");
  EXPECT_EQ(stage.stage, "dispatch");
  EXPECT_EQ(stage.category, 2U); // compute
  EXPECT_EQ(stage.groups, "4,5,6");
  EXPECT_EQ(stage.local_size, "64,1,1");
  EXPECT_EQ(stage.launch_args, (viewer::Values{{"phase", "step/attention"}}));
  EXPECT_EQ(stage.kernel_args, (viewer::Values{{"", "kernel 5"},
                                               {"identity", "00000000000000000000000000000005"},
                                               {"family", "matrix"},
                                               {"VGPRs", "96"},
                                               {"registers_per_thread", "96"},
                                               {"Spills", "-7"},
                                               {"Weight", "0.500000"},
                                               {"Wave", "wave64"}}));
}

TEST(Timeline, StagesOfOtherKinds) {
  vkm_event copy = gpu(1, 100, 200, 1, VKM_EVENT_NONE);
  copy.what = VKM_KIND_COPY;
  copy.gpu.bytes = 4096;
  copy.gpu.groups[0] = 2; // d2h
  copy.gpu.groups[1] = 1;
  vkm_event pass = gpu(2, 200, 300, 1, VKM_EVENT_NONE, 1);
  pass.what = VKM_KIND_RENDER_PASS;
  vkm_event whole = gpu(3, 300, 400, 1, VKM_EVENT_NONE);
  whole.what = VKM_EVENT_WHOLE;
  const Trace trace(write({copy, pass, whole}).bytes);
  EXPECT_EQ(trace.faults, NoFaults());
  ASSERT_EQ(trace.stages.size(), 3U);
  EXPECT_EQ(trace.stages[0].stage, "copy");
  EXPECT_EQ(trace.stages[0].name, "copy");
  EXPECT_EQ(trace.stages[0].category, 0U);
  EXPECT_EQ(trace.stages[0].extra, (viewer::Values{{"bytes", "4096"}, {"direction", "d2h"}}));
  EXPECT_EQ(trace.stages[1].category, 1U); // graphics
  EXPECT_EQ(trace.stages[1].extra, (viewer::Values{{"phase", "step"}}));
  EXPECT_EQ(trace.stages[2].stage, "command_buffer");
  EXPECT_EQ(trace.stages[2].kernel, "");
}

TEST(Timeline, ASliceOfALaneSaysTheSame) {
  vkm_event copy = gpu(2, 1500, 1600, 3, VKM_EVENT_NONE);
  copy.what = VKM_KIND_FILL;
  copy.gpu.bytes = 77;
  copy.gpu.groups[0] = 5; // fill
  const Trace trace(write({gpu(9, 1000, 1500, 3, 5, 2), copy}, in(VKM_TRACE_TRACK_EVENT)).bytes);
  EXPECT_EQ(trace.faults, NoFaults());
  const std::vector<Slice> lane = trace.on("queue 0.0 (GPU 0)");
  ASSERT_EQ(lane.size(), 2U);
  EXPECT_EQ(lane[0].name, "kernel 5");
  EXPECT_EQ(lane[0].category, "vulkan.gpu");
  EXPECT_EQ(lane[0].begin, 1000);
  EXPECT_EQ(lane[0].end, 1500);
  EXPECT_EQ(lane[0].notes, (viewer::Values{{"event_id", "9"},
                                           {"kind", "dispatch"},
                                           {"submission", "3"},
                                           {"phase", "step/attention"},
                                           {"groups", "4,5,6"},
                                           {"local_size", "64,1,1"},
                                           {"identity", "00000000000000000000000000000005"},
                                           {"family", "matrix"},
                                           {"VGPRs", "96"},
                                           {"registers_per_thread", "96"},
                                           {"Spills", "-7"},
                                           {"Weight", "0.500000"},
                                           {"Wave", "wave64"}}));
  EXPECT_EQ(lane[1].name, "fill");
  EXPECT_EQ(lane[1].notes.at("bytes"), "77");
  EXPECT_EQ(lane[1].notes.at("direction"), "fill");
  EXPECT_TRUE(trace.stages.empty());
}

TEST_P(TimelineStyles, WhatNobodyKnowsIsDrawnWithoutItsName) {
  vkm_event far = gpu(2, 300, 400, 2, 5000, 99);
  far.device = 77;
  How how = in(GetParam());
  how.named = false;
  for (const How &each : {in(GetParam()), how}) {
    const Written written = write({gpu(1, 100, 200, 1, 5000, 99), far}, each);
    const Trace trace(written.bytes);
    EXPECT_EQ(trace.faults, NoFaults());
    EXPECT_EQ(written.lost, 0U);
    if (GetParam() == VKM_TRACE_RENDER_STAGE) {
      ASSERT_EQ(trace.stages.size(), 2U);
      EXPECT_EQ(trace.stages[0].name, "dispatch");
      EXPECT_EQ(trace.stages[0].kernel, "");
      EXPECT_EQ(trace.stages[1].queue, "queue ?.0 (device 77)");
    } else {
      EXPECT_EQ(trace.called("dispatch").size(), 2U);
      EXPECT_EQ(trace.on("queue ?.0 (device 77)").size(), 1U);
    }
  }
}

TEST(Timeline, EventsThatCannotBeAreLeftOut) {
  vkm_event odd = call(VKM_CALL_COUNT, 7, 1, 2);
  vkm_event type = event(VKM_EVENT_TYPES, 5);
  const Written written = write({range(1, 1, 1), odd, type, gpu(1, 300, 200)});
  const Trace trace(written.bytes);
  EXPECT_EQ(trace.faults, NoFaults());
  EXPECT_TRUE(trace.slices.empty());
  EXPECT_TRUE(trace.stages.empty());
  EXPECT_EQ(written.lost, 1U);
}

TEST_P(TimelineStyles, CountersOfMemoryAndOfWhatIsInFlight) {
  vkm_event memory = event(VKM_EVENT_MEMORY, 100);
  memory.what = 2;
  memory.counter.value = 1ULL << 33;
  vkm_event in_flight = event(VKM_EVENT_IN_FLIGHT, 200);
  in_flight.counter.value = 3;
  const Trace trace(write({memory, in_flight}, in(GetParam())).bytes);
  EXPECT_EQ(trace.faults, NoFaults());
  ASSERT_EQ(trace.counters.size(), 2U);
  EXPECT_EQ(trace.counters[0].value, 1LL << 33);
  EXPECT_EQ(trace.tracks.at(trace.counters[0].track).name, "memory of heap 2 (device 0)");
  EXPECT_EQ(trace.tracks.at(trace.counters[0].track).unit, 3); // bytes
  EXPECT_EQ(trace.counters[1].at, 200);
  EXPECT_EQ(trace.tracks.at(trace.counters[1].track).name, "queue 0.0 (GPU 0) in flight");
  EXPECT_EQ(trace.tracks.at(trace.counters[1].track).unit, 2); // a count
}

TEST(Timeline, AQueuesClockStandsBesideThePrograms) {
  std::vector<vkm_event> events;
  for (const int64_t at : {1000, 2000, 1500, 3000}) {
    events.push_back(event(VKM_EVENT_CLOCK, at));
    events.back().clock.line_ns = at - 7;
  }
  events.back().clock.line_ns = 100; // goes backwards
  events.push_back(event(VKM_EVENT_CLOCK, 4000));
  events.back().queue = 1;
  const Trace trace(write(events).bytes);
  EXPECT_EQ(trace.faults, NoFaults());
  using Clocks = std::map<uint64_t, uint64_t>;
  ASSERT_EQ(trace.snapshots.size(), 4U);
  EXPECT_EQ(trace.snapshots[1], (Clocks{{3, 1000}, {64, 993}}));
  EXPECT_EQ(trace.snapshots[2], (Clocks{{3, 2000}, {64, 1993}}));
  EXPECT_EQ(trace.snapshots[3], (Clocks{{3, 4000}, {65, 0}}));
}

// A span across a snapshot keeps its length where viewers convert its times.
TEST(Timeline, SnapshotsKeepTheDistanceOfTheirClocks) {
  How how;
  how.between = [](vkm_trace_writer *writer) {
    for (int i = 0; i < 100; i++) {
      vkm_trace_writer_clocks(writer);
    }
  };
  const Trace trace(write({}, how).bytes);
  EXPECT_EQ(trace.faults, NoFaults());
  ASSERT_EQ(trace.snapshots.size(), 101U);
  for (const auto &snapshot : trace.snapshots) {
    EXPECT_EQ(snapshot.at(6) - snapshot.at(3), trace.snapshots[0].at(6) - trace.snapshots[0].at(3));
  }
}

TEST_P(TimelineStyles, TracksOfTwoProcessesAreApartAndThoseOfOneTheSame) {
  const std::vector<vkm_event> events = program(3);
  How other = in(GetParam());
  other.pid = 43;
  How later = in(GetParam());
  later.started_unix_ns += 1;
  const Trace first(write(events, in(GetParam())).bytes);
  const Trace again(write(events, in(GetParam())).bytes);
  const Trace second(write(events, other).bytes);
  const Trace third(write(events, later).bytes);
  EXPECT_GE(first.tracks.size(), 6U);
  EXPECT_EQ(first.sequences, again.sequences);
  EXPECT_NE(first.sequences, second.sequences);
  EXPECT_NE(first.sequences, third.sequences);
  for (const auto &track : first.tracks) {
    EXPECT_NE(track.first, 0U);
    EXPECT_EQ(again.tracks.count(track.first), 1U);
    EXPECT_EQ(second.tracks.count(track.first), 0U);
    EXPECT_EQ(third.tracks.count(track.first), 0U);
  }
}

TEST_P(TimelineStyles, TextsAreValidWhateverTheProgramCallsThings) {
  const std::vector<vkm_event> events = {thread(7, "b\xFF\xC3"), gpu(1, 1, 2, 1, 3, 1),
                                         call(VKM_CALL_QueueSubmit, 7, 1, 2, 1)};
  Written written;
  const How how = in(GetParam());
  Sink sink{&written, &how};
  vkm_trace_facts facts;
  std::memset(&facts, 0, sizeof facts);
  std::snprintf(facts.process_name, sizeof facts.process_name, "p\x80");
  facts.style = GetParam();
  vkm_trace_source source = {nullptr, name_queue,
                             [](void *, uint32_t, uint32_t, vkm_trace_kernel *to) {
                               std::snprintf(to->name, sizeof to->name, "k\xFE");
                               return true;
                             },
                             [](void *, uint32_t, uint32_t, char to[VKM_TRACE_TEXT]) {
                               std::snprintf(to, VKM_TRACE_TEXT, "//a\xFD//");
                               return true;
                             }};
  vkm_trace_writer *writer = vkm_trace_writer_open(&facts, &source, Sink::take, &sink);
  vkm_trace_writer_add(writer, events.data(), events.size(), &written.lost);
  const vkm_trace_counts counts = {};
  vkm_trace_writer_close(writer, &counts);
  const Trace trace(written.bytes);
  EXPECT_EQ(trace.faults, NoFaults());
  for (const char byte : {'\xFF', '\xFE', '\xFD', '\xC3', '\x80'}) {
    EXPECT_EQ(trace.on(std::string("b") + byte).size(), 0U);
  }
  EXPECT_EQ(trace.on("b\xEF\xBF\xBD\xEF\xBF\xBD").size(), 1U);
  EXPECT_EQ(trace.called("a\xEF\xBF\xBD").size(), 1U);
}

} // namespace
