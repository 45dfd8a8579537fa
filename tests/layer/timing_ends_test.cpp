// What is left when work or a device ends: threads, figures, the file (pitfalls F1, F4, H5).
//
// In: idle time, devices that come and go. Out: threads that are there, documents in the folder.
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "layer_test_case.h"

namespace {

int Threads(const std::string &name) {
  int count = 0;
  for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "comm");
    std::string text;
    std::getline(file, text);
    count += text == name;
  }
  return count;
}

class TimingEnds : public LayerTest {
protected:
  void RunOnNewDevice() {
    Open();
    gpu.RunOne(gpu.Pipeline("a", 1000));
    gpu.Close();
  }
  int Devices() const {
    return cJSON_GetArraySize(Read().At("devices"));
  }
};

TEST_F(TimingEnds, F7_H5_IdleCollectorEndsAndComesBack) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  for (int i = 0; i < 3; i++) {
    gpu.RunOne(a);
    EXPECT_TRUE(Eventually([] { return Threads("vkmeter-collect") == 1; }));
    EXPECT_TRUE(Eventually([] { return Threads("vkmeter-collect") == 0; }));
  }
  // Nobody waits: only the thread that is started again can have read it.
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, a);
  gpu.End(buffer);
  uint64_t before = fake_call_count("vkGetQueryPoolResults");
  ASSERT_EQ(gpu.Submit({buffer}), VK_SUCCESS);
  EXPECT_TRUE(Eventually([&] { return fake_call_count("vkGetQueryPoolResults") > before; }));
  EXPECT_EQ(Finish().Row("a").outcomes.measured, 4);
}

TEST_F(TimingEnds, D40_QueriesInUseAreGivenBack) {
  Open();
  VkPipeline a = gpu.Pipeline("a", 5000);
  gpu.RunOne(a);
  gpu.RunOne(a);
  Profile profile = Finish();
  EXPECT_EQ(profile.Number("overhead.queries_in_use"), 0);
  EXPECT_GT(profile.Number("overhead.queries_peak"), 0);
}

// The second device is gone right after the first was written; the process lives on.
TEST_F(TimingEnds, F4_DestroyedSoonAfterTheLastWriting) {
  RunOnNewDevice();
  EXPECT_EQ(Devices(), 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  RunOnNewDevice();
  for (int i = 0; i < 60 && Devices() < 2; i++) { // before a checkpoint would have come
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  Profile profile = Read();
  EXPECT_EQ(cJSON_GetArraySize(profile.At("devices")), 2);
  EXPECT_EQ(profile.Text("end_reason"), "device_destroyed");
  EXPECT_TRUE(profile.Flag("complete"));
}

// Each document is longer than the one before: writing one a device would be quadratic.
TEST_F(TimingEnds, F4_ManyDevicesAreNotWrittenOneByOne) {
  constexpr int kDevices = 300;
  ino_t file = 0;
  int writings = 0; // each is a file of its own, put in the place of the one before
  for (int i = 0; i < kDevices; i++) {
    RunOnNewDevice();
    struct stat now;
    if (stat(profile_path.c_str(), &now) == 0 && now.st_ino != file) {
      file = now.st_ino;
      writings++;
    }
  }
  EXPECT_TRUE(Eventually([&] { return Devices() == kDevices; }));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // A writing waits for ten times the cost of the one before; sanitizers make all else that slow.
  EXPECT_LT(writings, kDevices * 2 / 3);
#endif
}

} // namespace
