/* How long does the longest call of each command take while the device completes nothing? usage:
 * latency [--seconds S] [--stamps 1]. In: the fake driver with completion=manual, its library in
 * ENDER_FAKE_DRIVER. Submits 100 command buffers of 100 dispatches under one fence, goes on
 * recording, submitting and asking for S seconds in which nothing completes, lets everything
 * complete, and waits for the fence: 10,000 results are then to be read. With --stamps each
 * dispatch has a timestamp of the program's own behind it: the driver's work then is as with the
 * layer. Out: a line a command: name, calls, longest by the clock and by processor time of the
 * thread, in ns. Next: check_latency compares runs with and without the layer. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "counter.h"

enum { BUFFERS = 100, DISPATCHES = 100, LATE_BUFFERS = 8, DISPATCHES_LATE = 50 };

enum command {
  BEGIN,
  BIND,
  DISPATCH,
  BARRIER,
  END,
  RESET,
  SUBMIT,
  STATUS,
  WAIT_IN_VAIN,
  WAIT_HARVEST,
  WAIT_AGAIN,
  COMMAND_COUNT
};
static struct {
  const char *name;
  long calls;
  int64_t wall_ns, processor_ns;
} longest[COMMAND_COUNT] = {
    [BEGIN] = {"vkBeginCommandBuffer", 0, 0, 0},
    [BIND] = {"vkCmdBindPipeline", 0, 0, 0},
    [DISPATCH] = {"vkCmdDispatch", 0, 0, 0},
    [BARRIER] = {"vkCmdPipelineBarrier", 0, 0, 0},
    [END] = {"vkEndCommandBuffer", 0, 0, 0},
    [RESET] = {"vkResetCommandBuffer", 0, 0, 0},
    [SUBMIT] = {"vkQueueSubmit", 0, 0, 0},
    [STATUS] = {"vkGetFenceStatus", 0, 0, 0},
    [WAIT_IN_VAIN] = {"vkWaitForFences(in_vain)", 0, 0, 0},
    [WAIT_HARVEST] = {"vkWaitForFences(10000_results)", 0, 0, 0},
    [WAIT_AGAIN] = {"vkWaitForFences(again)", 0, 0, 0},
};

static struct {
  VkQueryPool pool; /* VK_NULL_HANDLE: none are written */
  uint32_t used;
} stamps;

static int64_t now_ns(clockid_t clock) {
  struct timespec now;
  (void)clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

struct watch {
  int64_t wall_ns, processor_ns;
};

static struct watch watch_start(void) {
  return (struct watch){now_ns(CLOCK_MONOTONIC), now_ns(CLOCK_THREAD_CPUTIME_ID)};
}

static void watch_stop(struct watch watch, enum command command) {
  int64_t processor_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) - watch.processor_ns;
  int64_t wall_ns = now_ns(CLOCK_MONOTONIC) - watch.wall_ns;
  longest[command].calls++;
  if (wall_ns > longest[command].wall_ns) {
    longest[command].wall_ns = wall_ns;
  }
  if (processor_ns > longest[command].processor_ns) {
    longest[command].processor_ns = processor_ns;
  }
}

#define WATCHED(command, call)                                                                     \
  do {                                                                                             \
    struct watch watch_of_call = watch_start();                                                    \
    call;                                                                                          \
    watch_stop(watch_of_call, command);                                                            \
  } while (0)

static void stamp(VkCommandBuffer commands) {
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, stamps.pool, stamps.used++);
}

static void create_stamps(const struct gpu *gpu) {
  VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
      .queryType = VK_QUERY_TYPE_TIMESTAMP,
      .queryCount = BUFFERS * (DISPATCHES + 1) + LATE_BUFFERS * (DISPATCHES_LATE + 1),
  };
  gpu_check(vkCreateQueryPool(gpu->device, &info, NULL, &stamps.pool), "vkCreateQueryPool");
}

static void record(const struct counter *counter, VkCommandBuffer commands, int dispatches) {
  VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                   .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                             .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                             .dstAccessMask = VK_ACCESS_SHADER_READ_BIT};
  WATCHED(BEGIN, gpu_check(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer"));
  gpu_use(commands, &counter->kernel, counter->set, (uint32_t[2]){1, 0});
  WATCHED(BIND,
          vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, counter->kernel.pipeline));
  if (stamps.pool != VK_NULL_HANDLE) {
    vkCmdResetQueryPool(commands, stamps.pool, stamps.used, (uint32_t)dispatches + 1);
    stamp(commands);
  }
  for (int i = 0; i < dispatches; i++) {
    WATCHED(DISPATCH, vkCmdDispatch(commands, 1, 1, 1));
    WATCHED(BARRIER, vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0,
                                          NULL, 0, NULL));
    if (stamps.pool != VK_NULL_HANDLE) {
      stamp(commands);
    }
  }
  WATCHED(END, gpu_check(vkEndCommandBuffer(commands), "vkEndCommandBuffer"));
}

static void submit(const struct gpu *gpu, const VkCommandBuffer commands[], uint32_t count,
                   VkFence fence) {
  VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .commandBufferCount = count,
      .pCommandBuffers = commands,
  };
  WATCHED(SUBMIT, gpu_check(vkQueueSubmit(gpu->queue, 1, &info, fence), "vkQueueSubmit"));
}

static VkFence create_fence(const struct gpu *gpu) {
  VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  gpu_check(vkCreateFence(gpu->device, &info, NULL, &fence), "vkCreateFence");
  return fence;
}

/* Nothing completes meanwhile. */
static void go_on(const struct gpu *gpu, const struct counter *counter, VkFence fence,
                  int64_t until_ns) {
  VkCommandBuffer unused = gpu_commands_create(gpu, gpu->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  VkCommandBuffer late[LATE_BUFFERS];
  for (int i = 0; i < LATE_BUFFERS; i++) {
    late[i] = gpu_commands_create(gpu, gpu->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    record(counter, late[i], DISPATCHES_LATE);
    submit(gpu, &late[i], 1, VK_NULL_HANDLE);
  }
  VkQueryPool pool = stamps.pool;
  stamps.pool = VK_NULL_HANDLE; /* what follows is never submitted */
  while (now_ns(CLOCK_MONOTONIC) < until_ns) {
    record(counter, unused, DISPATCHES_LATE);
    WATCHED(RESET, gpu_check(vkResetCommandBuffer(unused, 0), "vkResetCommandBuffer"));
    WATCHED(STATUS, (void)vkGetFenceStatus(gpu->device, fence));
    WATCHED(WAIT_IN_VAIN, (void)vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, 0));
    (void)usleep(20000);
  }
  stamps.pool = pool;
}

static void complete_all(void) {
  const char *path = getenv("ENDER_FAKE_DRIVER");
  void *library = path != NULL ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
  uint32_t (*complete)(void) =
      library != NULL ? (uint32_t (*)(void))dlsym(library, "fake_complete_all") : NULL;
  if (complete == NULL) {
    gpu_die("needs the fake driver, its library in ENDER_FAKE_DRIVER");
  }
  (void)complete();
}

int main(int count, char *arguments[]) {
  long seconds = gpu_argument_number(count, arguments, "--seconds", 2, 0, 60);
  struct gpu gpu;
  gpu_open(&gpu, &(struct gpu_options){.application = "latency"});
  struct counter counter = counter_create(&gpu);
  VkFence fence = create_fence(&gpu);
  if (gpu_argument_number(count, arguments, "--stamps", 0, 0, 1) == 1) {
    create_stamps(&gpu);
  }
  VkCommandBuffer commands[BUFFERS];
  for (int i = 0; i < BUFFERS; i++) {
    commands[i] = gpu_commands_create(&gpu, gpu.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    record(&counter, commands[i], DISPATCHES);
  }
  submit(&gpu, commands, BUFFERS, fence);
  go_on(&gpu, &counter, fence, now_ns(CLOCK_MONOTONIC) + seconds * 1000000000);
  complete_all();
  WATCHED(WAIT_HARVEST, gpu_check(vkWaitForFences(gpu.device, 1, &fence, VK_TRUE, 0), "a wait"));
  for (int i = 0; i < 20; i++) {
    WATCHED(WAIT_AGAIN, gpu_check(vkWaitForFences(gpu.device, 1, &fence, VK_TRUE, 0), "a wait"));
  }
  for (int i = 0; i < COMMAND_COUNT; i++) {
    (void)printf("%s %ld %lld %lld\n", longest[i].name, longest[i].calls,
                 (long long)longest[i].wall_ns, (long long)longest[i].processor_ns);
  }
  vkDestroyQueryPool(gpu.device, stamps.pool, NULL);
  vkDestroyFence(gpu.device, fence, NULL);
  counter_destroy(&gpu, &counter);
  gpu_close(&gpu);
  return 0;
}
