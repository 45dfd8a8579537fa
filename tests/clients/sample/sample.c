/* A small real Vulkan program with checked results: matrix product, reduction, prefix sum, indirect
 * dispatch, dispatch with a base, copies, names and labels. In: options. Out: one line a stage on
 * stdout, exit code 1 when wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

struct options {
  uint32_t iterations;
  const char *device;
  uint32_t work;
  bool resubmit, no_destroy;
};

static const char usage[] =
    "usage: vkmeter_sample [--iterations N] [--device SUBSTRING] [--work K]\n"
    "                      [--one-time | --resubmit] [--no-destroy]\n"
    "Computes on a Vulkan device and checks every result.\n"
    "  --iterations N      repeat everything N times (default 10)\n"
    "  --device SUBSTRING  take the first device with this in its name (default: the first that "
    "computes)\n"
    "  --work K            also run scale1, scale2, scale4, scale8: K, 2K, 4K, 8K workgroups\n"
    "  --one-time          record again for each iteration (default)\n"
    "  --resubmit          record once, submit for each iteration\n"
    "  --no-destroy        end without destroying anything\n";

static void check_arguments(int count, char *const arguments[]) {
  static const char *const valued[] = {"--iterations", "--device", "--work"};
  static const char *const flags[] = {"--one-time", "--resubmit", "--no-destroy", "--help"};
  for (int i = 1; i < count; i++) {
    bool known = false;
    for (size_t f = 0; f < sizeof flags / sizeof flags[0]; f++) {
      known = known || strcmp(arguments[i], flags[f]) == 0;
    }
    for (size_t v = 0; v < sizeof valued / sizeof valued[0] && !known; v++) {
      if (strcmp(arguments[i], valued[v]) == 0) {
        known = true;
        i++;
      }
    }
    if (!known) {
      gpu_die("unknown option '%s'\n%s", arguments[i], usage);
    }
  }
}

static struct options read_options(int count, char *const arguments[]) {
  check_arguments(count, arguments);
  if (gpu_flag(count, arguments, "--help")) {
    (void)fputs(usage, stdout);
    exit(EXIT_SUCCESS);
  }
  return (struct options){
      .iterations = (uint32_t)gpu_argument_number(count, arguments, "--iterations", 10, 1, 1000000),
      .device = gpu_argument(count, arguments, "--device"),
      .work = (uint32_t)gpu_argument_number(count, arguments, "--work", 0, 0, 8000),
      .resubmit = gpu_flag(count, arguments, "--resubmit"),
      .no_destroy = gpu_flag(count, arguments, "--no-destroy"),
  };
}

static bool iterate(struct work *work, const struct options *options) {
  VkCommandBuffer commands =
      gpu_commands_create(&work->gpu, work->gpu.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  bool good = true;
  for (uint32_t i = 0; i < options->iterations && good; i++) {
    if (i == 0 || !options->resubmit) {
      gpu_commands_begin(commands,
                         options->resubmit ? 0 : VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
      work_record(work, commands);
      gpu_commands_end(commands);
    }
    work_spoil(work);
    gpu_run(&work->gpu, commands);
    good = work_check(work, i + 1 == options->iterations);
  }
  return good;
}

int main(int count, char *arguments[]) {
  struct options options = read_options(count, arguments);
  struct work work = {.scale_groups = options.work};
  gpu_open(&work.gpu,
           &(struct gpu_options){.application = "vkmeter_sample", .device = options.device});
  (void)printf("device      %s\n", work.gpu.properties.deviceName);
  work_create(&work);
  work_fill(&work);
  bool good = iterate(&work, &options);
  if (!options.no_destroy) {
    work_destroy(&work);
    gpu_close(&work.gpu);
  }
  (void)printf("iterations  %u, results %s\n", options.iterations, good ? "OK" : "WRONG");
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
