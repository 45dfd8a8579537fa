/* Opens one device and works on another, as a program does that falls back without a word:
 * fallback --open NAME --work NAME [--both]. With --both the first one works, too. */
#include <stdio.h>

#include "counter.h"

static void work(const struct gpu *gpu, uint32_t dispatches) {
  struct counter counter = counter_create(gpu);
  VkCommandBuffer commands = gpu_commands_create(gpu, gpu->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  gpu_commands_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  counter_order(commands);
  for (uint32_t i = 0; i < dispatches; i++) {
    counter_record(&counter, commands, 1, 100);
  }
  gpu_commands_end(commands);
  gpu_run(gpu, commands);
  counter_destroy(gpu, &counter);
}

int main(int count, char *arguments[]) {
  struct gpu opened;
  struct gpu worker;
  gpu_open(&opened, &(struct gpu_options){.application = "fallback",
                                          .device = gpu_argument(count, arguments, "--open")});
  gpu_open(&worker, &(struct gpu_options){.application = "fallback",
                                          .device = gpu_argument(count, arguments, "--work")});
  if (gpu_flag(count, arguments, "--both")) {
    work(&opened, 2);
  }
  work(&worker, 3);
  (void)printf("opened %s, worked on %s\n", opened.properties.deviceName,
               worker.properties.deviceName);
  gpu_close(&worker);
  gpu_close(&opened);
  return 0;
}
