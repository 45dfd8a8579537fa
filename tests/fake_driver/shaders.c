// VK_EXT_shader_object, as far as compute goes.
//
// In: create-infos, binds. Out: what the next dispatch costs. Next room: record.c.
#include "internal.h"

// Up to the first failure all are made, from there on all are NULL.
VkResult fake_vkCreateShadersEXT(VkDevice device, uint32_t count,
                                 const VkShaderCreateInfoEXT *infos,
                                 const VkAllocationCallbacks *allocator, VkShaderEXT *out) {
  (void)allocator;
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count; i++) {
    out[i] = VK_NULL_HANDLE;
    result = result == VK_SUCCESS ? fake_enter("vkCreateShadersEXT") : result;
    struct fake_shader *shader =
        result == VK_SUCCESS
            ? fake_object_new((struct fake_device *)device, "VkShaderEXT", sizeof *shader)
            : NULL;
    if (shader != NULL) {
      shader->cost = fake_cost_of(infos[i].pName);
      shader->stage = infos[i].stage;
      out[i] = FAKE_HANDLE(VkShaderEXT, shader);
    }
  }
  return result;
}

void fake_vkDestroyShaderEXT(VkDevice device, VkShaderEXT shader,
                             const VkAllocationCallbacks *allocator) {
  (void)device;
  (void)allocator;
  fake_object_delete(FAKE_OBJECT(fake_shader, shader));
}

void fake_vkCmdBindShadersEXT(VkCommandBuffer buffer, uint32_t count,
                              const VkShaderStageFlagBits *stages, const VkShaderEXT *shaders) {
  FAKE_CB(buffer)
  fake_require(cb->device, 0, FAKE_BIT(FAKE_EXT_shader_object), "vkCmdBindShadersEXT");
  fake_push(cb, KIND_STATE, "vkCmdBindShadersEXT")->count = count;
  for (uint32_t i = 0; i < count; i++) {
    const struct fake_shader *shader =
        shaders != NULL ? FAKE_OBJECT(fake_shader, shaders[i]) : NULL;
    if (shader != NULL && shader->stage != stages[i]) {
      fake_violate("vkCmdBindShadersEXT to another stage");
    }
    if (stages[i] == VK_SHADER_STAGE_COMPUTE_BIT) {
      cb->compute = shader != NULL ? shader->cost : NULL;
    }
  }
}
