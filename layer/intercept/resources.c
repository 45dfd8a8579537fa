/* Hooks of buffers and images: where they lie, for the directions and bytes of copies. In: creation
 * and binding. Out: records by handle; one that found no memory is unknown. */
#include "resources.h"

#include "base/alloc.h"
#include "device.h"
#include "intercept/hooks.h"

static void keep(struct vkm_handle_map *map, uint64_t handle, const struct vkm_resource *facts) {
  struct vkm_resource *resource = vkm_alloc(sizeof *resource);
  if (resource) {
    *resource = *facts;
    if (!vkm_handles_put(map, handle, resource)) {
      vkm_free(resource);
    }
  }
}

static void bind(struct vkm_device *device, struct vkm_handle_map *map, uint64_t handle,
                 VkDeviceMemory memory) {
  struct vkm_resource *resource = vkm_handles_get(map, handle);
  const struct vkm_allocation *allocation =
      memory ? vkm_handles_get(&device->objects.memories, VKM_HANDLE(memory)) : NULL;
  if (!resource || resource->sparse || !allocation) {
    return;
  }
  VkMemoryPropertyFlags flags = device->record->memory.types[allocation->type].propertyFlags;
  if (!(flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)) {
    resource->place = VKM_PLACE_HOST;
  } else {
    resource->place =
        flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT ? VKM_PLACE_SHARED : VKM_PLACE_DEVICE;
  }
}

/* ---- buffers ---- */

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateBuffer(VkDevice handle, const VkBufferCreateInfo *info,
                                                const VkAllocationCallbacks *allocator,
                                                VkBuffer *buffer) {
  struct vkm_device *device = vkm_device_of(handle);
  VkBufferCreateInfo more = *info;
  more.usage |= vkm_indirect_usage(device, info);
  VkResult result = device->table.CreateBuffer(handle, more.usage == info->usage ? info : &more,
                                               allocator, buffer);
  if (result == VK_SUCCESS && vkm_device_follows(device)) {
    keep(&device->objects.buffers, VKM_HANDLE(*buffer),
         &(struct vkm_resource){.size_bytes = info->size,
                                .copyable = more.usage & VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                .sparse = info->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT});
  }
  return vkm_device_result(device, result);
}

VKAPI_ATTR void VKAPI_CALL vkm_DestroyBuffer(VkDevice handle, VkBuffer buffer,
                                             const VkAllocationCallbacks *allocator) {
  struct vkm_device *device = vkm_device_of(handle);
  if (buffer && vkm_device_follows(device)) {
    vkm_free(vkm_handles_take(&device->objects.buffers, VKM_HANDLE(buffer)));
  }
  device->table.DestroyBuffer(handle, buffer, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_BindBufferMemory(VkDevice handle, VkBuffer buffer,
                                                    VkDeviceMemory memory, VkDeviceSize offset) {
  struct vkm_device *device = vkm_device_of(handle);
  VkResult result = device->table.BindBufferMemory(handle, buffer, memory, offset);
  if (result == VK_SUCCESS && vkm_device_follows(device)) {
    bind(device, &device->objects.buffers, VKM_HANDLE(buffer), memory);
  }
  return vkm_device_result(device, result);
}

static VkResult bind_buffers(struct vkm_device *device, PFN_vkBindBufferMemory2 next,
                             uint32_t count, const VkBindBufferMemoryInfo *infos) {
  VkResult result = next(device->handle, count, infos);
  for (uint32_t i = 0; result == VK_SUCCESS && vkm_device_follows(device) && i < count; i++) {
    bind(device, &device->objects.buffers, VKM_HANDLE(infos[i].buffer), infos[i].memory);
  }
  return vkm_device_result(device, result);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_BindBufferMemory2(VkDevice handle, uint32_t count,
                                                     const VkBindBufferMemoryInfo *infos) {
  struct vkm_device *device = vkm_device_of(handle);
  return bind_buffers(device, device->table.BindBufferMemory2, count, infos);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_BindBufferMemory2KHR(VkDevice handle, uint32_t count,
                                                        const VkBindBufferMemoryInfo *infos) {
  struct vkm_device *device = vkm_device_of(handle);
  return bind_buffers(device, device->table.BindBufferMemory2KHR, count, infos);
}

/* The same edit where an application asks before it creates. */
static void requirements(struct vkm_device *device, PFN_vkGetDeviceBufferMemoryRequirements next,
                         const VkDeviceBufferMemoryRequirements *info, VkMemoryRequirements2 *out) {
  VkBufferCreateInfo more = *info->pCreateInfo;
  VkDeviceBufferMemoryRequirements changed = *info;
  more.usage |= vkm_indirect_usage(device, info->pCreateInfo);
  changed.pCreateInfo = &more;
  next(device->handle, more.usage == info->pCreateInfo->usage ? info : &changed, out);
}

VKAPI_ATTR void VKAPI_CALL vkm_GetDeviceBufferMemoryRequirements(
    VkDevice handle, const VkDeviceBufferMemoryRequirements *info, VkMemoryRequirements2 *out) {
  struct vkm_device *device = vkm_device_of(handle);
  requirements(device, device->table.GetDeviceBufferMemoryRequirements, info, out);
}

VKAPI_ATTR void VKAPI_CALL vkm_GetDeviceBufferMemoryRequirementsKHR(
    VkDevice handle, const VkDeviceBufferMemoryRequirements *info, VkMemoryRequirements2 *out) {
  struct vkm_device *device = vkm_device_of(handle);
  requirements(device, device->table.GetDeviceBufferMemoryRequirementsKHR, info, out);
}

/* ---- images ---- */

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateImage(VkDevice handle, const VkImageCreateInfo *info,
                                               const VkAllocationCallbacks *allocator,
                                               VkImage *image) {
  struct vkm_device *device = vkm_device_of(handle);
  VkResult result = device->table.CreateImage(handle, info, allocator, image);
  if (result == VK_SUCCESS && vkm_device_follows(device)) {
    keep(&device->objects.images, VKM_HANDLE(*image),
         &(struct vkm_resource){.format = info->format,
                                .array_layers = info->arrayLayers,
                                .samples = (uint32_t)info->samples,
                                .sparse = info->flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT});
  }
  return vkm_device_result(device, result);
}

VKAPI_ATTR void VKAPI_CALL vkm_DestroyImage(VkDevice handle, VkImage image,
                                            const VkAllocationCallbacks *allocator) {
  struct vkm_device *device = vkm_device_of(handle);
  if (image && vkm_device_follows(device)) {
    vkm_free(vkm_handles_take(&device->objects.images, VKM_HANDLE(image)));
  }
  device->table.DestroyImage(handle, image, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_BindImageMemory(VkDevice handle, VkImage image,
                                                   VkDeviceMemory memory, VkDeviceSize offset) {
  struct vkm_device *device = vkm_device_of(handle);
  VkResult result = device->table.BindImageMemory(handle, image, memory, offset);
  if (result == VK_SUCCESS && vkm_device_follows(device)) {
    bind(device, &device->objects.images, VKM_HANDLE(image), memory);
  }
  return vkm_device_result(device, result);
}

static VkResult bind_images(struct vkm_device *device, PFN_vkBindImageMemory2 next, uint32_t count,
                            const VkBindImageMemoryInfo *infos) {
  VkResult result = next(device->handle, count, infos);
  for (uint32_t i = 0; result == VK_SUCCESS && vkm_device_follows(device) && i < count; i++) {
    bind(device, &device->objects.images, VKM_HANDLE(infos[i].image), infos[i].memory);
  }
  return vkm_device_result(device, result);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_BindImageMemory2(VkDevice handle, uint32_t count,
                                                    const VkBindImageMemoryInfo *infos) {
  struct vkm_device *device = vkm_device_of(handle);
  return bind_images(device, device->table.BindImageMemory2, count, infos);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_BindImageMemory2KHR(VkDevice handle, uint32_t count,
                                                       const VkBindImageMemoryInfo *infos) {
  struct vkm_device *device = vkm_device_of(handle);
  return bind_images(device, device->table.BindImageMemory2KHR, count, infos);
}
