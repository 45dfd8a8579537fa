/* size_program DISPATCHES steady|growing: runs 200 kernels behind the layer, 200 dispatches a
 * recording, until that many were executed; growing: with another geometry in each recording, as a
 * cache that grows with each token. On stdout: resident bytes before and after. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_check.h"
#include "bench_kernels.h"
#include "bench_world.h"

enum { KERNELS = 200 };

static unsigned long resident_bytes(void) {
  char line[128] = "";
  FILE *file = fopen("/proc/self/statm", "r");
  bench_require(file != NULL && fgets(line, sizeof line, file) != NULL, "statm");
  (void)fclose(file);
  const char *second = strchr(line, ' '); /* the first is what is mapped */
  bench_require(second != NULL, "statm");
  unsigned long resident = strtoul(second, NULL, 10);
  return resident * (unsigned long)sysconf(_SC_PAGESIZE);
}

int main(int count, char *arguments[]) {
  bool growing = count == 3 && strcmp(arguments[2], "growing") == 0;
  if (count != 3 || (!growing && strcmp(arguments[2], "steady") != 0)) {
    (void)fputs("usage: size_program DISPATCHES steady|growing\n", stderr);
    return EXIT_FAILURE;
  }
  unsigned long steps = strtoul(arguments[1], NULL, 10) / KERNELS;
  const char *profile = getenv("VKMETER_OUTPUT");
  bench_require(profile != NULL, "VKMETER_OUTPUT is not set");
  bench_prepare(profile);
  struct bench_world world;
  struct bench_lane lane;
  VkPipeline kernels[KERNELS];
  bench_world_open(&world, true);
  bench_kernels_create(&world, kernels, KERNELS);
  bench_lane_open(&lane, &world, 0);
  unsigned long before = resident_bytes();
  for (unsigned long step = 0; step < steps; step++) {
    bench_kernels_record(&lane, lane.once, kernels, KERNELS, growing ? (uint32_t)step + 1 : 64);
    bench_submissions(&lane, 1);
  }
  unsigned long after = resident_bytes();
  bench_kernels_destroy(&world, kernels, KERNELS);
  bench_lane_close(&lane);
  bench_world_close(&world);
  printf("%lu %lu\n", before, after);
  return bench_violations() > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
