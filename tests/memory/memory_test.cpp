// The layer when memory is short: one program, run again and again, each time with the next of the
// layer's requests refused, and again with all from there on refused (pitfall G5).
//
// In: the number of the request. Out: the program's results are those without the layer (instance
// and device may be refused with OUT_OF_HOST_MEMORY), no rule of Vulkan is broken, and nothing is
// lost silently: the profile counts every dispatch, or says that it does not, or a line on stderr
// says that there is none. So does the trace beside it, where one is asked for.
#include <sys/mman.h>

#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include "layer_trace.h"
#include "memory_faults.h"

namespace {

// Under the address sanitizer a run takes ten times as long: there each third request is refused.
#ifdef __SANITIZE_ADDRESS__
constexpr unsigned long kStep = 3;
#else
constexpr unsigned long kStep = 1;
#endif

// What the child got to, for its parent.
struct Reached {
  bool instance, device;
  int64_t dispatches; // executed
};

std::string TextOf(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class Memory : public LayerTest {
protected:
  void SetUp() override {
    LayerTest::SetUp();
    faults = memory_faults_share();
    reached = static_cast<Reached *>(
        mmap(nullptr, sizeof *reached, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(faults, nullptr);
    ASSERT_NE(reached, MAP_FAILED);
    Setting("TAGS", "purpose=memory");
    Setting("SPELLED_WRONG", "1");
    std::ofstream(folder + "/rules.txt") << "name=x* family=matrix phase=rule\nwrong\n";
    Setting("RULES", folder + "/rules.txt");
  }

  void Execute(const std::vector<VkCommandBuffer> &buffers, int64_t dispatches) {
    ASSERT_EQ(gpu.Submit(buffers, gpu.fence), VK_SUCCESS);
    reached->dispatches += dispatches;
    ASSERT_EQ(gpu.Wait(), VK_SUCCESS);
  }

  void Name(VkPipeline pipeline, const char *name) {
    VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
    info.objectType = VK_OBJECT_TYPE_PIPELINE;
    info.objectHandle = reinterpret_cast<uint64_t>(pipeline);
    info.pObjectName = name;
    EXPECT_EQ(gpu.vk.SetDebugUtilsObjectNameEXT(gpu.device, &info), VK_SUCCESS);
  }

  static VkDebugUtilsLabelEXT Label(const char *name) {
    VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
    label.pLabelName = name;
    return label;
  }

  // 70 dispatches in two labels, a fill, and the secondary.
  VkCommandBuffer Primary(VkPipeline a, VkPipeline b, VkCommandBuffer secondary) {
    VkCommandBuffer buffer = gpu.Begin();
    VkDebugUtilsLabelEXT outer = Label("outer"), inner = Label("inner");
    gpu.vk.CmdBeginDebugUtilsLabelEXT(buffer, &outer);
    for (uint32_t i = 0; i < 70; i++) {
      if (i == 35) {
        gpu.vk.CmdBeginDebugUtilsLabelEXT(buffer, &inner);
      }
      gpu.Dispatch(buffer, i % 2 != 0 ? a : b, 1 + i % 3);
      gpu.Barrier(buffer);
    }
    gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
    gpu.vk.CmdEndDebugUtilsLabelEXT(buffer);
    void *bytes;
    gpu.vk.CmdFillBuffer(buffer, gpu.Buffer(256, &bytes), 0, 256, 1);
    gpu.vk.CmdExecuteCommands(buffer, 1, &secondary);
    gpu.End(buffer);
    return buffer;
  }

  void Timeline(VkCommandBuffer buffer, int64_t dispatches) {
    VkSemaphore semaphore = gpu.Timeline();
    uint64_t value = 1;
    VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    values.signalSemaphoreValueCount = 1;
    values.pSignalSemaphoreValues = &value;
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO, &values};
    info.commandBufferCount = 1;
    info.pCommandBuffers = &buffer;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &semaphore;
    ASSERT_EQ(gpu.vk.QueueSubmit(gpu.queue, 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
    reached->dispatches += dispatches;
    VkSemaphoreWaitInfo wait{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    wait.semaphoreCount = 1;
    wait.pSemaphores = &semaphore;
    wait.pValues = &value;
    ASSERT_EQ(gpu.vk.WaitSemaphores(gpu.device, &wait, UINT64_MAX), VK_SUCCESS);
  }

  void Work() {
    gpu.vk.GetDeviceQueue(gpu.device, 0, 0, &gpu.queue);
    (void)get_device_proc(gpu.device, "vkCmdOfAnotherCentury");
    VkPipeline a = gpu.Pipeline("a", 5000);
    VkPipeline b = gpu.Pipeline("b", 3000, 10, {{0, 7}});
    Name(a, "first");
    Name(b, "second");
    VkCommandBuffer secondary = gpu.BeginSecondary(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    gpu.Dispatch(secondary, a);
    gpu.End(secondary);
    VkCommandBuffer reusable = Primary(a, b, secondary);
    Execute({reusable}, 71);
    Execute({reusable}, 71);
    VkCommandBuffer once = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    gpu.Dispatch(once, b);
    gpu.End(once);
    VkDebugUtilsLabelEXT label = Label("queue");
    gpu.vk.QueueBeginDebugUtilsLabelEXT(gpu.queue, &label);
    Execute({once, reusable}, 72);
    gpu.vk.QueueEndDebugUtilsLabelEXT(gpu.queue);
    Timeline(reusable, 71);
    ASSERT_EQ(gpu.vk.ResetCommandBuffer(once, 0), VK_SUCCESS);
    gpu.Start(once);
    gpu.Dispatch(once, a);
    gpu.End(once);
    Execute({once}, 1);
    Execute({once}, 1);
    last = once;
  }

  void Program(const std::string &said) {
    int file = open(said.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ASSERT_GE(file, 0);
    ASSERT_EQ(dup2(file, STDERR_FILENO), STDERR_FILENO);
    ASSERT_TRUE(fake_configure(script.c_str()));
    ASSERT_TRUE(memory_faults_watch(VKM_TEST_LAYER));
    VkResult result = TryInstance();
    reached->instance = result == VK_SUCCESS;
    if (!reached->instance) {
      EXPECT_EQ(result, VK_ERROR_OUT_OF_HOST_MEMORY);
      return;
    }
    result = OpenDevice(gpu);
    reached->device = result == VK_SUCCESS;
    if (reached->device) {
      Work();
      if (destroys) {
        gpu.Close();
      } else {
        EXPECT_EQ(gpu.Submit({last}), VK_SUCCESS);
        reached->dispatches++;
      }
    } else {
      EXPECT_EQ(result, VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    if (destroys || !reached->device) {
      CloseInstance();
    }
  }

  // Every dispatch is in the profile, or the profile or stderr says that something is missing.
  void Judge(const std::string &said) {
    std::string text = TextOf(said);
    Profile profile = Read();
    if (!reached->instance || !reached->device) {
      return; // the program knows
    }
    bool said_so = Says(text, "profile");
    ExpectKnownLines(text);
    EXPECT_TRUE(said_so || profile.Exists());
    if (!profile.Exists()) {
      return;
    }
    Outcomes dispatch = profile.Coverage();
    std::string reason = profile.Text("end_reason");
    bool told = reason == "layer_disabled:out_of_memory" || profile.Number("devices_dropped") > 0 ||
                !profile.Flag("complete") || said_so;
    if (!told) {
      EXPECT_EQ(dispatch.executed, reached->dispatches) << reason;
    }
    EXPECT_LE(dispatch.executed, reached->dispatches);
    EXPECT_LE(dispatch.measured, dispatch.executed);
    EXPECT_TRUE(profile.Text("run.tags.purpose") == "memory" ||
                cJSON_GetArraySize(profile.At("run.settings_rejected")) > 1);
    if (!trace_path.empty() && !told) {
      JudgeTrace(profile, Says(text, "trace"));
    }
  }

  // What the profile counts is in the trace, or both count what is not, or a line says why there is
  // no trace; what is there is whole.
  void JudgeTrace(const Profile &profile, bool said_so) {
    if (cJSON_IsNull(profile.At("trace"))) { // the setting found no memory
      EXPECT_GT(cJSON_GetArraySize(profile.At("run.settings_rejected")), 1);
      return;
    }
    int64_t dropped = 0;
    for (const char *why : {"full", "rate", "size", "late"}) {
      dropped += profile.Number(std::string("trace.dropped.") + why);
    }
    EXPECT_EQ(profile.Flag("trace.writable"), !said_so);
    EXPECT_EQ(profile.Number("trace.written") + dropped, profile.Number("trace.events"));
    if (said_so) {
      return;
    }
    Trace trace(trace_path);
    EXPECT_EQ(trace->damaged, 0U);
    EXPECT_EQ(trace->unnamed, 0U);
    EXPECT_FALSE(trace->cut);
    int64_t measured = profile.Coverage().measured + profile.Coverage("fill").measured;
    auto slices = static_cast<int64_t>(trace->slice_count);
    EXPECT_LE(slices, measured);
    EXPECT_LE(measured - slices, dropped);
    const vkm_timeline_process &process = trace.Process();
    EXPECT_TRUE(process.has_counts);
    EXPECT_EQ(static_cast<int64_t>(process.events), profile.Number("trace.events"));
  }

  static bool Says(const std::string &text, const std::string &what) {
    return text.find("vkmeter: cannot write " + what + " '") != std::string::npos;
  }

  static void ExpectKnownLines(const std::string &text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_TRUE(line.rfind("vkmeter: cannot write profile", 0) == 0 ||
                  line.rfind("vkmeter: cannot write trace", 0) == 0)
          << text;
    }
  }

  // Until a run gets by without meeting its fault.
  void Torture(bool all) {
    faults->all = all;
    for (unsigned long nth = 1;; nth += kStep) {
      SCOPED_TRACE(testing::Message() << "request " << nth);
      if (HasFailure()) { // which every later child would inherit
        break;
      }
      *reached = Reached{};
      faults->nth = nth;
      faults->asked = faults->failed = 0;
      std::string said = folder + "/stderr-" + std::to_string(nth);
      profile_path = folder + "/" + std::to_string(nth) + ".json";
      Setting("OUTPUT", profile_path);
      if (traced) {
        trace_path = folder + "/" + std::to_string(nth) + ".pftrace";
        Setting("TRACE", trace_path);
      }
      InChild([&] { Program(said); });
      Judge(said);
      if (faults->failed == 0) {
        break;
      }
    }
    EXPECT_GT(faults->nth, 100U); // that anything was refused at all
  }

  struct memory_faults *faults = nullptr;
  Reached *reached = nullptr;
  std::string script;
  bool destroys = true, traced = true;
  std::string trace_path;                // empty: none
  VkCommandBuffer last = VK_NULL_HANDLE; // of Work
};

TEST_F(Memory, G5_OneRequestFails) {
  Torture(false);
}

TEST_F(Memory, G5_AllRequestsFailFromOneOn) {
  Torture(true);
}

// Resets inside the recordings, results that come late, and a device that is left alive: what is
// outstanding then is part of the last snapshot. Without a trace.
class MemoryLeft : public Memory {
protected:
  void SetUp() override {
    Memory::SetUp();
    script = "host_query_reset=0;completion=delayed;delay_ms=2";
    destroys = traced = false;
  }
};

TEST_F(MemoryLeft, G5_OneRequestFails) {
  Torture(false);
}

TEST_F(MemoryLeft, G5_AllRequestsFailFromOneOn) {
  Torture(true);
}

} // namespace
