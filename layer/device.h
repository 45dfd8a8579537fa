/* A VkDevice as the layer knows it, from creation to destruction. Next room: intercept/ (hooks look
 * their device up here), timing/ (works on its recordings and queues). */
#ifndef VKM_LAYER_DEVICE_H
#define VKM_LAYER_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <vulkan/utility/vk_dispatch_table.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include "device_record.h"
#include "handles.h"
#include "instance.h"
#include "statistics.h"
#include "timing/collect.h"
#include "timing/slots.h"
#include "timing/submit.h"

/* Handle -> object, of the objects that hooks have to find again. Non-dispatchable handles are
 * unique only within their device. */
struct vkm_objects {
  struct vkm_handle_map pools;     /* VkCommandPool -> struct vkm_pool */
  struct vkm_handle_map modules;   /* VkShaderModule -> struct vkm_module */
  struct vkm_handle_map layouts;   /* VkPipelineLayout -> push-constant bytes + 1, as a pointer */
  struct vkm_handle_map shaders;   /* VkShaderEXT -> struct vkm_pipeline_record */
  struct vkm_handle_map pipelines; /* VkPipeline -> struct vkm_pipeline_record */
  struct vkm_handle_map memories;  /* VkDeviceMemory -> struct vkm_allocation */
  struct vkm_handle_map buffers, images;   /* -> struct vkm_resource */
  struct vkm_handle_map performance_pools; /* VkQueryPool of performance queries -> itself */
};

/* Commands that belong to an extension which only we enabled answer NULL to the application. */
enum { VKM_ADDED_EXTENSIONS = 8 };

enum vkm_later {
#define VKM_LATER(name, kind, parameters, arguments) VKM_LATER_##name,
#include "later.def"
#undef VKM_LATER
  VKM_LATER_COUNT
};

struct vkm_device {
  VkDevice handle;
  uint64_t key;            /* dispatch key */
  struct vkm_device *next; /* bucket of the registry; owned by device.c */
  struct vkm_instance *instance;
  VkPhysicalDevice physical;    /* belongs to the instance */
  VkuDeviceDispatchTable table; /* the next layer's commands; NULL where it has none */
  PFN_vkGetDeviceProcAddr next_proc_addr;
  PFN_vkVoidFunction later[VKM_LATER_COUNT]; /* commands of later.def; NULL where it has none */

  const char *hidden_extensions[VKM_ADDED_EXTENSIONS]; /* enabled by us alone */
  uint32_t hidden_extension_count;

  /* Profiling. `profiled` is fixed at creation; `disabled` is set once by the first internal
   * failure: nothing more is recorded, but what was recorded before is still followed, because its
   * queries need a reset whenever it runs again. `orphaned`: the instance is gone, hooks pass
   * through. */
  bool profiled;
  bool counted; /* by the session, as one of its living devices; profiled or not */
  atomic_bool disabled;
  atomic_bool orphaned;
  atomic_bool lost;
  atomic_bool queues_labelled;      /* a label was opened on one of its queues */
  struct vkm_device_record *record; /* what the profile says; outlives the device */

  /* Commands of ours, resolved once by what is really enabled (never by "pointer is not NULL"). */
  PFN_vkResetQueryPool reset_query_pool;                      /* NULL: no host query reset */
  PFN_vkGetCalibratedTimestampsKHR get_calibrated_timestamps; /* NULL: no calibration */
  VkTimeDomainKHR host_domain;
  struct vkm_statistics_commands statistics;
  /* Drivers whose reads wait (lavapipe): vkGetQueryPoolResults and vkResetQueryPool work on the
   * context of the queue's own thread, without a lock. So nothing is reset by the host there,
   * results are read only while nothing is outstanding, and this lock keeps our reads and the
   * application's submissions apart; application threads only try it for reading. Held across both
   * calls to the driver: neither waits for anything then. */
  pthread_mutex_t read_gate;
  bool query_read_waits; /* reading a query idles the device: see timing/collect.h */

  struct vkm_objects objects;
  struct vkm_slots slots;
  struct vkm_submissions submissions;
  struct vkm_collector collector;
  struct vkm_mode_family modes[VKM_FAMILY_CAP];
  struct vkm_arguments arguments;
};

/* True while the device is profiled and nothing has gone wrong. */
static inline bool vkm_device_active(const struct vkm_device *device) {
  return device->profiled && !atomic_load_explicit(&device->disabled, memory_order_relaxed);
}

/* True while submissions of what was recorded, and waits for them, matter. */
static inline bool vkm_device_follows(const struct vkm_device *device) {
  return device->profiled && !atomic_load_explicit(&device->orphaned, memory_order_relaxed);
}

/* The device behind any of its dispatchable handles; NULL when the handle is none of ours. Any
 * thread. */
struct vkm_device *vkm_device_of_key(uint64_t key);
#define vkm_device_of(handle) vkm_device_of_key(VKM_DISPATCH_KEY(handle))

/* Stops profiling of this device for good and says why in the profile; nothing more is recorded
 * from here on. */
void vkm_device_disable(struct vkm_device *device, const char *reason);
/* Notes DEVICE_LOST wherever it is seen. Returns `result`. */
VkResult vkm_device_result(struct vkm_device *device, VkResult result);

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateDevice(VkPhysicalDevice physical,
                                                const VkDeviceCreateInfo *info,
                                                const VkAllocationCallbacks *allocator,
                                                VkDevice *device);
VKAPI_ATTR void VKAPI_CALL vkm_DestroyDevice(VkDevice handle,
                                             const VkAllocationCallbacks *allocator);

/* Calls `visit` for each living device of `instance` (NULL: of all). Holds the registry's lock
 * meanwhile: `visit` neither creates nor destroys. */
void vkm_devices_each(const struct vkm_instance *instance,
                      void (*visit)(struct vkm_device *device, void *context), void *context);

/* Asks the collectors of these devices to stop, then waits for each until `deadline_ns` of
 * CLOCK_MONOTONIC at most. */
void vkm_devices_stop_collectors(const struct vkm_instance *instance, int64_t deadline_ns);

/* The instance is gone although these devices live on: nothing of ours touches them any more. */
void vkm_devices_orphan(const struct vkm_instance *instance);

/* After fork, in the child: forgets all devices; their hooks pass through. */
void vkm_devices_forked(void);

#endif
