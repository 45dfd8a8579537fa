// What a test can script and read back: identity, extensions, proc addresses, faults, logs.
#include "fixture.h"

#include <cstdlib>
#include <cstring>

namespace {

class Device : public FakeTest {};

TEST_F(Device, KeysOfTheScript) {
  EXPECT_TRUE(fake_configure("families=gc2:64+c4+t:0;name=a b;period=83.3333;completion=manual"));
  EXPECT_EQ(fake_config()->family_count, 3U);
  EXPECT_EQ(fake_config()->families[0].flags,
            (VkQueueFlags)(VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT));
  EXPECT_EQ(fake_config()->families[1].queue_count, 4U);
  EXPECT_EQ(fake_config()->families[1].valid_bits, 64U);
  EXPECT_EQ(fake_config()->families[2].valid_bits, 0U);
  EXPECT_STREQ(fake_config()->name, "a b");
  EXPECT_EQ(fake_config()->completion, FAKE_COMPLETION_MANUAL);
  EXPECT_TRUE(fake_configure("valid_bits=36,calibration_offset=-5"));
  EXPECT_EQ(fake_config()->families[2].valid_bits, 36U);
  EXPECT_EQ(fake_config()->calibration_offset, -5);
  for (const char *bad : {"nonsense=1", "period=", "period=x", "families=q", "families=g+",
                          "completion=soon", "no equals sign", "costs=a:1"}) {
    EXPECT_FALSE(fake_configure(bad)) << bad;
  }
}

TEST_F(Device, EnvironmentIsTheScriptOfOtherProcesses) {
  setenv("FAKE_DRIVER", "valid_bits=48;costs=one:7:3+two:1:0;faults=vkCreateFence:1:-1", 1);
  fake_reset();
  unsetenv("FAKE_DRIVER");
  EXPECT_EQ(fake_config()->families[0].valid_bits, 48U);
  ASSERT_EQ(TryDevice(), VK_SUCCESS);
  queries = NewQueries(1);
  VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  EXPECT_EQ(vk.CreateFence(device, &info, nullptr, &fence), VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(vk.CreateFence(device, &info, nullptr, &fence), VK_SUCCESS);
  VkCommandBuffer buffer = Begin();
  Dispatch(buffer, Pipeline("one", no_cost), 4);
  queue = Queue(0, 0);
  Run(buffer);
  EXPECT_EQ(fake_execution(0)->end_ns - fake_execution(0)->start_ns, 19U);
}

TEST_F(Device, IdentityAndLimits) {
  fake_configure("type=integrated;vendor_id=0x8086;driver_id=6;driver_name=anv;period=52.08");
  OpenInstance();
  VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
  VkPhysicalDeviceProperties2 out{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &driver};
  in.GetPhysicalDeviceProperties2(physical, &out);
  EXPECT_EQ(out.properties.deviceType, VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU);
  EXPECT_EQ(out.properties.vendorID, 0x8086U);
  EXPECT_FLOAT_EQ(out.properties.limits.timestampPeriod, 52.08F);
  EXPECT_EQ(driver.driverID, VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA);
  EXPECT_STREQ(driver.driverName, "anv");
}

TEST_F(Device, ExtensionsAndFeaturesCanBeAbsent) {
  Open("missing=VK_EXT_calibrated_timestamps+VK_KHR_calibrated_timestamps;host_query_reset=0");
  uint32_t count = 0;
  in.EnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> names(count);
  in.EnumerateDeviceExtensionProperties(physical, nullptr, &count, names.data());
  for (const auto &name : names) {
    EXPECT_STRNE(name.extensionName, "VK_EXT_calibrated_timestamps");
    EXPECT_STRNE(name.extensionName, "VK_EXT_host_query_reset");
  }
  VkPhysicalDeviceHostQueryResetFeatures reset{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES, nullptr, VK_TRUE};
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &reset};
  in.GetPhysicalDeviceFeatures2(physical, &features);
  EXPECT_EQ(reset.hostQueryReset, VK_FALSE);
  CloseDevice();
  EXPECT_EQ(TryDevice({VK_API_VERSION_1_3, {"VK_KHR_calibrated_timestamps"}}),
            VK_ERROR_EXTENSION_NOT_PRESENT);
  device = VK_NULL_HANDLE;
}

TEST_F(Device, ProcAddressesFollowVersionAndExtensions) {
  Open("", {VK_API_VERSION_1_1, {"VK_EXT_host_query_reset"}, nullptr, false});
  auto lookup = (PFN_vkGetDeviceProcAddr)vk_icdGetInstanceProcAddr(instance, "vkGetDeviceProcAddr");
  EXPECT_NE(lookup(device, "vkResetQueryPoolEXT"), nullptr);
  EXPECT_EQ(lookup(device, "vkResetQueryPool"), nullptr);
  EXPECT_EQ(lookup(device, "vkQueueSubmit2KHR"), nullptr);
  EXPECT_EQ(lookup(device, "vkCreateInstance"), nullptr);
  EXPECT_EQ(lookup(device, "vkGetPhysicalDeviceFeatures2"), nullptr);
  EXPECT_NE(lookup(device, "vkCmdDispatchBase"), nullptr);
  EXPECT_NE(lookup(device, "vkCmdBeginDebugUtilsLabelEXT"), nullptr);
  EXPECT_EQ(lookup(device, "vkBogus"), nullptr);
  EXPECT_NE(vk_icdGetInstanceProcAddr(instance, "vkCmdDispatch"), nullptr);
  EXPECT_EQ(vk_icdGetInstanceProcAddr(nullptr, "vkCmdDispatch"), nullptr);
  fake_configure("expose_disabled=1");
  EXPECT_NE(lookup(device, "vkQueueSubmit2KHR"), nullptr);
}

TEST_F(Device, RefusalsAtCreation) {
  fake_configure("refuse_extensions=VK_KHR_calibrated_timestamps;refuse_features=hostQueryReset;"
                 "refuse_result=-3");
  EXPECT_EQ(TryDevice({VK_API_VERSION_1_3, {"VK_KHR_calibrated_timestamps"}}),
            VK_ERROR_INITIALIZATION_FAILED);
  EXPECT_EQ(TryDevice(), VK_ERROR_INITIALIZATION_FAILED); // asks for hostQueryReset
  EXPECT_EQ(TryDevice({VK_API_VERSION_1_3, {}, nullptr, false}), VK_SUCCESS);
  ASSERT_EQ(fake_device_attempt_count(), 3U);
  EXPECT_EQ(fake_device_attempt(0)->extension_count, 1U);
  EXPECT_STREQ(fake_device_attempt(0)->extensions[0], "VK_KHR_calibrated_timestamps");
  EXPECT_EQ(fake_device_attempt(1)->chain_count, 2U);
  EXPECT_EQ(fake_device_attempt(1)->chain[1],
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  EXPECT_TRUE(fake_device_attempt(1)->host_query_reset);
  EXPECT_FALSE(fake_device_attempt(2)->host_query_reset);
  EXPECT_EQ(fake_device_attempt(2)->result, VK_SUCCESS);
}

TEST_F(Device, FaultsStrikeTheNthCall) {
  Open();
  fake_fail("vkCreateFence", 2, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence one = VK_NULL_HANDLE;
  VkFence two = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateFence(device, &info, nullptr, &one), VK_SUCCESS);
  EXPECT_EQ(vk.CreateFence(device, &info, nullptr, &two), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(vk.CreateFence(device, &info, nullptr, &two), VK_SUCCESS);
  vk.DestroyFence(device, one, nullptr);
  vk.DestroyFence(device, two, nullptr);
  fake_fail("vkQueueSubmit", 0, VK_ERROR_OUT_OF_HOST_MEMORY);
  VkCommandBuffer buffer = Begin();
  vk.EndCommandBuffer(buffer);
  EXPECT_EQ(Submit(buffer), VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(Submit(buffer), VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(fake_execution_count(), 0U);
  EXPECT_EQ(fake_call_count("vkQueueSubmit"), 2U);
}

TEST_F(Device, RecordedCommandsCanBeRead) {
  Open();
  VkCommandBuffer buffer = Begin();
  VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, "block", {}};
  vk.CmdBeginDebugUtilsLabelEXT(buffer, &label);
  Stamp(buffer, 3);
  Dispatch(buffer, Pipeline("kernel", 1), 7, 1, 2);
  vk.CmdEndDebugUtilsLabelEXT(buffer);
  Barrier(buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT);
  char *text = fake_recorded_text(buffer);
  EXPECT_STREQ(text, "vkCmdBeginDebugUtilsLabelEXT block\n"
                     "vkCmdWriteTimestamp stage=0x800 pool=1 query=3\n"
                     "vkCmdBindPipeline kernel\n"
                     "vkCmdDispatch kernel x=7 y=1 z=2\n"
                     "vkCmdEndDebugUtilsLabelEXT\n"
                     "vkCmdPipelineBarrier src=0x800 dst=0x1000 count=1\n");
  free(text);
}

TEST_F(Device, SubmissionsAreKeptAsReceived) {
  Open();
  VkCommandBuffer buffer = Begin();
  vk.EndCommandBuffer(buffer);
  VkProtectedSubmitInfo chained{VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO};
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO, &chained};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &buffer;
  ASSERT_EQ(vk.QueueSubmit(queue, 1, &info, fence), VK_SUCCESS);
  const struct fake_submission *got = fake_submission(0);
  ASSERT_NE(got, nullptr);
  EXPECT_EQ(got->pointer, &info);
  EXPECT_EQ(got->byte_count, sizeof info);
  const auto *copy = (const VkSubmitInfo *)got->bytes;
  EXPECT_EQ(copy->pNext, &chained);
  EXPECT_EQ(copy->pCommandBuffers, &buffer);
  EXPECT_EQ(got->deep_hash, fake_hash_submits(&info, 1));
  EXPECT_EQ(got->fence, fence);
  ASSERT_EQ(got->buffer_count, 1U);
  EXPECT_EQ(got->buffers[0], buffer);
  chained.protectedSubmit = VK_TRUE;
  EXPECT_NE(got->deep_hash, fake_hash_submits(&info, 1));
}

TEST_F(Device, FreedCommandBuffersAreHandedOutAgain) {
  Open();
  VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  info.commandPool = CommandPool();
  info.commandBufferCount = 1;
  VkCommandBuffer first = VK_NULL_HANDLE;
  VkCommandBuffer second = VK_NULL_HANDLE;
  vk.AllocateCommandBuffers(device, &info, &first);
  vk.FreeCommandBuffers(device, info.commandPool, 1, &first);
  vk.AllocateCommandBuffers(device, &info, &second);
  EXPECT_EQ(first, second);
}

TEST_F(Device, KeysOfDispatchableHandles) {
  Open();
  VkCommandBuffer buffer = Begin();
  EXPECT_EQ(*(uint32_t *)device, 0x01CDC0DEU);
  EXPECT_EQ(*(uint32_t *)buffer, 0x01CDC0DEU);
  CloseDevice();
  CloseInstance();
  pipelines.clear();
  command_pools.clear();
  Open("direct=1");
  buffer = Begin();
  EXPECT_EQ(*(void **)device, *(void **)buffer);
  EXPECT_EQ(*(void **)device, *(void **)queue);
  EXPECT_EQ(*(void **)instance, *(void **)physical);
  EXPECT_NE(*(void **)instance, *(void **)device);
}

TEST_F(Device, RecordingOffDoesNothing) {
  Open("recording=0;log=0");
  VkCommandBuffer buffer = Begin();
  Dispatch(buffer, Pipeline("a", 1000));
  Stamp(buffer, 0);
  uint32_t count = 1;
  fake_recorded(buffer, &count);
  EXPECT_EQ(count, 0U);
  Run(buffer);
  EXPECT_EQ(fake_execution_count(), 0U);
  EXPECT_EQ(fake_submission_count(), 0U);
}

TEST_F(Device, CalibrationIsScripted) {
  Open("calibration_offset=1000;calibration_deviation=77;start_ticks=5;host_origin_ns=1000000",
       {VK_API_VERSION_1_3, {"VK_EXT_calibrated_timestamps"}});
  fake_advance(300);
  VkCalibratedTimestampInfoEXT infos[2] = {{VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT},
                                           {VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT}};
  infos[0].timeDomain = VK_TIME_DOMAIN_DEVICE_EXT;
  infos[1].timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
  uint64_t stamps[2];
  uint64_t deviation = 0;
  ASSERT_EQ(vk.GetCalibratedTimestampsEXT(device, 2, infos, stamps, &deviation), VK_SUCCESS);
  EXPECT_EQ(stamps[0], 1305U);
  EXPECT_EQ(stamps[1], 1000300U);
  EXPECT_EQ(deviation, 77U);
}

TEST_F(Device, ExecutableStatisticsAreScripted) {
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR feature{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, nullptr,
      VK_TRUE};
  Open("host_query_reset=0",
       {VK_API_VERSION_1_3, {"VK_KHR_pipeline_executable_properties"}, &feature});
  VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  VkPipelineCreationFeedback whole{};
  VkPipelineCreationFeedback stage{};
  VkPipelineCreationFeedbackCreateInfo feedback{
      VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO, nullptr, &whole, 1, &stage};
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, &feedback};
  info.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  info.stage.pName = "inline";
  info.stage.pNext = &code; // inline SPIR-V, no module
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_SUCCESS);
  pipelines.push_back(pipeline);
  EXPECT_EQ(stage.duration, 1234567U);
  VkPipelineExecutableInfoKHR which{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, nullptr,
                                    pipeline, 0};
  uint32_t count = 0;
  vk.GetPipelineExecutableStatisticsKHR(device, &which, &count, nullptr);
  std::vector<VkPipelineExecutableStatisticKHR> statistics(
      count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR});
  vk.GetPipelineExecutableStatisticsKHR(device, &which, &count, statistics.data());
  ASSERT_EQ(count, 6U);
  EXPECT_STREQ(statistics[0].name, "registers");
  EXPECT_EQ(statistics[0].value.u64, 42U);
}

// Counts that announce less than there is, odd names, arrays that are too small, representations.
TEST_F(Device, ExecutablesInEveryShape) {
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR feature{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, nullptr,
      VK_TRUE};
  Open(
      "host_query_reset=0;executables=3;statistics=2;odd_names=1;announced_less=1;refuse_flags=0x2",
      {VK_API_VERSION_1_3, {"VK_KHR_pipeline_executable_properties"}, &feature});
  VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.pName = "inline";
  info.stage.pNext = &code;
  info.flags = VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR |
               VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_SUCCESS);
  pipelines.push_back(pipeline);
  ASSERT_EQ(fake_creation_count(), 1U);
  EXPECT_EQ(fake_creation(0)->flags, info.flags);
  EXPECT_EQ(fake_creation(0)->infos, &info);
  EXPECT_EQ(fake_creation(0)->pipeline, pipeline);
  VkPipelineInfoKHR which{VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, nullptr, pipeline};
  uint32_t count = 0;
  EXPECT_EQ(vk.GetPipelineExecutablePropertiesKHR(device, &which, &count, nullptr), VK_SUCCESS);
  EXPECT_EQ(count, 2U);
  VkPipelineExecutablePropertiesKHR two[2] = {
      {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR},
      {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR}};
  EXPECT_EQ(vk.GetPipelineExecutablePropertiesKHR(device, &which, &count, two), VK_INCOMPLETE);
  EXPECT_STREQ(two[1].name, "fake compute 1");
  VkPipelineExecutableInfoKHR last{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, nullptr,
                                   pipeline, 2};
  count = 8;
  std::vector<VkPipelineExecutableStatisticKHR> statistics(
      count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR});
  EXPECT_EQ(vk.GetPipelineExecutableStatisticsKHR(device, &last, &count, statistics.data()),
            VK_SUCCESS);
  ASSERT_EQ(count, 8U);
  EXPECT_EQ(std::memchr(statistics[3].name, 0, sizeof statistics[3].name), nullptr);
  EXPECT_STREQ(statistics[7].name, "more 1");
  EXPECT_EQ(statistics[7].value.u64, 1000U);
  char bytes[4] = {};
  VkPipelineExecutableInternalRepresentationKHR text{
      VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR};
  text.dataSize = sizeof bytes;
  text.pData = bytes;
  count = 1;
  EXPECT_EQ(vk.GetPipelineExecutableInternalRepresentationsKHR(device, &last, &count, &text),
            VK_INCOMPLETE);
  EXPECT_TRUE(text.isText);
  info.flags |= VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
  EXPECT_NE(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_SUCCESS);
  EXPECT_EQ(pipeline, VkPipeline{VK_NULL_HANDLE});
}

TEST_F(Device, ShaderInfoOfAmd) {
  Open("shader_info=1;pipeline_executable_info=0",
       {VK_API_VERSION_1_3, {"VK_AMD_shader_info"}, nullptr});
  VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.pName = "inline";
  info.stage.pNext = &code;
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_SUCCESS);
  pipelines.push_back(pipeline);
  VkShaderStatisticsInfoAMD statistics;
  size_t size = sizeof statistics;
  EXPECT_EQ(vk.GetShaderInfoAMD(device, pipeline, VK_SHADER_STAGE_COMPUTE_BIT,
                                VK_SHADER_INFO_TYPE_STATISTICS_AMD, &size, &statistics),
            VK_SUCCESS);
  EXPECT_EQ(size, sizeof statistics);
  EXPECT_EQ(statistics.resourceUsage.numUsedVgprs, 24U);
}

TEST_F(Device, GroupOfTwo) {
  fake_configure("device_count=2");
  OpenInstance();
  uint32_t count = 1;
  VkPhysicalDeviceGroupProperties group{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES};
  ASSERT_EQ(in.EnumeratePhysicalDeviceGroups(instance, &count, &group), VK_SUCCESS);
  EXPECT_EQ(group.physicalDeviceCount, 2U);
}

} // namespace
