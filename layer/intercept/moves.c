/* Directions and bytes of what moves bytes, see moves.h. */
#include "intercept/moves.h"

#include "device.h"
#include "formats.h"
#include "measure/moves.h"
#include "resources.h"

/* ---- ends ---- */

static const struct vkm_resource *buffer_of(struct vkm_device *device, VkBuffer buffer) {
  return vkm_handles_get(&device->objects.buffers, VKM_HANDLE(buffer));
}

static const struct vkm_resource *image_of(struct vkm_device *device, VkImage image) {
  return vkm_handles_get(&device->objects.images, VKM_HANDLE(image));
}

static enum vkm_place place_of(const struct vkm_resource *resource) {
  return resource ? resource->place : VKM_PLACE_UNKNOWN;
}

static void note_direction(struct vkm_work *work, enum vkm_place from, enum vkm_place to) {
  bool shared = from == VKM_PLACE_SHARED || to == VKM_PLACE_SHARED;
  enum vkm_direction direction = VKM_DIRECTION_UNKNOWN;
  if (from != VKM_PLACE_UNKNOWN && to != VKM_PLACE_UNKNOWN) {
    if (from == VKM_PLACE_HOST) {
      direction = to == VKM_PLACE_HOST ? VKM_DIRECTION_H2H : VKM_DIRECTION_H2D;
    } else {
      direction = to == VKM_PLACE_HOST ? VKM_DIRECTION_D2H : VKM_DIRECTION_D2D;
    }
  }
  work->groups[VKM_MOVE_DIRECTION] = direction;
  work->groups[VKM_MOVE_SHARED] = shared;
}

static void note_fill(struct vkm_work *work, const struct vkm_resource *to) {
  work->groups[VKM_MOVE_DIRECTION] = VKM_DIRECTION_FILL;
  work->groups[VKM_MOVE_SHARED] = place_of(to) == VKM_PLACE_SHARED;
}

static void note_bytes(struct vkm_work *work, uint64_t bytes) {
  work->groups[VKM_MOVE_KNOWN] = 1;
  work->base[0] = (uint32_t)bytes;
  work->base[1] = (uint32_t)(bytes >> 32);
}

/* ---- images ---- */

static uint32_t layers_of(const struct vkm_resource *image,
                          const VkImageSubresourceLayers *subresource) {
  return subresource->layerCount == VK_REMAINING_ARRAY_LAYERS
             ? image->array_layers - subresource->baseArrayLayer
             : subresource->layerCount;
}

/* Between an image and a buffer. False: not known. */
static bool add_region(const struct vkm_resource *image,
                       const VkImageSubresourceLayers *subresource, VkExtent3D extent,
                       uint64_t *bytes) {
  uint64_t layer_bytes = 0;
  if (!image || !vkm_format_bytes(image->format, subresource->aspectMask, extent, &layer_bytes)) {
    return false;
  }
  *bytes += layer_bytes * layers_of(image, subresource);
  return true;
}

/* Between two images. Layers of an array become slices of a 3D image and the other way round: then
 * either count is the same, and is not to be taken twice. */
static bool add_image_region(const struct vkm_resource *from,
                             const VkImageSubresourceLayers *subresource, VkExtent3D extent,
                             uint64_t *bytes) {
  uint64_t slice_bytes = 0;
  VkExtent3D slice = {extent.width, extent.height, 1};
  if (!from || !vkm_format_bytes(from->format, subresource->aspectMask, slice, &slice_bytes)) {
    return false;
  }
  uint32_t layers = layers_of(from, subresource);
  uint32_t slices = extent.depth > layers ? extent.depth : layers;
  *bytes += slice_bytes * slices * from->samples;
  return true;
}

/* ---- commands ---- */

void vkm_moved_CopyBuffer(struct vkm_device *device, struct vkm_work *work, VkBuffer from,
                          VkBuffer to, uint32_t count, const VkBufferCopy *regions) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < count; i++) {
    bytes += regions[i].size;
  }
  note_direction(work, place_of(buffer_of(device, from)), place_of(buffer_of(device, to)));
  note_bytes(work, bytes);
}

void vkm_moved_CopyBuffer2(struct vkm_device *device, struct vkm_work *work,
                           const VkCopyBufferInfo2 *info) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < info->regionCount; i++) {
    bytes += info->pRegions[i].size;
  }
  note_direction(work, place_of(buffer_of(device, info->srcBuffer)),
                 place_of(buffer_of(device, info->dstBuffer)));
  note_bytes(work, bytes);
}

/* The older and the newer structures of regions have the same members. */
#define ADD_REGIONS(add, image, regions, count, layers, extent)                                    \
  uint64_t bytes = 0;                                                                              \
  bool known = true;                                                                               \
  for (uint32_t i = 0; i < (count); i++) {                                                         \
    known = add(image, &(regions)[i].layers, (regions)[i].extent, &bytes) && known;                \
  }                                                                                                \
  if (known) {                                                                                     \
    note_bytes(work, bytes);                                                                       \
  }

void vkm_moved_CopyImage(struct vkm_device *device, struct vkm_work *work, VkImage from,
                         VkImageLayout from_layout, VkImage to, VkImageLayout to_layout,
                         uint32_t count, const VkImageCopy *regions) {
  (void)from_layout;
  (void)to_layout;
  const struct vkm_resource *source = image_of(device, from);
  note_direction(work, place_of(source), place_of(image_of(device, to)));
  ADD_REGIONS(add_image_region, source, regions, count, srcSubresource, extent)
}

void vkm_moved_CopyImage2(struct vkm_device *device, struct vkm_work *work,
                          const VkCopyImageInfo2 *info) {
  const struct vkm_resource *source = image_of(device, info->srcImage);
  note_direction(work, place_of(source), place_of(image_of(device, info->dstImage)));
  ADD_REGIONS(add_image_region, source, info->pRegions, info->regionCount, srcSubresource, extent)
}

void vkm_moved_CopyBufferToImage(struct vkm_device *device, struct vkm_work *work, VkBuffer from,
                                 VkImage to, VkImageLayout layout, uint32_t count,
                                 const VkBufferImageCopy *regions) {
  (void)layout;
  const struct vkm_resource *image = image_of(device, to);
  note_direction(work, place_of(buffer_of(device, from)), place_of(image));
  ADD_REGIONS(add_region, image, regions, count, imageSubresource, imageExtent)
}

void vkm_moved_CopyBufferToImage2(struct vkm_device *device, struct vkm_work *work,
                                  const VkCopyBufferToImageInfo2 *info) {
  const struct vkm_resource *image = image_of(device, info->dstImage);
  note_direction(work, place_of(buffer_of(device, info->srcBuffer)), place_of(image));
  ADD_REGIONS(add_region, image, info->pRegions, info->regionCount, imageSubresource, imageExtent)
}

void vkm_moved_CopyImageToBuffer(struct vkm_device *device, struct vkm_work *work, VkImage from,
                                 VkImageLayout layout, VkBuffer to, uint32_t count,
                                 const VkBufferImageCopy *regions) {
  (void)layout;
  const struct vkm_resource *image = image_of(device, from);
  note_direction(work, place_of(image), place_of(buffer_of(device, to)));
  ADD_REGIONS(add_region, image, regions, count, imageSubresource, imageExtent)
}

void vkm_moved_CopyImageToBuffer2(struct vkm_device *device, struct vkm_work *work,
                                  const VkCopyImageToBufferInfo2 *info) {
  const struct vkm_resource *image = image_of(device, info->srcImage);
  note_direction(work, place_of(image), place_of(buffer_of(device, info->dstBuffer)));
  ADD_REGIONS(add_region, image, info->pRegions, info->regionCount, imageSubresource, imageExtent)
}

/* Queries are the device's; what a query of each type writes is not followed. */
void vkm_moved_CopyQueryPoolResults(struct vkm_device *device, struct vkm_work *work,
                                    VkQueryPool pool, uint32_t first, uint32_t count, VkBuffer to,
                                    VkDeviceSize offset, VkDeviceSize stride,
                                    VkQueryResultFlags flags) {
  (void)pool;
  (void)first;
  (void)count;
  (void)offset;
  (void)stride;
  (void)flags;
  note_direction(work, VKM_PLACE_DEVICE, place_of(buffer_of(device, to)));
}

void vkm_moved_FillBuffer(struct vkm_device *device, struct vkm_work *work, VkBuffer to,
                          VkDeviceSize offset, VkDeviceSize size, uint32_t value) {
  (void)value;
  const struct vkm_resource *buffer = buffer_of(device, to);
  note_fill(work, buffer);
  if (size != VK_WHOLE_SIZE) {
    note_bytes(work, size);
  } else if (buffer && buffer->size_bytes >= offset) {
    note_bytes(work, (buffer->size_bytes - offset) / 4 * 4);
  }
}

/* The bytes are the host's: they come with the command. */
void vkm_moved_UpdateBuffer(struct vkm_device *device, struct vkm_work *work, VkBuffer to,
                            VkDeviceSize offset, VkDeviceSize size, const void *data) {
  (void)offset;
  (void)data;
  note_direction(work, VKM_PLACE_HOST, place_of(buffer_of(device, to)));
  note_bytes(work, size);
}

/* What a blit or a resolve reads depends on its filter, scale and samples: no bytes. */
static void between_images(struct vkm_device *device, struct vkm_work *work, VkImage from,
                           VkImage to) {
  note_direction(work, place_of(image_of(device, from)), place_of(image_of(device, to)));
}

void vkm_moved_BlitImage(struct vkm_device *device, struct vkm_work *work, VkImage from,
                         VkImageLayout from_layout, VkImage to, VkImageLayout to_layout,
                         uint32_t count, const VkImageBlit *regions, VkFilter filter) {
  (void)from_layout;
  (void)to_layout;
  (void)count;
  (void)regions;
  (void)filter;
  between_images(device, work, from, to);
}

void vkm_moved_BlitImage2(struct vkm_device *device, struct vkm_work *work,
                          const VkBlitImageInfo2 *info) {
  between_images(device, work, info->srcImage, info->dstImage);
}

void vkm_moved_ResolveImage(struct vkm_device *device, struct vkm_work *work, VkImage from,
                            VkImageLayout from_layout, VkImage to, VkImageLayout to_layout,
                            uint32_t count, const VkImageResolve *regions) {
  (void)from_layout;
  (void)to_layout;
  (void)count;
  (void)regions;
  between_images(device, work, from, to);
}

void vkm_moved_ResolveImage2(struct vkm_device *device, struct vkm_work *work,
                             const VkResolveImageInfo2 *info) {
  between_images(device, work, info->srcImage, info->dstImage);
}

/* How a clear is done (compressed, by metadata) is the driver's: no bytes. */
void vkm_moved_ClearColorImage(struct vkm_device *device, struct vkm_work *work, VkImage to,
                               VkImageLayout layout, const VkClearColorValue *color, uint32_t count,
                               const VkImageSubresourceRange *ranges) {
  (void)layout;
  (void)color;
  (void)count;
  (void)ranges;
  note_fill(work, image_of(device, to));
}

void vkm_moved_ClearDepthStencilImage(struct vkm_device *device, struct vkm_work *work, VkImage to,
                                      VkImageLayout layout, const VkClearDepthStencilValue *value,
                                      uint32_t count, const VkImageSubresourceRange *ranges) {
  (void)layout;
  (void)value;
  (void)count;
  (void)ranges;
  note_fill(work, image_of(device, to));
}
