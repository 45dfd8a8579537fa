/* Sorting of the arrays of a timeline. One thread at a time. */
#ifndef VKM_TIMELINE_TRACE_READ_SORT_H
#define VKM_TIMELINE_TRACE_READ_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t (*vkm_sort_key)(const void *item);

/* Sorts by the first key, among equal ones by the next, in the end as they were. `placed` (may be
 * NULL) gets, of each item, where it went. No memory is needed for what is sorted already. False:
 * out of memory. */
bool vkm_sort_items(void *items, size_t count, size_t size_bytes, const vkm_sort_key *keys,
                    size_t key_count, uint32_t *placed) __attribute__((warn_unused_result));

/* So that times compare as unsigned numbers. */
static inline uint64_t vkm_sort_signed(int64_t value) {
  return (uint64_t)value ^ UINT64_C(1) << 63;
}

#endif
