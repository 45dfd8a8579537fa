/* One row of a report from the kernels that belong to it. Part of report.c. Main thread. */
#ifndef VKM_TOOLS_MODEL_ROW_H
#define VKM_TOOLS_MODEL_ROW_H

#include "model/report.h"

/* A kernel of a profile, and the section that it counts in. */
struct vkm_kernel_ref {
  size_t section;
  size_t run;      /* the same for all processes of a run */
  size_t position; /* in the order that files were named and kernels stand in them */
  const struct vkm_read_kernel *kernel;
  const struct vkm_read_pipeline *pipeline; /* NULL: none was bound */
  double period_ns;                         /* 0: not known */
};

/* The kind of what another program measured: see foreign.h. */
#define VKM_FOREIGN_KIND "foreign"

/* Whether the kernel is a dispatch of any form; else it is a copy or another command. */
bool vkm_is_dispatch(const struct vkm_read_kernel *kernel);
/* What tells the kernel's rows from those of other shaders: the pipeline's identity, "" for a
 * dispatch without one, the kind for other commands. Borrowed. */
const char *vkm_shader_key(const struct vkm_kernel_ref *ref);

/* The hash of its code; NULL: no pipeline was bound, or another program said nothing of it.
 * Borrowed.
 */
const char *vkm_code_of(const struct vkm_kernel_ref *ref);

/* Fills everything of `row` but its name and share from refs[0..count), all of one shader and group
 * count, ascending by run. False: out of memory. */
bool vkm_row_build(struct vkm_row *row, const struct vkm_kernel_ref *refs, size_t count,
                   unsigned warmup) __attribute__((warn_unused_result));

/* to += value, staying at the limits of the type: a damaged profile may hold any sums. */
void vkm_add_ns(int64_t *to, int64_t value);

#endif
