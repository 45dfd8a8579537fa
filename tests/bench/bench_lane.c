/* What is measured: recording and submitting through a world's table. In: a world. Out: calls. Next
 * room: the driver, or the layer's hooks. */
#include "bench_check.h"
#include "bench_world.h"
#include "fake_driver.h"

static VkCommandBuffer allocate(const struct bench_lane *lane, bool quiet) {
  VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                      .commandPool = lane->pool,
                                      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                      .commandBufferCount = 1};
  VkCommandBuffer buffer;
  fake_config()->recording = !quiet; /* looked at when a command buffer is allocated */
  bench_check(lane->world->vk.AllocateCommandBuffers(lane->world->device, &info, &buffer),
              "vkAllocateCommandBuffers");
  return buffer;
}

void bench_lane_open(struct bench_lane *lane, const struct bench_world *world, uint32_t number) {
  *lane = (struct bench_lane){.world = world, .number = number, .queue = world->queues[number]};
  VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                  .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
  bench_check(world->vk.CreateCommandPool(world->device, &pool, NULL, &lane->pool),
              "vkCreateCommandPool");
  VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  bench_check(world->vk.CreateFence(world->device, &fence, NULL, &lane->fence), "vkCreateFence");
  lane->once = bench_lane_buffer(lane, 1);
  lane->quiet = allocate(lane, true);
}

void bench_lane_close(struct bench_lane *lane) {
  const struct bench_world *world = lane->world;
  world->vk.DestroyFence(world->device, lane->fence, NULL);
  world->vk.DestroyCommandPool(world->device, lane->pool, NULL);
}

VkCommandBuffer bench_lane_buffer(const struct bench_lane *lane, uint32_t dispatches) {
  VkCommandBuffer buffer = allocate(lane, false);
  bench_begin(lane, buffer, 0);
  bench_binds_and_dispatches(lane, buffer, dispatches);
  bench_end(lane, buffer);
  return buffer;
}

VkQueryPool bench_pool(const struct bench_world *world, uint32_t queries) {
  VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                .queryCount = queries};
  VkQueryPool pool = VK_NULL_HANDLE;
  bench_check(world->vk.CreateQueryPool(world->device, &info, NULL, &pool), "vkCreateQueryPool");
  world->vk.ResetQueryPool(world->device, pool, 0, queries);
  return pool;
}

VkCommandBuffer bench_lane_timed(const struct bench_lane *lane, uint32_t dispatches,
                                 VkQueryPool pool, uint32_t first) {
  PFN_vkCmdWriteTimestamp stamp = lane->world->vk.CmdWriteTimestamp;
  VkCommandBuffer buffer = allocate(lane, false);
  bench_begin(lane, buffer, 0);
  for (uint32_t i = 0; i < dispatches; i++) {
    stamp(buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, first + 2 * i);
    bench_binds_and_dispatches(lane, buffer, 1);
    stamp(buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, first + 2 * i + 1);
  }
  stamp(buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, pool, first + 2 * dispatches);
  bench_end(lane, buffer);
  return buffer;
}

void bench_begin(const struct bench_lane *lane, VkCommandBuffer buffer,
                 VkCommandBufferUsageFlags usage) {
  VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                   .flags = usage};
  bench_check(lane->world->vk.BeginCommandBuffer(buffer, &info), "vkBeginCommandBuffer");
}

void bench_end(const struct bench_lane *lane, VkCommandBuffer buffer) {
  bench_check(lane->world->vk.EndCommandBuffer(buffer), "vkEndCommandBuffer");
}

void bench_dispatches(const struct bench_lane *lane, VkCommandBuffer buffer, uint32_t calls) {
  PFN_vkCmdDispatch dispatch = lane->world->vk.CmdDispatch;
  for (uint32_t i = 0; i < calls; i++) {
    dispatch(buffer, 64, 1, 1);
  }
}

void bench_binds_and_dispatches(const struct bench_lane *lane, VkCommandBuffer buffer,
                                uint32_t calls) {
  PFN_vkCmdBindPipeline bind = lane->world->vk.CmdBindPipeline;
  PFN_vkCmdDispatch dispatch = lane->world->vk.CmdDispatch;
  for (uint32_t i = 0; i < calls; i++) {
    bind(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, lane->world->pipelines[i % BENCH_PIPELINES]);
    dispatch(buffer, 64, 1, 1);
  }
}

void bench_dispatches_and_barriers(const struct bench_lane *lane, VkCommandBuffer buffer,
                                   uint32_t calls) {
  PFN_vkCmdDispatch dispatch = lane->world->vk.CmdDispatch;
  PFN_vkCmdPipelineBarrier barrier = lane->world->vk.CmdPipelineBarrier;
  VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                            .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                            .dstAccessMask = VK_ACCESS_SHADER_READ_BIT};
  for (uint32_t i = 0; i < calls; i++) {
    dispatch(buffer, 64, 1, 1);
    barrier(buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0,
            1, &memory, 0, NULL, 0, NULL);
  }
}

static void submit(const struct bench_lane *lane, const VkCommandBuffer *buffers, uint32_t count,
                   VkFence fence) {
  VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                       .commandBufferCount = count,
                       .pCommandBuffers = buffers};
  bench_check(lane->world->vk.QueueSubmit(lane->queue, 1, &info, fence), "vkQueueSubmit");
}

void bench_submit(const struct bench_lane *lane, const VkCommandBuffer *buffers, uint32_t count) {
  submit(lane, buffers, count, lane->fence);
}

void bench_post(const struct bench_lane *lane, const VkCommandBuffer *buffers, uint32_t count) {
  submit(lane, buffers, count, VK_NULL_HANDLE);
}

void bench_wait_idle(const struct bench_lane *lane) {
  bench_check(lane->world->vk.QueueWaitIdle(lane->queue), "vkQueueWaitIdle");
}

void bench_wait(const struct bench_lane *lane) {
  const struct bench_world *world = lane->world;
  bench_check(world->vk.WaitForFences(world->device, 1, &lane->fence, VK_TRUE, UINT64_MAX),
              "vkWaitForFences");
  bench_check(world->vk.ResetFences(world->device, 1, &lane->fence), "vkResetFences");
}

void bench_submissions(const struct bench_lane *lane, uint32_t calls) {
  for (uint32_t i = 0; i < calls; i++) {
    bench_submit(lane, &lane->once, 1);
    bench_wait(lane);
  }
}
