/* The plans of a section as a sheet. In: judged rows. Out: columns. Next: the formats. */
#include <string.h>

#include "count.h"
#include "views/sheets.h"
#include "views/units.h"

enum { DIGITS = 12, MOST_FAMILIES = 3 };

VKM_COLUMN_PRINT(print_signature, struct vkm_plan_row, row->plan->signature)
VKM_COLUMN_PRINT(print_level, struct vkm_plan_row, row->plan->secondary ? "secondary" : "primary")
VKM_COLUMN_VALUE(value_commands, struct vkm_plan_row, row->plan->commands, true)
VKM_COLUMN_VALUE(value_recordings, struct vkm_plan_row, row->recordings, true)
VKM_COLUMN_VALUE(value_executions, struct vkm_plan_row, row->executions, true)
VKM_COLUMN_VALUE(value_measured, struct vkm_plan_row, row->measured, true)
VKM_COLUMN_VALUE(value_controls, struct vkm_plan_row, row->control_measured, true)
VKM_COLUMN_VALUE(value_total, struct vkm_plan_row, row->total_ns, row->has_span)
VKM_COLUMN_VALUE(value_share, struct vkm_plan_row, row->share, row->has_share)
VKM_COLUMN_VALUE(value_median, struct vkm_plan_row, row->median_ns, row->has_span)
VKM_COLUMN_VALUE(value_min, struct vkm_plan_row, row->min_ns, row->has_span)
VKM_COLUMN_VALUE(value_max, struct vkm_plan_row, row->max_ns, row->has_span)
VKM_COLUMN_VALUE(value_control_median, struct vkm_plan_row, row->control_median_ns,
                 row->has_control)
VKM_COLUMN_VALUE(value_ratio_, struct vkm_plan_row, row->ratio, row->has_ratio)
VKM_COLUMN_VALUE(value_ratio_low, struct vkm_plan_row, row->ratio_low, row->has_interval)
VKM_COLUMN_VALUE(value_ratio_high, struct vkm_plan_row, row->ratio_high, row->has_interval)
VKM_COLUMN_VALUE(value_windows, struct vkm_plan_row, row->plan->window_count, true)
VKM_COLUMN_VALUE(value_runs, struct vkm_plan_row, row->run_count, true)

static void print_name(const void *at, const struct vkm_column *column,
                       const struct vkm_view_settings *settings, struct vkm_text *text) {
  const char *signature = ((const struct vkm_plan_row *)at)->plan->signature;
  (void)column;
  (void)settings;
  vkm_text_append(text, signature, strnlen(signature, DIGITS));
}

static void print_families(const void *at, const struct vkm_column *column,
                           const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_read_plan *plan = ((const struct vkm_plan_row *)at)->plan;
  (void)column;
  for (size_t i = 0; i < plan->family_count && i < MOST_FAMILIES; i++) {
    vkm_text_string(text, i > 0 ? ", " : "");
    vkm_sheet_name(plan->families[i].name, settings, text);
    if (plan->families[i].has_share) {
      vkm_text_string(text, " ");
      vkm_format_percent(text, plan->families[i].share_percent / 100);
      vkm_text_string(text, " %");
    }
  }
  if (plan->family_count > MOST_FAMILIES) {
    vkm_text_string(text, settings->ascii ? ", ..." : ", …");
  }
}

/* Whether any row of the sheet is so. */
#define ANY(function, condition)                                                                   \
  static bool function(const struct vkm_sheet *sheet) {                                            \
    const struct vkm_details *details = &((const struct vkm_section *)sheet->about)->details;      \
    for (size_t i = 0; i < details->plan_count; i++) {                                             \
      const struct vkm_plan_row *row = &details->plans[i];                                         \
      if (condition) {                                                                             \
        return true;                                                                               \
      }                                                                                            \
    }                                                                                              \
    return false;                                                                                  \
  }
ANY(has_secondaries, row->plan->secondary)
ANY(has_controls, row->has_control)
ANY(has_windows, row->plan->window_count > 1)

static const struct vkm_column NAME = {.id = "name",
                                       .header = "plan",
                                       .kind = VKM_COLUMN_TEXT,
                                       .width = 12,
                                       .print = print_name,
                                       .about = "the first digits of its signature"};
static const struct vkm_column SIGNATURE = {
    .id = "signature", .header = "signature", .kind = VKM_COLUMN_TEXT, .print = print_signature};
static const struct vkm_column FAMILIES = {.id = "families",
                                           .header = "families",
                                           .kind = VKM_COLUMN_TEXT,
                                           .print = print_families,
                                           .about = "those that take most of one execution"};
static const struct vkm_column LEVEL = {.id = "level",
                                        .header = "level",
                                        .kind = VKM_COLUMN_TEXT,
                                        .shown = has_secondaries,
                                        .print = print_level};
static const struct vkm_column COMMANDS = {.id = "commands",
                                           .header = "commands",
                                           .kind = VKM_COLUMN_COUNT,
                                           .width = 6,
                                           .value = value_commands};
static const struct vkm_column RECORDINGS = {.id = "recordings",
                                             .header = "recorded",
                                             .kind = VKM_COLUMN_COUNT,
                                             .width = 6,
                                             .value = value_recordings};
static const struct vkm_column EXECUTIONS = {.id = "executions",
                                             .header = "executed",
                                             .kind = VKM_COLUMN_COUNT,
                                             .width = 6,
                                             .value = value_executions};
static const struct vkm_column MEASURED = {.id = "measured",
                                           .header = "timed",
                                           .kind = VKM_COLUMN_COUNT,
                                           .width = 6,
                                           .value = value_measured};
static const struct vkm_column CONTROLS = {.id = "control_measured",
                                           .header = "control",
                                           .kind = VKM_COLUMN_COUNT,
                                           .width = 6,
                                           .value = value_controls};
static const struct vkm_column TOTAL = {.id = "total_ns",
                                        .header = "total",
                                        .kind = VKM_COLUMN_TOTAL,
                                        .width = 7,
                                        .value = value_total};
static const struct vkm_column SHARE = {.id = "share",
                                        .header = "share",
                                        .kind = VKM_COLUMN_PERCENT,
                                        .width = 5,
                                        .value = value_share,
                                        .about = "of the time of all plans"};
static const struct vkm_column MEDIAN = {.id = "median_ns",
                                         .header = "median",
                                         .kind = VKM_COLUMN_TIME,
                                         .width = 7,
                                         .scales = true,
                                         .value = value_median,
                                         .about =
                                             "of one execution, from its first stamp to its last"};
static const struct vkm_column MIN = {
    .id = "min_ns", .header = "min", .kind = VKM_COLUMN_TIME, .width = 7, .value = value_min};
static const struct vkm_column MAX = {
    .id = "max_ns", .header = "max", .kind = VKM_COLUMN_TIME, .width = 7, .value = value_max};
static const struct vkm_column CONTROL_MEDIAN = {
    .id = "control_median_ns",
    .header = "whole",
    .kind = VKM_COLUMN_TIME,
    .width = 7,
    .shown = has_controls,
    .value = value_control_median,
    .about = "the median of executions that were timed as a whole"};
static const struct vkm_column RATIO_ = {.id = "ratio",
                                         .header = "ratio",
                                         .kind = VKM_COLUMN_RATIO,
                                         .width = 6,
                                         .shown = has_controls,
                                         .value = value_ratio_,
                                         .about = "what timing each command costs: 1.01 is 1 %"};
static const struct vkm_column RATIO_LOW = {.id = "ratio_low",
                                            .header = "ratio >=",
                                            .kind = VKM_COLUMN_RATIO,
                                            .width = 6,
                                            .value = value_ratio_low};
static const struct vkm_column RATIO_HIGH = {.id = "ratio_high",
                                             .header = "ratio <=",
                                             .kind = VKM_COLUMN_RATIO,
                                             .width = 6,
                                             .value = value_ratio_high};
static const struct vkm_column WINDOWS = {.id = "windows",
                                          .header = "windows",
                                          .kind = VKM_COLUMN_COUNT,
                                          .width = 6,
                                          .shown = has_windows,
                                          .value = value_windows};
static const struct vkm_column RUNS = {
    .id = "runs", .header = "runs", .kind = VKM_COLUMN_COUNT, .width = 4, .value = value_runs};

static const struct vkm_column *const FOR_PEOPLE[] = {
    &NAME,   &LEVEL,          &TOTAL,  &SHARE,   &EXECUTIONS, &COMMANDS,
    &MEDIAN, &CONTROL_MEDIAN, &RATIO_, &WINDOWS, &FAMILIES};
static const struct vkm_column *const FOR_PROGRAMS[] = {
    &SIGNATURE,  &LEVEL,     &FAMILIES,   &TOTAL,   &SHARE, &COMMANDS, &RECORDINGS,
    &EXECUTIONS, &MEASURED,  &CONTROLS,   &MEDIAN,  &MIN,   &MAX,      &CONTROL_MEDIAN,
    &RATIO_,     &RATIO_LOW, &RATIO_HIGH, &WINDOWS, &RUNS};

struct vkm_sheet vkm_sheet_of_plans(const struct vkm_section *section) {
  return (struct vkm_sheet){
      .id = "plans",
      .columns = FOR_PEOPLE,
      .column_count = VKM_COUNT(FOR_PEOPLE),
      .all = FOR_PROGRAMS,
      .all_count = VKM_COUNT(FOR_PROGRAMS),
      .rows = section->details.plans,
      .stride = sizeof *section->details.plans,
      .row_count = section->details.plan_count,
      .shown = section->details.plan_count,
      .scope_id = "device",
      .scope = section->device->name,
      .about = section,
  };
}
