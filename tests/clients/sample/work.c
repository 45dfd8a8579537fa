/* In: an open device. Out: the sample's buffers and kernels, and a recording that uses them all.
 * Next: check.c. */
#include "work.h"

#include <stddef.h>

#include "affine_spv.h"
#include "arguments_spv.h"
#include "matmul_spv.h"
#include "reduce_spv.h"
#include "scale_spv.h"
#include "scan_add_spv.h"
#include "scan_spv.h"

#define CODE(name) .code = (name), .code_bytes = sizeof(name)

struct affine_push {
  uint32_t count, factor, offset;
};

static void create_buffers(struct work *work) {
  static const VkDeviceSize sizes[WORK_BUFFERS] = {
      [WORK_A] = sizeof(float) * WORK_SIDE * WORK_SIDE,
      [WORK_B] = sizeof(float) * WORK_SIDE * WORK_SIDE,
      [WORK_C] = sizeof(float) * WORK_SIDE * WORK_SIDE,
      [WORK_INPUT] = sizeof(uint32_t) * WORK_NUMBERS,
      [WORK_SUMS] = sizeof(uint32_t) * 256,
      [WORK_SUM] = sizeof(uint32_t),
      [WORK_RUNNING] = sizeof(uint32_t) * WORK_NUMBERS,
      [WORK_TOTALS] = sizeof(uint32_t) * 256,
      [WORK_TOTALS_RUNNING] = sizeof(uint32_t) * 256,
      [WORK_GRAND_TOTAL] = sizeof(uint32_t),
      [WORK_GROUPS] = sizeof(uint32_t) * 4,
      [WORK_RESULTS] = sizeof(uint32_t) * WORK_NUMBERS,
      [WORK_UPLOAD] = sizeof(float) * 2 * WORK_SIDE * WORK_SIDE + sizeof(uint32_t) * WORK_NUMBERS,
      [WORK_DOWNLOAD] = sizeof(struct work_results),
  };
  for (int i = 0; i < WORK_BUFFERS; i++) {
    VkDeviceSize size = sizes[i];
    if (i == WORK_SCALED) {
      size = sizeof(uint32_t) * WORK_SCALE_LANES * ((VkDeviceSize)work->scale_groups * 8 + 1);
    }
    work->buffers[i] = gpu_buffer_create(&work->gpu, size, i >= WORK_UPLOAD);
  }
}

static void create_scales(struct work *work) {
  static const char *const names[WORK_SCALES] = {"scale1", "scale2", "scale4", "scale8"};
  const VkSpecializationMapEntry entry = {0, 0, sizeof(uint32_t)};
  for (uint32_t i = 0; i < WORK_SCALES; i++) {
    /* Another seed makes another kernel of the same code, so that each has a row of its own. */
    uint32_t seed = i + 1;
    VkSpecializationInfo constants = {1, &entry, sizeof seed, &seed};
    work->kernels[WORK_SCALE + i] = gpu_kernel_create(&work->gpu, &(struct gpu_kernel_info){
                                                                      .name = names[i],
                                                                      CODE(scale_spv),
                                                                      .buffer_count = 1,
                                                                      .specialization = &constants,
                                                                  });
  }
}

static void create_kernels(struct work *work) {
  const VkSpecializationMapEntry entries[] = {{0, 0, 4}, {1, 0, 4}, {2, 0, 4}};
  const uint32_t tile = WORK_TILE;
  const VkSpecializationInfo tiles = {3, entries, sizeof tile, &tile};
  const struct gpu_kernel_info infos[WORK_SCALE] = {
      [WORK_MATMUL] = {.name = "matmul",
                       CODE(matmul_spv),
                       .buffer_count = 3,
                       .push_bytes = 4,
                       .specialization = &tiles},
      [WORK_REDUCE] = {.name = "reduce", CODE(reduce_spv), .buffer_count = 2, .push_bytes = 4},
      [WORK_SCAN] = {.name = "scan", CODE(scan_spv), .buffer_count = 3},
      [WORK_SCAN_ADD] = {.name = "scan_add", CODE(scan_add_spv), .buffer_count = 2},
      [WORK_ARGUMENTS] = {.name = "arguments",
                          CODE(arguments_spv),
                          .buffer_count = 1,
                          .push_bytes = 4},
      [WORK_AFFINE] = {.name = "affine",
                       CODE(affine_spv),
                       .buffer_count = 2,
                       .push_bytes = sizeof(struct affine_push)},
      [WORK_AFFINE_BASE] = {.name = "affine_base",
                            CODE(affine_spv),
                            .buffer_count = 2,
                            .push_bytes = sizeof(struct affine_push),
                            .flags = VK_PIPELINE_CREATE_DISPATCH_BASE},
  };
  for (int i = 0; i < WORK_SCALE; i++) {
    work->kernels[i] = gpu_kernel_create(&work->gpu, &infos[i]);
  }
  create_scales(work);
}

void work_create(struct work *work) {
  create_buffers(work);
  create_kernels(work);
}

void work_destroy(struct work *work) {
  for (int i = 0; i < WORK_KERNELS; i++) {
    gpu_kernel_destroy(&work->gpu, &work->kernels[i]);
  }
  for (int i = 0; i < WORK_BUFFERS; i++) {
    gpu_buffer_destroy(&work->gpu, &work->buffers[i]);
  }
}

enum { USE_CAP = 3 };

/* Binds a kernel over the first of the buffers, as many as it has. */
static void use(struct work *work, VkCommandBuffer commands, enum work_kernel kernel,
                const enum work_buffer buffers[USE_CAP], const void *push) {
  const struct gpu_kernel *used = &work->kernels[kernel];
  const struct gpu_buffer *bound[GPU_BUFFER_CAP] = {0};
  for (uint32_t i = 0; i < used->buffer_count && i < USE_CAP; i++) {
    bound[i] = &work->buffers[buffers[i]];
  }
  gpu_use(commands, used, gpu_bind_buffers(&work->gpu, used, bound), push);
}

static void copy(struct work *work, VkCommandBuffer commands, enum work_buffer from,
                 VkDeviceSize from_bytes, enum work_buffer to, VkDeviceSize to_bytes,
                 VkDeviceSize size_bytes) {
  VkBufferCopy region = {from_bytes, to_bytes, size_bytes};
  vkCmdCopyBuffer(commands, work->buffers[from].buffer, work->buffers[to].buffer, 1, &region);
}

static void record_upload(struct work *work, VkCommandBuffer commands) {
  const VkDeviceSize matrix = work->buffers[WORK_A].size_bytes;
  gpu_label_begin(&work->gpu, commands, "upload");
  copy(work, commands, WORK_UPLOAD, 0, WORK_A, 0, matrix);
  copy(work, commands, WORK_UPLOAD, matrix, WORK_B, 0, matrix);
  copy(work, commands, WORK_UPLOAD, 2 * matrix, WORK_INPUT, 0,
       work->buffers[WORK_INPUT].size_bytes);
  vkCmdFillBuffer(commands, work->buffers[WORK_RESULTS].buffer, 0, VK_WHOLE_SIZE, 0);
  gpu_barrier(commands);
  gpu_label_end(&work->gpu, commands);
}

static void record_matmul(struct work *work, VkCommandBuffer commands) {
  const uint32_t side = WORK_SIDE;
  gpu_label_begin(&work->gpu, commands, "matmul");
  use(work, commands, WORK_MATMUL, (enum work_buffer[USE_CAP]){WORK_A, WORK_B, WORK_C}, &side);
  vkCmdDispatch(commands, WORK_SIDE / WORK_TILE, WORK_SIDE / WORK_TILE, 1);
  gpu_label_end(&work->gpu, commands);
}

static void record_reduction(struct work *work, VkCommandBuffer commands) {
  uint32_t count = WORK_NUMBERS;
  gpu_label_begin(&work->gpu, commands, "reduction");
  use(work, commands, WORK_REDUCE, (enum work_buffer[USE_CAP]){WORK_INPUT, WORK_SUMS}, &count);
  vkCmdDispatch(commands, WORK_NUMBERS / 256, 1, 1);
  gpu_barrier(commands);
  count = WORK_NUMBERS / 256;
  use(work, commands, WORK_REDUCE, (enum work_buffer[USE_CAP]){WORK_SUMS, WORK_SUM}, &count);
  vkCmdDispatch(commands, 1, 1, 1);
  gpu_label_end(&work->gpu, commands);
}

static void record_prefix_sum(struct work *work, VkCommandBuffer commands) {
  gpu_label_begin(&work->gpu, commands, "prefix sum");
  use(work, commands, WORK_SCAN, (enum work_buffer[USE_CAP]){WORK_INPUT, WORK_RUNNING, WORK_TOTALS},
      NULL);
  vkCmdDispatch(commands, WORK_NUMBERS / 256, 1, 1);
  gpu_barrier(commands);
  use(work, commands, WORK_SCAN,
      (enum work_buffer[USE_CAP]){WORK_TOTALS, WORK_TOTALS_RUNNING, WORK_GRAND_TOTAL}, NULL);
  vkCmdDispatch(commands, 1, 1, 1);
  gpu_barrier(commands);
  use(work, commands, WORK_SCAN_ADD, (enum work_buffer[USE_CAP]){WORK_RUNNING, WORK_TOTALS_RUNNING},
      NULL);
  vkCmdDispatch(commands, WORK_NUMBERS / 256, 1, 1);
  gpu_label_end(&work->gpu, commands);
}

/* All numbers by an indirect dispatch, then the upper half once more by one with a base. */
static void record_affine(struct work *work, VkCommandBuffer commands) {
  const enum work_buffer ends[USE_CAP] = {WORK_INPUT, WORK_RESULTS};
  const struct affine_push all = {WORK_NUMBERS, 3, 7};
  const struct affine_push half = {WORK_NUMBERS, 5, 1};
  gpu_label_begin(&work->gpu, commands, "affine");
  use(work, commands, WORK_ARGUMENTS, (enum work_buffer[USE_CAP]){WORK_GROUPS}, &all.count);
  vkCmdDispatch(commands, 1, 1, 1);
  gpu_barrier(commands);
  use(work, commands, WORK_AFFINE, ends, &all);
  vkCmdDispatchIndirect(commands, work->buffers[WORK_GROUPS].buffer, 0);
  gpu_barrier(commands);
  use(work, commands, WORK_AFFINE_BASE, ends, &half);
  vkCmdDispatchBase(commands, WORK_NUMBERS / 128, 0, 0, WORK_NUMBERS / 128, 1, 1);
  gpu_label_end(&work->gpu, commands);
}

static void record_scales(struct work *work, VkCommandBuffer commands) {
  gpu_label_begin(&work->gpu, commands, "scale");
  for (uint32_t i = 0; i < WORK_SCALES; i++) {
    gpu_barrier(commands);
    use(work, commands, WORK_SCALE + i, (enum work_buffer[USE_CAP]){WORK_SCALED}, NULL);
    vkCmdDispatch(commands, work->scale_groups << i, 1, 1);
  }
  gpu_label_end(&work->gpu, commands);
}

static void record_download(struct work *work, VkCommandBuffer commands) {
  gpu_label_begin(&work->gpu, commands, "download");
  gpu_barrier(commands);
  copy(work, commands, WORK_C, 0, WORK_DOWNLOAD, offsetof(struct work_results, product),
       work->buffers[WORK_C].size_bytes);
  copy(work, commands, WORK_RUNNING, 0, WORK_DOWNLOAD, offsetof(struct work_results, running),
       work->buffers[WORK_RUNNING].size_bytes);
  copy(work, commands, WORK_RESULTS, 0, WORK_DOWNLOAD, offsetof(struct work_results, affine),
       work->buffers[WORK_RESULTS].size_bytes);
  copy(work, commands, WORK_SUM, 0, WORK_DOWNLOAD, offsetof(struct work_results, sum),
       sizeof(uint32_t));
  if (work->scale_groups > 0) {
    copy(work, commands, WORK_SCALED, 0, WORK_DOWNLOAD, offsetof(struct work_results, scaled),
         sizeof(uint32_t) * WORK_SCALE_LANES);
  }
  gpu_barrier(commands);
  gpu_label_end(&work->gpu, commands);
}

void work_record(struct work *work, VkCommandBuffer commands) {
  /* The sets of the previous recording are not in use any more: its execution was waited for. */
  gpu_check(vkResetDescriptorPool(work->gpu.device, work->gpu.descriptors, 0),
            "vkResetDescriptorPool");
  /* A recording that is submitted again must not overwrite what the last submission still copies.
   */
  gpu_barrier(commands);
  record_upload(work, commands);
  record_matmul(work, commands);
  record_reduction(work, commands);
  record_prefix_sum(work, commands);
  record_affine(work, commands);
  if (work->scale_groups > 0) {
    record_scales(work, commands);
  }
  record_download(work, commands);
}
