// Several threads at once: each records from a pool of its own, queues are shared under a lock
// (pitfalls D31, D36). Worth most in the build with the thread sanitizer.
//
// In: threads that record, submit, wait, reset, with the collector reading beside them. Out: every
// execution measured or missed, none lost, no time but the scripted ones.
#include <chrono>
#include <mutex>
#include <thread>

#include "layer_test_case.h"

namespace {

constexpr int kThreads = 4;
constexpr int64_t kRounds = 60;

class TimingThreads : public LayerTest {
protected:
  // Each thread works through `round` with a command buffer and a fence of its own.
  void
  OnThreads(const std::function<void(int thread, VkCommandBuffer buffer, VkFence fence)> &work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; i++) {
      VkCommandBuffer buffer = gpu.Allocate(gpu.Pool());
      VkFence fence = gpu.Fence();
      threads.emplace_back(work, i, buffer, fence);
    }
    for (auto &thread : threads) {
      thread.join();
    }
  }

  void SubmitLocked(VkCommandBuffer buffer, VkFence fence) {
    std::lock_guard<std::mutex> lock(queue_mutex);
    EXPECT_EQ(gpu.Submit({buffer}, fence), VK_SUCCESS);
  }

  void WaitFor(VkFence fence) {
    EXPECT_EQ(gpu.vk.WaitForFences(gpu.device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    EXPECT_EQ(gpu.vk.ResetFences(gpu.device, 1, &fence), VK_SUCCESS);
  }

  // The barrier at the start keeps other submissions out of the times.
  void Record(VkCommandBuffer buffer, VkCommandBufferUsageFlags usage, int thread) {
    gpu.Start(buffer, usage);
    for (int i = 0; i < 3; i++) {
      gpu.Barrier(buffer);
      gpu.Dispatch(buffer, pipelines[thread]);
    }
    gpu.End(buffer);
  }

  void OpenAll(const std::string &script) {
    Open(script);
    for (int i = 0; i < kThreads; i++) {
      pipelines[i] = gpu.Pipeline("t" + std::to_string(i), Cost(i));
    }
  }

  static uint64_t Cost(int thread) {
    return 5000 + static_cast<uint64_t>(thread) * 1000;
  }

  // The first dispatch after idleness begins ten nanoseconds after its stamp.
  void ExpectScripted(const Profile &profile, int64_t executed) {
    for (int i = 0; i < kThreads; i++) {
      KernelRow row = profile.Row("t" + std::to_string(i));
      auto cost = static_cast<int64_t>(Cost(i));
      EXPECT_EQ(row.outcomes.executed, executed);
      EXPECT_EQ(row.outcomes.measured, executed);
      EXPECT_GE(row.min, cost);
      EXPECT_LE(row.max, cost + 10);
    }
    EXPECT_EQ(profile.Coverage().executed, kThreads * executed);
  }

  std::mutex queue_mutex;
  VkPipeline pipelines[kThreads] = {};
};

TEST_F(TimingThreads, D31_E11_RecordSubmitWait) {
  OpenAll("");
  OnThreads([this](int thread, VkCommandBuffer buffer, VkFence fence) {
    for (int64_t i = 0; i < kRounds; i++) {
      Record(buffer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, thread);
      SubmitLocked(buffer, fence);
      WaitFor(fence);
    }
  });
  ExpectScripted(Finish(), kRounds * 3);
}

// Completion by a thread of the driver, and reads that take a while: the collector is in the middle
// of one when the application waits, resets and submits.
TEST_F(TimingThreads, D31_SlowReadsBesideTheApplication) {
  OpenAll("completion=delayed;delay_ms=1;query_call_us=200");
  OnThreads([this](int thread, VkCommandBuffer buffer, VkFence fence) {
    for (int i = 0; i < kRounds / 2; i++) {
      Record(buffer, 0, thread);
      SubmitLocked(buffer, fence);
      WaitFor(fence);
    }
  });
  Settle();
  ExpectScripted(Finish(), kRounds / 2 * 3);
}

// The same recording again and again: a submission lets whoever reads the previous result finish.
// No sample is given up, and no query written twice without a reset.
TEST_F(TimingThreads, D3_ResubmittedBesideTheCollector) {
  OpenAll("completion=delayed;delay_ms=1;query_call_us=100");
  OnThreads([this](int thread, VkCommandBuffer buffer, VkFence fence) {
    Record(buffer, 0, thread);
    for (int i = 0; i < kRounds / 2; i++) {
      SubmitLocked(buffer, fence);
      WaitFor(fence);
    }
  });
  Settle();
  ExpectScripted(Finish(), kRounds / 2 * 3);
}

// Two threads wait for the same fence, and one of them reads, which takes a while: where it is not
// the one that submits again, that one has to wait for it.
TEST_F(TimingThreads, D3_ResubmittedWhileAnotherThreadReads) {
  constexpr int kTimes = 40;
  OpenAll("completion=delayed;delay_ms=2;query_call_us=5000");
  VkCommandBuffer buffer = gpu.Allocate(gpu.Pool());
  Record(buffer, 0, 0);
  const auto wait = [this](VkFence fence) {
    EXPECT_EQ(gpu.vk.WaitForFences(gpu.device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
  };
  std::vector<std::thread> others;
  for (int i = 0; i < kTimes; i++) {
    VkFence fence = gpu.Fence();
    others.emplace_back(wait, fence);
    std::this_thread::sleep_for(std::chrono::milliseconds(1)); // it waits already
    SubmitLocked(buffer, fence);
    wait(fence);
  }
  for (std::thread &other : others) {
    other.join();
  }
  Settle();
  KernelRow row = Finish().Row("t0");
  EXPECT_EQ(row.outcomes.executed, kTimes * 3);
  EXPECT_EQ(row.outcomes.measured, kTimes * 3);
}

// Binding reads the table of pipelines without a lock while another thread changes it.
TEST_F(TimingThreads, H1_BindsBesidePipelinesThatComeAndGo) {
  OpenAll("");
  std::thread other([this] {
    for (int64_t i = 0; i < kRounds; i++) {
      std::vector<VkPipeline> made;
      VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
      std::vector<uint32_t> code = ComputeModule("passing");
      module_info.codeSize = code.size() * sizeof code[0];
      module_info.pCode = code.data();
      VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
      info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
      info.stage.pNext = &module_info;
      info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
      info.stage.pName = "passing";
      info.layout = gpu.Layout();
      for (int j = 0; j < 40; j++) {
        VkPipeline one = VK_NULL_HANDLE;
        ASSERT_EQ(
            gpu.vk.CreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &one),
            VK_SUCCESS);
        made.push_back(one);
      }
      for (VkPipeline one : made) {
        gpu.vk.DestroyPipeline(gpu.device, one, nullptr);
      }
    }
  });
  OnThreads([this](int thread, VkCommandBuffer buffer, VkFence fence) {
    for (int64_t i = 0; i < kRounds; i++) {
      Record(buffer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, thread);
      SubmitLocked(buffer, fence);
      WaitFor(fence);
    }
  });
  other.join();
  Profile profile = Finish();
  int64_t named = 0;
  for (int thread = 0; thread < kThreads; thread++) {
    for (const auto &row : profile.Rows("t" + std::to_string(thread))) {
      named += row.outcomes.executed;
    }
  }
  EXPECT_EQ(named, kThreads * kRounds * 3) << "each dispatch under its own pipeline";
}

// Devices come and go while another one works, under the registry and the checkpoint writer.
TEST_F(TimingThreads, A21_DevicesComeAndGo) {
  OpenAll("");
  std::thread other([this] {
    for (int i = 0; i < 10; i++) {
      Gpu second;
      ASSERT_EQ(OpenDevice(second), VK_SUCCESS);
      VkPipeline own = second.Pipeline("own", 4000);
      VkCommandBuffer buffer = second.Begin();
      second.Dispatch(buffer, own);
      second.Run(buffer);
      second.Close();
    }
  });
  OnThreads([this](int thread, VkCommandBuffer buffer, VkFence fence) {
    for (int i = 0; i < kRounds / 2; i++) {
      Record(buffer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, thread);
      SubmitLocked(buffer, fence);
      WaitFor(fence);
    }
  });
  other.join();
  Profile profile = Finish();
  int64_t measured = 0;
  for (const auto &row : profile.Rows("own")) {
    measured += row.outcomes.measured;
  }
  EXPECT_EQ(measured, 10);
  EXPECT_EQ(profile.Coverage().measured, kThreads * (kRounds / 2 * 3) + 10);
}

} // namespace
