/* In: an open device. Out: buffers, kernels and command buffers on it. Next: the program submits
 * them. */
#include <string.h>

#include "gpu.h"

static uint32_t memory_type(const struct gpu *gpu, uint32_t allowed, VkMemoryPropertyFlags wanted) {
  for (uint32_t i = 0; i < gpu->memory.memoryTypeCount; i++) {
    if ((allowed & (1U << i)) != 0 &&
        (gpu->memory.memoryTypes[i].propertyFlags & wanted) == wanted) {
      return i;
    }
  }
  gpu_die("the device has no memory with properties 0x%x", wanted);
}

struct gpu_buffer gpu_buffer_create(const struct gpu *gpu, VkDeviceSize size_bytes, bool on_host) {
  struct gpu_buffer buffer = {.size_bytes = size_bytes};
  VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = size_bytes,
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
  };
  gpu_check(vkCreateBuffer(gpu->device, &info, NULL, &buffer.buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(gpu->device, buffer.buffer, &needs);
  VkMemoryPropertyFlags wanted =
      on_host ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
              : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  VkMemoryAllocateInfo allocation = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = needs.size,
      .memoryTypeIndex = memory_type(gpu, needs.memoryTypeBits, wanted),
  };
  gpu_check(vkAllocateMemory(gpu->device, &allocation, NULL, &buffer.memory), "vkAllocateMemory");
  gpu_check(vkBindBufferMemory(gpu->device, buffer.buffer, buffer.memory, 0), "vkBindBufferMemory");
  if (on_host) {
    gpu_check(vkMapMemory(gpu->device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.mapped),
              "vkMapMemory");
    memset(buffer.mapped, 0, size_bytes);
  }
  return buffer;
}

void gpu_buffer_destroy(const struct gpu *gpu, struct gpu_buffer *buffer) {
  vkDestroyBuffer(gpu->device, buffer->buffer, NULL);
  vkFreeMemory(gpu->device, buffer->memory, NULL);
}

static void create_layouts(const struct gpu *gpu, struct gpu_kernel *kernel) {
  VkDescriptorSetLayoutBinding bindings[GPU_BUFFER_CAP] = {0};
  for (uint32_t i = 0; i < kernel->buffer_count; i++) {
    bindings[i] = (VkDescriptorSetLayoutBinding){
        .binding = i,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
    };
  }
  VkDescriptorSetLayoutCreateInfo set = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = kernel->buffer_count,
      .pBindings = bindings,
  };
  gpu_check(vkCreateDescriptorSetLayout(gpu->device, &set, NULL, &kernel->set_layout),
            "vkCreateDescriptorSetLayout");
  VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, kernel->push_bytes};
  VkPipelineLayoutCreateInfo layout = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = 1,
      .pSetLayouts = &kernel->set_layout,
      .pushConstantRangeCount = kernel->push_bytes > 0 ? 1 : 0,
      .pPushConstantRanges = &range,
  };
  gpu_check(vkCreatePipelineLayout(gpu->device, &layout, NULL, &kernel->layout),
            "vkCreatePipelineLayout");
}

static void set_name(const struct gpu *gpu, VkObjectType type, uint64_t handle, const char *name) {
  if (gpu->set_name != NULL && name != NULL) {
    VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = name,
    };
    gpu_check(gpu->set_name(gpu->device, &info), "vkSetDebugUtilsObjectNameEXT");
  }
}

struct gpu_kernel gpu_kernel_create(const struct gpu *gpu, const struct gpu_kernel_info *info) {
  struct gpu_kernel kernel = {.push_bytes = info->push_bytes, .buffer_count = info->buffer_count};
  create_layouts(gpu, &kernel);
  VkShaderModuleCreateInfo module = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
      .codeSize = info->code_bytes,
      .pCode = info->code,
  };
  if (!info->without_module) {
    gpu_check(vkCreateShaderModule(gpu->device, &module, NULL, &kernel.module),
              "vkCreateShaderModule");
  }
  VkComputePipelineCreateInfo pipeline = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .flags = info->flags,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .pNext = info->without_module ? &module : NULL,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = kernel.module,
                .pName = "main",
                .pSpecializationInfo = info->specialization},
      .layout = kernel.layout,
  };
  gpu_check(
      vkCreateComputePipelines(gpu->device, VK_NULL_HANDLE, 1, &pipeline, NULL, &kernel.pipeline),
      "vkCreateComputePipelines");
  if (!info->without_module) {
    set_name(gpu, VK_OBJECT_TYPE_SHADER_MODULE, (uint64_t)kernel.module, info->name);
  }
  set_name(gpu, VK_OBJECT_TYPE_PIPELINE, (uint64_t)kernel.pipeline, info->name);
  return kernel;
}

void gpu_kernel_destroy(const struct gpu *gpu, struct gpu_kernel *kernel) {
  vkDestroyPipeline(gpu->device, kernel->pipeline, NULL);
  vkDestroyShaderModule(gpu->device, kernel->module, NULL);
  vkDestroyPipelineLayout(gpu->device, kernel->layout, NULL);
  vkDestroyDescriptorSetLayout(gpu->device, kernel->set_layout, NULL);
}

VkDescriptorSet gpu_bind_buffers(const struct gpu *gpu, const struct gpu_kernel *kernel,
                                 const struct gpu_buffer *const buffers[]) {
  VkDescriptorSetAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
      .descriptorPool = gpu->descriptors,
      .descriptorSetCount = 1,
      .pSetLayouts = &kernel->set_layout,
  };
  VkDescriptorSet set = VK_NULL_HANDLE;
  gpu_check(vkAllocateDescriptorSets(gpu->device, &info, &set), "vkAllocateDescriptorSets");
  for (uint32_t i = 0; i < kernel->buffer_count; i++) {
    VkDescriptorBufferInfo range = {buffers[i]->buffer, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set,
        .dstBinding = i,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = &range,
    };
    vkUpdateDescriptorSets(gpu->device, 1, &write, 0, NULL);
  }
  return set;
}

VkCommandPool gpu_pool_create(const struct gpu *gpu, VkCommandPoolCreateFlags flags) {
  VkCommandPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
      .flags = flags,
      .queueFamilyIndex = gpu->family,
  };
  VkCommandPool pool = VK_NULL_HANDLE;
  gpu_check(vkCreateCommandPool(gpu->device, &info, NULL, &pool), "vkCreateCommandPool");
  return pool;
}

VkCommandBuffer gpu_commands_create(const struct gpu *gpu, VkCommandPool pool,
                                    VkCommandBufferLevel level) {
  VkCommandBufferAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = pool,
      .level = level,
      .commandBufferCount = 1,
  };
  VkCommandBuffer commands = VK_NULL_HANDLE;
  gpu_check(vkAllocateCommandBuffers(gpu->device, &info, &commands), "vkAllocateCommandBuffers");
  return commands;
}

void gpu_commands_begin(VkCommandBuffer commands, VkCommandBufferUsageFlags flags) {
  VkCommandBufferInheritanceInfo inheritance = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
  };
  VkCommandBufferBeginInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
      .flags = flags,
      .pInheritanceInfo = &inheritance,
  };
  gpu_check(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

void gpu_commands_end(VkCommandBuffer commands) {
  gpu_check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

void gpu_use(VkCommandBuffer commands, const struct gpu_kernel *kernel, VkDescriptorSet set,
             const void *push) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->layout, 0, 1, &set, 0,
                          NULL);
  if (kernel->push_bytes > 0) {
    vkCmdPushConstants(commands, kernel->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, kernel->push_bytes,
                       push);
  }
}

void gpu_barrier(VkCommandBuffer commands) {
  VkMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                       VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT |
                       VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_HOST_READ_BIT,
  };
  vkCmdPipelineBarrier(commands,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT |
                           VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                       0, 1, &barrier, 0, NULL, 0, NULL);
}

void gpu_run(const struct gpu *gpu, VkCommandBuffer commands) {
  VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  gpu_check(vkCreateFence(gpu->device, &info, NULL, &fence), "vkCreateFence");
  VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .commandBufferCount = 1,
      .pCommandBuffers = &commands,
  };
  gpu_check(vkQueueSubmit(gpu->queue, 1, &submit, fence), "vkQueueSubmit");
  gpu_check(vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, 60000000000ULL), "vkWaitForFences");
  vkDestroyFence(gpu->device, fence, NULL);
}

void gpu_label_begin(const struct gpu *gpu, VkCommandBuffer commands, const char *name) {
  if (gpu->begin_label != NULL) {
    VkDebugUtilsLabelEXT label = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
        .pLabelName = name,
    };
    gpu->begin_label(commands, &label);
  }
}

void gpu_label_end(const struct gpu *gpu, VkCommandBuffer commands) {
  if (gpu->end_label != NULL) {
    gpu->end_label(commands);
  }
}
