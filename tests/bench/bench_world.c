/* Opening and closing, see bench_world.h. In: whether the layer stands in between. Next room:
 * bench_lane.c, what is done with a world. */
#include "bench_world.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include <vulkan/vk_icd.h>
#include <vulkan/vk_layer.h>

#include "bench_check.h"
#include "fake_driver.h"

PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance instance, const char *name);
PFN_vkVoidFunction vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char *name);

/* The two look-ups at the top of the chain: the layer's or the driver's. */
struct door {
  PFN_vkGetInstanceProcAddr instance;
  PFN_vkGetDeviceProcAddr device;
};

void bench_prepare(const char *profile) {
  fake_reset();
  bench_require(fake_configure("direct=1;log=0;families=gct8:64"), "fake_configure");
  bench_require(setenv("VKMETER_OUTPUT", profile, 1) == 0, "setenv");
}

static void open_layer(struct door *door) {
  void *library = dlopen(BENCH_LAYER, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    (void)fprintf(stderr, "%s\n", dlerror());
    exit(EXIT_FAILURE);
  }
  VkNegotiateLayerInterface version = {.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
                                       .loaderLayerInterfaceVersion = 2};
  PFN_vkNegotiateLoaderLayerInterfaceVersion negotiate =
      (PFN_vkNegotiateLoaderLayerInterfaceVersion)dlsym(library,
                                                        "vkNegotiateLoaderLayerInterfaceVersion");
  bench_require(negotiate != NULL, "the layer's entry point");
  bench_check(negotiate(&version), "vkNegotiateLoaderLayerInterfaceVersion");
  *door = (struct door){version.pfnGetInstanceProcAddr, version.pfnGetDeviceProcAddr};
}

static void open_instance(struct bench_world *world, const struct door *door) {
  VkLayerInstanceLink driver = {NULL, vk_icdGetInstanceProcAddr, vk_icdGetPhysicalDeviceProcAddr};
  VkLayerInstanceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
                                    .function = VK_LAYER_LINK_INFO,
                                    .u.pLayerInfo = &driver};
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .pApplicationName = "bench",
                                   .apiVersion = VK_API_VERSION_1_3};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                               .pNext = &link,
                               .pApplicationInfo = &application};
  PFN_vkCreateInstance create =
      (PFN_vkCreateInstance)door->instance(VK_NULL_HANDLE, "vkCreateInstance");
  bench_check(create(&info, NULL, &world->instance), "vkCreateInstance");
  world->destroy_instance =
      (PFN_vkDestroyInstance)door->instance(world->instance, "vkDestroyInstance");
  PFN_vkEnumeratePhysicalDevices enumerate =
      (PFN_vkEnumeratePhysicalDevices)door->instance(world->instance, "vkEnumeratePhysicalDevices");
  uint32_t count = 1;
  bench_check(enumerate(world->instance, &count, &world->physical), "vkEnumeratePhysicalDevices");
}

static void open_device(struct bench_world *world, const struct door *door) {
  PFN_vkGetDeviceProcAddr driver_door =
      (PFN_vkGetDeviceProcAddr)vk_icdGetInstanceProcAddr(world->instance, "vkGetDeviceProcAddr");
  VkLayerDeviceLink driver = {NULL, vk_icdGetInstanceProcAddr, driver_door};
  VkPhysicalDeviceHostQueryResetFeatures reset = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES,
      .hostQueryReset = VK_TRUE};
  VkLayerDeviceCreateInfo link = {.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                                  .pNext = &reset,
                                  .function = VK_LAYER_LINK_INFO,
                                  .u.pLayerInfo = &driver};
  const float priorities[BENCH_QUEUES] = {0}; /* all the same */
  VkDeviceQueueCreateInfo queues = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                    .queueCount = BENCH_QUEUES,
                                    .pQueuePriorities = priorities};
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .pNext = &link,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &queues};
  PFN_vkCreateDevice create = (PFN_vkCreateDevice)door->instance(world->instance, "vkCreateDevice");
  bench_check(create(world->physical, &info, NULL, &world->device), "vkCreateDevice");
  world->door = door->device ? door->device : driver_door;
  vkuInitDeviceDispatchTable(world->device, &world->vk, world->door);
  for (uint32_t i = 0; i < BENCH_QUEUES; i++) {
    world->vk.GetDeviceQueue(world->device, 0, i, &world->queues[i]);
  }
}

/* From here on memory has the same addresses wherever the build lies, whose paths are in memory
 * already: how a hash table is searched depends on them. Never freed. */
static void align_heap(void) {
  const size_t step = 1024, alignment = 1024 * step;
  while ((uintptr_t)malloc(step) % alignment >= 2 * step) {
  }
}

VkPipeline bench_pipeline(const struct bench_world *world, const char *name) {
  VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = world->module,
                .pName = name},
      .layout = world->layout};
  VkPipeline pipeline = VK_NULL_HANDLE;
  bench_check(
      world->vk.CreateComputePipelines(world->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
      "vkCreateComputePipelines");
  return pipeline;
}

static void create_pipelines(struct bench_world *world) {
  static const uint32_t words[] = {0x07230203, 0x00010000, 0, 1, 0}; /* an empty module */
  VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = sizeof words,
                                     .pCode = words};
  bench_check(world->vk.CreateShaderModule(world->device, &module, NULL, &world->module),
              "vkCreateShaderModule");
  VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  bench_check(world->vk.CreatePipelineLayout(world->device, &layout, NULL, &world->layout),
              "vkCreatePipelineLayout");
  static const char *const names[BENCH_PIPELINES] = {"first", "second", "third", "fourth"};
  for (uint32_t i = 0; i < BENCH_PIPELINES; i++) {
    world->pipelines[i] = bench_pipeline(world, names[i]);
  }
}

void bench_world_open(struct bench_world *world, bool layered) {
  struct door door = {vk_icdGetInstanceProcAddr, NULL};
  *world = (struct bench_world){0};
  if (layered) {
    open_layer(&door);
  }
  open_instance(world, &door);
  open_device(world, &door);
  align_heap();
  create_pipelines(world);
}

void bench_world_close(struct bench_world *world) {
  for (uint32_t i = 0; i < BENCH_PIPELINES; i++) {
    world->vk.DestroyPipeline(world->device, world->pipelines[i], NULL);
  }
  world->vk.DestroyPipelineLayout(world->device, world->layout, NULL);
  world->vk.DestroyShaderModule(world->device, world->module, NULL);
  world->vk.DestroyDevice(world->device, NULL);
  world->destroy_instance(world->instance, NULL);
}

uint32_t bench_violations(void) {
  uint32_t count = fake_violation_count();
  if (count > 0) {
    (void)fprintf(stderr, "rules of Vulkan broken: %u times, first: %s\n", count,
                  fake_violation(0));
  }
  return count;
}
