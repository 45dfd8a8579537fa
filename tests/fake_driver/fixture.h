// A device on the fake driver without a loader, and the few steps that every test of it takes.
//
// In: a script (fake_configure text). Out: tables, a queue, a pool, buffers. Owns all that it
// makes.
#ifndef FAKE_FIXTURE_H
#define FAKE_FIXTURE_H

#include "fake_driver.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>
#include <vulkan/utility/vk_dispatch_table.h>

extern "C" PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance instance, const char *name);

struct DeviceOptions {
  uint32_t api = VK_API_VERSION_1_3;
  std::vector<const char *> extensions;
  const void *chain = nullptr;        // nullptr: the usual features
  bool features = true;               // chain the usual features
  VkDeviceQueueCreateFlags flags = 0; // of all queues
};

const uint64_t no_cost = UINT64_MAX; // leaves a pipeline at the default cost

class FakeTest : public ::testing::Test {
protected:
  void SetUp() override {
    fake_reset();
  }

  void TearDown() override {
    CloseDevice();
    CloseInstance();
    if (!expect_violations) {
      for (uint32_t i = 0; i < fake_violation_count(); i++) {
        ADD_FAILURE() << fake_violation(i);
      }
    }
  }

  void CloseDevice() {
    if (device == VK_NULL_HANDLE) {
      return;
    }
    for (auto buffer : buffers) {
      vk.DestroyBuffer(device, buffer, nullptr);
    }
    for (auto memory : memories) {
      vk.FreeMemory(device, memory, nullptr);
    }
    for (auto pipeline : pipelines) {
      vk.DestroyPipeline(device, pipeline, nullptr);
    }
    for (auto command_pool : command_pools) {
      vk.DestroyCommandPool(device, command_pool, nullptr);
    }
    if (module != VK_NULL_HANDLE) {
      vk.DestroyShaderModule(device, module, nullptr);
      vk.DestroyPipelineLayout(device, layout, nullptr);
    }
    vk.DestroyQueryPool(device, queries, nullptr);
    vk.DestroyFence(device, fence, nullptr);
    vk.DestroyDevice(device, nullptr);
    device = VK_NULL_HANDLE;
  }

  void CloseInstance() {
    if (instance != VK_NULL_HANDLE) {
      in.DestroyInstance(instance, nullptr);
      instance = VK_NULL_HANDLE;
    }
  }

  void OpenInstance(uint32_t api = VK_API_VERSION_1_3) {
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = api;
    const char *names[] = {"VK_EXT_debug_utils", "VK_KHR_get_physical_device_properties2"};
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pApplicationInfo = &application;
    info.enabledExtensionCount = 2;
    info.ppEnabledExtensionNames = names;
    info.enabledLayerCount = (uint32_t)layers.size();
    info.ppEnabledLayerNames = layers.data();
    auto create = (PFN_vkCreateInstance)door(nullptr, "vkCreateInstance");
    ASSERT_EQ(create(&info, nullptr, &instance), VK_SUCCESS);
    vkuInitInstanceDispatchTable(instance, &in, door);
    in.CreateDevice = (PFN_vkCreateDevice)door(instance, "vkCreateDevice");
    uint32_t count = 1;
    in.EnumeratePhysicalDevices(instance, &count, &physical);
  }

  VkResult TryDevice(const DeviceOptions &options = {}) {
    if (instance == VK_NULL_HANDLE) {
      OpenInstance(options.api);
    }
    VkPhysicalDeviceVulkan12Features twelve{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan13Features thirteen{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                              &twelve};
    twelve.hostQueryReset = fake_config()->host_query_reset;
    twelve.timelineSemaphore = VK_TRUE;
    thirteen.synchronization2 = VK_TRUE;
    std::vector<float> priorities(16, 1.0F);
    std::vector<VkDeviceQueueCreateInfo> infos;
    for (uint32_t i = 0; i < fake_config()->family_count; i++) {
      VkDeviceQueueCreateInfo queue_info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
      queue_info.flags = options.flags;
      queue_info.queueFamilyIndex = i;
      queue_info.queueCount = fake_config()->families[i].queue_count;
      queue_info.pQueuePriorities = priorities.data();
      infos.push_back(queue_info);
    }
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = options.chain != nullptr ? options.chain : options.features ? &thirteen : nullptr;
    info.queueCreateInfoCount = (uint32_t)infos.size();
    info.pQueueCreateInfos = infos.data();
    info.enabledExtensionCount = (uint32_t)options.extensions.size();
    info.ppEnabledExtensionNames = options.extensions.data();
    VkResult result = in.CreateDevice(physical, &info, nullptr, &device);
    if (result == VK_SUCCESS) {
      auto lookup = (PFN_vkGetDeviceProcAddr)door(instance, "vkGetDeviceProcAddr");
      vkuInitDeviceDispatchTable(device, &vk, lookup);
    }
    return result;
  }

  void Open(const std::string &script = "", const DeviceOptions &options = {}) {
    ASSERT_TRUE(fake_configure(script.c_str())) << script;
    ASSERT_EQ(TryDevice(options), VK_SUCCESS);
    queue = options.flags == 0 ? Queue(0, 0) : VK_NULL_HANDLE;
    queries = NewQueries(64);
    VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    ASSERT_EQ(vk.CreateFence(device, &info, nullptr, &fence), VK_SUCCESS);
  }

  VkQueue Queue(uint32_t family, uint32_t index) {
    VkQueue out = VK_NULL_HANDLE;
    vk.GetDeviceQueue(device, family, index, &out);
    return out;
  }

  // Reset as a whole, by the host where that is enabled.
  VkQueryPool NewQueries(uint32_t count) {
    VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = count;
    VkQueryPool out = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateQueryPool(device, &info, nullptr, &out), VK_SUCCESS);
    if (fake_config()->host_query_reset != 0 && vk.ResetQueryPool != nullptr) {
      vk.ResetQueryPool(device, out, 0, count);
    }
    return out;
  }

  // A compute pipeline whose dispatches cost `fixed` + `each` per group.
  VkPipeline Pipeline(const char *entry, uint64_t fixed, uint64_t each = 0) {
    if (fixed != no_cost) {
      fake_set_cost(entry, fixed, each);
    }
    // An empty "main" of 32 invocations.
    const uint32_t words[] = {0x07230203, 0x00010000, 0,          5, 0, 0x00020011, 1, 0x0003000e,
                              0,          1,          0x0005000f, 5, 1, 0x6e69616d, 0, 0x00060010,
                              1,          17,         32,         1, 1, 0x00020013, 2, 0x00030021,
                              3,          2,          0x00050036, 2, 1, 0,          3, 0x000200f8,
                              4,          0x000100fd, 0x00010038};
    if (module == VK_NULL_HANDLE) {
      VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
      module_info.codeSize = sizeof words;
      module_info.pCode = words;
      vk.CreateShaderModule(device, &module_info, nullptr, &module);
      VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
      vk.CreatePipelineLayout(device, &layout_info, nullptr, &layout);
    }
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = entry;
    info.layout = layout;
    VkPipeline out = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &out),
              VK_SUCCESS);
    pipelines.push_back(out);
    return out;
  }

  // Bound to host-visible memory; *bytes is its mapping.
  VkBuffer Buffer(VkDeviceSize size, void **bytes) {
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
    buffers.push_back(out);
    memories.push_back(memory);
    return out;
  }

  VkCommandPool CommandPool(uint32_t family = 0) {
    VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    info.queueFamilyIndex = family;
    VkCommandPool out = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateCommandPool(device, &info, nullptr, &out), VK_SUCCESS);
    command_pools.push_back(out);
    return out;
  }

  // A buffer that is recording.
  VkCommandBuffer Begin(VkCommandBufferUsageFlags usage = 0, uint32_t family = 0,
                        VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY) {
    VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    info.commandPool = CommandPool(family);
    info.level = level;
    info.commandBufferCount = 1;
    VkCommandBuffer out = VK_NULL_HANDLE;
    EXPECT_EQ(vk.AllocateCommandBuffers(device, &info, &out), VK_SUCCESS);
    VkCommandBufferInheritanceInfo inheritance{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, usage,
                                   &inheritance};
    EXPECT_EQ(vk.BeginCommandBuffer(out, &begin), VK_SUCCESS);
    return out;
  }

  void Stamp(VkCommandBuffer buffer, uint32_t query,
             VkPipelineStageFlagBits stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) {
    vk.CmdWriteTimestamp(buffer, stage, queries, query);
  }

  void Dispatch(VkCommandBuffer buffer, VkPipeline pipeline, uint32_t x = 1, uint32_t y = 1,
                uint32_t z = 1) {
    vk.CmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.CmdDispatch(buffer, x, y, z);
  }

  void Barrier(VkCommandBuffer buffer, VkPipelineStageFlags src, VkPipelineStageFlags dst) {
    vk.CmdPipelineBarrier(buffer, src, dst, 0, 0, nullptr, 0, nullptr, 0, nullptr);
  }

  VkResult Submit(VkCommandBuffer buffer, VkFence with = VK_NULL_HANDLE,
                  VkQueue to = VK_NULL_HANDLE) {
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    info.commandBufferCount = 1;
    info.pCommandBuffers = &buffer;
    return vk.QueueSubmit(to != VK_NULL_HANDLE ? to : queue, 1, &info, with);
  }

  // Ends, submits and waits.
  void Run(VkCommandBuffer buffer) {
    EXPECT_EQ(vk.EndCommandBuffer(buffer), VK_SUCCESS);
    EXPECT_EQ(Submit(buffer, fence), VK_SUCCESS);
    EXPECT_EQ(vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    EXPECT_EQ(vk.ResetFences(device, 1, &fence), VK_SUCCESS);
  }

  // Value, or UINT64_MAX where it is not available.
  uint64_t Read(uint32_t query) {
    uint64_t data[2] = {0, 0};
    vk.GetQueryPoolResults(device, queries, query, 1, sizeof data, data, sizeof data,
                           VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    return data[1] != 0 ? data[0] : UINT64_MAX;
  }

  bool expect_violations = false;
  PFN_vkGetInstanceProcAddr door = vk_icdGetInstanceProcAddr; // or the loader's
  std::vector<const char *> layers;
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkQueryPool queries = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
  VkuInstanceDispatchTable in{};
  VkuDeviceDispatchTable vk{};
  VkShaderModule module = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  std::vector<VkPipeline> pipelines;
  std::vector<VkBuffer> buffers;
  std::vector<VkDeviceMemory> memories;
  std::vector<VkCommandPool> command_pools;
};

#endif
