/* Hooks of recording. Each finds its command buffer, calls one verb of timing/record and the
 * driver. Commands that are neither dispatches nor state setting get a generated hook
 * (interrupts.inc, from the registry): they end the chain in which one stamp serves two dispatches.
 */
#include "intercept/commands.h"

#include "device.h"
#include "intercept/hooks.h"

VKAPI_ATTR VkResult VKAPI_CALL vkm_BeginCommandBuffer(VkCommandBuffer handle,
                                                      const VkCommandBufferBeginInfo *info) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  VkResult result = vkm_table_of(handle, cmdbuf)->BeginCommandBuffer(handle, info);
  if (cmdbuf && result == VK_SUCCESS) {
    vkm_record_begin(cmdbuf, info);
  }
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_EndCommandBuffer(VkCommandBuffer handle) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  if (cmdbuf) {
    vkm_record_end(cmdbuf);
  }
  VkResult result = vkm_table_of(handle, cmdbuf)->EndCommandBuffer(handle);
  if (cmdbuf && result != VK_SUCCESS) {
    vkm_record_drop(cmdbuf); /* the command buffer is invalid now */
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdBindPipeline(VkCommandBuffer handle, VkPipelineBindPoint point,
                                               VkPipeline pipeline) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  if (cmdbuf && cmdbuf->recording && point == VK_PIPELINE_BIND_POINT_COMPUTE) {
    cmdbuf->pipeline = vkm_pipeline_of(cmdbuf->device, pipeline);
  }
  vkm_table_of(handle, cmdbuf)->CmdBindPipeline(handle, point, pipeline);
}

/* ---- dispatches ---- */

VKAPI_ATTR void VKAPI_CALL vkm_CmdDispatch(VkCommandBuffer handle, uint32_t x, uint32_t y,
                                           uint32_t z) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  if (!cmdbuf) {
    vkm_table_of(handle, NULL)->CmdDispatch(handle, x, y, z);
    return;
  }
  struct vkm_work work = {.kind = VKM_KIND_DISPATCH, .groups = {x, y, z}};
  struct vkm_mark *mark = vkm_record_before(cmdbuf, &work);
  cmdbuf->device->table.CmdDispatch(handle, x, y, z);
  vkm_record_after(cmdbuf, mark);
}

typedef void(VKAPI_PTR *dispatch_base)(VkCommandBuffer, uint32_t, uint32_t, uint32_t, uint32_t,
                                       uint32_t, uint32_t);

static void base(VkCommandBuffer handle, struct vkm_cmdbuf *cmdbuf, dispatch_base next,
                 const struct vkm_work *work) {
  struct vkm_mark *mark = cmdbuf ? vkm_record_before(cmdbuf, work) : NULL;
  next(handle, work->base[0], work->base[1], work->base[2], work->groups[0], work->groups[1],
       work->groups[2]);
  if (cmdbuf) {
    vkm_record_after(cmdbuf, mark);
  }
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdDispatchBase(VkCommandBuffer handle, uint32_t base_x,
                                               uint32_t base_y, uint32_t base_z, uint32_t x,
                                               uint32_t y, uint32_t z) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  struct vkm_work work = {
      .kind = VKM_KIND_DISPATCH_BASE, .groups = {x, y, z}, .base = {base_x, base_y, base_z}};
  base(handle, cmdbuf, vkm_table_of(handle, cmdbuf)->CmdDispatchBase, &work);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdDispatchBaseKHR(VkCommandBuffer handle, uint32_t base_x,
                                                  uint32_t base_y, uint32_t base_z, uint32_t x,
                                                  uint32_t y, uint32_t z) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  struct vkm_work work = {
      .kind = VKM_KIND_DISPATCH_BASE, .groups = {x, y, z}, .base = {base_x, base_y, base_z}};
  base(handle, cmdbuf, vkm_table_of(handle, cmdbuf)->CmdDispatchBaseKHR, &work);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdDispatchIndirect(VkCommandBuffer handle, VkBuffer buffer,
                                                   VkDeviceSize offset) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  struct vkm_work work = {.kind = VKM_KIND_DISPATCH_INDIRECT};
  if (cmdbuf) {
    work.base[0] = vkm_indirect_copy(cmdbuf, buffer, offset);
  }
  struct vkm_mark *mark = cmdbuf ? vkm_record_before(cmdbuf, &work) : NULL;
  vkm_table_of(handle, cmdbuf)->CmdDispatchIndirect(handle, buffer, offset);
  if (cmdbuf) {
    vkm_record_after(cmdbuf, mark);
  }
}

/* ---- secondaries ---- */

VKAPI_ATTR void VKAPI_CALL vkm_CmdExecuteCommands(VkCommandBuffer handle, uint32_t count,
                                                  const VkCommandBuffer *handles) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  if (cmdbuf) {
    vkm_record_execute(cmdbuf, count, handles);
  }
  vkm_table_of(handle, cmdbuf)->CmdExecuteCommands(handle, count, handles);
}

/* ---- render passes, as a whole ---- */

static void pass_begin(struct vkm_cmdbuf *cmdbuf) {
  if (cmdbuf) {
    vkm_record_pass_begin(cmdbuf, true);
  }
}

static void pass_end(struct vkm_cmdbuf *cmdbuf) {
  if (cmdbuf) {
    vkm_record_pass_end(cmdbuf);
  }
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdBeginRenderPass(VkCommandBuffer handle,
                                                  const VkRenderPassBeginInfo *info,
                                                  VkSubpassContents contents) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  pass_begin(cmdbuf);
  vkm_table_of(handle, cmdbuf)->CmdBeginRenderPass(handle, info, contents);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdBeginRenderPass2(VkCommandBuffer handle,
                                                   const VkRenderPassBeginInfo *info,
                                                   const VkSubpassBeginInfo *subpass) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  pass_begin(cmdbuf);
  vkm_table_of(handle, cmdbuf)->CmdBeginRenderPass2(handle, info, subpass);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdBeginRenderPass2KHR(VkCommandBuffer handle,
                                                      const VkRenderPassBeginInfo *info,
                                                      const VkSubpassBeginInfo *subpass) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  pass_begin(cmdbuf);
  vkm_table_of(handle, cmdbuf)->CmdBeginRenderPass2KHR(handle, info, subpass);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdEndRenderPass(VkCommandBuffer handle) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  vkm_table_of(handle, cmdbuf)->CmdEndRenderPass(handle);
  pass_end(cmdbuf);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdEndRenderPass2(VkCommandBuffer handle,
                                                 const VkSubpassEndInfo *info) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  vkm_table_of(handle, cmdbuf)->CmdEndRenderPass2(handle, info);
  pass_end(cmdbuf);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdEndRenderPass2KHR(VkCommandBuffer handle,
                                                    const VkSubpassEndInfo *info) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  vkm_table_of(handle, cmdbuf)->CmdEndRenderPass2KHR(handle, info);
  pass_end(cmdbuf);
}

static void begin_rendering(struct vkm_cmdbuf *cmdbuf, const VkRenderingInfo *info) {
  if (cmdbuf) {
    VkRenderingFlags broken = VK_RENDERING_SUSPENDING_BIT | VK_RENDERING_RESUMING_BIT;
    vkm_record_pass_begin(cmdbuf, !(info->flags & broken));
    cmdbuf->rendering_suspended = info->flags & VK_RENDERING_SUSPENDING_BIT;
  }
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdBeginRendering(VkCommandBuffer handle,
                                                 const VkRenderingInfo *info) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  begin_rendering(cmdbuf, info);
  vkm_table_of(handle, cmdbuf)->CmdBeginRendering(handle, info);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdBeginRenderingKHR(VkCommandBuffer handle,
                                                    const VkRenderingInfo *info) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  begin_rendering(cmdbuf, info);
  vkm_table_of(handle, cmdbuf)->CmdBeginRenderingKHR(handle, info);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdEndRendering(VkCommandBuffer handle) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  vkm_table_of(handle, cmdbuf)->CmdEndRendering(handle);
  pass_end(cmdbuf);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdEndRenderingKHR(VkCommandBuffer handle) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  vkm_table_of(handle, cmdbuf)->CmdEndRenderingKHR(handle);
  pass_end(cmdbuf);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdBeginQuery(VkCommandBuffer handle, VkQueryPool pool,
                                             uint32_t query, VkQueryControlFlags flags) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  if (cmdbuf) {
    vkm_record_between(cmdbuf, VKM_BETWEEN_WORK);
    if (cmdbuf->recording && vkm_is_performance_pool(cmdbuf->device, pool)) {
      cmdbuf->performance_query = true;
    }
  }
  vkm_table_of(handle, cmdbuf)->CmdBeginQuery(handle, pool, query, flags);
}

/* ---- conditional rendering ---- */

VKAPI_ATTR void VKAPI_CALL vkm_CmdBeginConditionalRenderingEXT(
    VkCommandBuffer handle, const VkConditionalRenderingBeginInfoEXT *info) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  if (cmdbuf) {
    vkm_record_between(cmdbuf, VKM_BETWEEN_WORK);
    cmdbuf->conditional = true;
  }
  vkm_table_of(handle, cmdbuf)->CmdBeginConditionalRenderingEXT(handle, info);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdEndConditionalRenderingEXT(VkCommandBuffer handle) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  if (cmdbuf) {
    vkm_record_between(cmdbuf, VKM_BETWEEN_WORK);
    cmdbuf->conditional = false;
  }
  vkm_table_of(handle, cmdbuf)->CmdEndConditionalRenderingEXT(handle);
}
