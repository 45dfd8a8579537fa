// Trouble at every place in turn: the device lost, or memory gone, at each command that can say so
// (pitfalls D38, A27, G3).
//
// In: one command of each program step that fails once. Out: the program sees that very error; the
// layer goes on (memory) or stops asking the driver (loss), and the profile says which.
#include <cstring>
#include <functional>

#include "layer_test_case.h"

namespace {

struct Step {
  const char *command;
  std::function<VkResult(Gpu &gpu)> call;
};

void PrintTo(const Step &step, std::ostream *out) {
  *out << step.command;
}

std::string NameOf(const ::testing::TestParamInfo<Step> &info) {
  return info.param.command;
}

class TimingTroubleEach : public LayerTest, public ::testing::WithParamInterface<Step> {
protected:
  void OpenA(const std::string &script = "") {
    GpuOptions options;
    options.extensions = {"VK_EXT_shader_object", "VK_EXT_debug_marker",
                          "VK_KHR_timeline_semaphore", "VK_KHR_synchronization2"};
    Open("rare_extensions=1;families=gcts2:64;" + script, options);
    a = gpu.Pipeline("a", 5000);
  }

  VkCommandBuffer Recorded() {
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, a);
    gpu.End(buffer);
    return buffer;
  }

  VkPipeline a = VK_NULL_HANDLE;
};

// ---- the device is lost ----

VkResult Submit2(Gpu &gpu, PFN_vkQueueSubmit2 submit) {
  VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
  return submit(gpu.queue, 1, &info, VK_NULL_HANDLE);
}

VkResult WaitTimeline(Gpu &gpu, PFN_vkWaitSemaphores wait) {
  VkSemaphore semaphore = gpu.Timeline(5);
  uint64_t value = 5;
  VkSemaphoreWaitInfo info{
      VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, 0, 1, &semaphore, &value};
  return wait(gpu.device, &info, 0);
}

VkResult EventStatus(Gpu &gpu) {
  VkEventCreateInfo info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent event = VK_NULL_HANDLE;
  EXPECT_EQ(gpu.vk.CreateEvent(gpu.device, &info, nullptr, &event), VK_SUCCESS);
  VkResult result = gpu.vk.GetEventStatus(gpu.device, event);
  gpu.vk.DestroyEvent(gpu.device, event, nullptr);
  return result;
}

const Step kLosing[] = {
    {"vkQueueSubmit", [](Gpu &gpu) { return gpu.Submit({}); }},
    {"vkQueueSubmit2", [](Gpu &gpu) { return Submit2(gpu, gpu.vk.QueueSubmit2); }},
    {"vkQueueSubmit2KHR", [](Gpu &gpu) { return Submit2(gpu, gpu.vk.QueueSubmit2KHR); }},
    {"vkQueueBindSparse",
     [](Gpu &gpu) { return gpu.vk.QueueBindSparse(gpu.queue, 0, nullptr, VK_NULL_HANDLE); }},
    {"vkQueueWaitIdle", [](Gpu &gpu) { return gpu.vk.QueueWaitIdle(gpu.queue); }},
    {"vkDeviceWaitIdle", [](Gpu &gpu) { return gpu.vk.DeviceWaitIdle(gpu.device); }},
    {"vkGetFenceStatus", [](Gpu &gpu) { return gpu.vk.GetFenceStatus(gpu.device, gpu.fence); }},
    {"vkWaitForFences",
     [](Gpu &gpu) { return gpu.vk.WaitForFences(gpu.device, 1, &gpu.fence, VK_TRUE, 0); }},
    {"vkGetEventStatus", EventStatus},
    {"vkGetSemaphoreCounterValue",
     [](Gpu &gpu) {
       uint64_t value;
       return gpu.vk.GetSemaphoreCounterValue(gpu.device, gpu.Timeline(), &value);
     }},
    {"vkGetSemaphoreCounterValueKHR",
     [](Gpu &gpu) {
       uint64_t value;
       return gpu.vk.GetSemaphoreCounterValueKHR(gpu.device, gpu.Timeline(), &value);
     }},
    {"vkWaitSemaphores", [](Gpu &gpu) { return WaitTimeline(gpu, gpu.vk.WaitSemaphores); }},
    {"vkWaitSemaphoresKHR", [](Gpu &gpu) { return WaitTimeline(gpu, gpu.vk.WaitSemaphoresKHR); }},
    {"vkGetQueryPoolResults",
     [](Gpu &gpu) {
       uint64_t value[2];
       VkQueryPool pool = gpu.Queries(VK_QUERY_TYPE_TIMESTAMP, 1);
       return gpu.vk.GetQueryPoolResults(gpu.device, pool, 0, 1, sizeof value, value, sizeof value,
                                         VK_QUERY_RESULT_64_BIT |
                                             VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
     }},
};

// The driver calls the aliases by their core names.
std::string CoreName(const std::string &name) {
  return name.size() > 3 && name.substr(name.size() - 3) == "KHR" ? name.substr(0, name.size() - 3)
                                                                  : name;
}

class TimingTroubleLost : public TimingTroubleEach {
protected:
  void LoseAtIt() {
    fake_fail(CoreName(GetParam().command).c_str(), 1, VK_ERROR_DEVICE_LOST);
    EXPECT_EQ(GetParam().call(gpu), VK_ERROR_DEVICE_LOST);
  }
};

INSTANTIATE_TEST_SUITE_P(Each, TimingTroubleLost, ::testing::ValuesIn(kLosing), NameOf);

// Nothing is outstanding, so nobody else could have met the loss.
TEST_P(TimingTroubleLost, D38_TheProfileSaysLost) {
  OpenA();
  ASSERT_EQ(gpu.Submit({Recorded()}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  Settle();
  LoseAtIt();
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(profile.Text("end_reason"), "device_lost");
  EXPECT_EQ(profile.Text("devices.0.end"), "lost");
}

// With work outstanding: from the loss on the layer asks the driver for nothing, and the execution
// is missed. (Without host reset it reads nothing before a wait covers it.)
TEST_P(TimingTroubleLost, D38_TheLayerStopsPolling) {
  OpenA("completion=manual;host_query_reset=0");
  ASSERT_EQ(gpu.Submit({Recorded()}), VK_SUCCESS);
  LoseAtIt();
  uint64_t reads = fake_call_count("vkGetQueryPoolResults");
  Settle();
  uint64_t calibrations = fake_call_count("vkGetCalibratedTimestampsKHR");
  EXPECT_EQ(gpu.Submit({Recorded()}), VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(gpu.vk.DeviceWaitIdle(gpu.device), VK_ERROR_DEVICE_LOST);
  Settle();
  EXPECT_EQ(fake_call_count("vkGetQueryPoolResults"), reads);
  EXPECT_EQ(fake_call_count("vkGetCalibratedTimestampsKHR"), calibrations);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").outcomes.executed, 1);
  EXPECT_EQ(profile.Row("a").outcomes.missed, (Counts{{"device_lost", 1}}));
  EXPECT_EQ(profile.Text("devices.0.end"), "lost");
  EXPECT_EQ(fake_call_count("vkGetQueryPoolResults"), reads);
}

// A program that ends right there, its device alive.
TEST_P(TimingTroubleLost, D38_TheProgramExits) {
  InChild([this] {
    OpenA("completion=manual");
    EXPECT_EQ(gpu.Submit({Recorded()}), VK_SUCCESS);
    LoseAtIt();
  });
  Profile profile = Read();
  EXPECT_EQ(profile.Text("end_reason"), "device_lost");
  EXPECT_EQ(profile.Text("devices.0.end"), "lost");
  EXPECT_EQ(profile.Coverage().executed, 1);
  EXPECT_EQ(profile.Coverage().measured, 0);
}

// ---- memory is gone ----

template <typename Info, typename Handle>
VkResult Make(Gpu &gpu, VkStructureType type,
              VkResult (*create)(VkDevice, const Info *, const VkAllocationCallbacks *, Handle *),
              void (*destroy)(VkDevice, Handle, const VkAllocationCallbacks *)) {
  Info info{};
  info.sType = type;
  Handle handle = VK_NULL_HANDLE;
  VkResult result = create(gpu.device, &info, nullptr, &handle);
  if (result == VK_SUCCESS) {
    destroy(gpu.device, handle, nullptr);
  }
  return result;
}

VkResult MakePipeline(Gpu &gpu) {
  std::vector<uint32_t> words = ComputeModule("b");
  VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0,
                                words.size() * 4, words.data()};
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                &code,
                0,
                VK_SHADER_STAGE_COMPUTE_BIT,
                VK_NULL_HANDLE,
                "b",
                nullptr};
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkResult result =
      gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  return result;
}

VkResult MakeModule(Gpu &gpu) {
  std::vector<uint32_t> words = ComputeModule("b");
  VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0,
                                words.size() * 4, words.data()};
  VkShaderModule module = VK_NULL_HANDLE;
  VkResult result = gpu.vk.CreateShaderModule(gpu.device, &info, nullptr, &module);
  if (result == VK_SUCCESS) {
    gpu.vk.DestroyShaderModule(gpu.device, module, nullptr);
  }
  return result;
}

VkResult MakeShader(Gpu &gpu) {
  std::vector<uint32_t> words = ComputeModule("b");
  VkShaderCreateInfoEXT info{VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT};
  info.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT;
  info.codeSize = words.size() * 4;
  info.pCode = words.data();
  info.pName = "b";
  VkShaderEXT shader = VK_NULL_HANDLE;
  VkResult result = gpu.vk.CreateShadersEXT(gpu.device, 1, &info, nullptr, &shader);
  gpu.vk.DestroyShaderEXT(gpu.device, shader, nullptr);
  return result;
}

VkResult MakeQueries(Gpu &gpu) {
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_OCCLUSION;
  info.queryCount = 1;
  VkQueryPool pool = VK_NULL_HANDLE;
  VkResult result = gpu.vk.CreateQueryPool(gpu.device, &info, nullptr, &pool);
  if (result == VK_SUCCESS) {
    gpu.vk.DestroyQueryPool(gpu.device, pool, nullptr);
  }
  return result;
}

VkResult MakeMemory(Gpu &gpu) {
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, 64, 1};
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkResult result = gpu.vk.AllocateMemory(gpu.device, &info, nullptr, &memory);
  gpu.vk.FreeMemory(gpu.device, memory, nullptr);
  return result;
}

VkResult MakeGraphics(Gpu &gpu) {
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkResult result =
      gpu.vk.CreateGraphicsPipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  return result;
}

VkResult MakeBuffers(Gpu &gpu) {
  VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr,
                                   gpu.Pool(), VK_COMMAND_BUFFER_LEVEL_PRIMARY, 3};
  VkCommandBuffer buffers[3];
  return gpu.vk.AllocateCommandBuffers(gpu.device, &info, buffers);
}

VkResult ResetPool(Gpu &gpu) {
  return gpu.vk.ResetCommandPool(gpu.device, gpu.Pool(), 0);
}

// Recording that does not even begin, or does not end: the buffer is never submitted.
VkResult BeginBuffer(Gpu &gpu) {
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  return gpu.vk.BeginCommandBuffer(gpu.Allocate(gpu.Pool()), &info);
}

VkResult EndBuffer(Gpu &gpu) {
  VkCommandBuffer buffer = gpu.Begin();
  return gpu.vk.EndCommandBuffer(buffer);
}

VkResult ResetBuffer(Gpu &gpu) {
  VkCommandBuffer buffer = gpu.Begin();
  gpu.End(buffer);
  return gpu.vk.ResetCommandBuffer(buffer, 0);
}

VkResult NamePipeline(Gpu &gpu) {
  VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, nullptr,
                                     VK_OBJECT_TYPE_PIPELINE, 0, "name"};
  return gpu.vk.SetDebugUtilsObjectNameEXT(gpu.device, &info);
}

VkResult NameByMarker(Gpu &gpu) {
  VkDebugMarkerObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT, nullptr,
                                      VK_DEBUG_REPORT_OBJECT_TYPE_PIPELINE_EXT, 0, "name"};
  return gpu.vk.DebugMarkerSetObjectNameEXT(gpu.device, &info);
}

#define MAKE(name, type)                                                                           \
  {"vkCreate" #name, [](Gpu &gpu) {                                                                \
     return Make(gpu, VK_STRUCTURE_TYPE_##type, gpu.vk.Create##name, gpu.vk.Destroy##name);        \
   }}

// Every command with a hook of ours that can run out of memory, and the other creations.
const Step kFailing[] = {
    MAKE(Fence, FENCE_CREATE_INFO),
    MAKE(Semaphore, SEMAPHORE_CREATE_INFO),
    MAKE(Event, EVENT_CREATE_INFO),
    MAKE(CommandPool, COMMAND_POOL_CREATE_INFO),
    MAKE(PipelineLayout, PIPELINE_LAYOUT_CREATE_INFO),
    MAKE(PipelineCache, PIPELINE_CACHE_CREATE_INFO),
    MAKE(DescriptorSetLayout, DESCRIPTOR_SET_LAYOUT_CREATE_INFO),
    MAKE(Sampler, SAMPLER_CREATE_INFO),
    MAKE(Buffer, BUFFER_CREATE_INFO),
    MAKE(BufferView, BUFFER_VIEW_CREATE_INFO),
    MAKE(Image, IMAGE_CREATE_INFO),
    MAKE(ImageView, IMAGE_VIEW_CREATE_INFO),
    MAKE(SamplerYcbcrConversion, SAMPLER_YCBCR_CONVERSION_CREATE_INFO),
    MAKE(Framebuffer, FRAMEBUFFER_CREATE_INFO),
    MAKE(RenderPass, RENDER_PASS_CREATE_INFO),
    {"vkCreateRenderPass2",
     [](Gpu &gpu) {
       return Make(gpu, VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2, gpu.vk.CreateRenderPass2,
                   gpu.vk.DestroyRenderPass);
     }},
    MAKE(DescriptorPool, DESCRIPTOR_POOL_CREATE_INFO),
    MAKE(DescriptorUpdateTemplate, DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO),
    MAKE(PrivateDataSlot, PRIVATE_DATA_SLOT_CREATE_INFO),
    {"vkAllocateMemory", MakeMemory},
    {"vkCreateGraphicsPipelines", MakeGraphics},
    {"vkCreateShaderModule", MakeModule},
    {"vkCreateComputePipelines", MakePipeline},
    {"vkCreateShadersEXT", MakeShader},
    {"vkCreateQueryPool", MakeQueries},
    {"vkAllocateCommandBuffers", MakeBuffers},
    {"vkResetCommandPool", ResetPool},
    {"vkBeginCommandBuffer", BeginBuffer},
    {"vkEndCommandBuffer", EndBuffer},
    {"vkResetCommandBuffer", ResetBuffer},
    {"vkResetFences", [](Gpu &gpu) { return gpu.vk.ResetFences(gpu.device, 1, &gpu.fence); }},
    {"vkQueueSubmit", [](Gpu &gpu) { return gpu.Submit({}); }},
    {"vkQueueSubmit2", [](Gpu &gpu) { return Submit2(gpu, gpu.vk.QueueSubmit2); }},
    {"vkQueueBindSparse",
     [](Gpu &gpu) { return gpu.vk.QueueBindSparse(gpu.queue, 0, nullptr, VK_NULL_HANDLE); }},
    {"vkQueueWaitIdle", [](Gpu &gpu) { return gpu.vk.QueueWaitIdle(gpu.queue); }},
    {"vkDeviceWaitIdle", [](Gpu &gpu) { return gpu.vk.DeviceWaitIdle(gpu.device); }},
    {"vkWaitForFences",
     [](Gpu &gpu) { return gpu.vk.WaitForFences(gpu.device, 1, &gpu.fence, VK_TRUE, 0); }},
    {"vkGetFenceStatus", [](Gpu &gpu) { return gpu.vk.GetFenceStatus(gpu.device, gpu.fence); }},
    {"vkWaitSemaphores", [](Gpu &gpu) { return WaitTimeline(gpu, gpu.vk.WaitSemaphores); }},
    {"vkGetSemaphoreCounterValue",
     [](Gpu &gpu) {
       uint64_t value;
       return gpu.vk.GetSemaphoreCounterValue(gpu.device, gpu.Timeline(), &value);
     }},
    {"vkGetEventStatus", EventStatus},
    {"vkSetDebugUtilsObjectNameEXT", NamePipeline},
    {"vkDebugMarkerSetObjectNameEXT", NameByMarker},
};

class TimingTroubleMemory : public TimingTroubleEach {};

INSTANTIATE_TEST_SUITE_P(Each, TimingTroubleMemory, ::testing::ValuesIn(kFailing), NameOf);

// Once refused, then given: the program is told, and everything before and after is measured.
TEST_P(TimingTroubleMemory, G3_D38_TheErrorIsTheProgramsAndAllElseIsMeasured) {
  OpenA();
  ASSERT_EQ(gpu.Submit({Recorded()}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  for (VkResult error : {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY}) {
    fake_fail(GetParam().command, 1, error);
    if (std::string(GetParam().command) == "vkCreateComputePipelines") {
      fake_fail(GetParam().command, 1, error); // the program's own create-info, too
    }
    EXPECT_EQ(GetParam().call(gpu), error);
  }
  EXPECT_GE(GetParam().call(gpu), VK_SUCCESS);
  ASSERT_EQ(gpu.Submit({Recorded()}, gpu.fence), VK_SUCCESS);
  EXPECT_EQ(gpu.vk.WaitForFences(gpu.device, 1, &gpu.fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, (Nanoseconds{5010, 5010}));
  EXPECT_EQ(profile.Row("a").outcomes.executed, 2);
  EXPECT_EQ(profile.Text("end_reason"), "device_destroyed");
  EXPECT_EQ(profile.Text("devices.0.end"), "destroyed");
}

// The instance and the device themselves: refused once, then given.
class TimingTroubleStart : public LayerTest {};

TEST_F(TimingTroubleStart, B8_InstanceAndDeviceAreRefusedOnce) {
  OpenInstance();
  CloseInstance();
  for (VkResult error : {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY}) {
    fake_fail("vkCreateInstance", 1, error);
    auto create =
        reinterpret_cast<PFN_vkCreateInstance>(get_instance_proc(nullptr, "vkCreateInstance"));
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    VkInstance refused = VK_NULL_HANDLE;
    EXPECT_LT(create(&info, nullptr, &refused), VK_SUCCESS); // the loader has an error of its own
  }
  OpenInstance();
  fake_fail("vkCreateDevice", 0, VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(OpenDevice(gpu), VK_ERROR_OUT_OF_DEVICE_MEMORY);
  fake_reset();
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, a);
  gpu.Run(buffer);
  EXPECT_EQ(Finish().Row("a").samples, Nanoseconds{5010});
}

// ---- our own calls ----

struct Own {
  const char *command;
  int64_t measured; // of two
};

class TimingTroubleOwn : public LayerTest, public ::testing::WithParamInterface<Own> {};

// The layer's own pools, reads and calibrations fail for ever; the program never hears of it.
TEST_P(TimingTroubleOwn, D40_D23_TheProgramNeverHearsOfIt) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  fake_fail(GetParam().command, 0, VK_ERROR_OUT_OF_HOST_MEMORY);
  for (int i = 0; i < 2; i++) {
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(buffer, a);
    gpu.Run(buffer);
  }
  Settle();
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").outcomes.executed, 2);
  EXPECT_EQ(profile.Row("a").outcomes.measured, GetParam().measured);
  EXPECT_EQ(profile.Text("devices.0.end"), "destroyed");
}

INSTANTIATE_TEST_SUITE_P(Each, TimingTroubleOwn,
                         ::testing::Values(Own{"vkCreateQueryPool", 0},
                                           Own{"vkGetQueryPoolResults", 0},
                                           Own{"vkGetCalibratedTimestampsKHR", 2}),
                         [](const auto &info) { return std::string(info.param.command); });

} // namespace
