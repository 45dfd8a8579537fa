// See layer_trace.h.
#include "layer_trace.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

Trace::Trace(const std::string &path)
    : model_(new vkm_timeline{}, [](vkm_timeline *model) {
        vkm_timeline_finish(model);
        delete model;
      }) {
  vkm_timeline_error error{};
  read_ = vkm_timeline_read(path.c_str(), model_.get(), &error);
  EXPECT_EQ(read_, VKM_OK) << path << ": " << error.cause;
}

const vkm_timeline_process &Trace::Process() const {
  static const vkm_timeline_process none{};
  EXPECT_EQ(model_->process_count, 1U);
  return model_->process_count != 0 ? model_->processes[0] : none;
}

std::vector<vkm_timeline_call> Trace::Calls(const std::string &name) const {
  std::vector<vkm_timeline_call> found;
  for (size_t i = 0; i < model_->call_count; i++) {
    if (name == model_->calls[i].name) {
      found.push_back(model_->calls[i]);
    }
  }
  return found;
}

std::vector<vkm_timeline_slice> Trace::Slices(const std::string &kernel) const {
  std::vector<vkm_timeline_slice> found;
  for (size_t i = 0; i < model_->slice_count; i++) {
    const vkm_timeline_slice &slice = model_->slices[i];
    if (slice.kernel != VKM_TIMELINE_NONE && kernel == model_->kernels[slice.kernel].name) {
      found.push_back(slice);
    }
  }
  return found;
}

Nanoseconds Trace::Durations(const std::string &kernel) const {
  Nanoseconds found;
  for (const vkm_timeline_slice &slice : Slices(kernel)) {
    found.push_back(slice.end_ns - slice.begin_ns);
  }
  return found;
}

std::vector<int64_t> Trace::Counter(const std::string &part) const {
  std::vector<int64_t> found;
  for (size_t i = 0; i < model_->counter_count; i++) {
    const vkm_timeline_counter &counter = model_->counters[i];
    for (size_t at = 0;
         std::string(counter.name).find(part) != std::string::npos && at < counter.sample_count;
         at++) {
      found.push_back(model_->samples[counter.first_sample + at].value);
    }
  }
  return found;
}

std::vector<std::string> Trace::Instants() const {
  std::vector<std::string> found;
  for (size_t i = 0; i < model_->instant_count; i++) {
    found.emplace_back(model_->instants[i].name);
  }
  return found;
}

void TraceTest::SetUp() {
  LayerTest::SetUp();
  trace_path = folder + "/trace.pftrace";
  Setting("TRACE", trace_path);
}

std::string TraceTest::Check(const std::string &options) const {
  std::string said = folder + "/said";
  std::string command = VKM_TEST_CHECK_TRACE " '" + trace_path + "' --profile '" + profile_path +
                        "' " + options + " >'" + said + "' 2>&1";
  // NOLINTNEXTLINE(cert-env33-c): our own script, on names of our own making
  int status = std::system(command.c_str());
  std::ifstream file(said);
  std::stringstream text;
  text << file.rdbuf();
  return status == 0 ? "" : text.str();
}

void TraceTest::End() {
  gpu.Close();
  CloseInstance();
}

void TraceTest::RunMany(VkPipeline pipeline, uint32_t count) {
  VkCommandBuffer buffer = gpu.Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  for (uint32_t i = 0; i < count; i++) {
    gpu.Dispatch(buffer, pipeline);
    gpu.Barrier(buffer);
  }
  gpu.Run(buffer);
}
