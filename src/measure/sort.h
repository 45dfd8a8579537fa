/* Sorts numbers, many and often: a profile is written every second. */
#ifndef VKM_MEASURE_SORT_H
#define VKM_MEASURE_SORT_H

#include <stddef.h>
#include <stdint.h>

struct vkm_keyed {
  uint64_t key;
  uint64_t index; /* carried along */
};

/* Sorts `items` by key, equal keys in their order. `scratch` has room for `count`, its content does
 * not matter before nor after. In time count * bytes of the largest key. Any thread, cannot fail.
 */
void vkm_sort_keyed(struct vkm_keyed *items, struct vkm_keyed *scratch, size_t count);

#endif
