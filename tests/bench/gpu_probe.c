/* gpu_probe [--device SUBSTRING] [--iterations N] [--rounds N] [--lone N]: a program that times
 * itself.
 * gpu_probe --list: the devices, one a line: kind and name, parted by a tab.
 *
 * Each iteration is one submission: a timestamp of the program's own, eight dispatches with
 * barriers between them, another timestamp. On stdout a line "own NS" an iteration; what a profiler
 * measured of the eight must fit in there. With --lone the dispatches are N that are independent of
 * each other, nothing but state between them. Exit code 1 when the device did not compute what it
 * should, 77 when there is no driver. Next: scripts/gpu-check reads the lines. */
#include <stdio.h>
#include <stdlib.h>

#include "counter.h"
#include "lone_spv.h"

enum { DISPATCHES = 8, STAMPS = 2, BUFFERS = 3, LONE_LIMIT = 10000, LONE_WIDTH = 64 };

struct probe {
  struct gpu gpu;
  struct counter counter;
  VkQueryPool queries;
  uint64_t mask; /* of the timestamps' valid bits */
  uint32_t rounds;
  uint32_t lone_count; /* independent dispatches; 0: the eight */
  struct gpu_kernel lone;
  struct gpu_buffer results;
  VkDescriptorSet set;
};

static const char *kind_of(VkPhysicalDeviceType type) {
  switch (type) {
  case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
    return "integrated_gpu";
  case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
    return "discrete_gpu";
  case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
    return "virtual_gpu";
  case VK_PHYSICAL_DEVICE_TYPE_CPU:
    return "cpu";
  default:
    return "other";
  }
}

static void list_devices(void) {
  enum { DEVICES = 64 };
  struct gpu gpu = {0};
  VkPhysicalDevice devices[DEVICES];
  uint32_t count = DEVICES;
  gpu_open_instance(&gpu, &(struct gpu_options){.application = "gpu_probe"});
  VkResult result = vkEnumeratePhysicalDevices(gpu.instance, &count, devices);
  gpu_check(result == VK_INCOMPLETE ? VK_SUCCESS : result, "vkEnumeratePhysicalDevices");
  for (uint32_t i = 0; i < count; i++) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(devices[i], &properties);
    (void)printf("%s\t%s\n", kind_of(properties.deviceType), properties.deviceName);
  }
  vkDestroyInstance(gpu.instance, NULL);
}

/* 0 where the family has no timestamps. */
static uint64_t stamp_mask(const struct gpu *gpu) {
  enum { FAMILIES = 64 };
  VkQueueFamilyProperties families[FAMILIES];
  uint32_t count = FAMILIES;
  vkGetPhysicalDeviceQueueFamilyProperties(gpu->physical, &count, families);
  uint32_t bits = gpu->family < count ? families[gpu->family].timestampValidBits : 0;
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static void lone_create(struct probe *probe) {
  probe->lone = gpu_kernel_create(&probe->gpu, &(struct gpu_kernel_info){
                                                   .name = "lone",
                                                   .code = lone_spv,
                                                   .code_bytes = sizeof lone_spv,
                                                   .buffer_count = 1,
                                                   .push_bytes = 12,
                                               });
  VkDeviceSize numbers = (VkDeviceSize)LONE_WIDTH * (probe->lone_count > 0 ? probe->lone_count : 1);
  probe->results = gpu_buffer_create(&probe->gpu, numbers * sizeof(uint32_t), true);
  probe->set = gpu_bind_buffers(&probe->gpu, &probe->lone,
                                (const struct gpu_buffer *const[]){&probe->results});
}

static void lone_destroy(struct probe *probe) {
  gpu_kernel_destroy(&probe->gpu, &probe->lone);
  gpu_buffer_destroy(&probe->gpu, &probe->results);
}

static void lone_record(const struct probe *probe, VkCommandBuffer commands, uint32_t seed) {
  for (uint32_t i = 0; i < probe->lone_count; i++) {
    gpu_use(commands, &probe->lone, probe->set, (uint32_t[3]){i, probe->rounds, seed + i});
    vkCmdDispatch(commands, 1, 1, 1);
  }
}

static void lone_expect(const struct probe *probe, uint32_t seed) {
  const uint32_t *results = probe->results.mapped;
  uint32_t factor = 1;
  uint32_t term = 0;
  for (uint32_t i = 0; i < probe->rounds; i++) {
    factor *= 1664525U;
    term = term * 1664525U + 1013904223U;
  }
  for (uint32_t i = 0; i < probe->lone_count * LONE_WIDTH; i++) {
    uint32_t start = seed + i / LONE_WIDTH + i % LONE_WIDTH;
    if (results[i] != start * factor + term) {
      gpu_die("number %u is %u, expected %u", i, results[i], start * factor + term);
    }
  }
}

static void begin_stamp(const struct probe *probe, VkCommandBuffer commands) {
  vkCmdResetQueryPool(commands, probe->queries, 0, STAMPS);
  counter_order(commands);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, probe->queries, 0);
}

static void end_stamp(const struct probe *probe, VkCommandBuffer commands) {
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, probe->queries, 1);
  gpu_barrier(commands);
}

/* The dispatches that are alone have a buffer to themselves, so that no command of ours ends their
 * chain. */
static void record(const struct probe *probe, VkCommandBuffer commands[BUFFERS], uint32_t seed) {
  bool apart = probe->lone_count > 0;
  for (int i = 0; i < (apart ? BUFFERS : 1); i++) {
    gpu_commands_begin(commands[i], VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  }
  begin_stamp(probe, commands[0]);
  if (apart) {
    lone_record(probe, commands[1], seed);
  }
  for (int i = 0; i < DISPATCHES && !apart; i++) {
    counter_record(&probe->counter, commands[0], 1, probe->rounds);
  }
  end_stamp(probe, commands[apart ? BUFFERS - 1 : 0]);
  for (int i = 0; i < (apart ? BUFFERS : 1); i++) {
    gpu_commands_end(commands[i]);
  }
}

static void submit(const struct probe *probe, const VkCommandBuffer commands[BUFFERS]) {
  VkFence fence = VK_NULL_HANDLE;
  VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  gpu_check(vkCreateFence(probe->gpu.device, &info, NULL, &fence), "vkCreateFence");
  VkSubmitInfo work = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                       .commandBufferCount = probe->lone_count > 0 ? BUFFERS : 1,
                       .pCommandBuffers = commands};
  gpu_check(vkQueueSubmit(probe->gpu.queue, 1, &work, fence), "vkQueueSubmit");
  gpu_check(vkWaitForFences(probe->gpu.device, 1, &fence, VK_TRUE, 60000000000ULL),
            "vkWaitForFences");
  vkDestroyFence(probe->gpu.device, fence, NULL);
}

static double own_ns(const struct probe *probe) {
  uint64_t stamps[STAMPS];
  gpu_check(vkGetQueryPoolResults(probe->gpu.device, probe->queries, 0, STAMPS, sizeof stamps,
                                  stamps, sizeof stamps[0], VK_QUERY_RESULT_64_BIT),
            "vkGetQueryPoolResults");
  double ticks = (double)((stamps[1] - stamps[0]) & probe->mask);
  return ticks * (double)probe->gpu.properties.limits.timestampPeriod;
}

static void run(struct probe *probe, uint32_t iterations) {
  VkCommandBuffer commands[BUFFERS];
  for (int i = 0; i < BUFFERS; i++) {
    commands[i] =
        gpu_commands_create(&probe->gpu, probe->gpu.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  }
  for (uint32_t i = 0; i < iterations; i++) {
    record(probe, commands, i);
    submit(probe, commands);
    (void)printf("own %.0f\n", own_ns(probe));
    lone_expect(probe, i);
  }
  counter_expect(&probe->counter, probe->lone_count > 0 ? 0 : DISPATCHES * iterations);
}

int main(int count, char *arguments[]) {
  if (gpu_flag(count, arguments, "--list")) {
    list_devices();
    return EXIT_SUCCESS;
  }
  long iterations = gpu_argument_number(count, arguments, "--iterations", 20, 1, 100000);
  struct probe probe = {
      .rounds = (uint32_t)gpu_argument_number(count, arguments, "--rounds", 20000, 0, 10000000),
      .lone_count = (uint32_t)gpu_argument_number(count, arguments, "--lone", 0, 0, LONE_LIMIT)};
  gpu_open(&probe.gpu, &(struct gpu_options){.application = "gpu_probe",
                                             .device = gpu_argument(count, arguments, "--device")});
  probe.mask = stamp_mask(&probe.gpu);
  if (probe.mask == 0) {
    gpu_die("this device has no timestamps");
  }
  VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                .queryCount = STAMPS};
  gpu_check(vkCreateQueryPool(probe.gpu.device, &info, NULL, &probe.queries), "vkCreateQueryPool");
  probe.counter = counter_create(&probe.gpu);
  lone_create(&probe);
  run(&probe, (uint32_t)iterations);
  lone_destroy(&probe);
  counter_destroy(&probe.gpu, &probe.counter);
  vkDestroyQueryPool(probe.gpu.device, probe.queries, NULL);
  gpu_close(&probe.gpu);
  return EXIT_SUCCESS;
}
