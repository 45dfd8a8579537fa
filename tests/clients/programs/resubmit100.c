/* One recording of three dispatches, submitted 100 times, each time waited for: 300 executions. */
#include <stdio.h>

#include "counter.h"

int main(void) {
  struct gpu gpu;
  gpu_open(&gpu, &(struct gpu_options){.application = "resubmit100"});
  struct counter counter = counter_create(&gpu);
  VkCommandBuffer commands = gpu_commands_create(&gpu, gpu.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  gpu_commands_begin(commands, 0);
  counter_order(commands);
  for (uint32_t i = 0; i < 3; i++) {
    counter_record(&counter, commands, 1, 0);
  }
  gpu_commands_end(commands);
  for (int i = 0; i < 100; i++) {
    gpu_run(&gpu, commands);
  }
  counter_expect(&counter, 300);
  counter_destroy(&gpu, &counter);
  gpu_close(&gpu);
  (void)printf("dispatches 300\n");
  return 0;
}
