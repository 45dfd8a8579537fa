/* How much rows vary from run to run while nothing changes. In: runs of one build, or a file that
 * was made of such runs. Next: comparison. Main thread. */
#ifndef VKM_TOOLS_MODEL_NOISE_H
#define VKM_TOOLS_MODEL_NOISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/comparison.h"

/* Fewer runs have no row. */
enum { VKM_NOISE_RUNS_NEEDED = 5 };

/* What tells rows apart: where it was measured, and which work. All texts are borrowed. */
struct vkm_noise_key {
  const char *segment;  /* vkm_segment_key of its profiles */
  const char *device;   /* NULL: not known */
  const char *identity; /* hex digits, else the kind of a command without a pipeline */
  const char *name;     /* as the program gave it: not told apart from others */
  bool has_groups;
  uint32_t groups[3];
};
struct vkm_noise_row {
  struct vkm_noise_key key; /* its texts lie in `texts` */
  char *texts;              /* owned */
  double deviation;         /* standard deviation of the logs of the runs' figures */
  double center_ns;         /* median of the runs' figures */
  size_t run_count;         /* at least VKM_NOISE_RUNS_NEEDED */
};
/* Starts as {0} with its stat. */
struct vkm_noise {
  enum vkm_stat stat;         /* what the figure of a run is */
  struct vkm_noise_row *rows; /* ascending by key once sorted; owned */
  size_t row_count, room;
  size_t *by_name;      /* indices of rows, for vkm_noise_find; owned */
  size_t too_few_count; /* rows left out: timed in too few runs */
};

/* The noise of the runs of `side`, sorted. False: out of memory, reported. */
bool vkm_noise_build(struct vkm_noise *noise, const struct vkm_side *side, enum vkm_stat stat,
                     unsigned warmup) __attribute__((warn_unused_result));
void vkm_noise_finish(struct vkm_noise *noise);

/* Adds a row with copies of the key's texts; vkm_noise_sort has to follow the last one. False: out
 * of memory. */
bool vkm_noise_add(struct vkm_noise *noise, const struct vkm_noise_row *row)
    __attribute__((warn_unused_result));
bool vkm_noise_sort(struct vkm_noise *noise) __attribute__((warn_unused_result));

/* The row of the same code, else the only one of the same name, in the same segment, on the same
 * device and with the same groups; NULL: there is none. */
const struct vkm_noise_row *vkm_noise_find(const struct vkm_noise *noise,
                                           const struct vkm_noise_key *key);

#endif
