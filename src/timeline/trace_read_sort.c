/* In: items in the order of a file. Out: in the order that the model promises. Next:
 * trace_read_end.
 */
#include "timeline/trace_read_sort.h"

#include <string.h>

#include "base/alloc.h"
#include "measure/sort.h"

static int compare(const void *one, const void *other, const vkm_sort_key *keys, size_t key_count) {
  for (size_t i = 0; i < key_count; i++) {
    uint64_t first = keys[i](one);
    uint64_t second = keys[i](other);
    if (first != second) {
      return first < second ? -1 : 1;
    }
  }
  return 0;
}

static bool is_sorted(const unsigned char *items, size_t count, size_t size,
                      const vkm_sort_key *keys, size_t key_count) {
  for (size_t i = 1; i < count; i++) {
    if (compare(items + (i - 1) * size, items + i * size, keys, key_count) > 0) {
      return false;
    }
  }
  return true;
}

/* Puts the items into the order of `keyed`. */
static bool arrange(unsigned char *items, size_t count, size_t size, const struct vkm_keyed *keyed,
                    uint32_t *placed) {
  unsigned char *copy = vkm_alloc(count * size);
  if (copy == NULL) {
    return false;
  }
  memcpy(copy, items, count * size);
  for (size_t i = 0; i < count; i++) {
    memcpy(items + i * size, copy + keyed[i].index * size, size);
    if (placed != NULL) {
      placed[keyed[i].index] = (uint32_t)i;
    }
  }
  vkm_free(copy);
  return true;
}

bool vkm_sort_items(void *items, size_t count, size_t size_bytes, const vkm_sort_key *keys,
                    size_t key_count, uint32_t *placed) {
  unsigned char *bytes = items;
  for (size_t i = 0; placed != NULL && i < count; i++) {
    placed[i] = (uint32_t)i;
  }
  if (is_sorted(bytes, count, size_bytes, keys, key_count)) {
    return true;
  }
  struct vkm_keyed *keyed = vkm_alloc(count * 2 * sizeof *keyed);
  if (keyed == NULL) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    keyed[i].index = i;
  }
  for (size_t k = key_count; k > 0; k--) {
    for (size_t i = 0; i < count; i++) {
      keyed[i].key = keys[k - 1](bytes + keyed[i].index * size_bytes);
    }
    vkm_sort_keyed(keyed, keyed + count, count);
  }
  bool good = arrange(bytes, count, size_bytes, keyed, placed);
  vkm_free(keyed);
  return good;
}
