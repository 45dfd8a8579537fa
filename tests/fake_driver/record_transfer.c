// Recording of copies, fills and updates.
//
// In: vkCmd* calls. Out: struct fake_command with the regions. Next room: transfer.c moves the
// bytes.
#include "internal.h"

#include <stdlib.h>

static struct fake_command *push_transfer(struct fake_cb *cb, enum fake_kind kind,
                                          const char *name) {
  if (cb->in_pass) {
    fake_violate("%s inside a render pass", name);
  }
  return fake_push(cb, kind, name);
}

static void check_usage(VkBuffer buffer, VkBufferUsageFlags2 usage, const char *name) {
  if ((FAKE_OBJECT(fake_buffer, buffer)->usage & usage) == 0) {
    fake_violate("%s with a buffer without %s usage", name,
                 usage == VK_BUFFER_USAGE_2_TRANSFER_SRC_BIT ? "TRANSFER_SRC" : "TRANSFER_DST");
  }
}

static void push_copy(struct fake_cb *cb, const char *name, VkBuffer source, VkBuffer target,
                      uint32_t count, const VkBufferCopy *regions) {
  struct fake_command *command = push_transfer(cb, KIND_COPY, name);
  command->object = FAKE_ID(source);
  command->object2 = FAKE_ID(target);
  command->count = count;
  for (uint32_t i = 0; i < count; i++) {
    command->size += regions[i].size;
  }
  if (count > 0) {
    command->offset = regions[0].srcOffset;
    command->offset2 = regions[0].dstOffset;
  }
  fake_push_data(cb, command, regions, count * sizeof *regions);
  check_usage(source, VK_BUFFER_USAGE_2_TRANSFER_SRC_BIT, name);
  check_usage(target, VK_BUFFER_USAGE_2_TRANSFER_DST_BIT, name);
}

void fake_vkCmdCopyBuffer(VkCommandBuffer buffer, VkBuffer source, VkBuffer target, uint32_t count,
                          const VkBufferCopy *regions) {
  FAKE_CB(buffer)
  push_copy(cb, "vkCmdCopyBuffer", source, target, count, regions);
}

void fake_vkCmdCopyBuffer2(VkCommandBuffer buffer, const VkCopyBufferInfo2 *info) {
  FAKE_CB(buffer)
  fake_require(cb->device, VK_API_VERSION_1_3, FAKE_BIT(FAKE_KHR_copy_commands2),
               "vkCmdCopyBuffer2");
  VkBufferCopy *regions = calloc(info->regionCount + 1, sizeof *regions);
  if (regions == NULL) {
    abort();
  }
  for (uint32_t i = 0; i < info->regionCount; i++) {
    const VkBufferCopy2 *region = &info->pRegions[i];
    regions[i] = (VkBufferCopy){region->srcOffset, region->dstOffset, region->size};
  }
  push_copy(cb, "vkCmdCopyBuffer2", info->srcBuffer, info->dstBuffer, info->regionCount, regions);
  free(regions);
}

void fake_vkCmdFillBuffer(VkCommandBuffer buffer, VkBuffer target, VkDeviceSize offset,
                          VkDeviceSize size, uint32_t value) {
  FAKE_CB(buffer)
  struct fake_command *command = push_transfer(cb, KIND_FILL, "vkCmdFillBuffer");
  VkDeviceSize rest = FAKE_OBJECT(fake_buffer, target)->size - offset;
  command->object2 = FAKE_ID(target);
  command->offset2 = offset;
  command->size = size == VK_WHOLE_SIZE ? rest / 4 * 4 : size;
  command->flags = value;
  check_usage(target, VK_BUFFER_USAGE_2_TRANSFER_DST_BIT, "vkCmdFillBuffer");
}

void fake_vkCmdUpdateBuffer(VkCommandBuffer buffer, VkBuffer target, VkDeviceSize offset,
                            VkDeviceSize size, const void *data) {
  FAKE_CB(buffer)
  struct fake_command *command = push_transfer(cb, KIND_UPDATE, "vkCmdUpdateBuffer");
  command->object2 = FAKE_ID(target);
  command->offset2 = offset;
  command->size = size;
  fake_push_data(cb, command, data, size);
  check_usage(target, VK_BUFFER_USAGE_2_TRANSFER_DST_BIT, "vkCmdUpdateBuffer");
}

static void push_image(VkCommandBuffer buffer, const char *name, uint64_t source, uint64_t target,
                       uint32_t count) {
  FAKE_CB(buffer)
  struct fake_command *command = push_transfer(cb, KIND_IMAGE_TRANSFER, name);
  command->object = source;
  command->object2 = target;
  command->count = count;
}

void fake_vkCmdCopyImage(VkCommandBuffer buffer, VkImage source, VkImageLayout source_layout,
                         VkImage target, VkImageLayout target_layout, uint32_t count,
                         const VkImageCopy *regions) {
  (void)source_layout;
  (void)target_layout;
  (void)regions;
  push_image(buffer, "vkCmdCopyImage", FAKE_ID(source), FAKE_ID(target), count);
}

void fake_vkCmdBlitImage(VkCommandBuffer buffer, VkImage source, VkImageLayout source_layout,
                         VkImage target, VkImageLayout target_layout, uint32_t count,
                         const VkImageBlit *regions, VkFilter filter) {
  (void)source_layout;
  (void)target_layout;
  (void)regions;
  (void)filter;
  push_image(buffer, "vkCmdBlitImage", FAKE_ID(source), FAKE_ID(target), count);
}

void fake_vkCmdResolveImage(VkCommandBuffer buffer, VkImage source, VkImageLayout source_layout,
                            VkImage target, VkImageLayout target_layout, uint32_t count,
                            const VkImageResolve *regions) {
  (void)source_layout;
  (void)target_layout;
  (void)regions;
  push_image(buffer, "vkCmdResolveImage", FAKE_ID(source), FAKE_ID(target), count);
}

void fake_vkCmdCopyBufferToImage(VkCommandBuffer buffer, VkBuffer source, VkImage target,
                                 VkImageLayout layout, uint32_t count,
                                 const VkBufferImageCopy *regions) {
  (void)layout;
  (void)regions;
  push_image(buffer, "vkCmdCopyBufferToImage", FAKE_ID(source), FAKE_ID(target), count);
}

void fake_vkCmdCopyImageToBuffer(VkCommandBuffer buffer, VkImage source, VkImageLayout layout,
                                 VkBuffer target, uint32_t count,
                                 const VkBufferImageCopy *regions) {
  (void)layout;
  (void)regions;
  push_image(buffer, "vkCmdCopyImageToBuffer", FAKE_ID(source), FAKE_ID(target), count);
}

void fake_vkCmdClearColorImage(VkCommandBuffer buffer, VkImage image, VkImageLayout layout,
                               const VkClearColorValue *color, uint32_t count,
                               const VkImageSubresourceRange *ranges) {
  (void)layout;
  (void)color;
  (void)ranges;
  push_image(buffer, "vkCmdClearColorImage", 0, FAKE_ID(image), count);
}

void fake_vkCmdClearDepthStencilImage(VkCommandBuffer buffer, VkImage image, VkImageLayout layout,
                                      const VkClearDepthStencilValue *value, uint32_t count,
                                      const VkImageSubresourceRange *ranges) {
  (void)layout;
  (void)value;
  (void)ranges;
  push_image(buffer, "vkCmdClearDepthStencilImage", 0, FAKE_ID(image), count);
}
