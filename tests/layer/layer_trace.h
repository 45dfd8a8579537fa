// A trace as a test reads it, and the settings that every test of traces needs.
//
// In: a file. Out: the model of timeline/trace_read, which shares only words with the writer; and
// what check_trace, which shares nothing, says of it beside the profile.
#ifndef LAYER_TRACE_H
#define LAYER_TRACE_H

#include <memory>
#include <string>
#include <vector>

#include "layer_test_case.h"

extern "C" {
#include "timeline/trace_read.h"
}

class Trace {
public:
  explicit Trace(const std::string &path);
  bool Exists() const {
    return read_ == VKM_OK;
  }
  const vkm_timeline *operator->() const {
    return model_.get();
  }
  const vkm_timeline_process &Process() const;
  // All calls of this name, in order of their threads and begins.
  std::vector<vkm_timeline_call> Calls(const std::string &name) const;
  // Commands that ran the kernel of this name, in order.
  std::vector<vkm_timeline_slice> Slices(const std::string &kernel) const;
  Nanoseconds Durations(const std::string &kernel) const;
  // Values of the counter whose name holds this, in order.
  std::vector<int64_t> Counter(const std::string &part) const;
  std::vector<std::string> Instants() const;

private:
  std::shared_ptr<vkm_timeline> model_;
  vkm_status read_;
};

class TraceTest : public LayerTest {
protected:
  void SetUp() override;
  // What check_trace says of the trace and the profile beside it; empty: it is content. The
  // scripted device's time lies anywhere on the host's clock, unless its completion is `real`.
  std::string Check(const std::string &options = "--slack-ns 10000000000") const;
  // Destroys everything. The file is closed by the process's end.
  void End();
  Trace ReadTrace() const {
    return Trace(trace_path);
  }
  // A one-time recording of `count` dispatches with barriers between them, submitted and waited
  // for.
  void RunMany(VkPipeline pipeline, uint32_t count);

  std::string trace_path;
};

#endif
