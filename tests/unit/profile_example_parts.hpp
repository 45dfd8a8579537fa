// The larger parts of Example: what compilers said, plans, and where the time went. Included by
// profile_example.hpp.
#pragma once

// Every format; what a double does not hold, what is not finite, names of any bytes.
inline void Example::FillExecutables() {
  statistics_ = {example::Statistic("VGPRs", uint64_t{24}),
                 example::Statistic("Hash", UINT64_MAX - 1),
                 example::Statistic("slack", VKM_STATISTIC_INT64),
                 example::Statistic("early \"preamble\"", VKM_STATISTIC_BOOL),
                 example::Statistic("share", VKM_STATISTIC_FLOAT64),
                 example::Statistic("rate \xff", VKM_STATISTIC_FLOAT64),
                 example::Statistic("of tomorrow", VKM_STATISTIC_UNKNOWN)};
  statistics_[2].value.i64 = INT64_MIN;
  statistics_[3].value.truth = true;
  statistics_[4].value.f64 = 0.1 + 0.2;
  statistics_[5].value.f64 = std::nan("");
  struct vkm_profile_representation text = {};
  text.name = "Assembly";
  text.description = "final";
  text.text = true;
  text.bytes = 300;
  std::strcpy(text.file, "0123456789abcdeffedcba9876543210-0-0-Assembly-00000000.txt");
  struct vkm_profile_representation lost = text;
  lost.no_file_reason = "the disk is full";
  representations_ = {text, lost};
  struct vkm_profile_executable one = {};
  one.name = "compute";
  one.description = "SIMD32";
  one.stages = 0x20;
  one.subgroup_size = 32;
  one.statistics = statistics_.data();
  one.statistic_count = static_cast<uint32_t>(statistics_.size());
  one.statistics_dropped = 3;
  one.representations = representations_.data();
  one.representation_count = 2;
  struct vkm_profile_executable other = {};
  other.name = "other";
  other.description = "";
  other.stages = 0x40000020;
  other.no_statistics_reason = "the driver failed to tell them";
  executable_list_ = {one, other};
  executables_ = {"VK_KHR_pipeline_executable_properties", executable_list_.data(), 2, 1, true};
}

inline void Example::Compile(struct vkm_profile_pipeline &pipeline) {
  FillExecutables();
  pipeline.executables = &executables_;
  pipeline.compile.whole = {true, true, false, 90000};
  pipeline.compile.stages[0] = {0x20, {true, false, true, 80000}};
  pipeline.compile.stages[1] = {0x40000000, {}};
  pipeline.compile.stage_count = 2;
}

// One that was control often enough for an interval, one whose samples found no place.
inline void Example::FillPlans() {
  vkm_plans_init(&plan_storage);
  struct vkm_plan_shape shape = {{5, 6}, 2, 0, false};
  struct vkm_plan *plan = vkm_plans_find(&plan_storage, &shape);
  plan->recordings = 40;
  plan->executions = 24;
  for (int64_t i = 0; i < 16; i++) {
    vkm_plan_span(plan, false, 2100 + i);
    plan->measured++;
    if (i >= 9) {
      vkm_plan_span(plan, true, 2000 + i);
      plan->control++;
    }
  }
  for (int64_t value : {1000, 1003, 1006, 1009}) {
    vkm_plan_measured(plan, 0, value, 0);
  }
  vkm_plan_measured(plan, 1, 500, 1);
  plan->unseen_kernels = 1;
  vkm_plan_windowed(plan, 0, 1, 2);
  vkm_plan_windowed(plan, 1, 1, 2);
  plan_storage.mark_cap = 2;
  shape = {{7, 8}, 1, 0, true};
  plan = vkm_plans_find(&plan_storage, &shape);
  plan->recordings = plan->executions = plan->measured = 1;
  plan->window_beyond = 1;
  devices[0].plans_other = {3, 2, 1, 3000};
}

inline void Example::FillBreakdown() {
  struct vkm_profile_memory &memory = devices[0].memory;
  memory.heaps[0] = {1024, 4096, 5000, 8000, 6000, 2048, 3000};
  memory.heaps[1].peak_at_ns = INT64_MIN;
  memory.budget_asked = 3;
  memory.allocations = 1;
  memory.allocations_peak = 3;
  memory.allocations_total = 7;
  memory.allocations_failed = 1;
  memory.dedicated_total = 2;
  memory.mapped_bytes = 512;
  memory.mapped_peak_bytes = 4096;
  memory.maps_total = 5;
  devices[1].memory.no_budget_reason = "the driver does not offer VK_EXT_memory_budget";
  devices[0].gpu = {true, nullptr, 5500, 4000, 2000, 0, 3000};
  devices[1].gpu.reason = "several queues were measured, and their time was not tied to one clock";
  devices[0].dispatches_per_submit[0] = 1;
  devices[0].dispatches_per_submit[4] = 3;

  struct vkm_activity_figures &activity = profile.activity;
  activity.each[VKM_ACTIVITY_BUILD] = {4, 900, 700};
  activity.each[VKM_ACTIVITY_SUBMIT] = {4, 400, 400};
  activity.each[VKM_ACTIVITY_WAIT] = {4, 5000, 5000};
  activity.wall_ns = 20000;
  activity.any_ns = 6100;
  activity.active_ns = 5500;
  activity.accounted_ns = 8000;
  activity.build_while_active_ns = 100;
  activity.overlap_known = true;
  profile.hitches.count = 2;
  profile.hitches.ns = 650;
  profile.hitches.worst_count = 2;
  profile.hitches.worst[0] = {0, 1, 600};
  profile.hitches.worst[1] = {0, VKM_NO_PIPELINE, 50};
  profile.resident_peak_bytes = 1 << 20;
  pipelines[0][1].create.between_submits = true;

  struct vkm_kernel_row *row = AddRow(0, VKM_NO_PIPELINE, VKM_KIND_COPY, VKM_DIRECTION_H2D, 1, 0);
  vkm_kernel_row_measured(row, 2000, VKM_NO_GAP, 3000, false, false);
  row->outcomes.missed[VKM_MISSED_not_finished] = 1;
  row->bytes = 8192;
  row = AddRow(0, VKM_NO_PIPELINE, VKM_KIND_BLIT, VKM_DIRECTION_D2D, 0, 1);
  row->outcomes.untimed[VKM_UNTIMED_query_cap] = 1;
}
