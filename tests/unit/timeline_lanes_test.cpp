// Lanes and labels of queues.
#include "timeline_writing.hpp"

#include <random>

using viewer::Slice;
using viewer::Stage;
using viewer::Trace;
using namespace writing;

namespace {

struct Interval {
  std::string lane;
  int64_t begin, end;
};

std::vector<Interval> Intervals(const Trace &trace) {
  std::vector<Interval> found;
  for (const Stage &stage : trace.stages) {
    found.push_back({stage.queue, stage.begin, stage.end});
  }
  for (const Slice &slice : trace.slices) {
    if (slice.category == "vulkan.gpu") {
      found.push_back({trace.tracks.at(slice.track).name, slice.begin, slice.end});
    }
  }
  return found;
}

std::string OverlapIn(const std::vector<Interval> &intervals) {
  for (size_t i = 0; i < intervals.size(); i++) {
    for (size_t k = i + 1; k < intervals.size(); k++) {
      const Interval &a = intervals[i];
      const Interval &b = intervals[k];
      if (a.lane == b.lane && a.begin < b.end && b.begin < a.end) {
        return a.lane + " " + std::to_string(a.begin) + " " + std::to_string(b.begin);
      }
    }
  }
  return "";
}

class TimelineLanes : public testing::TestWithParam<vkm_trace_style> {};
INSTANTIATE_TEST_SUITE_P(Timeline, TimelineLanes,
                         testing::Values(VKM_TRACE_RENDER_STAGE, VKM_TRACE_TRACK_EVENT));

TEST_P(TimelineLanes, OneAfterTheOtherNeedsOne) {
  std::vector<vkm_event> events;
  for (uint64_t i = 0; i < 200; i++) {
    const auto at = static_cast<int64_t>(10 * i);
    events.push_back(gpu(i + 1, at, at + 10));
  }
  for (const Interval &each : Intervals(Trace(write(events, in(GetParam())).bytes))) {
    EXPECT_EQ(each.lane, "queue 0.0 (GPU 0)");
  }
}

TEST_P(TimelineLanes, NoTwoThatOverlapShareOne) {
  std::mt19937 random(5);
  for (int round = 0; round < 20; round++) {
    std::vector<vkm_event> events;
    for (uint64_t i = 0; i < 300; i++) { // mostly in order, some early, some without length
      const auto at = static_cast<int64_t>(100 * i + random() % 400);
      const auto length = static_cast<int64_t>(random() % 5 == 0 ? 0 : random() % 350);
      events.push_back(gpu(i + 1, at / 50 * 50, (at + length) / 50 * 50, 1, 3, random() % 5));
    }
    const Written written = write(events, in(GetParam()));
    const Trace trace(written.bytes);
    EXPECT_EQ(trace.faults, std::vector<std::string>());
    EXPECT_EQ(trace.instants.back().notes.count("overlapping"), 0U);
    const std::vector<Interval> intervals = Intervals(trace);
    ASSERT_EQ(intervals.size(), 300U);
    EXPECT_EQ(OverlapIn(intervals), "");
    // What came in is what stands there.
    std::multiset<std::pair<int64_t, int64_t>> given;
    std::multiset<std::pair<int64_t, int64_t>> drawn;
    for (const vkm_event &each : events) {
      given.insert({each.begin_ns, each.end_ns});
    }
    for (const Interval &each : intervals) {
      drawn.insert({each.begin, each.end});
    }
    EXPECT_EQ(given, drawn);
  }
}

TEST_P(TimelineLanes, WhatComesLateNeverLiesOnWhatWasForgotten) {
  std::vector<vkm_event> events;
  for (uint64_t i = 0; i < 1000; i++) {
    const auto at = static_cast<int64_t>(10 * (i % 2 == 0 ? i : 1000 - i));
    events.push_back(gpu(i + 1, at, at + 25));
  }
  const Trace trace(write(events, in(GetParam())).bytes);
  EXPECT_EQ(trace.faults, std::vector<std::string>());
  std::vector<Interval> intervals = Intervals(trace);
  intervals.erase(
      std::remove_if(intervals.begin(), intervals.end(),
                     [](const Interval &each) { return each.lane == "queue 0.0 (GPU 0) lane 8"; }),
      intervals.end());
  EXPECT_EQ(OverlapIn(intervals), "");
}

TEST_P(TimelineLanes, TheNinthIsCounted) {
  std::vector<vkm_event> events;
  for (uint64_t i = 0; i < 10; i++) {
    events.push_back(gpu(i + 1, static_cast<int64_t>(100 + i), 1000));
  }
  const Trace trace(write(events, in(GetParam())).bytes);
  EXPECT_EQ(trace.faults, std::vector<std::string>());
  EXPECT_EQ(trace.instants.back().notes.at("overlapping"), "2");
  const std::vector<Interval> intervals = Intervals(trace);
  std::map<std::string, int> lanes;
  for (const Interval &each : intervals) {
    lanes[each.lane]++;
  }
  EXPECT_EQ(lanes.size(), 8U);
  EXPECT_EQ(lanes["queue 0.0 (GPU 0)"], 1);
  EXPECT_EQ(lanes["queue 0.0 (GPU 0) lane 2"], 1);
  // A stage is drawn by its length wherever it lies; of crossing slices viewers mistake the ends.
  EXPECT_EQ(lanes["queue 0.0 (GPU 0) lane 8"], GetParam() == VKM_TRACE_RENDER_STAGE ? 3 : 1);
}

TEST_P(TimelineLanes, QueuesHaveTheirOwn) {
  std::vector<vkm_event> events;
  for (uint32_t i = 0; i < 4; i++) {
    events.push_back(gpu(i + 1, 100, 200, i + 1, 3, 1));
    events.back().queue = i;
  }
  const Trace trace(write(events, in(GetParam())).bytes);
  std::set<std::string> lanes;
  std::set<int64_t> ranks;
  for (const Interval &each : Intervals(trace)) {
    lanes.insert(each.lane);
  }
  for (const auto &track : trace.tracks) {
    if (track.second.kind == "track") {
      ranks.insert(track.second.rank);
    }
  }
  EXPECT_EQ(lanes.size(), 4U);
  EXPECT_EQ(ranks.size(), GetParam() == VKM_TRACE_RENDER_STAGE ? 4U : 8U);
}

// ---- labels ----

std::vector<Slice> Labels(const Trace &trace) {
  std::vector<Slice> found;
  for (const Slice &slice : trace.slices) {
    if (slice.category == "vulkan.label") {
      found.push_back(slice);
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Slice &a, const Slice &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.depth < b.depth;
  });
  return found;
}

std::string Drawn(const Trace &trace) {
  std::string text;
  for (const Slice &slice : Labels(trace)) {
    text += std::string(slice.depth, '.') + slice.name + " " + std::to_string(slice.begin) + "-" +
            std::to_string(slice.end) + "\n";
  }
  return text;
}

TEST_P(TimelineLanes, LabelsNest) {
  const Trace trace(
      write({gpu(1, 100, 200, 1, 3, 0), gpu(2, 200, 300, 1, 3, 1), gpu(3, 310, 400, 1, 3, 2),
             gpu(4, 400, 490, 1, 3, 2), gpu(5, 500, 600, 1, 3, 4), gpu(6, 610, 700, 1, 3, 1),
             gpu(7, 700, 800, 1, 3, 0), executed(1, 900)},
            in(GetParam()))
          .bytes);
  EXPECT_EQ(trace.faults, std::vector<std::string>());
  EXPECT_EQ(Drawn(trace), "step 200-700\n"
                          ".attention 310-490\n"
                          ".mlp 500-600\n"
                          "..up 500-600\n");
  for (const Slice &label : Labels(trace)) {
    EXPECT_EQ(trace.tracks.at(label.track).name, "queue 0.0 (GPU 0) labels");
  }
}

TEST_P(TimelineLanes, LabelsEndWithTheirExecution) {
  const Trace trace(write({gpu(1, 100, 200, 1, 3, 2), executed(1, 250), gpu(2, 300, 400, 2, 3, 2),
                           gpu(3, 500, 600, 3, 3, 2)}, // the end of execution 2 was not told
                          in(GetParam()))
                        .bytes);
  EXPECT_EQ(trace.faults, std::vector<std::string>());
  EXPECT_EQ(Drawn(trace), "step 100-200\n.attention 100-200\n"
                          "step 300-400\n.attention 300-400\n"
                          "step 500-600\n.attention 500-600\n"); // and with the trace
}

TEST_P(TimelineLanes, LabelsOfExecutionsThatOverlapKeepTheirTimes) {
  const Trace trace(write({gpu(1, 100, 500, 1, 3, 2), executed(1, 900), gpu(2, 300, 700, 2, 3, 3),
                           executed(2, 900), gpu(3, 600, 800, 3, 3, 1), executed(3, 900)},
                          in(GetParam()))
                        .bytes);
  EXPECT_EQ(trace.faults, std::vector<std::string>());
  EXPECT_EQ(Drawn(trace), "step 100-500\n.attention 100-500\n"
                          "step 300-700\n.mlp 300-700\n"
                          "step 600-800\n");
}

// Commands that overlap, under labels one after the other.
TEST_P(TimelineLanes, ALabelThatIsLeftEndsBeforeTheNextBegins) {
  const Trace trace(write({gpu(1, 100, 500, 1, 3, 2), gpu(2, 300, 700, 1, 3, 3), executed(1, 900)},
                          in(GetParam()))
                        .bytes);
  EXPECT_EQ(trace.faults, std::vector<std::string>());
  EXPECT_EQ(Drawn(trace), "step 100-700\n.attention 100-300\n.mlp 300-700\n");
}

TEST_P(TimelineLanes, LabelsOfOneTimeKeepTheirOrder) {
  const Trace trace(
      write({gpu(1, 100, 100, 1, 3, 2), gpu(2, 100, 100, 1, 3, 4), gpu(3, 100, 100, 1, 3, 1),
             executed(1, 100), gpu(4, 100, 100, 2, 3, 2), executed(2, 100)},
            in(GetParam()))
          .bytes);
  EXPECT_EQ(trace.faults, std::vector<std::string>());
  EXPECT_EQ(Labels(trace).size(), 6U);
  for (const Slice &label : Labels(trace)) {
    EXPECT_EQ(label.begin, 100);
    EXPECT_EQ(label.end, 100);
  }
}

TEST_P(TimelineLanes, ARejectedExecutionIsAnInstant) {
  const Trace trace(write({gpu(1, 100, 200, 1, 3, 1), executed(1, 300, VKM_REJECTED_out_of_order)},
                          in(GetParam()))
                        .bytes);
  EXPECT_EQ(trace.faults, std::vector<std::string>());
  ASSERT_EQ(trace.instants.size(), 2U);
  EXPECT_EQ(trace.instants[0].name, "timestamps rejected: out_of_order");
  EXPECT_EQ(trace.instants[0].at, 300);
  EXPECT_EQ(trace.tracks.at(trace.instants[0].track).name, "queue 0.0 (GPU 0) labels");
}

} // namespace
