// What a trace may not take, and what takes it away: limits, full disks, forks, many threads. What
// is missing is counted, in the trace's last packet and in the profile alike.
//
// In: programs in processes of their own. Out: traces, profiles, lines on stderr.
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "layer_trace.h"

namespace {

class TraceLimits : public TraceTest {
protected:
  // Both say the same, and what the profile counts is there or dropped.
  void ExpectCounted(const Trace &trace, const Profile &profile) {
    const vkm_timeline_process &process = trace.Process();
    EXPECT_TRUE(process.has_counts);
    int64_t late = profile.Number("trace.dropped.late"); // behind the trace's last packet
    EXPECT_EQ(static_cast<int64_t>(process.events) + late, profile.Number("trace.events"));
    EXPECT_EQ(static_cast<int64_t>(process.dropped[0]), profile.Number("trace.dropped.full"));
    EXPECT_EQ(static_cast<int64_t>(process.dropped[1]), profile.Number("trace.dropped.rate"));
    EXPECT_EQ(static_cast<int64_t>(process.dropped[2]), profile.Number("trace.dropped.size"));
    EXPECT_EQ(static_cast<int64_t>(process.short_calls), profile.Number("trace.short_calls"));
    int64_t dropped = profile.Number("trace.dropped.full") + profile.Number("trace.dropped.rate") +
                      profile.Number("trace.dropped.size");
    EXPECT_EQ(profile.Number("trace.written") + dropped + late, profile.Number("trace.events"));
    int64_t measured = profile.Coverage().measured;
    auto slices = static_cast<int64_t>(trace->slice_count);
    EXPECT_LE(slices, measured);
    EXPECT_LE(measured - slices, dropped);
    EXPECT_EQ(trace->damaged, 0U);
    EXPECT_EQ(trace->unnamed, 0U);
    EXPECT_FALSE(trace->cut);
    EXPECT_EQ(profile.Number("trace.bytes"),
              static_cast<int64_t>(std::filesystem::file_size(trace_path)));
  }

  void Run(const std::function<void()> &work, const std::string &script = "") {
    InChild([&] {
      Open(script);
      work();
      End();
    });
  }

  // What the run says on stderr.
  std::string Said(const std::function<void()> &work) {
    std::string path = folder + "/stderr";
    InChild([&] {
      int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
      ASSERT_EQ(dup2(file, STDERR_FILENO), STDERR_FILENO);
      Open();
      work();
      End();
    });
    FILE *file = fopen(path.c_str(), "re");
    char text[1024] = "";
    size_t length = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    return std::string(text, length);
  }
};

TEST_F(TraceLimits, FullQueue) {
  Run([&] { RunMany(gpu.Pipeline("a", 40), 150000); });
  Trace trace = ReadTrace();
  Profile profile = Read();
  ExpectCounted(trace, profile);
  EXPECT_GT(profile.Number("trace.dropped.full"), 0);
  EXPECT_GT(trace->slice_count, 10000U);
}

TEST_F(TraceLimits, Rate) {
  Setting("TRACE_RATE", "100");
  Run([&] { RunMany(gpu.Pipeline("a", 500), 5000); });
  Trace trace = ReadTrace();
  Profile profile = Read();
  ExpectCounted(trace, profile);
  EXPECT_GT(profile.Number("trace.dropped.rate"), 4000);
  EXPECT_EQ(profile.Number("trace.dropped.size"), 0);
}

TEST_F(TraceLimits, Size) {
  Setting("TRACE_LIMIT_MB", "1");
  Run([&] {
    VkPipeline a = gpu.Pipeline("a", 500);
    for (int i = 0; i < 20; i++) {
      RunMany(a, 2000);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  });
  Trace trace = ReadTrace();
  Profile profile = Read();
  ExpectCounted(trace, profile);
  EXPECT_GT(profile.Number("trace.dropped.size"), 0);
  EXPECT_LE(std::filesystem::file_size(trace_path), 1000000U);
  EXPECT_GT(std::filesystem::file_size(trace_path), 800000U);
}

TEST_F(TraceLimits, ShortCalls) {
  Setting("TRACE_MIN_US", "100000000");
  Run([&] { RunMany(gpu.Pipeline("a", 5000), 3); });
  Trace trace = ReadTrace();
  Profile profile = Read();
  ExpectCounted(trace, profile);
  EXPECT_EQ(Check(), "");
  EXPECT_EQ(trace.Calls("vkQueueSubmit").size(), 1U);
  EXPECT_EQ(trace.Calls("vkWaitForFences").size(), 1U);
  EXPECT_TRUE(trace.Calls("vkCreateComputePipelines").empty());
  EXPECT_GT(profile.Number("trace.short_calls"), 3);
}

TEST_F(TraceLimits, DiskFull) {
  Setting("TRACE", "/dev/full");
  std::string said = Said([&] { RunMany(gpu.Pipeline("a", 5000), 3); });
  EXPECT_EQ(said, "vkmeter: cannot write trace '/dev/full': No space left on device; the run goes "
                  "on without. Set VKMETER_TRACE to a path that can be written\n");
  Profile profile = Read();
  EXPECT_FALSE(profile.Flag("trace.writable"));
  EXPECT_EQ(profile.Text("trace.writable_reason"), "No space left on device");
  EXPECT_EQ(profile.Number("trace.written"), 0);
  EXPECT_EQ(profile.Number("trace.dropped.size"), profile.Number("trace.events"));
  EXPECT_EQ(profile.Coverage().measured, 3);
}

TEST_F(TraceLimits, NoSuchFolder) {
  Setting("TRACE", folder + "/none/trace");
  std::string said = Said([&] { RunMany(gpu.Pipeline("a", 5000), 3); });
  EXPECT_NE(said.find("No such file or directory"), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
  EXPECT_EQ(Read().Coverage().measured, 3);
}

TEST_F(TraceLimits, APipeIsNoFile) {
  ASSERT_EQ(mkfifo((folder + "/pipe").c_str(), 0600), 0);
  Setting("TRACE", folder + "/pipe");
  int reader = open((folder + "/pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  std::string said = Said([&] { RunMany(gpu.Pipeline("a", 5000), 3); });
  EXPECT_NE(said.find("it is a pipe"), std::string::npos) << said;
  close(reader);
}

TEST_F(TraceLimits, AForkedChildHasAFileOfItsOwn) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer starts no thread in a child of a process with threads";
#elif defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "what a forked child has inherited is left lying on purpose: it looks like leaks";
#endif
  Setting("TRACE", folder + "/trace-%p.pftrace");
  Setting("OUTPUT", folder + "/profile-%p.json");
  pid_t parent = 0, child = 0;
  int pids[2];
  ASSERT_EQ(pipe(pids), 0);
  InChild([&] {
    Open();
    VkPipeline a = gpu.Pipeline("a", 5000);
    RunMany(a, 3);
    std::this_thread::sleep_for(std::chrono::milliseconds(120)); // the file is open
    pid_t forked = fork();
    if (forked == 0) {
      gpu = Gpu();
      OpenInstance();
      ASSERT_EQ(OpenDevice(gpu), VK_SUCCESS);
      RunMany(gpu.Pipeline("b", 7000), 2);
      gpu.Close();
      std::exit(0);
    }
    ASSERT_EQ(waitpid(forked, nullptr, 0), forked);
    pid_t both[2] = {getpid(), forked};
    EXPECT_EQ(write(pids[1], both, sizeof both), static_cast<ssize_t>(sizeof both));
    RunMany(a, 1);
    End();
  });
  pid_t both[2];
  ASSERT_EQ(read(pids[0], both, sizeof both), static_cast<ssize_t>(sizeof both));
  parent = both[0];
  child = both[1];
  for (pid_t pid : {parent, child}) {
    trace_path = folder + "/trace-" + std::to_string(pid) + ".pftrace";
    profile_path = folder + "/profile-" + std::to_string(pid) + ".json";
    Trace trace = ReadTrace();
    ExpectCounted(trace, Read());
    EXPECT_EQ(trace.Process().pid, pid);
    EXPECT_EQ(trace.Slices(pid == parent ? "a" : "b").size(), pid == parent ? 4U : 2U);
    EXPECT_EQ(Check(), "");
  }
}

TEST_F(TraceLimits, ThreadsAreNamedAndRenamed) {
  Run([&] {
    VkPipeline a = gpu.Pipeline("a", 5000);
    std::thread other([&] {
      prctl(PR_SET_NAME, "first");
      RunMany(a, 1);
      prctl(PR_SET_NAME, "second");
      std::this_thread::sleep_for(std::chrono::milliseconds(1100));
      RunMany(a, 1);
    });
    other.join();
  });
  Trace trace = ReadTrace();
  EXPECT_EQ(Check(), "");
  ASSERT_EQ(trace->thread_count, 2U);
  bool found = false;
  for (size_t i = 0; i < trace->thread_count; i++) {
    found = found || std::string(trace->threads[i].name) == "second";
  }
  EXPECT_TRUE(found);
}

TEST_F(TraceLimits, EightThreadsSubmit) {
  constexpr int kThreads = 8, kRounds = 40;
  Run([&] {
    std::mutex queue;
    std::vector<std::thread> threads;
    VkPipeline a = gpu.Pipeline("a", 5000);
    for (int i = 0; i < kThreads; i++) {
      VkCommandBuffer buffer = gpu.Allocate(gpu.Pool());
      VkFence fence = gpu.Fence();
      threads.emplace_back([&, buffer, fence] {
        for (int round = 0; round < kRounds; round++) {
          gpu.Start(buffer, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
          gpu.Barrier(buffer);
          gpu.Dispatch(buffer, a);
          gpu.End(buffer);
          {
            std::lock_guard<std::mutex> lock(queue);
            EXPECT_EQ(gpu.Submit({buffer}, fence), VK_SUCCESS);
          }
          EXPECT_EQ(gpu.vk.WaitForFences(gpu.device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
          EXPECT_EQ(gpu.vk.ResetFences(gpu.device, 1, &fence), VK_SUCCESS);
        }
      });
    }
    for (auto &thread : threads) {
      thread.join();
    }
  });
  Trace trace = ReadTrace();
  Profile profile = Read();
  ExpectCounted(trace, profile);
  EXPECT_EQ(Check(), "");
  EXPECT_EQ(trace.Calls("vkQueueSubmit").size(), static_cast<size_t>(kThreads * kRounds));
  EXPECT_EQ(trace.Slices("a").size(), static_cast<size_t>(profile.Coverage().measured));
  size_t seen = 0;
  for (const vkm_timeline_call &wait : trace.Calls("vkWaitForFences")) {
    seen += wait.seen_count;
  }
  EXPECT_EQ(seen, static_cast<size_t>(kThreads * kRounds)); // each by one wait
  EXPECT_EQ(trace.Counter("in flight").back(), 0);
}

} // namespace
