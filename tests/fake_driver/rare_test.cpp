// What few devices have: performance queries, shader objects, ray tracing, video, nesting.
//
// In: the rule kept, then broken. Out: nothing, then its violation.
#include "fixture.h"

namespace {

class Rare : public FakeTest {
protected:
  void OpenRare(const std::vector<const char *> &extensions, const std::string &script = "") {
    DeviceOptions options;
    options.extensions = extensions;
    Open("rare_extensions=1;" + script, options);
  }

  VkQueryPool Counters(uint32_t index) {
    VkQueryPoolPerformanceCreateInfoKHR counters{
        VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR, nullptr, 0, 1, &index};
    VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, &counters};
    info.queryType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR;
    info.queryCount = 1;
    VkQueryPool pool = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateQueryPool(device, &info, nullptr, &pool), VK_SUCCESS);
    vk.ResetQueryPool(device, pool, 0, 1);
    return pool;
  }

  // Looks at what was said, and forgets it.
  void Expect(const char *part) {
    EXPECT_TRUE(fake_has_violation(part)) << "missing: " << part;
    fake_clear_violations();
  }

  void Work(const char *name, VkCommandBuffer buffer) {
    auto lookup = (PFN_vkGetDeviceProcAddr)door(instance, "vkGetDeviceProcAddr");
    auto work = (void(VKAPI_PTR *)(VkCommandBuffer))lookup(device, name);
    ASSERT_NE(work, nullptr) << name;
    work(buffer);
  }
};

TEST_F(Rare, OfferedOnlyWhenAskedFor) {
  OpenInstance();
  DeviceOptions options;
  options.extensions = {"VK_EXT_shader_object"};
  EXPECT_EQ(TryDevice(options), VK_ERROR_EXTENSION_NOT_PRESENT);
  fake_configure("rare_extensions=1");
  EXPECT_EQ(TryDevice(options), VK_SUCCESS);
}

TEST_F(Rare, PerformanceQueryOfTheWholeBuffer) {
  OpenRare({"VK_KHR_performance_query"});
  VkQueryPool pool = Counters(0);
  VkAcquireProfilingLockInfoKHR lock{VK_STRUCTURE_TYPE_ACQUIRE_PROFILING_LOCK_INFO_KHR};
  EXPECT_EQ(vk.AcquireProfilingLockKHR(device, &lock), VK_SUCCESS);
  VkCommandBuffer buffer = Begin();
  vk.CmdBeginQuery(buffer, pool, 0, 0);
  Dispatch(buffer, Pipeline("a", 100));
  vk.CmdEndQuery(buffer, pool, 0);
  Run(buffer);
  VkPerformanceCounterResultKHR value{};
  EXPECT_EQ(vk.GetQueryPoolResults(device, pool, 0, 1, sizeof value, &value, sizeof value, 0),
            VK_SUCCESS);
  EXPECT_EQ(value.uint64, 1U);
  EXPECT_EQ(fake_violation_count(), 0U);

  vk.ResetQueryPool(device, pool, 0, 1);
  buffer = Begin();
  Dispatch(buffer, Pipeline("a", 100));
  vk.CmdBeginQuery(buffer, pool, 0, 0);
  Expect("is not its first command");
  vk.CmdEndQuery(buffer, pool, 0);
  vk.CmdDispatch(buffer, 1, 1, 1);
  vk.EndCommandBuffer(buffer);
  Expect("is not its last command");
  vk.ReleaseProfilingLockKHR(device);
  buffer = Begin();
  vk.CmdBeginQuery(buffer, pool, 0, 0);
  Expect("without the profiling lock");
  vk.CmdEndQuery(buffer, pool, 0);
  vk.EndCommandBuffer(buffer);
  vk.DestroyQueryPool(device, pool, nullptr);
}

TEST_F(Rare, PerformanceQueryOfACommandMayStandAnywhere) {
  OpenRare({"VK_KHR_performance_query"});
  VkQueryPool pool = Counters(2);
  VkAcquireProfilingLockInfoKHR lock{VK_STRUCTURE_TYPE_ACQUIRE_PROFILING_LOCK_INFO_KHR};
  vk.AcquireProfilingLockKHR(device, &lock);
  VkCommandBuffer buffer = Begin();
  Dispatch(buffer, Pipeline("a", 100));
  vk.CmdBeginQuery(buffer, pool, 0, 0);
  vk.CmdDispatch(buffer, 1, 1, 1);
  vk.CmdEndQuery(buffer, pool, 0);
  vk.CmdDispatch(buffer, 1, 1, 1);
  Run(buffer);
  vk.ReleaseProfilingLockKHR(device);
  vk.DestroyQueryPool(device, pool, nullptr);
}

TEST_F(Rare, QueriesOfOneTypeDoNotNest) {
  Open();
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_OCCLUSION;
  info.queryCount = 2;
  VkQueryPool pool = VK_NULL_HANDLE;
  vk.CreateQueryPool(device, &info, nullptr, &pool);
  VkCommandBuffer buffer = Begin();
  vk.CmdBeginQuery(buffer, pool, 0, 0);
  EXPECT_EQ(fake_violation_count(), 0U);
  vk.CmdBeginQuery(buffer, pool, 1, 0);
  Expect("while a query of its type is active");
  vk.EndCommandBuffer(buffer);
  Expect("vkEndCommandBuffer while a query is active");
  vk.DestroyQueryPool(device, pool, nullptr);
}

TEST_F(Rare, ConditionalRenderingIsBalanced) {
  DeviceOptions options;
  options.extensions = {"VK_EXT_conditional_rendering"};
  Open("", options);
  VkConditionalRenderingBeginInfoEXT info{VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT};
  VkCommandBuffer buffer = Begin();
  vk.CmdBeginConditionalRenderingEXT(buffer, &info);
  vk.CmdEndConditionalRenderingEXT(buffer);
  EXPECT_EQ(fake_violation_count(), 0U);
  vk.CmdEndConditionalRenderingEXT(buffer);
  Expect("outside conditional rendering");
  vk.CmdBeginConditionalRenderingEXT(buffer, &info);
  vk.EndCommandBuffer(buffer);
  Expect("vkEndCommandBuffer inside conditional rendering");
}

TEST_F(Rare, ShaderObjectsAndPipelinesReplaceEachOther) {
  OpenRare({"VK_EXT_shader_object"});
  VkShaderCreateInfoEXT info{VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT};
  info.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.pName = "object";
  VkShaderEXT shader = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateShadersEXT(device, 1, &info, nullptr, &shader), VK_SUCCESS);
  fake_set_cost("object", 700, 0);
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
  VkCommandBuffer buffer = Begin();
  Dispatch(buffer, Pipeline("a", 100));
  vk.CmdBindShadersEXT(buffer, 1, &stage, &shader);
  vk.CmdDispatch(buffer, 1, 1, 1);
  Dispatch(buffer, Pipeline("a", 100));
  Run(buffer);
  std::vector<std::string> ran;
  for (uint32_t i = 0; i < fake_execution_count(); i++) {
    ran.push_back(fake_execution(i)->entry);
  }
  EXPECT_EQ(ran, (std::vector<std::string>{"a", "object", "a"}));
  buffer = Begin();
  vk.CmdBindShadersEXT(buffer, 1, &stage, nullptr);
  vk.CmdDispatch(buffer, 1, 1, 1);
  Expect("without a compute pipeline");
  vk.EndCommandBuffer(buffer);
  vk.DestroyShaderEXT(device, shader, nullptr);
}

TEST_F(Rare, WorkHasOneCostAndKnowsItsFamily) {
  OpenRare({"VK_KHR_ray_tracing_pipeline", "VK_KHR_video_decode_queue"},
           "families=gct+v;work_ns=70");
  VkCommandBuffer buffer = Begin();
  Work("vkCmdTraceRaysKHR", buffer);
  Run(buffer);
  ASSERT_EQ(fake_execution_count(), 1U);
  EXPECT_EQ(fake_execution(0)->end_ns - fake_execution(0)->start_ns, 70U);
  buffer = Begin();
  Work("vkCmdDecodeVideoKHR", buffer);
  Expect("vkCmdDecodeVideoKHR on a family that cannot do it");
  VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
  vk.CmdBeginRendering(buffer, &info);
  Work("vkCmdTraceRaysKHR", buffer);
  Expect("vkCmdTraceRaysKHR inside a render pass");
  vk.CmdEndRendering(buffer);
  vk.EndCommandBuffer(buffer);
}

TEST_F(Rare, SecondariesNestOnlyWithTheirExtension) {
  Open();
  VkCommandBuffer inner = Begin(0, 0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  vk.EndCommandBuffer(inner);
  VkCommandBuffer outer = Begin(0, 0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  vk.CmdExecuteCommands(outer, 1, &inner);
  Expect("vkCmdExecuteCommands in a secondary used but not enabled");
  vk.EndCommandBuffer(outer);
}

TEST_F(Rare, AFaultOfDeviceLostLosesTheDevice) {
  Open();
  VkEvent event = VK_NULL_HANDLE;
  VkEventCreateInfo info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  ASSERT_EQ(vk.CreateEvent(device, &info, nullptr, &event), VK_SUCCESS);
  fake_fail("vkGetEventStatus", 1, VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.GetEventStatus(device, event), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.GetEventStatus(device, event), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.DeviceWaitIdle(device), VK_ERROR_DEVICE_LOST);
  vk.DestroyEvent(device, event, nullptr);
}

} // namespace
