/* Modes side by side. In: passes. Out: rows. Next: views/suite_md. */
#include "model/suite_why.h"

#include <stdlib.h>
#include <string.h>

static const struct vkm_suite_pass *pass_of(const struct vkm_suite_lane *lane,
                                            enum vkm_suite_phase phase) {
  for (size_t i = 0; i < lane->pass_count; i++) {
    if (lane->passes[i].phase == phase) {
      return &lane->passes[i];
    }
  }
  return NULL;
}

static bool is_same(const struct vkm_suite_kernel *left, const struct vkm_suite_kernel *right) {
  return strcmp(left->name, right->name) == 0 && left->has_groups == right->has_groups &&
         memcmp(left->groups, right->groups, sizeof left->groups) == 0;
}

static void join(struct vkm_suite_why_row *row, const struct vkm_suite_pass *isolated) {
  for (size_t i = 0; i < isolated->kernel_count; i++) {
    const struct vkm_suite_kernel *kernel = &isolated->kernels[i];
    if (is_same(row->kernel, kernel) && kernel->has_figures) {
      row->has_isolated = true;
      row->isolated_ns = kernel->median_ns;
      row->has_ratio = row->kernel->has_figures && kernel->median_ns > 0;
      row->ratio = row->has_ratio ? row->kernel->median_ns / kernel->median_ns : 0;
      return;
    }
  }
}

bool vkm_suite_why_make(struct vkm_suite_why *why, const struct vkm_suite_lane *lane) {
  const struct vkm_suite_pass *timing = pass_of(lane, VKM_PHASE_TIMING);
  const struct vkm_suite_pass *isolated = pass_of(lane, VKM_PHASE_ISOLATED);
  const struct vkm_suite_pass *submit = pass_of(lane, VKM_PHASE_SUBMIT);
  *why = (struct vkm_suite_why){.rows = NULL};
  if (timing == NULL || timing->kernel_count == 0) {
    return true;
  }
  why->rows = calloc(timing->kernel_count, sizeof *why->rows);
  if (why->rows == NULL) {
    return false;
  }
  for (size_t i = 0; i < timing->kernel_count; i++) {
    struct vkm_suite_why_row *row = &why->rows[why->count++];
    row->kernel = &timing->kernels[i];
    if (isolated != NULL) {
      join(row, isolated);
    }
  }
  why->has_submit = submit != NULL && submit->gpu.count > 0 && timing->gpu.count > 0;
  why->submit_ns = why->has_submit ? submit->gpu.median : 0;
  why->gpu_ns = why->has_submit ? timing->gpu.median : 0;
  return true;
}

void vkm_suite_why_finish(struct vkm_suite_why *why) {
  free(why->rows);
  *why = (struct vkm_suite_why){.rows = NULL};
}
