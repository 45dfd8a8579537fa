// Query pools as the host sees them: creation, reset, reads with the scripted moods of real
// drivers.
//
// In: host calls; effects of completed batches. Out: results. Next room: query_run.c, the device
// side.
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct fake_access {
  struct fake_access *next;
  uint32_t first, count;
  bool reset;
};

static uint32_t last_number;

VkResult fake_vkCreateQueryPool(VkDevice device, const VkQueryPoolCreateInfo *info,
                                const VkAllocationCallbacks *allocator, VkQueryPool *out) {
  (void)allocator;
  FAKE_ENTER();
  uint32_t limit = fake_settings()->max_queries_per_pool;
  if (limit != 0 && info->queryCount > limit) {
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  struct fake_query_pool *pool =
      fake_object_new((struct fake_device *)device, "VkQueryPool", sizeof *pool);
  if (pool == NULL) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  pool->queries = calloc(info->queryCount > 0 ? info->queryCount : 1, sizeof *pool->queries);
  if (pool->queries == NULL) {
    fake_object_delete(pool);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  VkResult result = fake_performance_pool(pool, info);
  if (result != VK_SUCCESS) {
    free(pool->queries);
    fake_object_delete(pool);
    return result;
  }
  pool->type = info->queryType;
  pool->count = info->queryCount;
  pool->number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
  *out = FAKE_HANDLE(VkQueryPool, pool);
  return VK_SUCCESS;
}

void fake_query_numbers_reset(void) {
  __atomic_store_n(&last_number, 0, __ATOMIC_RELAXED);
}

// The structure outlives its handle: recorded commands may still point to it, and are caught then.
void fake_vkDestroyQueryPool(VkDevice handle, VkQueryPool pool_handle,
                             const VkAllocationCallbacks *allocator) {
  (void)allocator;
  struct fake_device *device = (struct fake_device *)handle;
  struct fake_query_pool *pool = FAKE_OBJECT(fake_query_pool, pool_handle);
  if (pool == NULL) {
    return;
  }
  fake_object_unlink(pool);
  pthread_mutex_lock(&fake_mutex);
  bool pending = false;
  for (uint32_t i = 0; i < pool->count; i++) {
    pending = pending || pool->queries[i].pending > 0;
  }
  bool accessed = pool->accesses != NULL;
  pool->destroyed = true;
  pool->next_dead = device->dead_pools;
  device->dead_pools = pool;
  pthread_mutex_unlock(&fake_mutex);
  if (pending) {
    fake_violate("vkDestroyQueryPool while a submission uses it");
  }
  if (accessed) {
    fake_violate("vkDestroyQueryPool while another thread reads or resets it");
  }
}

void fake_queries_free_dead(struct fake_device *device) {
  while (device->dead_pools != NULL) {
    struct fake_query_pool *pool = device->dead_pools;
    device->dead_pools = pool->next_dead;
    free(pool->queries);
    free(pool);
  }
}

static void enter_range(struct fake_query_pool *pool, struct fake_access *access,
                        const char *name) {
  pthread_mutex_lock(&fake_mutex);
  for (const struct fake_access *other = pool->accesses; other != NULL; other = other->next) {
    bool apart = other->first + other->count <= access->first ||
                 access->first + access->count <= other->first;
    if (!apart && (other->reset || access->reset)) {
      fake_violate("%s: the range is used by two threads at once", name);
    }
  }
  access->next = pool->accesses;
  pool->accesses = access;
  pthread_mutex_unlock(&fake_mutex);
  uint64_t microseconds = fake_settings()->query_call_us;
  if (microseconds > 0) {
    nanosleep(
        &(struct timespec){(time_t)(microseconds / 1000000), (long)(microseconds % 1000000) * 1000},
        NULL);
  }
}

static void leave_range(struct fake_query_pool *pool, struct fake_access *access) {
  pthread_mutex_lock(&fake_mutex);
  struct fake_access **link = &pool->accesses;
  while (*link != access) {
    link = &(*link)->next;
  }
  *link = access->next;
  pthread_mutex_unlock(&fake_mutex);
}

static bool check_range(const struct fake_query_pool *pool, uint32_t first, uint32_t count,
                        const char *name) {
  if (pool->destroyed) {
    fake_violate("%s of a destroyed query pool", name);
    return false;
  }
  if (first >= pool->count || count > pool->count - first) {
    fake_violate("%s past the end of the query pool", name);
    return false;
  }
  return true;
}

void fake_vkResetQueryPool(VkDevice handle, VkQueryPool pool_handle, uint32_t first,
                           uint32_t count) {
  fake_enter("vkResetQueryPool");
  struct fake_device *device = (struct fake_device *)handle;
  struct fake_query_pool *pool = FAKE_OBJECT(fake_query_pool, pool_handle);
  fake_require(device, VK_API_VERSION_1_2, FAKE_BIT(FAKE_EXT_host_query_reset), "vkResetQueryPool");
  if (!device->host_query_reset) {
    fake_violate("vkResetQueryPool without the feature hostQueryReset");
  }
  if (!check_range(pool, first, count, "vkResetQueryPool")) {
    return;
  }
  struct fake_access access = {NULL, first, count, true};
  enter_range(pool, &access, "vkResetQueryPool");
  pthread_mutex_lock(&fake_mutex);
  bool pending = false;
  for (uint32_t i = first; i < first + count; i++) {
    struct fake_query *query = &pool->queries[i];
    pending = pending || query->pending > 0;
    query->available = query->device_available = false;
    query->initialized = true;
    query->stale_reads = 0;
  }
  pthread_mutex_unlock(&fake_mutex);
  leave_range(pool, &access);
  if (pending) {
    fake_violate("vkResetQueryPool of a query that a pending submission uses");
  }
}

void fake_effects_publish_locked(struct fake_node *node) {
  const struct fake_config *config = fake_settings();
  for (uint32_t i = 0; i < node->effect_count; i++) {
    const struct fake_effect *effect = &node->effects[i];
    struct fake_query *query = effect->query;
    if (!effect->write) {
      query->available = false;
      continue;
    }
    query->previous = query->value;
    query->stale_reads = query->written_before ? config->stale_reads : 0;
    query->written_before = true;
    query->value = effect->value;
    query->available = true;
    query->available_real_ns = fake_real_ns() + (int64_t)config->late_ms * 1000000;
  }
}

void fake_release_queries(void) {
  pthread_mutex_lock(&fake_mutex);
  for (struct fake_device *device = fake_devices; device != NULL; device = device->next) {
    for (struct fake_object *object = device->objects.next; object != NULL; object = object->next) {
      struct fake_query_pool *pool = (struct fake_query_pool *)object;
      bool is_pool = strcmp(object->type, "VkQueryPool") == 0;
      for (uint32_t i = 0; is_pool && i < pool->count; i++) {
        pool->queries[i].available_real_ns = 0;
      }
    }
  }
  pthread_cond_broadcast(&fake_changed);
  pthread_mutex_unlock(&fake_mutex);
}

static bool host_available(const struct fake_query *query) {
  switch (fake_settings()->query_mode) {
  case FAKE_QUERY_NEVER:
    return false;
  case FAKE_QUERY_LATE:
    return query->available && query->available_real_ns <= fake_real_ns();
  default:
    return query->available;
  }
}

static uint64_t host_value(struct fake_query *query) {
  const struct fake_config *config = fake_settings();
  if (config->query_mode == FAKE_QUERY_ZERO) {
    return 0;
  }
  if (config->query_mode == FAKE_QUERY_STALE && query->stale_reads > 0) {
    query->stale_reads--;
    return query->previous;
  }
  return query->value;
}

static void store(uint8_t *to, uint64_t value, bool wide) {
  uint32_t narrow = (uint32_t)value;
  memcpy(to, wide ? (const void *)&value : (const void *)&narrow, wide ? 8 : 4);
}

struct range {
  struct fake_query_pool *pool;
  uint32_t first, count;
};

static bool range_available(void *argument) {
  const struct range *range = argument;
  for (uint32_t i = 0; i < range->count; i++) {
    if (!host_available(&range->pool->queries[range->first + i])) {
      return false;
    }
  }
  return true;
}

static bool nothing_pending(void *argument) {
  return fake_device_idle_locked(argument);
}

// A result of a performance query is one union of eight bytes a counter, without availability.
static VkResult copy_counters(const struct range *range, uint8_t *to, size_t size,
                              VkDeviceSize stride) {
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < range->count; i++) {
    struct fake_query *query = &range->pool->queries[range->first + i];
    if (i * stride + range->pool->counter_count * sizeof(VkPerformanceCounterResultKHR) > size) {
      fake_violate("vkGetQueryPoolResults: the data is too small");
      break;
    }
    result = host_available(query) ? result : VK_NOT_READY;
    for (uint32_t j = 0; host_available(query) && j < range->pool->counter_count; j++) {
      store(to + i * stride + j * sizeof(VkPerformanceCounterResultKHR), query->value, true);
    }
  }
  return result;
}

static VkResult copy_out(const struct range *range, uint8_t *to, size_t size, VkDeviceSize stride,
                         VkQueryResultFlags flags) {
  if (range->pool->type == VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR) {
    return copy_counters(range, to, size, stride);
  }
  bool wide = (flags & VK_QUERY_RESULT_64_BIT) != 0;
  size_t width = wide ? 8 : 4;
  bool with = (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) != 0;
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < range->count; i++, to += stride) {
    struct fake_query *query = &range->pool->queries[range->first + i];
    if (i * stride + width * (with ? 2 : 1) > size) {
      fake_violate("vkGetQueryPoolResults: the data is too small");
      break;
    }
    bool available = host_available(query);
    if (available) {
      store(to, host_value(query), wide);
    } else if ((flags & VK_QUERY_RESULT_PARTIAL_BIT) != 0) {
      store(to, 0, wide);
    }
    if (with) {
      store(to + width, available ? fake_settings()->availability : 0, wide);
    }
    if (!available) {
      result = VK_NOT_READY;
    }
  }
  return (flags & VK_QUERY_RESULT_PARTIAL_BIT) != 0 ? VK_SUCCESS : result;
}

// Whatever the read has to wait for; VK_TIMEOUT when it waited in vain.
static VkResult wait_for_read(struct fake_device *device, struct range *range,
                              VkQueryResultFlags flags) {
  const struct fake_config *config = fake_settings();
  if (device->lost) {
    return config->lost_reads != 0 ? VK_SUCCESS : VK_ERROR_DEVICE_LOST;
  }
  VkResult result = VK_SUCCESS;
  if (config->reads_idle_device != 0) {
    result =
        fake_block_locked(device, nothing_pending, device, UINT64_MAX, "vkGetQueryPoolResults");
  }
  if (result == VK_SUCCESS && (flags & VK_QUERY_RESULT_WAIT_BIT) != 0) {
    result = fake_block_locked(device, range_available, range, UINT64_MAX,
                               "vkGetQueryPoolResults with WAIT");
  }
  return result;
}

VkResult fake_vkGetQueryPoolResults(VkDevice handle, VkQueryPool pool_handle, uint32_t first,
                                    uint32_t count, size_t size, void *data, VkDeviceSize stride,
                                    VkQueryResultFlags flags) {
  FAKE_ENTER();
  struct fake_device *device = (struct fake_device *)handle;
  struct range range = {FAKE_OBJECT(fake_query_pool, pool_handle), first, count};
  if (device->orphan) {
    fake_violate("vkGetQueryPoolResults after vkDestroyInstance of its instance");
  }
  if (!check_range(range.pool, first, count, "vkGetQueryPoolResults")) {
    return VK_NOT_READY;
  }
  if ((flags & VK_QUERY_RESULT_PARTIAL_BIT) != 0 && range.pool->type == VK_QUERY_TYPE_TIMESTAMP) {
    fake_violate("vkGetQueryPoolResults: PARTIAL of timestamps");
  }
  struct fake_access access = {NULL, first, count, false};
  enter_range(range.pool, &access, "vkGetQueryPoolResults");
  pthread_mutex_lock(&fake_mutex);
  fake_pump_locked();
  VkResult result = wait_for_read(device, &range, flags);
  if (result == VK_SUCCESS || result == VK_TIMEOUT) {
    result = copy_out(&range, data, size, stride, flags);
  }
  pthread_mutex_unlock(&fake_mutex);
  leave_range(range.pool, &access);
  return result;
}
