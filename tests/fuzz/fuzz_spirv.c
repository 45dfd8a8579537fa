/* In: any bytes, read as a specialization and a module. Out: nothing; a crash, a sanitizer report
 * or an abort is a fault of src/kernel. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "fuzz_target.h"
#include "kernel/identity.h"
#include "kernel/spirv.h"

static void check(bool holds) {
  if (!holds) {
    abort();
  }
}

/* What has to be true of every description. */
static void check_kernel(const struct vkm_spirv_kernel *kernel) {
  bool sized =
      kernel->local_size[0] != 0 && kernel->local_size[1] != 0 && kernel->local_size[2] != 0;
  check(kernel->known == (kernel->reason == NULL));
  check(!kernel->known || sized == (kernel->local_size_reason == NULL));
  check(kernel->shared_memory_reason == NULL || kernel->shared_memory_bytes == 0);
  check(kernel->push_constant_reason == NULL || kernel->push_constant_bytes == 0);
  check(kernel->value_count <= VKM_SPIRV_SPECIALIZATION_CAP);
  check(kernel->capability_count <= sizeof kernel->capabilities / sizeof kernel->capabilities[0]);
  check(memchr(kernel->source_name, '\0', sizeof kernel->source_name) != NULL);
  for (uint32_t i = 1; i < kernel->value_count; i++) {
    check(kernel->values[i - 1].constant_id < kernel->values[i].constant_id);
  }
}

/* One specialization entry out of four bytes: number, size, offset, all near the edges. */
static struct vkm_specialization_entry entry_of(const uint8_t *bytes) {
  static const size_t sizes[] = {4, 1, 2, 8, 0, 3, SIZE_MAX, 5};
  static const uint32_t offsets[] = {0, 1, 4, 28, 29, 31, 32, UINT32_MAX};
  return (struct vkm_specialization_entry){
      .constant_id = bytes[0] & 0xF,
      .offset_bytes = offsets[bytes[1] & 7],
      .size_bytes = sizes[bytes[2] & 7],
  };
}

/* Layout: the module, 32 bytes that are both the values and the entries, 1 byte of flags; or, where
 * that is no whole number of words, as in a file of a module, the module alone. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { VALUE_BYTES = 32, TAIL_BYTES = VALUE_BYTES + 1, ENTRY_COUNT = 8 };
  static const char *const names[] = {"main", "other", "vector", ""};
  uint8_t tail[TAIL_BYTES] = {0};
  if (size >= TAIL_BYTES && (size - TAIL_BYTES) % 4 == 0) {
    size -= TAIL_BYTES;
    memcpy(tail, data + size, TAIL_BYTES);
  }
  uint8_t flags = tail[VALUE_BYTES];
  struct vkm_specialization_entry entries[ENTRY_COUNT];
  for (size_t i = 0; i < ENTRY_COUNT; i++) {
    entries[i] = entry_of(tail + 4 * i);
  }
  struct vkm_specialization specialization = {entries, ENTRY_COUNT, tail, VALUE_BYTES};
  const char *name = names[flags & 3];
  /* A block of exactly this size, so that a word too far is seen; a module of 0 words has no block.
   */
  size_t word_count = size / 4;
  uint32_t *words = word_count == 0 ? NULL : malloc(word_count * 4);
  if (words != NULL) {
    memcpy(words, data, word_count * 4);
  }
  struct vkm_spirv_kernel kernel;
  memset(&kernel, 0xA5, sizeof kernel);
  vkm_alloc_fail(flags >> 5, 1);
  enum vkm_status status = vkm_spirv_describe(words, words == NULL ? 0 : word_count, name,
                                              (flags & 4) != 0 ? &specialization : NULL, &kernel);
  vkm_alloc_fail(0, 0);
  check(status == VKM_OK || (status == VKM_OUT_OF_MEMORY && !kernel.known));
  check_kernel(&kernel);
  struct vkm_hash hash = vkm_hash_bytes(words, words == NULL ? 0 : word_count * 4);
  char text[VKM_HASH_TEXT_BYTES];
  vkm_hash_text(vkm_identity(hash, name, &kernel, flags, VKM_PIPELINE_COMPUTE), text);
  check(strlen(text) == VKM_HASH_TEXT_BYTES - 1);
  free(words);
  return 0;
}
