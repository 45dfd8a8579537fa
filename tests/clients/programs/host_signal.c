/* Blocks one submission on a timeline value that the host signals one second later, while earlier
 * work is pending and its results are unread: whoever waits for the device in between blocks the
 * thread that has to signal. Ends within 30 s or is killed by its own alarm. 1 + 4 * 8 executions.
 * Without timeline semaphores: exit code 77. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "counter.h"

enum { BUFFERS = 4, DISPATCHES = 8 };

struct timeline {
  VkSemaphore semaphore;
  PFN_vkSignalSemaphoreKHR signal;
  PFN_vkWaitSemaphoresKHR wait;
};

static struct timeline timeline_create(const struct gpu *gpu) {
  VkSemaphoreTypeCreateInfo type = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
  };
  VkSemaphoreCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
      .pNext = &type,
  };
  struct timeline timeline = {
      .signal = (PFN_vkSignalSemaphoreKHR)vkGetDeviceProcAddr(gpu->device, "vkSignalSemaphoreKHR"),
      .wait = (PFN_vkWaitSemaphoresKHR)vkGetDeviceProcAddr(gpu->device, "vkWaitSemaphoresKHR"),
  };
  gpu_check(vkCreateSemaphore(gpu->device, &info, NULL, &timeline.semaphore), "vkCreateSemaphore");
  return timeline;
}

static double seconds(void) {
  struct timespec now = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Waits for `wait`, signals `signal`. */
static void submit(const struct gpu *gpu, const struct timeline *timeline, VkCommandBuffer commands,
                   uint64_t wait, uint64_t signal) {
  VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkTimelineSemaphoreSubmitInfo values = {
      .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
      .waitSemaphoreValueCount = 1,
      .pWaitSemaphoreValues = &wait,
      .signalSemaphoreValueCount = 1,
      .pSignalSemaphoreValues = &signal,
  };
  VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .pNext = &values,
      .waitSemaphoreCount = 1,
      .pWaitSemaphores = &timeline->semaphore,
      .pWaitDstStageMask = &stage,
      .commandBufferCount = 1,
      .pCommandBuffers = &commands,
      .signalSemaphoreCount = 1,
      .pSignalSemaphores = &timeline->semaphore,
  };
  gpu_check(vkQueueSubmit(gpu->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

static VkCommandBuffer record(const struct gpu *gpu, const struct counter *counter,
                              uint32_t dispatches) {
  VkCommandBuffer commands = gpu_commands_create(gpu, gpu->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  gpu_commands_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  counter_order(commands);
  for (uint32_t i = 0; i < dispatches; i++) {
    counter_record(counter, commands, 1, 1000);
  }
  gpu_commands_end(commands);
  return commands;
}

static void wait_for(const struct gpu *gpu, const struct timeline *timeline, uint64_t value) {
  VkSemaphoreWaitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
      .semaphoreCount = 1,
      .pSemaphores = &timeline->semaphore,
      .pValues = &value,
  };
  gpu_check(timeline->wait(gpu->device, &info, 20000000000ULL), "vkWaitSemaphores");
}

int main(void) {
  (void)alarm(30);
  struct gpu gpu;
  gpu_open(&gpu, &(struct gpu_options){.application = "host_signal"});
  if (!gpu.timeline) {
    (void)fprintf(stderr, "the device has no timeline semaphores\n");
    return GPU_NO_DRIVER;
  }
  struct counter counter = counter_create(&gpu);
  struct timeline timeline = timeline_create(&gpu);
  /* Work that finishes soon, and that a profiler wants to read while the device is blocked. */
  for (uint64_t i = 0; i < BUFFERS; i++) {
    submit(&gpu, &timeline, record(&gpu, &counter, DISPATCHES), i, i + 1);
  }
  /* Waits for a value that only the host gives. */
  submit(&gpu, &timeline, record(&gpu, &counter, 1), 100, 101);
  double begin = seconds();
  wait_for(&gpu, &timeline, BUFFERS);
  (void)usleep(1000000);
  VkSemaphoreSignalInfo signal = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
      .semaphore = timeline.semaphore,
      .value = 100,
  };
  gpu_check(timeline.signal(gpu.device, &signal), "vkSignalSemaphore");
  wait_for(&gpu, &timeline, 101);
  double took = seconds() - begin;
  gpu_check(vkQueueWaitIdle(gpu.queue), "vkQueueWaitIdle");
  counter_expect(&counter, BUFFERS * DISPATCHES + 1);
  vkDestroySemaphore(gpu.device, timeline.semaphore, NULL);
  counter_destroy(&gpu, &counter);
  gpu_close(&gpu);
  if (took < 1.0 || took > 10.0) {
    gpu_die("took %.1f s, expected little more than 1", took);
  }
  (void)printf("dispatches %d\n", BUFFERS * DISPATCHES + 1);
  return 0;
}
