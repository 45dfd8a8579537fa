/* The kernels of a section as a sheet. In: judged rows. Out: columns. Next: the formats. */
#include "count.h"
#include "views/sheets.h"

VKM_COLUMN_PRINT(print_name, struct vkm_row, row->name)
VKM_COLUMN_PRINT(print_identity, struct vkm_row, row->identity)
VKM_COLUMN_PRINT(print_family, struct vkm_row, row->family)
VKM_COLUMN_PRINT(print_phase, struct vkm_row, row->phase)
VKM_COLUMN_PRINT(print_first_use, struct vkm_row, row->only_first_use ? "1st" : NULL)

static void print_groups(const void *at, const struct vkm_column *column,
                         const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_row *row = at;
  (void)column;
  if (!row->has_groups) {
    vkm_text_string(text, row->is_dispatch ? "[indirect]" : "");
    return;
  }
  for (int axis = 0; axis < 3; axis++) {
    vkm_text_string(text, axis == 0 ? "[" : settings->ascii ? "x" : "×");
    vkm_text_u64(text, row->groups[axis]);
  }
  vkm_text_string(text, "]");
}

VKM_COLUMN_VALUE(value_groups_0, struct vkm_row, row->groups[0], row->has_groups)
VKM_COLUMN_VALUE(value_groups_1, struct vkm_row, row->groups[1], row->has_groups)
VKM_COLUMN_VALUE(value_groups_2, struct vkm_row, row->groups[2], row->has_groups)
VKM_COLUMN_VALUE(value_total_ns, struct vkm_row, row->total_ns, row->has_figures)
VKM_COLUMN_VALUE(value_share, struct vkm_row, row->share, row->has_share)
VKM_COLUMN_VALUE(value_calls, struct vkm_row, row->calls, true)
VKM_COLUMN_VALUE(value_mean_ns, struct vkm_row, row->mean_ns, row->has_figures)
VKM_COLUMN_VALUE(value_median_ns, struct vkm_row, row->median_ns, row->has_figures)
VKM_COLUMN_VALUE(value_mad_ns, struct vkm_row, row->mad_ns, row->has_figures)
VKM_COLUMN_VALUE(value_p95_ns, struct vkm_row, row->p95_ns, row->has_figures && row->has_tail)
VKM_COLUMN_VALUE(value_min_ns, struct vkm_row, row->min_ns, row->has_figures)
VKM_COLUMN_VALUE(value_max_ns, struct vkm_row, row->max_ns, row->has_figures)
VKM_COLUMN_VALUE(value_between_runs, struct vkm_row, row->between_runs, row->has_between_runs)
VKM_COLUMN_VALUE(value_executions, struct vkm_row, row->executions, true)
VKM_COLUMN_VALUE(value_measured, struct vkm_row, row->measured, true)
VKM_COLUMN_VALUE(value_warmup_count, struct vkm_row, row->warmup_count, true)
VKM_COLUMN_VALUE(value_run_count, struct vkm_row, row->run_count, true)

static bool has_several_runs(const struct vkm_sheet *sheet) {
  return ((const struct vkm_section *)sheet->about)->run_count > 1;
}

static bool has_only_first_use(const struct vkm_sheet *sheet) {
  return ((const struct vkm_section *)sheet->about)->only_first_use_count > 0;
}

static const struct vkm_column NAME = {
    .id = "name", .header = "dispatch", .kind = VKM_COLUMN_TEXT, .width = 8, .print = print_name};
static const struct vkm_column GROUPS_TEXT = {.id = "groups",
                                              .header = "",
                                              .kind = VKM_COLUMN_TEXT,
                                              .print = print_groups,
                                              .about = "the group counts"};
static const struct vkm_column GROUPS_X = {
    .id = "groups_x", .header = "x", .kind = VKM_COLUMN_COUNT, .value = value_groups_0};
static const struct vkm_column GROUPS_Y = {
    .id = "groups_y", .header = "y", .kind = VKM_COLUMN_COUNT, .value = value_groups_1};
static const struct vkm_column GROUPS_Z = {
    .id = "groups_z", .header = "z", .kind = VKM_COLUMN_COUNT, .value = value_groups_2};
static const struct vkm_column IDENTITY = {
    .id = "identity", .header = "identity", .kind = VKM_COLUMN_TEXT, .print = print_identity};
static const struct vkm_column FAMILY = {
    .id = "family", .header = "family", .kind = VKM_COLUMN_TEXT, .print = print_family};
static const struct vkm_column PHASE = {
    .id = "phase", .header = "phase", .kind = VKM_COLUMN_TEXT, .print = print_phase};
static const struct vkm_column TOTAL = {.id = "total_ns",
                                        .header = "total",
                                        .kind = VKM_COLUMN_TOTAL,
                                        .width = 7,
                                        .scales = true,
                                        .value = value_total_ns};
static const struct vkm_column SHARE = {
    .id = "share", .header = "share", .kind = VKM_COLUMN_PERCENT, .width = 5, .value = value_share};
static const struct vkm_column CALLS = {
    .id = "calls", .header = "calls", .kind = VKM_COLUMN_COUNT, .width = 6, .value = value_calls};
static const struct vkm_column MEAN = {
    .id = "mean_ns", .header = "mean", .kind = VKM_COLUMN_TIME, .width = 7, .value = value_mean_ns};
static const struct vkm_column MEDIAN = {.id = "median_ns",
                                         .header = "median",
                                         .kind = VKM_COLUMN_TIME,
                                         .width = 7,
                                         .scales = true,
                                         .value = value_median_ns};
static const struct vkm_column MAD = {.id = "mad_ns",
                                      .header = "±MAD",
                                      .ascii = "+/-MAD",
                                      .kind = VKM_COLUMN_TIME,
                                      .width = 6,
                                      .value = value_mad_ns};
static const struct vkm_column P95 = {
    .id = "p95_ns", .header = "p95", .kind = VKM_COLUMN_TIME, .width = 7, .value = value_p95_ns};
static const struct vkm_column MIN = {
    .id = "min_ns", .header = "min", .kind = VKM_COLUMN_TIME, .width = 7, .value = value_min_ns};
static const struct vkm_column MAX = {
    .id = "max_ns", .header = "max", .kind = VKM_COLUMN_TIME, .width = 7, .value = value_max_ns};
static const struct vkm_column BETWEEN = {.id = "between_runs",
                                          .header = "runs ±",
                                          .ascii = "runs +/-",
                                          .kind = VKM_COLUMN_PERCENT,
                                          .width = 5,
                                          .shown = has_several_runs,
                                          .value = value_between_runs};
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
static const struct vkm_column WARMUP = {.id = "warmup",
                                         .header = "warm-up",
                                         .kind = VKM_COLUMN_COUNT,
                                         .width = 6,
                                         .value = value_warmup_count};
static const struct vkm_column RUNS = {
    .id = "runs", .header = "runs", .kind = VKM_COLUMN_COUNT, .width = 4, .value = value_run_count};
static const struct vkm_column FIRST_USE = {.id = "first_use",
                                            .header = "",
                                            .kind = VKM_COLUMN_TEXT,
                                            .shown = has_only_first_use,
                                            .print = print_first_use,
                                            .about =
                                                "marks rows that hold nothing but a first use"};

static const struct vkm_column *const FOR_PEOPLE[] = {
    &NAME, &GROUPS_TEXT, &TOTAL, &SHARE, &CALLS, &MEDIAN, &MAD, &P95, &BETWEEN, &FIRST_USE};

static const struct vkm_column *const FOR_PROGRAMS[] = {
    &NAME,    &GROUPS_X, &GROUPS_Y,   &GROUPS_Z, &IDENTITY, &TOTAL,  &SHARE,
    &CALLS,   &MEAN,     &MEDIAN,     &MAD,      &P95,      &MIN,    &MAX,
    &BETWEEN, &RUNS,     &EXECUTIONS, &MEASURED, &WARMUP,   &FAMILY, &PHASE,
};

struct vkm_sheet vkm_sheet_of_kernels(const struct vkm_section *section) {
  return (struct vkm_sheet){
      .id = "kernels",
      .columns = FOR_PEOPLE,
      .column_count = VKM_COUNT(FOR_PEOPLE),
      .all = FOR_PROGRAMS,
      .all_count = VKM_COUNT(FOR_PROGRAMS),
      .rows = section->rows,
      .stride = sizeof *section->rows,
      .row_count = section->row_count,
      .shown = section->row_count,
      .scope_id = "device",
      .scope = section->device->name,
      .about = section,
  };
}
