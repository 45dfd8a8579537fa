/* In: an open device. Out: dispatches that leave a countable trace. Next: the program submits them.
 */
#include "counter.h"

#include "count_spv.h"

static struct counter create(const struct gpu *gpu, const char *name, bool without_module) {
  struct counter counter = {
      .kernel = gpu_kernel_create(gpu,
                                  &(struct gpu_kernel_info){
                                      .name = name,
                                      .code = count_spv,
                                      .code_bytes = sizeof count_spv,
                                      .buffer_count = 1,
                                      .push_bytes = 8,
                                      .without_module = without_module,
                                  }),
      .buffer = gpu_buffer_create(gpu, 64 * sizeof(uint32_t), true),
  };
  counter.set =
      gpu_bind_buffers(gpu, &counter.kernel, (const struct gpu_buffer *const[]){&counter.buffer});
  return counter;
}

struct counter counter_create(const struct gpu *gpu) {
  return create(gpu, "count", false);
}

struct counter counter_create_without_module(const struct gpu *gpu) {
  return create(gpu, "count_inline", true);
}

void counter_destroy(const struct gpu *gpu, struct counter *counter) {
  gpu_kernel_destroy(gpu, &counter->kernel);
  gpu_buffer_destroy(gpu, &counter->buffer);
}

void counter_record(const struct counter *counter, VkCommandBuffer commands, uint32_t amount,
                    uint32_t rounds) {
  gpu_use(commands, &counter->kernel, counter->set, (uint32_t[2]){amount, rounds});
  vkCmdDispatch(commands, 1, 1, 1);
  gpu_barrier(commands);
}

void counter_order(VkCommandBuffer commands) {
  gpu_barrier(commands);
}

void counter_expect(const struct counter *counter, uint32_t wanted) {
  const uint32_t *counts = counter->buffer.mapped;
  for (uint32_t i = 0; i < 64; i++) {
    if (counts[i] != wanted) {
      gpu_die("number %u is %u, expected %u", i, counts[i], wanted);
    }
  }
}
