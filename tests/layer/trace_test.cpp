// The timeline against the scripted driver: times to the nanosecond, who submitted, who saw it.
//
// In: programs whose times are worked out by hand, each in a process of its own, because only its
// end closes the trace. Out: the trace, its profile, and check_trace's word on both.
#include <unistd.h>

#include "layer_trace.h"

namespace {

class TraceTimes : public TraceTest, public ::testing::WithParamInterface<const char *> {
protected:
  void SetUp() override {
    TraceTest::SetUp();
    Setting("TRACE_STYLE", GetParam());
  }
};

INSTANTIATE_TEST_SUITE_P(, TraceTimes, ::testing::Values("render_stage", "track_event"),
                         [](const auto &info) { return std::string(info.param); });

TEST_P(TraceTimes, DurationsAreTheProfilesSamples) {
  std::string style = GetParam();
  style[style.find('_')] = '-';
  Setting("TRACE_STYLE", style);
  InChild([&] {
    Open();
    VkPipeline a = gpu.Pipeline("a", 5000);
    VkPipeline b = gpu.Pipeline("b", 3000, 10);
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(buffer, a);
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, b, 7, 2, 1);
    gpu.Dispatch(buffer, a); // beside it: charged what it added
    void *bytes;
    gpu.vk.CmdFillBuffer(buffer, gpu.Buffer(256, &bytes), 0, 256, 1);
    gpu.Run(buffer);
    RunMany(a, 3);
    End();
  });
  Trace trace = ReadTrace();
  Profile profile = Read();
  EXPECT_EQ(Check(), "");
  EXPECT_EQ(trace.Durations("a"), profile.Row("a").samples);
  EXPECT_EQ(trace.Durations("b"), Nanoseconds{3140});
  ASSERT_EQ(trace.Slices("b").size(), 1U);
  const vkm_timeline_launch &launch = trace->launches[trace.Slices("b")[0].launch];
  EXPECT_EQ(launch.groups[0], 7U);
  EXPECT_EQ(launch.groups[1], 2U);
  EXPECT_EQ(launch.local_size[0], 1U);
  EXPECT_EQ(profile.Text("trace.path"), trace_path);
  EXPECT_EQ(profile.Text("trace.style"), style);
  EXPECT_TRUE(profile.Flag("trace.writable"));
  EXPECT_EQ(profile.Number("trace.events"), static_cast<int64_t>(trace.Process().events));
  EXPECT_EQ(profile.Number("trace.written"), profile.Number("trace.events"));
  EXPECT_EQ(trace.Process().dropped[0] + trace.Process().dropped[1] + trace.Process().dropped[2],
            0U);
}

class TraceLayer : public TraceTest {
protected:
  static VkDebugUtilsLabelEXT Label(const char *name) {
    VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
    label.pLabelName = name;
    return label;
  }
};

TEST_F(TraceLayer, WithoutTheSettingThereIsNone) {
  Setting("TRACE", "");
  InChild([&] {
    Open();
    RunMany(gpu.Pipeline("a", 5000), 3);
    End();
  });
  EXPECT_NE(access(trace_path.c_str(), F_OK), 0);
  EXPECT_TRUE(cJSON_IsNull(Read().At("trace")));
}

TEST_F(TraceLayer, WithoutADeviceThereIsNone) {
  InChild([&] {
    OpenInstance();
    CloseInstance();
  });
  EXPECT_NE(access(trace_path.c_str(), F_OK), 0);
}

TEST_F(TraceLayer, AControlRecordingIsOneCommand) {
  Setting("MODE", "submit");
  InChild([&] {
    Open();
    RunMany(gpu.Pipeline("a", 5000), 3);
    End();
  });
  Trace trace = ReadTrace();
  EXPECT_EQ(Check(), "");
  ASSERT_EQ(trace->slice_count, 1U);
  EXPECT_EQ(trace->slices[0].kind, VKM_TIMELINE_KIND_WHOLE);
  EXPECT_EQ(trace->slices[0].end_ns - trace->slices[0].begin_ns,
            Read().Number("plans.0.span.control.min"));
}

TEST_F(TraceLayer, SubmitsAndTheWaitThatSawThem) {
  InChild([&] {
    Open("completion=manual");
    VkPipeline a = gpu.Pipeline("a", 5000);
    std::vector<VkCommandBuffer> buffers;
    for (int i = 0; i < 3; i++) {
      buffers.push_back(gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT));
      gpu.Dispatch(buffers.back(), a);
      gpu.End(buffers.back());
    }
    ASSERT_EQ(gpu.Submit({buffers[0]}), VK_SUCCESS);
    ASSERT_EQ(gpu.Submit({buffers[1], buffers[2]}, gpu.fence), VK_SUCCESS);
    EXPECT_EQ(gpu.vk.GetFenceStatus(gpu.device, gpu.fence), VK_NOT_READY);
    fake_complete(2);
    EXPECT_EQ(gpu.Wait(), VK_SUCCESS);
    End();
  });
  Trace trace = ReadTrace();
  EXPECT_EQ(Check(), "");
  std::vector<vkm_timeline_call> submits = trace.Calls("vkQueueSubmit");
  std::vector<vkm_timeline_call> waits = trace.Calls("vkWaitForFences");
  ASSERT_EQ(submits.size(), 2U);
  ASSERT_EQ(waits.size(), 1U);
  EXPECT_EQ(submits[0].submission, 1U);
  EXPECT_EQ(submits[1].submission, 2U);
  EXPECT_EQ(waits[0].seen_count, 2U);
  EXPECT_TRUE(trace.Calls("vkGetFenceStatus").empty()); // it saw nothing new
  EXPECT_EQ(trace.Slices("a").size(), 3U);
  EXPECT_EQ(trace.Slices("a")[2].submission, 2U);
  EXPECT_EQ(trace.Counter("in flight"), (std::vector<int64_t>{1, 2, 0}));
}

TEST_F(TraceLayer, LooksThatSawSomething) {
  InChild([&] {
    Open();
    VkPipeline a = gpu.Pipeline("a", 5000);
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(buffer, a);
    gpu.End(buffer);
    ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
    EXPECT_EQ(gpu.vk.GetFenceStatus(gpu.device, gpu.fence), VK_SUCCESS);
    EXPECT_EQ(gpu.vk.GetFenceStatus(gpu.device, gpu.fence), VK_SUCCESS);
    End();
  });
  Trace trace = ReadTrace();
  EXPECT_EQ(Check(), "");
  ASSERT_EQ(trace.Calls("vkGetFenceStatus").size(), 1U);
  EXPECT_EQ(trace.Calls("vkGetFenceStatus")[0].seen_count, 1U);
}

TEST_F(TraceLayer, LabelsMemoryAndThreads) {
  InChild([&] {
    Open();
    VkPipeline a = gpu.Pipeline("a", 5000);
    VkDebugUtilsLabelEXT outer = Label("outer"), inner = Label("inner");
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.vk.CmdBeginDebugUtilsLabelEXT(buffer, &outer);
    gpu.Dispatch(buffer, a);
    gpu.Barrier(buffer);
    gpu.vk.CmdBeginDebugUtilsLabelEXT(buffer, &inner);
    gpu.Dispatch(buffer, a);
    gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
    gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
    gpu.Run(buffer);
    void *bytes;
    gpu.Buffer(4096, &bytes);
    End();
  });
  Trace trace = ReadTrace();
  EXPECT_EQ(Check(), "");
  ASSERT_EQ(trace->label_count, 2U);
  EXPECT_STREQ(trace->labels[0].name, "outer");
  EXPECT_EQ(trace->labels[0].end_ns - trace->labels[0].begin_ns, 10010);
  EXPECT_STREQ(trace->labels[1].name, "inner");
  EXPECT_EQ(trace->labels[1].depth, 1U);
  EXPECT_EQ(trace->labels[1].end_ns - trace->labels[1].begin_ns, 5000);
  std::vector<int64_t> heap = trace.Counter("heap");
  ASSERT_EQ(heap.size(), 2U);
  EXPECT_EQ(heap[0], Read().Number("devices.0.memory.heaps.0.peak_bytes") > 0
                         ? Read().Number("devices.0.memory.heaps.0.peak_bytes")
                         : Read().Number("devices.0.memory.heaps.1.peak_bytes"));
  EXPECT_EQ(heap[1], 0);
  ASSERT_EQ(trace.Calls("vkAllocateMemory").size(), 1U);
  EXPECT_EQ(trace.Calls("vkAllocateMemory")[0].bytes, static_cast<uint64_t>(heap[0]));
  EXPECT_EQ(trace.Calls("vkFreeMemory").size(), 1U);
  EXPECT_EQ(trace.Calls("vkCreateComputePipelines").size(), 1U);
  EXPECT_EQ(trace.Calls("vkCreateComputePipelines")[0].made, 1U);
  EXPECT_EQ(trace.Calls("vkCreateInstance").size(), 1U);
  EXPECT_EQ(trace.Calls("vkCreateDevice").size(), 1U);
  ASSERT_EQ(trace->thread_count, 1U);
  EXPECT_STREQ(trace->threads[0].name, "layer_test");
}

// From the first command on: the clocks are laid beside each other when the device is made.
TEST_F(TraceLayer, CommandsLieBetweenTheirSubmitAndTheWaitThatSawThem) {
  InChild([&] {
    Open("completion=real");
    VkPipeline a = gpu.Pipeline("a", 2000000);
    for (int i = 0; i < 5; i++) {
      RunMany(a, 2);
    }
    End();
  });
  EXPECT_EQ(Check(""), "");
  EXPECT_EQ(Read().Text("devices.0.clock.source"), "calibrated");
}

TEST_F(TraceLayer, RejectedTimestampsAreSaid) {
  InChild([&] {
    Open("query_mode=zero");
    RunMany(gpu.Pipeline("a", 5000), 3);
    End();
  });
  Trace trace = ReadTrace();
  EXPECT_EQ(Check(), "");
  EXPECT_EQ(trace->slice_count, 0U);
  EXPECT_EQ(Read().Coverage().rejected, (Counts{{"zero_stamp", 3}}));
  bool said = false;
  for (const std::string &instant : trace.Instants()) {
    said = said || instant == "timestamps rejected: zero_stamp";
  }
  EXPECT_TRUE(said);
}

TEST_F(TraceLayer, FailedSubmitsKeepTheirResult) {
  InChild([&] {
    Open();
    VkPipeline a = gpu.Pipeline("a", 5000);
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(buffer, a);
    gpu.End(buffer);
    fake_fail("vkQueueSubmit", 1, VK_ERROR_OUT_OF_HOST_MEMORY);
    EXPECT_EQ(gpu.Submit({buffer}, gpu.fence), VK_ERROR_OUT_OF_HOST_MEMORY);
    EXPECT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
    EXPECT_EQ(gpu.Wait(), VK_SUCCESS);
    End();
  });
  Trace trace = ReadTrace();
  EXPECT_EQ(Check(), "");
  ASSERT_EQ(trace.Calls("vkQueueSubmit").size(), 2U);
  EXPECT_EQ(trace.Calls("vkQueueSubmit")[0].result, VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(trace.Calls("vkQueueSubmit")[1].result, VK_SUCCESS);
  EXPECT_EQ(trace.Counter("in flight"), (std::vector<int64_t>{1, 0}));
}

} // namespace
