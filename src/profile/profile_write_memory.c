/* In: a device's memory, as the program used it. Out: the member memory of a device. */
#include "profile/profile_write_sections.h"

static const char NOT_PROFILED[] = "the device is not profiled";

static void write_u64(struct vkm_json *json, const char *key, uint64_t value, const char *reason) {
  if (reason != NULL) {
    vkm_json_null(json, key, reason);
  } else {
    vkm_json_u64(json, key, value);
  }
}

static const char *no_budget(const struct vkm_profile_device *device) {
  const struct vkm_profile_memory *memory = &device->memory;
  if (!device->profiled) {
    return NOT_PROFILED;
  }
  return memory->no_budget_reason == NULL && memory->budget_asked == 0 ? "the driver was not asked"
                                                                       : memory->no_budget_reason;
}

static void write_heap(struct vkm_json *json, const struct vkm_profile_device *device, size_t at) {
  const char *unknown = device->profiled ? NULL : NOT_PROFILED;
  const char *budget = no_budget(device);
  const struct vkm_profile_heap_use *use = &device->memory.heaps[at];
  vkm_json_open(json, NULL, '{');
  vkm_json_u64(json, "size_bytes", device->heaps[at].size_bytes);
  vkm_json_bool(json, "device_local", device->heaps[at].device_local);
  write_u64(json, "allocated_bytes", use->allocated_bytes, unknown);
  write_u64(json, "peak_bytes", use->peak_bytes, unknown);
  if (unknown != NULL || use->peak_at_ns == INT64_MIN || use->peak_bytes == 0) {
    vkm_json_null(json, "peak_at_ns", unknown != NULL ? unknown : "nothing was allocated");
  } else {
    vkm_json_i64(json, "peak_at_ns", use->peak_at_ns);
  }
  write_u64(json, "budget_bytes", use->budget_bytes, budget);
  write_u64(json, "budget_lowest_bytes", use->budget_lowest_bytes, budget);
  write_u64(json, "usage_bytes", use->usage_bytes, budget);
  write_u64(json, "usage_peak_bytes", use->usage_peak_bytes, budget);
  vkm_json_close(json, '}');
}

void vkm_write_memory(struct vkm_json *json, const struct vkm_profile_device *device) {
  const struct vkm_profile_memory *memory = &device->memory;
  const char *unknown = device->profiled ? NULL : NOT_PROFILED;
  const struct {
    const char *key;
    uint64_t value;
  } figures[] = {
      {"allocations", memory->allocations},
      {"allocations_peak", memory->allocations_peak},
      {"allocations_total", memory->allocations_total},
      {"allocations_failed", memory->allocations_failed},
      {"allocations_untracked", memory->allocations_untracked},
      {"dedicated_total", memory->dedicated_total},
      {"imported", memory->imported},
      {"imported_total", memory->imported_total},
      {"imported_bytes", memory->imported_bytes},
      {"imported_peak_bytes", memory->imported_peak_bytes},
      {"lazy_bytes", memory->lazy_bytes},
      {"maps_total", memory->maps_total},
      {"mapped_bytes", memory->mapped_bytes},
      {"mapped_peak_bytes", memory->mapped_peak_bytes},
      {"mapped_device_local_bytes", memory->mapped_device_local_bytes},
      {"mapped_device_local_peak_bytes", memory->mapped_device_local_peak_bytes},
      {"persistent_mapped_bytes", memory->persistent_mapped_bytes},
  };
  vkm_json_open(json, "memory", '{');
  vkm_json_open(json, "heaps", '[');
  for (size_t i = 0; i < device->heap_count; i++) {
    write_heap(json, device, i);
  }
  vkm_json_close(json, ']');
  for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
    write_u64(json, figures[i].key, figures[i].value, unknown);
  }
  vkm_json_close(json, '}');
}
