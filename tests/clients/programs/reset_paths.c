/* Every way for a recording to begin, end and be forgotten. Each step adds its own power of two, so
 * that the sum tells which step went wrong; the number of executions is printed at the end. */
#include <stdio.h>
#include <string.h>

#include "counter.h"

static uint32_t executions, total;

/* Records `dispatches` dispatches that each add `amount`. */
static void record(const struct counter *counter, VkCommandBuffer commands, uint32_t dispatches,
                   uint32_t amount, VkCommandBufferUsageFlags flags) {
  gpu_commands_begin(commands, flags);
  counter_order(commands);
  for (uint32_t i = 0; i < dispatches; i++) {
    counter_record(counter, commands, amount, 0);
  }
  gpu_commands_end(commands);
}

/* Notes what an execution of such a recording does, then runs it. */
static void run(const struct gpu *gpu, const struct counter *counter, VkCommandBuffer commands,
                uint32_t dispatches, uint32_t amount) {
  executions += dispatches;
  total += dispatches * amount;
  gpu_run(gpu, commands);
  counter_expect(counter, total);
}

/* Begin on a buffer that holds a recording resets it. */
static void implicit_reset(const struct gpu *gpu, const struct counter *counter) {
  VkCommandBuffer commands = gpu_commands_create(gpu, gpu->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  for (uint32_t i = 1; i <= 4; i++) {
    record(counter, commands, i, 1, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    run(gpu, counter, commands, i, 1);
  }
  record(counter, commands, 7, 1, 0); /* never submitted */
  record(counter, commands, 1, 2, 0);
  run(gpu, counter, commands, 1, 2);
  run(gpu, counter, commands, 1, 2);
  vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &commands);
}

static void explicit_reset(const struct gpu *gpu, const struct counter *counter) {
  VkCommandBuffer commands = gpu_commands_create(gpu, gpu->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  for (uint32_t i = 1; i <= 3; i++) {
    record(counter, commands, i, 16, 0);
    run(gpu, counter, commands, i, 16);
    run(gpu, counter, commands, i, 16);
    gpu_check(
        vkResetCommandBuffer(commands, i == 2 ? VK_COMMAND_BUFFER_RESET_RELEASE_RESOURCES_BIT : 0),
        "vkResetCommandBuffer");
  }
  vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &commands);
}

/* A pool whose buffers can only be reset all at once; then it is destroyed with its buffers in it.
 */
static void pool_reset(const struct gpu *gpu, const struct counter *counter) {
  VkCommandPool pool = gpu_pool_create(gpu, VK_COMMAND_POOL_CREATE_TRANSIENT_BIT);
  VkCommandBuffer commands[3];
  for (int i = 0; i < 3; i++) {
    commands[i] = gpu_commands_create(gpu, pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  }
  for (uint32_t round = 1; round <= 3; round++) {
    for (uint32_t i = 0; i < 3; i++) {
      record(counter, commands[i], i + round, 256, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    }
    run(gpu, counter, commands[2], 2 + round, 256);
    run(gpu, counter, commands[0], round, 256); /* commands[1] is never submitted */
    gpu_check(vkResetCommandPool(gpu->device, pool, 0), "vkResetCommandPool");
  }
  record(counter, commands[1], 2, 256, 0);
  run(gpu, counter, commands[1], 2, 256);
  vkDestroyCommandPool(gpu->device, pool, NULL);
}

/* Freed in another order than allocated, and handles that come back as other buffers. */
static void free_in_any_order(const struct gpu *gpu, const struct counter *counter) {
  VkCommandBuffer commands[4];
  for (uint32_t round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < 4; i++) {
      commands[i] = gpu_commands_create(gpu, gpu->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
      record(counter, commands[i], i + 1, 4096, 0);
    }
    run(gpu, counter, commands[1], 2, 4096);
    vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &commands[1]);
    run(gpu, counter, commands[3], 4, 4096);
    run(gpu, counter, commands[3], 4, 4096);
    vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &commands[0]);
    VkCommandBuffer rest[3] = {commands[3], VK_NULL_HANDLE, commands[2]};
    vkFreeCommandBuffers(gpu->device, gpu->pool, 3, rest);
  }
}

/* Secondaries, one of them in two primaries, freed before the primary. */
static void secondaries(const struct gpu *gpu, const struct counter *counter) {
  VkCommandBuffer inner[2];
  for (uint32_t i = 0; i < 2; i++) {
    inner[i] = gpu_commands_create(gpu, gpu->pool, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    record(counter, inner[i], i + 1, 1U << 16, 0);
  }
  VkCommandBuffer outer = gpu_commands_create(gpu, gpu->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  for (int round = 0; round < 2; round++) {
    gpu_commands_begin(outer, 0);
    counter_order(outer);
    counter_record(counter, outer, 1U << 16, 0);
    vkCmdExecuteCommands(outer, 2, inner);
    counter_record(counter, outer, 1U << 16, 0);
    gpu_commands_end(outer);
    run(gpu, counter, outer, 5, 1U << 16);
    run(gpu, counter, outer, 5, 1U << 16);
  }
  vkFreeCommandBuffers(gpu->device, gpu->pool, 2, inner);
  vkFreeCommandBuffers(gpu->device, gpu->pool, 1, &outer);
}

/* Several buffers in several batches of one call, and a kernel that is destroyed after its
 * recording ran. */
static void batches(const struct gpu *gpu, const struct counter *counter) {
  VkCommandBuffer commands[3];
  for (uint32_t i = 0; i < 3; i++) {
    commands[i] = gpu_commands_create(gpu, gpu->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    record(counter, commands[i], i + 1, 1U << 22, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  }
  VkSubmitInfo submits[3] = {
      {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
       .commandBufferCount = 2,
       .pCommandBuffers = commands},
      {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO},
      {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
       .commandBufferCount = 1,
       .pCommandBuffers = &commands[2]},
  };
  gpu_check(vkQueueSubmit(gpu->queue, 3, submits, VK_NULL_HANDLE), "vkQueueSubmit");
  gpu_check(vkQueueWaitIdle(gpu->queue), "vkQueueWaitIdle");
  executions += 6;
  total += 6U << 22;
  counter_expect(counter, total);
}

int main(void) {
  struct gpu gpu;
  gpu_open(&gpu, &(struct gpu_options){.application = "reset_paths"});
  struct counter counter = counter_create(&gpu);
  implicit_reset(&gpu, &counter);
  explicit_reset(&gpu, &counter);
  pool_reset(&gpu, &counter);
  free_in_any_order(&gpu, &counter);
  secondaries(&gpu, &counter);
  batches(&gpu, &counter);
  counter_destroy(&gpu, &counter);
  gpu_close(&gpu);
  (void)printf("dispatches %u\n", executions);
  return 0;
}
