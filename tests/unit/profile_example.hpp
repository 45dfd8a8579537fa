// A profile with everything in it that a profile can have, as plain structures: for the tests of
// the writer. Owns all that the structures borrow.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

extern "C" {
#include "base/text.h"
#include "measure/moves.h"
#include "measure/plan.h"
#include "profile/profile.h"
#include "profile/profile_write.h"
}

namespace example {

inline struct vkm_profile_statistic Statistic(const char *name, uint64_t value) {
  struct vkm_profile_statistic out = {};
  out.name = name;
  out.description = "as the driver says";
  out.format = VKM_STATISTIC_UINT64;
  out.value.u64 = value;
  return out;
}

inline struct vkm_profile_statistic Statistic(const char *name, enum vkm_statistic_format format) {
  struct vkm_profile_statistic out = Statistic(name, uint64_t{0});
  out.format = format;
  return out;
}

} // namespace example

class Example {
public:
  Example();
  ~Example();
  Example(const Example &) = delete;
  Example &operator=(const Example &) = delete;

  // A row of the device, without executions.
  struct vkm_kernel_row *AddRow(size_t device, uint32_t pipeline, enum vkm_kind kind,
                                uint32_t groups_x, uint32_t groups_y, uint32_t groups_z,
                                size_t sample_cap = 100);
  // The document; empty when it could not be made.
  std::string Format() const;

  struct vkm_profile profile = {};
  std::vector<struct vkm_named_text> tags, settings, chosen;
  std::vector<struct vkm_setting_rejected> rejected;
  std::vector<struct vkm_named_count> not_intercepted;
  std::vector<struct vkm_profile_device> devices;
  std::vector<struct vkm_profile_pipeline> pipelines[3]; // of each device
  std::vector<struct vkm_kernel_row *> rows[3];
  std::vector<struct vkm_profile_queue> queues;
  std::vector<struct vkm_plan> plans; // of the first device; their storage is in plan_storage
  struct vkm_plans plan_storage = {};
  struct vkm_rules rules = {};
  // Points everything at the vectors above; after one of them was changed.
  void Link();

private:
  void FillRun();
  void FillDevices();
  void FillOtherDevices();
  void FillQueues();
  void FillPipelines();
  void FillRows();
  void FillPlans();
  void FillBreakdown();
  std::deque<struct vkm_kernel_row> row_storage_;
  std::deque<struct vkm_spirv_kernel> kernels_;
  void FillExecutables();
  void Compile(struct vkm_profile_pipeline &pipeline);
  std::vector<struct vkm_profile_statistic> statistics_;
  std::vector<struct vkm_profile_representation> representations_;
  std::vector<struct vkm_profile_executable> executable_list_;
  struct vkm_profile_executables executables_ = {};
};

namespace example {

inline const struct vkm_profile_heap kHeaps[] = {{UINT64_C(8) << 30, true},
                                                 {UINT64_C(16) << 30, false}};
inline const struct vkm_profile_family kFamilies[] = {{0xf, 36, 1}, {0x106, 64, 8}, {0x4, 0, 2}};
inline const char *const kEnabled[] = {"VK_EXT_host_query_reset", "VK_EXT_calibrated_timestamps"};
inline const struct vkm_profile_capability kCapabilities[] = {
    {"host_query_reset", true, nullptr},
    {"calibrated_timestamps", false, "the device does not offer it"}};
inline const char *const kPhases[] = {nullptr, "other", "frame 1/blur",
                                      "frame 1/blur/\"pass\" \\ 2"};

inline struct vkm_spirv_kernel BlurKernel() {
  struct vkm_spirv_kernel kernel = {};
  kernel.known = true;
  kernel.local_size[0] = 16;
  kernel.local_size[1] = 8;
  kernel.local_size[2] = 1;
  kernel.shared_memory_bytes = 4096;
  kernel.push_constant_bytes = 12;
  kernel.values[0] = {0, 4, 64};
  kernel.values[1] = {7, 8, UINT64_C(0x3ff0000000000000)};
  kernel.value_count = 2;
  kernel.capabilities[0] = 1;
  kernel.capabilities[1] = 61;
  kernel.capability_count = 2;
  std::strcpy(kernel.source_name, "blur.comp");
  kernel.counts.known = true;
  for (uint32_t i = 0; i < VKM_COUNT_COUNT; i++) {
    kernel.counts.values[i] = i;
  }
  return kernel;
}

} // namespace example

inline Example::Example() {
  FillRun();
  FillDevices();
  FillOtherDevices();
  FillQueues();
  FillPipelines();
  FillRows();
  FillPlans();
  FillBreakdown();
  Link();
}

inline Example::~Example() {
  for (struct vkm_kernel_row &row : row_storage_) {
    vkm_samples_finish(&row.durations);
    vkm_samples_finish(&row.gaps);
  }
  vkm_plans_finish(&plan_storage);
}

inline void Example::FillRun() {
  profile.complete = true;
  profile.end_reason = "exit";
  profile.mode = "inline";
  profile.control_every = 8;
  chosen = {{"submissions", "1-1000"}, {"time_seconds", "0.5-"}};
  profile.chosen = chosen.data();
  profile.chosen_count = chosen.size();
  profile.host = {"Debian GNU/Linux 12", "6.1.0-18-amd64", "x86_64", nullptr};
  struct vkm_profile_run &run = profile.run;
  run.id = "6f1c-4242-1";
  run.started_unix_ns = 1700000000123456789;
  run.duration_ns = 2500000000;
  run.started_monotonic_ns = 987654321000;
  run.pid = 4242;
  run.executable = "/opt/program";
  run.application_name = "program";
  run.application_version = 7;
  run.api_version = (1U << 22) | (3U << 12) | 230U;
  run.vkmeter_version = "0.1.0";
  tags = {{"workload", "overwritten by the later one"}, {"branch", "main"}, {"workload", "blur"}};
  settings = {{"output", "x.json"}, {"sample_times", "0"}};
  rejected = {{"colour", "red", nullptr}, {"mode", "fast", "inline, submit"}};
  not_intercepted = {{"vkCmdTraceRaysKHR", 2}};
  rules.faults[0] = {3, "famly", "an unknown key", "another one"};
  rules.faults[1] = {0, "rules.txt", "it could not be read", "a file that can be read"};
  rules.fault_count = 2;
  rules.faults_beyond = 4;
  profile.rules = &rules;
}

inline void Example::FillDevices() {
  struct vkm_profile_device one = {};
  one.name = "Example GPU";
  one.driver_name = "example";
  one.driver_info = "build 5";
  one.driver_id = 13;
  one.driver_version = (22U << 22) | (3U << 12) | 6U;
  one.api_version = (1U << 22) | (3U << 12) | 230U;
  one.vendor_id = 0x10005;
  one.device_type = 4;
  for (uint8_t i = 0; i < 16; i++) {
    one.device_uuid[i] = static_cast<uint8_t>(0xf0 + i);
  }
  one.has_uuid = true;
  one.software = true;
  one.profiled = true;
  one.timestamp_period_ns = 52.083332F;
  one.heaps = example::kHeaps;
  one.heap_count = 2;
  one.families = example::kFamilies;
  one.family_count = 3;
  one.enabled_by_vkmeter = example::kEnabled;
  one.enabled_by_vkmeter_count = 2;
  one.capabilities = example::kCapabilities;
  one.capability_count = 2;
  one.end = "destroyed";
  one.clock_source = VKM_CLOCK_CALIBRATED;
  one.clock_domain = "CLOCK_MONOTONIC_RAW";
  one.clock_max_deviation_ns = 850;
  one.phases = example::kPhases;
  one.phase_count = 4;
  one.other_labels = {3, 2, 1};
  one.presents = 12;
  one.overflow[VKM_KIND_DISPATCH].measured = 3;
  one.overflow[VKM_KIND_DISPATCH].untimed[VKM_UNTIMED_query_cap] = 2;
  one.recorded[VKM_KIND_DISPATCH] = 40;
  one.recorded[VKM_KIND_DISPATCH_INDIRECT] = 5;
  one.stamps_written = 90;
  one.marks_recorded = 45;
  one.submits = 4;
  one.submit_ns = 4100;
  one.collects = 4;
  one.collect_ns = 9000;
  one.record_sample_count = 3;
  one.record_sample_ns = 100;
  one.peak_bytes = 65536;
  one.queries_in_use = 128;
  one.queries_peak = 256;
  devices = {one};
}

inline void Example::FillOtherDevices() {
  struct vkm_profile_device two = {};
  two.name = "Second GPU";
  two.vendor_id = 0x10de;
  two.driver_version = (535U << 22) | (183U << 14) | (1U << 6);
  two.api_version = (1U << 22) | (2U << 12);
  two.device_type = 2;
  two.profiled = true;
  two.timestamp_period_ns = 1;
  two.end = "alive";
  two.clock_max_deviation_ns = INT64_MIN;
  two.pipelines_dropped = 1;

  struct vkm_profile_device three = {};
  three.device_type = 99;
  three.not_profiled_reason = "the device is a group of 2 physical devices";
  three.timestamp_period_ns = INFINITY;
  three.end = "lost";
  three.clock_source = VKM_CLOCK_BRACKETED;
  three.clock_max_deviation_ns = INT64_MIN;
  three.clock_mismatch = true;
  devices.push_back(two);
  devices.push_back(three);
}

inline void Example::FillQueues() {
  struct vkm_profile_queue busy = {};
  busy.flags = 0xf;
  busy.submissions = 4;
  busy.command_buffers = 6;
  vkm_busy_add(&busy.busy, 1000, 5000);
  vkm_busy_add(&busy.busy, 4000, 6000);
  vkm_busy_add(&busy.busy, 9000, 9500);
  struct vkm_profile_queue idle = {};
  idle.family = 1;
  idle.index = 3;
  idle.flags = 0x106;
  queues = {busy, idle};
}

inline void Example::FillPipelines() {
  kernels_.push_back(example::BlurKernel());
  struct vkm_profile_pipeline blur = {};
  blur.identity = {0x0123456789abcdef, 0xfedcba9876543210};
  blur.spirv_hash = {1, 2};
  blur.has_spirv = true;
  blur.spirv_bytes = 2048;
  blur.name = "blur";
  blur.module_name = "blur module";
  blur.entry_point = "main";
  blur.kernel = &kernels_.back();
  blur.required_subgroup_size = 32;
  blur.layout_push_constant_bytes = 16;
  blur.create = {2, 150000, false};
  blur.first_use_ns = 1000;
  blur.family = {VKM_FAMILY_convolution_spatial, VKM_FAMILY_BY_NAME};

  struct vkm_spirv_kernel partly = {};
  partly.known = true;
  partly.local_size_reason = "the size is not a constant";
  partly.shared_memory_reason = "an array has no size";
  partly.counts.reason = "too many ids";
  kernels_.push_back(partly);
  struct vkm_profile_pipeline odd = blur;
  odd.identity.low++;
  odd.name = odd.module_name = nullptr;
  odd.kernel = &kernels_.back();
  odd.required_subgroup_size = 0;
  odd.first_use_ns = INT64_MIN;
  odd.family = {VKM_FAMILY_matrix, VKM_FAMILY_BY_RULE};
  odd.rule_phase = "by rule";

  struct vkm_spirv_kernel unknown = {};
  unknown.reason = "not read";
  kernels_.push_back(unknown);
  struct vkm_profile_pipeline unseen = {};
  unseen.identity = {9, 9};
  unseen.spirv_reason = "created from a module identifier";
  unseen.entry_point = "main";
  unseen.kernel = &kernels_.back();
  unseen.layout_push_constant_bytes = UINT32_MAX;
  unseen.create = {1, 10, false};
  unseen.no_executables_reason = unseen.compile.not_captured_reason =
      "it is made of a module's identifier";
  unseen.compile.no_feedback_reason = "the driver gave none";
  unseen.first_use_ns = 5;
  unseen.family = {VKM_FAMILY_unclassified, VKM_FAMILY_BY_NONE};
  Compile(blur);
  pipelines[0] = {blur, odd};
  pipelines[1] = {unseen};
}

inline void Example::FillRows() {
  struct vkm_kernel_row *row = AddRow(0, 0, VKM_KIND_DISPATCH, 4, 2, 1);
  for (int64_t i = 0; i < 4; i++) {
    vkm_kernel_row_measured(row, 1000 + 3 * i, i == 0 ? VKM_NO_GAP : 10 * i, 1000 + 2000 * i,
                            i == 0, i == 2);
  }
  row->outcomes.missed[VKM_MISSED_not_finished] = 1;
  row = AddRow(0, 0, VKM_KIND_DISPATCH_BASE, 1, 1, 1, 5);
  row->key.phase = 3;
  row->key.base[0] = 3;
  for (int64_t i = 0; i < 20; i++) { // more than are kept; the first use is not
    vkm_kernel_row_measured(row, 500 + i * i, -5, INT64_MIN, i == 3, false);
  }
  row = AddRow(0, 1, VKM_KIND_DISPATCH_INDIRECT, 0, 0, 0);
  row->key.phase = 1;
  vkm_kernel_row_measured(row, 77, VKM_NO_GAP, 12345, false, false);
  row->outcomes.rejected[VKM_REJECTED_out_of_order] = 2;
  row = AddRow(0, 1, VKM_KIND_DISPATCH, UINT32_MAX, UINT32_MAX, 1);
  row->outcomes.untimed[VKM_UNTIMED_out_of_memory] = 6;
  row->outcomes.control = 2;
  row = AddRow(0, 0, VKM_KIND_DISPATCH, UINT32_MAX, UINT32_MAX, 2);
  row->outcomes.control = 1;
  row = AddRow(0, 0, VKM_KIND_DISPATCH, 0, 7, 7);
  row = AddRow(1, VKM_NO_PIPELINE, VKM_KIND_DISPATCH, 1, 1, 1);
  vkm_kernel_row_measured(row, 5, VKM_NO_GAP, INT64_MIN, false, true);
  row = AddRow(1, 0, VKM_KIND_DISPATCH, 1, 1, 1);
  row->outcomes.missed[VKM_MISSED_device_lost] = 1;
}

inline struct vkm_kernel_row *Example::AddRow(size_t device, uint32_t pipeline, enum vkm_kind kind,
                                              uint32_t groups_x, uint32_t groups_y,
                                              uint32_t groups_z, size_t sample_cap) {
  struct vkm_kernel_row row = {};
  row.key.pipeline = pipeline;
  row.key.kind = kind;
  row.key.groups[0] = groups_x;
  row.key.groups[1] = groups_y;
  row.key.groups[2] = groups_z;
  row.first_use_ordinal = -1;
  vkm_samples_init(&row.durations, sample_cap);
  row.durations.keeps_begins = true;
  vkm_samples_init(&row.gaps, sample_cap);
  row_storage_.push_back(row);
  rows[device].push_back(&row_storage_.back());
  return &row_storage_.back();
}

inline void Example::Link() {
  plans.clear();
  for (size_t i = 0; i < plan_storage.count; i++) {
    plans.push_back(*plan_storage.plans[i]);
  }
  devices[0].plans = plans.data();
  devices[0].plan_count = plans.size();
  struct vkm_profile_run &run = profile.run;
  run.tags = tags.data();
  run.tag_count = tags.size();
  run.settings = settings.data();
  run.setting_count = settings.size();
  run.settings_rejected = rejected.data();
  run.setting_rejected_count = rejected.size();
  profile.not_intercepted = not_intercepted.data();
  profile.not_intercepted_count = not_intercepted.size();
  for (size_t i = 0; i < devices.size(); i++) {
    devices[i].pipelines = pipelines[i].data();
    devices[i].pipeline_count = pipelines[i].size();
    devices[i].rows = rows[i].data();
    devices[i].row_count = rows[i].size();
  }
  devices[0].queues = queues.data();
  devices[0].queue_count = queues.size();
  static const struct vkm_profile_trace trace = {.path = "/run/here/trace.pftrace",
                                                 .style = "render-stage",
                                                 .failed = "No space left on device",
                                                 .events = 1015,
                                                 .written = 1000,
                                                 .bytes = 123456,
                                                 .dropped_full = 1,
                                                 .dropped_rate = 2,
                                                 .dropped_size = 7,
                                                 .dropped_late = 5,
                                                 .short_calls = 3,
                                                 .unplaced = 4};
  profile.trace = &trace;
  profile.devices = devices.data();
  profile.device_count = devices.size();
}

inline std::string Example::Format() const {
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  enum vkm_status status = vkm_profile_format(&profile, &text);
  std::string document = status == VKM_OK ? std::string(text.data, text.length_bytes) : "";
  vkm_text_finish(&text);
  return document;
}

#include "profile_example_parts.hpp"
