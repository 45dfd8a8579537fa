/* Sheets of a suite. In: lanes, passes. Out: columns. Next: suite_md, suite_table. */
#include "views/suite_sheet.h"

#include "count.h"

static const struct vkm_suite_pass *timing(const struct vkm_suite_lane *lane) {
  static const struct vkm_suite_pass none;
  const struct vkm_suite_pass *pass = vkm_suite_lane_timing(lane);
  return pass != NULL ? pass : &none;
}

VKM_COLUMN_PRINT(print_workload, struct vkm_suite_lane, row->planned.workload->name)
VKM_COLUMN_PRINT(print_category, struct vkm_suite_lane, row->planned.workload->category)
VKM_COLUMN_PRINT(print_device, struct vkm_suite_lane,
                 timing(row)->device != NULL   ? timing(row)->device
                 : row->planned.device != NULL ? row->planned.device->name
                                               : NULL)
VKM_COLUMN_PRINT(print_status, struct vkm_suite_lane, vkm_suite_status_name(row->planned.status))
VKM_COLUMN_PRINT(print_compared, struct vkm_suite_lane,
                 vkm_suite_verdict_name(row->compared.verdict))
VKM_COLUMN_PRINT(print_budget, struct vkm_suite_lane, row->over_budget > 0 ? "exceeded" : NULL)
VKM_COLUMN_PRINT(print_reason, struct vkm_suite_lane, row->planned.reason)
VKM_COLUMN_VALUE(value_runs, struct vkm_suite_lane, timing(row)->good_count,
                 vkm_suite_lane_timing(row) != NULL)
VKM_COLUMN_VALUE(value_wall, struct vkm_suite_lane, timing(row)->wall.median,
                 timing(row)->wall.count > 0)
VKM_COLUMN_VALUE(value_gpu, struct vkm_suite_lane, timing(row)->gpu.median,
                 timing(row)->gpu.count > 0)
VKM_COLUMN_VALUE(value_change, struct vkm_suite_lane, row->compared.total_change,
                 row->compared.has_total)
VKM_COLUMN_VALUE(value_wall_change, struct vkm_suite_lane,
                 row->compared.measures[VKM_MEASURE_WALL].change,
                 row->compared.measures[VKM_MEASURE_WALL].has_change)
VKM_COLUMN_VALUE(value_memory_change, struct vkm_suite_lane,
                 row->compared.measures[VKM_MEASURE_RESIDENT].change,
                 row->compared.measures[VKM_MEASURE_RESIDENT].has_change)
VKM_COLUMN_PRINT(print_outputs, struct vkm_suite_lane,
                 row->outputs_changed > 0   ? "changed"
                 : row->outputs_varying > 0 ? "varies"
                                            : NULL)

static enum vkm_style style_lane(const void *at) {
  const struct vkm_suite_lane *lane = at;
  bool attention = lane->planned.status == VKM_SUITE_ERROR || lane->over_budget > 0 ||
                   lane->outputs_changed > 0 || lane->compared.verdict == VKM_SUITE_WARNING;
  return attention                                   ? VKM_STYLE_WARN
         : lane->planned.status == VKM_SUITE_SKIPPED ? VKM_STYLE_FAINT
                                                     : VKM_STYLE_PLAIN;
}

static bool is_compared(const struct vkm_sheet *sheet) {
  const struct vkm_suite_results *results = sheet->about;
  return results->baseline != NULL;
}
static bool has_budget(const struct vkm_sheet *sheet) {
  const struct vkm_suite_results *results = sheet->about;
  for (size_t i = 0; i < results->lane_count; i++) {
    if (results->lanes[i].planned.workload->budget_count > 0) {
      return true;
    }
  }
  return false;
}
static bool has_outputs(const struct vkm_sheet *sheet) {
  const struct vkm_suite_results *results = sheet->about;
  for (size_t i = 0; i < results->lane_count; i++) {
    if (results->lanes[i].outputs_changed + results->lanes[i].outputs_varying > 0) {
      return true;
    }
  }
  return false;
}
/* Of runs whose baseline knows them as processes. */
static bool has_measures(const struct vkm_sheet *sheet) {
  const struct vkm_suite_results *results = sheet->about;
  for (size_t i = 0; i < results->lane_count; i++) {
    if (results->lanes[i].compared.measures[VKM_MEASURE_WALL].has_change) {
      return true;
    }
  }
  return false;
}
static bool has_reason(const struct vkm_sheet *sheet) {
  const struct vkm_suite_results *results = sheet->about;
  for (size_t i = 0; i < results->lane_count; i++) {
    if (*results->lanes[i].planned.reason) {
      return true;
    }
  }
  return false;
}

#define TEXT(name, identifier, function, when)                                                     \
  static const struct vkm_column name = {.id = (identifier),                                       \
                                         .header = (identifier),                                   \
                                         .kind = VKM_COLUMN_TEXT,                                  \
                                         .print = (function),                                      \
                                         .shown = (when)}
TEXT(WORKLOAD, "workload", print_workload, NULL);
TEXT(CATEGORY, "category", print_category, NULL);
TEXT(DEVICE, "device", print_device, NULL);
TEXT(STATUS, "status", print_status, NULL);
TEXT(COMPARED, "baseline", print_compared, is_compared);
TEXT(OUTPUTS, "output", print_outputs, has_outputs);
TEXT(BUDGET, "budget", print_budget, has_budget);
TEXT(REASON, "why", print_reason, has_reason);
static const struct vkm_column RUNS = {
    .id = "runs", .header = "runs", .kind = VKM_COLUMN_COUNT, .value = value_runs};
static const struct vkm_column WALL = {
    .id = "wall_ns", .header = "wall", .kind = VKM_COLUMN_TOTAL, .value = value_wall};
static const struct vkm_column GPU = {
    .id = "gpu_ns", .header = "GPU", .kind = VKM_COLUMN_TIME, .scales = true, .value = value_gpu};
static const struct vkm_column CHANGE = {.id = "total_change",
                                         .header = "change",
                                         .kind = VKM_COLUMN_CHANGE,
                                         .value = value_change,
                                         .shown = is_compared};
static const struct vkm_column WALL_CHANGE = {.id = "wall_change",
                                              .header = "change",
                                              .kind = VKM_COLUMN_CHANGE,
                                              .value = value_wall_change,
                                              .shown = has_measures};
static const struct vkm_column MEMORY_CHANGE = {.id = "resident_change",
                                                .header = "memory",
                                                .kind = VKM_COLUMN_CHANGE,
                                                .value = value_memory_change,
                                                .shown = has_measures};

static const struct vkm_column *const LANES[] = {
    &WORKLOAD, &CATEGORY,      &DEVICE, &RUNS,     &WALL,    &WALL_CHANGE, &GPU,
    &CHANGE,   &MEMORY_CHANGE, &STATUS, &COMPARED, &OUTPUTS, &BUDGET,      &REASON};

struct vkm_sheet vkm_suite_lanes_sheet(const struct vkm_suite_results *results) {
  return (struct vkm_sheet){.id = "lanes",
                            .columns = LANES,
                            .column_count = VKM_COUNT(LANES),
                            .all = LANES,
                            .all_count = VKM_COUNT(LANES),
                            .rows = results->lanes,
                            .stride = sizeof *results->lanes,
                            .row_count = results->lane_count,
                            .shown = results->lane_count,
                            .style = style_lane,
                            .about = results};
}

VKM_COLUMN_PRINT(print_phase, struct vkm_suite_pass, vkm_suite_phase_name(row->phase))
VKM_COLUMN_VALUE(value_good, struct vkm_suite_pass, row->good_count, true)
VKM_COLUMN_VALUE(value_wall_median, struct vkm_suite_pass, row->wall.median, row->wall.count > 0)
VKM_COLUMN_VALUE(value_wall_p90, struct vkm_suite_pass, row->wall.p90, row->wall.count > 0)
VKM_COLUMN_VALUE(value_gpu_median, struct vkm_suite_pass, row->gpu.median, row->gpu.count > 0)
VKM_COLUMN_VALUE(value_measured, struct vkm_suite_pass, row->measured, row->good_count > 0)
VKM_COLUMN_VALUE(value_executed, struct vkm_suite_pass, row->executed, row->good_count > 0)
VKM_COLUMN_VALUE(value_ratio, struct vkm_suite_pass, row->overhead.ratio, row->overhead.count > 0)

TEXT(PHASE, "phase", print_phase, NULL);
static const struct vkm_column GOOD = {
    .id = "runs", .header = "runs", .kind = VKM_COLUMN_COUNT, .value = value_good};
static const struct vkm_column WALL_MEDIAN = {
    .id = "wall_ns", .header = "wall", .kind = VKM_COLUMN_TOTAL, .value = value_wall_median};
static const struct vkm_column WALL_P90 = {
    .id = "wall_p90_ns", .header = "p90", .kind = VKM_COLUMN_TOTAL, .value = value_wall_p90};
static const struct vkm_column GPU_MEDIAN = {.id = "gpu_ns",
                                             .header = "GPU",
                                             .kind = VKM_COLUMN_TIME,
                                             .scales = true,
                                             .value = value_gpu_median};
static const struct vkm_column EXECUTED = {
    .id = "executed", .header = "executed", .kind = VKM_COLUMN_COUNT, .value = value_executed};
static const struct vkm_column MEASURED = {
    .id = "measured", .header = "timed", .kind = VKM_COLUMN_COUNT, .value = value_measured};
static const struct vkm_column OVERHEAD = {.id = "overhead_ratio",
                                           .header = "with/without vkmeter",
                                           .kind = VKM_COLUMN_RATIO,
                                           .value = value_ratio};

static const struct vkm_column *const PASSES[] = {&PHASE,      &GOOD,     &WALL_MEDIAN, &WALL_P90,
                                                  &GPU_MEDIAN, &EXECUTED, &MEASURED,    &OVERHEAD};

struct vkm_sheet vkm_suite_passes_sheet(const struct vkm_suite_lane *lane) {
  return (struct vkm_sheet){.id = "passes",
                            .columns = PASSES,
                            .column_count = VKM_COUNT(PASSES),
                            .all = PASSES,
                            .all_count = VKM_COUNT(PASSES),
                            .rows = lane->passes,
                            .stride = sizeof *lane->passes,
                            .row_count = lane->pass_count,
                            .shown = lane->pass_count};
}

VKM_COLUMN_PRINT(print_kernel, struct vkm_suite_why_row, row->kernel->name)
VKM_COLUMN_VALUE(value_share, struct vkm_suite_why_row, row->kernel->share, row->kernel->has_share)
VKM_COLUMN_VALUE(value_inline, struct vkm_suite_why_row, row->kernel->median_ns,
                 row->kernel->has_figures)
VKM_COLUMN_VALUE(value_isolated, struct vkm_suite_why_row, row->isolated_ns, row->has_isolated)
VKM_COLUMN_VALUE(value_beside, struct vkm_suite_why_row, row->ratio, row->has_ratio)

static void print_groups(const void *at, const struct vkm_column *column,
                         const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_suite_kernel *kernel = ((const struct vkm_suite_why_row *)at)->kernel;
  (void)column;
  for (int axis = 0; axis < 3 && kernel->has_groups; axis++) {
    vkm_text_string(text, axis == 0 ? "[" : settings->ascii ? "x" : "×");
    vkm_text_u64(text, kernel->groups[axis]);
  }
  vkm_text_string(text, kernel->has_groups ? "]" : "");
}

TEXT(KERNEL, "dispatch", print_kernel, NULL);
static const struct vkm_column GROUPS = {
    .id = "groups", .header = "", .kind = VKM_COLUMN_TEXT, .print = print_groups, .right = true};
static const struct vkm_column SHARE = {
    .id = "share", .header = "share", .kind = VKM_COLUMN_PERCENT, .value = value_share};
static const struct vkm_column INLINE = {.id = "inline_ns",
                                         .header = "as it runs",
                                         .kind = VKM_COLUMN_TIME,
                                         .scales = true,
                                         .value = value_inline};
static const struct vkm_column ISOLATED = {.id = "isolated_ns",
                                           .header = "alone",
                                           .kind = VKM_COLUMN_TIME,
                                           .scales = true,
                                           .dash = true,
                                           .value = value_isolated};
static const struct vkm_column BESIDE = {.id = "ratio",
                                         .header = "times",
                                         .kind = VKM_COLUMN_RATIO,
                                         .dash = true,
                                         .value = value_beside};
static const struct vkm_column *const WHY[] = {&KERNEL, &GROUPS,   &SHARE,
                                               &INLINE, &ISOLATED, &BESIDE};

struct vkm_sheet vkm_suite_why_sheet(const struct vkm_suite_why *why) {
  return (struct vkm_sheet){.id = "why",
                            .columns = WHY,
                            .column_count = VKM_COUNT(WHY),
                            .all = WHY,
                            .all_count = VKM_COUNT(WHY),
                            .rows = why->rows,
                            .stride = sizeof *why->rows,
                            .row_count = why->count,
                            .shown = why->count};
}
