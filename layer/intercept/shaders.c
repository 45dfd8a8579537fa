/* Hooks of shader objects (VK_EXT_shader_object): compute stages are kernels like any pipeline. In:
 * create-infos and binds. Out: pipeline records. */
#include "device.h"
#include "intercept/commands.h"
#include "intercept/hooks.h"
#include "intercept/kernels.h"
#include "trace_calls.h"

static uint32_t push_constant_bytes(const VkShaderCreateInfoEXT *info) {
  uint32_t bytes = 0;
  for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
    const VkPushConstantRange *range = &info->pPushConstantRanges[i];
    if (range->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT && range->offset + range->size > bytes) {
      bytes = range->offset + range->size;
    }
  }
  return bytes;
}

static void remember(struct vkm_device *device, const VkShaderCreateInfoEXT *info,
                     VkShaderEXT handle, int64_t wall_ns) {
  struct vkm_module *module = NULL;
  struct vkm_kernel_source source = {.entry_point = info->pName,
                                     .specialization = info->pSpecializationInfo,
                                     .stage_chain = info->pNext,
                                     .push_constant_bytes = push_constant_bytes(info)};
  if (info->codeType == VK_SHADER_CODE_TYPE_SPIRV_EXT) {
    module = vkm_module_create(info->pCode, info->codeSize);
    source.no_module_reason = module ? NULL : "out of memory";
  } else {
    source.no_module_reason = "a shader object made of a binary";
  }
  source.module = module;
  static const struct vkm_profile_compile compile = {
      .not_captured_reason = "a shader object, which has no such statistics",
      .no_feedback_reason = "a shader object, which has no such feedback"};
  struct vkm_pipeline_record *known = vkm_kernel_remember(device, &source, wall_ns, &compile);
  vkm_module_destroy(module);
  if (known && !vkm_handles_put(&device->objects.shaders, VKM_HANDLE(handle), known)) {
    return; /* its dispatches will say that no pipeline is known */
  }
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateShadersEXT(VkDevice handle, uint32_t count,
                                                    const VkShaderCreateInfoEXT *infos,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkShaderEXT *shaders) {
  struct vkm_device *device = vkm_device_of(handle);
  struct vkm_inside inside = vkm_activity_enter(VKM_CALL_CreateShadersEXT);
  VkResult result = device->table.CreateShadersEXT(handle, count, infos, allocator, shaders);
  int64_t wall_ns = vkm_activity_leave(&inside);
  vkm_trace_called(
      &inside,
      (struct vkm_called){.device = device, .result = result, .made = result >= 0 ? count : 0});
  for (uint32_t i = 0; i < count && vkm_device_active(device); i++) {
    /* Also after a failure: shaders before the failing one are valid (see
     * vkCreateComputePipelines).
     */
    if (infos[i].stage == VK_SHADER_STAGE_COMPUTE_BIT && shaders[i] &&
        (result >= 0 || !vkm_handles_get(&device->objects.shaders, VKM_HANDLE(shaders[i])))) {
      remember(device, &infos[i], shaders[i], wall_ns / count);
    }
  }
  return vkm_device_result(device, result);
}

VKAPI_ATTR void VKAPI_CALL vkm_DestroyShaderEXT(VkDevice handle, VkShaderEXT shader,
                                                const VkAllocationCallbacks *allocator) {
  struct vkm_device *device = vkm_device_of(handle);
  if (shader && device->profiled) {
    vkm_handles_take(&device->objects.shaders, VKM_HANDLE(shader));
  }
  device->table.DestroyShaderEXT(handle, shader, allocator);
}

VKAPI_ATTR void VKAPI_CALL vkm_CmdBindShadersEXT(VkCommandBuffer handle, uint32_t count,
                                                 const VkShaderStageFlagBits *stages,
                                                 const VkShaderEXT *shaders) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  for (uint32_t i = 0; cmdbuf && cmdbuf->recording && i < count; i++) {
    if (stages[i] == VK_SHADER_STAGE_COMPUTE_BIT) {
      cmdbuf->pipeline = shaders && shaders[i] ? vkm_handles_get(&cmdbuf->device->objects.shaders,
                                                                 VKM_HANDLE(shaders[i]))
                                               : NULL;
    }
  }
  vkm_table_of(handle, cmdbuf)->CmdBindShadersEXT(handle, count, stages, shaders);
}
