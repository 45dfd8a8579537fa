/* The texts and binaries that a driver's compiler came through (ISA among them), to files on
 * request. In: a pipeline whose creating call has just succeeded. Out: files in the folder of the
 * setting DUMP_ISA, and a list of them. */
#ifndef VKM_LAYER_REPRESENTATIONS_H
#define VKM_LAYER_REPRESENTATIONS_H

#include <stdint.h>

#include <vulkan/vulkan.h>

#include "kernel/identity.h"
#include "profile/profile.h"

struct vkm_device;

/* Writes all of one executable as IDENTITY-EXECUTABLE-NUMBER-NAME-CONTENT.txt (or .bin); CONTENT is
 * from the hash of what is in it, so that a file of that name is never another one's. What could
 * not be written has a reason in the list. Any thread. */
void vkm_representations_write(const struct vkm_device *device, VkPipeline pipeline,
                               uint32_t executable_index, struct vkm_hash identity,
                               struct vkm_profile_executable *executable);

#endif
