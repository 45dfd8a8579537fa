/* 8 threads, each with a pool and a counter of its own, record and submit 25 buffers of 1 to 4
 * dispatches through one queue under one lock: 500 executions. */
#include <pthread.h>
#include <stdio.h>

#include "counter.h"

enum { THREADS = 8, ROUNDS = 25 };

struct worker {
  const struct gpu *gpu;
  struct counter counter;
  pthread_t thread;
  uint32_t index, executions;
};

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;

static void submit_and_wait(const struct gpu *gpu, VkCommandBuffer commands, VkFence fence) {
  VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .commandBufferCount = 1,
      .pCommandBuffers = &commands,
  };
  (void)pthread_mutex_lock(&queue_lock);
  VkResult result = vkQueueSubmit(gpu->queue, 1, &submit, fence);
  (void)pthread_mutex_unlock(&queue_lock);
  gpu_check(result, "vkQueueSubmit");
  gpu_check(vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, 60000000000ULL), "vkWaitForFences");
  gpu_check(vkResetFences(gpu->device, 1, &fence), "vkResetFences");
}

static void *work(void *argument) {
  struct worker *worker = argument;
  const struct gpu *gpu = worker->gpu;
  VkCommandPool pool = gpu_pool_create(gpu, 0);
  VkCommandBuffer commands = gpu_commands_create(gpu, pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  gpu_check(vkCreateFence(gpu->device, &info, NULL, &fence), "vkCreateFence");
  for (uint32_t round = 0; round < ROUNDS; round++) {
    uint32_t dispatches = 1 + (round + worker->index) % 4;
    gpu_check(vkResetCommandPool(gpu->device, pool, 0), "vkResetCommandPool");
    gpu_commands_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    counter_order(commands);
    for (uint32_t i = 0; i < dispatches; i++) {
      counter_record(&worker->counter, commands, 1, 0);
    }
    gpu_commands_end(commands);
    submit_and_wait(gpu, commands, fence);
    worker->executions += dispatches;
  }
  vkDestroyFence(gpu->device, fence, NULL);
  vkDestroyCommandPool(gpu->device, pool, NULL);
  return NULL;
}

int main(void) {
  struct gpu gpu;
  gpu_open(&gpu, &(struct gpu_options){.application = "threads"});
  struct worker workers[THREADS] = {0};
  uint32_t executions = 0;
  for (uint32_t i = 0; i < THREADS; i++) {
    workers[i].gpu = &gpu;
    workers[i].index = i;
    workers[i].counter = counter_create(&gpu);
  }
  for (int i = 0; i < THREADS; i++) {
    if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) {
      gpu_die("cannot start a thread");
    }
  }
  for (int i = 0; i < THREADS; i++) {
    (void)pthread_join(workers[i].thread, NULL);
    counter_expect(&workers[i].counter, workers[i].executions);
    executions += workers[i].executions;
    counter_destroy(&gpu, &workers[i].counter);
  }
  gpu_close(&gpu);
  (void)printf("dispatches %u\n", executions);
  return 0;
}
