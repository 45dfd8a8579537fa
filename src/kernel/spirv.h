/* Reads a SPIR-V module: which entry points it has and what a compute kernel built from it looks
 * like. In: words as given to Vulkan, never trusted. Out: a plain structure. Next room: identity.
 */
#ifndef VKM_KERNEL_SPIRV_H
#define VKM_KERNEL_SPIRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { VKM_SPIRV_SPECIALIZATION_CAP = 256 };

/* One specialization constant as the program gave it (VkSpecializationMapEntry + data). */
struct vkm_specialization_entry {
  uint32_t constant_id;
  uint32_t offset_bytes;
  size_t size_bytes;
};
struct vkm_specialization {
  const struct vkm_specialization_entry *entries; /* borrowed */
  size_t entry_count;
  const void *data; /* borrowed */
  size_t data_bytes;
};

/* A specialization constant that the module declares and the program gave a value for. */
struct vkm_specialization_value {
  uint32_t constant_id;
  uint32_t size_bytes; /* as the module's type says: 1, 2, 4 or 8 (bool: 4) */
  uint64_t bits;       /* the value, zero-extended */
};

/* What its functions do: see counts.def. */
enum vkm_count {
#define VKM_SPIRV_COUNT(name, meaning) VKM_COUNT_##name,
#include "kernel/counts.def"
#undef VKM_SPIRV_COUNT
  VKM_COUNT_COUNT
};
extern const char *const vkm_count_names[VKM_COUNT_COUNT];
struct vkm_spirv_counts {
  bool known;
  const char *reason; /* why not, static */
  uint32_t values[VKM_COUNT_COUNT];
};

/* What a compute entry point looks like, specialization resolved. */
struct vkm_spirv_kernel {
  bool known; /* false: everything below is unknown, `reason` says why */
  const char
      *reason; /* static text, e.g. "spirv: truncated instruction at word 17"-like, fixed set */
  uint32_t local_size[3]; /* 0,0,0 with local_size_reason set when it cannot be resolved */
  const char *local_size_reason;
  /* Sum of the Workgroup variables that the entry point uses, without padding between them; 0 with
   * the reason set when unknown. Each is laid out by its Offset, ArrayStride and MatrixStride where
   * the module has them, else by the rules of std430 with bool of 4 bytes (Vulkan,
   * maxComputeSharedMemorySize). Block variables (explicit layout) alias each other: only the
   * largest counts. */
  uint64_t shared_memory_bytes;
  const char *shared_memory_reason;
  /* Largest member offset + size of the push-constant block as declared; 0 = none, or unknown with
   * the reason set. */
  uint32_t push_constant_bytes;
  const char *push_constant_reason;
  struct vkm_specialization_value values[VKM_SPIRV_SPECIALIZATION_CAP]; /* ascending constant_id */
  uint32_t value_count;
  uint32_t values_dropped;      /* values beyond the cap: not listed, but hashed */
  uint64_t values_dropped_hash; /* 0 = none dropped */
  uint32_t capabilities[64];    /* SpvCapability numbers in module order, first 64 */
  uint32_t capability_count;
  char source_name[128];   /* OpSource file, or "" */
  char function_name[128]; /* OpName of the entry point's function, or "" */
  struct vkm_spirv_counts counts;
};

/* Looks at `words` (any content, any length) and describes entry point `entry` of execution model
 * GLCompute. Never reads outside words[0..word_count). No allocation that outlives the call. Either
 * byte order of the magic number is accepted. `specialization` may be NULL. VKM_OK also for
 * malformed modules: then out->known is false. VKM_OUT_OF_MEMORY otherwise. Any thread. Source:
 * SPIR-V specification 2.3 (physical layout), 3.x (OpExecutionMode, OpExecutionModeId LocalSizeId,
 * BuiltIn WorkgroupSize, OpSpecConstant*, OpSpecConstantOp). */
VKM_MUST_CHECK enum vkm_status vkm_spirv_describe(const uint32_t *words, size_t word_count,
                                                  const char *entry,
                                                  const struct vkm_specialization *specialization,
                                                  struct vkm_spirv_kernel *out);

#endif
