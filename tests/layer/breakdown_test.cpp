// Where the time went: work, transfers, builds, waits, hitches.
//
// In: work of known length on the virtual clock, or beside it on the real one. Out: the section
// breakdown; what lies on the real clock within bounds that hold on any machine.
#include <thread>

#include "layer_test_case.h"

namespace {

class Breakdown : public LayerTest {
protected:
  static int64_t Get(const Profile &profile, const std::string &name) {
    return profile.Number("breakdown." + name);
  }
  void Fill(VkCommandBuffer buffer, VkBuffer target, VkDeviceSize size = 64) {
    gpu.vk.CmdFillBuffer(buffer, target, 0, size, 1);
  }
};

TEST_F(Breakdown, G1_RunAndTransferAreUnionsOfOneQueue) {
  Open("transfer_ns=2000;byte_ns=0");
  VkPipeline a = gpu.Pipeline("a", 5000);
  void *bytes;
  VkBuffer target = gpu.Buffer(64, &bytes);
  VkCommandBuffer buffer = gpu.Begin();
  auto barrier = [&] {
    gpu.Barrier(buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  };
  gpu.Dispatch(buffer, a);
  barrier();
  Fill(buffer, target);
  barrier();
  Fill(buffer, target);
  barrier();
  gpu.Dispatch(buffer, a);
  gpu.Run(buffer);
  fake_advance(1000000); // nothing runs
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  Profile profile = Finish();
  EXPECT_EQ(Get(profile, "run_ns"), 2 * 10010);
  EXPECT_EQ(Get(profile, "transfer_ns"), 2 * 4000);
  EXPECT_EQ(Get(profile, "devices.0.busy_ns"), 2 * 14010);
  EXPECT_EQ(Get(profile, "devices.0.overlap_ns"), 0);
  EXPECT_EQ(Get(profile, "devices.0.unsplit_ns"), 0);
  EXPECT_EQ(Get(profile, "gpu_idle_ns"), 1000000);
}

// Two queues at once, on the real clock: the device is busy once.
TEST_F(Breakdown, G1_QueuesOfADeviceAreMerged) {
  const int64_t cost = 200000000;
  Open("families=gct:64+c:64;completion=real;transfer_ns=" + std::to_string(cost));
  VkPipeline a = gpu.Pipeline("a", cost);
  void *bytes;
  VkCommandBuffer copies = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  Fill(copies, gpu.Buffer(64, &bytes));
  gpu.End(copies);
  VkCommandBuffer work = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, 1);
  gpu.Dispatch(work, a);
  gpu.End(work);
  auto before = static_cast<int64_t>(fake_now());
  ASSERT_EQ(gpu.Submit({copies}), VK_SUCCESS);
  ASSERT_EQ(gpu.Submit({work}, gpu.fence, gpu.Queue(1, 0)), VK_SUCCESS);
  // The second begins that much later at most, however long this thread had no processor.
  int64_t late = static_cast<int64_t>(fake_now()) - before + 1000000;
  gpu.Wait();
  gpu.vk.DeviceWaitIdle(gpu.device);
  auto after = static_cast<int64_t>(fake_now());
  Profile profile = Finish();
  EXPECT_NEAR(static_cast<double>(Get(profile, "run_ns")), cost, 100);
  EXPECT_NEAR(static_cast<double>(Get(profile, "transfer_ns")), cost, 200);
  EXPECT_GT(Get(profile, "devices.0.overlap_ns"), cost - late);
  EXPECT_LT(Get(profile, "devices.0.busy_ns"), cost + late);
  EXPECT_GE(Get(profile, "devices.0.busy_ns"), cost);
  EXPECT_GT(Get(profile, "wait_ns"), 0);
  EXPECT_LE(Get(profile, "wait_ns"), after - before);
  EXPECT_GE(Get(profile, "executing_ns"), cost);
}

TEST_F(Breakdown, ABuildBesideADevice) {
  Open("completion=real");
  VkPipeline a = gpu.Pipeline("a", 200000000);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, a);
  gpu.End(buffer);
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
  for (int i = 0; i < 20; i++) {
    gpu.Pipeline("b" + std::to_string(i), 10);
  }
  gpu.Wait();
  Profile profile = Finish();
  ASSERT_EQ(profile.Text("devices.0.clock.source"), "calibrated");
  EXPECT_GT(Get(profile, "build_while_executing_ns"), 0);
  EXPECT_LE(Get(profile, "build_while_executing_ns"), Get(profile, "build_ns"));
  EXPECT_GE(Get(profile, "unaccounted_ns"), 0);
  EXPECT_LE(Get(profile, "unaccounted_ns"), Get(profile, "wall_ns"));
}

TEST_F(Breakdown, CallsAreCountedAndTheirPartsFitTheWhole) {
  Open();
  for (int i = 0; i < 3; i++) {
    gpu.RunOne(gpu.Pipeline("a" + std::to_string(i), 100));
  }
  Profile profile = Finish();
  EXPECT_EQ(Get(profile, "host.build.calls"), 6); // a module and a pipeline each
  EXPECT_EQ(Get(profile, "host.submit.calls"), 3);
  EXPECT_EQ(Get(profile, "host.wait.calls"), 3);
  EXPECT_EQ(Get(profile, "host.create.calls"), 2);
  EXPECT_EQ(Get(profile, "host.map.calls"), 0);
  EXPECT_EQ(Get(profile, "host.map.ns"), 0);
  const int64_t any = Get(profile, "host.any_ns");
  for (const char *name : {"build", "create", "submit", "wait"}) {
    EXPECT_GT(Get(profile, std::string("host.") + name + ".ns"), 0) << name;
    EXPECT_LE(Get(profile, std::string("host.") + name + ".ns"), any) << name;
  }
  EXPECT_LE(any, Get(profile, "wall_ns"));
  EXPECT_GE(Get(profile, "wall_ns"), profile.Number("run.duration_ns"));
  EXPECT_GE(cJSON_GetArraySize(profile.At("breakdown.not_seen")), 1);
}

// Executed and nothing of it measured: unknown. Nothing executed: zero.
TEST_F(Breakdown, ZeroMeansZeroAndUnknownIsNull) {
  Open("query_mode=never");
  gpu.RunOne(gpu.Pipeline("a", 100));
  Profile profile = Finish();
  EXPECT_TRUE(cJSON_IsNull(profile.At("breakdown.run_ns")));
  EXPECT_EQ(profile.Text("breakdown.run_ns_reason"), "nothing of what was executed was measured");
}

TEST_F(Breakdown, NothingExecutedIsZero) {
  Open();
  Profile profile = Finish();
  EXPECT_EQ(Get(profile, "run_ns"), 0);
  EXPECT_EQ(Get(profile, "transfer_ns"), 0);
  EXPECT_EQ(Get(profile, "build_ns"), 0);
  EXPECT_EQ(Get(profile, "devices.0.busy_ns"), 0);
}

// ---- cold and warm ----

TEST_F(Breakdown, D24_FirstUseAgainstTheMedianOfTheOthers) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 9000);
  VkPipeline once = gpu.Pipeline("once", 500);
  gpu.RunOne(a);
  for (uint64_t cost : {4000U, 5000U, 8000U}) {
    fake_set_cost("a", cost, 0);
    gpu.RunOne(a);
  }
  gpu.RunOne(once);
  Profile profile = Finish();
  EXPECT_EQ(Get(profile, "first_use.kernels"), 1);
  EXPECT_EQ(Get(profile, "first_use.kernels_without_later"), 1);
  EXPECT_EQ(Get(profile, "first_use.cold_ns"), 9010);
  EXPECT_EQ(Get(profile, "first_use.warm_ns"), 5010);
}

// ---- hitches ----

TEST_F(Breakdown, HitchesAreCreationsBetweenTwoSubmissionsOfOneThread) {
  Open();
  VkPipeline before = gpu.Pipeline("before", 100);
  gpu.RunOne(before);
  gpu.RunOne(gpu.Pipeline("between", 100));
  std::thread([&] { gpu.Pipeline("elsewhere", 100); }).join(); // that thread submits nothing
  gpu.RunOne(before);
  gpu.Pipeline("after", 100);
  Profile profile = Finish();
  EXPECT_EQ(Get(profile, "hitches.count"), 1);
  EXPECT_EQ(Get(profile, "hitches.untracked"), 0);
  EXPECT_GT(Get(profile, "hitches.ns"), 0);
  const cJSON *pipeline;
  std::string flagged;
  cJSON_ArrayForEach(pipeline, profile.At("pipelines")) {
    const cJSON *create = cJSON_GetObjectItemCaseSensitive(pipeline, "create");
    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(create, "between_submits"))) {
      flagged += cJSON_GetObjectItemCaseSensitive(pipeline, "entry_point")->valuestring;
      EXPECT_EQ(profile.Text("breakdown.hitches.worst.0.pipeline"),
                cJSON_GetObjectItemCaseSensitive(pipeline, "id")->valuestring);
    }
  }
  EXPECT_EQ(flagged, "between");
}

TEST_F(Breakdown, D41_OfManyHitchesTheWorstAreKept) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 100);
  gpu.RunOne(a);
  for (int i = 0; i < 40; i++) {
    gpu.Pipeline("b" + std::to_string(i), 100);
  }
  gpu.RunOne(a);
  Profile profile = Finish();
  EXPECT_EQ(Get(profile, "hitches.count"), 40);
  EXPECT_EQ(cJSON_GetArraySize(profile.At("breakdown.hitches.worst")), 16);
}

// ---- submits ----

TEST_F(Breakdown, DispatchesPerSubmit) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 10);
  VkCommandBuffer secondary = gpu.BeginSecondary();
  gpu.Dispatch(secondary, a);
  gpu.End(secondary);
  auto recorded = [&](int dispatches, bool with_secondary) {
    VkCommandBuffer buffer = gpu.Begin();
    for (int i = 0; i < dispatches; i++) {
      gpu.Dispatch(buffer, a);
    }
    if (with_secondary) {
      gpu.vk.CmdExecuteCommands(buffer, 1, &secondary);
    }
    gpu.End(buffer);
    return buffer;
  };
  VkCommandBuffer one = recorded(1, false);
  VkCommandBuffer three = recorded(3, false);
  VkCommandBuffer four = recorded(3, true);
  ASSERT_EQ(gpu.Submit({}), VK_SUCCESS);
  ASSERT_EQ(gpu.Submit({one}), VK_SUCCESS);
  ASSERT_EQ(gpu.Submit({three}), VK_SUCCESS);
  ASSERT_EQ(gpu.Submit({four}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  ASSERT_EQ(gpu.Submit({one, three, four}, gpu.fence), VK_SUCCESS); // 8
  gpu.Wait();
  Profile profile = Finish();
  const int64_t expected[][3] = {{0, 0, 1}, {1, 1, 1}, {2, 3, 1}, {4, 7, 1}, {8, 15, 1}};
  ASSERT_EQ(cJSON_GetArraySize(profile.At("breakdown.devices.0.dispatches_per_submit")), 5);
  for (int i = 0; i < 5; i++) {
    const std::string at = "devices.0.dispatches_per_submit." + std::to_string(i) + ".";
    EXPECT_EQ(Get(profile, at + "from"), expected[i][0]);
    EXPECT_EQ(Get(profile, at + "to"), expected[i][1]);
    EXPECT_EQ(Get(profile, at + "submits"), expected[i][2]) << i;
  }
}

// A control recording has no times of its commands: what is of one kind is that kind's.
TEST_F(Breakdown, ControlRecordingsAreSplitWhereTheyCanBe) {
  Setting("MODE", "submit");
  Open("transfer_ns=2000;byte_ns=0");
  void *bytes;
  VkBuffer target = gpu.Buffer(64, &bytes);
  gpu.RunOne(gpu.Pipeline("a", 5000));
  VkCommandBuffer copies = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  Fill(copies, target);
  gpu.Run(copies);
  VkCommandBuffer both = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(both, gpu.Pipeline("b", 7000));
  Fill(both, target);
  gpu.Run(both);
  Profile profile = Finish();
  EXPECT_EQ(Get(profile, "devices.0.run_ns"), 5010);
  EXPECT_EQ(Get(profile, "devices.0.transfer_ns"), 2010);
  EXPECT_EQ(Get(profile, "devices.0.unsplit_ns"), 7010);
}

} // namespace
