// Only some commands are timed: settings CAPTURE_KERNEL and CAPTURE_LABEL, alone and with others.
//
// In: recordings of chosen and other commands. Out: which of them have stamps, and exact counts;
// the times of the chosen ones are as if the others had never been looked at.
#include "timing_choice.h"

namespace {

// ---- kernels

TEST_F(TimingChoice, KernelsBetweenOthers) {
  Setting("CAPTURE_KERNEL", "^(a|c)$");
  Setting("CONTROL_EVERY", "1");
  Open();
  const std::vector<std::string> expected = {"WriteTimestamp", "Dispatch",       "WriteTimestamp",
                                             "Dispatch",       "WriteTimestamp", "Dispatch",
                                             "WriteTimestamp", "WriteTimestamp"};
  for (int i = 0; i < 20; i++) { // never control: spans of parts say nothing
    EXPECT_EQ(Names(Three()), expected);
  }
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds(20, 5010));
  EXPECT_EQ(profile.Row("c").samples, Nanoseconds(20, 3000));
  EXPECT_EQ(profile.Row("c").gap_count, 0); // what came before has no end
  Expect(profile.Row("b").outcomes, 0, {{"not_chosen", 20}}, kNone);
  Expect(profile.Coverage(), 40, {{"not_chosen", 20}}, kNone);
  EXPECT_EQ(profile.Number("contract.control_every"), 0);
  EXPECT_EQ(profile.Number("plans.0.span.instrumented.count"), 20); // from a to the end
  EXPECT_EQ(profile.Text("contract.chosen.kernel"), "^(a|c)$");
}

TEST_F(TimingChoice, KernelsWithoutBarriersDoNotShareStamps) {
  Setting("CAPTURE_KERNEL", "a|c");
  Open();
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, gpu.Pipeline("a", 5000));
  gpu.Dispatch(buffer, gpu.Pipeline("b", 8000)); // ends at 8020
  gpu.Dispatch(buffer, gpu.Pipeline("c", 9000)); // 30 to 9030
  gpu.Run(buffer);
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("a").samples, Nanoseconds{5010});
  EXPECT_EQ(profile.Row("c").samples, Nanoseconds{1010}); // what it added to b
  EXPECT_EQ(profile.Row("c").overlap_possible, 1);
}

TEST_F(TimingChoice, ARecordingWithoutTheKernelHasNoStampsAtAll) {
  Setting("CAPTURE_KERNEL", "^nothing$");
  Open();
  EXPECT_EQ(Names(Three()), (std::vector<std::string>{"Dispatch", "Dispatch", "Dispatch"}));
  Profile profile = Finish();
  Expect(profile.Coverage(), 0, {{"not_chosen", 3}}, kNone);
  EXPECT_EQ(profile.Number("overhead.stamps_written"), 0);
}

TEST_F(TimingChoice, ARecordingThatBeginsWithOthersHasNoSpan) {
  Setting("CAPTURE_KERNEL", "c");
  Open();
  EXPECT_EQ(Names(Three()), (std::vector<std::string>{"Dispatch", "Dispatch", "WriteTimestamp",
                                                      "Dispatch", "WriteTimestamp"}));
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("c").samples, Nanoseconds{3000});
  EXPECT_TRUE(cJSON_IsNull(profile.At("plans.0.span.instrumented")));
  EXPECT_EQ(profile.Queues()[0].busy, 3000);
}

TEST_F(TimingChoice, OtherCommandsAreNoKernels) {
  Setting("CAPTURE_KERNEL", ".");
  Open();
  void *bytes = nullptr;
  VkBuffer target = gpu.Buffer(256, &bytes);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.vk.CmdFillBuffer(buffer, target, 0, 256, 1);
  gpu.Dispatch(buffer, gpu.Pipeline("a", 5000));
  gpu.vk.CmdDispatch(buffer, 1, 1, 1);
  gpu.Run(buffer);
  Profile profile = Finish();
  Expect(profile.Coverage("fill"), 0, {{"not_chosen", 1}}, kNone);
  Expect(profile.Coverage(), 2, kNone, kNone);
}

TEST_F(TimingChoice, KernelsByTheNameThatTheyAreGiven) {
  Setting("CAPTURE_KERNEL", "^matmul");
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000);
  VkCommandBuffer before = Again(a);
  Name(a, "matmul f16");
  VkCommandBuffer after = Again(a);
  SubmitTimes(before, 2);
  SubmitTimes(after, 3);
  Expect(Finish().Row("a").outcomes, 3, {{"not_chosen", 2}}, kNone);
}

TEST_F(TimingChoice, KernelsByTheNameOfTheirModule) {
  Setting("CAPTURE_KERNEL", "SOFT");
  Open();
  std::vector<uint32_t> code = ComputeModule("main");
  VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  module_info.codeSize = code.size() * sizeof code[0];
  module_info.pCode = code.data();
  VkShaderModule module = VK_NULL_HANDLE;
  ASSERT_EQ(gpu.vk.CreateShaderModule(gpu.device, &module_info, nullptr, &module), VK_SUCCESS);
  VkDebugUtilsObjectNameInfoEXT name{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
  name.objectType = VK_OBJECT_TYPE_SHADER_MODULE;
  name.objectHandle = reinterpret_cast<uint64_t>(module); // NOLINT: what Vulkan asks for
  name.pObjectName = "SOFTMAX";
  ASSERT_EQ(gpu.vk.SetDebugUtilsObjectNameEXT(gpu.device, &name), VK_SUCCESS);
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = gpu.Layout();
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_SUCCESS);
  gpu.Own(pipeline);
  gpu.vk.DestroyShaderModule(gpu.device, module, nullptr);
  gpu.RunOne(pipeline);
  gpu.RunOne(gpu.Pipeline("b", 1000));
  Expect(Finish().Coverage(), 1, {{"not_chosen", 1}}, kNone);
}

TEST_F(TimingChoice, KernelsByTheirIdentity) {
  InChild([this] {
    Open();
    gpu.RunOne(gpu.Pipeline("a", 1000));
    Finish();
  });
  std::string identity = Read().Text("pipelines.0.identity.hash");
  ASSERT_EQ(identity.size(), 32U);
  Setting("CAPTURE_KERNEL", "^" + identity.substr(0, 8));
  Open();
  Three();
  Profile profile = Finish();
  Expect(profile.Row("a").outcomes, 1, kNone, kNone);
  Expect(profile.Row("b").outcomes, 0, {{"not_chosen", 1}}, kNone);
}

// Every identity holds some word of hex digits.
TEST_F(TimingChoice, AShortWordIsNoIdentity) {
  Setting("CAPTURE_KERNEL", "[0-9a-f]{1,5}");
  Open();
  gpu.RunOne(gpu.Pipeline("xyz", 1000));
  Expect(Finish().Coverage(), 0, {{"not_chosen", 1}}, kNone);
}

TEST_F(TimingChoice, InOtherModesToo) {
  Setting("CAPTURE_KERNEL", "c");
  Setting("MODE", "submit");
  Open();
  EXPECT_EQ(Stamps(Three()), 0); // no span: it begins with others
  Profile profile = Finish();
  EXPECT_EQ(profile.Row("c").outcomes.control, 1);
  Expect(profile.Row("a").outcomes, 0, {{"not_chosen", 1}}, kNone);
}

TEST_F(TimingChoice, IsolatedBarriersStandAroundTheChosenOnly) {
  Setting("CAPTURE_KERNEL", "b");
  Setting("MODE", "isolated");
  Open();
  VkCommandBuffer buffer = Three();
  int64_t barriers = 0;
  for (const std::string &command : Recorded(buffer)) {
    barriers += command.rfind("vkCmdPipelineBarrier", 0) == 0;
  }
  EXPECT_EQ(barriers, 2 + 3); // the program's, and ours
  EXPECT_EQ(Finish().Row("b").samples, Nanoseconds{8000});
}

TEST_F(TimingChoice, WithinALimitOfStamps) {
  Setting("CAPTURE_KERNEL", "a|c");
  Setting("MAX_STAMPS_PER_RECORDING", "8");
  Open();
  for (int i = 0; i < 4; i++) {
    EXPECT_EQ(Stamps(Three()), 5);
  }
  Expect(Finish().Coverage(), 8, {{"not_chosen", 4}}, kNone);
}

// ---- labels

class TimingChoiceLabel : public TimingChoice {
protected:
  // [a] prefill{ [b] attention{ [c] } } [d]
  void RunLabelled(const char *pattern) {
    Setting("CAPTURE_LABEL", pattern);
    Open();
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(buffer, gpu.Pipeline("a", 1000));
    gpu.Barrier(buffer);
    BeginLabel(buffer, "prefill");
    gpu.Dispatch(buffer, gpu.Pipeline("b", 2000));
    gpu.Barrier(buffer);
    BeginLabel(buffer, "attention");
    gpu.Dispatch(buffer, gpu.Pipeline("c", 3000));
    gpu.Barrier(buffer);
    gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
    gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
    gpu.Dispatch(buffer, gpu.Pipeline("d", 4000));
    gpu.Run(buffer);
  }
  // Which of a, b, c and d were measured; the others had no stamps.
  std::string Measured() {
    Profile profile = Finish();
    std::string measured;
    for (const char *entry : {"a", "b", "c", "d"}) {
      Outcomes outcomes = profile.Row(entry).outcomes;
      measured += outcomes.measured ? entry : "";
      EXPECT_EQ(outcomes.untimed, outcomes.measured ? kNone : (Counts{{"not_chosen", 1}})) << entry;
    }
    return measured;
  }
};

TEST_F(TimingChoiceLabel, ALabelHoldsWhatIsInIt) {
  RunLabelled("prefill");
  EXPECT_EQ(Measured(), "bc");
}
TEST_F(TimingChoiceLabel, APathOfLabels) {
  RunLabelled("prefill/attention");
  EXPECT_EQ(Measured(), "c");
}
TEST_F(TimingChoiceLabel, AnyOuterLabel) {
  RunLabelled("*/att*");
  EXPECT_EQ(Measured(), "c");
}
TEST_F(TimingChoiceLabel, AnInnerLabelAloneIsNoPath) {
  RunLabelled("attention");
  EXPECT_EQ(Measured(), "");
}
TEST_F(TimingChoiceLabel, OutsideOfAll) {
  RunLabelled("unlabelled");
  EXPECT_EQ(Measured(), "ad");
}

// Until a queue has a label, what does not match by itself has no stamps; afterwards the queue's
// label decides when it is submitted.
TEST_F(TimingChoiceLabel, LabelsOfQueues) {
  Setting("CAPTURE_LABEL", "frame");
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000);
  VkDebugUtilsLabelEXT frame = Label("frame");
  RunTimes(a, 2); // no stamps
  gpu.vk.QueueBeginDebugUtilsLabelEXT(gpu.queue, &frame);
  VkCommandBuffer buffer = Again(a);
  SubmitTimes(buffer, 3); // measured
  gpu.vk.QueueEndDebugUtilsLabelEXT(gpu.queue);
  SubmitTimes(buffer, 4); // stamps for nothing
  Profile profile = Finish();
  Expect(profile.Coverage(), 3, {{"not_chosen", 2}}, {{"not_chosen", 4}});
  EXPECT_EQ(profile.Rows("a")[1].phase, "frame");
  EXPECT_EQ(profile.Rows("a")[1].samples, (Nanoseconds{3010, 4010, 5010}));
}

TEST_F(TimingChoiceLabel, LabelsOfQueuesAndBuffersMakeOnePath) {
  Setting("CAPTURE_LABEL", "frame/prefill");
  Open();
  VkDebugUtilsLabelEXT frame = Label("frame");
  gpu.vk.QueueBeginDebugUtilsLabelEXT(gpu.queue, &frame);
  VkCommandBuffer buffer = gpu.Begin();
  gpu.Dispatch(buffer, gpu.Pipeline("a", 1000));
  gpu.Barrier(buffer);
  BeginLabel(buffer, "prefill");
  gpu.Dispatch(buffer, gpu.Pipeline("b", 2000));
  gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
  gpu.End(buffer);
  SubmitTimes(buffer, 2);
  gpu.vk.QueueEndDebugUtilsLabelEXT(gpu.queue);
  SubmitTimes(buffer, 1);
  Profile profile = Finish();
  Expect(profile.Rows("a")[0].outcomes, 0, kNone, {{"not_chosen", 2}});
  std::vector<KernelRow> rows = profile.Rows("b");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].phase, "frame/prefill");
  EXPECT_EQ(rows[0].samples, (Nanoseconds{2000, 2000}));
  EXPECT_EQ(rows[0].gap_count, 0);
  Expect(rows[1].outcomes, 0, kNone, {{"not_chosen", 1}});
  Expect(profile.Coverage(), 2, kNone, {{"not_chosen", 4}});
}

// It has stamps, and a gap over it would be none.
TEST_F(TimingChoiceLabel, NoGapReachesOverWhatIsNotChosen) {
  Setting("CAPTURE_LABEL", "frame/prefill");
  Open();
  VkDebugUtilsLabelEXT frame = Label("frame");
  gpu.vk.QueueBeginDebugUtilsLabelEXT(gpu.queue, &frame);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  for (const char *entry : {"a", "b", "c"}) {
    BeginLabel(buffer, *entry == 'b' ? "other" : "prefill");
    gpu.Dispatch(buffer, gpu.Pipeline(entry, 1000));
    gpu.Barrier(buffer);
    gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
  }
  EXPECT_EQ(Stamps(buffer), 6);
  gpu.Run(buffer);
  Profile profile = Finish();
  Expect(profile.Row("b").outcomes, 0, kNone, {{"not_chosen", 1}});
  EXPECT_EQ(profile.Row("c").samples, Nanoseconds{1000});
  EXPECT_EQ(profile.Row("c").gap_count, 0);
}

// From the first present on whatever has no label counts in its frame, known at submission only.
TEST_F(TimingChoiceLabel, FramesAreLabelsToo) {
  Setting("CAPTURE_LABEL", "frame 2");
  Setting("PHASE_DIGITS", "keep");
  GpuOptions options;
  options.extensions = {"VK_KHR_swapchain"};
  Open("rare_extensions=1", options);
  VkPipeline a = gpu.Pipeline("a", 1000);
  RunTimes(a, 1); // no stamps
  for (int frame = 1; frame <= 3; frame++) {
    auto swapchain = (VkSwapchainKHR)1; // a pointer or a number
    uint32_t image = 0;
    VkPresentInfoKHR info{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
    info.swapchainCount = 1;
    info.pSwapchains = &swapchain;
    info.pImageIndices = &image;
    ASSERT_EQ(gpu.vk.QueuePresentKHR(gpu.queue, &info), VK_SUCCESS);
    RunTimes(a, 2);
  }
  Profile profile = Finish();
  Expect(profile.Coverage(), 2, {{"not_chosen", 1}}, {{"not_chosen", 4}});
  EXPECT_EQ(profile.Rows("a")[2].phase, "frame 2");
  EXPECT_EQ(profile.Rows("a")[2].samples, (Nanoseconds{4010, 5010}));
}

// ---- together

TEST_F(TimingChoice, AllSettingsHaveToChoose) {
  Setting("CAPTURE_SUBMISSIONS", "2-3");
  Setting("CAPTURE_KERNEL", "a|b");
  Setting("CAPTURE_LABEL", "work");
  Setting("CAPTURE_TIME", "0-1000");
  Open();
  VkCommandBuffer buffer = gpu.Begin();
  gpu.Dispatch(buffer, gpu.Pipeline("a", 1000)); // no label
  gpu.Barrier(buffer);
  BeginLabel(buffer, "work");
  gpu.Dispatch(buffer, gpu.Pipeline("b", 2000));
  gpu.Barrier(buffer);
  gpu.Dispatch(buffer, gpu.Pipeline("c", 3000)); // another kernel
  gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
  gpu.End(buffer);
  SubmitTimes(buffer, 4);
  Profile profile = Finish();
  Expect(profile.Row("a").outcomes, 0, {{"not_chosen", 4}}, kNone);
  Expect(profile.Row("b").outcomes, 2, kNone, {{"not_chosen", 2}});
  Expect(profile.Row("c").outcomes, 0, {{"not_chosen", 4}}, kNone);
  EXPECT_EQ(profile.Row("b").samples, (Nanoseconds{2000, 2000}));
  EXPECT_EQ(profile.Coverage().executed, 12);
  EXPECT_EQ(cJSON_GetArraySize(profile.At("contract.chosen")), 4);
}

} // namespace
