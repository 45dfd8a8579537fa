/* A device of the fake driver, bare or behind the layer, without a loader: the layer is opened and
 * chained by hand, and its commands are fetched as a program fetches them from vkGetDeviceProcAddr.
 * So both kinds stand side by side in one process and differ in nothing else.
 *
 * Everything here ends the program with a message when it fails. One thread, unless a function says
 * otherwise. */
#ifndef BENCH_WORLD_H
#define BENCH_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/utility/vk_dispatch_table.h>
#include <vulkan/vulkan.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_PIPELINES = 4, BENCH_QUEUES = 8 };

struct bench_world {
  VkInstance instance;
  PFN_vkDestroyInstance destroy_instance;
  VkPhysicalDevice physical;
  VkDevice device;
  VkuDeviceDispatchTable vk;    /* what the program would call: driver or hooks */
  PFN_vkGetDeviceProcAddr door; /* the look-up at the top of the chain */
  VkQueue queues[BENCH_QUEUES];
  VkShaderModule module;
  VkPipelineLayout layout;
  VkPipeline pipelines[BENCH_PIPELINES];
};

/* What one thread records and submits; belongs to that thread. */
struct bench_lane {
  const struct bench_world *world;
  uint32_t number; /* of the queue */
  VkQueue queue;
  VkCommandPool pool;
  VkCommandBuffer quiet; /* the driver does nothing at all in its vkCmd*; never submitted */
  VkCommandBuffer once;  /* recorded by bench_lane_open: one bind and dispatch, for any number of
                            submissions */
  VkFence fence;
};

/* As the world's own pipelines are made; `name` is the entry point. Any thread. */
VkPipeline bench_pipeline(const struct bench_world *world, const char *name);

/* Scripts the driver; once, before the first world. The layer's profile goes to the path `profile`.
 */
void bench_prepare(const char *profile);
void bench_world_open(struct bench_world *world, bool layered);
void bench_world_close(struct bench_world *world);
/* How often the driver saw a rule of Vulkan broken; says so on stderr. */
uint32_t bench_violations(void);

/* `number` below BENCH_QUEUES: the queue of the lane. */
void bench_lane_open(struct bench_lane *lane, const struct bench_world *world, uint32_t number);
void bench_lane_close(struct bench_lane *lane);

/* The lane's own thread. The buffer is the lane's: recorded, for any number of submissions, with
 * that many dispatches. */
VkCommandBuffer bench_lane_buffer(const struct bench_lane *lane, uint32_t dispatches);
/* What a program that times itself has, and as many stamps as the layer writes: before and behind
 * each dispatch and at the end, 2 * dispatches + 1 queries from `first` of the pool. */
VkQueryPool bench_pool(const struct bench_world *world, uint32_t queries);
VkCommandBuffer bench_lane_timed(const struct bench_lane *lane, uint32_t dispatches,
                                 VkQueryPool pool, uint32_t first);
void bench_begin(const struct bench_lane *lane, VkCommandBuffer buffer,
                 VkCommandBufferUsageFlags usage);
void bench_end(const struct bench_lane *lane, VkCommandBuffer buffer);
/* `calls` times on a buffer that is being recorded. */
void bench_dispatches(const struct bench_lane *lane, VkCommandBuffer buffer, uint32_t calls);
void bench_binds_and_dispatches(const struct bench_lane *lane, VkCommandBuffer buffer,
                                uint32_t calls);
void bench_dispatches_and_barriers(const struct bench_lane *lane, VkCommandBuffer buffer,
                                   uint32_t calls);
/* A call with that many buffers, and with the lane's fence; then bench_wait, which resets the
 * fence. bench_post: without a fence.
 */
void bench_post(const struct bench_lane *lane, const VkCommandBuffer *buffers, uint32_t count);
void bench_submit(const struct bench_lane *lane, const VkCommandBuffer *buffers, uint32_t count);
void bench_wait(const struct bench_lane *lane);
/* Waits for all that the lane's queue was given, without a fence. */
void bench_wait_idle(const struct bench_lane *lane);
/* `calls` times: submits `once`, waits for its fence, resets the fence. */
void bench_submissions(const struct bench_lane *lane, uint32_t calls);

#ifdef __cplusplus
}
#endif

#endif
