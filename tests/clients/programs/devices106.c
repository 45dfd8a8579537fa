/* 106 devices one after another on one instance, one dispatch on each: 106 executions. */
#include <stdio.h>

#include "counter.h"

int main(void) {
  const struct gpu_options options = {.application = "devices106"};
  struct gpu gpu;
  gpu_open_instance(&gpu, &options);
  for (int i = 0; i < 106; i++) {
    gpu_open_device(&gpu, &options);
    struct counter counter = counter_create(&gpu);
    VkCommandBuffer commands = gpu_commands_create(&gpu, gpu.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    gpu_commands_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    counter_record(&counter, commands, 1, 0);
    gpu_commands_end(commands);
    gpu_run(&gpu, commands);
    counter_expect(&counter, 1);
    counter_destroy(&gpu, &counter);
    gpu_close_device(&gpu);
  }
  vkDestroyInstance(gpu.instance, NULL);
  (void)printf("devices 106, dispatches 106\n");
  return 0;
}
