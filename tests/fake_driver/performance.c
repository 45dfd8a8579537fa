// VK_KHR_performance_query: three counters, one of each scope, and the rules of the widest.
//
// In: pools, begins and ends. Out: violations where a command of somebody else stands in the way.
// Next room: query_run.c counts, queries.c gives results.
#include "internal.h"

#include <string.h>

static const VkPerformanceCounterScopeKHR scopes[] = {
    VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_BUFFER_KHR, VK_PERFORMANCE_COUNTER_SCOPE_RENDER_PASS_KHR,
    VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_KHR};
enum { COUNTER_COUNT = sizeof scopes / sizeof scopes[0] };

VkResult fake_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR(
    VkPhysicalDevice physical, uint32_t family, uint32_t *count, VkPerformanceCounterKHR *counters,
    VkPerformanceCounterDescriptionKHR *descriptions) {
  (void)physical;
  (void)family;
  FAKE_ENTER();
  uint32_t room = counters == NULL || *count > COUNTER_COUNT ? COUNTER_COUNT : *count;
  for (uint32_t i = 0; counters != NULL && i < room; i++) {
    counters[i].unit = VK_PERFORMANCE_COUNTER_UNIT_GENERIC_KHR;
    counters[i].scope = scopes[i];
    counters[i].storage = VK_PERFORMANCE_COUNTER_STORAGE_UINT64_KHR;
    memset(counters[i].uuid, (int)i + 1, sizeof counters[i].uuid);
    memset(descriptions[i].name, 0, sizeof descriptions[i].name);
    memset(descriptions[i].category, 0, sizeof descriptions[i].category);
    memset(descriptions[i].description, 0, sizeof descriptions[i].description);
    memcpy(descriptions[i].name, "work", sizeof "work");
    descriptions[i].flags = 0;
  }
  *count = room;
  return room < COUNTER_COUNT ? VK_INCOMPLETE : VK_SUCCESS;
}

void fake_vkGetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR(
    VkPhysicalDevice physical, const VkQueryPoolPerformanceCreateInfoKHR *info, uint32_t *passes) {
  (void)physical;
  (void)info;
  *passes = 1;
}

VkResult fake_vkAcquireProfilingLockKHR(VkDevice handle,
                                        const VkAcquireProfilingLockInfoKHR *info) {
  (void)info;
  FAKE_ENTER();
  struct fake_device *device = (struct fake_device *)handle;
  if (device->profiling_lock) {
    fake_violate("vkAcquireProfilingLockKHR of a lock that is held");
  }
  device->profiling_lock = true;
  return VK_SUCCESS;
}

void fake_vkReleaseProfilingLockKHR(VkDevice handle) {
  struct fake_device *device = (struct fake_device *)handle;
  if (!device->profiling_lock) {
    fake_violate("vkReleaseProfilingLockKHR of a lock that is not held");
  }
  device->profiling_lock = false;
}

VkResult fake_performance_pool(struct fake_query_pool *pool, const VkQueryPoolCreateInfo *info) {
  for (const VkBaseInStructure *node = info->pNext; node != NULL; node = node->pNext) {
    if (node->sType != VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR) {
      continue;
    }
    const VkQueryPoolPerformanceCreateInfoKHR *wanted = (const void *)node;
    pool->counter_count = wanted->counterIndexCount;
    for (uint32_t i = 0; i < wanted->counterIndexCount; i++) {
      if (wanted->pCounterIndices[i] >= COUNTER_COUNT) {
        return VK_ERROR_INITIALIZATION_FAILED;
      }
      pool->whole_buffer |=
          scopes[wanted->pCounterIndices[i]] == VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_BUFFER_KHR;
    }
  }
  return VK_SUCCESS;
}

// After the begin was pushed.
void fake_performance_begin(struct fake_cb *cb, const struct fake_query_pool *pool) {
  if (pool->type != VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR) {
    return;
  }
  if (!cb->device->profiling_lock) {
    fake_violate("vkCmdBeginQuery of a performance query without the profiling lock");
  }
  if (pool->whole_buffer && cb->count != 1) {
    fake_violate("vkCmdBeginQuery of a counter of the command buffer is not its first command");
  }
  cb->must_end_query = pool->whole_buffer;
}

void fake_performance_end(const struct fake_cb *cb) {
  if (cb->must_end_query && cb->commands[cb->count - 1].kind != KIND_END_QUERY) {
    fake_violate("vkCmdEndQuery of a counter of the command buffer is not its last command");
  }
}
