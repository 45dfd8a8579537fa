/* In: a profile. Out: its rows of pipelines and of what the driver's compiler said. Next: sinks. */
#include "export/fill.h"
#include "export/rows.h"

static bool add_executable(const struct vkm_export *export,
                           const struct vkm_read_pipeline *pipeline, size_t place) {
  const struct vkm_export_key *key = &export->key;
  const struct vkm_export_device *device = &export->devices[pipeline->device];
  const struct vkm_read_executable *executable = &pipeline->executables[place];
  for (size_t i = 0; i < executable->statistic_count; i++) {
    const struct vkm_read_statistic *statistic = &executable->statistics[i];
    struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
    size_t at = 0;
#include "export/tables/statistics.def"
    if (!vkm_export_add(export, VKM_EXPORT_statistics, cells)) {
      return false;
    }
  }
  return true;
}

static bool add_pipeline(const struct vkm_export *export, const struct vkm_read_pipeline *read) {
  const struct vkm_export_key *key = &export->key;
  const struct vkm_export_device *device = &export->devices[read->device];
  struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
  size_t at = 0;
#include "export/tables/pipelines.def"
  bool good = vkm_export_add(export, VKM_EXPORT_pipelines, cells);
  for (size_t i = 0; good && i < read->executable_count; i++) {
    good = add_executable(export, read, i);
  }
  return good;
}

bool vkm_export_rows_of_pipelines(const struct vkm_export *export) {
  bool good = true;
  for (size_t i = 0; good && i < export->profile->pipeline_count; i++) {
    good = add_pipeline(export, &export->profile->pipelines[i]);
  }
  return good;
}
