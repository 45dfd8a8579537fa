/* cost_scenario SCENARIO: one fixed piece of work behind the layer, for callgrind to count.
 *
 * What counts is what runs inside bench_counted (callgrind's --toggle-collect), in surroundings
 * that stand still (bench_still.c). On stdout: how many units the instructions are for: dispatches,
 * submissions, executions, or kilobytes of profile. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "bench_check.h"
#include "bench_kernels.h"
#include "bench_world.h"
#include "fake_driver.h"

enum { WARM_UP = 2, CALLS = 256, BUFFERS = 64, KERNELS = 256, RUNS = 64, LONG = 256 };

struct stage {
  struct bench_world world;
  struct bench_lane lane;
  VkCommandBuffer many[BUFFERS]; /* a dispatch each; any number of submissions */
  VkCommandBuffer long_one;      /* LONG dispatches */
};

struct scenario {
  const char *name;
  void (*before)(struct stage *stage); /* these two are not counted; NULL: nothing */
  void (*counted)(struct stage *stage);
  void (*after)(struct stage *stage);
  int rounds;
  int units; /* of a round */
};

static void record_binds(struct stage *stage) {
  const struct bench_lane *lane = &stage->lane;
  bench_begin(lane, lane->quiet, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  bench_binds_and_dispatches(lane, lane->quiet, CALLS);
  bench_end(lane, lane->quiet);
}

static void record_barriers(struct stage *stage) {
  const struct bench_lane *lane = &stage->lane;
  bench_begin(lane, lane->quiet, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  bench_dispatches_and_barriers(lane, lane->quiet, CALLS);
  bench_end(lane, lane->quiet);
}

static void resubmit(struct stage *stage) {
  bench_submissions(&stage->lane, CALLS);
}

static void submit_one(struct stage *stage) {
  bench_submit(&stage->lane, &stage->lane.once, 1);
}

static void submit_many(struct stage *stage) {
  bench_submit(&stage->lane, stage->many, BUFFERS);
}

static void submit_long(struct stage *stage) {
  bench_submit(&stage->lane, &stage->long_one, 1);
}

static void wait(struct stage *stage) {
  bench_wait(&stage->lane);
}

/* A sample of each of many kernels, another one each time. */
static void run_kernels(struct stage *stage, const VkPipeline *kernels) {
  const struct bench_lane *lane = &stage->lane;
  for (uint32_t run = 0; run < RUNS; run++) {
    fake_config()->dispatch_ns = 1000 + run * 37 % RUNS;
    bench_kernels_record(lane, lane->once, kernels, KERNELS, 64);
    bench_submissions(lane, 1);
  }
}

static void fill_profile(struct stage *stage) {
  VkPipeline kernels[KERNELS];
  bench_kernels_create(&stage->world, kernels, KERNELS);
  run_kernels(stage, kernels);
  bench_kernels_destroy(&stage->world, kernels, KERNELS);
  bench_lane_close(&stage->lane);
}

static void close_world(struct stage *stage) {
  bench_world_close(&stage->world);
}

static const struct scenario scenarios[] = {
    {"bind_dispatch", NULL, record_binds, NULL, 20, CALLS},
    {"dispatch_barrier", NULL, record_barriers, NULL, 20, CALLS},
    {"resubmit_wait", NULL, resubmit, NULL, 20, CALLS},
    {"submit_1", NULL, submit_one, wait, 256, 1},
    {"submit_64", NULL, submit_many, wait, 32, 1},
    {"collect_1", submit_one, wait, NULL, 256, 1},
    {"collect_256", submit_long, wait, NULL, 32, 1},
    {"exit", fill_profile, close_world, NULL, 0, 0}, /* no round: it ends the world */
};

static const struct scenario *find(const char *name) {
  for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
    if (strcmp(scenarios[i].name, name) == 0) {
      return &scenarios[i];
    }
  }
  return NULL;
}

void bench_counted(const struct scenario *scenario, struct stage *stage);

__attribute__((noinline)) void bench_counted(const struct scenario *scenario, struct stage *stage) {
  scenario->counted(stage);
}

static void play(const struct scenario *scenario, struct stage *stage, bool counted) {
  if (scenario->before) {
    scenario->before(stage);
  }
  if (counted) {
    bench_counted(scenario, stage);
  } else {
    scenario->counted(stage);
  }
  if (scenario->after) {
    scenario->after(stage);
  }
}

static void open_stage(struct stage *stage) {
  bench_prepare(BENCH_PROFILE);
  bench_world_open(&stage->world, true);
  bench_lane_open(&stage->lane, &stage->world, 0);
  for (uint32_t i = 0; i < BUFFERS; i++) {
    stage->many[i] = bench_lane_buffer(&stage->lane, 1);
  }
  stage->long_one = bench_lane_buffer(&stage->lane, LONG);
}

static int profile_kilobytes(void) {
  struct stat status;
  bench_require(stat(BENCH_PROFILE, &status) == 0, "the profile");
  return (int)(status.st_size / 1000);
}

int main(int count, char *arguments[]) {
  const struct scenario *scenario = count == 2 ? find(arguments[1]) : NULL;
  if (!scenario) {
    (void)fputs("usage: cost_scenario SCENARIO (see cost_guard)\n", stderr);
    return EXIT_FAILURE;
  }
  struct stage stage;
  open_stage(&stage);
  int units = scenario->rounds * scenario->units;
  if (scenario->rounds == 0) {
    play(scenario, &stage, true);
    units = profile_kilobytes();
  } else {
    for (int i = 0; i < WARM_UP + scenario->rounds; i++) {
      play(scenario, &stage, i >= WARM_UP);
    }
    bench_lane_close(&stage.lane);
    bench_world_close(&stage.world);
  }
  bench_require(bench_violations() == 0, "the rules of Vulkan");
  (void)printf("%d\n", units);
  return EXIT_SUCCESS;
}
