// What the layer adds to recording and submitting, on the driver that costs nothing itself.
//
// In: Google Benchmark's options. Out: its results, with counters of our own, each of one call and
// averaged over the threads: ns (wall clock), cpu (the thread's), process (of all threads; true
// with one thread), the layer's allocations, and, in the program that counts them, its locks. A
// name is CASE/bare, CASE/hand (the program times itself) or CASE/layer. scripts/bench makes the
// table of it.
//
// Time is taken here and not by the library: its own per-thread arithmetic differs between the
// versions of Debian 12 and 13.
#include <array>
#include <cstdint>
#include <ctime>
#include <string>

#include <benchmark/benchmark.h>

#include "bench_alloc.h"
#include "bench_world.h"

#ifdef BENCH_LOCKS
extern "C" {
#include "bench_locks.h"
}
#else
static uint64_t bench_locks_count() {
  return 0;
}
#endif

namespace {

constexpr uint32_t kCalls = 512; // of one batch
constexpr int kBatches = 32;     // of one repetition
constexpr uint32_t kSubmissions = 64;
constexpr uint32_t kBuffers = 64; // of a large submission
constexpr uint32_t kLong = 256;   // dispatches of a long buffer
constexpr uint32_t kPipelines = 16;
constexpr VkCommandBufferUsageFlags kOneTime = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;

enum Kind : uint8_t { kBare, kHand, kLayer, kKinds };
constexpr std::array<const char *, kKinds> kNames = {"/bare", "/hand", "/layer"};
std::array<bench_world, kKinds> worlds;

// Of one thread.
struct Place {
  bench_lane lane;
  std::array<VkCommandBuffer, kBuffers> many; // a dispatch each
  VkCommandBuffer lengthy;                    // kLong dispatches
  VkQueryPool pool;                           // NULL but by hand: a stamp before and behind each
};

std::array<std::array<Place, BENCH_QUEUES>, kKinds> places; // of each world, one a thread

constexpr uint32_t Queries(uint32_t dispatches) {
  return 2 * dispatches + 1;
}

// What a program that times itself does before it submits buffers again, and when they are done.
void Reset(const Place &place, uint32_t first, uint32_t dispatches) {
  const bench_world *world = place.lane.world;
  if (place.pool != VK_NULL_HANDLE) {
    world->vk.ResetQueryPool(world->device, place.pool, first, Queries(dispatches));
  }
}

void Read(const Place &place, uint32_t first, uint32_t dispatches) {
  const bench_world *world = place.lane.world;
  std::array<std::array<uint64_t, 2>, Queries(kLong)> values{};
  if (place.pool != VK_NULL_HANDLE) {
    world->vk.GetQueryPoolResults(world->device, place.pool, first, 2 * dispatches,
                                  2 * dispatches * sizeof values[0], values.data(),
                                  sizeof values[0],
                                  VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  }
}

// One batch of calls, and how many they were.
using Calls = void (*)(const Place &place, uint32_t calls);

void Dispatch(const Place &place, uint32_t calls) {
  bench_dispatches(&place.lane, place.lane.quiet, calls);
}

void BindDispatch(const Place &place, uint32_t calls) {
  bench_binds_and_dispatches(&place.lane, place.lane.quiet, calls);
}

void DispatchBarrier(const Place &place, uint32_t calls) {
  bench_dispatches_and_barriers(&place.lane, place.lane.quiet, calls);
}

void BeginEnd(const Place &place, uint32_t calls) {
  for (uint32_t i = 0; i < calls; i++) {
    bench_begin(&place.lane, place.lane.quiet, kOneTime);
    bench_end(&place.lane, place.lane.quiet);
  }
}

void BeginDispatchEnd(const Place &place, uint32_t calls) {
  for (uint32_t i = 0; i < calls; i++) {
    bench_begin(&place.lane, place.lane.quiet, kOneTime);
    bench_binds_and_dispatches(&place.lane, place.lane.quiet, 1);
    bench_end(&place.lane, place.lane.quiet);
  }
}

void SubmitWait(const Place &place, uint32_t calls) {
  for (uint32_t i = 0; i < calls; i++) {
    Reset(place, 0, 1);
    bench_submit(&place.lane, place.many.data(), 1);
    bench_wait(&place.lane);
    Read(place, 0, 1);
  }
}

void Submit(const Place &place, uint32_t calls) {
  for (uint32_t i = 0; i < calls; i++) {
    Reset(place, Queries(1) * i, 1);
    bench_post(&place.lane, &place.many.at(i), 1);
  }
}

void SubmitMany(const Place &place, uint32_t calls) {
  (void)calls;
  for (uint32_t i = 0; i < kBuffers; i++) {
    Reset(place, Queries(1) * i, 1);
  }
  bench_post(&place.lane, place.many.data(), kBuffers);
}

void PostLong(const Place &place) {
  Reset(place, Queries(1) * kBuffers, kLong);
  bench_submit(&place.lane, &place.lengthy, 1);
}

void Wait(const Place &place, uint32_t calls) {
  (void)calls;
  bench_wait(&place.lane);
  Read(place, Queries(1) * kBuffers, kLong);
}

void WaitIdle(const Place &place) {
  bench_wait_idle(&place.lane);
}

void FenceStatus(const Place &place, uint32_t calls) {
  const bench_world *world = place.lane.world;
  for (uint32_t i = 0; i < calls; i++) {
    world->vk.GetFenceStatus(world->device, place.lane.fence);
  }
}

void LookUp(const Place &place, uint32_t calls) {
  const bench_world *world = place.lane.world;
  static const std::array<const char *, 4> names = {"vkCmdDispatch", "vkQueueSubmit",
                                                    "vkCmdSetDepthBias", "vkCmdNothing"};
  for (uint32_t i = 0; i < calls; i++) {
    benchmark::DoNotOptimize(world->door(world->device, names.at(i % names.size())));
  }
}

void CreatePipeline(const Place &place, uint32_t calls) {
  const bench_world *world = place.lane.world;
  for (uint32_t i = 0; i < calls; i++) {
    world->vk.DestroyPipeline(world->device, bench_pipeline(world, "another"), nullptr);
  }
}

void BeginRecording(const Place &place) {
  bench_begin(&place.lane, place.lane.quiet, kOneTime);
}

void EndRecording(const Place &place) {
  bench_end(&place.lane, place.lane.quiet);
}

struct Case {
  const char *name;
  Calls calls;
  uint32_t count;                          // of calls in a batch
  void (*before)(const Place &) = nullptr; // of a batch, not timed
  void (*after)(const Place &) = nullptr;
  bool by_hand = false;
};

const std::array<Case, 12> kCases = {{
    {"dispatch", Dispatch, kCalls, BeginRecording, EndRecording},
    {"bind+dispatch", BindDispatch, kCalls, BeginRecording, EndRecording},
    {"dispatch+barrier", DispatchBarrier, kCalls, BeginRecording, EndRecording},
    {"begin+end", BeginEnd, kCalls},
    {"begin+bind+dispatch+end", BeginDispatchEnd, kCalls},
    {"submit+wait+reset", SubmitWait, kSubmissions, nullptr, nullptr, true},
    {"submit, 1 buffer", Submit, kBuffers, nullptr, WaitIdle, true},
    {"submit, 64 buffers", SubmitMany, 1, nullptr, WaitIdle, true},
    {"wait, a dispatch of 256", Wait, kLong, PostLong, nullptr, true},
    {"fence status", FenceStatus, kCalls},
    {"look-up of a command", LookUp, kCalls},
    {"pipeline create+destroy", CreatePipeline, kPipelines},
}};

struct Sum {
  double ns = 0, cpu = 0, process = 0;
  uint64_t allocations = 0, locks = 0;
};

double Now(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

void Batch(const Case &what, const Place &place, Sum *sum) {
  if (what.before != nullptr) {
    what.before(place);
  }
  const uint64_t allocations = bench_alloc_count();
  const uint64_t locks = bench_locks_count();
  const double process = Now(CLOCK_PROCESS_CPUTIME_ID);
  const double cpu = Now(CLOCK_THREAD_CPUTIME_ID);
  const double start = Now(CLOCK_MONOTONIC);
  what.calls(place, what.count);
  sum->ns += Now(CLOCK_MONOTONIC) - start;
  sum->cpu += Now(CLOCK_THREAD_CPUTIME_ID) - cpu;
  sum->process += Now(CLOCK_PROCESS_CPUTIME_ID) - process;
  sum->locks += bench_locks_count() - locks;
  sum->allocations += bench_alloc_count() - allocations;
  if (what.after != nullptr) {
    what.after(place);
  }
}

void Run(benchmark::State &state, const Case &what, size_t world) {
  const Place &place = places.at(world).at(static_cast<size_t>(state.thread_index()));
  Sum warm_up;
  Sum sum;
  Batch(what, place, &warm_up);
  Batch(what, place, &warm_up);
  for (auto unused : state) {
    (void)unused;
    Batch(what, place, &sum);
  }
  const double calls = static_cast<double>(state.iterations()) * what.count;
  const auto average = benchmark::Counter::kAvgThreads;
  state.counters["ns"] = benchmark::Counter(sum.ns / calls, average);
  state.counters["cpu"] = benchmark::Counter(sum.cpu / calls, average);
  state.counters["process"] = benchmark::Counter(sum.process / calls, average);
  state.counters["allocations"] =
      benchmark::Counter(static_cast<double>(sum.allocations) / calls, average);
  state.counters["locks"] = benchmark::Counter(static_cast<double>(sum.locks) / calls, average);
}

void Register() {
  for (const Case &what : kCases) {
    for (size_t world = 0; world < worlds.size(); world++) {
      if (world == kHand && !what.by_hand) {
        continue;
      }
      const std::string name = std::string(what.name) + kNames.at(world);
      for (const int threads : std::array<int, 3>{1, 2, BENCH_QUEUES}) {
        benchmark::RegisterBenchmark(
            name.c_str(), [&what, world](benchmark::State &state) { Run(state, what, world); })
            ->Iterations(kBatches)
            ->Threads(threads)
            ->UseRealTime();
      }
    }
  }
}

void OpenPlace(Place *place, bool by_hand) {
  uint32_t next = 0;
  place->pool = by_hand ? bench_pool(place->lane.world, Queries(1) * kBuffers + Queries(kLong))
                        : VkQueryPool{VK_NULL_HANDLE};
  const auto buffer = [&](uint32_t dispatches) {
    const uint32_t first = next;
    next += Queries(dispatches);
    return by_hand ? bench_lane_timed(&place->lane, dispatches, place->pool, first)
                   : bench_lane_buffer(&place->lane, dispatches);
  };
  for (VkCommandBuffer &one : place->many) {
    one = buffer(1);
  }
  place->lengthy = buffer(kLong);
}

void ClosePlace(Place *place) {
  const bench_world *world = place->lane.world;
  world->vk.DestroyQueryPool(world->device, place->pool, nullptr);
  bench_lane_close(&place->lane);
}

} // namespace

int main(int count, char *arguments[]) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) {
    return 1;
  }
  bench_prepare(BENCH_PROFILE);
  for (size_t world = 0; world < worlds.size(); world++) {
    bench_world_open(&worlds.at(world), world == kLayer);
    for (uint32_t lane = 0; lane < BENCH_QUEUES; lane++) {
      Place &place = places.at(world).at(lane);
      bench_lane_open(&place.lane, &worlds[world], lane);
      OpenPlace(&place, world == kHand);
    }
  }
  bench_alloc_watch(reinterpret_cast<const void *>(worlds[kLayer].vk.CmdDispatch));
  Register();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  for (size_t world = 0; world < worlds.size(); world++) {
    for (uint32_t lane = 0; lane < BENCH_QUEUES; lane++) {
      ClosePlace(&places.at(world).at(lane));
    }
    bench_world_close(&worlds[world]);
  }
  bench_violations();
  return 0;
}
