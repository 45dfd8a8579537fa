// A writer with a source and a sink of its own, and events for it.
#ifndef TIMELINE_WRITING_HPP
#define TIMELINE_WRITING_HPP

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

extern "C" {
#include "base/alloc.h"
#include "measure/aggregate.h"
#include "timeline/trace_write.h"
}

#include "timeline_viewer.hpp"

namespace writing {

inline bool name_queue(void *, uint32_t device, uint32_t queue, struct vkm_trace_queue *to) {
  std::snprintf(to->device, sizeof to->device, "GPU %u", device);
  to->family = queue / 2;
  to->index = queue % 2;
  return device < 10;
}

inline bool name_kernel(void *, uint32_t, uint32_t pipeline, struct vkm_trace_kernel *to) {
  std::snprintf(to->name, sizeof to->name, "kernel %u", pipeline);
  std::snprintf(to->identity, sizeof to->identity, "%032u", pipeline);
  std::snprintf(to->family, sizeof to->family, "matrix");
  to->local_size[0] = 64;
  to->local_size[1] = to->local_size[2] = 1;
  to->args[0] = {"VGPRs", vkm_trace_arg::VKM_TRACE_ARG_UINT, {}};
  to->args[0].value.u64 = 96;
  to->args[1] = {"Spills", vkm_trace_arg::VKM_TRACE_ARG_INT, {}};
  to->args[1].value.i64 = -7;
  to->args[2] = {"Weight", vkm_trace_arg::VKM_TRACE_ARG_DOUBLE, {}};
  to->args[2].value.f64 = 0.5;
  to->args[3] = {"Wave", vkm_trace_arg::VKM_TRACE_ARG_TEXT, {}};
  std::snprintf(to->args[3].value.text, sizeof to->args[3].value.text, "wave64");
  to->arg_count = 4;
  return pipeline < 1000;
}

inline bool name_phase(void *, uint32_t, uint32_t phase, char to[VKM_TRACE_TEXT]) {
  static const char *const paths[] = {"", "step", "step/attention", "step/mlp", "step/mlp/up"};
  std::snprintf(to, VKM_TRACE_TEXT, "%s", phase < 5 ? paths[phase] : "");
  return phase < 5;
}

inline vkm_event event(vkm_event_type type, int64_t begin_ns, int64_t end_ns = 0) {
  vkm_event made;
  std::memset(&made, 0, sizeof made);
  made.type = static_cast<uint8_t>(type);
  made.begin_ns = begin_ns;
  made.end_ns = end_ns;
  return made;
}

inline vkm_event thread(uint32_t tid, const char *name) {
  vkm_event made = event(VKM_EVENT_THREAD, 0);
  made.thread = tid;
  std::snprintf(made.named.name, sizeof made.named.name, "%s", name);
  return made;
}

inline vkm_event call(vkm_call which, uint32_t tid, int64_t begin_ns, int64_t end_ns,
                      uint32_t submission = 0, uint32_t ranges = 0) {
  vkm_event made = event(VKM_EVENT_CALL, begin_ns, end_ns);
  made.what = static_cast<uint8_t>(which);
  made.device = UINT16_MAX;
  made.thread = tid;
  made.submission = submission;
  made.call.ranges = ranges;
  made.call.bytes = UINT64_MAX;
  return made;
}

inline vkm_event range(uint32_t submission, uint64_t first, uint32_t count) {
  vkm_event made = event(VKM_EVENT_RANGE, 0);
  made.submission = submission;
  made.range.first = first;
  made.range.count = count;
  return made;
}

inline vkm_event gpu(uint64_t id, int64_t begin_ns, int64_t end_ns, uint32_t execution = 1,
                     uint32_t pipeline = 3, uint32_t phase = 0) {
  vkm_event made = event(VKM_EVENT_GPU, begin_ns, end_ns);
  made.what = VKM_KIND_DISPATCH;
  made.submission = execution;
  made.gpu.id = id;
  made.gpu.bytes = UINT64_MAX;
  made.gpu.execution = execution;
  made.gpu.pipeline = pipeline;
  made.gpu.phase = phase;
  made.gpu.groups[0] = 4;
  made.gpu.groups[1] = 5;
  made.gpu.groups[2] = 6;
  return made;
}

inline vkm_event executed(uint32_t execution, int64_t seen_ns,
                          uint8_t rejected = VKM_REJECTED_COUNT) {
  vkm_event made = event(VKM_EVENT_EXECUTED, 0, seen_ns);
  made.what = rejected;
  made.executed.execution = execution;
  return made;
}

struct Written {
  std::string bytes;
  uint64_t lost = 0;
  size_t sunk = 0, refused = 0; // batches
  size_t largest = 0;
  bool opened = false;
};

struct How {
  vkm_trace_style style = VKM_TRACE_RENDER_STAGE;
  int32_t pid = 42;
  int64_t started_unix_ns = 1700000000000000000;
  std::function<bool(size_t batch)> keeps; // the sink; none: keeps all
  std::function<void(vkm_trace_writer *)> between;
  bool named = true; // the source knows something
};

struct Sink {
  Written *written;
  const How *how;
  static bool take(void *context, const void *bytes, size_t length) {
    auto *sink = static_cast<Sink *>(context);
    const size_t batch = sink->written->sunk++;
    if (sink->how->keeps && !sink->how->keeps(batch)) {
      sink->written->refused++;
      return false;
    }
    sink->written->largest = std::max(sink->written->largest, length);
    sink->written->bytes.append(static_cast<const char *>(bytes), length);
    return true;
  }
};

inline vkm_trace_writer *open(const How &how, Sink *sink) {
  vkm_trace_facts facts;
  std::memset(&facts, 0, sizeof facts);
  facts.pid = how.pid;
  facts.started_ns = 1000;
  facts.started_unix_ns = how.started_unix_ns;
  std::snprintf(facts.process_name, sizeof facts.process_name, "program");
  std::snprintf(facts.run, sizeof facts.run, "17");
  facts.style = how.style;
  vkm_trace_source source = {nullptr, nullptr, nullptr, nullptr};
  if (how.named) {
    source = {nullptr, name_queue, name_kernel, name_phase};
  }
  return vkm_trace_writer_open(&facts, &source, Sink::take, sink);
}

inline Written write(const std::vector<vkm_event> &events, const How &how = {}) {
  Written written;
  Sink sink{&written, &how};
  vkm_trace_writer *writer = open(how, &sink);
  if (writer == nullptr) {
    return written;
  }
  written.opened = true;
  vkm_trace_writer_add(writer, events.data(), events.size(), &written.lost);
  if (how.between) {
    how.between(writer);
  }
  const vkm_trace_counts counts = {events.size(), 1, 2, 3, 4};
  vkm_trace_writer_close(writer, &counts);
  return written;
}

inline How in(vkm_trace_style style) {
  How how;
  how.style = style;
  return how;
}

// Of a trace with all that a program does, over several executions, some of them overlapping.
inline std::vector<vkm_event> program(uint32_t executions) {
  std::vector<vkm_event> events = {thread(7, "main"), thread(8, "worker")};
  uint64_t id = 1;
  for (uint32_t i = 1; i <= executions; i++) {
    const int64_t at = 100000 * static_cast<int64_t>(i);
    events.push_back(call(VKM_CALL_QueueSubmit2, 7 + i % 2, at, at + 1000, i, 1));
    events.push_back(range(i, id, 4));
    vkm_event in_flight = event(VKM_EVENT_IN_FLIGHT, at + 1000);
    in_flight.counter.value = 1 + i % 3;
    events.push_back(in_flight);
    const uint64_t first = id;
    for (uint32_t k = 0; k < 4; k++) {
      const int64_t begin = at + 2000 + 20000 * static_cast<int64_t>(k);
      events.push_back(gpu(id++, begin, begin + 30000, i, 3 + i % 5 + k, k + i % 2));
    }
    events.push_back(
        executed(i, at + 99000, i % 7 == 0 ? VKM_REJECTED_too_long : VKM_REJECTED_COUNT));
    events.push_back(call(VKM_CALL_WaitForFences, 7 + i % 2, at + 1500, at + 99000, 0, 1));
    events.push_back(range(i, first, 4));
    vkm_event memory = event(VKM_EVENT_MEMORY, at + 99500);
    memory.counter.value = 4096ULL * i;
    events.push_back(memory);
    vkm_event clock = event(VKM_EVENT_CLOCK, at);
    clock.clock.line_ns = at - 5;
    events.push_back(clock);
  }
  return events;
}

} // namespace writing

#endif
