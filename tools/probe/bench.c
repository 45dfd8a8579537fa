/* The self test's objects. In: an opened device. Out: what the patterns need. Next: selftest. */
#include "bench.h"

#include <string.h>

#include "selftest_modules.h"

static int find_memory(struct probe *probe, uint32_t index, uint32_t types) {
  VkPhysicalDeviceMemoryProperties memory;
  probe->table.GetPhysicalDeviceMemoryProperties(probe->devices[index], &memory);
  const VkMemoryPropertyFlags wanted =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (uint32_t i = 0; i < memory.memoryTypeCount; i++) {
    if ((types >> i & 1) != 0 && (memory.memoryTypes[i].propertyFlags & wanted) == wanted) {
      return (int)i;
    }
  }
  return -1;
}

static bool make_storage(struct bench *bench, struct probe *probe, uint32_t index) {
  const VkuDeviceDispatchTable *table = &bench->device.table;
  VkDevice device = bench->device.handle;
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .size = BENCH_RESULT_BYTES,
                             .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
  if (!probe_good(table->CreateBuffer(device, &info, NULL, &bench->storage), "vkCreateBuffer")) {
    return false;
  }
  VkMemoryRequirements needed;
  table->GetBufferMemoryRequirements(device, bench->storage, &needed);
  int type = find_memory(probe, index, needed.memoryTypeBits);
  if (type < 0) {
    probe_say("failed", "finding memory that the host sees\t0");
    return false;
  }
  VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                   .allocationSize = needed.size,
                                   .memoryTypeIndex = (uint32_t)type};
  return probe_good(table->AllocateMemory(device, &allocate, NULL, &bench->memory),
                    "vkAllocateMemory") &&
         probe_good(table->BindBufferMemory(device, bench->storage, bench->memory, 0),
                    "vkBindBufferMemory") &&
         probe_good(
             table->MapMemory(device, bench->memory, 0, VK_WHOLE_SIZE, 0, (void **)&bench->results),
             "vkMapMemory");
}

static bool make_set(struct bench *bench) {
  const VkuDeviceDispatchTable *table = &bench->device.table;
  VkDevice device = bench->device.handle;
  VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                          .descriptorCount = 1,
                                          .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
  VkDescriptorSetLayoutCreateInfo layout = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = 1,
                                            .pBindings = &binding};
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                     .maxSets = 1,
                                     .poolSizeCount = 1,
                                     .pPoolSizes = &size};
  if (!probe_good(table->CreateDescriptorSetLayout(device, &layout, NULL, &bench->set_layout),
                  "vkCreateDescriptorSetLayout") ||
      !probe_good(table->CreateDescriptorPool(device, &pool, NULL, &bench->descriptors),
                  "vkCreateDescriptorPool")) {
    return false;
  }
  VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                          .descriptorPool = bench->descriptors,
                                          .descriptorSetCount = 1,
                                          .pSetLayouts = &bench->set_layout};
  if (!probe_good(table->AllocateDescriptorSets(device, &allocate, &bench->set),
                  "vkAllocateDescriptorSets")) {
    return false;
  }
  VkDescriptorBufferInfo whole = {bench->storage, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                .dstSet = bench->set,
                                .descriptorCount = 1,
                                .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                .pBufferInfo = &whole};
  table->UpdateDescriptorSets(device, 1, &write, 0, NULL);
  return true;
}

static bool make_pipeline(struct bench *bench, int at) {
  const VkuDeviceDispatchTable *table = &bench->device.table;
  VkDevice device = bench->device.handle;
  VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                   .codeSize = selftest_modules[at].size,
                                   .pCode = selftest_modules[at].words};
  VkShaderModule module = VK_NULL_HANDLE;
  if (!probe_good(table->CreateShaderModule(device, &code, NULL, &module),
                  "vkCreateShaderModule")) {
    return false;
  }
  VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = vkm_positions[at].entry_point},
      .layout = bench->layout};
  VkResult result =
      table->CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &bench->pipelines[at]);
  table->DestroyShaderModule(device, module, NULL);
  return probe_good(result, "vkCreateComputePipelines");
}

static bool make_pipelines(struct bench *bench) {
  VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, BENCH_PUSHED * sizeof(uint32_t)};
  VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = 1,
                                       .pSetLayouts = &bench->set_layout,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &range};
  bool good = probe_good(
      bench->device.table.CreatePipelineLayout(bench->device.handle, &layout, NULL, &bench->layout),
      "vkCreatePipelineLayout");
  for (int at = 0; good && at < VKM_POSITION_COUNT; at++) {
    good = make_pipeline(bench, at);
  }
  return good;
}

static bool make_commands(struct bench *bench) {
  const VkuDeviceDispatchTable *table = &bench->device.table;
  VkDevice device = bench->device.handle;
  VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                  .queueFamilyIndex = bench->device.family};
  VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  if (!probe_good(table->CreateCommandPool(device, &pool, NULL, &bench->pool),
                  "vkCreateCommandPool") ||
      !probe_good(table->CreateFence(device, &fence, NULL, &bench->fence), "vkCreateFence")) {
    return false;
  }
  VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .commandPool = bench->pool,
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = 1};
  return probe_good(table->AllocateCommandBuffers(device, &allocate, &bench->buffer),
                    "vkAllocateCommandBuffers");
}

bool bench_make(struct bench *bench, struct probe *probe, uint32_t index) {
  return make_storage(bench, probe, index) && make_set(bench) && make_pipelines(bench) &&
         make_commands(bench);
}

void bench_destroy(struct bench *bench) {
  const VkuDeviceDispatchTable *table = &bench->device.table;
  VkDevice device = bench->device.handle;
  table->DestroyFence(device, bench->fence, NULL);
  table->DestroyCommandPool(device, bench->pool, NULL);
  for (int at = 0; at < VKM_POSITION_COUNT; at++) {
    table->DestroyPipeline(device, bench->pipelines[at], NULL);
  }
  table->DestroyPipelineLayout(device, bench->layout, NULL);
  table->DestroyDescriptorPool(device, bench->descriptors, NULL);
  table->DestroyDescriptorSetLayout(device, bench->set_layout, NULL);
  table->DestroyBuffer(device, bench->storage, NULL);
  table->FreeMemory(device, bench->memory, NULL);
}
