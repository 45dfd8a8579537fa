// Group counts of indirect dispatches, read back (timing contract, section 5).
//
// In: arguments in a buffer that the program made without TRANSFER_SRC. Out: the profile's
// geometry, times to the nanosecond, and the commands that the driver got.
#include <algorithm>
#include <cstring>

#include "layer_test_case.h"

namespace {

class TimingIndirect : public LayerTest {
protected:
  void SetUp() override {
    LayerTest::SetUp();
    Setting("INDIRECT_GEOMETRY", "1");
  }
  // For arguments only; *counts is its mapping.
  VkBuffer Arguments(uint32_t **counts, const void *chain = nullptr, VkDeviceSize size = 4096) {
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, chain};
    info.size = size;
    info.usage = VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
    VkBuffer buffer = VK_NULL_HANDLE;
    EXPECT_EQ(gpu.vk.CreateBuffer(gpu.device, &info, nullptr, &buffer), VK_SUCCESS);
    VkMemoryRequirements needs;
    gpu.vk.GetBufferMemoryRequirements(gpu.device, buffer, &needs);
    VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocate.allocationSize = needs.size;
    allocate.memoryTypeIndex = 1; // as Gpu::Buffer
    VkDeviceMemory memory = VK_NULL_HANDLE;
    void *mapped = nullptr;
    EXPECT_EQ(gpu.vk.AllocateMemory(gpu.device, &allocate, nullptr, &memory), VK_SUCCESS);
    EXPECT_EQ(gpu.vk.MapMemory(gpu.device, memory, 0, VK_WHOLE_SIZE, 0, &mapped), VK_SUCCESS);
    *counts = static_cast<uint32_t *>(mapped);
    EXPECT_EQ(gpu.vk.BindBufferMemory(gpu.device, buffer, memory, 0), VK_SUCCESS);
    memories_.push_back(memory);
    buffers_.push_back(buffer);
    return buffer;
  }
  void Free() { // before the device goes
    for (VkBuffer buffer : buffers_) {
      gpu.vk.DestroyBuffer(gpu.device, buffer, nullptr);
    }
    for (VkDeviceMemory memory : memories_) {
      gpu.vk.FreeMemory(gpu.device, memory, nullptr);
    }
    buffers_.clear();
    memories_.clear();
  }
  Profile FreeAndFinish() {
    Free();
    return Finish();
  }
  static int Count(VkCommandBuffer buffer, const std::string &name) {
    int count = 0;
    for (const std::string &command : Recorded(buffer)) {
      count += command.rfind(name, 0) == 0;
    }
    return count;
  }

private:
  std::vector<VkBuffer> buffers_;
  std::vector<VkDeviceMemory> memories_;
};

TEST_F(TimingIndirect, E2_GroupCountsAreReadBack) {
  Open("transfer_ns=500");
  VkPipeline a = gpu.Pipeline("a", 1000, 10);
  uint32_t *counts;
  VkBuffer arguments = Arguments(&counts);
  const uint32_t groups[] = {3, 2, 1};
  std::memcpy(counts + 1, groups, sizeof groups);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Bind(buffer, a);
  gpu.vk.CmdDispatchIndirect(buffer, arguments, 4);
  gpu.Run(buffer);
  Profile profile = FreeAndFinish();
  KernelRow row = profile.Row("a");
  EXPECT_EQ(row.kind, "dispatch_indirect");
  EXPECT_EQ(row.groups, (Nanoseconds{3, 2, 1}));
  EXPECT_EQ(row.samples, Nanoseconds{1060}); // the copy before it is no part of it
  EXPECT_EQ(profile.Coverage().measured, 1);
  EXPECT_EQ(profile.At("coverage.copy"), nullptr); // ours is none of the program's
  EXPECT_EQ(cJSON_GetArraySize(profile.At("contract.barriers_added")), 1);
}

TEST_F(TimingIndirect, E2_EachSubmissionHasItsOwn) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000, 10);
  uint32_t *counts;
  VkBuffer arguments = Arguments(&counts);
  VkCommandBuffer buffer = gpu.Begin();
  gpu.Bind(buffer, a);
  gpu.vk.CmdDispatchIndirect(buffer, arguments, 0);
  gpu.End(buffer);
  for (uint32_t x : {5U, 7U, 0U, 5U}) {
    const uint32_t groups[] = {x, 1, 1};
    std::memcpy(counts, groups, sizeof groups);
    gpu.Submit({buffer}, gpu.fence);
    gpu.Wait();
  }
  Profile profile = FreeAndFinish();
  std::vector<KernelRow> rows = profile.Rows("a");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].groups, (Nanoseconds{5, 1, 1}));
  EXPECT_EQ(rows[0].samples, (Nanoseconds{1050, 1050}));
  EXPECT_EQ(rows[1].samples, Nanoseconds{1070});
  EXPECT_EQ(rows[2].groups, (Nanoseconds{0, 1, 1})); // zero is zero
  EXPECT_EQ(rows[2].samples, Nanoseconds{1000});
  EXPECT_EQ(profile.Number("plans.0.executions"), 4);
}

TEST_F(TimingIndirect, E2_MoreThanOneBlockOfSlots) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000, 10);
  uint32_t *counts;
  VkBuffer arguments = Arguments(&counts);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Bind(buffer, a);
  for (VkDeviceSize i = 0; i < 200; i++) {
    const uint32_t groups[] = {static_cast<uint32_t>(i) + 1, 1, 1};
    std::memcpy(counts + 4 * i, groups, sizeof groups);
    gpu.vk.CmdDispatchIndirect(buffer, arguments, 16 * i);
  }
  gpu.Run(buffer);
  std::vector<KernelRow> rows = FreeAndFinish().Rows("a");
  ASSERT_EQ(rows.size(), 200U);
  for (uint32_t i = 0; i < 200; i++) {
    EXPECT_EQ(rows[i].groups, (Nanoseconds{i + 1, 1, 1}));
    EXPECT_EQ(rows[i].outcomes.measured, 1);
  }
}

// The copy stands between: its end stamp is no begin of the indirect one.
TEST_F(TimingIndirect, TheBeginStampIsItsOwn) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000, 10);
  uint32_t *counts;
  VkBuffer arguments = Arguments(&counts);
  counts[0] = counts[1] = counts[2] = 1;
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, a);
  gpu.vk.CmdDispatchIndirect(buffer, arguments, 0);
  gpu.Run(buffer);
  EXPECT_EQ(Count(buffer, "vkCmdWriteTimestamp"), 5);
  EXPECT_EQ(Count(buffer, "vkCmdPipelineBarrier"), 2);
  EXPECT_EQ(Count(buffer, "vkCmdCopyBuffer"), 1);
  FreeAndFinish();
}

TEST_F(TimingIndirect, InSecondaries) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000, 10);
  uint32_t *counts;
  VkBuffer arguments = Arguments(&counts);
  counts[0] = 9;
  counts[1] = counts[2] = 1;
  VkCommandBuffer secondary = gpu.BeginSecondary();
  gpu.Bind(secondary, a);
  gpu.vk.CmdDispatchIndirect(secondary, arguments, 0);
  gpu.End(secondary);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.vk.CmdExecuteCommands(buffer, 1, &secondary);
  gpu.Run(buffer);
  EXPECT_EQ(FreeAndFinish().Row("a").groups, (Nanoseconds{9, 1, 1}));
}

TEST_F(TimingIndirect, ControlRecordingsCopyNothing) {
  Setting("MODE", "submit");
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000, 10);
  uint32_t *counts;
  VkBuffer arguments = Arguments(&counts);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Bind(buffer, a);
  gpu.vk.CmdDispatchIndirect(buffer, arguments, 0);
  gpu.Run(buffer);
  EXPECT_EQ(Count(buffer, "vkCmdCopyBuffer"), 0);
  EXPECT_TRUE(FreeAndFinish().Row("a").groups.empty());
}

TEST_F(TimingIndirect, KernelsThatAreNotChosenCopyNothing) {
  Setting("CAPTURE_KERNEL", "^b$");
  Open();
  uint32_t *counts;
  VkBuffer arguments = Arguments(&counts);
  counts[0] = 3, counts[1] = counts[2] = 1;
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  for (const char *entry : {"a", "b"}) {
    gpu.Bind(buffer, gpu.Pipeline(entry, 1000, 10));
    gpu.vk.CmdDispatchIndirect(buffer, arguments, 0);
  }
  gpu.Run(buffer);
  EXPECT_EQ(Count(buffer, "vkCmdCopyBuffer"), 1);
  Profile profile = FreeAndFinish();
  EXPECT_EQ(profile.Row("a").outcomes.untimed, (Counts{{"not_chosen", 1}}));
  EXPECT_EQ(profile.Row("b").groups, (Nanoseconds{3, 1, 1}));
}

// Memory that others know by the buffer's exact usage: it stays as the program made it.
TEST_F(TimingIndirect, SharedBuffersAreLeftAlone) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000, 10);
  uint32_t *counts;
  VkExternalMemoryBufferCreateInfo external{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
                                            nullptr, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
  VkBuffer arguments = Arguments(&counts, &external);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Bind(buffer, a);
  gpu.vk.CmdDispatchIndirect(buffer, arguments, 0);
  gpu.Run(buffer);
  EXPECT_EQ(Count(buffer, "vkCmdCopyBuffer"), 0);
  EXPECT_TRUE(FreeAndFinish().Row("a").groups.empty());
}

TEST_F(TimingIndirect, WithoutTheSettingNothingIsAdded) {
  Setting("INDIRECT_GEOMETRY", "0");
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000, 10);
  uint32_t *counts;
  VkBuffer arguments = Arguments(&counts);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Bind(buffer, a);
  gpu.vk.CmdDispatchIndirect(buffer, arguments, 0);
  gpu.Run(buffer);
  EXPECT_EQ(Count(buffer, "vkCmdCopyBuffer") + Count(buffer, "vkCmdPipelineBarrier"), 0);
  EXPECT_EQ(cJSON_GetArraySize(FreeAndFinish().At("contract.barriers_added")), 0);
}

} // namespace
