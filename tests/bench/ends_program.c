/* ends_program load bare|layer, ends_program exit bare|layer KERNELS RUNS: how long it takes until
 * a program has its device, and what its end takes, on the fake driver.
 *
 *   load  on stdout: nanoseconds of opening the layer's library (bare: 0) and of making instance,
 *         device and four pipelines
 *   exit  runs KERNELS kernels RUNS times each, and prints when it began to destroy its device, and
 *         when that was done, in nanoseconds of CLOCK_MONOTONIC; then it returns from main. When
 * the process has ended is for its parent to see
 *
 * The profile goes to VKMETER_OUTPUT. */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_check.h"
#include "bench_kernels.h"
#include "bench_world.h"
#include "fake_driver.h"

enum { AT_ONCE = 200, LONGEST = 4096 }; /* kernels in a recording; durations that differ */

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int load(bool layered) {
  int64_t begin_ns = now_ns();
  if (layered) {
    bench_require(dlopen(BENCH_LAYER, RTLD_NOW | RTLD_LOCAL) != NULL, "the layer's library");
  }
  int64_t opened_ns = now_ns();
  struct bench_world world;
  bench_world_open(&world, layered);
  int64_t made_ns = now_ns();
  bench_world_close(&world);
  printf("%" PRId64 " %" PRId64 "\n", layered ? opened_ns - begin_ns : 0, made_ns - opened_ns);
  return EXIT_SUCCESS;
}

/* Durations of as many digits as those of real kernels. */
static void run(const struct bench_lane *lane, const VkPipeline *kernels, uint32_t count,
                uint32_t runs) {
  for (uint32_t i = 0; i < runs; i++) {
    fake_config()->dispatch_ns = 1000 + i * 1237 % LONGEST;
    for (uint32_t first = 0; first < count; first += AT_ONCE) {
      uint32_t some = count - first < AT_ONCE ? count - first : AT_ONCE;
      bench_kernels_record(lane, lane->once, kernels + first, some, 64);
      bench_submissions(lane, 1);
    }
  }
}

static int end(bool layered, uint32_t count, uint32_t runs) {
  struct bench_world world;
  struct bench_lane lane;
  VkPipeline *kernels = calloc(count + 1, sizeof(VkPipeline));
  bench_require(kernels != NULL, "calloc");
  bench_world_open(&world, layered);
  bench_lane_open(&lane, &world, 0);
  bench_kernels_create(&world, kernels, count);
  run(&lane, kernels, count, runs);
  bench_kernels_destroy(&world, kernels, count);
  bench_lane_close(&lane);
  int64_t begin_ns = now_ns();
  bench_world_close(&world);
  printf("%" PRId64 " %" PRId64 "\n", begin_ns, now_ns());
  free(kernels);
  return bench_violations() > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int count, char *arguments[]) {
  bool loads = count == 3 && strcmp(arguments[1], "load") == 0;
  bool ends = count == 5 && strcmp(arguments[1], "exit") == 0;
  const char *profile = getenv("VKMETER_OUTPUT");
  if (!loads && !ends) {
    (void)fputs("usage: ends_program load bare|layer, or exit bare|layer KERNELS RUNS\n", stderr);
    return EXIT_FAILURE;
  }
  bench_require(profile != NULL, "VKMETER_OUTPUT is not set");
  bench_prepare(profile);
  bool layered = strcmp(arguments[2], "layer") == 0;
  return loads ? load(layered)
               : end(layered, (uint32_t)strtoul(arguments[3], NULL, 10),
                     (uint32_t)strtoul(arguments[4], NULL, 10));
}
