/* Who a kernel is: from code, entry point and specialization to a pipeline record. In: create-infos
 * of pipelines and shader objects. Out: records of the device. Next room: src/kernel. */
#ifndef VKM_LAYER_INTERCEPT_KERNELS_H
#define VKM_LAYER_INTERCEPT_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "device_record.h"

struct vkm_device;

/* A shader module while it lives; or inline code of a pipeline's create-info. */
struct vkm_module {
  struct vkm_hash hash;
  size_t word_count;
  uint32_t *words; /* owned copy: the application may free its own at once */
  char *name;      /* debug-utils name; externally synchronized with the module */
};

/* A copy of the code; NULL without memory. */
struct vkm_module *vkm_module_create(const void *code, size_t code_bytes);
/* Takes NULL. */
void vkm_module_destroy(struct vkm_module *module);

/* Where a kernel comes from. Everything borrowed. */
struct vkm_kernel_source {
  const struct vkm_module *module; /* NULL: no code was seen */
  const char *no_module_reason;    /* static */
  const char *entry_point;
  const VkSpecializationInfo *specialization; /* may be NULL */
  const void *stage_chain;                    /* pNext that may ask for a subgroup size */
  uint32_t push_constant_bytes;               /* of the layout; UINT32_MAX unknown */
};

/* Takes NULL; for one that no device record has taken over. */
void vkm_pipeline_record_destroy(struct vkm_pipeline_record *pipeline);
/* Finds the record with the candidate's identity, or makes it of the candidate (owned from here on;
 * NULL: there was no memory for it), and counts one creation. NULL: it found no place, which is
 * counted. Any thread. */
struct vkm_pipeline_record *vkm_pipeline_record_keep(struct vkm_device *device,
                                                     struct vkm_pipeline_record *candidate,
                                                     int64_t wall_ns,
                                                     const struct vkm_profile_compile *compile);

/* Makes or finds the record of the kernel and counts one creation of it. NULL without memory: its
 * dispatches will say that no pipeline is known. Any thread. */
struct vkm_pipeline_record *vkm_kernel_remember(struct vkm_device *device,
                                                const struct vkm_kernel_source *source,
                                                int64_t wall_ns,
                                                const struct vkm_profile_compile *compile);

#endif
