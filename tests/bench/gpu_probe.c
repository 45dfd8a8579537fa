/* gpu_probe [--device SUBSTRING] [--iterations N] [--rounds N]: a program that times itself.
 * gpu_probe --list: the devices, one a line: kind and name, parted by a tab.
 *
 * Each iteration is one submission: a timestamp of the program's own, eight dispatches with
 * barriers between them, another timestamp. On stdout a line "own NS" an iteration; what a profiler
 * measured of the eight must fit in there. Exit code 1 when the device did not compute what it
 * should, 77 when there is no driver. Next: scripts/gpu-check reads the lines. */
#include <stdio.h>
#include <stdlib.h>

#include "counter.h"

enum { DISPATCHES = 8, STAMPS = 2 };

struct probe {
  struct gpu gpu;
  struct counter counter;
  VkQueryPool queries;
  uint64_t mask; /* of the timestamps' valid bits */
  uint32_t rounds;
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

static void record(const struct probe *probe, VkCommandBuffer commands) {
  gpu_commands_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  vkCmdResetQueryPool(commands, probe->queries, 0, STAMPS);
  counter_order(commands);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, probe->queries, 0);
  for (int i = 0; i < DISPATCHES; i++) {
    counter_record(&probe->counter, commands, 1, probe->rounds);
  }
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, probe->queries, 1);
  gpu_commands_end(commands);
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
  VkCommandBuffer commands =
      gpu_commands_create(&probe->gpu, probe->gpu.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  for (uint32_t i = 0; i < iterations; i++) {
    record(probe, commands);
    gpu_run(&probe->gpu, commands);
    (void)printf("own %.0f\n", own_ns(probe));
  }
  counter_expect(&probe->counter, DISPATCHES * iterations);
}

int main(int count, char *arguments[]) {
  if (gpu_flag(count, arguments, "--list")) {
    list_devices();
    return EXIT_SUCCESS;
  }
  long iterations = gpu_argument_number(count, arguments, "--iterations", 20, 1, 100000);
  struct probe probe = {
      .rounds = (uint32_t)gpu_argument_number(count, arguments, "--rounds", 20000, 0, 10000000)};
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
  run(&probe, (uint32_t)iterations);
  counter_destroy(&probe.gpu, &probe.counter);
  vkDestroyQueryPool(probe.gpu.device, probe.queries, NULL);
  gpu_close(&probe.gpu);
  return EXIT_SUCCESS;
}
