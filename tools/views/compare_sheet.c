/* The rows of a panel as a sheet. In: judged rows. Out: columns. Next: the formats. */
#include "views/compare_sheet.h"

#include "count.h"
#include "views/compare_heading.h"
#include "views/compare_words.h"
#include "views/units.h"

typedef struct vkm_compared_row row_type;

const char *vkm_compare_verdict(enum vkm_verdict verdict) {
  static const char *const words[VKM_VERDICT_COUNT] = {
      [VKM_VERDICT_SLOWER] = "SLOWER",
      [VKM_VERDICT_LIKELY_SLOWER] = "likely slower",
      [VKM_VERDICT_UNCLEAR] = "UNCLEAR",
      [VKM_VERDICT_NEW] = "NEW",
      [VKM_VERDICT_GONE] = "GONE",
      [VKM_VERDICT_INCOMPARABLE] = "INCOMPARABLE",
      [VKM_VERDICT_LIKELY_FASTER] = "likely faster",
      [VKM_VERDICT_FASTER] = "FASTER",
      [VKM_VERDICT_SAME] = "SAME",
  };
  return words[verdict];
}

enum vkm_style vkm_compare_style(enum vkm_verdict verdict) {
  switch (verdict) {
  case VKM_VERDICT_SLOWER:
  case VKM_VERDICT_LIKELY_SLOWER:
    return VKM_STYLE_WARN;
  case VKM_VERDICT_FASTER:
  case VKM_VERDICT_GONE:
  case VKM_VERDICT_NEW:
    return VKM_STYLE_STRONG;
  case VKM_VERDICT_SAME:
    return VKM_STYLE_FAINT;
  default:
    return VKM_STYLE_PLAIN;
  }
}

VKM_COLUMN_PRINT(print_name, row_type, row->name)
VKM_COLUMN_PRINT(print_base_name, row_type, row->base_name)
VKM_COLUMN_PRINT(print_device, row_type, row->device)
VKM_COLUMN_PRINT(print_kind, row_type, row->kind)
VKM_COLUMN_PRINT(print_family, row_type, row->family)
VKM_COLUMN_PRINT(print_phase, row_type, row->phase)
VKM_COLUMN_PRINT(print_base_identity, row_type, row->sides[VKM_BASE].identity)
VKM_COLUMN_PRINT(print_new_identity, row_type, row->sides[VKM_NEW].identity)
VKM_COLUMN_PRINT(print_code_word, row_type, vkm_compare_code(row->code))
VKM_COLUMN_PRINT(print_matched_by, row_type, vkm_compare_matched_by(row->matched_by))
VKM_COLUMN_PRINT(print_verdict, row_type, vkm_compare_verdict(row->verdict))
VKM_COLUMN_PRINT(print_verdict_word, row_type, vkm_verdict_name(row->verdict))
VKM_COLUMN_PRINT(print_evidence, row_type, vkm_compare_evidence(row->evidence))
VKM_COLUMN_PRINT(print_reason, row_type, row->reason)

static void print_groups(const void *at, const struct vkm_column *column,
                         const struct vkm_view_settings *settings, struct vkm_text *text) {
  const row_type *row = at;
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

static void print_code(const void *at, const struct vkm_column *column,
                       const struct vkm_view_settings *settings, struct vkm_text *text) {
  static const char *const marks[] = {"=", "*", ""};
  const row_type *row = at;
  (void)column;
  (void)settings;
  vkm_text_string(text, marks[row->code]);
}

static void print_interval(const void *at, const struct vkm_column *column,
                           const struct vkm_view_settings *settings, struct vkm_text *text) {
  const row_type *row = at;
  (void)column;
  if (row->has_interval) {
    vkm_format_change(text, row->low, settings->ascii);
    vkm_text_string(text, settings->ascii ? " .. " : " … ");
    vkm_format_change(text, row->high, settings->ascii);
  }
}

static void print_note(const void *at, const struct vkm_column *column,
                       const struct vkm_view_settings *settings, struct vkm_text *text) {
  (void)column;
  vkm_compare_heading_note(at, settings, text);
}

VKM_COLUMN_VALUE(value_groups_0, row_type, row->groups[0], row->has_groups)
VKM_COLUMN_VALUE(value_groups_1, row_type, row->groups[1], row->has_groups)
VKM_COLUMN_VALUE(value_groups_2, row_type, row->groups[2], row->has_groups)
VKM_COLUMN_VALUE(value_base, row_type, row->sides[VKM_BASE].center_ns,
                 row->sides[VKM_BASE].has_time)
VKM_COLUMN_VALUE(value_new, row_type, row->sides[VKM_NEW].center_ns, row->sides[VKM_NEW].has_time)
VKM_COLUMN_VALUE(value_base_runs, row_type, row->sides[VKM_BASE].run_count, true)
VKM_COLUMN_VALUE(value_new_runs, row_type, row->sides[VKM_NEW].run_count, true)
VKM_COLUMN_VALUE(value_base_calls, row_type, row->sides[VKM_BASE].calls, true)
VKM_COLUMN_VALUE(value_new_calls, row_type, row->sides[VKM_NEW].calls, true)
VKM_COLUMN_VALUE(value_change, row_type, row->change, row->has_change)
VKM_COLUMN_VALUE(value_low, row_type, row->low, row->has_interval)
VKM_COLUMN_VALUE(value_high, row_type, row->high, row->has_interval)
VKM_COLUMN_VALUE(value_impact, row_type, row->impact_ns, row->has_impact)
VKM_COLUMN_VALUE(value_runs_needed, row_type, row->runs_needed, row->runs_needed > 0)
VKM_COLUMN_VALUE(value_beyond_gating, row_type, row->beyond_gating, true)

static bool has_impact(const struct vkm_sheet *sheet) {
  for (size_t i = 0; i < sheet->row_count; i++) {
    if (((const row_type *)vkm_sheet_row(sheet, i))->has_impact) {
      return true;
    }
  }
  return false;
}

static bool has_interval(const struct vkm_sheet *sheet) {
  for (size_t i = 0; i < sheet->row_count; i++) {
    if (((const row_type *)vkm_sheet_row(sheet, i))->has_interval) {
      return true;
    }
  }
  return false;
}

static bool has_device(const struct vkm_sheet *sheet) {
  for (size_t i = 0; i < sheet->row_count; i++) {
    if (((const row_type *)vkm_sheet_row(sheet, i))->device != NULL) {
      return true;
    }
  }
  return false;
}

static bool has_note(const struct vkm_sheet *sheet) {
  for (size_t i = 0; i < sheet->row_count; i++) {
    const row_type *row = vkm_sheet_row(sheet, i);
    if (row->base_name != NULL || row->statistic_count > 0 || row->verdict == VKM_VERDICT_UNCLEAR ||
        row->verdict == VKM_VERDICT_INCOMPARABLE) {
      return true;
    }
  }
  return false;
}

static enum vkm_style style_verdict(const void *row) {
  return vkm_compare_style(((const row_type *)row)->verdict);
}

#define TEXT(name, identifier, title, function)                                                    \
  static const struct vkm_column name = {                                                          \
      .id = (identifier), .header = (title), .kind = VKM_COLUMN_TEXT, .print = (function)}
#define NUMBER(name, identifier, title, of_kind, function)                                         \
  static const struct vkm_column name = {                                                          \
      .id = (identifier), .header = (title), .kind = (of_kind), .width = 7, .value = (function)}

static const struct vkm_column NAME = {
    .id = "name", .header = "dispatch", .kind = VKM_COLUMN_TEXT, .width = 8, .print = print_name};
static const struct vkm_column DEVICE = {.id = "device",
                                         .header = "device",
                                         .kind = VKM_COLUMN_TEXT,
                                         .shown = has_device,
                                         .print = print_device};
static const struct vkm_column INTERVAL = {.id = "interval",
                                           .header = "interval",
                                           .kind = VKM_COLUMN_TEXT,
                                           .right = true,
                                           .shown = has_interval,
                                           .print = print_interval,
                                           .about = "of the change, in percent"};
static const struct vkm_column IMPACT = {.id = "impact_ns_per_run",
                                         .header = "impact/run",
                                         .kind = VKM_COLUMN_IMPACT,
                                         .width = 7,
                                         .scales = true,
                                         .shown = has_impact,
                                         .value = value_impact,
                                         .about = "time that the row adds to a run, or saves"};
static const struct vkm_column BASE = {.id = "base_ns",
                                       .header = "base",
                                       .kind = VKM_COLUMN_TIME,
                                       .width = 7,
                                       .scales = true,
                                       .value = value_base,
                                       .dash = true};
static const struct vkm_column NEW = {.id = "new_ns",
                                      .header = "new",
                                      .kind = VKM_COLUMN_TIME,
                                      .width = 7,
                                      .scales = true,
                                      .value = value_new,
                                      .dash = true};
static const struct vkm_column VERDICT = {.id = "verdict",
                                          .header = "verdict",
                                          .kind = VKM_COLUMN_TEXT,
                                          .print = print_verdict,
                                          .style = style_verdict};
static const struct vkm_column NOTE = {.id = "note",
                                       .header = "note",
                                       .kind = VKM_COLUMN_TEXT,
                                       .shown = has_note,
                                       .print = print_note,
                                       .wraps = true};
TEXT(GROUPS, "groups", "", print_groups);
TEXT(CODE, "code", "code", print_code);
NUMBER(CHANGE, "change", "change", VKM_COLUMN_CHANGE, value_change);

TEXT(BASE_NAME, "base_name", "was", print_base_name);
TEXT(KIND, "kind", "kind", print_kind);
TEXT(FAMILY, "family", "family", print_family);
TEXT(PHASE, "phase", "phase", print_phase);
NUMBER(GROUPS_X, "groups_x", "x", VKM_COLUMN_COUNT, value_groups_0);
NUMBER(GROUPS_Y, "groups_y", "y", VKM_COLUMN_COUNT, value_groups_1);
NUMBER(GROUPS_Z, "groups_z", "z", VKM_COLUMN_COUNT, value_groups_2);
TEXT(BASE_IDENTITY, "base_identity", "identity", print_base_identity);
TEXT(NEW_IDENTITY, "new_identity", "identity", print_new_identity);
TEXT(CODE_WORD, "code", "code", print_code_word);
TEXT(MATCHED_BY, "matched_by", "matched by", print_matched_by);
NUMBER(BASE_RUNS, "base_runs", "runs", VKM_COLUMN_COUNT, value_base_runs);
NUMBER(NEW_RUNS, "new_runs", "runs", VKM_COLUMN_COUNT, value_new_runs);
NUMBER(BASE_CALLS, "base_calls", "calls", VKM_COLUMN_COUNT, value_base_calls);
NUMBER(NEW_CALLS, "new_calls", "calls", VKM_COLUMN_COUNT, value_new_calls);
NUMBER(LOW, "low", "low", VKM_COLUMN_CHANGE, value_low);
NUMBER(HIGH, "high", "high", VKM_COLUMN_CHANGE, value_high);
TEXT(VERDICT_WORD, "verdict", "verdict", print_verdict_word);
TEXT(EVIDENCE, "evidence", "evidence", print_evidence);
TEXT(REASON, "reason", "reason", print_reason);
NUMBER(RUNS_NEEDED, "runs_needed", "runs needed", VKM_COLUMN_COUNT, value_runs_needed);
NUMBER(BEYOND_GATING, "beyond_gating", "beyond gating", VKM_COLUMN_COUNT, value_beyond_gating);

static const struct vkm_column *const FOR_PEOPLE[] = {&NAME, &GROUPS, &DEVICE,   &CODE,   &BASE,
                                                      &NEW,  &CHANGE, &INTERVAL, &IMPACT, &VERDICT};

static const struct vkm_column *const NOTED[] = {&NAME,   &GROUPS,   &DEVICE, &CODE,    &BASE, &NEW,
                                                 &CHANGE, &INTERVAL, &IMPACT, &VERDICT, &NOTE};

static const struct vkm_column *const VERDICTS[] = {
    &VERDICT, &NAME, &GROUPS, &DEVICE, &CODE, &BASE, &NEW, &CHANGE, &INTERVAL, &IMPACT, &NOTE};

static const struct vkm_column *const FOR_PROGRAMS[] = {
    &NAME,         &BASE_NAME, &KIND,        &FAMILY,        &PHASE,      &GROUPS_X,
    &GROUPS_Y,     &GROUPS_Z,  &DEVICE,      &CODE_WORD,     &MATCHED_BY, &BASE_IDENTITY,
    &NEW_IDENTITY, &BASE,      &NEW,         &CHANGE,        &LOW,        &HIGH,
    &IMPACT,       &BASE_RUNS, &NEW_RUNS,    &BASE_CALLS,    &NEW_CALLS,  &VERDICT_WORD,
    &EVIDENCE,     &REASON,    &RUNS_NEEDED, &BEYOND_GATING,
};

struct vkm_sheet vkm_sheet_of_compared(const struct vkm_panel *panel) {
  return (struct vkm_sheet){
      .id = "rows",
      .columns = FOR_PEOPLE,
      .column_count = VKM_COUNT(FOR_PEOPLE),
      .all = FOR_PROGRAMS,
      .all_count = VKM_COUNT(FOR_PROGRAMS),
      .rows = panel->rows,
      .stride = sizeof *panel->rows,
      .row_count = panel->row_count,
      .shown = panel->row_count,
      .about = panel,
  };
}

struct vkm_sheet vkm_sheet_of_compared_noted(const struct vkm_panel *panel) {
  struct vkm_sheet sheet = vkm_sheet_of_compared(panel);
  sheet.columns = NOTED;
  sheet.column_count = VKM_COUNT(NOTED);
  return sheet;
}

struct vkm_sheet vkm_sheet_of_compared_verdicts(const struct vkm_panel *panel) {
  struct vkm_sheet sheet = vkm_sheet_of_compared(panel);
  sheet.columns = VERDICTS;
  sheet.column_count = VKM_COUNT(VERDICTS);
  return sheet;
}
