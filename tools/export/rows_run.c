/* In: a profile. Out: its rows of what belongs to the run as a whole. Next: sinks. */
#include "export/fill.h"
#include "export/rows.h"

struct run_row {
  const char *path, *driver; /* of the main device */
  uint64_t executions, software_executions;
  bool software_known; /* of the main device, and of all that executed anything */
};

static bool add_run(const struct vkm_export *export) {
  static const struct vkm_read_device none = {.name = NULL};
  const struct vkm_read_profile *read = export->profile;
  const struct vkm_export_key *key = &export->key;
  const struct vkm_read_breakdown *parts = &read->breakdown;
  const struct vkm_read_overhead *cost = &read->overhead;
  const struct vkm_read_device *device = vkm_segment_device(read);
  struct run_row row = {.path = export->path};
  const struct run_row *run = &row;
  for (size_t i = 0; i < read->device_count; i++) {
    const struct vkm_export_device *each = &export->devices[i];
    row.executions += each->executions;
    row.software_executions += each->read->software ? each->executions : 0;
    row.driver = each->read == device ? each->driver : row.driver;
    row.software_known = (i == 0 || row.software_known) && each->software_known;
  }
  device = device != NULL ? device : &none;
  struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
  size_t at = 0;
#include "export/tables/runs.def"
  return vkm_export_add(export, VKM_EXPORT_runs, cells);
}

static bool add_pairs(const struct vkm_export *export, const struct vkm_read_pairs *pairs,
                      enum vkm_export_table_id table) {
  const struct vkm_export_key *key = &export->key;
  for (size_t i = 0; i < pairs->count; i++) {
    const struct vkm_read_pair *pair = &pairs->items[i];
    struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
    size_t at = 0;
#include "export/tables/tags.def"
    if (!vkm_export_add(export, table, cells)) {
      return false;
    }
  }
  return true;
}

static bool add_groups(const struct vkm_export *export, const struct vkm_read_groups *groups,
                       enum vkm_export_table_id table) {
  const struct vkm_export_key *key = &export->key;
  for (size_t i = 0; i < groups->count; i++) {
    const struct vkm_read_group *group = &groups->items[i];
    struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
    size_t at = 0;
#include "export/tables/families.def"
    if (!vkm_export_add(export, table, cells)) {
      return false;
    }
  }
  return true;
}

static bool add_moves(const struct vkm_export *export) {
  const struct vkm_export_key *key = &export->key;
  for (size_t i = 0; i < VKM_READ_MOVES; i++) {
    const struct vkm_read_move *move = &export->profile->breakdown.moves[i];
    struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
    size_t at = 0;
#include "export/tables/moves.def"
    if (move->direction != NULL && move->executions > 0 &&
        !vkm_export_add(export, VKM_EXPORT_moves, cells)) {
      return false;
    }
  }
  return true;
}

static bool add_calls(const struct vkm_export *export) {
  const struct vkm_export_key *key = &export->key;
  for (size_t i = 0; i < VKM_READ_HOSTS; i++) {
    const struct vkm_read_host *host = &export->profile->breakdown.hosts[i];
    struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
    size_t at = 0;
#include "export/tables/calls.def"
    if (host->name != NULL && host->calls > 0 && !vkm_export_add(export, VKM_EXPORT_calls, cells)) {
      return false;
    }
  }
  return true;
}

static bool add_metrics(const struct vkm_export *export) {
  const struct vkm_export_key *key = &export->key;
  const struct vkm_read_profile *read = export->profile;
  for (size_t i = 0; i < read->metric_count; i++) {
    const struct vkm_read_metric *metric = &read->metrics[i];
    struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
    size_t at = 0;
#include "export/tables/metrics.def"
    if (!vkm_export_add(export, VKM_EXPORT_metrics, cells)) {
      return false;
    }
  }
  return true;
}

bool vkm_export_rows_of_run(const struct vkm_export *export) {
  const struct vkm_read_profile *read = export->profile;
  return add_run(export) && add_pairs(export, &read->run.tags, VKM_EXPORT_tags) &&
         add_pairs(export, &read->run.settings, VKM_EXPORT_settings) &&
         add_groups(export, &read->families, VKM_EXPORT_families) &&
         add_groups(export, &read->phases, VKM_EXPORT_phases) && add_moves(export) &&
         add_calls(export) && add_metrics(export);
}
