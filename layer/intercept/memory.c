/* Hooks of device memory: allocation, mapping, ranges made visible. In: the application's calls.
 * Next rooms: memory.c (figures), activity.c (host time). */
#include "memory.h"

#include "device.h"
#include "intercept/hooks.h"
#include "trace_calls.h"

VKAPI_ATTR VkResult VKAPI_CALL vkm_AllocateMemory(VkDevice handle, const VkMemoryAllocateInfo *info,
                                                  const VkAllocationCallbacks *allocator,
                                                  VkDeviceMemory *memory) {
  struct vkm_device *device = vkm_device_of(handle);
  struct vkm_inside inside = vkm_trace_enter(VKM_CALL_AllocateMemory);
  VkResult result = device->table.AllocateMemory(handle, info, allocator, memory);
  vkm_trace_leave(&inside);
  vkm_trace_called(&inside, (struct vkm_called){
                                .device = device, .result = result, .bytes = info->allocationSize});
  if (vkm_device_follows(device)) {
    vkm_memory_allocated(device, info, result, *memory);
  }
  return vkm_device_result(device, result);
}

VKAPI_ATTR void VKAPI_CALL vkm_FreeMemory(VkDevice handle, VkDeviceMemory memory,
                                          const VkAllocationCallbacks *allocator) {
  struct vkm_device *device = vkm_device_of(handle);
  if (vkm_device_follows(device)) {
    vkm_memory_freed(device, memory);
  }
  struct vkm_inside inside = vkm_trace_enter(VKM_CALL_FreeMemory);
  device->table.FreeMemory(handle, memory, allocator);
  vkm_trace_leave(&inside);
  vkm_trace_called(&inside, (struct vkm_called){.device = device});
}

/* ---- mapping ---- */

VKAPI_ATTR VkResult VKAPI_CALL vkm_MapMemory(VkDevice handle, VkDeviceMemory memory,
                                             VkDeviceSize offset, VkDeviceSize size,
                                             VkMemoryMapFlags flags, void **data) {
  struct vkm_device *device = vkm_device_of(handle);
  struct vkm_inside inside = vkm_activity_enter(VKM_CALL_MapMemory);
  VkResult result = device->table.MapMemory(handle, memory, offset, size, flags, data);
  vkm_activity_leave(&inside);
  vkm_trace_called(&inside, (struct vkm_called){.device = device, .result = result, .bytes = size});
  if (result == VK_SUCCESS && vkm_device_follows(device)) {
    vkm_memory_mapped(device, memory, offset, size);
  }
  return vkm_device_result(device, result);
}

static VkResult map2(struct vkm_device *device, PFN_vkMapMemory2 next, const VkMemoryMapInfo *info,
                     void **data) {
  struct vkm_inside inside = vkm_activity_enter(VKM_CALL_MapMemory);
  VkResult result = next(device->handle, info, data);
  vkm_activity_leave(&inside);
  vkm_trace_called(&inside,
                   (struct vkm_called){.device = device, .result = result, .bytes = info->size});
  if (result == VK_SUCCESS && vkm_device_follows(device)) {
    vkm_memory_mapped(device, info->memory, info->offset, info->size);
  }
  return vkm_device_result(device, result);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_MapMemory2(VkDevice handle, const VkMemoryMapInfo *info,
                                              void **data) {
  struct vkm_device *device = vkm_device_of(handle);
  return map2(device, device->table.MapMemory2, info, data);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_MapMemory2KHR(VkDevice handle, const VkMemoryMapInfo *info,
                                                 void **data) {
  struct vkm_device *device = vkm_device_of(handle);
  return map2(device, device->table.MapMemory2KHR, info, data);
}

VKAPI_ATTR void VKAPI_CALL vkm_UnmapMemory(VkDevice handle, VkDeviceMemory memory) {
  struct vkm_device *device = vkm_device_of(handle);
  if (vkm_device_follows(device)) {
    vkm_memory_unmapped(device, memory);
  }
  struct vkm_inside inside = vkm_activity_enter(VKM_CALL_UnmapMemory);
  device->table.UnmapMemory(handle, memory);
  vkm_activity_leave(&inside);
  vkm_trace_called(&inside, (struct vkm_called){.device = device});
}

static VkResult unmap2(struct vkm_device *device, PFN_vkUnmapMemory2 next,
                       const VkMemoryUnmapInfo *info) {
  struct vkm_inside inside = vkm_activity_enter(VKM_CALL_UnmapMemory);
  VkResult result = next(device->handle, info);
  vkm_activity_leave(&inside);
  vkm_trace_result(&inside, device, result);
  if (result == VK_SUCCESS && vkm_device_follows(device)) {
    vkm_memory_unmapped(device, info->memory);
  }
  return vkm_device_result(device, result);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_UnmapMemory2(VkDevice handle, const VkMemoryUnmapInfo *info) {
  struct vkm_device *device = vkm_device_of(handle);
  return unmap2(device, device->table.UnmapMemory2, info);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_UnmapMemory2KHR(VkDevice handle, const VkMemoryUnmapInfo *info) {
  struct vkm_device *device = vkm_device_of(handle);
  return unmap2(device, device->table.UnmapMemory2KHR, info);
}

/* ---- ranges ---- */

VKAPI_ATTR VkResult VKAPI_CALL vkm_FlushMappedMemoryRanges(VkDevice handle, uint32_t count,
                                                           const VkMappedMemoryRange *ranges) {
  struct vkm_device *device = vkm_device_of(handle);
  struct vkm_inside inside = vkm_activity_enter(VKM_CALL_FlushMappedMemoryRanges);
  VkResult result = device->table.FlushMappedMemoryRanges(handle, count, ranges);
  vkm_activity_leave(&inside);
  return vkm_device_result(device, vkm_trace_result(&inside, device, result));
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_InvalidateMappedMemoryRanges(VkDevice handle, uint32_t count,
                                                                const VkMappedMemoryRange *ranges) {
  struct vkm_device *device = vkm_device_of(handle);
  struct vkm_inside inside = vkm_activity_enter(VKM_CALL_InvalidateMappedMemoryRanges);
  VkResult result = device->table.InvalidateMappedMemoryRanges(handle, count, ranges);
  vkm_activity_leave(&inside);
  return vkm_device_result(device, vkm_trace_result(&inside, device, result));
}

/* ---- copies by the host ---- */

#define HOST_COPY(name, listed, type)                                                              \
  VKAPI_ATTR VkResult VKAPI_CALL vkm_##name(VkDevice handle, const type *info) {                   \
    struct vkm_device *device = vkm_device_of(handle);                                             \
    struct vkm_inside inside = vkm_activity_enter(VKM_CALL_##listed);                              \
    VkResult result = device->table.name(handle, info);                                            \
    vkm_activity_leave(&inside);                                                                   \
    return vkm_device_result(device, vkm_trace_result(&inside, device, result));                   \
  }
HOST_COPY(CopyMemoryToImage, CopyMemoryToImage, VkCopyMemoryToImageInfo)
HOST_COPY(CopyMemoryToImageEXT, CopyMemoryToImage, VkCopyMemoryToImageInfo)
HOST_COPY(CopyImageToMemory, CopyImageToMemory, VkCopyImageToMemoryInfo)
HOST_COPY(CopyImageToMemoryEXT, CopyImageToMemory, VkCopyImageToMemoryInfo)
HOST_COPY(CopyImageToImage, CopyImageToImage, VkCopyImageToImageInfo)
HOST_COPY(CopyImageToImageEXT, CopyImageToImage, VkCopyImageToImageInfo)
