// What the layer adds to recording and submitting, on the driver that costs nothing itself.
//
// In: Google Benchmark's options. Out: its results, with two counters of our own: ns (one call,
// averaged over the threads; wall clock) and allocations (the layer's, a call). A name is CASE/bare
// or CASE/layer. scripts/bench makes the table of it.
//
// Time is taken here and not by the library: its own per-thread arithmetic differs between the
// versions of Debian 12 and 13.
#include <array>
#include <chrono>
#include <string>

#include <benchmark/benchmark.h>

#include "bench_alloc.h"
#include "bench_world.h"

namespace {

constexpr uint32_t kCalls = 512; // of one batch
constexpr int kBatches = 32;     // of one repetition
constexpr uint32_t kSubmissions = 64;
constexpr VkCommandBufferUsageFlags kOneTime = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;

std::array<bench_world, 2> worlds;                         // bare, layer
std::array<std::array<bench_lane, BENCH_QUEUES>, 2> lanes; // of each world, one a thread

// One batch of calls, and how many they were.
using Calls = void (*)(const bench_lane &lane, uint32_t calls);

void Dispatch(const bench_lane &lane, uint32_t calls) {
  bench_dispatches(&lane, lane.quiet, calls);
}

void BindDispatch(const bench_lane &lane, uint32_t calls) {
  bench_binds_and_dispatches(&lane, lane.quiet, calls);
}

void DispatchBarrier(const bench_lane &lane, uint32_t calls) {
  bench_dispatches_and_barriers(&lane, lane.quiet, calls);
}

void BeginEnd(const bench_lane &lane, uint32_t calls) {
  for (uint32_t i = 0; i < calls; i++) {
    bench_begin(&lane, lane.quiet, kOneTime);
    bench_end(&lane, lane.quiet);
  }
}

void BeginDispatchEnd(const bench_lane &lane, uint32_t calls) {
  for (uint32_t i = 0; i < calls; i++) {
    bench_begin(&lane, lane.quiet, kOneTime);
    bench_binds_and_dispatches(&lane, lane.quiet, 1);
    bench_end(&lane, lane.quiet);
  }
}

void SubmitWait(const bench_lane &lane, uint32_t calls) {
  bench_submissions(&lane, calls);
}

struct Case {
  const char *name;
  Calls calls;
  uint32_t count;    // of calls in a batch
  bool in_recording; // the batch is recorded into one buffer, whose begin and end are not timed
};

const Case kCases[] = {
    {"dispatch", Dispatch, kCalls, true},
    {"bind+dispatch", BindDispatch, kCalls, true},
    {"dispatch+barrier", DispatchBarrier, kCalls, true},
    {"begin+end", BeginEnd, kCalls, false},
    {"begin+bind+dispatch+end", BeginDispatchEnd, kCalls, false},
    {"submit+wait+reset", SubmitWait, kSubmissions, false},
};

struct Sum {
  double ns = 0;
  uint64_t allocations = 0;
};

void Batch(const Case &what, const bench_lane &lane, Sum *sum) {
  if (what.in_recording) {
    bench_begin(&lane, lane.quiet, kOneTime);
  }
  const uint64_t allocations = bench_alloc_count();
  const auto start = std::chrono::steady_clock::now();
  what.calls(lane, what.count);
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  sum->ns += took.count();
  sum->allocations += bench_alloc_count() - allocations;
  if (what.in_recording) {
    bench_end(&lane, lane.quiet);
  }
}

void Run(benchmark::State &state, const Case &what, size_t world) {
  const bench_lane &lane = lanes[world][static_cast<size_t>(state.thread_index())];
  Sum warm_up;
  Sum sum;
  Batch(what, lane, &warm_up);
  Batch(what, lane, &warm_up);
  for (auto unused : state) {
    (void)unused;
    Batch(what, lane, &sum);
  }
  const double calls = static_cast<double>(state.iterations()) * what.count;
  const auto average = benchmark::Counter::kAvgThreads;
  state.counters["ns"] = benchmark::Counter(sum.ns / calls, average);
  state.counters["allocations"] =
      benchmark::Counter(static_cast<double>(sum.allocations) / calls, average);
}

void Register() {
  for (const Case &what : kCases) {
    for (size_t world = 0; world < worlds.size(); world++) {
      const std::string name = std::string(what.name) + (world == 0 ? "/bare" : "/layer");
      for (int threads = 1; threads <= BENCH_QUEUES; threads++) {
        benchmark::RegisterBenchmark(
            name.c_str(), [&what, world](benchmark::State &state) { Run(state, what, world); })
            ->Iterations(kBatches)
            ->Threads(threads)
            ->UseRealTime();
      }
    }
  }
}

} // namespace

int main(int count, char *arguments[]) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) {
    return 1;
  }
  bench_prepare(BENCH_PROFILE);
  for (size_t world = 0; world < worlds.size(); world++) {
    bench_world_open(&worlds[world], world == 1);
    for (uint32_t lane = 0; lane < BENCH_QUEUES; lane++) {
      bench_lane_open(&lanes[world][lane], &worlds[world], lane);
    }
  }
  bench_alloc_watch(reinterpret_cast<const void *>(worlds[1].vk.CmdDispatch));
  Register();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  for (size_t world = 0; world < worlds.size(); world++) {
    for (uint32_t lane = 0; lane < BENCH_QUEUES; lane++) {
      bench_lane_close(&lanes[world][lane]);
    }
    bench_world_close(&worlds[world]);
  }
  bench_violations();
  return 0;
}
