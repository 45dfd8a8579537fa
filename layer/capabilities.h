/* What a physical device offers and what the layer adds for itself. In: a physical device and the
 * application's create-info. Out: facts for the profile, additions for vkCreateDevice. */
#ifndef VKM_LAYER_CAPABILITIES_H
#define VKM_LAYER_CAPABILITIES_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "device_record.h"
#include "instance.h"

/* What the compiler's figures need. Reasons are static; NULL: available. */
struct vkm_statistics_offer {
  /* To add to the create-info. */
  const char *extension; /* VK_KHR_pipeline_executable_properties; NULL: none to add */
  bool feature;          /* pipelineExecutableInfo has to be switched on */
  const char *shader_info_extension, *feedback_extension; /* NULL: none to add */
  /* Usable without adding anything. */
  bool enabled, shader_info_enabled, feedback_enabled;
  const char *no_statistics_reason, *no_feedback_reason;
};

/* What is wanted of a device. */
struct vkm_wishes {
  bool may_add;                     /* false: nothing is added */
  const char *no_statistics_reason; /* static; NULL: statistics are wanted */
};

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
  struct vkm_statistics_offer statistics;
};

/* Looks at the next layer's answers, never relying on the application's own enumeration. Any
 * thread, no lock. */
void vkm_capabilities_find(struct vkm_capabilities *capabilities,
                           const struct vkm_instance *instance, VkPhysicalDevice physical,
                           const VkDeviceCreateInfo *info, const struct vkm_wishes *wishes);

/* Fills in a record's facts. */
void vkm_capabilities_describe(struct vkm_device_record *record,
                               const struct vkm_instance *instance, VkPhysicalDevice physical);

/* Drivers that idle the device inside vkGetQueryPoolResults. */
bool vkm_driver_reads_wait(const struct vkm_device_record *record);

#endif
