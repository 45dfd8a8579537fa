/* In: a profile. Out: its rows of plans. Next: sinks. */
#include "export/fill.h"
#include "export/rows.h"

static bool add_plan(const struct vkm_export *export, const struct vkm_read_plan *read) {
  const struct vkm_export_key *key = &export->key;
  const struct vkm_export_device *device = &export->devices[read->device];
  struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
  size_t at = 0;
#include "export/tables/plans.def"
  bool good = vkm_export_add(export, VKM_EXPORT_plans, cells);
  for (size_t i = 0; good && i < read->family_count; i++) {
    const struct vkm_read_plan_family *family = &read->families[i];
    at = 0;
#include "export/tables/plan_families.def"
    good = vkm_export_add(export, VKM_EXPORT_plan_families, cells);
  }
  return good;
}

bool vkm_export_rows_of_plans(const struct vkm_export *export) {
  bool good = true;
  for (size_t i = 0; good && i < export->profile->plan_count; i++) {
    good = add_plan(export, &export->profile->plans[i]);
  }
  return good;
}
