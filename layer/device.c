/* VkDevice, see device.h. What the layer adds at creation: additions.c. */
#include "device.h"

#include <string.h>

#include "activity.h"
#include "additions.h"
#include "base/alloc.h"
#include "capabilities.h"
#include "chain.h"
#include "intercept/commands.h"
#include "intercept/hooks.h"
#include "offers.h"
#include "session.h"
#include "statistics.h"
#include "timing/calibrate.h"
#include "trace_calls.h"

enum { BUCKETS = 64 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct vkm_device *buckets[BUCKETS];
/* Counts removals, so that a thread's remembered device is not used after it is gone. */
static atomic_uint_fast64_t removals;

/* ---- registry ---- */

static struct vkm_device **bucket_of(uint64_t key) {
  return &buckets[(key * UINT64_C(0x9E3779B97F4A7C15)) >> 58];
}

struct vkm_device *vkm_device_of_key(uint64_t key) {
  static VKM_THREAD struct {
    uint64_t key, removals;
    struct vkm_device *device;
  } recent;
  uint64_t now = atomic_load_explicit(&removals, memory_order_acquire);
  if (recent.device && recent.key == key && recent.removals == now) {
    return recent.device;
  }
  pthread_mutex_lock(&lock);
  struct vkm_device *device = *bucket_of(key);
  while (device && device->key != key) {
    device = device->next;
  }
  pthread_mutex_unlock(&lock);
  if (device) {
    recent.key = key;
    recent.removals = now;
    recent.device = device;
  }
  return device;
}

static void add(struct vkm_device *device) {
  pthread_mutex_lock(&lock);
  struct vkm_device **bucket = bucket_of(device->key);
  device->next = *bucket;
  *bucket = device;
  pthread_mutex_unlock(&lock);
}

static void remove_device(struct vkm_device *device) {
  pthread_mutex_lock(&lock);
  struct vkm_device **at = bucket_of(device->key);
  while (*at != device) {
    at = &(*at)->next;
  }
  *at = device->next;
  atomic_fetch_add_explicit(&removals, 1, memory_order_release);
  pthread_mutex_unlock(&lock);
}

void vkm_devices_each(const struct vkm_instance *instance,
                      void (*visit)(struct vkm_device *device, void *context), void *context) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < BUCKETS; i++) {
    for (struct vkm_device *device = buckets[i]; device; device = device->next) {
      if (!instance || device->instance == instance) {
        visit(device, context);
      }
    }
  }
  pthread_mutex_unlock(&lock);
}

static void ask_stop(struct vkm_device *device, void *context) {
  (void)context;
  if (device->profiled) {
    vkm_collector_ask_stop(device);
  }
}

static void wait_stopped(struct vkm_device *device, void *context) {
  if (device->profiled) {
    vkm_collector_wait_stopped(device, *(const int64_t *)context);
  }
}

void vkm_devices_stop_collectors(const struct vkm_instance *instance, int64_t deadline_ns) {
  vkm_devices_each(instance, ask_stop, NULL);
  vkm_devices_each(instance, wait_stopped, &deadline_ns);
}

static void orphan(struct vkm_device *device, void *context) {
  (void)context;
  device->instance = NULL;
  atomic_store(&device->disabled, true);
  atomic_store(&device->orphaned, true);
}

void vkm_devices_orphan(const struct vkm_instance *instance) {
  vkm_devices_each(instance, orphan, NULL);
}

void vkm_devices_forked(void) {
  pthread_mutex_init(&lock, NULL);
  for (int i = 0; i < BUCKETS; i++) {
    for (struct vkm_device *device = buckets[i]; device; device = device->next) {
      device->profiled = false; /* its threads and locks are the parent's */
      device->counted = false;
    }
  }
}

/* ---- trouble ---- */

void vkm_device_disable(struct vkm_device *device, const char *reason) {
  if (!atomic_exchange(&device->disabled, true)) {
    pthread_mutex_lock(&device->record->lock);
    device->record->disabled_reason = reason;
    pthread_mutex_unlock(&device->record->lock);
    vkm_session_touch();
  }
}

VkResult vkm_device_result(struct vkm_device *device, VkResult result) {
  if (result == VK_ERROR_DEVICE_LOST && device->profiled && !atomic_exchange(&device->lost, true)) {
    pthread_mutex_lock(&device->record->lock);
    device->record->end = "lost";
    pthread_mutex_unlock(&device->record->lock);
    vkm_session_touch();
  }
  return result;
}

/* ---- creation ---- */

static void start_profiling(struct vkm_device *device) {
  vkm_handles_init(&device->objects.pools);
  vkm_handles_init(&device->objects.modules);
  vkm_handles_init(&device->objects.layouts);
  vkm_handles_init(&device->objects.pipelines);
  vkm_handles_init(&device->objects.shaders);
  vkm_handles_init(&device->objects.performance_pools);
  vkm_handles_init(&device->objects.memories);
  vkm_handles_init(&device->objects.buffers);
  vkm_handles_init(&device->objects.images);
  vkm_slots_init(&device->slots, (uint32_t)vkm_session_settings()->query_cap);
  vkm_submissions_init(&device->submissions);
  vkm_collector_init(&device->collector);
  vkm_arguments_init(&device->arguments);
  device->query_read_waits = vkm_driver_reads_wait(device->record);
  vkm_memory_ask_budget(device);
  pthread_mutex_init(&device->read_gate, NULL);
  if (device->query_read_waits) {
    device->reset_query_pool = NULL;
  }
  vkm_note_capability(device->record, "query_read_never_waits",
                      device->query_read_waits ? "this driver idles the device inside "
                                                 "vkGetQueryPoolResults; results are read when "
                                                 "nothing is outstanding"
                                               : NULL);
}

static bool is_group(const VkDeviceCreateInfo *info) {
  const VkBaseInStructure *group =
      vkm_chain_find(info->pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO);
  return group && ((const VkDeviceGroupDeviceCreateInfo *)group)->physicalDeviceCount > 1;
}

/* Memory for everything, before calling down: a device that we do not know could not be passed
 * through, and one without a record is passed through. */
static struct vkm_device *take_device(struct vkm_instance *instance, VkPhysicalDevice physical,
                                      const VkDeviceCreateInfo *info) {
  struct vkm_device *device = vkm_calloc(1, sizeof *device);
  if (!device) {
    return NULL;
  }
  device->instance = instance;
  device->physical = physical;
  if (vkm_session_enabled()) {
    device->record = vkm_device_record_create(vkm_session_settings()->samples,
                                              vkm_session_settings()->phase_digits);
  }
  if (device->record) {
    device->record->aggregate.sample_times = vkm_session_settings()->sample_times;
  }
  if (device->record) {
    vkm_capabilities_describe(device->record, instance, physical);
    vkm_offers_note(device->record, instance, physical);
    device->profiled = !is_group(info);
    device->record->profiled = device->profiled;
    device->record->not_profiled_reason =
        device->profiled ? NULL : vkm_untimed_texts[VKM_UNTIMED_device_group];
  }
  return device;
}

/* The registry does not know the device, or has forgotten it. */
static void free_profiling(struct vkm_device *device) {
  vkm_waits_finish(device);
  vkm_submissions_finish(device);
  vkm_recordings_finish(device);
  vkm_slots_finish(device);
  vkm_arguments_finish(device);
  vkm_pipelines_finish(device);
  vkm_memory_finish(device);
  vkm_handles_finish(&device->objects.pools);
  vkm_handles_finish(&device->objects.modules);
  vkm_handles_finish(&device->objects.layouts);
  vkm_handles_finish(&device->objects.pipelines);
  vkm_handles_finish(&device->objects.shaders);
  vkm_handles_finish(&device->objects.performance_pools);
  vkm_handles_finish(&device->objects.memories);
  vkm_handles_finish(&device->objects.buffers);
  vkm_handles_finish(&device->objects.images);
}

/* One device too many for the session, which has counted it: it passes through. */
static void drop_profiling(struct vkm_device *device) {
  if (device->profiled) {
    free_profiling(device);
  }
  vkm_device_record_destroy(device->record);
  device->record = NULL;
  device->profiled = false;
}

static void fill(struct vkm_device *device, struct vkm_creation *creation,
                 PFN_vkGetDeviceProcAddr next_proc_addr) {
  device->handle = *creation->handle;
  device->key = VKM_DISPATCH_KEY(device->handle);
  device->next_proc_addr = next_proc_addr;
  vkuInitDeviceDispatchTable(device->handle, &device->table, next_proc_addr);
  vkm_later_find(device);
  if (device->profiled) {
    vkm_additions_settle(device, &creation->capabilities);
    start_profiling(device);
  }
  if (device->profiled && vkm_trace_on()) {
    vkm_calibrate(device); /* the collector's first would be too late for the first commands */
  }
  device->counted = device->record && vkm_session_add(device->record);
  if (device->record && !device->counted) {
    drop_profiling(device);
  } else if (!device->record && vkm_session_enabled()) {
    vkm_session_drop();
  }
  add(device);
  if (vkm_session_enabled()) {
    vkm_session_device_created();
  }
}

/* The next vkCreateDevice is looked up with the instance: without one it is undefined (pitfall
 * A13). */
VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateDevice(VkPhysicalDevice physical,
                                                const VkDeviceCreateInfo *info,
                                                const VkAllocationCallbacks *allocator,
                                                VkDevice *handle) {
  struct vkm_instance *instance = vkm_instance_of_key(VKM_DISPATCH_KEY(physical));
  VkLayerDeviceCreateInfo *link = vkm_chain_device_link(info);
  if (!instance || !link || !link->u.pLayerInfo) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  PFN_vkGetInstanceProcAddr next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  PFN_vkGetDeviceProcAddr next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  struct vkm_creation creation = {
      .next = (PFN_vkCreateDevice)next_instance(instance->handle, "vkCreateDevice"),
      .physical = physical,
      .info = info,
      .allocator = allocator,
      .handle = handle,
      .link = link,
      .next_link = link->u.pLayerInfo->pNext};
  if (!creation.next) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  struct vkm_device *device = take_device(instance, physical, info);
  if (!device) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  if (device->profiled) {
    const struct vkm_settings *settings = vkm_session_settings();
    struct vkm_wishes wishes = {.may_add = settings->enable_features,
                                .no_statistics_reason =
                                    vkm_statistics_unwanted(settings, device->record)};
    vkm_capabilities_find(&creation.capabilities, instance, physical, info, &wishes);
  }
  struct vkm_inside inside = vkm_activity_enter(VKM_CALL_CreateDevice);
  VkResult result = vkm_additions_create(&creation);
  vkm_activity_leave(&inside);
  /* Known already: the layers below hold this very library once more, under another name. */
  if (result != VK_SUCCESS || vkm_device_of_key(VKM_DISPATCH_KEY(*handle))) {
    vkm_device_record_destroy(device->record);
    vkm_free(device);
    return result;
  }
  fill(device, &creation, next_device);
  return vkm_trace_result(&inside, device, result);
}

/* ---- destruction ---- */

static void stop_profiling(struct vkm_device *device) {
  vkm_collector_ask_stop(device);
  vkm_collector_wait_stopped(device, INT64_MAX);
  vkm_collector_finish(device);
  vkm_collect_all(device);
  vkm_commands_finish(device);
}

static void note_end(struct vkm_device *device) {
  pthread_mutex_lock(&device->record->lock);
  if (!atomic_load(&device->lost)) {
    device->record->end = "destroyed";
  }
  if (device->profiled) {
    uint64_t in_use;
    vkm_slots_use(&device->slots, &in_use, &device->record->queries_peak);
  }
  device->record->final = true;
  pthread_mutex_unlock(&device->record->lock);
}

VKAPI_ATTR void VKAPI_CALL vkm_DestroyDevice(VkDevice handle,
                                             const VkAllocationCallbacks *allocator) {
  struct vkm_device *device = handle ? vkm_device_of(handle) : NULL;
  if (!device) {
    return;
  }
  bool profiled = device->profiled, counted = device->counted;
  if (profiled) {
    stop_profiling(device);
  }
  if (counted) {
    note_end(device);
    vkm_trace_drain();
  }
  remove_device(device);
  if (profiled) {
    free_profiling(device);
  }
  if (counted) {
    vkm_session_device_destroyed();
  }
  device->table.DestroyDevice(handle, allocator);
  vkm_free(device);
}
