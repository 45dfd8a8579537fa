// What the tests of settings CAPTURE_* share: programs of few dispatches, each run with a time of
// its own, and what is expected to become of them.
#ifndef TIMING_CHOICE_H
#define TIMING_CHOICE_H

#include <string>
#include <utility>
#include <vector>

#include "layer_test_case.h"

inline const Counts kNone;

inline int64_t Stamps(VkCommandBuffer buffer) {
  int64_t count = 0;
  for (const std::string &command : Recorded(buffer)) {
    count += command.rfind("vkCmdWriteTimestamp", 0) == 0;
  }
  return count;
}

// Without binds and barriers: "WriteTimestamp", "Dispatch".
inline std::vector<std::string> Names(VkCommandBuffer buffer) {
  std::vector<std::string> names;
  for (const std::string &command : Recorded(buffer)) {
    std::string name = command.substr(5, command.find(' ') - 5);
    if (name != "BindPipeline" && name != "PipelineBarrier") {
      names.push_back(name);
    }
  }
  return names;
}

class TimingChoice : public LayerTest {
protected:
  static VkDebugUtilsLabelEXT Label(const char *name) {
    return {VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, nullptr, name, {}};
  }
  void BeginLabel(VkCommandBuffer buffer, const char *name) {
    VkDebugUtilsLabelEXT label = Label(name);
    gpu.vk.CmdBeginDebugUtilsLabelEXT(buffer, &label);
  }
  // One dispatch, each run with a time of its own.
  void RunTimes(VkPipeline pipeline, int times) {
    for (int i = 0; i < times; i++) {
      fake_set_cost("a", 1000 * ++runs_, 0);
      gpu.RunOne(pipeline);
    }
  }
  // The same recording again and again, each time waited for.
  void SubmitTimes(VkCommandBuffer buffer, int times) {
    for (int i = 0; i < times; i++) {
      fake_set_cost("a", 1000 * ++runs_, 0);
      ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
      gpu.Wait();
    }
  }
  // A recording of one dispatch that may be submitted again.
  VkCommandBuffer Again(VkPipeline pipeline, VkCommandBufferUsageFlags usage = 0) {
    VkCommandBuffer buffer = gpu.Begin(usage);
    gpu.Dispatch(buffer, pipeline);
    gpu.End(buffer);
    return buffer;
  }
  // a, b and c, each after a barrier.
  VkCommandBuffer Three() {
    VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(buffer, gpu.Pipeline("a", 5000));
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, gpu.Pipeline("b", 8000));
    gpu.Barrier(buffer);
    gpu.Dispatch(buffer, gpu.Pipeline("c", 3000));
    gpu.Run(buffer);
    return buffer;
  }
  void Name(VkPipeline pipeline, const char *name) {
    VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
    info.objectType = VK_OBJECT_TYPE_PIPELINE;
    info.objectHandle = reinterpret_cast<uint64_t>(pipeline); // NOLINT: what Vulkan asks for
    info.pObjectName = name;
    ASSERT_EQ(gpu.vk.SetDebugUtilsObjectNameEXT(gpu.device, &info), VK_SUCCESS);
  }
  // As Finish, for programs that run for seconds: the last writing may come a little after the end
  // of the device.
  Profile FinishLater() {
    Profile profile = Finish();
    EXPECT_TRUE(Eventually([&] {
      profile = Read();
      return profile.Flag("complete");
    }));
    return profile;
  }
  static void Expect(const Outcomes &outcomes, int64_t measured, const Counts &untimed,
                     const Counts &missed) {
    EXPECT_EQ(outcomes.measured, measured);
    EXPECT_EQ(outcomes.untimed, untimed);
    EXPECT_EQ(outcomes.missed, missed);
    EXPECT_EQ(outcomes.rejected, kNone);
  }

private:
  uint64_t runs_ = 0;
};

#endif
