/* Ends with a device that was never destroyed. usage: live_device_exit [--keep-instance]
 * Default: the instance is destroyed while the device lives (not allowed, and done by real
 * programs).
 * --keep-instance: neither is destroyed. 5 executions. */
#include <stdio.h>
#include <unistd.h>

#include "counter.h"

int main(int count, char *arguments[]) {
  struct gpu gpu;
  gpu_open(&gpu, &(struct gpu_options){.application = "live_device_exit"});
  struct counter counter = counter_create(&gpu);
  VkCommandBuffer commands = gpu_commands_create(&gpu, gpu.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  gpu_commands_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  for (uint32_t i = 0; i < 5; i++) {
    counter_record(&counter, commands, 1, 0);
  }
  gpu_commands_end(commands);
  gpu_run(&gpu, commands);
  counter_expect(&counter, 5);
  if (!gpu_flag(count, arguments, "--keep-instance")) {
    /* The loader unloads the driver; SwiftShader's threads must be asleep by then, or it crashes
     * all by itself. */
    (void)usleep(200000);
    vkDestroyInstance(gpu.instance, NULL);
  }
  (void)printf("dispatches 5\n");
  return 0;
}
