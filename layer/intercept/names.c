/* Hooks of names and labels: VK_EXT_debug_utils and the older VK_EXT_debug_marker. In: what people
 * call things. Out: names of pipeline records, phases of recordings and queues. */
#include "base/alloc.h"
#include "choice.h"
#include "device.h"
#include "intercept/commands.h"
#include "intercept/hooks.h"
#include "intercept/kernels.h"

/* ---- names ---- */

static void name_record(struct vkm_device *device, struct vkm_handle_map *map, uint64_t handle,
                        const char *name) {
  struct vkm_pipeline_record *pipeline = vkm_handles_get(map, handle);
  if (pipeline) {
    vkm_device_record_name(device->record, pipeline, name);
    vkm_choice_kernel(device->record, pipeline);
  }
}

static void name_module(struct vkm_device *device, uint64_t handle, const char *name) {
  struct vkm_module *module = vkm_handles_get(&device->objects.modules, handle);
  if (module) { /* externally synchronized with the module */
    vkm_free(module->name);
    module->name = vkm_strdup(name);
  }
}

VKAPI_ATTR VkResult VKAPI_CALL
vkm_SetDebugUtilsObjectNameEXT(VkDevice handle, const VkDebugUtilsObjectNameInfoEXT *info) {
  struct vkm_device *device = vkm_device_of(handle);
  if (vkm_device_active(device) && info->pObjectName) {
    if (info->objectType == VK_OBJECT_TYPE_PIPELINE) {
      name_record(device, &device->objects.pipelines, info->objectHandle, info->pObjectName);
    } else if (info->objectType == VK_OBJECT_TYPE_SHADER_EXT) {
      name_record(device, &device->objects.shaders, info->objectHandle, info->pObjectName);
    } else if (info->objectType == VK_OBJECT_TYPE_SHADER_MODULE) {
      name_module(device, info->objectHandle, info->pObjectName);
    }
  }
  return device->table.SetDebugUtilsObjectNameEXT(handle, info);
}

VKAPI_ATTR VkResult VKAPI_CALL
vkm_DebugMarkerSetObjectNameEXT(VkDevice handle, const VkDebugMarkerObjectNameInfoEXT *info) {
  struct vkm_device *device = vkm_device_of(handle);
  if (vkm_device_active(device) && info->pObjectName) {
    if (info->objectType == VK_DEBUG_REPORT_OBJECT_TYPE_PIPELINE_EXT) {
      name_record(device, &device->objects.pipelines, info->object, info->pObjectName);
    } else if (info->objectType == VK_DEBUG_REPORT_OBJECT_TYPE_SHADER_MODULE_EXT) {
      name_module(device, info->object, info->pObjectName);
    }
  }
  return device->table.DebugMarkerSetObjectNameEXT(handle, info);
}

/* ---- labels of command buffers ---- */

static void label_begin(VkCommandBuffer handle, const char *name) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  if (cmdbuf && cmdbuf->recording) {
    vkm_labels_begin(&cmdbuf->labels, cmdbuf->device->record, name);
  }
}

static void label_end(VkCommandBuffer handle) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  if (cmdbuf && cmdbuf->recording) {
    vkm_labels_end(&cmdbuf->labels);
  }
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdBeginDebugUtilsLabelEXT(VkCommandBuffer handle,
                                                          const VkDebugUtilsLabelEXT *label) {
  label_begin(handle, label->pLabelName);
  vkm_table_of(handle, vkm_cmdbuf_of(handle))->CmdBeginDebugUtilsLabelEXT(handle, label);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdEndDebugUtilsLabelEXT(VkCommandBuffer handle) {
  label_end(handle);
  vkm_table_of(handle, vkm_cmdbuf_of(handle))->CmdEndDebugUtilsLabelEXT(handle);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdDebugMarkerBeginEXT(VkCommandBuffer handle,
                                                      const VkDebugMarkerMarkerInfoEXT *marker) {
  label_begin(handle, marker->pMarkerName);
  vkm_table_of(handle, vkm_cmdbuf_of(handle))->CmdDebugMarkerBeginEXT(handle, marker);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdDebugMarkerEndEXT(VkCommandBuffer handle) {
  label_end(handle);
  vkm_table_of(handle, vkm_cmdbuf_of(handle))->CmdDebugMarkerEndEXT(handle);
}

/* ---- labels of queues ---- */

/* Opens a label, or closes the last one. Under the submissions' lock: a queue that synchronizes
 * itself (VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR) may be labelled and submitted to
 * by several threads at once. */
static void label_queue(struct vkm_device *device, VkQueue queue, bool opens, const char *name) {
  struct vkm_queue *known = vkm_device_active(device) ? vkm_queue_of(device, queue) : NULL;
  if (!known) {
    return;
  }
  pthread_mutex_lock(&device->submissions.lock);
  if (opens) {
    atomic_store_explicit(&device->queues_labelled, true, memory_order_relaxed);
    vkm_labels_begin(&known->labels, device->record, name);
  } else {
    vkm_labels_end(&known->labels);
  }
  pthread_mutex_unlock(&device->submissions.lock);
}

VKAPI_ATTR void VKAPI_CALL vkm_QueueBeginDebugUtilsLabelEXT(VkQueue queue,
                                                            const VkDebugUtilsLabelEXT *label) {
  struct vkm_device *device = vkm_device_of(queue);
  label_queue(device, queue, true, label->pLabelName);
  device->table.QueueBeginDebugUtilsLabelEXT(queue, label);
}

VKAPI_ATTR void VKAPI_CALL vkm_QueueEndDebugUtilsLabelEXT(VkQueue queue) {
  struct vkm_device *device = vkm_device_of(queue);
  label_queue(device, queue, false, NULL);
  device->table.QueueEndDebugUtilsLabelEXT(queue);
}
