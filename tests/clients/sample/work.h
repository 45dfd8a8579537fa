/* The sample's work: what it puts on the device, and what must come out. */
#ifndef SAMPLE_WORK_H
#define SAMPLE_WORK_H

#include "gpu.h"

enum {
  WORK_SIDE = 64,           /* matrices are WORK_SIDE x WORK_SIDE */
  WORK_TILE = 8,            /* a divisor of WORK_SIDE */
  WORK_NUMBERS = 256 * 256, /* what is reduced, scanned and scaled */
  WORK_SCALES = 4,          /* scale1, scale2, scale4, scale8 */
  WORK_SCALE_LANES = 16,    /* local size of scale.comp */
  WORK_SCALE_STEPS = 2000   /* its loop */
};

enum work_kernel {
  WORK_MATMUL,
  WORK_REDUCE,
  WORK_SCAN,
  WORK_SCAN_ADD,
  WORK_ARGUMENTS,
  WORK_AFFINE,
  WORK_AFFINE_BASE,
  WORK_SCALE, /* the first of WORK_SCALES */
  WORK_KERNELS = WORK_SCALE + WORK_SCALES
};

enum work_buffer {
  WORK_A,
  WORK_B,
  WORK_C,
  WORK_INPUT,
  WORK_SUMS,
  WORK_SUM,
  WORK_RUNNING,
  WORK_TOTALS,
  WORK_TOTALS_RUNNING,
  WORK_GRAND_TOTAL,
  WORK_GROUPS,
  WORK_RESULTS,
  WORK_SCALED,
  WORK_UPLOAD,   /* on the host: A, B, INPUT */
  WORK_DOWNLOAD, /* on the host: struct work_results */
  WORK_BUFFERS
};

/* What the device gives back; also the layout of the download buffer. */
struct work_results {
  float product[WORK_SIDE * WORK_SIDE];
  uint32_t running[WORK_NUMBERS];
  uint32_t affine[WORK_NUMBERS];
  uint32_t scaled[WORK_SCALE_LANES]; /* the first group of scale8 */
  uint32_t sum;
};

struct work {
  struct gpu gpu;
  struct gpu_buffer buffers[WORK_BUFFERS];
  struct gpu_kernel kernels[WORK_KERNELS];
  uint32_t scale_groups; /* groups of scale1; 0: no scale kernels are run */
};

void work_create(struct work *work);
void work_destroy(struct work *work);

/* Records everything once into `commands`; it may be submitted any number of times. */
void work_record(struct work *work, VkCommandBuffer commands);

/* Fills the upload buffer. */
void work_fill(struct work *work);
/* Compares the last execution with the processor's own results; prints each difference's first
 * place on stderr. `print`: one line a stage on stdout. */
bool work_check(const struct work *work, bool print);
/* Makes the results of the last execution unusable, so that a check cannot pass on old ones. */
void work_spoil(struct work *work);

#endif
