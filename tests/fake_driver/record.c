// Recording of state, dispatches and secondaries.
//
// In: vkCmd* calls. Out: struct fake_command in the buffer. Next room: timeline.c runs them.
#include "internal.h"

void fake_vkCmdExecuteCommands(VkCommandBuffer buffer, uint32_t count,
                               const VkCommandBuffer *secondaries) {
  FAKE_CB(buffer)
  struct fake_command *command = fake_push(cb, KIND_EXECUTE, "vkCmdExecuteCommands");
  command->count = count;
  fake_push_data(cb, command, secondaries, count * sizeof *secondaries);
  if (cb->secondary) {
    fake_require(cb->device, 0, FAKE_BIT(FAKE_EXT_nested_command_buffer),
                 "vkCmdExecuteCommands in a secondary");
  }
  for (uint32_t i = 0; i < count; i++) {
    const struct fake_cb *secondary = (struct fake_cb *)secondaries[i];
    if (!secondary->secondary || secondary->state != CB_EXECUTABLE) {
      fake_violate("vkCmdExecuteCommands of a buffer that is not an executable secondary");
    }
  }
  cb->compute = NULL; // state is undefined after secondaries
}

void fake_vkCmdBindPipeline(VkCommandBuffer buffer, VkPipelineBindPoint point, VkPipeline handle) {
  FAKE_CB(buffer)
  struct fake_pipeline *pipeline = FAKE_OBJECT(fake_pipeline, handle);
  struct fake_command *command = fake_push(cb, KIND_STATE, "vkCmdBindPipeline");
  command->object = FAKE_ID(handle);
  command->text = pipeline->cost->entry;
  command->flags = (uint32_t)point;
  if (pipeline->point != point) {
    fake_violate("vkCmdBindPipeline to another bind point");
  }
  if (point == VK_PIPELINE_BIND_POINT_COMPUTE) {
    cb->compute = pipeline->cost;
  }
}

void fake_vkCmdBindDescriptorSets(VkCommandBuffer buffer, VkPipelineBindPoint point,
                                  VkPipelineLayout layout, uint32_t first, uint32_t count,
                                  const VkDescriptorSet *sets, uint32_t dynamic_count,
                                  const uint32_t *dynamics) {
  (void)layout;
  (void)sets;
  (void)dynamic_count;
  (void)dynamics;
  FAKE_CB(buffer)
  struct fake_command *command = fake_push(cb, KIND_STATE, "vkCmdBindDescriptorSets");
  command->flags = (uint32_t)point;
  command->first = first;
  command->count = count;
}

void fake_vkCmdPushConstants(VkCommandBuffer buffer, VkPipelineLayout layout,
                             VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                             const void *values) {
  (void)layout;
  FAKE_CB(buffer)
  struct fake_command *command = fake_push(cb, KIND_STATE, "vkCmdPushConstants");
  command->flags = stages;
  command->offset = offset;
  command->size = size;
  fake_push_data(cb, command, values, size);
}

void fake_vkCmdPushDescriptorSetKHR(VkCommandBuffer buffer, VkPipelineBindPoint point,
                                    VkPipelineLayout layout, uint32_t set, uint32_t count,
                                    const VkWriteDescriptorSet *writes) {
  (void)layout;
  (void)writes;
  FAKE_CB(buffer)
  fake_require(cb->device, 0, FAKE_BIT(FAKE_KHR_push_descriptor), "vkCmdPushDescriptorSetKHR");
  struct fake_command *command = fake_push(cb, KIND_STATE, "vkCmdPushDescriptorSetKHR");
  command->flags = (uint32_t)point;
  command->first = set;
  command->count = count;
}

void fake_vkCmdPushDescriptorSetWithTemplateKHR(VkCommandBuffer buffer,
                                                VkDescriptorUpdateTemplate template_,
                                                VkPipelineLayout layout, uint32_t set,
                                                const void *data) {
  (void)template_;
  (void)layout;
  (void)data;
  FAKE_CB(buffer)
  fake_push(cb, KIND_STATE, "vkCmdPushDescriptorSetWithTemplateKHR")->first = set;
}

void fake_vkCmdBindVertexBuffers(VkCommandBuffer buffer, uint32_t first, uint32_t count,
                                 const VkBuffer *buffers, const VkDeviceSize *offsets) {
  (void)buffers;
  (void)offsets;
  FAKE_CB(buffer)
  struct fake_command *command = fake_push(cb, KIND_STATE, "vkCmdBindVertexBuffers");
  command->first = first;
  command->count = count;
}

void fake_vkCmdBindIndexBuffer(VkCommandBuffer buffer, VkBuffer index, VkDeviceSize offset,
                               VkIndexType type) {
  (void)type;
  FAKE_CB(buffer)
  struct fake_command *command = fake_push(cb, KIND_STATE, "vkCmdBindIndexBuffer");
  command->object = FAKE_ID(index);
  command->offset = offset;
}

void fake_vkCmdSetViewport(VkCommandBuffer buffer, uint32_t first, uint32_t count,
                           const VkViewport *viewports) {
  (void)first;
  (void)viewports;
  FAKE_CB(buffer)
  fake_push(cb, KIND_STATE, "vkCmdSetViewport")->count = count;
}

void fake_vkCmdSetScissor(VkCommandBuffer buffer, uint32_t first, uint32_t count,
                          const VkRect2D *scissors) {
  (void)first;
  (void)scissors;
  FAKE_CB(buffer)
  fake_push(cb, KIND_STATE, "vkCmdSetScissor")->count = count;
}

void fake_vkCmdSetDeviceMask(VkCommandBuffer buffer, uint32_t mask) {
  FAKE_CB(buffer)
  fake_push(cb, KIND_STATE, "vkCmdSetDeviceMask")->flags = mask;
}

static struct fake_command *push_dispatch(struct fake_cb *cb, enum fake_kind kind,
                                          const char *name) {
  struct fake_command *command = fake_push(cb, kind, name);
  if (cb->compute == NULL) {
    fake_violate("%s without a compute pipeline", name);
  } else {
    command->text = cb->compute->entry;
    command->object2 = FAKE_ID(cb->compute);
  }
  if (cb->in_pass) {
    fake_violate("%s inside a render pass", name);
  }
  if ((fake_family_flags(cb->pool->family) & VK_QUEUE_COMPUTE_BIT) == 0) {
    fake_violate("%s on a family without COMPUTE", name);
  }
  return command;
}

void fake_vkCmdDispatch(VkCommandBuffer buffer, uint32_t x, uint32_t y, uint32_t z) {
  FAKE_CB(buffer)
  struct fake_command *command = push_dispatch(cb, KIND_DISPATCH, "vkCmdDispatch");
  command->x = x;
  command->y = y;
  command->z = z;
}

void fake_vkCmdDispatchBase(VkCommandBuffer buffer, uint32_t base_x, uint32_t base_y,
                            uint32_t base_z, uint32_t x, uint32_t y, uint32_t z) {
  FAKE_CB(buffer)
  fake_require(cb->device, VK_API_VERSION_1_1, FAKE_BIT(FAKE_KHR_device_group),
               "vkCmdDispatchBase");
  struct fake_command *command = push_dispatch(cb, KIND_DISPATCH, "vkCmdDispatchBase");
  command->base_x = base_x;
  command->base_y = base_y;
  command->base_z = base_z;
  command->x = x;
  command->y = y;
  command->z = z;
}

void fake_vkCmdDispatchIndirect(VkCommandBuffer buffer, VkBuffer arguments, VkDeviceSize offset) {
  FAKE_CB(buffer)
  struct fake_command *command = push_dispatch(cb, KIND_DISPATCH_INDIRECT, "vkCmdDispatchIndirect");
  command->object = FAKE_ID(arguments);
  command->offset = offset;
  if ((FAKE_OBJECT(fake_buffer, arguments)->usage & VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT) == 0) {
    fake_violate("vkCmdDispatchIndirect from a buffer without INDIRECT_BUFFER usage");
  }
}
