/* cost_scenario SCENARIO: one fixed piece of recording work behind the layer, for callgrind to
 * count.
 *
 * What counts is what runs inside bench_counted (callgrind's --toggle-collect). The layer's threads
 * never start: pthread_create fails here, which the layer takes as it would on a machine without
 * room for threads; so the count does not depend on when they would have run, and what they would
 * have read is read by the waits of the scenario. On stdout: how many dispatches or submissions the
 * instructions are for. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "bench_check.h"
#include "bench_world.h"

enum { WARM_UP = 2, ROUNDS = 20, CALLS = 256 };

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
                                                          const pthread_attr_t *attributes,
                                                          void *(*routine)(void *),
                                                          void *argument) {
  (void)thread;
  (void)attributes;
  (void)routine;
  (void)argument;
  return EAGAIN;
}

static void record_binds(const struct bench_lane *lane) {
  bench_begin(lane, lane->quiet, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  bench_binds_and_dispatches(lane, lane->quiet, CALLS);
  bench_end(lane, lane->quiet);
}

static void record_barriers(const struct bench_lane *lane) {
  bench_begin(lane, lane->quiet, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  bench_dispatches_and_barriers(lane, lane->quiet, CALLS);
  bench_end(lane, lane->quiet);
}

static void resubmit(const struct bench_lane *lane) {
  bench_submissions(lane, CALLS);
}

struct scenario {
  const char *name;
  void (*round)(const struct bench_lane *lane);
};

static const struct scenario scenarios[] = {
    {"bind_dispatch", record_binds},
    {"dispatch_barrier", record_barriers},
    {"resubmit_wait", resubmit},
};

static const struct scenario *find(const char *name) {
  for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
    if (strcmp(scenarios[i].name, name) == 0) {
      return &scenarios[i];
    }
  }
  return NULL;
}

void bench_counted(const struct scenario *scenario, const struct bench_lane *lane);

__attribute__((noinline)) void bench_counted(const struct scenario *scenario,
                                             const struct bench_lane *lane) {
  for (int i = 0; i < ROUNDS; i++) {
    scenario->round(lane);
  }
}

int main(int count, char *arguments[]) {
  const struct scenario *scenario = count == 2 ? find(arguments[1]) : NULL;
  if (!scenario) {
    (void)fputs("usage: cost_scenario bind_dispatch|dispatch_barrier|resubmit_wait\n", stderr);
    return EXIT_FAILURE;
  }
  struct bench_world world;
  struct bench_lane lane;
  bench_prepare(BENCH_PROFILE);
  bench_world_open(&world, true);
  bench_lane_open(&lane, &world, 0);
  for (int i = 0; i < WARM_UP; i++) {
    scenario->round(&lane);
  }
  bench_counted(scenario, &lane);
  bench_lane_close(&lane);
  bench_world_close(&world);
  bench_require(bench_violations() == 0, "the rules of Vulkan");
  (void)printf("%d\n", ROUNDS * CALLS);
  return EXIT_SUCCESS;
}
