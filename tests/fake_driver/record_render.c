// Recording of render passes, draws and image transfers: enough to see what a layer does around
// them.
//
// In: vkCmd* calls. Out: struct fake_command. Next room: timeline.c.
#include "internal.h"

static void begin_pass(struct fake_cb *cb, const char *name, uint32_t flags) {
  struct fake_command *command = fake_push(cb, KIND_STATE, name);
  command->flags = flags;
  if (cb->in_pass) {
    fake_violate("%s inside a render pass", name);
  }
  if ((fake_family_flags(cb->pool->family) & VK_QUEUE_GRAPHICS_BIT) == 0) {
    fake_violate("%s on a family without GRAPHICS", name);
  }
  cb->in_pass = true;
}

static void end_pass(struct fake_cb *cb, const char *name) {
  fake_push(cb, KIND_STATE, name);
  if (!cb->in_pass) {
    fake_violate("%s outside a render pass", name);
  }
  cb->in_pass = false;
}

void fake_vkCmdBeginRenderPass(VkCommandBuffer buffer, const VkRenderPassBeginInfo *info,
                               VkSubpassContents contents) {
  (void)info;
  FAKE_CB(buffer)
  begin_pass(cb, "vkCmdBeginRenderPass", (uint32_t)contents);
}

void fake_vkCmdBeginRenderPass2(VkCommandBuffer buffer, const VkRenderPassBeginInfo *info,
                                const VkSubpassBeginInfo *begin) {
  (void)info;
  FAKE_CB(buffer)
  begin_pass(cb, "vkCmdBeginRenderPass2", (uint32_t)begin->contents);
}

void fake_vkCmdNextSubpass(VkCommandBuffer buffer, VkSubpassContents contents) {
  (void)contents;
  FAKE_CB(buffer)
  fake_push(cb, KIND_STATE, "vkCmdNextSubpass");
}

void fake_vkCmdNextSubpass2(VkCommandBuffer buffer, const VkSubpassBeginInfo *begin,
                            const VkSubpassEndInfo *end) {
  (void)begin;
  (void)end;
  FAKE_CB(buffer)
  fake_push(cb, KIND_STATE, "vkCmdNextSubpass2");
}

void fake_vkCmdEndRenderPass(VkCommandBuffer buffer) {
  FAKE_CB(buffer)
  end_pass(cb, "vkCmdEndRenderPass");
}

void fake_vkCmdEndRenderPass2(VkCommandBuffer buffer, const VkSubpassEndInfo *end) {
  (void)end;
  FAKE_CB(buffer)
  end_pass(cb, "vkCmdEndRenderPass2");
}

void fake_vkCmdBeginRendering(VkCommandBuffer buffer, const VkRenderingInfo *info) {
  FAKE_CB(buffer)
  fake_require(cb->device, VK_API_VERSION_1_3, FAKE_BIT(FAKE_KHR_dynamic_rendering),
               "vkCmdBeginRendering");
  begin_pass(cb, "vkCmdBeginRendering", info->flags);
  const VkRenderingFlags resuming = info->flags & VK_RENDERING_RESUMING_BIT;
  if (cb->suspended && resuming == 0) {
    fake_violate("vkCmdBeginRendering does not resume the suspended rendering");
  }
  cb->suspended = false;
  cb->suspends = (info->flags & VK_RENDERING_SUSPENDING_BIT) != 0;
}

void fake_vkCmdEndRendering(VkCommandBuffer buffer) {
  FAKE_CB(buffer)
  end_pass(cb, "vkCmdEndRendering");
  cb->suspended = cb->suspends;
  cb->suspends = false;
}

void fake_vkCmdBeginConditionalRenderingEXT(VkCommandBuffer buffer,
                                            const VkConditionalRenderingBeginInfoEXT *info) {
  FAKE_CB(buffer)
  fake_require(cb->device, 0, FAKE_BIT(FAKE_EXT_conditional_rendering),
               "vkCmdBeginConditionalRenderingEXT");
  struct fake_command *command = fake_push(cb, KIND_STATE, "vkCmdBeginConditionalRenderingEXT");
  command->object = FAKE_ID(info->buffer);
  command->offset = info->offset;
  command->flags = info->flags;
  if (cb->conditional) {
    fake_violate("vkCmdBeginConditionalRenderingEXT inside conditional rendering");
  }
  cb->conditional = true;
}

void fake_vkCmdEndConditionalRenderingEXT(VkCommandBuffer buffer) {
  FAKE_CB(buffer)
  fake_push(cb, KIND_STATE, "vkCmdEndConditionalRenderingEXT");
  if (!cb->conditional) {
    fake_violate("vkCmdEndConditionalRenderingEXT outside conditional rendering");
  }
  cb->conditional = false;
}

static struct fake_command *push_draw(struct fake_cb *cb, const char *name) {
  if (!cb->in_pass) {
    fake_violate("%s outside a render pass", name);
  }
  return fake_push(cb, KIND_DRAW, name);
}

void fake_vkCmdDraw(VkCommandBuffer buffer, uint32_t vertices, uint32_t instances,
                    uint32_t first_vertex, uint32_t first_instance) {
  (void)first_vertex;
  (void)first_instance;
  FAKE_CB(buffer)
  struct fake_command *command = push_draw(cb, "vkCmdDraw");
  command->x = vertices;
  command->y = instances;
}

void fake_vkCmdDrawIndexed(VkCommandBuffer buffer, uint32_t indices, uint32_t instances,
                           uint32_t first_index, int32_t offset, uint32_t first_instance) {
  (void)first_index;
  (void)offset;
  (void)first_instance;
  FAKE_CB(buffer)
  struct fake_command *command = push_draw(cb, "vkCmdDrawIndexed");
  command->x = indices;
  command->y = instances;
}

void fake_vkCmdDrawIndirect(VkCommandBuffer buffer, VkBuffer arguments, VkDeviceSize offset,
                            uint32_t count, uint32_t stride) {
  (void)stride;
  FAKE_CB(buffer)
  struct fake_command *command = push_draw(cb, "vkCmdDrawIndirect");
  command->object = FAKE_ID(arguments);
  command->offset = offset;
  command->count = count;
}

void fake_vkCmdDrawIndexedIndirect(VkCommandBuffer buffer, VkBuffer arguments, VkDeviceSize offset,
                                   uint32_t count, uint32_t stride) {
  (void)stride;
  FAKE_CB(buffer)
  struct fake_command *command = push_draw(cb, "vkCmdDrawIndexedIndirect");
  command->object = FAKE_ID(arguments);
  command->offset = offset;
  command->count = count;
}

void fake_vkCmdClearAttachments(VkCommandBuffer buffer, uint32_t count,
                                const VkClearAttachment *attachments, uint32_t rect_count,
                                const VkClearRect *rects) {
  (void)attachments;
  (void)rect_count;
  (void)rects;
  FAKE_CB(buffer)
  push_draw(cb, "vkCmdClearAttachments")->count = count;
}
