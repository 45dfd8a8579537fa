/* Kernels by the number, see bench_kernels.h. In: a world. Next room: bench_world.c. */
#include "bench_kernels.h"

#include <stdio.h>

void bench_kernels_create(const struct bench_world *world, VkPipeline *kernels, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    char name[24];
    (void)snprintf(name, sizeof name, "kernel%u", (unsigned)i);
    kernels[i] = bench_pipeline(world, name);
  }
}

void bench_kernels_destroy(const struct bench_world *world, const VkPipeline *kernels,
                           uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    world->vk.DestroyPipeline(world->device, kernels[i], NULL);
  }
}

void bench_kernels_record(const struct bench_lane *lane, VkCommandBuffer buffer,
                          const VkPipeline *kernels, uint32_t count, uint32_t groups) {
  const struct bench_world *world = lane->world;
  bench_begin(lane, buffer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  for (uint32_t i = 0; i < count; i++) {
    world->vk.CmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, kernels[i]);
    world->vk.CmdDispatch(buffer, groups, 1, 1);
  }
  bench_end(lane, buffer);
}
