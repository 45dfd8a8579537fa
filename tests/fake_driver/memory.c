// Memory and buffers, really backed by host memory so that copies and indirect arguments work.
//
// In: calls. Out: VkDeviceMemory, VkBuffer. Next room: transfer.c moves the bytes.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, ALL_TYPES = 31 };

static uint64_t align(uint64_t size) {
  return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

VkResult fake_vkAllocateMemory(VkDevice device, const VkMemoryAllocateInfo *info,
                               const VkAllocationCallbacks *allocator, VkDeviceMemory *out) {
  (void)allocator;
  FAKE_ENTER();
  struct fake_memory *memory =
      fake_object_new((struct fake_device *)device, "VkDeviceMemory", sizeof *memory);
  if (memory == NULL) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  memory->size = info->allocationSize;
  memory->type = info->memoryTypeIndex;
  memory->bytes = calloc(1, info->allocationSize > 0 ? (size_t)info->allocationSize : 1);
  if (memory->bytes == NULL) {
    fake_object_delete(memory);
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  *out = FAKE_HANDLE(VkDeviceMemory, memory);
  return VK_SUCCESS;
}

void fake_vkFreeMemory(VkDevice device, VkDeviceMemory handle,
                       const VkAllocationCallbacks *allocator) {
  (void)device;
  (void)allocator;
  struct fake_memory *memory = FAKE_OBJECT(fake_memory, handle);
  if (memory != NULL) {
    free(memory->bytes);
    fake_object_delete(memory);
  }
}

VkResult fake_vkMapMemory(VkDevice device, VkDeviceMemory handle, VkDeviceSize offset,
                          VkDeviceSize size, VkMemoryMapFlags flags, void **out) {
  (void)device;
  (void)size;
  (void)flags;
  FAKE_ENTER();
  struct fake_memory *memory = FAKE_OBJECT(fake_memory, handle);
  if (memory->type == 0 || memory->type == 4) {
    fake_violate("vkMapMemory of memory that is not host-visible");
  }
  *out = memory->bytes + offset;
  return VK_SUCCESS;
}

void fake_vkUnmapMemory(VkDevice device, VkDeviceMemory memory) {
  (void)device;
  (void)memory;
}

VkResult fake_vkMapMemory2KHR(VkDevice device, const VkMemoryMapInfoKHR *info, void **out) {
  return fake_vkMapMemory(device, info->memory, info->offset, info->size, info->flags, out);
}

VkResult fake_vkUnmapMemory2KHR(VkDevice device, const VkMemoryUnmapInfoKHR *info) {
  (void)device;
  (void)info;
  FAKE_ENTER();
  return VK_SUCCESS;
}

VkResult fake_vkFlushMappedMemoryRanges(VkDevice device, uint32_t count,
                                        const VkMappedMemoryRange *ranges) {
  (void)device;
  (void)count;
  (void)ranges;
  FAKE_ENTER();
  return VK_SUCCESS;
}

VkResult fake_vkInvalidateMappedMemoryRanges(VkDevice device, uint32_t count,
                                             const VkMappedMemoryRange *ranges) {
  (void)device;
  (void)count;
  (void)ranges;
  FAKE_ENTER();
  return VK_SUCCESS;
}

void fake_vkGetDeviceMemoryCommitment(VkDevice device, VkDeviceMemory memory, VkDeviceSize *out) {
  (void)device;
  *out = FAKE_OBJECT(fake_memory, memory)->size;
}

static VkBufferUsageFlags2 usage_of(const VkBufferCreateInfo *info) {
  for (const VkBaseInStructure *node = info->pNext; node != NULL; node = node->pNext) {
    if (node->sType == VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO) {
      return ((const VkBufferUsageFlags2CreateInfo *)node)->usage;
    }
  }
  return info->usage;
}

VkResult fake_vkCreateBuffer(VkDevice device, const VkBufferCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkBuffer *out) {
  (void)allocator;
  FAKE_ENTER();
  struct fake_buffer *buffer =
      fake_object_new((struct fake_device *)device, "VkBuffer", sizeof *buffer);
  if (buffer == NULL) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  buffer->size = info->size;
  buffer->usage = usage_of(info);
  *out = FAKE_HANDLE(VkBuffer, buffer);
  return VK_SUCCESS;
}

void fake_vkDestroyBuffer(VkDevice device, VkBuffer buffer,
                          const VkAllocationCallbacks *allocator) {
  (void)device;
  (void)allocator;
  fake_object_delete(FAKE_OBJECT(fake_buffer, buffer));
}

VkResult fake_vkBindBufferMemory(VkDevice device, VkBuffer handle, VkDeviceMemory memory,
                                 VkDeviceSize offset) {
  (void)device;
  FAKE_ENTER();
  struct fake_buffer *buffer = FAKE_OBJECT(fake_buffer, handle);
  pthread_mutex_lock(&fake_mutex);
  buffer->memory = FAKE_OBJECT(fake_memory, memory);
  buffer->offset = offset;
  bool fits = offset + buffer->size <= buffer->memory->size;
  pthread_mutex_unlock(&fake_mutex);
  if (!fits) {
    fake_violate("vkBindBufferMemory past the end of the memory");
  }
  return VK_SUCCESS;
}

VkResult fake_vkBindBufferMemory2(VkDevice device, uint32_t count,
                                  const VkBindBufferMemoryInfo *infos) {
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
    result =
        fake_vkBindBufferMemory(device, infos[i].buffer, infos[i].memory, infos[i].memoryOffset);
  }
  return result;
}

static VkMemoryRequirements requirements(uint64_t size) {
  return (VkMemoryRequirements){align(size), ALIGNMENT, ALL_TYPES};
}

static void no_dedication(void *chain) {
  for (VkBaseOutStructure *node = chain; node != NULL; node = node->pNext) {
    if (node->sType == VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS) {
      VkMemoryDedicatedRequirements *dedicated = (void *)node;
      dedicated->prefersDedicatedAllocation = VK_FALSE;
      dedicated->requiresDedicatedAllocation = VK_FALSE;
    }
  }
}

void fake_vkGetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                        VkMemoryRequirements *out) {
  (void)device;
  *out = requirements(FAKE_OBJECT(fake_buffer, buffer)->size);
}

void fake_vkGetBufferMemoryRequirements2(VkDevice device,
                                         const VkBufferMemoryRequirementsInfo2 *info,
                                         VkMemoryRequirements2 *out) {
  no_dedication(out->pNext);
  fake_vkGetBufferMemoryRequirements(device, info->buffer, &out->memoryRequirements);
}

void fake_vkGetDeviceBufferMemoryRequirements(VkDevice device,
                                              const VkDeviceBufferMemoryRequirements *info,
                                              VkMemoryRequirements2 *out) {
  fake_require((struct fake_device *)device, VK_API_VERSION_1_3, FAKE_BIT(FAKE_KHR_maintenance4),
               "vkGetDeviceBufferMemoryRequirements");
  no_dedication(out->pNext);
  out->memoryRequirements = requirements(info->pCreateInfo->size);
}

VkDeviceAddress fake_vkGetBufferDeviceAddress(VkDevice device,
                                              const VkBufferDeviceAddressInfo *info) {
  (void)device;
  const struct fake_buffer *buffer = FAKE_OBJECT(fake_buffer, info->buffer);
  return buffer->memory != NULL ? FAKE_ID(buffer->memory->bytes + buffer->offset) : 0;
}

uint64_t fake_vkGetBufferOpaqueCaptureAddress(VkDevice device,
                                              const VkBufferDeviceAddressInfo *info) {
  return fake_vkGetBufferDeviceAddress(device, info);
}

uint64_t
fake_vkGetDeviceMemoryOpaqueCaptureAddress(VkDevice device,
                                           const VkDeviceMemoryOpaqueCaptureAddressInfo *info) {
  (void)device;
  return FAKE_ID(FAKE_OBJECT(fake_memory, info->memory)->bytes);
}
