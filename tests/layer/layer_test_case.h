// What every test of the layer stands on: an environment that leads the real loader to our layer
// and the scripted driver, and the profile that comes out.
//
// In: settings and a script (as fake_configure). Out: a Gpu, then a Profile. At the end every
// profile in the folder is validated, and the driver must have seen no violation. Each test is a
// process of its own (settings are read once), so run them by ctest or with --gtest_filter.
#ifndef LAYER_TEST_CASE_H
#define LAYER_TEST_CASE_H

#include <functional>
#include <string>

#include "layer_gpu.h"
#include "layer_profile.h"

class LayerTest : public ::testing::Test {
protected:
  void SetUp() override;
  void TearDown() override;

  // VKMETER_<name>. Before the first Vulkan call.
  static void Setting(const std::string &name, const std::string &value);
  // Reaches the loader; the instance functions are looked up without an instance.
  void OpenInstance(uint32_t api = VK_API_VERSION_1_3);
  VkResult TryInstance(uint32_t api = VK_API_VERSION_1_3); // the same where it may be refused
  // The script, an instance (unless there is one) and the device `gpu`.
  void Open(const std::string &script = "", const GpuOptions &options = {});
  VkResult OpenDevice(Gpu &which, const GpuOptions &options = {});
  void CloseInstance();
  // Destroys `gpu` and reads the profile that this leaves.
  Profile Finish();
  Profile Read() const {
    return Profile(profile_path);
  }
  // Runs the body in a child process that has made no Vulkan call before, then its exit handlers.
  // Returns the wait status; failures and violations in the child fail the test.
  int InChild(const std::function<void()> &body);
  // Polls until the condition holds, at most ten seconds.
  static bool Eventually(const std::function<bool()> &condition);
  // Until the layer reads no more queries (it looks at least each 50 ms), at most a second.
  void Settle();

  bool expect_violations = false;
  std::string folder, profile_path;
  PFN_vkGetInstanceProcAddr get_instance_proc = nullptr;
  PFN_vkGetDeviceProcAddr get_device_proc = nullptr;
  VkInstance instance = VK_NULL_HANDLE;
  VkuInstanceDispatchTable in{};
  Gpu gpu;
};

#endif
