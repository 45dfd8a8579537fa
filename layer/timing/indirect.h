/* Group counts of indirect dispatches, read back from the device (timing contract, section 5;
 * setting indirect_geometry, off by default: it adds barriers). In: a dispatch that is about to be
 * recorded. Out: its group counts once it has run. The twelve bytes are copied by a command of ours
 * into a slot of host-visible memory that belongs to the recording; it is read together with the
 * recording's queries, before the recording runs again. */
#ifndef VKM_LAYER_TIMING_INDIRECT_H
#define VKM_LAYER_TIMING_INDIRECT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

struct vkm_cmdbuf;
struct vkm_device;
struct vkm_mark;
struct vkm_recording;

enum {
  VKM_ARGUMENT_BYTES = 16,    /* a slot: three counts, and room */
  VKM_ARGUMENT_SLOTS = 64,    /* slots a block */
  VKM_ARGUMENT_BLOCKS = 64,   /* blocks a slab */
  VKM_ARGUMENT_SLABS_MAX = 64 /* a device: 4 MiB */
};

/* Slots that belong to one recording. */
struct vkm_argument_block {
  struct vkm_argument_block *next; /* the recording's next, or the next free one */
  VkBuffer buffer;
  uint32_t offset;        /* of the first slot in the buffer */
  const uint32_t *counts; /* mapped */
  uint32_t used;
};

/* Of a device. */
struct vkm_arguments {
  pthread_mutex_t lock; /* leaf: never held across a call to the driver */
  struct vkm_argument_slab *slabs;
  uint32_t slab_count;
  struct vkm_argument_block *free;
};

void vkm_arguments_init(struct vkm_arguments *arguments);
/* vkDestroyDevice: nothing runs any more. */
void vkm_arguments_finish(struct vkm_device *device);
/* Gives a chain of blocks back. Any thread. */
void vkm_arguments_give(struct vkm_device *device, struct vkm_argument_block *blocks);

/* Before an indirect dispatch is recorded: copies its arguments. Returns the number of the slot in
 * the recording, from 1; 0: they are not copied. */
uint32_t vkm_indirect_copy(struct vkm_cmdbuf *cmdbuf, VkBuffer buffer, VkDeviceSize offset);
/* The counts in a slot, after its execution. */
void vkm_indirect_read(const struct vkm_recording *recording, uint32_t slot, uint32_t counts[3]);

/* The usage that a buffer gets from us, so that its bytes may be copied; 0: none. */
VkBufferUsageFlags vkm_indirect_usage(const struct vkm_device *device,
                                      const VkBufferCreateInfo *info);

#endif
