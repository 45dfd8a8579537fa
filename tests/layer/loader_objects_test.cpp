// Devices, instances, queues and handles (pitfalls A18 to A22, A25 to A27, B11).
//
// In: programs with several of each, in every order. Out: nothing that the driver objects to, and
// the right counts.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

#include "loader_direct.h"

namespace {

const char *const kHooks[] = {
#define VKM_COMMAND(type, name, parameters) #name,
#include "intercept.def"
#undef VKM_COMMAND
};

class LoaderObjects : public LayerTest {
protected:
  void OpenDirect(const std::string &script = "", const void *chain = nullptr) {
    ASSERT_NO_FATAL_FAILURE(direct.Open(script));
    ASSERT_EQ(direct.CreateInstance(), VK_SUCCESS);
    vkuInitInstanceDispatchTable(direct.instance, &in, direct.layer.pfnGetInstanceProcAddr);
    in.CreateDevice = direct.Instance<PFN_vkCreateDevice>("vkCreateDevice");
    GpuOptions options;
    options.chain = direct.Link(chain);
    ASSERT_EQ(gpu.Open(direct.instance, in, direct.layer.pfnGetDeviceProcAddr, options),
              VK_SUCCESS);
  }

  static void RunOne(Gpu &which, VkQueue queue = VK_NULL_HANDLE) {
    VkPipeline pipeline = which.Pipeline("one", 1000);
    which.RunOne(pipeline, 1, queue);
  }

  DirectLoader direct;
};

TEST_F(LoaderObjects, A18_A19_HandlesAreTheDriversOwn) {
  OpenDirect();
  VkPipeline pipeline = gpu.Pipeline("one", 1000);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.Dispatch(buffer, pipeline);
  uint32_t count = 0;
  const struct fake_command *commands = fake_recorded(buffer, &count); // by the driver's handle
  bool bound = false;
  for (uint32_t i = 0; i < count; i++) {
    bound |= std::strcmp(commands[i].name, "vkCmdBindPipeline") == 0 &&
             commands[i].object == reinterpret_cast<uint64_t>(pipeline);
  }
  EXPECT_TRUE(bound);
  gpu.Run(buffer);
  ASSERT_EQ(fake_submission_count(), 1U); // and no submission of the layer's own
  EXPECT_EQ(fake_submission(0)->queue, gpu.queue);
  EXPECT_EQ(fake_submission(0)->buffers[0], buffer);
  EXPECT_EQ(fake_submission(0)->fence, gpu.fence);
  gpu.Close();
  direct.DestroyInstance();
}

// ---- queues ----

TEST_F(LoaderObjects, A20_QueuesWithFlags) {
  expect_violations = true; // the first call below is the application's mistake, on purpose
  Open("families=gctp;null_flagged_queues=1");
  gpu.Close();
  VkPhysicalDevice physical;
  uint32_t count = 1;
  ASSERT_EQ(in.EnumeratePhysicalDevices(instance, &count, &physical), VK_SUCCESS);
  float priority = 1.0F;
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                nullptr,
                                VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT,
                                0,
                                1,
                                &priority};
  VkPhysicalDeviceProtectedMemoryFeatures features{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES, nullptr, VK_TRUE};
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  ASSERT_TRUE(fake_configure("protected_memory=1"));
  VkDevice device;
  ASSERT_EQ(in.CreateDevice(physical, &info, nullptr, &device), VK_SUCCESS);
  EXPECT_FALSE(fake_has_violation("vkGetDeviceQueue")); // the layer does not enumerate
  VkuDeviceDispatchTable vk{};
  vkuInitDeviceDispatchTable(device, &vk, get_device_proc);
  VkQueue out = reinterpret_cast<VkQueue>(this);
  vk.GetDeviceQueue(device, 0, 0, &out);
  EXPECT_EQ(out, nullptr);
  VkDeviceQueueInfo2 ask{VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2, nullptr,
                         VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT, 0, 0};
  vk.GetDeviceQueue2(device, &ask, &out);
  ASSERT_NE(out, nullptr);
  VkQueue first = out;
  for (int i = 0; i < 100; i++) {
    vk.GetDeviceQueue2(device, &ask, &out);
    EXPECT_EQ(out, first);
  }
  VkSubmitInfo empty{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  EXPECT_EQ(vk.QueueSubmit(out, 1, &empty, VK_NULL_HANDLE), VK_SUCCESS);
  EXPECT_EQ(vk.QueueWaitIdle(out), VK_SUCCESS);
  vk.DestroyDevice(device, nullptr);
  EXPECT_TRUE(Eventually([this] { // the second device right after the first: with a checkpoint
    int64_t submissions = 0;
    for (const QueueRow &row : Read().Queues()) {
      submissions += row.submissions;
    }
    return submissions == 1;
  }));
}

TEST_F(LoaderObjects, A20_OneQueueFetchedOften) {
  Open();
  for (int i = 0; i < 100; i++) {
    EXPECT_EQ(gpu.Queue(0, 0), gpu.queue);
    VkDeviceQueueInfo2 ask{VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2};
    VkQueue out = VK_NULL_HANDLE;
    gpu.vk.GetDeviceQueue2(gpu.device, &ask, &out);
    EXPECT_EQ(out, gpu.queue);
  }
  RunOne(gpu);
  Profile profile = Finish();
  std::vector<QueueRow> queues = profile.Queues();
  EXPECT_EQ(std::count_if(queues.begin(), queues.end(),
                          [](const QueueRow &row) { return row.submissions != 0; }),
            1);
  EXPECT_EQ(profile.Coverage().measured, 1);
}

// A layer above may have fetched it without us.
TEST_F(LoaderObjects, A20_AQueueNeverFetchedThroughUs) {
  OpenDirect("families=gct+c");
  auto get = reinterpret_cast<PFN_vkGetDeviceQueue>(
      direct.device_links[2].pfnNextGetDeviceProcAddr(gpu.device, "vkGetDeviceQueue"));
  VkQueue unknown = VK_NULL_HANDLE;
  get(gpu.device, 1, 0, &unknown);
  ASSERT_NE(unknown, nullptr);
  VkPipeline pipeline = gpu.Pipeline("one", 1000);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, 1);
  gpu.Dispatch(buffer, pipeline);
  gpu.Run(buffer, unknown);
  gpu.Close();
  direct.DestroyInstance();
  Profile profile = Read();
  EXPECT_EQ(profile.Coverage().executed, 1);
}

// ---- several devices and instances ----

[[maybe_unused]] uint64_t ResidentKilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) {
      return std::stoull(line.substr(6));
    }
  }
  return 0;
}

TEST_F(LoaderObjects, A21_TwoThousandDevicesOfFourThreads) {
  ASSERT_TRUE(fake_configure("log=0"));
  OpenInstance();
  std::mutex loader;
  auto churn = [this, &loader](int rounds) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++) {
      threads.emplace_back([this, rounds, &loader] {
        for (int i = 0; i < rounds; i++) {
          // One at a time: while another thread makes or destroys a device, vkGetDeviceProcAddr of
          // the loader of Debian 12 walks a list of devices without a lock. It crashes without any
          // layer just as often.
          std::lock_guard<std::mutex> guard(loader);
          Gpu mine;
          ASSERT_EQ(OpenDevice(mine), VK_SUCCESS);
          mine.Close();
        }
      });
    }
    for (std::thread &thread : threads) {
      thread.join();
    }
    fake_clear_log();
  };
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  churn(50);
#else
  // The profile keeps what it says of the first 1,024; of later ones nothing may stay.
  churn(275);
  uint64_t before = ResidentKilobytes();
  churn(225);
  uint64_t after = ResidentKilobytes();
  EXPECT_LT(after, before + 8192) << "of " << before << " KiB after 1,100 devices";
#endif
  CloseInstance();
  EXPECT_TRUE(Read().Exists());
}

struct World {
  VkInstance instance = VK_NULL_HANDLE;
  VkuInstanceDispatchTable in{};
  Gpu gpus[2];
};

// Devices in every order; an instance right after its last device, or both at the end.
TEST_F(LoaderObjects, A22_TwoInstancesTwoDevicesEveryOrder) {
  int order[4] = {0, 1, 2, 3};
  int64_t runs = 0;
  do {
    for (bool at_end : {false, true}) {
      World worlds[2];
      for (World &world : worlds) {
        OpenInstance();
        world.instance = instance;
        world.in = in;
        instance = VK_NULL_HANDLE;
        for (Gpu &each : world.gpus) {
          ASSERT_EQ(each.Open(world.instance, world.in, get_device_proc), VK_SUCCESS);
        }
      }
      for (int at : order) {
        World &world = worlds[at / 2];
        for (World &any : worlds) { // those that are left still work
          for (Gpu &each : any.gpus) {
            if (each.device != VK_NULL_HANDLE) {
              RunOne(each);
              runs++;
            }
          }
        }
        world.gpus[at % 2].Close();
        if (!at_end && world.gpus[0].device == VK_NULL_HANDLE &&
            world.gpus[1].device == VK_NULL_HANDLE) {
          world.in.DestroyInstance(world.instance, nullptr);
          world.instance = VK_NULL_HANDLE;
        }
      }
      for (World &world : worlds) {
        if (world.instance != VK_NULL_HANDLE) {
          world.in.DestroyInstance(world.instance, nullptr);
        }
      }
    }
  } while (std::next_permutation(order, order + 4));
  EXPECT_TRUE(Eventually([this, runs] { return Read().Coverage().executed == runs; }));
  Profile profile = Read();
  EXPECT_EQ(runs, 24 * 2 * (4 + 3 + 2 + 1));
  EXPECT_EQ(profile.Coverage().executed, runs);
  EXPECT_EQ(profile.Coverage().measured, runs);
}

// ---- device groups ----

class LoaderGroup : public LoaderObjects {
protected:
  void OpenGroup(uint32_t size) {
    ASSERT_TRUE(fake_configure("device_count=2"));
    OpenInstance();
    uint32_t count = 2;
    ASSERT_EQ(in.EnumeratePhysicalDevices(instance, &count, devices), VK_SUCCESS);
    ASSERT_EQ(count, 2U);
    info.physicalDeviceCount = size;
    info.pPhysicalDevices = devices;
    GpuOptions options;
    options.chain = &info;
    ASSERT_EQ(OpenDevice(gpu, options), VK_SUCCESS);
  }
  VkPhysicalDevice devices[2] = {};
  VkDeviceGroupDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO};
};

TEST_F(LoaderGroup, A22_B11_AGroupOfTwoPassesThrough) {
  OpenGroup(2);
  EXPECT_EQ(fake_device_attempt_count(), 1U);
  EXPECT_EQ(fake_device_attempt(0)->extension_count, 0U);
  EXPECT_FALSE(fake_device_attempt(0)->host_query_reset);
  // A second device, of one physical device, is profiled all the same.
  Gpu single;
  ASSERT_EQ(OpenDevice(single), VK_SUCCESS);
  VkPipeline pipeline = gpu.Pipeline("one", 1000);
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  gpu.vk.CmdSetDeviceMask(buffer, 3);
  gpu.Dispatch(buffer, pipeline);
  for (const std::string &line : Recorded(buffer)) {
    EXPECT_EQ(line.find("Timestamp"), std::string::npos) << line;
    EXPECT_EQ(line.find("QueryPool"), std::string::npos) << line;
  }
  gpu.Run(buffer);
  EXPECT_EQ(fake_call_count("vkCreateQueryPool"), 0U);
  RunOne(single);
  single.Close();
  gpu.Close(); // the last one, though not profiled: the profile is written
  Profile profile = Read();
  ASSERT_TRUE(profile.Exists());
  EXPECT_EQ(profile.Text("devices.0.end"), "destroyed");
  EXPECT_FALSE(profile.Flag("devices.0.profiled"));
  EXPECT_EQ(profile.Text("devices.0.profiled_reason"),
            "the device is a group of several physical devices");
  EXPECT_TRUE(profile.Flag("devices.1.profiled"));
  EXPECT_EQ(profile.Coverage().measured, 1);
}

TEST_F(LoaderGroup, B11_AGroupOfOneIsADevice) {
  OpenGroup(1);
  RunOne(gpu);
  Profile profile = Finish();
  EXPECT_TRUE(profile.Flag("devices.0.profiled"));
  EXPECT_EQ(profile.Coverage().measured, 1);
}

// ---- NULL, allocators, what is not intercepted ----

const void *shader_destroyed = &shader_destroyed;

VKAPI_ATTR void VKAPI_CALL DestroyShader(VkDevice, VkShaderEXT shader,
                                         const VkAllocationCallbacks *) {
  shader_destroyed = reinterpret_cast<const void *>(shader);
}

TEST_F(LoaderObjects, A26_NullToEveryDestroyHook) {
  ASSERT_NO_FATAL_FAILURE(direct.Open());
  witnessed.replaced["vkDestroyShaderEXT"] = reinterpret_cast<PFN_vkVoidFunction>(DestroyShader);
  ASSERT_EQ(direct.CreateInstance(), VK_SUCCESS);
  vkuInitInstanceDispatchTable(direct.instance, &in, direct.layer.pfnGetInstanceProcAddr);
  in.CreateDevice = direct.Instance<PFN_vkCreateDevice>("vkCreateDevice");
  GpuOptions options;
  options.chain = direct.Link(nullptr);
  ASSERT_EQ(gpu.Open(direct.instance, in, direct.layer.pfnGetDeviceProcAddr, options), VK_SUCCESS);
  std::set<std::string> called;
#define DESTROY_NOTHING(name)                                                                      \
  called.insert(#name);                                                                            \
  ASSERT_NE(gpu.vk.name, nullptr);                                                                 \
  gpu.vk.name(gpu.device, VK_NULL_HANDLE, nullptr)
  DESTROY_NOTHING(DestroyFence);
  DESTROY_NOTHING(DestroySemaphore);
  DESTROY_NOTHING(DestroyCommandPool);
  DESTROY_NOTHING(DestroyShaderModule);
  DESTROY_NOTHING(DestroyPipelineLayout);
  DESTROY_NOTHING(DestroyPipeline);
  DESTROY_NOTHING(DestroyQueryPool);
  DESTROY_NOTHING(DestroyShaderEXT);
  DESTROY_NOTHING(DestroyBuffer);
  DESTROY_NOTHING(DestroyImage);
  DESTROY_NOTHING(FreeMemory);
#undef DESTROY_NOTHING
  EXPECT_EQ(shader_destroyed, nullptr); // NULL goes on to the driver
  called.insert("DestroyDevice");
  gpu.vk.DestroyDevice(VK_NULL_HANDLE, nullptr);
  direct.Instance<PFN_vkDestroyInstance>("vkDestroyInstance")(VK_NULL_HANDLE, nullptr);
  VkCommandBuffer none[3] = {};
  VkCommandPool pool = gpu.Pool();
  none[1] = gpu.Allocate(pool);
  gpu.vk.FreeCommandBuffers(gpu.device, pool, 3, none);
  std::set<std::string> hooks;
  for (const char *name : kHooks) {
    if (std::strncmp(name, "Destroy", 7) == 0 || std::strcmp(name, "FreeMemory") == 0) {
      hooks.insert(name);
    }
  }
  EXPECT_EQ(called, hooks);
  gpu.Close();
  direct.DestroyInstance();
}

// A tool that shows itself may change what the program does.
TEST_F(LoaderObjects, A24_A25_NothingThatEnumeratesIsHooked) {
  for (const char *name : kHooks) {
    EXPECT_EQ(std::string(name).find("Enumerate"), std::string::npos) << name;
    EXPECT_EQ(std::string(name).find("PhysicalDevice"), std::string::npos) << name;
  }
}

struct Allocations {
  int64_t calls = 0;
};

void *Allocate(void *user, size_t size, size_t, VkSystemAllocationScope) {
  static_cast<Allocations *>(user)->calls++;
  return std::malloc(size);
}

void *Reallocate(void *user, void *old, size_t size, size_t, VkSystemAllocationScope) {
  static_cast<Allocations *>(user)->calls++;
  return std::realloc(old, size);
}

void Free(void *user, void *memory) {
  static_cast<Allocations *>(user)->calls++;
  std::free(memory);
}

std::vector<const VkAllocationCallbacks *> pool_allocators;
PFN_vkCreateQueryPool next_create_pool;

VKAPI_ATTR VkResult VKAPI_CALL CreatePool(VkDevice device, const VkQueryPoolCreateInfo *info,
                                          const VkAllocationCallbacks *allocator,
                                          VkQueryPool *out) {
  pool_allocators.push_back(allocator);
  return next_create_pool(device, info, allocator, out);
}

// The scripted driver never calls an allocator: every call would be the layer's.
TEST_F(LoaderObjects, A27_AllocatorsGoThrough) {
  Allocations counted;
  VkAllocationCallbacks callbacks{&counted, Allocate, Reallocate, Free, nullptr, nullptr};
  ASSERT_NO_FATAL_FAILURE(direct.Open("refuse_extensions=VK_KHR_calibrated_timestamps"));
  ASSERT_EQ(direct.CreateInstance(), VK_SUCCESS);
  float priority = 1.0F;
  VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  VkDevice device;
  ASSERT_EQ(direct.CreateDevice(info, &device, &callbacks), VK_SUCCESS);
  EXPECT_EQ(witnessed.allocators.size(), 6U); // three attempts, two layers
  for (const VkAllocationCallbacks *each : witnessed.allocators) {
    EXPECT_EQ(each, &callbacks);
  }
  direct.Device<PFN_vkDestroyDevice>(device, "vkDestroyDevice")(device, &callbacks);

  auto driver = reinterpret_cast<PFN_vkGetInstanceProcAddr>(
      direct.device_links[2].pfnNextGetInstanceProcAddr);
  next_create_pool =
      reinterpret_cast<PFN_vkCreateQueryPool>(driver(direct.instance, "vkCreateQueryPool"));
  witnessed.replaced["vkCreateQueryPool"] = reinterpret_cast<PFN_vkVoidFunction>(CreatePool);
  vkuInitInstanceDispatchTable(direct.instance, &in, direct.layer.pfnGetInstanceProcAddr);
  in.CreateDevice = direct.Instance<PFN_vkCreateDevice>("vkCreateDevice");
  GpuOptions options;
  options.chain = direct.Link(nullptr);
  ASSERT_EQ(gpu.Open(direct.instance, in, direct.layer.pfnGetDeviceProcAddr, options), VK_SUCCESS);
  RunOne(gpu);
  VkQueryPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  pool_info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  pool_info.queryCount = 1;
  VkQueryPool pool;
  ASSERT_EQ(gpu.vk.CreateQueryPool(gpu.device, &pool_info, &callbacks, &pool), VK_SUCCESS);
  gpu.vk.DestroyQueryPool(gpu.device, pool, &callbacks);
  ASSERT_EQ(pool_allocators.size(), 2U);
  EXPECT_EQ(pool_allocators[0], nullptr); // the layer's own
  EXPECT_EQ(pool_allocators[1], &callbacks);
  EXPECT_EQ(counted.calls, 0);
  gpu.Close();
  direct.DestroyInstance();
}

} // namespace
