/* Many profiles as one table: a row a kernel, a column for each place where it was measured, in a
 * cell the median over the runs there. In: a side. Next: views. Main thread. */
#ifndef VKM_TOOLS_MODEL_MATRIX_H
#define VKM_TOOLS_MODEL_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/segment.h"
#include "model/side.h"

/* One environment segment, one device in it, one value of each tag that was asked for. */
struct vkm_matrix_column {
  char *key;   /* what tells it from others; owned, as the next two */
  char *label; /* for people: what differs between the columns; unique */
  char *driver;
  const struct vkm_read_device *device; /* of the first profile that has it */
  const struct vkm_read_profile *first;
  char segment[VKM_SEGMENT_KEY_BYTES];
  size_t run_count;
};

struct vkm_matrix_cell {
  bool present;     /* it was executed there */
  bool has_time;    /* false: nothing of it was timed */
  double median_ns; /* of the runs' medians */
  size_t run_count; /* runs that have it */
  uint64_t calls;   /* timed, over all runs, first uses set aside */
};

struct vkm_matrix_row {
  char *name;                   /* for people; unique with its group counts; owned */
  const char *given;            /* the name without digits */
  const char *identity;         /* NULL: no pipeline, or not the same in all columns */
  const char *kind, *family;    /* family NULL: not known, or not the same everywhere */
  bool is_dispatch, has_groups; /* no groups: indirect, geometry not known */
  uint32_t groups[3];
  struct vkm_matrix_cell *cells; /* one a column; in vkm_matrix.cells */
  int64_t total_ns;              /* timed work, over all columns */
  size_t column_count;           /* columns that have it */
  size_t position;               /* of its first kernel */
  int name_rank;                 /* vkm_name_rank */
};

struct vkm_matrix {
  const char *const *tags; /* keys; borrowed */
  size_t tag_count;
  unsigned warmup;
  struct vkm_matrix_column *columns; /* by device, driver, then first seen; owned */
  size_t column_count;
  struct vkm_matrix_row *rows; /* most time first, then by name; owned */
  size_t row_count;
  struct vkm_matrix_cell *cells; /* owned */
  const struct vkm_side *side;   /* what it was built from; borrowed */
};

/* Builds the matrix. Kernels of different columns are one row when they have the same code and
 * group counts; else, where the program gives names, the same name and group counts. `tags`: keys
 * of tags whose values make columns; they and `side` have to outlive it. False: out of memory,
 * reported. */
bool vkm_matrix_build(struct vkm_matrix *matrix, const struct vkm_side *side,
                      const char *const *tags, size_t tag_count, unsigned warmup)
    __attribute__((warn_unused_result));
void vkm_matrix_finish(struct vkm_matrix *matrix);

/* The value of a tag of the column; NULL: its runs have none of that name. */
const char *vkm_matrix_tag(const struct vkm_matrix_column *column, const char *name);

/* matrix_columns.c: fills the columns; column_of[i] of each device, profile by profile, gets its
 * column. False: out of memory. */
bool vkm_matrix_columns(struct vkm_matrix *matrix, size_t *column_of)
    __attribute__((warn_unused_result));

#endif
