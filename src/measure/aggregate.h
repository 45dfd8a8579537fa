/* Collects samples into kernel rows, for one device. In: one execution of one command at a time.
 * Out: rows for the profile. Not thread safe: the caller holds the device's lock. */
#ifndef VKM_MEASURE_AGGREGATE_H
#define VKM_MEASURE_AGGREGATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "measure/reasons.h"
#include "measure/samples.h"

/* See kinds.def. */
enum vkm_kind {
#define VKM_KIND(name, text, coverage, timed) VKM_KIND_##name,
#include "measure/kinds.def"
#undef VKM_KIND
  VKM_KIND_COUNT
};
/* Names as in the profile; the member of coverage that a kind counts in; whether it is timed. */
extern const char *const vkm_kind_names[VKM_KIND_COUNT];
extern const char *const vkm_kind_coverage[VKM_KIND_COUNT];
extern const bool vkm_kind_timed[VKM_KIND_COUNT];
/* The dispatch forms: they run a compute pipeline. */
static inline bool vkm_kind_is_dispatch(uint32_t kind) {
  return kind <= VKM_KIND_DISPATCH_INDIRECT;
}

#define VKM_NO_PIPELINE UINT32_MAX

/* What makes a kernel row. Compared as bytes: zero it before filling. */
struct vkm_kernel_key {
  uint32_t pipeline;  /* index into the device's pipelines, VKM_NO_PIPELINE when none was bound */
  uint32_t phase;     /* index into the device's phases, 0 = unlabelled */
  uint32_t kind;      /* enum vkm_kind */
  uint32_t groups[3]; /* 0,0,0 for indirect (geometry unknown); see moves.h for what moves bytes */
  uint32_t base[3];
  uint32_t read; /* 1: groups of an indirect dispatch, read back from the device */
  uint32_t
      gathered; /* 1: of all geometries that found no row of their own; groups and base are 0 */
};

struct vkm_kernel_row {
  struct vkm_kernel_key key;
  uint32_t index; /* among the aggregate's rows */
  struct vkm_outcomes outcomes;
  struct vkm_samples durations;
  struct vkm_samples gaps; /* time between the previous command's end and this one's begin */
  uint64_t
      overlap_possible; /* measured executions that had no barrier of the application before them */
  uint64_t conditional; /* measured executions inside conditional rendering: perhaps nothing ran */
  uint64_t bytes;       /* moved by all executions, where the key says that they are known */
  int64_t first_use_ordinal; /* ordinal of the sample that was the pipeline's first execution, -1
                                none */
};

struct vkm_aggregate {
  struct vkm_kernel_row **rows; /* in order of first sight; pointers stay valid until finish */
  size_t row_count;
  size_t row_capacity;
  size_t row_cap;    /* most rows; beyond it everything goes to `overflow` */
  bool sealed;       /* no row is made: what has none goes to `overflow` */
  size_t sample_cap; /* samples kept a row */
  bool sample_times; /* and when each began; set before the first row */
  void *index;       /* uthash, private */
  struct vkm_outcomes overflow[VKM_KIND_COUNT]; /* executions of rows that found no place */
};

void vkm_aggregate_init(struct vkm_aggregate *aggregate, size_t row_cap, size_t sample_cap);
void vkm_aggregate_finish(struct vkm_aggregate *aggregate);
enum {
  /* Rows that one pipeline may have; what it runs with yet other geometries is gathered in one more
   * a phase and kind. A program whose geometry changes with every step would fill all rows. */
  VKM_GEOMETRY_CAP = 256,
  VKM_GEOMETRY_MANY_ROWS = 8192, /* from so many rows on it may have fewer: */
  VKM_GEOMETRY_LATE_CAP = 16,
  VKM_GAP_SAMPLE_CAP = 256
};
/* The row for the key, or the gathering one when the key has none and `rows_of_pipeline` (of the
 * pipeline's rows so far, counted here) has reached the cap; NULL as below. */
struct vkm_kernel_row *vkm_aggregate_row_of(struct vkm_aggregate *aggregate,
                                            const struct vkm_kernel_key *key,
                                            uint32_t *rows_of_pipeline);
/* The row for the key, made on first sight; NULL when the cap is reached or memory is short (the
 * caller then counts in `overflow`). The pointer is good until finish. */
struct vkm_kernel_row *vkm_aggregate_row(struct vkm_aggregate *aggregate,
                                         const struct vkm_kernel_key *key);
#define VKM_NO_GAP INT64_MIN
/* One measured execution. gap_ns: VKM_NO_GAP when this was the first command. first_use: the
 * pipeline had never run before. */
void vkm_kernel_row_measured(struct vkm_kernel_row *row, int64_t duration_ns, int64_t gap_ns,
                             int64_t begin_ns, bool first_use, bool overlap_possible);

#endif
