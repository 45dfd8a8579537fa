/* The patterns. In: an opened device. Out: work on it, and a line a run with the host's times
 * around its submission and whether the results are right. Next: vkmeter doctor reads the profile.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "doctor/patterns.h"

static int64_t now_ns(void) {
  struct timespec now = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static uint32_t steps_of(enum vkm_load load) {
  return load == VKM_LOAD_heavy ? 4096 : 1;
}

/* What the shader has to leave behind. */
static bool results_right(const struct bench *bench, enum vkm_pattern pattern, uint32_t seed) {
  for (int at = 0; at < VKM_POSITION_COUNT; at++) {
    const struct vkm_position *position = &vkm_positions[at];
    if (position->pattern != pattern || position->load == VKM_LOAD_empty) {
      continue;
    }
    const uint32_t *results = bench->results + (size_t)(position->number - 1) * BENCH_THREADS;
    for (uint32_t thread = 0; thread < BENCH_THREADS; thread++) {
      uint32_t number = seed ^ thread;
      for (uint32_t step = 0; step < steps_of(position->load); step++) {
        number = number * 1664525U + 1013904223U;
      }
      if (results[thread] != number) {
        return false;
      }
    }
  }
  return true;
}

static void barrier(const struct bench *bench, VkPipelineStageFlags to, VkAccessFlags access) {
  VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                            .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                            .dstAccessMask = access};
  bench->device.table.CmdPipelineBarrier(bench->buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, to, 0,
                                         1, &memory, 0, NULL, 0, NULL);
}

static void dispatch(const struct bench *bench, const struct vkm_position *position,
                     uint32_t seed) {
  const VkuDeviceDispatchTable *table = &bench->device.table;
  const uint32_t push[BENCH_PUSHED] = {seed, steps_of(position->load),
                                       (uint32_t)(position->number - 1) * BENCH_THREADS};
  table->CmdBindPipeline(bench->buffer, VK_PIPELINE_BIND_POINT_COMPUTE,
                         bench->pipelines[position - vkm_positions]);
  table->CmdPushConstants(bench->buffer, bench->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push,
                          push);
  /* No groups at all: a pair of stamps with nothing between them. */
  table->CmdDispatch(bench->buffer, position->load == VKM_LOAD_empty ? 0 : BENCH_GROUPS, 1, 1);
}

/* With barriers each dispatch waits for the one before, as dependent kernels of a program do. */
static bool record(const struct bench *bench, enum vkm_pattern pattern, uint32_t seed) {
  const VkuDeviceDispatchTable *table = &bench->device.table;
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
  if (!probe_good(table->ResetCommandPool(bench->device.handle, bench->pool, 0),
                  "vkResetCommandPool") ||
      !probe_good(table->BeginCommandBuffer(bench->buffer, &begin), "vkBeginCommandBuffer")) {
    return false;
  }
  table->CmdBindDescriptorSets(bench->buffer, VK_PIPELINE_BIND_POINT_COMPUTE, bench->layout, 0, 1,
                               &bench->set, 0, NULL);
  for (int at = 0; at < VKM_POSITION_COUNT; at++) {
    if (vkm_positions[at].pattern == pattern) {
      if (vkm_positions[at].number > 1 && vkm_pattern_waits[pattern]) {
        barrier(bench, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
      }
      dispatch(bench, &vkm_positions[at], seed);
    }
  }
  barrier(bench, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
  return probe_good(table->EndCommandBuffer(bench->buffer), "vkEndCommandBuffer");
}

static bool submit(const struct bench *bench) {
  const VkuDeviceDispatchTable *table = &bench->device.table;
  VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                       .commandBufferCount = 1,
                       .pCommandBuffers = &bench->buffer};
  return probe_good(table->QueueSubmit(bench->device.queue, 1, &info, bench->fence),
                    "vkQueueSubmit") &&
         probe_good(table->WaitForFences(bench->device.handle, 1, &bench->fence, VK_TRUE,
                                         UINT64_C(20000000000)) == VK_SUCCESS
                        ? VK_SUCCESS
                        : VK_ERROR_UNKNOWN,
                    "vkWaitForFences") &&
         probe_good(table->ResetFences(bench->device.handle, 1, &bench->fence), "vkResetFences");
}

static bool run(const struct bench *bench, enum vkm_pattern pattern, int number) {
  uint32_t seed = (uint32_t)number * 2654435761U + (uint32_t)pattern + 1;
  memset(bench->results, 0, BENCH_RESULT_BYTES);
  if (!record(bench, pattern, seed)) {
    return false;
  }
  int64_t before_ns = now_ns();
  if (!submit(bench)) {
    return false;
  }
  int64_t after_ns = now_ns();
  probe_say("run", "%d\t%d\t%lld\t%lld\t%d", (int)pattern, number, (long long)before_ns,
            (long long)after_ns, results_right(bench, pattern, seed));
  return true;
}

void probe_selftest(struct probe *probe, uint32_t index) {
  struct bench bench = {0};
  if (index >= probe->device_count || !probe_open_device(probe, index, &bench.device)) {
    return;
  }
  probe_say("valid_bits", "%u", (unsigned)bench.device.valid_bits);
  probe_say("step", "making pipelines");
  bool good = bench_make(&bench, probe, index);
  probe_say("step", "running the patterns");
  for (int number = 0; number < VKM_SELFTEST_RUNS; number++) {
    for (int pattern = 0; good && pattern < VKM_PATTERN_COUNT; pattern++) {
      good = run(&bench, (enum vkm_pattern)pattern, number);
    }
  }
  (void)bench.device.table.DeviceWaitIdle(bench.device.handle);
  bench_destroy(&bench);
  probe_close_device(&bench.device);
}
