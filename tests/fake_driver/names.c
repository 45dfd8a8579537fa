// Debug-utils and debug-marker names and labels. Labels of command buffers are recorded; the rest
// is accepted.
//
// In: calls. Out: commands in the recording.
#include "internal.h"

VkResult fake_vkSetDebugUtilsObjectNameEXT(VkDevice device,
                                           const VkDebugUtilsObjectNameInfoEXT *info) {
  (void)device;
  (void)info;
  FAKE_ENTER();
  return VK_SUCCESS;
}

VkResult fake_vkSetDebugUtilsObjectTagEXT(VkDevice device,
                                          const VkDebugUtilsObjectTagInfoEXT *info) {
  (void)device;
  (void)info;
  FAKE_ENTER();
  return VK_SUCCESS;
}

void fake_vkQueueBeginDebugUtilsLabelEXT(VkQueue queue, const VkDebugUtilsLabelEXT *label) {
  (void)label;
  fake_queue_enter((struct fake_queue *)queue, "vkQueueBeginDebugUtilsLabelEXT");
  fake_queue_leave((struct fake_queue *)queue);
}

void fake_vkQueueEndDebugUtilsLabelEXT(VkQueue queue) {
  fake_queue_enter((struct fake_queue *)queue, "vkQueueEndDebugUtilsLabelEXT");
  fake_queue_leave((struct fake_queue *)queue);
}

void fake_vkQueueInsertDebugUtilsLabelEXT(VkQueue queue, const VkDebugUtilsLabelEXT *label) {
  (void)label;
  fake_queue_enter((struct fake_queue *)queue, "vkQueueInsertDebugUtilsLabelEXT");
  fake_queue_leave((struct fake_queue *)queue);
}

static void push_label(struct fake_cb *cb, const char *name, const char *text) {
  struct fake_command *command = fake_push(cb, KIND_STATE, name);
  command->text = fake_push_text(cb, text);
}

void fake_vkCmdBeginDebugUtilsLabelEXT(VkCommandBuffer buffer, const VkDebugUtilsLabelEXT *label) {
  FAKE_CB(buffer)
  push_label(cb, "vkCmdBeginDebugUtilsLabelEXT", label->pLabelName);
}

void fake_vkCmdInsertDebugUtilsLabelEXT(VkCommandBuffer buffer, const VkDebugUtilsLabelEXT *label) {
  FAKE_CB(buffer)
  push_label(cb, "vkCmdInsertDebugUtilsLabelEXT", label->pLabelName);
}

void fake_vkCmdEndDebugUtilsLabelEXT(VkCommandBuffer buffer) {
  FAKE_CB(buffer)
  fake_push(cb, KIND_STATE, "vkCmdEndDebugUtilsLabelEXT");
}

// VK_EXT_debug_marker: the same, before VK_EXT_debug_utils.

VkResult fake_vkDebugMarkerSetObjectTagEXT(VkDevice device,
                                           const VkDebugMarkerObjectTagInfoEXT *info) {
  (void)device;
  (void)info;
  FAKE_ENTER();
  return VK_SUCCESS;
}

VkResult fake_vkDebugMarkerSetObjectNameEXT(VkDevice device,
                                            const VkDebugMarkerObjectNameInfoEXT *info) {
  (void)device;
  (void)info;
  FAKE_ENTER();
  return VK_SUCCESS;
}

void fake_vkCmdDebugMarkerBeginEXT(VkCommandBuffer buffer,
                                   const VkDebugMarkerMarkerInfoEXT *marker) {
  FAKE_CB(buffer)
  push_label(cb, "vkCmdDebugMarkerBeginEXT", marker->pMarkerName);
}

void fake_vkCmdDebugMarkerInsertEXT(VkCommandBuffer buffer,
                                    const VkDebugMarkerMarkerInfoEXT *marker) {
  FAKE_CB(buffer)
  push_label(cb, "vkCmdDebugMarkerInsertEXT", marker->pMarkerName);
}

void fake_vkCmdDebugMarkerEndEXT(VkCommandBuffer buffer) {
  FAKE_CB(buffer)
  fake_push(cb, KIND_STATE, "vkCmdDebugMarkerEndEXT");
}
