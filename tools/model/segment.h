/* Where something was measured: profiles may be compared when this is equal. It is the profile's
 * environment.segment without plan_fingerprint, which changes with the code that is compared.
 * Pure. */
#ifndef VKM_TOOLS_MODEL_SEGMENT_H
#define VKM_TOOLS_MODEL_SEGMENT_H

#include <stdbool.h>

#include "profile/profile_read.h"

/* The device on which most commands were executed, timed or not; the first of several; NULL: none
 * was opened. */
const struct vkm_read_device *vkm_segment_device(const struct vkm_read_profile *profile);

/* Name and version of a driver for people, "NVIDIA 575.57"; cut at `size`. */
void vkm_driver_text(const struct vkm_read_device *device, char *text, size_t size);

/* Same system, device, driver, vkmeter, mode, part of the run and workload. */
bool vkm_segment_same(const struct vkm_read_profile *left, const struct vkm_read_profile *right);

enum { VKM_SEGMENT_KEY_BYTES = 33 };
/* Equal for equal segments: 32 hex digits and NUL. False: out of memory. */
bool vkm_segment_key(const struct vkm_read_profile *profile, char key[VKM_SEGMENT_KEY_BYTES])
    __attribute__((warn_unused_result));

#endif
