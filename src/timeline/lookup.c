/* In: pairs. Out: indices. Next: trace_read, for which everything in a trace is a pair of a place
 * and a number: names of a sequence, tracks, events. */
#include "timeline/lookup.h"

#include <string.h>

#include "base/alloc.h"

enum { LEAST = 64 };

static size_t mixed(uint64_t first, uint64_t second) {
  uint64_t hash = first * UINT64_C(0x9E3779B97F4A7C15) ^ second;
  hash = (hash ^ (hash >> 32)) * UINT64_C(0xD6E8FEB86659FD93);
  hash = (hash ^ (hash >> 32)) * UINT64_C(0xD6E8FEB86659FD93);
  return (size_t)(hash ^ (hash >> 32));
}

static struct vkm_lookup_entry *place(const struct vkm_lookup *lookup, uint64_t first,
                                      uint64_t second) {
  size_t mask = lookup->capacity - 1;
  size_t at = mixed(first, second) & mask;
  struct vkm_lookup_entry *entry = &lookup->entries[at];
  while (entry->used && (entry->first != first || entry->second != second)) {
    at = (at + 1) & mask;
    entry = &lookup->entries[at];
  }
  return entry;
}

static bool grow(struct vkm_lookup *lookup) {
  struct vkm_lookup larger = {NULL, lookup->capacity == 0 ? LEAST : lookup->capacity * 2,
                              lookup->count};
  larger.entries = vkm_calloc(larger.capacity, sizeof *larger.entries);
  if (larger.entries == NULL) {
    return false;
  }
  for (size_t i = 0; i < lookup->capacity; i++) {
    const struct vkm_lookup_entry *entry = &lookup->entries[i];
    if (entry->used) {
      *place(&larger, entry->first, entry->second) = *entry;
    }
  }
  vkm_free(lookup->entries);
  *lookup = larger;
  return true;
}

uint32_t *vkm_lookup_find(const struct vkm_lookup *lookup, uint64_t first, uint64_t second) {
  if (lookup->capacity == 0) {
    return NULL;
  }
  struct vkm_lookup_entry *entry = place(lookup, first, second);
  return entry->used ? &entry->value : NULL;
}

uint32_t *vkm_lookup_put(struct vkm_lookup *lookup, uint64_t first, uint64_t second,
                         uint32_t value) {
  if (lookup->count >= lookup->capacity / 2 && !grow(lookup)) {
    return NULL;
  }
  struct vkm_lookup_entry *entry = place(lookup, first, second);
  if (!entry->used) {
    *entry = (struct vkm_lookup_entry){first, second, value, true};
    lookup->count++;
  }
  return &entry->value;
}

void vkm_lookup_finish(struct vkm_lookup *lookup) {
  vkm_free(lookup->entries);
  *lookup = (struct vkm_lookup){0};
}

bool vkm_room(void *items, size_t *capacity, size_t count, size_t size_bytes) {
  if (count < *capacity) {
    return true;
  }
  size_t larger = *capacity == 0 ? 16 : *capacity + *capacity / 2;
  void *old = NULL;
  memcpy(&old, items, sizeof old);
  void *bigger = larger < UINT32_MAX && larger <= SIZE_MAX / size_bytes
                     ? vkm_realloc(old, larger * size_bytes)
                     : NULL;
  if (bigger == NULL) {
    return false;
  }
  memcpy(items, &bigger, sizeof bigger);
  *capacity = larger;
  return true;
}
