/* Capabilities that nothing is added for, see offers.h. */
#include "offers.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "chain.h"
#include "measure/ticks.h"

static void note(struct vkm_device_record *record, const char *name, const char *reason) {
  record->capabilities[record->capability_count++] =
      (struct vkm_profile_capability){name, reason == NULL, reason};
}

/* Which families cannot tell the time, into the record; NULL when all can. */
static const char *name_families(struct vkm_device_record *record) {
  size_t used = 0;
  for (uint32_t i = 0; i < record->family_count; i++) {
    if (record->families[i].timestamp_valid_bits > 0) {
      continue;
    }
    size_t left = sizeof record->families_reason - used;
    int length =
        snprintf(record->families_reason + used, left, "%s%u",
                 used == 0 ? "the driver gives timestamps no valid bits on queue family " : ", ",
                 (unsigned)i);
    used += length > 0 && (size_t)length < left ? (size_t)length : 0;
  }
  return used > 0 ? record->families_reason : NULL;
}

static void note_timestamps(struct vkm_device_record *record) {
  uint32_t able = 0;
  for (uint32_t i = 0; i < record->family_count; i++) {
    able += record->families[i].timestamp_valid_bits > 0;
  }
  const char *reason = NULL;
  if (able == 0) {
    reason = "the driver gives timestamps no valid bits on any queue family";
  } else if (!vkm_tick_clock_usable(record->timestamp_period_ns, 64)) {
    reason = "the driver reports a tick of no usable length (timestampPeriod)";
  }
  note(record, "timestamps", reason);
  note(record, "timestamps_on_every_family", name_families(record));
}

struct wanted {
  const char *extension, *capability, *missing;
};

static const char *find(const struct wanted *wanted, const VkExtensionProperties *items,
                        uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (strcmp(items[i].extensionName, wanted->extension) == 0) {
      return NULL;
    }
  }
  return wanted->missing;
}

static void note_extensions(struct vkm_device_record *record, const struct vkm_instance *instance,
                            VkPhysicalDevice physical) {
  static const struct wanted all[] = {
      {VK_EXT_MEMORY_BUDGET_EXTENSION_NAME, "memory_budget",
       "the driver does not offer VK_EXT_memory_budget"},
      {VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME, "performance_query",
       "the driver does not offer VK_KHR_performance_query"},
  };
  PFN_vkEnumerateDeviceExtensionProperties enumerate =
      instance->table.EnumerateDeviceExtensionProperties;
  uint32_t count = 0;
  VkExtensionProperties *items = NULL;
  bool out_of_memory = false;
  if (enumerate(physical, NULL, &count, NULL) == VK_SUCCESS && count > 0) {
    items = vkm_calloc(count, sizeof *items);
    out_of_memory = !items;
  }
  if (items && enumerate(physical, NULL, &count, items) < 0) {
    count = 0;
  }
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    note(record, all[i].capability,
         out_of_memory ? vkm_memory_was_short : find(&all[i], items, items ? count : 0));
  }
  vkm_free(items);
}

void vkm_offers_note(struct vkm_device_record *record, const struct vkm_instance *instance,
                     VkPhysicalDevice physical) {
  note_timestamps(record);
  note_extensions(record, instance, physical);
}
