/* In: a profile. Out: its rows of kernels, samples and coverage. Next: sinks. The figures are those
 * of a report: the first use of a pipeline is set aside. */
#include "export/fill.h"
#include "export/rows.h"
#include "message.h"
#include "model/names.h"

struct vkm_export_kernel {
  size_t index;
  const char *name, *match_key, *code;
  uint64_t not_timed;
  bool has_first_use;
  int64_t first_use_ns;
  struct vkm_row figures;
};

static bool describe(const struct vkm_export *export, size_t index, struct vkm_export_kernel *row) {
  const struct vkm_read_profile *profile = export->profile;
  const struct vkm_read_kernel *kernel = &profile->kernels[index];
  const struct vkm_read_device *device = &profile->devices[kernel->device];
  struct vkm_kernel_ref ref = {
      .kernel = kernel,
      .pipeline = kernel->pipeline != VKM_READ_NONE ? &profile->pipelines[kernel->pipeline] : NULL,
      .period_ns = device->has_period ? device->period_ns : 0};
  *row = (struct vkm_export_kernel){.index = index, .code = vkm_code_of(&ref)};
  bool given = vkm_name_rank(&ref, &row->name) >= 2;
  row->match_key = given || ref.pipeline == NULL ? row->name : ref.pipeline->identity;
  for (size_t i = 0; i < kernel->outcomes.reason_count; i++) {
    row->not_timed += kernel->outcomes.reasons[i].count;
  }
  row->has_first_use = kernel->first_use < kernel->sample_count;
  row->first_use_ns = row->has_first_use ? kernel->samples_ns[kernel->first_use] : 0;
  return vkm_row_build(&row->figures, &ref, 1, 1);
}

static bool add_samples(const struct vkm_export *export, const struct vkm_export_kernel *row) {
  const struct vkm_export_key *key = &export->key;
  const struct vkm_read_kernel *kernel = &export->profile->kernels[row->index];
  const struct vkm_export_device *device = &export->devices[kernel->device];
  for (size_t place = 0; place < kernel->sample_count; place++) {
    struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
    size_t at = 0;
#include "export/tables/samples.def"
    if (!vkm_export_add(export, VKM_EXPORT_samples, cells)) {
      return false;
    }
  }
  return true;
}

static bool add_outcome(const struct vkm_export *export, const char *scope, size_t place,
                        const struct vkm_read_reason *found) {
  const struct vkm_export_key *key = &export->key;
  const char *outcome = found->outcome;
  const char *reason = found->name;
  uint64_t executions = found->count;
  struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
  size_t at = 0;
#include "export/tables/coverage.def"
  return executions == 0 || vkm_export_add(export, VKM_EXPORT_coverage, cells);
}

static bool add_outcomes(const struct vkm_export *export, const char *scope, size_t place,
                         const struct vkm_read_outcomes *outcomes) {
  const struct vkm_read_reason measured = {"measured", NULL, outcomes->measured};
  const struct vkm_read_reason control = {"control", NULL, outcomes->control};
  bool good =
      add_outcome(export, scope, place, &measured) && add_outcome(export, scope, place, &control);
  for (size_t i = 0; good && i < outcomes->reason_count; i++) {
    good = add_outcome(export, scope, place, &outcomes->reasons[i]);
  }
  return good;
}

static bool add_kernel(const struct vkm_export *export, size_t index) {
  struct vkm_export_kernel described;
  if (!describe(export, index, &described)) {
    vkm_error("out of memory; export fewer tables, or smaller profiles");
    return false;
  }
  const struct vkm_export_kernel *row = &described;
  const struct vkm_row *figures = &described.figures;
  const struct vkm_export_key *key = &export->key;
  const struct vkm_read_kernel *kernel = &export->profile->kernels[index];
  const struct vkm_export_device *device = &export->devices[kernel->device];
  struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
  size_t at = 0;
#include "export/tables/kernels.def"
  return vkm_export_add(export, VKM_EXPORT_kernels, cells) &&
         (!export->tables[VKM_EXPORT_samples] || add_samples(export, row)) &&
         add_outcomes(export, "kernel", index, &kernel->outcomes);
}

bool vkm_export_rows_of_kernels(const struct vkm_export *export) {
  const struct vkm_read_profile *profile = export->profile;
  bool good = add_outcomes(export, "dispatches", VKM_READ_NONE, &profile->dispatches) &&
              add_outcomes(export, "beyond_rows", VKM_READ_NONE, &profile->beyond_rows);
  for (size_t i = 0; good && i < profile->kernel_count; i++) {
    good = add_kernel(export, i);
  }
  return good;
}
