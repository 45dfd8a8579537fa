// See layer_gpu.h.
#include "layer_gpu.h"

#include <cstdlib>
#include <cstring>
#include <sstream>

std::vector<uint32_t> ComputeModule(const std::string &entry) {
  std::vector<uint32_t> words{0x07230203, 0x00010000, 0, 10, 0};
  auto put = [&words](uint32_t opcode, const std::vector<uint32_t> &operands) {
    words.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | opcode);
    words.insert(words.end(), operands.begin(), operands.end());
  };
  std::vector<uint32_t> name(entry.size() / 4 + 1, 0);
  std::memcpy(name.data(), entry.data(), entry.size());
  std::vector<uint32_t> entry_point{5, 1}; // GLCompute, function 1
  entry_point.insert(entry_point.end(), name.begin(), name.end());
  put(17, {1});              // OpCapability Shader
  put(14, {0, 1});           // OpMemoryModel Logical GLSL450
  put(15, entry_point);      // OpEntryPoint
  put(16, {1, 17, 1, 1, 1}); // OpExecutionMode LocalSize
  put(71, {6, 1, 0});        // OpDecorate SpecId 0
  put(71, {7, 1, 1});        // OpDecorate SpecId 1
  put(19, {2});              // OpTypeVoid
  put(33, {3, 2});           // OpTypeFunction
  put(21, {4, 32, 0});       // OpTypeInt
  put(50, {4, 6, 1});        // OpSpecConstant
  put(50, {4, 7, 1});        // OpSpecConstant
  put(54, {2, 1, 0, 3});     // OpFunction
  put(248, {8});             // OpLabel
  put(128, {4, 9, 6, 7});    // OpIAdd: the constants are used
  put(253, {});              // OpReturn
  put(56, {});               // OpFunctionEnd
  return words;
}

VkResult Gpu::Open(VkInstance instance, const VkuInstanceDispatchTable &in,
                   PFN_vkGetDeviceProcAddr lookup, const GpuOptions &options) {
  (void)instance;
  VkPhysicalDevice devices[8];
  uint32_t count = 8;
  EXPECT_GE(in.EnumeratePhysicalDevices(instance, &count, devices), VK_SUCCESS);
  EXPECT_LT(options.physical_index, count);
  physical = devices[options.physical_index];
  const struct fake_config *config = fake_config();
  VkPhysicalDeviceVulkan12Features twelve{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceVulkan13Features thirteen{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                            &twelve};
  twelve.hostQueryReset = options.host_query_reset;
  twelve.timelineSemaphore = config->timeline_semaphore;
  thirteen.synchronization2 = config->synchronization2;
  std::vector<float> priorities(16, 1.0F);
  std::vector<VkDeviceQueueCreateInfo> infos;
  for (uint32_t i = 0; i < config->family_count; i++) {
    VkDeviceQueueCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    info.queueFamilyIndex = i;
    info.queueCount = config->families[i].queue_count;
    info.pQueuePriorities = priorities.data();
    infos.push_back(info);
  }
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.pNext = options.chain != nullptr ? options.chain : &thirteen;
  info.queueCreateInfoCount = static_cast<uint32_t>(infos.size());
  info.pQueueCreateInfos = infos.data();
  info.enabledExtensionCount = static_cast<uint32_t>(options.extensions.size());
  info.ppEnabledExtensionNames = options.extensions.data();
  VkResult result = in.CreateDevice(physical, &info, nullptr, &device);
  if (result != VK_SUCCESS) {
    device = VK_NULL_HANDLE;
    return result;
  }
  vkuInitDeviceDispatchTable(device, &vk, lookup);
  queue = Queue(0, 0);
  fence = Fence();
  return VK_SUCCESS;
}

void Gpu::Close() {
  if (device == VK_NULL_HANDLE) {
    return;
  }
  for (auto pool : pools_) {
    vk.DestroyCommandPool(device, pool, nullptr);
  }
  for (auto pipeline : pipelines_) {
    vk.DestroyPipeline(device, pipeline, nullptr);
  }
  for (auto buffer : buffers_) {
    vk.DestroyBuffer(device, buffer, nullptr);
  }
  for (auto memory : memories_) {
    vk.FreeMemory(device, memory, nullptr);
  }
  for (auto each : fences_) {
    vk.DestroyFence(device, each, nullptr);
  }
  for (auto pool : query_pools_) {
    vk.DestroyQueryPool(device, pool, nullptr);
  }
  for (auto semaphore : semaphores_) {
    vk.DestroySemaphore(device, semaphore, nullptr);
  }
  vk.DestroyPipelineLayout(device, layout_, nullptr);
  vk.DestroyDevice(device, nullptr);
  *this = Gpu();
}

VkQueue Gpu::Queue(uint32_t family, uint32_t index) {
  VkQueue out = VK_NULL_HANDLE;
  vk.GetDeviceQueue(device, family, index, &out);
  return out;
}

VkPipelineLayout Gpu::Layout() {
  if (layout_ == VK_NULL_HANDLE) {
    VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    EXPECT_EQ(vk.CreatePipelineLayout(device, &info, nullptr, &layout_), VK_SUCCESS);
  }
  return layout_;
}

VkPipeline Gpu::Pipeline(const std::string &entry, uint64_t fixed, uint64_t each,
                         const std::vector<SpecConstant> &constants) {
  fake_set_cost(entry.c_str(), fixed, each);
  std::vector<uint32_t> words = ComputeModule(entry);
  VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  module_info.codeSize = words.size() * sizeof words[0];
  module_info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateShaderModule(device, &module_info, nullptr, &module), VK_SUCCESS);
  std::vector<VkSpecializationMapEntry> entries;
  std::vector<uint32_t> data;
  for (const auto &constant : constants) {
    entries.push_back({constant.id, static_cast<uint32_t>(data.size() * 4), 4});
    data.push_back(constant.value);
  }
  VkSpecializationInfo specialization{static_cast<uint32_t>(entries.size()), entries.data(),
                                      data.size() * 4, data.data()};
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = entry.c_str();
  info.stage.pSpecializationInfo = constants.empty() ? nullptr : &specialization;
  info.layout = Layout();
  VkPipeline out = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &out), VK_SUCCESS);
  vk.DestroyShaderModule(device, module, nullptr);
  pipelines_.push_back(out);
  return out;
}

VkCommandPool Gpu::Pool(uint32_t family, VkCommandPoolCreateFlags flags) {
  VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, flags, family};
  VkCommandPool out = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateCommandPool(device, &info, nullptr, &out), VK_SUCCESS);
  pools_.push_back(out);
  return out;
}

VkCommandBuffer Gpu::Allocate(VkCommandPool pool, VkCommandBufferLevel level) {
  VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                   level, 1};
  VkCommandBuffer out = VK_NULL_HANDLE;
  EXPECT_EQ(vk.AllocateCommandBuffers(device, &info, &out), VK_SUCCESS);
  return out;
}

void Gpu::Start(VkCommandBuffer buffer, VkCommandBufferUsageFlags usage) {
  VkCommandBufferInheritanceInfo inheritance{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, usage,
                                &inheritance};
  EXPECT_EQ(vk.BeginCommandBuffer(buffer, &info), VK_SUCCESS);
}

VkCommandBuffer Gpu::Begin(VkCommandBufferUsageFlags usage, uint32_t family) {
  VkCommandBuffer out = Allocate(Pool(family));
  Start(out, usage);
  return out;
}

VkCommandBuffer Gpu::BeginSecondary(VkCommandBufferUsageFlags usage) {
  VkCommandBuffer out = Allocate(Pool(), VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  Start(out, usage);
  return out;
}

void Gpu::End(VkCommandBuffer buffer) {
  EXPECT_EQ(vk.EndCommandBuffer(buffer), VK_SUCCESS);
}

void Gpu::Bind(VkCommandBuffer buffer, VkPipeline pipeline) {
  vk.CmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
}

void Gpu::Dispatch(VkCommandBuffer buffer, VkPipeline pipeline, uint32_t x, uint32_t y,
                   uint32_t z) {
  Bind(buffer, pipeline);
  vk.CmdDispatch(buffer, x, y, z);
}

void Gpu::Barrier(VkCommandBuffer buffer, VkPipelineStageFlags from, VkPipelineStageFlags to) {
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
                          VK_ACCESS_MEMORY_READ_BIT};
  vk.CmdPipelineBarrier(buffer, from, to, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

VkResult Gpu::Submit(const std::vector<VkCommandBuffer> &buffers, VkFence with, VkQueue to) {
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = static_cast<uint32_t>(buffers.size());
  info.pCommandBuffers = buffers.data();
  return vk.QueueSubmit(to != VK_NULL_HANDLE ? to : queue, 1, &info, with);
}

VkResult Gpu::Wait() {
  VkResult result = vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
  EXPECT_EQ(vk.ResetFences(device, 1, &fence), VK_SUCCESS);
  return result;
}

void Gpu::Run(VkCommandBuffer buffer, VkQueue to) {
  End(buffer);
  EXPECT_EQ(Submit({buffer}, fence, to), VK_SUCCESS);
  EXPECT_EQ(Wait(), VK_SUCCESS);
}

void Gpu::RunOne(VkPipeline pipeline, uint32_t x, VkQueue to) {
  VkCommandBuffer buffer = Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  Dispatch(buffer, pipeline, x);
  Run(buffer, to);
}

VkFence Gpu::Fence() {
  VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence out = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateFence(device, &info, nullptr, &out), VK_SUCCESS);
  fences_.push_back(out);
  return out;
}

VkSemaphore Gpu::Timeline(uint64_t value) {
  VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr,
                                 VK_SEMAPHORE_TYPE_TIMELINE, value};
  VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
  VkSemaphore out = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateSemaphore(device, &info, nullptr, &out), VK_SUCCESS);
  semaphores_.push_back(out);
  return out;
}

VkQueryPool Gpu::Queries(VkQueryType type, uint32_t count, const void *chain) {
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                             chain,
                             0,
                             type,
                             count,
                             VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT};
  VkQueryPool out = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateQueryPool(device, &info, nullptr, &out), VK_SUCCESS);
  query_pools_.push_back(out);
  return out;
}

void Gpu::BeginRendering(VkCommandBuffer buffer, VkRenderingFlags flags) {
  VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.flags = flags;
  info.renderArea.extent = {1, 1};
  info.layerCount = 1;
  vk.CmdBeginRendering(buffer, &info);
}

VkBuffer Gpu::Buffer(VkDeviceSize size, void **bytes) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = size;
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
               VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  VkBuffer out = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateBuffer(device, &info, nullptr, &out), VK_SUCCESS);
  VkMemoryRequirements needs;
  vk.GetBufferMemoryRequirements(device, out, &needs);
  VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needs.size, 1};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  EXPECT_EQ(vk.AllocateMemory(device, &allocate, nullptr, &memory), VK_SUCCESS);
  EXPECT_EQ(vk.BindBufferMemory(device, out, memory, 0), VK_SUCCESS);
  EXPECT_EQ(vk.MapMemory(device, memory, 0, size, 0, bytes), VK_SUCCESS);
  buffers_.push_back(out);
  memories_.push_back(memory);
  return out;
}

std::vector<std::string> Recorded(VkCommandBuffer buffer) {
  char *text = fake_recorded_text(buffer);
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line.substr(0, line.find(" pool=")));
  }
  std::free(text);
  return lines;
}
