/* Any number of kernels that differ by the name of their entry point. In: a world, a lane. Out:
 * pipelines, and recordings in which each runs once. One thread for each lane. */
#ifndef BENCH_KERNELS_H
#define BENCH_KERNELS_H

#include <stdint.h>

#include "bench_world.h"

/* Fills `kernels`, which has room for `count`; bench_kernels_destroy before the world is closed. */
void bench_kernels_create(const struct bench_world *world, VkPipeline *kernels, uint32_t count);
void bench_kernels_destroy(const struct bench_world *world, const VkPipeline *kernels,
                           uint32_t count);
/* Records binding and dispatching each of them, `groups` wide, for one submission. */
void bench_kernels_record(const struct bench_lane *lane, VkCommandBuffer buffer,
                          const VkPipeline *kernels, uint32_t count, uint32_t groups);

#endif
