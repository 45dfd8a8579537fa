/* The columns of a report. In: rows. Out: cells. Next: the views. */
#include "views/columns.h"

#include <math.h>
#include <stdlib.h>

#include "count.h"
#include "views/term.h"
#include "views/units.h"

static void print_name(const struct vkm_row *row, const struct vkm_view_settings *settings,
                       struct vkm_text *text) {
  if (settings->raw) {
    vkm_text_string(text, row->name);
  } else {
    vkm_term_name(text, row->name, 0, settings->ascii);
  }
}

static void print_groups(const struct vkm_row *row, const struct vkm_view_settings *settings,
                         struct vkm_text *text) {
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

static void print_first_use(const struct vkm_row *row, const struct vkm_view_settings *settings,
                            struct vkm_text *text) {
  (void)settings;
  vkm_text_string(text, row->only_first_use ? "1st" : "");
}

static void print_identity(const struct vkm_row *row, const struct vkm_view_settings *settings,
                           struct vkm_text *text) {
  (void)settings;
  vkm_text_string(text, row->identity ? row->identity : "");
}

static void print_family(const struct vkm_row *row, const struct vkm_view_settings *settings,
                         struct vkm_text *text) {
  (void)settings;
  vkm_text_string(text, row->family ? row->family : "");
}

static void print_phase(const struct vkm_row *row, const struct vkm_view_settings *settings,
                        struct vkm_text *text) {
  (void)settings;
  vkm_text_string(text, row->phase ? row->phase : "");
}

#define GROUPS(axis)                                                                               \
  static bool value_groups_##axis(const struct vkm_row *row, double *out) {                        \
    *out = row->groups[axis];                                                                      \
    return row->has_groups;                                                                        \
  }
GROUPS(0)
GROUPS(1)
GROUPS(2)

/* A field of the row that is there when `present` holds. */
#define VALUE(name, present)                                                                       \
  static bool value_##name(const struct vkm_row *row, double *out) {                               \
    *out = (double)row->name;                                                                      \
    return present;                                                                                \
  }
VALUE(total_ns, row->has_figures)
VALUE(share, row->has_share)
VALUE(calls, true)
VALUE(mean_ns, row->has_figures)
VALUE(median_ns, row->has_figures)
VALUE(mad_ns, row->has_figures)
VALUE(p95_ns, row->has_figures && row->has_tail)
VALUE(min_ns, row->has_figures)
VALUE(max_ns, row->has_figures)
VALUE(between_runs, row->has_between_runs)
VALUE(executions, true)
VALUE(measured, true)
VALUE(warmup_count, true)
VALUE(run_count, true)

static bool has_several_runs(const struct vkm_section *section) {
  return section->run_count > 1;
}

static bool has_only_first_use(const struct vkm_section *section) {
  return section->only_first_use_count > 0;
}

static const struct vkm_column NAME = {"name", "dispatch", "dispatch", VKM_COLUMN_TEXT,
                                       8,      NULL,       NULL,       print_name};
static const struct vkm_column GROUPS_TEXT = {"groups", "",   "",   VKM_COLUMN_TEXT,
                                              0,        NULL, NULL, print_groups};
static const struct vkm_column GROUPS_X = {"groups_x",     "x", "x", VKM_COLUMN_COUNT, 0, NULL,
                                           value_groups_0, NULL};
static const struct vkm_column GROUPS_Y = {"groups_y",     "y", "y", VKM_COLUMN_COUNT, 0, NULL,
                                           value_groups_1, NULL};
static const struct vkm_column GROUPS_Z = {"groups_z",     "z", "z", VKM_COLUMN_COUNT, 0, NULL,
                                           value_groups_2, NULL};
static const struct vkm_column IDENTITY = {"identity", "identity", "identity", VKM_COLUMN_TEXT,
                                           0,          NULL,       NULL,       print_identity};
static const struct vkm_column FAMILY = {"family", "family", "family", VKM_COLUMN_TEXT,
                                         0,        NULL,     NULL,     print_family};
static const struct vkm_column PHASE = {"phase", "phase", "phase", VKM_COLUMN_TEXT,
                                        0,       NULL,    NULL,    print_phase};
static const struct vkm_column TOTAL = {"total_ns", "total", "total",        VKM_COLUMN_TOTAL,
                                        7,          NULL,    value_total_ns, NULL};
static const struct vkm_column SHARE = {"share", "share", "share",     VKM_COLUMN_PERCENT,
                                        5,       NULL,    value_share, NULL};
static const struct vkm_column CALLS = {"calls", "calls", "calls",     VKM_COLUMN_COUNT,
                                        6,       NULL,    value_calls, NULL};
static const struct vkm_column MEAN = {"mean_ns", "mean", "mean",        VKM_COLUMN_TIME,
                                       7,         NULL,   value_mean_ns, NULL};
static const struct vkm_column MEDIAN = {"median_ns", "median", "median",        VKM_COLUMN_TIME,
                                         7,           NULL,     value_median_ns, NULL};
static const struct vkm_column MAD = {"mad_ns", "±MAD", "+/-MAD",     VKM_COLUMN_TIME,
                                      6,        NULL,   value_mad_ns, NULL};
static const struct vkm_column P95 = {"p95_ns", "p95", "p95",        VKM_COLUMN_TIME,
                                      7,        NULL,  value_p95_ns, NULL};
static const struct vkm_column MIN = {"min_ns", "min", "min",        VKM_COLUMN_TIME,
                                      7,        NULL,  value_min_ns, NULL};
static const struct vkm_column MAX = {"max_ns", "max", "max",        VKM_COLUMN_TIME,
                                      7,        NULL,  value_max_ns, NULL};
static const struct vkm_column BETWEEN = {"between_runs",     "runs ±", "runs +/-",
                                          VKM_COLUMN_PERCENT, 5,        has_several_runs,
                                          value_between_runs, NULL};
static const struct vkm_column EXECUTIONS = {
    "executions", "executed", "executed", VKM_COLUMN_COUNT, 6, NULL, value_executions, NULL};
static const struct vkm_column MEASURED = {"measured", "timed", "timed",        VKM_COLUMN_COUNT,
                                           6,          NULL,    value_measured, NULL};
static const struct vkm_column WARMUP = {"warmup", "warm-up", "warm-up",          VKM_COLUMN_COUNT,
                                         6,        NULL,      value_warmup_count, NULL};
static const struct vkm_column RUNS = {"runs", "runs", "runs",          VKM_COLUMN_COUNT,
                                       4,      NULL,   value_run_count, NULL};

static const struct vkm_column FIRST_USE = {
    "first_use", "", "", VKM_COLUMN_TEXT, 0, has_only_first_use, NULL, print_first_use};

const struct vkm_column *const vkm_table_columns[] = {
    &NAME, &GROUPS_TEXT, &TOTAL, &SHARE, &CALLS, &MEDIAN, &MAD, &P95, &BETWEEN, &FIRST_USE};
const size_t vkm_table_column_count = VKM_COUNT(vkm_table_columns);

const struct vkm_column *const vkm_all_columns[] = {
    &NAME,    &GROUPS_X, &GROUPS_Y,   &GROUPS_Z, &IDENTITY, &TOTAL,  &SHARE,
    &CALLS,   &MEAN,     &MEDIAN,     &MAD,      &P95,      &MIN,    &MAX,
    &BETWEEN, &RUNS,     &EXECUTIONS, &MEASURED, &WARMUP,   &FAMILY, &PHASE,
};
const size_t vkm_all_column_count = VKM_COUNT(vkm_all_columns);

struct vkm_units vkm_units_for(const struct vkm_section *section,
                               const struct vkm_view_settings *settings) {
  if (settings->unit != VKM_UNIT_AUTO) {
    return (struct vkm_units){settings->unit, settings->unit};
  }
  double total = 0;
  double time = 0;
  for (size_t i = 0; i < section->row_count; i++) {
    double value = 0;
    total = TOTAL.value(&section->rows[i], &value) ? fmax(total, value) : total;
    time = MEDIAN.value(&section->rows[i], &value) ? fmax(time, value) : time;
  }
  return (struct vkm_units){vkm_unit_for(total), vkm_unit_for(time)};
}

void vkm_column_print(const struct vkm_column *column, const struct vkm_row *row,
                      const struct vkm_units *units, const struct vkm_view_settings *settings,
                      struct vkm_text *text) {
  double value = 0;
  if (column->kind == VKM_COLUMN_TEXT) {
    column->print(row, settings, text);
    return;
  }
  if (!column->value(row, &value)) {
    return;
  }
  switch (column->kind) {
  case VKM_COLUMN_COUNT:
    vkm_format_count(text, (uint64_t)value);
    break;
  case VKM_COLUMN_PERCENT:
    vkm_format_percent(text, value);
    break;
  case VKM_COLUMN_TOTAL:
    vkm_format_time(text, value, units->total);
    break;
  default:
    vkm_format_time(text, value, units->time);
    break;
  }
}

void vkm_column_machine(const struct vkm_column *column, const struct vkm_row *row,
                        struct vkm_text *text) {
  double value = 0;
  if (!column->value(row, &value)) {
    return;
  }
  vkm_format_exact(text, value);
}

const char *vkm_column_unit(const struct vkm_column *column, const struct vkm_units *units,
                            const struct vkm_view_settings *settings) {
  switch (column->kind) {
  case VKM_COLUMN_PERCENT:
    return "%";
  case VKM_COLUMN_TOTAL:
    return vkm_unit_name(units->total, settings->ascii);
  case VKM_COLUMN_TIME:
    return vkm_unit_name(units->time, settings->ascii);
  default:
    return "";
  }
}
