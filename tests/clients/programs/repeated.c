/* What cannot be timed one by one, but has to be counted: a recording that is pending several times
 * at once, and a secondary that runs several times in one primary. 6 + 2 * 7 + 1 executions. */
#include <stdio.h>

#include "counter.h"

static uint32_t executions;

static void run(const struct gpu *gpu, const struct counter *counter, uint32_t count,
                const VkCommandBuffer commands[], uint32_t dispatches) {
  VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .commandBufferCount = count,
      .pCommandBuffers = commands,
  };
  gpu_check(vkQueueSubmit(gpu->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  gpu_check(vkQueueSubmit(gpu->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  gpu_check(vkQueueWaitIdle(gpu->queue), "vkQueueWaitIdle");
  executions += 2 * dispatches;
  counter_expect(counter, executions);
}

static VkCommandBuffer create(const struct gpu *gpu, VkCommandBufferLevel level) {
  VkCommandBuffer commands = gpu_commands_create(gpu, gpu->pool, level);
  gpu_commands_begin(commands, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  return commands;
}

int main(void) {
  struct gpu gpu;
  gpu_open(&gpu, &(struct gpu_options){.application = "repeated"});
  struct counter counter = counter_create(&gpu);

  VkCommandBuffer again = create(&gpu, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  counter_order(again);
  counter_record(&counter, again, 1, 100);
  gpu_commands_end(again);
  run(&gpu, &counter, 3, (VkCommandBuffer[3]){again, again, again}, 3);

  VkCommandBuffer inner = create(&gpu, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  counter_record(&counter, inner, 1, 100);
  counter_record(&counter, inner, 1, 100);
  gpu_commands_end(inner);
  VkCommandBuffer outer = create(&gpu, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  counter_order(outer);
  counter_record(&counter, outer, 1, 100);
  vkCmdExecuteCommands(outer, 3, (VkCommandBuffer[3]){inner, inner, inner});
  gpu_commands_end(outer);
  run(&gpu, &counter, 1, &outer, 7);
  gpu_run(&gpu, again); /* alone, waited for before and after: can be timed again */
  counter_expect(&counter, ++executions);

  counter_destroy(&gpu, &counter);
  gpu_close(&gpu);
  (void)printf("dispatches %u\n", executions);
  return 0;
}
