/* In: the hash of a module, its entry point and what of the specialization it declares. Out: one
 * hash, the same on every machine. Next room: profile. */
#include "kernel/identity.h"

#include <stddef.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct vkm_hash vkm_hash_bytes(const void *bytes, size_t length_bytes) {
  XXH128_hash_t hash = XXH3_128bits(bytes, length_bytes);
  return (struct vkm_hash){hash.high64, hash.low64};
}

void vkm_hash_text(struct vkm_hash hash, char text[VKM_HASH_TEXT_BYTES]) {
  static const char digits[] = "0123456789abcdef";
  for (unsigned i = 0; i < 16; i++) {
    unsigned shift = 60 - 4 * i;
    text[i] = digits[(hash.high >> shift) & 0xF];
    text[16 + i] = digits[(hash.low >> shift) & 0xF];
  }
  text[VKM_HASH_TEXT_BYTES - 1] = '\0';
}

/* Bytes in one order whatever the machine's. */
static unsigned char *put_u64(unsigned char *at, uint64_t value) {
  for (unsigned i = 0; i < 8; i++) {
    at[i] = (unsigned char)(value >> (8 * i));
  }
  return at + 8;
}

static unsigned char *put_hash(unsigned char *at, struct vkm_hash hash) {
  return put_u64(put_u64(at, hash.high), hash.low);
}

struct vkm_hash vkm_specialization_hash(const struct vkm_spirv_kernel *kernel) {
  unsigned char bytes[(2 * VKM_SPIRV_SPECIALIZATION_CAP + 1) * 8];
  unsigned char *at = bytes;
  if (!kernel->known || kernel->value_count == 0) {
    return (struct vkm_hash){0, 0};
  }
  for (uint32_t i = 0; i < kernel->value_count; i++) {
    const struct vkm_specialization_value *value = &kernel->values[i];
    at = put_u64(at, (uint64_t)value->size_bytes << 32 | value->constant_id);
    at = put_u64(at, value->bits);
  }
  if (kernel->values_dropped > 0) {
    at = put_u64(at, kernel->values_dropped_hash);
  }
  return vkm_hash_bytes(bytes, (size_t)(at - bytes));
}

struct vkm_hash vkm_identity(struct vkm_hash spirv, const char *entry,
                             const struct vkm_spirv_kernel *kernel, uint32_t required_subgroup_size,
                             enum vkm_pipeline_kind kind) {
  unsigned char bytes[3 * 16 + 2 * 8];
  unsigned char *at = put_hash(bytes, spirv);
  at = put_hash(at, vkm_hash_bytes(entry, strlen(entry)));
  at = put_hash(at, vkm_specialization_hash(kernel));
  at = put_u64(at, required_subgroup_size);
  at = put_u64(at, (uint64_t)kind);
  return vkm_hash_bytes(bytes, (size_t)(at - bytes));
}
