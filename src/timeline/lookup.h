/* Numbers by pairs of numbers: a hash table that only grows. One thread at a time. */
#ifndef VKM_TIMELINE_LOOKUP_H
#define VKM_TIMELINE_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vkm_lookup_entry {
  uint64_t first, second;
  uint32_t value;
  bool used;
};

/* Zero-initialized: empty. */
struct vkm_lookup {
  struct vkm_lookup_entry *entries; /* a power of two of them; owned */
  size_t capacity, count;
};

/* The value's place, NULL: there is none. Good until the next put. */
uint32_t *vkm_lookup_find(const struct vkm_lookup *lookup, uint64_t first, uint64_t second);
/* The same, made with `value` where there is none. NULL: out of memory. */
uint32_t *vkm_lookup_put(struct vkm_lookup *lookup, uint64_t first, uint64_t second, uint32_t value)
    __attribute__((warn_unused_result));
void vkm_lookup_finish(struct vkm_lookup *lookup);

/* Room for one more of `count` items of `size_bytes`, where `*items` has `*capacity`. False: out of
 * memory, or there would be VKM_TIMELINE_NONE of them; all is as it was. */
bool vkm_room(void *items, size_t *capacity, size_t count, size_t size_bytes)
    __attribute__((warn_unused_result));

#endif
