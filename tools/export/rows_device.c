/* In: a profile. Out: its rows of devices and what belongs to them. Next: sinks. */
#include "export/fill.h"
#include "export/rows.h"

static bool add_heaps(const struct vkm_export *export, const struct vkm_export_device *device) {
  const struct vkm_export_key *key = &export->key;
  for (size_t place = 0; place < device->read->memory.heap_count; place++) {
    const struct vkm_read_heap *heap = &device->read->memory.heaps[place];
    struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
    size_t at = 0;
#include "export/tables/heaps.def"
    if (!vkm_export_add(export, VKM_EXPORT_heaps, cells)) {
      return false;
    }
  }
  return true;
}

static bool add_capabilities(const struct vkm_export *export,
                             const struct vkm_export_device *device) {
  const struct vkm_export_key *key = &export->key;
  for (size_t i = 0; i < device->read->capability_count; i++) {
    const struct vkm_read_capability *capability = &device->read->capabilities[i];
    struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
    size_t at = 0;
#include "export/tables/capabilities.def"
    if (!vkm_export_add(export, VKM_EXPORT_capabilities, cells)) {
      return false;
    }
  }
  return true;
}

static bool add_device(const struct vkm_export *export, const struct vkm_export_device *device) {
  const struct vkm_export_key *key = &export->key;
  struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
  size_t at = 0;
#include "export/tables/devices.def"
  return vkm_export_add(export, VKM_EXPORT_devices, cells) && add_heaps(export, device) &&
         add_capabilities(export, device);
}

static bool add_queue(const struct vkm_export *export, const struct vkm_read_queue *queue) {
  const struct vkm_export_key *key = &export->key;
  const struct vkm_export_device *device = &export->devices[queue->device];
  struct vkm_cell cells[VKM_EXPORT_COLUMNS_MAX];
  size_t at = 0;
#include "export/tables/queues.def"
  return vkm_export_add(export, VKM_EXPORT_queues, cells);
}

bool vkm_export_rows_of_devices(const struct vkm_export *export) {
  const struct vkm_read_profile *profile = export->profile;
  bool good = true;
  for (size_t i = 0; good && i < profile->device_count; i++) {
    good = add_device(export, &export->devices[i]);
  }
  for (size_t i = 0; good && i < profile->queue_count; i++) {
    good = add_queue(export, &profile->queues[i]);
  }
  return good;
}
