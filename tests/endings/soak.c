/* Creates, records, re-records, submits, re-submits and destroys everything from 4 threads, for a
 * number of seconds. usage: soak [--seconds S] [--epoch E]
 * An epoch of E seconds has a device of its own. At each quarter of the time and at the end it
 * prints "resident N KiB". In: a driver. Out: what was executed ("dispatches N"). Next: the runner
 * check_soak compares that with the counting layer and the profile. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "counter.h"

enum { THREADS = 4, RECORDINGS = 3, RESUBMISSIONS = 4, ROUNDS_A_POOL = 8 };

struct worker {
  struct gpu gpu; /* a copy with pools of its own */
  pthread_t thread;
  uint64_t executions;
  uint32_t rounds;
};

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool stop;

static double seconds_now(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void print_resident(const char *when) {
  char text[128] = "";
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fgets(text, sizeof text, file) == NULL) {
    gpu_die("cannot read /proc/self/statm");
  }
  (void)fclose(file);
  const char *second = strchr(text, ' ');
  long pages = second != NULL ? strtol(second, NULL, 10) : 0;
  (void)printf("resident %ld KiB %s\n", pages * sysconf(_SC_PAGESIZE) / 1024, when);
  (void)fflush(stdout);
}

static void submit(const struct gpu *gpu, VkCommandBuffer commands, VkFence fence) {
  VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .commandBufferCount = 1,
      .pCommandBuffers = &commands,
  };
  (void)pthread_mutex_lock(&queue_lock);
  VkResult result = vkQueueSubmit(gpu->queue, 1, &info, fence);
  (void)pthread_mutex_unlock(&queue_lock);
  gpu_check(result, "vkQueueSubmit");
}

static void submit_and_wait(const struct gpu *gpu, VkCommandBuffer commands, VkFence fence) {
  submit(gpu, commands, fence);
  gpu_check(vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, 60000000000ULL), "vkWaitForFences");
  gpu_check(vkResetFences(gpu->device, 1, &fence), "vkResetFences");
}

/* One primary that runs a secondary too; returns how many dispatches it has. */
static uint32_t record(struct worker *worker, const struct counter *counter,
                       VkCommandBuffer primary, VkCommandBuffer secondary) {
  uint32_t dispatches = 1 + worker->rounds++ % 5;
  gpu_commands_begin(secondary, 0);
  counter_record(counter, secondary, 1, 10);
  gpu_commands_end(secondary);
  gpu_commands_begin(primary, 0);
  counter_order(primary);
  for (uint32_t i = 0; i < dispatches; i++) {
    counter_record(counter, primary, 1, 10);
  }
  vkCmdExecuteCommands(primary, 1, &secondary);
  gpu_commands_end(primary);
  return dispatches + 1;
}

/* Everything that a pool holds: made, used, dropped. */
static void use_pool(struct worker *worker) {
  struct gpu *gpu = &worker->gpu;
  struct counter counter = counter_create(gpu);
  uint32_t expected = 0;
  VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  gpu_check(vkCreateFence(gpu->device, &info, NULL, &fence), "vkCreateFence");
  for (int round = 0; round < ROUNDS_A_POOL; round++) {
    VkCommandBuffer primary = gpu_commands_create(gpu, gpu->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBuffer inner = gpu_commands_create(gpu, gpu->pool, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    for (int recording = 0; recording < RECORDINGS; recording++) {
      uint32_t dispatches = record(worker, &counter, primary, inner);
      for (int again = 0; again < RESUBMISSIONS; again++) {
        submit_and_wait(gpu, primary, fence);
        expected += dispatches;
      }
    }
    if (round % 2 == 0) {
      vkFreeCommandBuffers(gpu->device, gpu->pool, 2, (VkCommandBuffer[2]){primary, inner});
    } else {
      gpu_check(vkResetCommandPool(gpu->device, gpu->pool, 0), "vkResetCommandPool");
    }
  }
  counter_expect(&counter, expected);
  worker->executions += expected;
  vkDestroyFence(gpu->device, fence, NULL);
  counter_destroy(gpu, &counter);
}

static void *work(void *argument) {
  struct worker *worker = argument;
  struct gpu *gpu = &worker->gpu;
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4};
  VkDescriptorPoolCreateInfo descriptors = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .maxSets = 4,
      .poolSizeCount = 1,
      .pPoolSizes = &size,
  };
  while (!atomic_load(&stop)) {
    gpu_check(vkCreateDescriptorPool(gpu->device, &descriptors, NULL, &gpu->descriptors),
              "vkCreateDescriptorPool");
    gpu->pool = gpu_pool_create(gpu, VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT);
    use_pool(worker);
    vkDestroyCommandPool(gpu->device, gpu->pool, NULL);
    vkDestroyDescriptorPool(gpu->device, gpu->descriptors, NULL);
  }
  return NULL;
}

/* One device, used by all threads until `end`. Returns the executions. */
static uint64_t run_epoch(double end) {
  struct gpu gpu;
  struct worker workers[THREADS] = {0};
  uint64_t executions = 0;
  gpu_open(&gpu, &(struct gpu_options){.application = "soak"});
  atomic_store(&stop, false);
  for (int i = 0; i < THREADS; i++) {
    workers[i].gpu = gpu;
    if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) {
      gpu_die("cannot start a thread");
    }
  }
  while (seconds_now() < end) {
    (void)usleep(20000);
  }
  atomic_store(&stop, true);
  for (int i = 0; i < THREADS; i++) {
    (void)pthread_join(workers[i].thread, NULL);
    executions += workers[i].executions;
  }
  gpu_close(&gpu);
  return executions;
}

int main(int count, char *arguments[]) {
  long seconds = gpu_argument_number(count, arguments, "--seconds", 60, 1, 86400);
  long epoch = gpu_argument_number(count, arguments, "--epoch", 5, 1, 3600);
  static const char *const when[] = {"at the start", "at 1/4", "at 2/4", "at 3/4"};
  double start = seconds_now();
  uint64_t executions = 0;
  uint32_t quarter = 0;
  uint32_t devices = 0;
  while (seconds_now() - start < (double)seconds) {
    double end = seconds_now() + (double)epoch;
    executions += run_epoch(end > start + (double)seconds ? start + (double)seconds : end);
    devices++;
    while (quarter < 4 && seconds_now() - start >= (double)seconds * quarter / 4) {
      print_resident(when[quarter++]);
    }
  }
  print_resident("at the end");
  (void)printf("devices %u\ndispatches %llu\n", devices, (unsigned long long)executions);
  return 0;
}
