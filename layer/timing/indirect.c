/* Group counts read back from the device, see indirect.h. */
#include "timing/indirect.h"

#include <string.h>

#include "base/alloc.h"
#include "chain.h"
#include "choice.h"
#include "device.h"
#include "resources.h"
#include "session.h"
#include "timing/record.h"

enum {
  BLOCK_BYTES = VKM_ARGUMENT_SLOTS * VKM_ARGUMENT_BYTES,
  SLAB_BYTES = VKM_ARGUMENT_BLOCKS * BLOCK_BYTES,
  COPIED_BYTES = 12, /* VkDispatchIndirectCommand */
};

struct vkm_argument_slab {
  struct vkm_argument_slab *next;
  VkBuffer buffer;
  VkDeviceMemory memory;
  struct vkm_argument_block blocks[VKM_ARGUMENT_BLOCKS];
};

void vkm_arguments_init(struct vkm_arguments *arguments) {
  *arguments = (struct vkm_arguments){0};
  pthread_mutex_init(&arguments->lock, NULL);
}

static void destroy_slab(struct vkm_device *device, struct vkm_argument_slab *slab) {
  if (slab->buffer) {
    device->table.DestroyBuffer(device->handle, slab->buffer, NULL);
  }
  if (slab->memory) {
    device->table.FreeMemory(device->handle, slab->memory, NULL); /* unmaps */
  }
  vkm_free(slab);
}

void vkm_arguments_finish(struct vkm_device *device) {
  struct vkm_argument_slab *slab = device->arguments.slabs;
  while (slab) {
    struct vkm_argument_slab *next = slab->next;
    destroy_slab(device, slab);
    slab = next;
  }
  pthread_mutex_destroy(&device->arguments.lock);
}

/* ---- memory ---- */

/* The first type that the host sees without flushes; the specification promises one for every
 * buffer. UINT32_MAX: there is none. */
static uint32_t memory_type(const struct vkm_device *device, uint32_t allowed) {
  const struct vkm_memory *memory = &device->record->memory;
  VkMemoryPropertyFlags wanted =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (uint32_t i = 0; i < memory->type_count; i++) {
    if (allowed >> i & 1 && (memory->types[i].propertyFlags & wanted) == wanted &&
        !(memory->types[i].propertyFlags & VK_MEMORY_PROPERTY_PROTECTED_BIT)) {
      return i;
    }
  }
  return UINT32_MAX;
}

static bool bind_slab(struct vkm_device *device, struct vkm_argument_slab *slab, void **mapped) {
  VkMemoryRequirements needs;
  device->table.GetBufferMemoryRequirements(device->handle, slab->buffer, &needs);
  VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                               .allocationSize = needs.size,
                               .memoryTypeIndex = memory_type(device, needs.memoryTypeBits)};
  return info.memoryTypeIndex != UINT32_MAX &&
         device->table.AllocateMemory(device->handle, &info, NULL, &slab->memory) == VK_SUCCESS &&
         device->table.BindBufferMemory(device->handle, slab->buffer, slab->memory, 0) ==
             VK_SUCCESS &&
         device->table.MapMemory(device->handle, slab->memory, 0, VK_WHOLE_SIZE, 0, mapped) ==
             VK_SUCCESS;
}

/* Of all queue families that it may be used on; no sharing is needed, as a slot's bytes go to the
 * host only. */
static struct vkm_argument_slab *create_slab(struct vkm_device *device) {
  void *mapped = NULL;
  struct vkm_argument_slab *slab = vkm_calloc(1, sizeof *slab);
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .size = SLAB_BYTES,
                             .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                             .sharingMode = VK_SHARING_MODE_EXCLUSIVE};
  if (!slab) {
    return NULL;
  }
  if (device->table.CreateBuffer(device->handle, &info, NULL, &slab->buffer) != VK_SUCCESS) {
    slab->buffer = VK_NULL_HANDLE;
  }
  if (!slab->buffer || !bind_slab(device, slab, &mapped)) {
    destroy_slab(device, slab);
    return NULL;
  }
  for (uint32_t i = 0; i < VKM_ARGUMENT_BLOCKS; i++) {
    slab->blocks[i] = (struct vkm_argument_block){
        .next = i + 1 < VKM_ARGUMENT_BLOCKS ? &slab->blocks[i + 1] : NULL,
        .buffer = slab->buffer,
        .offset = i * BLOCK_BYTES,
        .counts = (const uint32_t *)mapped + (size_t)i * BLOCK_BYTES / sizeof(uint32_t)};
  }
  vkm_device_record_bytes(device->record, (int64_t)(sizeof *slab + SLAB_BYTES));
  return slab;
}

/* NULL: the cap is reached or memory is short. */
static struct vkm_argument_block *take(struct vkm_device *device) {
  struct vkm_arguments *arguments = &device->arguments;
  pthread_mutex_lock(&arguments->lock);
  struct vkm_argument_block *block = arguments->free;
  bool may_grow = !block && arguments->slab_count < VKM_ARGUMENT_SLABS_MAX;
  if (block) {
    arguments->free = block->next;
  } else if (may_grow) {
    arguments->slab_count++; /* counted before it is there: the lock is not held meanwhile */
  }
  pthread_mutex_unlock(&arguments->lock);
  if (block || !may_grow) {
    return block;
  }
  struct vkm_argument_slab *slab = create_slab(device);
  pthread_mutex_lock(&arguments->lock);
  if (slab) {
    slab->next = arguments->slabs;
    arguments->slabs = slab;
    block = &slab->blocks[0];
    slab->blocks[VKM_ARGUMENT_BLOCKS - 1].next = arguments->free;
    arguments->free = block->next;
  } else {
    arguments->slab_count--;
  }
  pthread_mutex_unlock(&arguments->lock);
  return block;
}

void vkm_arguments_give(struct vkm_device *device, struct vkm_argument_block *blocks) {
  if (!blocks) {
    return;
  }
  struct vkm_argument_block *last = blocks;
  while (last->next) {
    last = last->next;
  }
  pthread_mutex_lock(&device->arguments.lock);
  last->next = device->arguments.free;
  device->arguments.free = blocks;
  pthread_mutex_unlock(&device->arguments.lock);
}

/* ---- recording ---- */

/* The arguments are what an indirect command of this place would read: the copy waits for what that
 * would wait for, and that (and the host) for the copy. */
static void record_copy(const struct vkm_cmdbuf *cmdbuf, VkBuffer from, VkDeviceSize offset,
                        const struct vkm_argument_block *to) {
  const VkuDeviceDispatchTable *table = &cmdbuf->device->table;
  VkMemoryBarrier before = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                            .srcAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT,
                            .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT};
  VkMemoryBarrier after = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                           .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                           .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
  VkBufferCopy region = {offset, to->offset + (VkDeviceSize)to->used * VKM_ARGUMENT_BYTES,
                         COPIED_BYTES};
  table->CmdPipelineBarrier(cmdbuf->handle, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                            VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &before, 0, NULL, 0, NULL);
  table->CmdCopyBuffer(cmdbuf->handle, from, to->buffer, 1, &region);
  table->CmdPipelineBarrier(cmdbuf->handle, VK_PIPELINE_STAGE_TRANSFER_BIT,
                            VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                            &after, 0, NULL, 0, NULL);
}

static bool is_wanted(struct vkm_cmdbuf *cmdbuf) {
  const struct vkm_recording *recording = cmdbuf->recording;
  bool timed = cmdbuf->untimed == VKM_UNTIMED_COUNT || cmdbuf->untimed == VKM_UNTIMED_SPECIAL;
  return recording && timed && recording->mode != VKM_MODE_SUBMIT && !cmdbuf->in_render_pass &&
         !cmdbuf->rendering_suspended && vkm_session_settings()->indirect_geometry &&
         vkm_choice_command(cmdbuf, &(struct vkm_mark){.pipeline = cmdbuf->pipeline,
                                                       .phase = cmdbuf->labels.phase}) ==
             VKM_UNTIMED_COUNT;
}

uint32_t vkm_indirect_copy(struct vkm_cmdbuf *cmdbuf, VkBuffer buffer, VkDeviceSize offset) {
  struct vkm_recording *recording = cmdbuf->recording;
  if (!is_wanted(cmdbuf)) {
    return 0;
  }
  const struct vkm_resource *known =
      vkm_handles_get(&cmdbuf->device->objects.buffers, VKM_HANDLE(buffer));
  if (!known || !known->copyable) {
    return 0;
  }
  struct vkm_argument_block *block = recording->last_arguments;
  if (!block || block->used == VKM_ARGUMENT_SLOTS) {
    struct vkm_argument_block *taken = take(cmdbuf->device);
    if (!taken) {
      return 0;
    }
    taken->next = NULL;
    taken->used = 0;
    *(block ? &block->next : &recording->arguments) = taken;
    recording->last_arguments = block = taken;
  }
  record_copy(cmdbuf, buffer, offset, block);
  block->used++;
  recording->argument_count++;
  vkm_record_between(cmdbuf, VKM_BETWEEN_WORK);
  return recording->argument_count;
}

void vkm_indirect_read(const struct vkm_recording *recording, uint32_t slot, uint32_t counts[3]) {
  const struct vkm_argument_block *block = recording->arguments;
  uint32_t at = slot - 1;
  for (; at >= VKM_ARGUMENT_SLOTS; at -= VKM_ARGUMENT_SLOTS) {
    block = block->next;
  }
  memcpy(counts, &block->counts[(size_t)at * VKM_ARGUMENT_BYTES / sizeof(uint32_t)], COPIED_BYTES);
}

/* ---- buffers ---- */

/* A buffer whose memory others know by its exact usage, or that is not readable, stays as it is. */
VkBufferUsageFlags vkm_indirect_usage(const struct vkm_device *device,
                                      const VkBufferCreateInfo *info) {
  const VkBufferCreateFlags untouched = VK_BUFFER_CREATE_PROTECTED_BIT |
                                        VK_BUFFER_CREATE_DEVICE_ADDRESS_CAPTURE_REPLAY_BIT |
                                        VK_BUFFER_CREATE_DESCRIPTOR_BUFFER_CAPTURE_REPLAY_BIT_EXT;
  const VkBaseInStructure *external =
      vkm_chain_find(info->pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
  bool shared = external && ((const VkExternalMemoryBufferCreateInfo *)external)->handleTypes;
  bool other =
      shared ||
      vkm_chain_find(info->pNext, VK_STRUCTURE_TYPE_BUFFER_OPAQUE_CAPTURE_ADDRESS_CREATE_INFO) ||
      vkm_chain_find(info->pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO);
  bool wanted = vkm_device_active(device) && vkm_session_settings()->indirect_geometry &&
                info->usage & VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  return wanted && !other && !(info->flags & untouched) ? VK_BUFFER_USAGE_TRANSFER_SRC_BIT : 0;
}
