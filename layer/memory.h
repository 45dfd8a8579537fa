/* What the application asks of a device's memory: allocations, mappings, the driver's budget. In:
 * intercept/memory.c and intercept/resources.c. Out: figures of the device record. Any thread; the
 * lock is a leaf and is not held across a call to the driver. */
#ifndef VKM_LAYER_MEMORY_H
#define VKM_LAYER_MEMORY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "profile/profile_memory.h"

struct vkm_device;

/* Part of the device record. */
struct vkm_memory {
  /* Facts, written before the record is published. */
  VkMemoryType types[VK_MAX_MEMORY_TYPES];
  uint32_t type_count, heap_count;

  pthread_mutex_t lock;
  struct vkm_profile_memory figures; /* times are of CLOCK_MONOTONIC here */
  int64_t asked_ns;                  /* when the budget was asked for last */
  /* Looked at by submissions without the lock: mapped_device_local_bytes is more than what was
   * mapped at any submission so far. */
  atomic_bool persistent_grows;
};

/* A VkDeviceMemory while it lives. Guarded by the lock of vkm_memory, but for `type`. */
struct vkm_allocation {
  uint64_t size_bytes, mapped_bytes;
  uint32_t type;
  bool imported;
};

void vkm_memory_init(struct vkm_memory *memory);

/* The driver has answered vkAllocateMemory. `handle` is looked at after success only. */
void vkm_memory_allocated(struct vkm_device *device, const VkMemoryAllocateInfo *info,
                          VkResult result, VkDeviceMemory handle);
/* Before the driver frees it: the handle may come back at once. */
void vkm_memory_freed(struct vkm_device *device, VkDeviceMemory handle);
void vkm_memory_mapped(struct vkm_device *device, VkDeviceMemory handle, VkDeviceSize offset,
                       VkDeviceSize size);
void vkm_memory_unmapped(struct vkm_device *device, VkDeviceMemory handle);
/* Work was submitted. */
void vkm_memory_submitted(struct vkm_memory *memory);

/* Asks the driver for the budget of its heaps, where it is offered: at creation of the device and
 * behind an allocation, when it was not asked for a tenth of a second. Only there is the instance
 * sure to live. */
void vkm_memory_ask_budget(struct vkm_device *device);

/* At vkDestroyDevice: what the application did not free is forgotten; it stays in the figures. */
void vkm_memory_finish(struct vkm_device *device);

#endif
