/* Handle -> object, see handles.h. Open addressing with backward-shift deletion: no tombstones, so
 * a program that creates and frees for hours keeps short probes. */
#include "handles.h"

#include "base/alloc.h"

static uint64_t spread(uint64_t handle) {
  /* Handles are aligned pointers or small integers: a multiply moves their entropy to the high
   * bits. */
  return handle * UINT64_C(0x9E3779B97F4A7C15);
}

static struct vkm_handle_shard *shard_of(struct vkm_handle_map *map, uint64_t hash) {
  return &map->shards[hash >> 60];
}

static size_t home_of(const struct vkm_handle_shard *shard, uint64_t hash) {
  return (size_t)(hash >> 20) & (shard->capacity - 1);
}

void vkm_handles_init(struct vkm_handle_map *map) {
  for (int i = 0; i < VKM_HANDLE_SHARDS; i++) {
    map->shards[i] = (struct vkm_handle_shard){0};
    pthread_mutex_init(&map->shards[i].lock, NULL);
  }
}

void vkm_handles_finish(struct vkm_handle_map *map) {
  for (int i = 0; i < VKM_HANDLE_SHARDS; i++) {
    vkm_free(map->shards[i].slots);
    pthread_mutex_destroy(&map->shards[i].lock);
  }
}

/* Where the handle is, or the free slot where it would go. The shard is never full. */
static size_t find(const struct vkm_handle_shard *shard, uint64_t handle, uint64_t hash) {
  size_t at = home_of(shard, hash);
  while (shard->slots[at].value && shard->slots[at].key != handle) {
    at = (at + 1) & (shard->capacity - 1);
  }
  return at;
}

static bool grow(struct vkm_handle_shard *shard) {
  size_t capacity = shard->capacity ? shard->capacity * 2 : 16;
  struct vkm_handle_slot *slots = vkm_calloc(capacity, sizeof *slots);
  if (!slots) {
    return false;
  }
  struct vkm_handle_shard old = *shard;
  shard->slots = slots;
  shard->capacity = capacity;
  for (size_t i = 0; i < old.capacity; i++) {
    if (old.slots[i].value) {
      slots[find(shard, old.slots[i].key, spread(old.slots[i].key))] = old.slots[i];
    }
  }
  vkm_free(old.slots);
  return true;
}

bool vkm_handles_put(struct vkm_handle_map *map, uint64_t handle, void *value) {
  uint64_t hash = spread(handle);
  struct vkm_handle_shard *shard = shard_of(map, hash);
  bool stored = true;
  pthread_mutex_lock(&shard->lock);
  if (shard->count * 4 >= shard->capacity * 3) {
    stored = grow(shard) || shard->count + 1 < shard->capacity;
  }
  if (stored) {
    struct vkm_handle_slot *slot = &shard->slots[find(shard, handle, hash)];
    shard->count += slot->value == NULL;
    *slot = (struct vkm_handle_slot){handle, value};
  }
  pthread_mutex_unlock(&shard->lock);
  return stored;
}

void *vkm_handles_get(struct vkm_handle_map *map, uint64_t handle) {
  uint64_t hash = spread(handle);
  struct vkm_handle_shard *shard = shard_of(map, hash);
  pthread_mutex_lock(&shard->lock);
  void *value = shard->capacity ? shard->slots[find(shard, handle, hash)].value : NULL;
  pthread_mutex_unlock(&shard->lock);
  return value;
}

/* Moves later members of the probe chain into the hole at `hole`. */
static void close_hole(struct vkm_handle_shard *shard, size_t hole) {
  size_t mask = shard->capacity - 1;
  size_t at = hole;
  for (;;) {
    at = (at + 1) & mask;
    if (!shard->slots[at].value) {
      break;
    }
    size_t home = home_of(shard, spread(shard->slots[at].key));
    if (((at - home) & mask) >= ((at - hole) & mask)) {
      shard->slots[hole] = shard->slots[at];
      hole = at;
    }
  }
  shard->slots[hole] = (struct vkm_handle_slot){0};
}

void *vkm_handles_take(struct vkm_handle_map *map, uint64_t handle) {
  uint64_t hash = spread(handle);
  struct vkm_handle_shard *shard = shard_of(map, hash);
  void *value = NULL;
  pthread_mutex_lock(&shard->lock);
  if (shard->capacity) {
    size_t at = find(shard, handle, hash);
    value = shard->slots[at].value;
    if (value) {
      close_hole(shard, at);
      shard->count--;
    }
  }
  pthread_mutex_unlock(&shard->lock);
  return value;
}

void vkm_handles_each(struct vkm_handle_map *map, void (*visit)(void *value, void *context),
                      void *context) {
  for (int i = 0; i < VKM_HANDLE_SHARDS; i++) {
    struct vkm_handle_shard *shard = &map->shards[i];
    pthread_mutex_lock(&shard->lock);
    for (size_t j = 0; j < shard->capacity; j++) {
      if (shard->slots[j].value) {
        visit(shard->slots[j].value, context);
      }
    }
    pthread_mutex_unlock(&shard->lock);
  }
}
