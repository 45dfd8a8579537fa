// A clean program through the loader and the Khronos validation layer: no message from anybody.
//
// In: the driver manifest named by the environment. Out: the count of messages. Skips without the
// layer.
#include "fixture.h"

#include <cstring>
#include <dlfcn.h>

namespace {

uint32_t message_count;

VKAPI_ATTR VkBool32 VKAPI_CALL Message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                       VkDebugUtilsMessageTypeFlagsEXT types,
                                       const VkDebugUtilsMessengerCallbackDataEXT *data,
                                       void *user) {
  (void)types;
  (void)user;
  /* The loader asks every layer for this name, and version 1.4.309 of this one speaks of it. */
  if (std::strstr(data->pMessage, "vk_layerGetPhysicalDeviceProcAddr") != nullptr) {
    return VK_FALSE;
  }
  message_count++;
  ADD_FAILURE() << "severity " << (uint32_t)severity << ": " << data->pMessage;
  return VK_FALSE;
}

class Validated : public FakeTest {
protected:
  void SetUp() override {
    FakeTest::SetUp();
    message_count = 0;
    void *loader = dlopen("libvulkan.so.1", RTLD_NOW);
    if (loader == nullptr) {
      GTEST_SKIP() << "no Vulkan loader";
    }
    door = (PFN_vkGetInstanceProcAddr)dlsym(loader, "vkGetInstanceProcAddr");
    if (!HasLayer("VK_LAYER_KHRONOS_validation")) {
      GTEST_SKIP() << "no VK_LAYER_KHRONOS_validation";
    }
    layers.push_back("VK_LAYER_KHRONOS_validation");
  }

  bool HasLayer(const char *name) {
    auto enumerate =
        (PFN_vkEnumerateInstanceLayerProperties)door(nullptr, "vkEnumerateInstanceLayerProperties");
    uint32_t count = 0;
    enumerate(&count, nullptr);
    std::vector<VkLayerProperties> found(count);
    enumerate(&count, found.data());
    for (const auto &layer : found) {
      if (strcmp(layer.layerName, name) == 0) {
        return true;
      }
    }
    return false;
  }

  void Listen() {
    VkDebugUtilsMessengerCreateInfoEXT info{
        VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
    info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
    info.pfnUserCallback = Message;
    ASSERT_EQ(in.CreateDebugUtilsMessengerEXT(instance, &info, nullptr, &messenger), VK_SUCCESS);
  }

  void Barriers(VkCommandBuffer buffer) {
    VkMemoryBarrier all{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr,
                        VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT,
                        VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT};
    vk.CmdPipelineBarrier(buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                          VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, nullptr, 0, nullptr);
  }

  VkCommandBuffer Everything(VkBuffer source, VkBuffer target) {
    VkPipeline pipeline = Pipeline("main", 1000);
    VkCommandBuffer secondary = Begin(0, 0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    Dispatch(secondary, pipeline);
    vk.EndCommandBuffer(secondary);
    VkCommandBuffer buffer = Begin();
    VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, "all", {}};
    vk.CmdBeginDebugUtilsLabelEXT(buffer, &label);
    vk.CmdResetQueryPool(buffer, queries, 8, 8);
    vk.CmdFillBuffer(buffer, source, 0, 256, 1);
    Barriers(buffer);
    const uint32_t groups[3] = {2, 1, 1};
    vk.CmdUpdateBuffer(buffer, source, 0, sizeof groups, groups);
    Barriers(buffer);
    VkBufferCopy region{0, 0, 256};
    vk.CmdCopyBuffer(buffer, source, target, 1, &region);
    Barriers(buffer);
    Stamp(buffer, 0);
    Dispatch(buffer, pipeline, 3);
    Stamp(buffer, 8);
    vk.CmdDispatchIndirect(buffer, target, 0);
    vk.CmdWriteTimestamp2(buffer, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries, 9);
    vk.CmdExecuteCommands(buffer, 1, &secondary);
    VkMemoryBarrier2 memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, nullptr,
                            VK_PIPELINE_STAGE_2_COPY_BIT,       VK_ACCESS_2_TRANSFER_READ_BIT,
                            VK_PIPELINE_STAGE_2_COPY_BIT,       VK_ACCESS_2_TRANSFER_WRITE_BIT};
    VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.memoryBarrierCount = 1;
    dependency.pMemoryBarriers = &memory;
    vk.CmdPipelineBarrier2(buffer, &dependency);
    vk.CmdCopyQueryPoolResults(buffer, queries, 8, 2, source, 128, 16,
                               VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT |
                                   VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    vk.CmdEndDebugUtilsLabelEXT(buffer);
    EXPECT_EQ(vk.EndCommandBuffer(buffer), VK_SUCCESS);
    return buffer;
  }

  VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
};

TEST_F(Validated, CleanProgramHearsNothing) {
  OpenInstance();
  Listen();
  Open("", {VK_API_VERSION_1_3, {"VK_EXT_calibrated_timestamps"}});
  void *source_bytes = nullptr;
  void *target_bytes = nullptr;
  VkBuffer source = Buffer(256, &source_bytes);
  VkBuffer target = Buffer(256, &target_bytes);
  VkCommandBuffer buffer = Everything(source, target);
  VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr,
                                 VK_SEMAPHORE_TYPE_TIMELINE, 0};
  VkSemaphoreCreateInfo semaphore_info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateSemaphore(device, &semaphore_info, nullptr, &semaphore), VK_SUCCESS);
  VkCommandBufferSubmitInfo buffers_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, nullptr,
                                         buffer, 0};
  VkSemaphoreSubmitInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, 1,
                               VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
  VkSubmitInfo2 submit{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  submit.commandBufferInfoCount = 1;
  submit.pCommandBufferInfos = &buffers_info;
  submit.signalSemaphoreInfoCount = 1;
  submit.pSignalSemaphoreInfos = &signal;
  ASSERT_EQ(vk.QueueSubmit2(queue, 1, &submit, fence), VK_SUCCESS);
  uint64_t one = 1;
  VkSemaphoreWaitInfo wait{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, 0, 1, &semaphore, &one};
  EXPECT_EQ(vk.WaitSemaphores(device, &wait, UINT64_MAX), VK_SUCCESS);
  EXPECT_EQ(vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
  EXPECT_EQ(Read(8) - Read(0), 1000U);
  EXPECT_EQ(((const uint32_t *)target_bytes)[63], 1U);
  EXPECT_EQ(((const uint64_t *)source_bytes)[16], Read(8));
  EXPECT_EQ(vk.DeviceWaitIdle(device), VK_SUCCESS);
  vk.DestroySemaphore(device, semaphore, nullptr);
  CloseDevice();
  in.DestroyDebugUtilsMessengerEXT(instance, messenger, nullptr);
  CloseInstance();
  EXPECT_EQ(message_count, 0U);
}

} // namespace
