/* Memory of a device as the program asked for it, part of the profile's model. Plain figures,
 * nothing owned. */
#ifndef VKM_PROFILE_PROFILE_MEMORY_H
#define VKM_PROFILE_PROFILE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

enum { VKM_HEAP_CAP = 16 }; /* VK_MAX_MEMORY_HEAPS */

/* One heap. Times: ns since run start, INT64_MIN for never. */
struct vkm_profile_heap_use {
  uint64_t allocated_bytes; /* requested by the program, live; neither imported memory nor ours */
  uint64_t peak_bytes;
  int64_t peak_at_ns; /* when the peak was reached first */
  /* What the driver said last, and its extremes. */
  uint64_t budget_bytes, budget_lowest_bytes;
  uint64_t usage_bytes, usage_peak_bytes; /* of the process, by the driver's own count */
};

struct vkm_profile_memory {
  struct vkm_profile_heap_use heaps[VKM_HEAP_CAP];
  uint64_t budget_asked; /* how often the driver was asked; 0: nothing of the budget is known */
  const char *no_budget_reason;                              /* static; NULL where it is offered */
  uint64_t allocations, allocations_peak, allocations_total; /* VkDeviceMemory objects */
  uint64_t allocations_failed;                               /* the driver refused */
  uint64_t allocations_untracked; /* the layer's memory was short: in no other figure */
  uint64_t dedicated_total;       /* of allocations_total: made for one buffer or image */
  uint64_t imported, imported_total, imported_bytes, imported_peak_bytes;
  uint64_t lazy_bytes; /* of the live ones: lazily allocated, perhaps never backed */
  uint64_t mapped_bytes, mapped_peak_bytes;
  uint64_t mapped_device_local_bytes, mapped_device_local_peak_bytes;
  uint64_t persistent_mapped_bytes; /* most device-local bytes that were mapped at a submission */
  uint64_t maps_total;
};

#endif
