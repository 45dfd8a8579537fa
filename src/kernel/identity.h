/* Who a kernel is, independent of handles, names and runs. In: SPIR-V, entry, specialization. */
#ifndef VKM_KERNEL_IDENTITY_H
#define VKM_KERNEL_IDENTITY_H

#include <stdint.h>

#include "kernel/spirv.h"

struct vkm_hash {
  uint64_t high, low;
};

/* XXH3-128 of the bytes. Any thread, cannot fail. */
struct vkm_hash vkm_hash_bytes(const void *bytes, size_t length_bytes);

enum { VKM_HASH_TEXT_BYTES = 33 };
/* 32 lower-case hex digits and a NUL. */
void vkm_hash_text(struct vkm_hash hash, char text[VKM_HASH_TEXT_BYTES]);

enum vkm_pipeline_kind {
  VKM_PIPELINE_COMPUTE = 0,
  VKM_PIPELINE_GRAPHICS,
  VKM_PIPELINE_RAY_TRACING,
};

/* `identity` of the timing contract, section 8: hash of (spirv hash, entry, the specialization
 * values that the module really declares, required subgroup size, kind). Two pipelines with equal
 * identity run the same code. `kernel` may be unknown (then no specialization enters). */
struct vkm_hash vkm_identity(struct vkm_hash spirv, const char *entry,
                             const struct vkm_spirv_kernel *kernel, uint32_t required_subgroup_size,
                             enum vkm_pipeline_kind kind);

/* Hash over the specialization values alone (0,0 when there are none). */
struct vkm_hash vkm_specialization_hash(const struct vkm_spirv_kernel *kernel);

#endif
