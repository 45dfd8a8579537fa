// A device on the scripted driver, reached through the loader and the layer, and the few steps that
// every test takes with it.
//
// In: an instance. Out: tables, queues, pipelines, command buffers. Owns all that it makes until
// Close. One thread, unless a test says otherwise. Next room: layer_test_case.h.
#ifndef LAYER_GPU_H
#define LAYER_GPU_H

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <vulkan/utility/vk_dispatch_table.h>

#include "fake_driver.h"

struct GpuOptions {
  std::vector<const char *> extensions;
  const void *chain = nullptr;          // replaces the usual features
  VkBool32 host_query_reset = VK_FALSE; // what the application itself asks for
  uint32_t physical_index = 0;
};

struct SpecConstant {
  uint32_t id, value;
};

// A compute module with one entry point of that name, local size 1 1 1, and the specialization
// constants 0 and 1 with the default 1.
std::vector<uint32_t> ComputeModule(const std::string &entry);

class Gpu {
public:
  // All queues of all families; timeline semaphores and synchronization2 as far as offered.
  VkResult Open(VkInstance instance, const VkuInstanceDispatchTable &in,
                PFN_vkGetDeviceProcAddr lookup, const GpuOptions &options = {});
  // Destroys everything that was made here, then the device.
  void Close();

  VkQueue Queue(uint32_t family, uint32_t index);
  // Of ComputeModule. Dispatches of it cost `fixed` + `each` a group on the scripted driver.
  VkPipeline Pipeline(const std::string &entry, uint64_t fixed, uint64_t each = 0,
                      const std::vector<SpecConstant> &constants = {});
  // Ours to destroy at Close.
  void Own(VkPipeline pipeline) {
    pipelines_.push_back(pipeline);
  }
  VkPipelineLayout Layout(); // without sets and push constants
  VkCommandPool
  Pool(uint32_t family = 0,
       VkCommandPoolCreateFlags flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT);
  VkCommandBuffer Allocate(VkCommandPool pool,
                           VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  void Start(VkCommandBuffer buffer, VkCommandBufferUsageFlags usage = 0);
  // A primary of a pool of its own, recording.
  VkCommandBuffer Begin(VkCommandBufferUsageFlags usage = 0, uint32_t family = 0);
  // A secondary of a pool of its own, recording.
  VkCommandBuffer BeginSecondary(VkCommandBufferUsageFlags usage = 0);
  void End(VkCommandBuffer buffer);
  void Bind(VkCommandBuffer buffer, VkPipeline pipeline);
  void Dispatch(VkCommandBuffer buffer, VkPipeline pipeline, uint32_t x = 1, uint32_t y = 1,
                uint32_t z = 1);
  // Memory barrier between stages.
  void Barrier(VkCommandBuffer buffer,
               VkPipelineStageFlags from = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
               VkPipelineStageFlags to = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  VkResult Submit(const std::vector<VkCommandBuffer> &buffers, VkFence with = VK_NULL_HANDLE,
                  VkQueue to = VK_NULL_HANDLE);
  VkResult Wait(); // for `fence`, then resets it
  // Ends, submits with the fence and waits for it.
  void Run(VkCommandBuffer buffer, VkQueue to = VK_NULL_HANDLE);
  // A one-time recording of one dispatch, run as above.
  void RunOne(VkPipeline pipeline, uint32_t x = 1, VkQueue to = VK_NULL_HANDLE);
  VkFence Fence();
  VkSemaphore Timeline(uint64_t value = 0);
  VkQueryPool Queries(VkQueryType type, uint32_t count, const void *chain = nullptr);
  // Around rendering of one pixel.
  void BeginRendering(VkCommandBuffer buffer, VkRenderingFlags flags = 0);
  // Host-visible, bound; *bytes is its mapping.
  VkBuffer Buffer(VkDeviceSize size, void **bytes);

  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE; // 0 of family 0
  VkFence fence = VK_NULL_HANDLE;
  VkuDeviceDispatchTable vk{};

private:
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  std::vector<VkPipeline> pipelines_;
  std::vector<VkCommandPool> pools_;
  std::vector<VkFence> fences_;
  std::vector<VkSemaphore> semaphores_;
  std::vector<VkQueryPool> query_pools_;
  std::vector<VkBuffer> buffers_;
  std::vector<VkDeviceMemory> memories_;
};

// The recorded commands of a buffer, as the driver received them: "vkCmdWriteTimestamp stage=0x800
// ...", one a line; those that name a pool or query are cut after their stage.
std::vector<std::string> Recorded(VkCommandBuffer buffer);

#endif
