// The model of time: the worked examples of fake_driver.h and what else a test computes by hand.
#include "fixture.h"

namespace {

class Model : public FakeTest {};

TEST_F(Model, ExampleA_IndependentDispatchesOverlap) {
  Open();
  VkCommandBuffer buffer = Begin();
  Stamp(buffer, 0);
  Dispatch(buffer, Pipeline("a", 5000));
  Stamp(buffer, 1);
  Dispatch(buffer, Pipeline("b", 8000));
  Stamp(buffer, 2);
  Run(buffer);
  EXPECT_EQ(Read(0), 0U);
  EXPECT_EQ(Read(1), 5010U);
  EXPECT_EQ(Read(2), 8020U);
}

TEST_F(Model, ExampleB_BarrierSerializes) {
  Open();
  VkCommandBuffer buffer = Begin();
  Stamp(buffer, 0);
  Dispatch(buffer, Pipeline("a", 5000));
  Stamp(buffer, 1);
  Barrier(buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  Dispatch(buffer, Pipeline("b", 8000));
  Stamp(buffer, 2);
  Run(buffer);
  EXPECT_EQ(Read(1), 5010U);
  EXPECT_EQ(Read(2), 13010U);
}

TEST_F(Model, ExampleC_TopOfPipeDoesNotWait) {
  Open();
  VkCommandBuffer buffer = Begin();
  Stamp(buffer, 0);
  Dispatch(buffer, Pipeline("a", 5000));
  Stamp(buffer, 1, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
  Barrier(buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  Dispatch(buffer, Pipeline("b", 8000));
  Stamp(buffer, 2);
  Run(buffer);
  EXPECT_EQ(Read(1), 10U);
  EXPECT_EQ(Read(2), 13010U);
}

TEST_F(Model, ExampleD_CopyIsNoComputeWork) {
  for (bool barrier : {false, true}) {
    fake_reset();
    Open("transfer_ns=500;byte_ns=2");
    void *bytes = nullptr;
    VkBuffer source = Buffer(1000, &bytes);
    VkBuffer target = Buffer(1000, &bytes);
    VkCommandBuffer buffer = Begin();
    VkBufferCopy region{0, 0, 1000};
    vk.CmdCopyBuffer(buffer, source, target, 1, &region);
    if (barrier) {
      Barrier(buffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    }
    Stamp(buffer, 0);
    Dispatch(buffer, Pipeline("a", 5000));
    Stamp(buffer, 1);
    Run(buffer);
    EXPECT_EQ(Read(0), barrier ? 2510U : 10U);
    EXPECT_EQ(Read(1), barrier ? 7510U : 5020U);
    CloseDevice();
    buffers.clear();
    memories.clear();
    pipelines.clear();
    command_pools.clear();
    module = VK_NULL_HANDLE;
    CloseInstance();
  }
}

TEST_F(Model, ExampleE_WrapAround) {
  Open("valid_bits=36;start_ticks=68719476636");
  VkCommandBuffer buffer = Begin();
  Stamp(buffer, 0);
  Dispatch(buffer, Pipeline("a", 5000));
  Stamp(buffer, 1);
  Run(buffer);
  EXPECT_EQ(Read(0), 68719476636U);
  EXPECT_EQ(Read(1), 4910U);
  EXPECT_EQ((Read(1) - Read(0)) & ((1ULL << 36) - 1), 5010U);
}

} // namespace
