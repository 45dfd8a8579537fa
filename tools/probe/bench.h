/* What the self test works on: a buffer, a pipeline for each position, a command buffer. */
#ifndef VKM_TOOLS_PROBE_BENCH_H
#define VKM_TOOLS_PROBE_BENCH_H

#include "doctor/patterns.h"
#include "probe.h"

enum {
  BENCH_GROUPS = 64, /* in x */
  BENCH_THREADS = BENCH_GROUPS * 64,
  BENCH_PUSHED = 3,
  BENCH_RESULT_BYTES = VKM_SELFTEST_LONGEST * BENCH_THREADS * 4,
};

struct bench {
  struct probe_device device;
  VkBuffer storage;
  VkDeviceMemory memory;
  uint32_t *results; /* mapped */
  VkDescriptorSetLayout set_layout;
  VkDescriptorPool descriptors;
  VkDescriptorSet set;
  VkPipelineLayout layout;
  VkPipeline pipelines[VKM_POSITION_COUNT];
  VkCommandPool pool;
  VkCommandBuffer buffer;
  VkFence fence;
};

/* Makes everything on the opened bench->device, which is device `index`. False: said; destroy is
 * needed in any case. */
bool bench_make(struct bench *bench, struct probe *probe, uint32_t index);
void bench_destroy(struct bench *bench);

#endif
