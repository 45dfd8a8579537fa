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
  struct vkm_dispatch dispatch = {.kind = VKM_COMMAND_DISPATCH, .groups = {x, y, z}};
  struct vkm_mark *mark = vkm_record_before(cmdbuf, &dispatch);
  cmdbuf->device->table.CmdDispatch(handle, x, y, z);
  vkm_record_after(cmdbuf, mark);
}

typedef void(VKAPI_PTR *dispatch_base)(VkCommandBuffer, uint32_t, uint32_t, uint32_t, uint32_t,
                                       uint32_t, uint32_t);

static void base(VkCommandBuffer handle, struct vkm_cmdbuf *cmdbuf, dispatch_base next,
                 const struct vkm_dispatch *dispatch) {
  struct vkm_mark *mark = cmdbuf ? vkm_record_before(cmdbuf, dispatch) : NULL;
  next(handle, dispatch->base[0], dispatch->base[1], dispatch->base[2], dispatch->groups[0],
       dispatch->groups[1], dispatch->groups[2]);
  if (cmdbuf) {
    vkm_record_after(cmdbuf, mark);
  }
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdDispatchBase(VkCommandBuffer handle, uint32_t base_x,
                                               uint32_t base_y, uint32_t base_z, uint32_t x,
                                               uint32_t y, uint32_t z) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  struct vkm_dispatch dispatch = {
      .kind = VKM_COMMAND_DISPATCH_BASE, .groups = {x, y, z}, .base = {base_x, base_y, base_z}};
  base(handle, cmdbuf, vkm_table_of(handle, cmdbuf)->CmdDispatchBase, &dispatch);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdDispatchBaseKHR(VkCommandBuffer handle, uint32_t base_x,
                                                  uint32_t base_y, uint32_t base_z, uint32_t x,
                                                  uint32_t y, uint32_t z) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  struct vkm_dispatch dispatch = {
      .kind = VKM_COMMAND_DISPATCH_BASE, .groups = {x, y, z}, .base = {base_x, base_y, base_z}};
  base(handle, cmdbuf, vkm_table_of(handle, cmdbuf)->CmdDispatchBaseKHR, &dispatch);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdDispatchIndirect(VkCommandBuffer handle, VkBuffer buffer,
                                                   VkDeviceSize offset) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  struct vkm_dispatch dispatch = {.kind = VKM_COMMAND_DISPATCH_INDIRECT};
  struct vkm_mark *mark = cmdbuf ? vkm_record_before(cmdbuf, &dispatch) : NULL;
  vkm_table_of(handle, cmdbuf)->CmdDispatchIndirect(handle, buffer, offset);
  if (cmdbuf) {
    vkm_record_after(cmdbuf, mark);
  }
}

/* ---- secondaries and labels ---- */

VKAPI_ATTR void VKAPI_CALL vkm_CmdExecuteCommands(VkCommandBuffer handle, uint32_t count,
                                                  const VkCommandBuffer *handles) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  if (cmdbuf) {
    vkm_record_execute(cmdbuf, count, handles);
  }
  vkm_table_of(handle, cmdbuf)->CmdExecuteCommands(handle, count, handles);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdBeginDebugUtilsLabelEXT(VkCommandBuffer handle,
                                                          const VkDebugUtilsLabelEXT *label) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  if (cmdbuf) {
    vkm_record_label_begin(cmdbuf, label->pLabelName);
  }
  vkm_table_of(handle, cmdbuf)->CmdBeginDebugUtilsLabelEXT(handle, label);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdEndDebugUtilsLabelEXT(VkCommandBuffer handle) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  if (cmdbuf) {
    vkm_record_label_end(cmdbuf);
  }
  vkm_table_of(handle, cmdbuf)->CmdEndDebugUtilsLabelEXT(handle);
}

/* ---- where no stamp may be placed ---- */

static void render_pass(struct vkm_cmdbuf *cmdbuf, bool inside) {
  if (cmdbuf) {
    vkm_record_between(cmdbuf, VKM_BETWEEN_WORK);
    cmdbuf->in_render_pass = inside;
  }
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdBeginRenderPass(VkCommandBuffer handle,
                                                  const VkRenderPassBeginInfo *info,
                                                  VkSubpassContents contents) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  render_pass(cmdbuf, true);
  vkm_table_of(handle, cmdbuf)->CmdBeginRenderPass(handle, info, contents);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdBeginRenderPass2(VkCommandBuffer handle,
                                                   const VkRenderPassBeginInfo *info,
                                                   const VkSubpassBeginInfo *subpass) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  render_pass(cmdbuf, true);
  vkm_table_of(handle, cmdbuf)->CmdBeginRenderPass2(handle, info, subpass);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdBeginRenderPass2KHR(VkCommandBuffer handle,
                                                      const VkRenderPassBeginInfo *info,
                                                      const VkSubpassBeginInfo *subpass) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  render_pass(cmdbuf, true);
  vkm_table_of(handle, cmdbuf)->CmdBeginRenderPass2KHR(handle, info, subpass);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdEndRenderPass(VkCommandBuffer handle) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  vkm_table_of(handle, cmdbuf)->CmdEndRenderPass(handle);
  render_pass(cmdbuf, false);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdEndRenderPass2(VkCommandBuffer handle,
                                                 const VkSubpassEndInfo *info) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  vkm_table_of(handle, cmdbuf)->CmdEndRenderPass2(handle, info);
  render_pass(cmdbuf, false);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdEndRenderPass2KHR(VkCommandBuffer handle,
                                                    const VkSubpassEndInfo *info) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  vkm_table_of(handle, cmdbuf)->CmdEndRenderPass2KHR(handle, info);
  render_pass(cmdbuf, false);
}

static void begin_rendering(struct vkm_cmdbuf *cmdbuf, const VkRenderingInfo *info) {
  render_pass(cmdbuf, true);
  if (cmdbuf) {
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
  render_pass(cmdbuf, false);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdEndRenderingKHR(VkCommandBuffer handle) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  vkm_table_of(handle, cmdbuf)->CmdEndRenderingKHR(handle);
  render_pass(cmdbuf, false);
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
