// What it costs to make packets of events, by kind of event and style: nanoseconds and bytes an
// event, allocations of all events after the first thousand. Figures of one run; nothing is judged.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>
#include <vector>

extern "C" {
#include "base/alloc.h"
#include "measure/aggregate.h"
#include "timeline/trace_write.h"
}

namespace {

constexpr size_t kEvents = 1024;

bool NameQueue(void *, uint32_t, uint32_t, struct vkm_trace_queue *to) {
  std::snprintf(to->device, sizeof to->device, "a GPU");
  return true;
}

bool NameKernel(void *, uint32_t, uint32_t pipeline, struct vkm_trace_kernel *to) {
  std::snprintf(to->name, sizeof to->name, "kernel %u", pipeline);
  to->local_size[0] = to->local_size[1] = to->local_size[2] = 8;
  return true;
}

bool NamePhase(void *, uint32_t, uint32_t phase, char to[VKM_TRACE_TEXT]) {
  std::snprintf(to, VKM_TRACE_TEXT, "step/layer %u", phase);
  return true;
}

bool Take(void *context, const void *, size_t length) {
  *static_cast<uint64_t *>(context) += length;
  return true;
}

// The next of a run: times go on, names repeat.
vkm_event Next(vkm_event_type type, uint64_t number) {
  vkm_event event;
  std::memset(&event, 0, sizeof event);
  event.type = static_cast<uint8_t>(type);
  event.begin_ns = static_cast<int64_t>(100000000000000ULL + number * 20000);
  event.end_ns = event.begin_ns + 10000;
  event.submission = static_cast<uint32_t>(1 + number / 1000);
  if (type == VKM_EVENT_GPU) {
    event.what = VKM_KIND_DISPATCH;
    event.gpu.id = number + 1;
    event.gpu.bytes = UINT64_MAX;
    event.gpu.execution = event.submission;
    event.gpu.pipeline = static_cast<uint32_t>(number % 50);
    event.gpu.phase = static_cast<uint32_t>(1 + number / 100 % 8);
    event.gpu.groups[0] = event.gpu.groups[1] = event.gpu.groups[2] = 32;
  } else if (type == VKM_EVENT_CALL) {
    event.what = VKM_CALL_QueueSubmit2;
    event.thread = 4711;
    event.call.bytes = UINT64_MAX;
  }
  return event;
}

void Run(benchmark::State &state, vkm_event_type type, vkm_trace_style style) {
  vkm_trace_facts facts;
  std::memset(&facts, 0, sizeof facts);
  facts.pid = 4711;
  facts.style = style;
  const vkm_trace_source source = {nullptr, NameQueue, NameKernel, NamePhase};
  uint64_t bytes = 0;
  uint64_t lost = 0;
  vkm_trace_writer *writer = vkm_trace_writer_open(&facts, &source, Take, &bytes);
  std::vector<vkm_event> events(kEvents);
  uint64_t number = 0;
  const auto fill = [&events, &number, type] {
    for (vkm_event &event : events) {
      event = Next(type, number++);
    }
  };
  fill();
  vkm_trace_writer_add(writer, events.data(), events.size(), &lost);
  bytes = 0;
  const unsigned long asked = vkm_alloc_count();
  while (state.KeepRunningBatch(kEvents)) { // so that the time shown is that of one event
    state.PauseTiming();
    fill();
    state.ResumeTiming();
    vkm_trace_writer_add(writer, events.data(), events.size(), &lost);
  }
  const auto written = static_cast<double>(state.iterations());
  state.counters["bytes"] = static_cast<double>(bytes) / written;
  state.counters["allocations"] = static_cast<double>(vkm_alloc_count() - asked);
  state.counters["lost"] = static_cast<double>(lost);
  const vkm_trace_counts counts = {};
  vkm_trace_writer_close(writer, &counts);
}

BENCHMARK_CAPTURE(Run, dispatch_as_stage, VKM_EVENT_GPU, VKM_TRACE_RENDER_STAGE);
BENCHMARK_CAPTURE(Run, dispatch_as_slice, VKM_EVENT_GPU, VKM_TRACE_TRACK_EVENT);
BENCHMARK_CAPTURE(Run, call, VKM_EVENT_CALL, VKM_TRACE_RENDER_STAGE);
BENCHMARK_CAPTURE(Run, counter, VKM_EVENT_IN_FLIGHT, VKM_TRACE_RENDER_STAGE);

} // namespace

BENCHMARK_MAIN();
