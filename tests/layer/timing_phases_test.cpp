// Phases: labels that carry counters, more labels than are kept, frames, rules (pitfalls D37, D41,
// E10).
//
// In: labels and presents. Out: the phases of rows, what did not find a place, and what presents
// leave alone.
#include <fstream>

#include "layer_test_case.h"

namespace {

class TimingPhases : public LayerTest {
protected:
  void OpenA(const std::vector<const char *> &extensions = {}) {
    GpuOptions options;
    options.extensions = extensions;
    Open("rare_extensions=1", options);
    a = gpu.Pipeline("a", 5000);
  }

  void OpenLabel(VkCommandBuffer buffer, const std::string &name) {
    VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, name.c_str(), {}};
    gpu.vk.CmdBeginDebugUtilsLabelEXT(buffer, &label);
  }

  // A one-time recording of one dispatch under these labels, run.
  void RunUnder(const std::vector<std::string> &labels) {
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    for (const std::string &label : labels) {
      OpenLabel(buffer, label);
    }
    gpu.Dispatch(buffer, a);
    for (size_t i = 0; i < labels.size(); i++) {
      gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
    }
    gpu.Run(buffer);
  }

  VkResult Present(uint32_t count = 1) {
    auto swapchain = (VkSwapchainKHR)1; // a pointer or a number
    uint32_t image = 0;
    VkPresentInfoKHR info{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
    info.swapchainCount = count;
    info.pSwapchains = &swapchain;
    info.pImageIndices = &image;
    return gpu.vk.QueuePresentKHR(gpu.queue, &info);
  }

  // Phases of the rows with their counts.
  static Counts Phases(const Profile &profile) {
    Counts out;
    for (const KernelRow &row : profile.Rows("a")) {
      out[row.phase] += row.outcomes.measured;
    }
    return out;
  }

  VkPipeline a = VK_NULL_HANDLE;
};

TEST_F(TimingPhases, E10_RunsOfDigitsCollapse) {
  OpenA();
  for (int i = 8; i < 12; i++) {
    RunUnder({"frame " + std::to_string(i)});
  }
  RunUnder({"layer12", "attn"});
  RunUnder({"layer3", "attn"});
  RunUnder({"2x2 and 3.14"});
  RunUnder({"iter #"}); // spelt as one that collapsed: the same phase
  RunUnder({"iter 5"});
  EXPECT_EQ(Phases(Finish()),
            (Counts{{"frame #", 4}, {"layer#/attn", 2}, {"#x# and #.#", 1}, {"iter #", 2}}));
}

TEST_F(TimingPhases, E10_DigitsAreKeptOnRequest) {
  Setting("PHASE_DIGITS", "keep");
  OpenA();
  RunUnder({"frame 8"});
  RunUnder({"frame 9"});
  RunUnder({"frame 9"});
  EXPECT_EQ(Phases(Finish()), (Counts{{"frame 8", 1}, {"frame 9", 2}}));
}

// One path, whether by one label or by two.
TEST_F(TimingPhases, E10_APathIsOnePhase) {
  OpenA();
  RunUnder({"a", "b"});
  RunUnder({"a/b"});
  RunUnder({"a", "b"});
  Profile profile = Finish();
  EXPECT_EQ(Phases(profile), (Counts{{"a/b", 3}}));
  EXPECT_EQ(profile.Rows("a").size(), 1U);
}

TEST_F(TimingPhases, D41_LabelsBeyondTheCapAreOther) {
  Setting("PHASE_DIGITS", "keep");
  OpenA();
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  for (int i = 0; i < 5000; i++) { // 4096 phases are kept, two of them are ours
    OpenLabel(buffer, "step " + std::to_string(i));
    gpu.Dispatch(buffer, a);
    gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
  }
  OpenLabel(buffer, "step 17"); // one that is known still counts in its own
  gpu.Dispatch(buffer, a);
  gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
  gpu.Run(buffer);
  Profile profile = Finish();
  Counts phases = Phases(profile);
  EXPECT_EQ(phases.size(), 4095U);
  EXPECT_EQ(phases["other"], 5000 - 4094);
  EXPECT_EQ(phases["step 17"], 2);
  EXPECT_EQ(profile.Number("devices.0.labels_in_other.beyond_cap"), 5000 - 4094);
  EXPECT_EQ(profile.Number("devices.0.labels_in_other.out_of_memory"), 0);
  EXPECT_EQ(profile.Text("phases.0.name"), "other"); // it has most time, and says what it holds
  EXPECT_NE(profile.Text("phases.0.holds"), "(none)");
}

TEST_F(TimingPhases, E10_PathsThatAreTooLongAreOther) {
  OpenA();
  RunUnder({std::string(60, 'a'), std::string(60, 'b'), std::string(60, 'c'), std::string(60, 'd'),
            std::string(60, 'e')});
  RunUnder({std::string(300, 'x')}); // cut: a label by itself always has a place
  Profile profile = Finish();
  EXPECT_EQ(Phases(profile), (Counts{{"other", 1}, {std::string(64, 'x'), 1}}));
  EXPECT_EQ(profile.Number("devices.0.labels_in_other.too_long"), 1);
}

// ---- frames ----

TEST_F(TimingPhases, D37_FramesWhereNoLabelIsOpen) {
  OpenA({"VK_KHR_swapchain"});
  RunUnder({}); // nothing was presented so far: no frames to count in
  for (int i = 0; i < 3; i++) {
    ASSERT_EQ(Present(), VK_SUCCESS);
    RunUnder({});
    RunUnder({"pass"});
  }
  VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, "queue", {}};
  gpu.vk.QueueBeginDebugUtilsLabelEXT(gpu.queue, &label);
  RunUnder({});
  RunUnder({"pass"});
  gpu.vk.QueueEndDebugUtilsLabelEXT(gpu.queue);
  Profile profile = Finish();
  EXPECT_EQ(
      Phases(profile),
      (Counts{{"unlabelled", 1}, {"frame #", 3}, {"pass", 3}, {"queue", 1}, {"queue/pass", 1}}));
  EXPECT_EQ(profile.Number("devices.0.presents"), 3);
}

TEST_F(TimingPhases, D37_EachFrameOnRequest) {
  Setting("PHASE_DIGITS", "keep");
  OpenA({"VK_KHR_swapchain"});
  EXPECT_EQ(Present(0), VK_ERROR_OUT_OF_DATE_KHR); // reaches the program, and is no frame
  RunUnder({});
  ASSERT_EQ(Present(), VK_SUCCESS);
  RunUnder({});
  ASSERT_EQ(Present(), VK_SUCCESS);
  RunUnder({});
  RunUnder({});
  EXPECT_EQ(Phases(Finish()), (Counts{{"unlabelled", 1}, {"frame 1", 1}, {"frame 2", 2}}));
}

// A recording that runs in several frames counts in each.
TEST_F(TimingPhases, D37_ARecordingOfSeveralFrames) {
  Setting("PHASE_DIGITS", "keep");
  OpenA({"VK_KHR_swapchain"});
  VkCommandBuffer buffer = gpu.Begin();
  gpu.Dispatch(buffer, a);
  gpu.End(buffer);
  for (int i = 0; i < 3; i++) {
    ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
    ASSERT_EQ(gpu.Wait(), VK_SUCCESS);
    ASSERT_EQ(Present(), VK_SUCCESS);
  }
  EXPECT_EQ(Phases(Finish()), (Counts{{"unlabelled", 1}, {"frame 1", 1}, {"frame 2", 1}}));
}

// ---- rules ----

TEST_F(TimingPhases, RulesNamePhasesWhereNeitherLabelNorFrameDoes) {
  std::ofstream(folder + "/rules.txt") << "entry=a phase=\"warm up\"\n";
  Setting("RULES", folder + "/rules.txt");
  OpenA({"VK_KHR_swapchain"});
  RunUnder({});
  RunUnder({"pass"});
  ASSERT_EQ(Present(), VK_SUCCESS);
  RunUnder({});
  Profile profile = Finish();
  EXPECT_EQ(Phases(profile), (Counts{{"warm up", 1}, {"pass", 1}, {"frame #", 1}}));
}

} // namespace
