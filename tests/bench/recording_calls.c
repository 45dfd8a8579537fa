/* recording_calls: what the layer asks of the C library while dispatches are recorded.
 *
 * The same command buffer is recorded again and again, with few dispatches and with many. Out: a
 * line each on stdout; exit status 1 when a lock or an allocation comes with the dispatches; "item
 * H1 ok", "item H4 ok". */
#include <stdio.h>
#include <stdlib.h>

#include "bench_alloc.h"
#include "bench_check.h"
#include "bench_locks.h"
#include "bench_world.h"

enum { WARM_UP = 3, FEW = 16, MANY = 512, PER_BLOCK = 64 };

struct calls {
  uint64_t allocations, locks;
};

static struct calls now(void) {
  return (struct calls){bench_alloc_count(), bench_locks_count()};
}

/* Of the recording alone, without begin and end. */
static struct calls record(const struct bench_lane *lane, uint32_t dispatches) {
  bench_begin(lane, lane->quiet, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  struct calls before = now();
  bench_binds_and_dispatches(lane, lane->quiet, dispatches);
  struct calls after = now();
  bench_end(lane, lane->quiet);
  return (struct calls){after.allocations - before.allocations, after.locks - before.locks};
}

int main(void) {
  struct bench_world world;
  struct bench_lane lane;
  bench_prepare(BENCH_PROFILE);
  bench_world_open(&world, true);
  bench_alloc_watch((const void *)(uintptr_t)world.vk.CmdDispatch);
  bench_lane_open(&lane, &world, 0);
  uint64_t in_all = bench_locks_count() + bench_alloc_count();
  bench_require(in_all > 0, "that the counters count: making a pool takes a lock or memory");
  for (int i = 0; i < WARM_UP; i++) {
    (void)record(&lane, MANY);
  }
  struct calls many = record(&lane, MANY);
  struct calls few = record(&lane, FEW);
  (void)printf("%d dispatches: %llu allocations, %llu locks\n", FEW,
               (unsigned long long)few.allocations, (unsigned long long)few.locks);
  (void)printf("%d dispatches: %llu allocations, %llu locks\n", MANY,
               (unsigned long long)many.allocations, (unsigned long long)many.locks);
  bench_lane_close(&lane);
  bench_world_close(&world);
  /* Blocks of queries are taken under a lock. */
  bool no_locks = few.locks <= 4 && many.locks <= few.locks + MANY / PER_BLOCK;
  bool no_allocations = many.allocations == 0 && few.allocations == 0;
  if (no_locks) {
    (void)puts("item H1 ok");
  }
  if (no_allocations) {
    (void)puts("item H4 ok");
  }
  return no_locks && no_allocations ? EXIT_SUCCESS : EXIT_FAILURE;
}
