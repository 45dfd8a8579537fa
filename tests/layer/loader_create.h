// A device created under watch: the application's memory cannot be written, and every attempt is
// kept as the driver received it.
//
// In: create-infos. Out: attempts, and what the profile says was added. Next room:
// loader_create_test (chains) and loader_refuse_test (versions and refusals).
#ifndef LOADER_CREATE_H
#define LOADER_CREATE_H

#include <sys/mman.h>

#include <cstring>

#include "loader_direct.h"

using Names = std::vector<std::string>;

inline const char kCalibrated[] = "VK_KHR_calibrated_timestamps";
inline const char kReset[] = "VK_EXT_host_query_reset";
inline const char kFeedback[] = "VK_EXT_pipeline_creation_feedback";
inline const char kExecutables[] = "VK_KHR_pipeline_executable_properties";

// Memory of the application, read-only once it is complete.
class Frozen {
public:
  Frozen()
      : bytes_(static_cast<char *>(
            mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    EXPECT_NE(bytes_, MAP_FAILED);
  }
  ~Frozen() {
    munmap(bytes_, kSize);
  }
  Frozen(const Frozen &) = delete;
  Frozen &operator=(const Frozen &) = delete;
  template <typename T> T *Put(const T &value) {
    used_ = (used_ + 15) / 16 * 16;
    T *out = reinterpret_cast<T *>(bytes_ + used_);
    std::memcpy(out, &value, sizeof value);
    used_ += sizeof value;
    return out;
  }
  void Freeze() {
    EXPECT_EQ(mprotect(bytes_, kSize, PROT_READ), 0);
  }

private:
  static constexpr size_t kSize = 16384;
  char *bytes_;
  size_t used_ = 0;
};

class LoaderCreate : public LayerTest {
protected:
  // What timing needs alone; statistics of pipelines are switched on where they are the matter.
  void SetUp() override {
    LayerTest::SetUp();
    Setting("PIPELINE_STATISTICS", "off");
  }

  void OpenAll(const std::string &script = "", uint32_t api = VK_API_VERSION_1_3,
               const std::vector<const char *> &instance_extensions = {}) {
    ASSERT_NO_FATAL_FAILURE(direct.Open(script));
    ASSERT_EQ(direct.CreateInstance(api, instance_extensions), VK_SUCCESS);
  }

  // The application's create-info; `chain` lies in frozen memory, the loader's link before it.
  const VkDeviceCreateInfo *Info(const void *chain = nullptr, const Names &extensions = {},
                                 const VkPhysicalDeviceFeatures *features = nullptr) {
    float *priority = memory.Put(1.0F);
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueCount = 1;
    queue.pQueuePriorities = priority;
    const char *names[8] = {};
    for (size_t i = 0; i < extensions.size(); i++) {
      char text[64] = {};
      std::strncpy(text, extensions[i].c_str(), sizeof text - 1);
      names[i] = *memory.Put(text);
    }
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = direct.Link(chain);
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = memory.Put(queue);
    info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = *memory.Put(names);
    info.pEnabledFeatures = features;
    const VkDeviceCreateInfo *out = memory.Put(info);
    memory.Freeze();
    return out;
  }

  VkResult Create(const VkDeviceCreateInfo *info) {
    before = fake_hash_device_info(info);
    result = direct.CreateDevice(*info, &device);
    EXPECT_EQ(fake_hash_device_info(info), before);
    return result;
  }

  static Names Extensions(uint32_t attempt) {
    const struct fake_device_attempt *row = fake_device_attempt(attempt);
    return Names(row->extensions, row->extensions + row->extension_count);
  }

  static const struct fake_device_attempt *Last() {
    return fake_device_attempt(fake_device_attempt_count() - 1);
  }

  // The last attempt is the application's own, to the pointer and the byte.
  void ExpectOriginal(const VkDeviceCreateInfo *info, uint32_t attempts) {
    EXPECT_EQ(fake_device_attempt_count(), attempts);
    EXPECT_EQ(Last()->pointer, info);
    EXPECT_EQ(Last()->deep_hash, before);
    EXPECT_EQ(Last()->result, result);
  }

  Profile Destroy() {
    direct.DestroyDevice(device);
    direct.DestroyInstance();
    return Read();
  }

  static Names Enabled(const Profile &profile) {
    Names out;
    const cJSON *list = profile.At("devices.0.enabled_by_vkmeter");
    for (const cJSON *at = list != nullptr ? list->child : nullptr; at != nullptr; at = at->next) {
      out.emplace_back(at->valuestring);
    }
    return out;
  }

  static std::string Reason(const Profile &profile, const std::string &capability) {
    bool has = profile.Flag("devices.0.capabilities." + capability);
    return has ? "" : profile.Text("devices.0.capabilities." + capability + "_reason");
  }

  DirectLoader direct;
  Frozen memory;
  VkDevice device = VK_NULL_HANDLE;
  VkResult result = VK_SUCCESS;
  uint64_t before = 0;
};

inline VkPhysicalDeviceVulkan12Features Twelve(VkBool32 reset, void *next = nullptr) {
  VkPhysicalDeviceVulkan12Features out{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, next};
  out.timelineSemaphore = VK_TRUE;
  out.hostQueryReset = reset;
  return out;
}

inline VkPhysicalDeviceHostQueryResetFeatures Split(VkBool32 reset, void *next = nullptr) {
  return {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES, next, reset};
}

#endif
