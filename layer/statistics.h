/* What the driver's compiler says of pipelines: registers, spills, code size. In: a pipeline whose
 * creating call has just succeeded. Out: the record's executables. Reading happens in the creating
 * call, where nobody else knows the pipeline yet, and once an identity. */
#ifndef VKM_LAYER_STATISTICS_H
#define VKM_LAYER_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

struct vkm_device;
struct vkm_device_record;
struct vkm_pipeline_record;
struct vkm_settings;
struct vkm_statistics_offer;

/* Caps of what is kept of one identity. */
enum {
  VKM_EXECUTABLE_CAP = 16,
  VKM_STATISTIC_CAP = 128, /* an executable */
  VKM_STATISTIC_TEXT_CAP = 65536,
  VKM_REPRESENTATION_CAP = 16, /* an executable */
};

/* A device's commands, resolved once by what is really enabled; NULL: not to be used. */
struct vkm_statistics_commands {
  PFN_vkGetPipelineExecutablePropertiesKHR get_executables; /* with the two below, or without */
  PFN_vkGetPipelineExecutableStatisticsKHR get_statistics;
  PFN_vkGetPipelineExecutableInternalRepresentationsKHR get_representations;
  PFN_vkGetShaderInfoAMD get_shader_info;
  const char *no_statistics_reason; /* static; NULL: there is a way to read them */
  const char *no_feedback_reason;   /* static; NULL: the device gives feedback of creations */
};

/* Why statistics are not to be asked for on such a driver, static; NULL: they are. */
const char *vkm_statistics_unwanted(const struct vkm_settings *settings,
                                    const struct vkm_device_record *record);
void vkm_statistics_settle(struct vkm_statistics_commands *commands,
                           const struct vkm_statistics_offer *offer, PFN_vkGetDeviceProcAddr get,
                           VkDevice handle);
/* Reads what the driver says of the pipeline, if nobody has for this record. `flags`: with which it
 * was created. No lock is held. Failure shows in the profile. */
void vkm_statistics_read(struct vkm_device *device, VkPipeline pipeline, uint64_t flags,
                         struct vkm_pipeline_record *record);

#endif
