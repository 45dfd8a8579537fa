/* Submits dispatches for a number of seconds, for tests that kill it. usage: looper [--seconds S]
 * Says "running" once the first submission is done, so that the killer knows when time counts. */
#include <stdio.h>
#include <time.h>

#include "counter.h"

int main(int count, char *arguments[]) {
  long seconds = gpu_argument_number(count, arguments, "--seconds", 10, 0, 3600);
  struct gpu gpu;
  gpu_open(&gpu, &(struct gpu_options){.application = "looper"});
  struct counter counter = counter_create(&gpu);
  VkCommandBuffer commands = gpu_commands_create(&gpu, gpu.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  struct timespec start = {0};
  struct timespec now = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &start);
  uint32_t done = 0;
  do {
    gpu_commands_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    counter_order(commands);
    for (uint32_t i = 0; i < 4; i++) {
      counter_record(&counter, commands, 1, 1000);
    }
    gpu_commands_end(commands);
    gpu_run(&gpu, commands);
    if (done == 0) {
      (void)printf("running\n");
      (void)fflush(stdout);
    }
    done += 4;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_sec - start.tv_sec < seconds);
  counter_expect(&counter, done);
  counter_destroy(&gpu, &counter);
  gpu_close(&gpu);
  (void)printf("dispatches %u\n", done);
  return 0;
}
