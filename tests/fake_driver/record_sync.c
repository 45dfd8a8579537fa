// Recording of barriers, events and queries.
//
// In: vkCmd* calls, checked against family, pass and enabled features. Out: struct fake_command.
// Next room: timeline.c, queries.c.
#include "internal.h"

#include <stdlib.h>

static const VkPipelineStageFlags2 graphics_stages =
    VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
    VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
    VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT |
    VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT;

static void check_stages(const struct fake_cb *cb, VkPipelineStageFlags2 stages, const char *name) {
  VkQueueFlags flags = fake_family_flags(cb->pool->family);
  VkPipelineStageFlags2 bad = 0;
  if ((flags & VK_QUEUE_GRAPHICS_BIT) == 0) {
    bad |= graphics_stages;
  }
  if ((flags & VK_QUEUE_COMPUTE_BIT) == 0) {
    bad |= VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  }
  if ((flags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT)) == 0) {
    bad |= VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
  }
  if ((stages & bad) != 0) {
    fake_violate("%s: stage 0x%llx not supported by the family", name,
                 (unsigned long long)(stages & bad));
  }
}

static void check_synchronization2(struct fake_cb *cb, const char *name) {
  fake_require(cb->device, VK_API_VERSION_1_3, FAKE_BIT(FAKE_KHR_synchronization2), name);
  if (!cb->device->synchronization2) {
    fake_violate("%s without the feature synchronization2", name);
  }
}

// A command whose data is pairs of source and destination stages, one for each dependency.
static struct fake_command *push_pairs(struct fake_cb *cb, enum fake_kind kind, const char *name,
                                       const VkPipelineStageFlags2 (*pairs)[2], uint32_t count) {
  struct fake_command *command = fake_push(cb, kind, name);
  command->count = count;
  for (uint32_t i = 0; i < count; i++) {
    command->src |= pairs[i][0];
    command->dst |= pairs[i][1];
  }
  fake_push_data(cb, command, pairs, count * sizeof *pairs);
  check_stages(cb, command->src | command->dst, name);
  return command;
}

static struct fake_command *push_dependencies(struct fake_cb *cb, enum fake_kind kind,
                                              const char *name, uint32_t info_count,
                                              const VkDependencyInfo *infos) {
  uint32_t total = 0;
  for (uint32_t i = 0; i < info_count; i++) {
    total += infos[i].memoryBarrierCount + infos[i].bufferMemoryBarrierCount +
             infos[i].imageMemoryBarrierCount;
  }
  VkPipelineStageFlags2(*pairs)[2] = calloc(total > 0 ? total : 1, sizeof *pairs);
  if (pairs == NULL) {
    abort();
  }
  uint32_t at = 0;
  for (uint32_t i = 0; i < info_count; i++) {
    for (uint32_t j = 0; j < infos[i].memoryBarrierCount; j++, at++) {
      pairs[at][0] = infos[i].pMemoryBarriers[j].srcStageMask;
      pairs[at][1] = infos[i].pMemoryBarriers[j].dstStageMask;
    }
    for (uint32_t j = 0; j < infos[i].bufferMemoryBarrierCount; j++, at++) {
      pairs[at][0] = infos[i].pBufferMemoryBarriers[j].srcStageMask;
      pairs[at][1] = infos[i].pBufferMemoryBarriers[j].dstStageMask;
    }
    for (uint32_t j = 0; j < infos[i].imageMemoryBarrierCount; j++, at++) {
      pairs[at][0] = infos[i].pImageMemoryBarriers[j].srcStageMask;
      pairs[at][1] = infos[i].pImageMemoryBarriers[j].dstStageMask;
    }
  }
  struct fake_command *command =
      push_pairs(cb, kind, name, (const VkPipelineStageFlags2(*)[2])pairs, total);
  free(pairs);
  return command;
}

void fake_vkCmdPipelineBarrier(VkCommandBuffer buffer, VkPipelineStageFlags src,
                               VkPipelineStageFlags dst, VkDependencyFlags flags,
                               uint32_t memory_count, const VkMemoryBarrier *memories,
                               uint32_t buffer_count, const VkBufferMemoryBarrier *buffers,
                               uint32_t image_count, const VkImageMemoryBarrier *images) {
  (void)memories;
  (void)buffers;
  (void)images;
  FAKE_CB(buffer)
  const VkPipelineStageFlags2 pair[1][2] = {{src, dst}};
  struct fake_command *command = push_pairs(cb, KIND_BARRIER, "vkCmdPipelineBarrier", pair, 1);
  command->flags = flags;
  command->x = memory_count;
  command->y = buffer_count;
  command->z = image_count;
}

void fake_vkCmdPipelineBarrier2(VkCommandBuffer buffer, const VkDependencyInfo *info) {
  FAKE_CB(buffer)
  check_synchronization2(cb, "vkCmdPipelineBarrier2");
  struct fake_command *command =
      push_dependencies(cb, KIND_BARRIER, "vkCmdPipelineBarrier2", 1, info);
  command->flags = info->dependencyFlags;
  command->x = info->memoryBarrierCount;
  command->y = info->bufferMemoryBarrierCount;
  command->z = info->imageMemoryBarrierCount;
}

static void push_event(struct fake_cb *cb, enum fake_kind kind, const char *name, VkEvent event,
                       VkPipelineStageFlags2 stages) {
  struct fake_command *command = fake_push(cb, kind, name);
  command->object = FAKE_ID(event);
  command->src = stages;
  check_stages(cb, stages, name);
}

void fake_vkCmdSetEvent(VkCommandBuffer buffer, VkEvent event, VkPipelineStageFlags stages) {
  FAKE_CB(buffer)
  push_event(cb, KIND_SET_EVENT, "vkCmdSetEvent", event, stages);
}

void fake_vkCmdResetEvent(VkCommandBuffer buffer, VkEvent event, VkPipelineStageFlags stages) {
  FAKE_CB(buffer)
  push_event(cb, KIND_RESET_EVENT, "vkCmdResetEvent", event, stages);
}

void fake_vkCmdSetEvent2(VkCommandBuffer buffer, VkEvent event, const VkDependencyInfo *info) {
  FAKE_CB(buffer)
  check_synchronization2(cb, "vkCmdSetEvent2");
  struct fake_command *command = push_dependencies(cb, KIND_SET_EVENT, "vkCmdSetEvent2", 1, info);
  command->object = FAKE_ID(event);
}

void fake_vkCmdResetEvent2(VkCommandBuffer buffer, VkEvent event, VkPipelineStageFlags2 stages) {
  FAKE_CB(buffer)
  check_synchronization2(cb, "vkCmdResetEvent2");
  push_event(cb, KIND_RESET_EVENT, "vkCmdResetEvent2", event, stages);
}

static void push_wait(struct fake_cb *cb, const char *name, uint32_t count, const VkEvent *events,
                      VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst) {
  struct fake_command *command = fake_push(cb, KIND_WAIT_EVENTS, name);
  command->count = count;
  command->src = src;
  command->dst = dst;
  fake_push_data(cb, command, events, count * sizeof *events);
  check_stages(cb, src | dst, name);
}

void fake_vkCmdWaitEvents(VkCommandBuffer buffer, uint32_t count, const VkEvent *events,
                          VkPipelineStageFlags src, VkPipelineStageFlags dst, uint32_t memory_count,
                          const VkMemoryBarrier *memories, uint32_t buffer_count,
                          const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                          const VkImageMemoryBarrier *images) {
  (void)memory_count;
  (void)memories;
  (void)buffer_count;
  (void)buffers;
  (void)image_count;
  (void)images;
  FAKE_CB(buffer)
  push_wait(cb, "vkCmdWaitEvents", count, events, src, dst);
}

void fake_vkCmdWaitEvents2(VkCommandBuffer buffer, uint32_t count, const VkEvent *events,
                           const VkDependencyInfo *infos) {
  FAKE_CB(buffer)
  check_synchronization2(cb, "vkCmdWaitEvents2");
  VkPipelineStageFlags2 dst = 0;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t j = 0; j < infos[i].memoryBarrierCount; j++) {
      dst |= infos[i].pMemoryBarriers[j].dstStageMask;
    }
    for (uint32_t j = 0; j < infos[i].bufferMemoryBarrierCount; j++) {
      dst |= infos[i].pBufferMemoryBarriers[j].dstStageMask;
    }
    for (uint32_t j = 0; j < infos[i].imageMemoryBarrierCount; j++) {
      dst |= infos[i].pImageMemoryBarriers[j].dstStageMask;
    }
  }
  push_wait(cb, "vkCmdWaitEvents2", count, events, 0, dst);
}

static struct fake_command *push_query(struct fake_cb *cb, enum fake_kind kind, const char *name,
                                       VkQueryPool handle, uint32_t first, uint32_t count) {
  const struct fake_query_pool *pool = FAKE_OBJECT(fake_query_pool, handle);
  struct fake_command *command = fake_push(cb, kind, name);
  command->object = FAKE_ID(handle);
  command->first = first;
  command->count = count;
  if (pool->destroyed) {
    fake_violate("%s with a destroyed query pool", name);
  } else if (first >= pool->count || count > pool->count - first) {
    fake_violate("%s past the end of the query pool", name);
  }
  return command;
}

static void push_stamp(struct fake_cb *cb, const char *name, VkPipelineStageFlags2 stage,
                       VkQueryPool pool, uint32_t query) {
  struct fake_command *command = push_query(cb, KIND_STAMP, name, pool, query, 1);
  command->src = stage;
  check_stages(cb, stage, name);
  if (fake_valid_bits(cb->pool->family) == 0) {
    fake_violate("%s on a family with 0 valid bits", name);
  }
  if (FAKE_OBJECT(fake_query_pool, pool)->type != VK_QUERY_TYPE_TIMESTAMP) {
    fake_violate("%s into a pool of another type", name);
  }
  if ((stage & (stage - 1)) != 0) {
    fake_violate("%s at more than one stage", name);
  }
  if (cb->in_pass) {
    fake_violate("%s inside a render pass", name);
  }
}

void fake_vkCmdWriteTimestamp(VkCommandBuffer buffer, VkPipelineStageFlagBits stage,
                              VkQueryPool pool, uint32_t query) {
  FAKE_CB(buffer)
  push_stamp(cb, "vkCmdWriteTimestamp", stage, pool, query);
}

void fake_vkCmdWriteTimestamp2(VkCommandBuffer buffer, VkPipelineStageFlags2 stage,
                               VkQueryPool pool, uint32_t query) {
  FAKE_CB(buffer)
  check_synchronization2(cb, "vkCmdWriteTimestamp2");
  push_stamp(cb, "vkCmdWriteTimestamp2", stage, pool, query);
}

void fake_vkCmdResetQueryPool(VkCommandBuffer buffer, VkQueryPool pool, uint32_t first,
                              uint32_t count) {
  FAKE_CB(buffer)
  push_query(cb, KIND_RESET_QUERIES, "vkCmdResetQueryPool", pool, first, count);
  const VkQueueFlags able = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT |
                            VK_QUEUE_VIDEO_DECODE_BIT_KHR | VK_QUEUE_VIDEO_ENCODE_BIT_KHR;
  if ((fake_family_flags(cb->pool->family) & able) == 0) {
    fake_violate("vkCmdResetQueryPool on a family without GRAPHICS or COMPUTE");
  }
  if (cb->in_pass) {
    fake_violate("vkCmdResetQueryPool inside a render pass");
  }
}

// One bit for each type that can be begun; types of extensions have large numbers.
static uint32_t type_bit(VkQueryPool handle) {
  return 1U << ((uint32_t)FAKE_OBJECT(fake_query_pool, handle)->type % 31);
}

void fake_vkCmdBeginQuery(VkCommandBuffer buffer, VkQueryPool pool, uint32_t query,
                          VkQueryControlFlags flags) {
  FAKE_CB(buffer)
  push_query(cb, KIND_BEGIN_QUERY, "vkCmdBeginQuery", pool, query, 1)->flags = flags;
  if ((cb->active_queries & type_bit(pool)) != 0) {
    fake_violate("vkCmdBeginQuery while a query of its type is active");
  }
  if ((cb->pool->flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT) != 0) {
    fake_violate("vkCmdBeginQuery in a protected command buffer");
  }
  cb->active_queries |= type_bit(pool);
  fake_performance_begin(cb, FAKE_OBJECT(fake_query_pool, pool));
}

void fake_vkCmdEndQuery(VkCommandBuffer buffer, VkQueryPool pool, uint32_t query) {
  FAKE_CB(buffer)
  push_query(cb, KIND_END_QUERY, "vkCmdEndQuery", pool, query, 1);
  if ((cb->active_queries & type_bit(pool)) == 0) {
    fake_violate("vkCmdEndQuery of a query that is not active");
  }
  cb->active_queries &= ~type_bit(pool);
}

void fake_vkCmdCopyQueryPoolResults(VkCommandBuffer buffer, VkQueryPool pool, uint32_t first,
                                    uint32_t count, VkBuffer target, VkDeviceSize offset,
                                    VkDeviceSize stride, VkQueryResultFlags flags) {
  FAKE_CB(buffer)
  struct fake_command *command =
      push_query(cb, KIND_COPY_QUERIES, "vkCmdCopyQueryPoolResults", pool, first, count);
  command->object2 = FAKE_ID(target);
  command->offset2 = offset;
  command->stride = stride;
  command->flags = flags;
  if (cb->in_pass) {
    fake_violate("vkCmdCopyQueryPoolResults inside a render pass");
  }
  if ((FAKE_OBJECT(fake_buffer, target)->usage & VK_BUFFER_USAGE_TRANSFER_DST_BIT) == 0) {
    fake_violate("vkCmdCopyQueryPoolResults into a buffer without TRANSFER_DST usage");
  }
}
