/* What a physical device offers and what the layer adds for itself. In: a physical device and the
 * application's create-info. Out: facts for the profile, additions for vkCreateDevice. */
#ifndef VKM_LAYER_CAPABILITIES_H
#define VKM_LAYER_CAPABILITIES_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "device_record.h"
#include "instance.h"

struct vkm_capabilities {
  uint32_t version; /* effective: the smaller of the device's and the instance's */
  /* What to add to the create-info. */
  const char *reset_extension;      /* NULL: none to add */
  bool reset_feature;               /* hostQueryReset has to be switched on */
  const char *calibrated_extension; /* NULL: none to add */
  /* What will be usable without adding anything. */
  bool reset_enabled, calibrated_enabled;
  bool calibrated_khr;       /* the name under which calibration is reached */
  bool calibrated_monotonic; /* the device calibrates against CLOCK_MONOTONIC */
  const char *no_reset_reason, *no_calibrated_reason; /* static; NULL: available */
};

/* Looks at the next layer's answers, never relying on the application's own enumeration. `may_add`
 * false: nothing is added. Any thread, no lock. */
void vkm_capabilities_find(struct vkm_capabilities *capabilities,
                           const struct vkm_instance *instance, VkPhysicalDevice physical,
                           const VkDeviceCreateInfo *info, bool may_add);

/* Fills in a record's facts. */
void vkm_capabilities_describe(struct vkm_device_record *record,
                               const struct vkm_instance *instance, VkPhysicalDevice physical);

/* Drivers that idle the device inside vkGetQueryPoolResults. */
bool vkm_driver_reads_wait(const struct vkm_device_record *record);

#endif
