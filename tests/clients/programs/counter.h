/* One kernel that counts its own executions on the device, shared by the small test programs. */
#ifndef COUNTER_H
#define COUNTER_H

#include "gpu.h"

struct counter {
  struct gpu_kernel kernel;
  struct gpu_buffer buffer;
  VkDescriptorSet set;
};

struct counter counter_create(const struct gpu *gpu);
/* The same from a pipeline that was made without a shader module; needs maintenance5. */
struct counter counter_create_without_module(const struct gpu *gpu);
void counter_destroy(const struct gpu *gpu, struct counter *counter);

/* Binds, and dispatches one group that adds `amount` after `rounds` rounds of arithmetic; a barrier
 * follows. The numbers must not be written by two queues or unordered submissions at once. */
void counter_record(const struct counter *counter, VkCommandBuffer commands, uint32_t amount,
                    uint32_t rounds);
/* A barrier alone: before the first dispatch of a buffer, orders it after earlier submissions. */
void counter_order(VkCommandBuffer commands);

/* Dies unless the device has added up exactly `wanted`. The work must have been waited for. */
void counter_expect(const struct counter *counter, uint32_t wanted);

#endif
