/* Query slabs: takes blocks of timestamp queries out of big pools, gives them back, resets them.
 * In: recordings that need stamps. Out: blocks. Pools live until vkDestroyDevice: destroying one
 * would invalidate the application's command buffers that refer to it (Vulkan specification,
 * "Command Buffer Lifecycle"). */
#ifndef VKM_LAYER_TIMING_SLOTS_H
#define VKM_LAYER_TIMING_SLOTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

struct vkm_device;

enum {
  VKM_SLAB_QUERIES = 4096, /* first size tried; halved when the driver refuses */
  VKM_SLAB_QUERIES_MIN = 256,
  VKM_BLOCK_GRANULE = 16, /* blocks are multiples of this */
  VKM_BLOCK_QUERIES_MAX = 1024,
  VKM_BLOCK_QUERIES_DEFAULT = 256,
  VKM_QUERIES_MAX = 1024 * 1024, /* per device */
};

struct vkm_slab {
  struct vkm_slab *next;
  VkQueryPool pool;
  uint32_t query_count;
  uint32_t free_count;
  uint64_t used[VKM_SLAB_QUERIES / VKM_BLOCK_GRANULE / 64]; /* bit set: granule in use */
};

/* A run of queries that belongs to one recording. */
struct vkm_block {
  struct vkm_block *next; /* the recording's next block */
  struct vkm_slab *slab;
  uint32_t first, count; /* queries [first, first + count) of the slab's pool */
  uint32_t used;         /* stamps written into it */
};

struct vkm_slots {
  pthread_mutex_t lock; /* leaf: never held across a call to the driver */
  struct vkm_slab *slabs;
  uint32_t slab_queries; /* size to try for the next slab */
  uint32_t query_count;  /* in all slabs */
  uint32_t in_use, peak; /* queries in blocks that are out */
  uint32_t query_cap;
  struct vkm_block *spare; /* block structures to use again */
};

enum vkm_slots_result { VKM_SLOTS_OK = 0, VKM_SLOTS_CAP, VKM_SLOTS_MEMORY };

void vkm_slots_init(struct vkm_slots *slots, uint32_t query_cap);
/* Destroys the query pools. Only where the application guarantees that nothing runs:
 * vkDestroyDevice. */
void vkm_slots_finish(struct vkm_device *device);
/* A block of at least 2 and about `wanted` queries, reset by the host where the device can.
 * Recording threads. */
enum vkm_slots_result vkm_slots_take(struct vkm_device *device, uint32_t wanted,
                                     struct vkm_block **block);
/* How many queries are in use, and were at most. Any thread. */
void vkm_slots_use(struct vkm_slots *slots, uint64_t *in_use, uint64_t *peak);
/* Gives a chain of blocks back. Any thread. */
void vkm_slots_give(struct vkm_device *device, struct vkm_block *blocks);
/* Host reset of all blocks of a chain. False where the device has none. */
bool vkm_slots_reset(struct vkm_device *device, const struct vkm_block *blocks);

#endif
