// See layer_test_case.h.
#include "layer_test_case.h"

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "validate_client.h"

namespace {

std::string doomed; // the folder, removed after the layer's own exit handler
pid_t owner;

void RemoveFolder() {
  if (getpid() == owner) {
    std::error_code error;
    std::filesystem::remove_all(doomed, error);
  }
}

void ReportViolations() {
  for (uint32_t i = 0; i < fake_violation_count(); i++) {
    ADD_FAILURE() << "driver: " << fake_violation(i);
  }
}

// What is wrong with the profiles in the folder.
std::string Faults(const std::string &folder) {
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") {
      files.push_back(entry.path().string());
    }
  }
  return files.empty() ? "" : ProfileFaults(files);
}

} // namespace

// A thread of the layer outlives the exit of a program that never destroys its device: by design.
extern "C" const char *__tsan_default_options() {
  return "report_thread_leaks=0";
}

void LayerTest::SetUp() {
  if (!doomed.empty()) {
    GTEST_SKIP() << "settings are read once a process: run by ctest or one test a process";
  }
  std::string pattern = (std::filesystem::temp_directory_path() / "vkm_layer_test_XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  folder = doomed = pattern;
  owner = getpid();
  profile_path = folder + "/profile.json";
  std::atexit(RemoveFolder);
  // Nothing of the machine's own: neither other drivers nor other layers.
  setenv("VK_DRIVER_FILES", VKM_TEST_DRIVER, 1);
  setenv("VK_ICD_FILENAMES", VKM_TEST_DRIVER, 1);
  setenv("XDG_DATA_DIRS", VKM_TEST_SHARE, 1);
  setenv("XDG_CONFIG_DIRS", folder.c_str(), 1);
  setenv("XDG_DATA_HOME", folder.c_str(), 1);
  setenv("XDG_CONFIG_HOME", folder.c_str(), 1);
  setenv("HOME", folder.c_str(), 1);
  unsetenv("VK_INSTANCE_LAYERS");
  unsetenv("DISABLE_VKMETER");
  setenv("VKMETER", "1", 1);
  Setting("CONTROL_EVERY", "0"); // what repeats is measured each time, unless a test says otherwise
  setenv("VKMETER_OUTPUT", profile_path.c_str(), 1);
  fake_reset();
}

void LayerTest::TearDown() {
  if (folder.empty()) {
    return;
  }
  gpu.Close();
  CloseInstance();
  if (!expect_violations) {
    ReportViolations();
  }
  EXPECT_EQ(Faults(folder), "");
}

void LayerTest::Setting(const std::string &name, const std::string &value) {
  setenv(("VKMETER_" + name).c_str(), value.c_str(), 1);
}

void LayerTest::OpenInstance(uint32_t api) {
  ASSERT_EQ(TryInstance(api), VK_SUCCESS);
}

VkResult LayerTest::TryInstance(uint32_t api) {
  void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  if (library == nullptr) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  get_instance_proc =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  get_device_proc =
      reinterpret_cast<PFN_vkGetDeviceProcAddr>(dlsym(library, "vkGetDeviceProcAddr"));
  auto create =
      reinterpret_cast<PFN_vkCreateInstance>(get_instance_proc(nullptr, "vkCreateInstance"));
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = "layer_test";
  application.apiVersion = api;
  const char *extensions[] = {"VK_EXT_debug_utils"};
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  info.enabledExtensionCount = 1;
  info.ppEnabledExtensionNames = extensions;
  VkResult result = create(&info, nullptr, &instance);
  if (result != VK_SUCCESS) {
    instance = VK_NULL_HANDLE;
    return result;
  }
  vkuInitInstanceDispatchTable(instance, &in, get_instance_proc);
  in.CreateDevice = // not in the table: layers find it with the instance
      reinterpret_cast<PFN_vkCreateDevice>(get_instance_proc(instance, "vkCreateDevice"));
  return result;
}

VkResult LayerTest::OpenDevice(Gpu &which, const GpuOptions &options) {
  return which.Open(instance, in, get_device_proc, options);
}

void LayerTest::Open(const std::string &script, const GpuOptions &options) {
  ASSERT_TRUE(fake_configure(script.c_str())) << script;
  if (instance == VK_NULL_HANDLE) {
    OpenInstance();
    ASSERT_NE(instance, nullptr);
  }
  ASSERT_EQ(OpenDevice(gpu, options), VK_SUCCESS);
}

void LayerTest::CloseInstance() {
  if (instance != VK_NULL_HANDLE) {
    in.DestroyInstance(instance, nullptr);
    instance = VK_NULL_HANDLE;
  }
}

Profile LayerTest::Finish() {
  bool checkpointed = Read().Exists();
  if (checkpointed) { // right after a checkpoint the layer leaves the writing to its own thread
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
  }
  gpu.Close();
  for (int i = 0; i < 150 && checkpointed && !Read().Flag("complete"); i++) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  Profile profile = Read();
  EXPECT_TRUE(profile.Exists()) << profile_path;
  return profile;
}

int LayerTest::InChild(const std::function<void()> &body) {
  std::fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    body();
    if (!expect_violations) {
      ReportViolations();
    }
    std::exit(HasFailure() ? 1 : 0);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "status " << status;
  EXPECT_EQ(WEXITSTATUS(status), 0);
  return status;
}

bool LayerTest::Eventually(const std::function<bool()> &condition) {
  for (int i = 0; i < 2000; i++) {
    if (condition()) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return condition();
}

void LayerTest::Settle() {
  uint64_t before = UINT64_MAX;
  for (int i = 0; i < 8; i++) { // while work is pending the layer never stops looking
    std::this_thread::sleep_for(std::chrono::milliseconds(130));
    uint64_t now = fake_call_count("vkGetQueryPoolResults");
    if (now == before) {
      break;
    }
    before = now;
  }
}
