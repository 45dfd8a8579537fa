/* Handle -> object, see handles.h. Open addressing with backward-shift deletion: no tombstones, so
 * a program that creates and frees for hours keeps short probes.
 *
 * Readers and writers meet as in a sequence lock. Slots are stored with release and loaded with
 * acquire: who sees a moved slot then sees the odd version that was stored before it. */
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

static size_t home_of(const struct vkm_handle_table *table, uint64_t hash) {
  return (size_t)(hash >> 20) & (table->capacity - 1);
}

static uint64_t key_at(const struct vkm_handle_table *table, size_t at) {
  return atomic_load_explicit(&table->slots[at].key, memory_order_acquire);
}

static void *value_at(const struct vkm_handle_table *table, size_t at) {
  return atomic_load_explicit(&table->slots[at].value, memory_order_acquire);
}

static void store(struct vkm_handle_table *table, size_t at, uint64_t key, void *value) {
  atomic_store_explicit(&table->slots[at].key, key, memory_order_release);
  atomic_store_explicit(&table->slots[at].value, value, memory_order_release);
}

static struct vkm_handle_table *table_of(struct vkm_handle_shard *shard) {
  return atomic_load_explicit(&shard->table, memory_order_acquire);
}

static void begin_change(struct vkm_handle_shard *shard) {
  pthread_mutex_lock(&shard->lock);
  atomic_fetch_add_explicit(&shard->version, 1, memory_order_relaxed);
}

static void end_change(struct vkm_handle_shard *shard) {
  atomic_fetch_add_explicit(&shard->version, 1, memory_order_release);
  pthread_mutex_unlock(&shard->lock);
}

void vkm_handles_init(struct vkm_handle_map *map) {
  for (int i = 0; i < VKM_HANDLE_SHARDS; i++) {
    struct vkm_handle_shard *shard = &map->shards[i];
    pthread_mutex_init(&shard->lock, NULL);
    atomic_init(&shard->version, 0);
    atomic_init(&shard->table, NULL);
    shard->count = 0;
  }
}

void vkm_handles_finish(struct vkm_handle_map *map) {
  for (int i = 0; i < VKM_HANDLE_SHARDS; i++) {
    struct vkm_handle_table *table = table_of(&map->shards[i]);
    while (table) {
      struct vkm_handle_table *older = table->older;
      vkm_free(table);
      table = older;
    }
    pthread_mutex_destroy(&map->shards[i].lock);
  }
}

/* Where the handle is, or the free slot where it would go. At most one round: a reader beside a
 * writer may see no free slot at all. */
static size_t find(const struct vkm_handle_table *table, uint64_t handle, uint64_t hash) {
  size_t at = home_of(table, hash);
  for (size_t i = 1; i < table->capacity && value_at(table, at) && key_at(table, at) != handle;
       i++) {
    at = (at + 1) & (table->capacity - 1);
  }
  return at;
}

static void *value_of(const struct vkm_handle_table *table, uint64_t handle, uint64_t hash) {
  if (!table) {
    return NULL;
  }
  size_t at = find(table, handle, hash);
  void *value = value_at(table, at);
  return key_at(table, at) == handle ? value : NULL;
}

static bool grow(struct vkm_handle_shard *shard) {
  struct vkm_handle_table *old = table_of(shard);
  size_t capacity = old ? old->capacity * 2 : 16;
  struct vkm_handle_table *table = vkm_calloc(1, sizeof *table + capacity * sizeof table->slots[0]);
  if (!table) {
    return false;
  }
  table->older = old;
  table->capacity = capacity;
  for (size_t i = 0; old && i < old->capacity; i++) {
    void *value = value_at(old, i);
    if (value) {
      uint64_t key = key_at(old, i);
      store(table, find(table, key, spread(key)), key, value);
    }
  }
  atomic_store_explicit(&shard->table, table, memory_order_release);
  return true;
}

static bool has_room(struct vkm_handle_shard *shard) {
  const struct vkm_handle_table *table = table_of(shard);
  size_t capacity = table ? table->capacity : 0;
  return shard->count * 4 < capacity * 3 || grow(shard) || shard->count + 1 < capacity;
}

bool vkm_handles_put(struct vkm_handle_map *map, uint64_t handle, void *value) {
  uint64_t hash = spread(handle);
  struct vkm_handle_shard *shard = shard_of(map, hash);
  begin_change(shard);
  bool stored = has_room(shard);
  if (stored) {
    struct vkm_handle_table *table = table_of(shard);
    size_t at = find(table, handle, hash);
    shard->count += value_at(table, at) == NULL;
    store(table, at, handle, value);
  }
  end_change(shard);
  return stored;
}

void *vkm_handles_get(struct vkm_handle_map *map, uint64_t handle) {
  uint64_t hash = spread(handle);
  struct vkm_handle_shard *shard = shard_of(map, hash);
  uint32_t before = atomic_load_explicit(&shard->version, memory_order_acquire);
  void *value = value_of(table_of(shard), handle, hash);
  uint32_t after = atomic_load_explicit(&shard->version, memory_order_relaxed);
  if (before == after && before % 2 == 0) {
    return value;
  }
  pthread_mutex_lock(&shard->lock);
  value = value_of(table_of(shard), handle, hash);
  pthread_mutex_unlock(&shard->lock);
  return value;
}

/* Moves later members of the probe chain into the hole at `hole`. */
static void close_hole(struct vkm_handle_table *table, size_t hole) {
  size_t mask = table->capacity - 1;
  size_t at = hole;
  for (;;) {
    at = (at + 1) & mask;
    void *value = value_at(table, at);
    if (!value) {
      break;
    }
    uint64_t key = key_at(table, at);
    if (((at - home_of(table, spread(key))) & mask) >= ((at - hole) & mask)) {
      store(table, hole, key, value);
      hole = at;
    }
  }
  store(table, hole, 0, NULL);
}

void *vkm_handles_take(struct vkm_handle_map *map, uint64_t handle) {
  uint64_t hash = spread(handle);
  struct vkm_handle_shard *shard = shard_of(map, hash);
  begin_change(shard);
  struct vkm_handle_table *table = table_of(shard);
  void *value = value_of(table, handle, hash);
  if (value) {
    close_hole(table, find(table, handle, hash));
    shard->count--;
  }
  end_change(shard);
  return value;
}

void vkm_handles_each(struct vkm_handle_map *map, void (*visit)(void *value, void *context),
                      void *context) {
  for (int i = 0; i < VKM_HANDLE_SHARDS; i++) {
    struct vkm_handle_shard *shard = &map->shards[i];
    pthread_mutex_lock(&shard->lock);
    const struct vkm_handle_table *table = table_of(shard);
    for (size_t j = 0; table && j < table->capacity; j++) {
      void *value = value_at(table, j);
      if (value) {
        visit(value, context);
      }
    }
    pthread_mutex_unlock(&shard->lock);
  }
}
