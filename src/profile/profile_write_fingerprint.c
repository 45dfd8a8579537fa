/* In: the rows of all devices. Out: one hash that says whether two runs did the same kinds of work.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "profile/profile_write_sections.h"

enum { RECORD_BYTES = 16 + 4 + 3 * 4 };

static unsigned char *put(unsigned char *at, uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; i--) {
    *at++ = (unsigned char)(value >> (8 * i));
  }
  return at;
}

/* Big-endian, so that every machine sorts and hashes the same bytes. */
static void put_record(unsigned char *at, const struct vkm_profile_device *device,
                       const struct vkm_kernel_key *key) {
  struct vkm_hash identity = {0, 0};
  if (key->pipeline < device->pipeline_count) {
    identity = device->pipelines[key->pipeline].identity;
  }
  at = put(at, identity.high, 8);
  at = put(at, identity.low, 8);
  at = put(at, key->kind, 4);
  for (int i = 0; i < 3; i++) { /* of others the memory of a machine is in there */
    at = put(at, vkm_kind_is_dispatch(key->kind) ? key->groups[i] : 0, 4);
  }
}

static int compare(const void *a, const void *b) {
  return memcmp(a, b, RECORD_BYTES);
}

static size_t remove_doubles(unsigned char *records, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    const unsigned char *record = records + i * RECORD_BYTES;
    if (kept == 0 || compare(record, records + (kept - 1) * RECORD_BYTES) != 0) {
      memmove(records + kept * RECORD_BYTES, record, RECORD_BYTES);
      kept++;
    }
  }
  return kept;
}

enum vkm_status vkm_plan_fingerprint(const struct vkm_profile *profile, struct vkm_hash *hash) {
  size_t rows = 0;
  for (size_t i = 0; i < profile->device_count; i++) {
    rows += profile->devices[i].row_count;
  }
  unsigned char *records = vkm_calloc(rows + 1, RECORD_BYTES);
  if (records == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  size_t count = 0;
  for (size_t i = 0; i < profile->device_count; i++) {
    const struct vkm_profile_device *device = &profile->devices[i];
    for (size_t row = 0; row < device->row_count; row++) {
      if (vkm_outcomes_executed(&device->rows[row]->outcomes) > 0) {
        put_record(records + count++ * RECORD_BYTES, device, &device->rows[row]->key);
      }
    }
  }
  qsort(records, count, RECORD_BYTES, compare);
  count = remove_doubles(records, count);
  *hash = vkm_hash_bytes(records, count * RECORD_BYTES);
  vkm_free(records);
  return VKM_OK;
}
