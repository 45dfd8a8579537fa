/* Uses every queue of every family that computes, 3 dispatches each, and holds all other queues of
 * the device, too. usage: families [--compile-only]
 * --compile-only: creates device and pipelines, for drivers that cannot execute. In: a driver. Out:
 * "family F queue Q" lines and "dispatches N". Next: check_radv. */
#include <stdio.h>

#include "counter.h"

#include "compiled_spv.h"
#include "shares_spv.h"
#include "spills_spv.h"

enum { FAMILY_CAP = 8, QUEUE_CAP = 4, DISPATCHES = 3 };

struct families {
  uint32_t count;
  VkQueueFamilyProperties list[FAMILY_CAP];
};

static uint32_t queues_of(const struct families *families, uint32_t family) {
  uint32_t count = families->list[family].queueCount;
  return count < QUEUE_CAP ? count : QUEUE_CAP;
}

static void open_everything(struct gpu *gpu, struct families *families) {
  static const float priorities[QUEUE_CAP] = {1.0F, 1.0F, 1.0F, 1.0F};
  VkDeviceQueueCreateInfo queues[FAMILY_CAP] = {0};
  uint32_t one = 1;
  (void)vkEnumeratePhysicalDevices(gpu->instance, &one, &gpu->physical);
  if (one == 0) {
    gpu_die("no device");
  }
  vkGetPhysicalDeviceProperties(gpu->physical, &gpu->properties);
  vkGetPhysicalDeviceMemoryProperties(gpu->physical, &gpu->memory);
  vkGetPhysicalDeviceQueueFamilyProperties(gpu->physical, &families->count, NULL);
  families->count = families->count < FAMILY_CAP ? families->count : FAMILY_CAP;
  vkGetPhysicalDeviceQueueFamilyProperties(gpu->physical, &families->count, families->list);
  for (uint32_t i = 0; i < families->count; i++) {
    queues[i] = (VkDeviceQueueCreateInfo){
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = i,
        .queueCount = queues_of(families, i),
        .pQueuePriorities = priorities,
    };
  }
  VkDeviceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .queueCreateInfoCount = families->count,
      .pQueueCreateInfos = queues,
  };
  gpu_check(vkCreateDevice(gpu->physical, &info, NULL, &gpu->device), "vkCreateDevice");
}

static uint32_t use_queue(struct gpu *gpu, const struct counter *counter, uint32_t index) {
  vkGetDeviceQueue(gpu->device, gpu->family, index, &gpu->queue);
  gpu->pool = gpu_pool_create(gpu, 0);
  VkCommandBuffer commands = gpu_commands_create(gpu, gpu->pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  gpu_commands_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  counter_order(commands);
  for (uint32_t i = 0; i < DISPATCHES; i++) {
    counter_record(counter, commands, 1, 0);
  }
  gpu_commands_end(commands);
  gpu_run(gpu, commands);
  vkDestroyCommandPool(gpu->device, gpu->pool, NULL);
  (void)printf("family %u queue %u\n", gpu->family, index);
  return DISPATCHES;
}

static uint32_t use_everything(struct gpu *gpu, const struct families *families) {
  uint32_t executed = 0;
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  VkDescriptorPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .maxSets = 1,
      .poolSizeCount = 1,
      .pPoolSizes = &size,
  };
  gpu_check(vkCreateDescriptorPool(gpu->device, &info, NULL, &gpu->descriptors),
            "vkCreateDescriptorPool");
  struct counter counter = counter_create(gpu);
  for (gpu->family = 0; gpu->family < families->count; gpu->family++) {
    bool computes = (families->list[gpu->family].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0;
    for (uint32_t i = 0; computes && i < queues_of(families, gpu->family); i++) {
      executed += use_queue(gpu, &counter, i);
    }
  }
  counter_destroy(gpu, &counter);
  vkDestroyDescriptorPool(gpu->device, gpu->descriptors, NULL);
  return executed;
}

/* One that needs little, one that spills registers, one that shares memory. */
static void compile_only(const struct gpu *gpu) {
  const struct {
    const char *name;
    const uint32_t *code;
    size_t code_bytes;
  } all[] = {{"count", compiled_spv, sizeof compiled_spv},
             {"spills", spills_spv, sizeof spills_spv},
             {"shares", shares_spv, sizeof shares_spv}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    struct gpu_kernel kernel = gpu_kernel_create(gpu, &(struct gpu_kernel_info){
                                                          .name = all[i].name,
                                                          .code = all[i].code,
                                                          .code_bytes = all[i].code_bytes,
                                                          .buffer_count = 1,
                                                          .push_bytes = 8,
                                                      });
    gpu_kernel_destroy(gpu, &kernel);
  }
}

int main(int count, char *arguments[]) {
  struct gpu gpu;
  struct families families = {0};
  uint32_t executed = 0;
  gpu_open_instance(&gpu, &(struct gpu_options){.application = "families"});
  open_everything(&gpu, &families);
  if (gpu_flag(count, arguments, "--compile-only")) {
    compile_only(&gpu);
  } else {
    executed = use_everything(&gpu, &families);
  }
  vkDestroyDevice(gpu.device, NULL);
  vkDestroyInstance(gpu.instance, NULL);
  (void)printf("dispatches %u\n", executed);
  return 0;
}
