/* Handle -> object. In: any Vulkan handle as 64 bits. Out: what the layer knows about it.
 * One map a kind of object; sharded, so that threads working on different handles do not meet.
 * Reading takes no lock: it is on the recording path, where threads bind the same pipelines. */
#ifndef VKM_LAYER_HANDLES_H
#define VKM_LAYER_HANDLES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Per-thread memory of the last answer. Initial-exec: no call into the dynamic linker on the
 * recording path, and no NEEDED entry for it; the few bytes come out of glibc's reserve for
 * libraries loaded late. */
#define VKM_THREAD _Thread_local __attribute__((tls_model("initial-exec")))

enum { VKM_HANDLE_SHARDS = 16 };

struct vkm_handle_slot {
  _Atomic uint64_t key;
  void *_Atomic value; /* NULL: free slot */
};
struct vkm_handle_table {
  struct vkm_handle_table *older; /* outgrown; a reader may still be in it */
  size_t capacity;                /* power of two */
  struct vkm_handle_slot slots[];
};
struct vkm_handle_shard {
  pthread_mutex_t lock; /* of writers */
  /* Odd while a writer moves slots; a reader that saw it change looks again. */
  _Atomic uint32_t version;
  struct vkm_handle_table *_Atomic table; /* NULL before the first insertion */
  size_t count;
};
struct vkm_handle_map {
  struct vkm_handle_shard shards[VKM_HANDLE_SHARDS];
};

void vkm_handles_init(struct vkm_handle_map *map);
void vkm_handles_finish(struct vkm_handle_map *map); /* values are the caller's */
/* Replaces what was there. False when memory is short: the handle then stays unknown. Any thread.
 */
bool vkm_handles_put(struct vkm_handle_map *map, uint64_t handle, void *value)
    __attribute__((warn_unused_result));
/* NULL when unknown. Any thread. The map keeps no reference: the rules of Vulkan (nobody uses a
 * handle while it is destroyed) keep the value alive. */
void *vkm_handles_get(struct vkm_handle_map *map, uint64_t handle);
/* Removes and returns the value, NULL when unknown. Any thread. */
void *vkm_handles_take(struct vkm_handle_map *map, uint64_t handle);
/* Calls `visit` for every value, shard by shard under its lock: `visit` must not use the map. */
void vkm_handles_each(struct vkm_handle_map *map, void (*visit)(void *value, void *context),
                      void *context);

/* Dispatchable and non-dispatchable handles of 32- and 64-bit builds alike. */
#define VKM_HANDLE(handle) ((uint64_t)(handle))
#define VKM_DISPATCHABLE(handle) ((uint64_t)(uintptr_t)(handle))
/* The key that all dispatchable objects of one instance or device share (LoaderLayerInterface.md).
 */
#define VKM_DISPATCH_KEY(handle) ((uint64_t)(uintptr_t)(*(void *const *)(const void *)(handle)))

#endif
