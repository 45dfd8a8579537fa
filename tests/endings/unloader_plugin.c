/* The Vulkan part of unloader: 4 dispatches. In: whether to destroy everything. Out: "dispatches
 * 4". Next: unloader unloads it with the loader. */
#include <stdio.h>

#include "counter.h"

__attribute__((visibility("default"))) void plugin_run(bool destroy);

void plugin_run(bool destroy) {
  struct gpu gpu;
  gpu_open(&gpu, &(struct gpu_options){.application = "unloader"});
  struct counter counter = counter_create(&gpu);
  VkCommandBuffer commands = gpu_commands_create(&gpu, gpu.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  gpu_commands_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  for (uint32_t i = 0; i < 4; i++) {
    counter_record(&counter, commands, 1, 0);
  }
  gpu_commands_end(commands);
  gpu_run(&gpu, commands);
  if (destroy) {
    counter_destroy(&gpu, &counter);
    gpu_close(&gpu);
  }
  (void)printf("dispatches 4\n");
}
