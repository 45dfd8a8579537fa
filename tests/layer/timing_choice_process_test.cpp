// What of a process is chosen from outside: a file that comes and goes while it runs, its name, its
// rank.
#include <dirent.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "timing_choice.h"

namespace {

// Names of this process.
std::set<std::string> Threads() {
  std::set<std::string> names;
  for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "comm");
    std::string name;
    std::getline(file, name);
    names.insert(name);
  }
  return names;
}

// ---- trigger

class TimingTrigger : public TimingChoice {
protected:
  void SetUp() override {
    TimingChoice::SetUp();
    path = folder + "/go";
    Setting("CAPTURE_TRIGGER", path);
  }
  void Touch() const {
    std::ofstream(path) << "";
  }
  void Remove() const {
    std::filesystem::remove(path);
  }
  // One dispatch in a recording of its own; whether it has stamps. Counts.
  bool RunStamped(VkPipeline pipeline) {
    VkCommandBuffer buffer = Again(pipeline, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    bool has = Stamps(buffer) > 0;
    stamped += has;
    all++;
    SubmitTimes(buffer, 1);
    return has;
  }
  // Until the layer has seen that the file is there, or gone.
  void UntilStamped(VkPipeline pipeline, bool with) {
    ASSERT_TRUE(Eventually([&] { return RunStamped(pipeline) == with; }));
  }
  std::string path;
  int64_t stamped = 0, all = 0;
};

TEST_F(TimingTrigger, ThereFromTheStart) {
  Touch();
  Open();
  RunTimes(gpu.Pipeline("a", 1000), 3);
  Profile profile = Finish();
  Expect(profile.Coverage(), 3, kNone, kNone);
  EXPECT_EQ(profile.Text("contract.chosen.trigger"), path);
}

TEST_F(TimingTrigger, NeverThere) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000);
  RunTimes(a, 3);
  SubmitTimes(Again(a), 2); // it might have come until the next time
  Expect(Finish().Coverage(), 0, {{"not_chosen", 3}}, {{"not_chosen", 2}});
}

TEST_F(TimingTrigger, ARelativePathIsThatOfTheStart) {
  Setting("CAPTURE_TRIGGER", "go");
  Touch();
  std::string before = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  Open();
  std::filesystem::current_path(before);
  VkPipeline a = gpu.Pipeline("a", 1000);
  UntilStamped(a, true);
  Remove();
  UntilStamped(a, false);
  EXPECT_EQ(FinishLater().Coverage().executed, all);
}

TEST_F(TimingTrigger, ComesAndGoesWhileTheProgramRuns) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000);
  for (int round = 0; round < 2; round++) {
    RunStamped(a);
    Touch();
    UntilStamped(a, true);
    int64_t before = stamped;
    for (int i = 0; i < 5; i++) {
      EXPECT_TRUE(RunStamped(a));
    }
    EXPECT_EQ(stamped, before + 5);
    Remove();
    UntilStamped(a, false);
    for (int i = 0; i < 5; i++) {
      EXPECT_FALSE(RunStamped(a));
    }
  }
  Outcomes outcomes = FinishLater().Coverage();
  EXPECT_EQ(outcomes.executed, all);
  EXPECT_EQ(outcomes.untimed, (Counts{{"not_chosen", all - stamped}}));
  int64_t switched = outcomes.missed.count("not_chosen") ? outcomes.missed["not_chosen"] : 0;
  EXPECT_LE(switched, 2); // between its recording and its submission
  EXPECT_EQ(outcomes.measured + switched, stamped);
  EXPECT_GE(outcomes.measured, 10);
}

// A program whose main thread has left by pthread_exit ends with its last thread.
TEST_F(TimingTrigger, F7_IdleThreadEndsAndComesBack) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 1000);
  EXPECT_EQ(Threads().count("vkmeter-trigger"), 1U); // from the first device on
  EXPECT_FALSE(RunStamped(a));
  EXPECT_TRUE(Eventually([] { return Threads().count("vkmeter-trigger") == 0; }));
  Touch();
  UntilStamped(a, true);
  EXPECT_EQ(Threads().count("vkmeter-trigger"), 1U);
  EXPECT_EQ(FinishLater().Coverage().executed, all);
}

class TimingTriggerAgain : public TimingTrigger,
                           public ::testing::WithParamInterface<const char *> {};

// Chosen, not chosen and chosen again; also where a late driver still shows the result of the
// execution before, which is the one that was not chosen.
TEST_P(TimingTriggerAgain, D30_ARecordingSubmittedAgain) {
  Touch();
  Open(GetParam());
  VkPipeline a = gpu.Pipeline("a", 1000);
  VkPipeline probe = gpu.Pipeline("probe", 10);
  VkCommandBuffer buffer = Again(a);
  SubmitTimes(buffer, 2);
  Remove();
  UntilStamped(probe, false);
  fake_set_cost("a", 777000, 0);
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  Settle();
  Touch();
  UntilStamped(probe, true);
  fake_set_cost("a", 5000, 0);
  ASSERT_EQ(gpu.Submit({buffer}, gpu.fence), VK_SUCCESS);
  gpu.Wait();
  Settle();
  KernelRow row = FinishLater().Row("a");
  EXPECT_EQ(row.samples.size(), 3U);
  EXPECT_EQ(row.samples.back(), 5010);
  Expect(row.outcomes, 3, kNone, {{"not_chosen", 1}});
}

INSTANTIATE_TEST_SUITE_P(Drivers, TimingTriggerAgain,
                         ::testing::Values("", "host_query_reset=0",
                                           "host_query_reset=0;query_mode=stale;stale_reads=1"));

TEST_F(TimingTrigger, ThreadsRecordAndSubmitMeanwhile) {
  Open("families=c4:64");
  std::atomic<bool> stop{false};
  std::atomic<int64_t> runs{0};
  std::vector<std::thread> threads;
  std::vector<VkPipeline> pipelines;
  std::vector<VkCommandPool> pools;
  std::vector<VkCommandBuffer> buffers;
  for (uint32_t i = 0; i < 4; i++) {
    pipelines.push_back(gpu.Pipeline("t" + std::to_string(i), 1000));
    pools.push_back(gpu.Pool());
    buffers.push_back(gpu.Allocate(pools.back()));
  }
  for (uint32_t i = 0; i < 4; i++) {
    threads.emplace_back([&, i] {
      VkQueue queue = gpu.Queue(0, i);
      while (!stop) {
        gpu.Start(buffers[i], i % 2 ? VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT : 0);
        gpu.Dispatch(buffers[i], pipelines[i]);
        gpu.End(buffers[i]);
        ASSERT_EQ(gpu.Submit({buffers[i]}, VK_NULL_HANDLE, queue), VK_SUCCESS);
        ASSERT_EQ(gpu.vk.QueueWaitIdle(queue), VK_SUCCESS);
        runs++;
      }
    });
  }
  for (int i = 0; i < 3; i++) {
    Touch();
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    Remove();
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
  }
  stop = true;
  for (std::thread &thread : threads) {
    thread.join();
  }
  Outcomes outcomes = FinishLater().Coverage();
  EXPECT_EQ(outcomes.executed, runs);
  EXPECT_GT(outcomes.measured, 0);
  EXPECT_GT(outcomes.untimed["not_chosen"], 0);
  EXPECT_GT(outcomes.missed["not_chosen"], 0);
}

// ---- name

class TimingProcess : public TimingChoice {
protected:
  void RunSome() {
    Open();
    RunTimes(gpu.Pipeline("a", 1000), 3);
    SubmitTimes(Again(gpu.Pipeline("a", 1000)), 2);
  }
};

TEST_F(TimingProcess, AnotherNamePassesThrough) {
  Setting("PROCESS", "node,python*");
  Setting("CAPTURE_TRIGGER", folder + "/go");
  RunSome();
  EXPECT_EQ(fake_call_count("vkCreateQueryPool"), 0U);
  EXPECT_EQ(fake_call_count("vkGetQueryPoolResults"), 0U);
  EXPECT_FALSE(fake_device_attempt(0)->host_query_reset); // nothing is added
  for (const std::string &name : Threads()) {
    EXPECT_NE(name.rfind("vkmeter", 0), 0U) << name;
  }
  gpu.Close();
  CloseInstance();
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    EXPECT_NE(entry.path().extension(), ".json") << entry.path();
  }
}

TEST_F(TimingProcess, OneOfSeveralPatterns) {
  Setting("PROCESS", "node,layer_t?st");
  RunSome();
  Profile profile = Finish();
  EXPECT_EQ(profile.Coverage().measured, 5);
  EXPECT_TRUE(cJSON_IsNull(profile.At("contract.chosen"))); // of this process everything
  EXPECT_EQ(profile.Text("run.settings.PROCESS"), "node,layer_t?st");
}

TEST_F(TimingProcess, OnlyTheNameIsLookedAt) {
  Setting("PROCESS", "*/layer_test");
  InChild([this] {
    RunSome();
    gpu.Close();
    EXPECT_FALSE(Read().Exists());
  });
  Setting("PROCESS", ",layer_test,");
  InChild([this] {
    RunSome();
    EXPECT_EQ(Finish().Coverage().measured, 5);
  });
}

// A child of fork is counted and chosen from its own start.
TEST_F(TimingProcess, F5_AForkedChildCountsFromTheStart) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer starts no thread in a child of a process with threads";
#elif defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "what a forked child has inherited is left lying on purpose: it looks like leaks";
#endif
  Setting("CAPTURE_SUBMISSIONS", "2-3");
  Setting("CAPTURE_KERNEL", "a");
  RunSome();
  Expect(Finish().Coverage(), 2, {{"not_chosen", 2}}, {{"not_chosen", 1}});
  InChild([this] {
    CloseInstance();
    setenv("VKMETER_OUTPUT", "ignored", 1);
    RunSome();
    gpu.Close();
  });
  int64_t files = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json" && entry.path() != profile_path) {
      Expect(Profile(entry.path()).Coverage(), 2, {{"not_chosen", 2}}, {{"not_chosen", 1}});
      files++;
    }
  }
  EXPECT_EQ(files, 1);
}

// ---- rank

class TimingRank : public TimingChoice {
protected:
  void SetUp() override {
    TimingChoice::SetUp();
    for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK",
                             "ALPS_APP_PE", "FLUX_TASK_RANK", "SLURM_PROCID"}) {
      unsetenv(name);
    }
  }
  // The files of a process with these variables set, and OUTPUT a name in the folder.
  std::set<std::string> Run(const std::string &output,
                            const std::vector<std::pair<const char *, const char *>> &variables) {
    InChild([&] {
      for (const auto &[name, value] : variables) {
        setenv(name, value, 1);
      }
      setenv("VKMETER_OUTPUT", (folder + "/" + output).c_str(), 1);
      Open();
      gpu.RunOne(gpu.Pipeline("a", 1000));
      gpu.Close();
    });
    std::set<std::string> files;
    for (const auto &entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".json") {
        files.insert(entry.path().filename());
      }
    }
    return files;
  }
};

TEST_F(TimingRank, EachStarterSaysItInItsOwnWay) {
  std::set<std::string> files;
  int rank = 10;
  for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK",
                           "ALPS_APP_PE", "FLUX_TASK_RANK", "SLURM_PROCID"}) {
    std::string text = std::to_string(rank++);
    files.insert("p" + text + ".json");
    EXPECT_EQ(Run("p%r.json", {{name, text.c_str()}}), files) << name;
  }
}

TEST_F(TimingRank, WithoutAnyItIsTheFirst) {
  EXPECT_EQ(Run("p%r.json", {}), std::set<std::string>{"p0.json"});
}

TEST_F(TimingRank, OnlyANumberIsARank) {
  EXPECT_EQ(Run("p%r.json", {{"PMI_RANK", "../x"}, {"SLURM_PROCID", "3"}}),
            std::set<std::string>{"p3.json"});
}

// A batch script of SLURM has a rank of its own, which mpirun's processes inherit.
TEST_F(TimingRank, TheNearestStarterCounts) {
  EXPECT_EQ(Run("p%r.json", {{"SLURM_PROCID", "0"}, {"OMPI_COMM_WORLD_RANK", "2"}}),
            std::set<std::string>{"p2.json"});
}

// One path for all, no process sees another's claim: each is a run of its own, one after the other.
TEST_F(TimingRank, RanksNeverOverwriteEachOther) {
  Run("one.json", {{"OMPI_COMM_WORLD_RANK", "0"}});
  Run("one.json", {{"OMPI_COMM_WORLD_RANK", "1"}});
  EXPECT_EQ(Run("one.json", {{"OMPI_COMM_WORLD_RANK", "2"}}),
            (std::set<std::string>{"one.json", "one-r1.json", "one-r2.json"}));
}

TEST_F(TimingRank, APathThatNamesTheRankIsLeftAlone) {
  EXPECT_EQ(Run("%r%%r.json", {{"PMI_RANK", "4"}}), std::set<std::string>{"4%r.json"});
  EXPECT_EQ(Run("a%%r.json", {{"PMI_RANK", "4"}}),
            (std::set<std::string>{"4%r.json", "a%r-r4.json"}));
}

TEST_F(TimingRank, TagsAreInTheProfile) {
  Setting("TAGS", "commit=a1b2,workload=resnet\\,50");
  Open();
  gpu.RunOne(gpu.Pipeline("a", 1000));
  Profile profile = Finish();
  EXPECT_EQ(profile.Text("run.tags.commit"), "a1b2");
  EXPECT_EQ(profile.Text("run.tags.workload"), "resnet,50");
  EXPECT_EQ(profile.Text("environment.segment.workload_tag"), "resnet,50");
}

} // namespace
