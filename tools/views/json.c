/* The report as JSON, schema vkmeter.report/1. In: a report. Out: one document, times in ns, absent
 * as null. Next: a program. */
#include "model/side.h"
#include "views/compare_views.h"
#include "views/matrix_views.h"
#include "views/members.h"
#include "views/shown.h"
#include "views/tables.h"

static void append_reasons(const struct vkm_section *section, struct vkm_text *text) {
  vkm_member_open(text, "not_timed", "[");
  for (size_t i = 0; i < section->reason_count; i++) {
    const struct vkm_reason_count *reason = &section->reasons[i];
    vkm_member_open(text, NULL, "{");
    vkm_member_text(text, "outcome", reason->outcome);
    vkm_member_text(text, "reason", reason->name);
    vkm_member_count(text, "count", reason->count);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]");
}

/* The driver's own names with what it said; every name once. */
static void append_statistics(const struct vkm_made_columns *made, const void *row,
                              struct vkm_text *text) {
  vkm_member_open(text, "statistics", "{");
  for (size_t i = 0; i < made->count; i++) {
    double value = 0;
    if (made->items[i].value(row, &made->items[i], &value)) {
      vkm_member_number(text, made->items[i].id, true, value);
    }
  }
  vkm_text_string(text, "}");
}

static void append_extra(const struct vkm_shown *shown, size_t index, const void *at,
                         struct vkm_text *text) {
  if (shown->ids[index] == VKM_SHEET_KERNELS) {
    const struct vkm_row *row = at;
    vkm_member_bool(text, "only_first_use", row->only_first_use);
    vkm_member_bool(text, "mad_is_half_tick", row->mad_is_half_tick);
  } else if (shown->ids[index] == VKM_SHEET_PIPELINES) {
    append_statistics(&shown->made, at, text);
  }
}

static void append_rows(const struct vkm_shown *shown, size_t index,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_picked *picked = &shown->items[index];
  struct vkm_sheet sheet = picked->sheet;
  sheet.all_count -= shown->ids[index] == VKM_SHEET_PIPELINES ? shown->made.count : 0;
  vkm_member_open(text, "rows", "[");
  for (size_t i = 0; i < sheet.shown; i++) {
    const void *row = vkm_sheet_row(&sheet, i);
    vkm_text_string(text, i > 0 ? ",\n   {" : "\n   {");
    vkm_sheet_json_members(&sheet, row, settings, text);
    append_extra(shown, index, row, text);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]");
  vkm_member_count(text, "rows_left_out", picked->cut);
  vkm_member_count(text, "rows_hidden", picked->hidden);
  vkm_member_number(text, "share_hidden", picked->has_share, picked->hidden_share);
}

/* The kernels are the section's rows; the others stand in an object. */
static void append_sheets(const struct vkm_report *report, const struct vkm_section *section,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_shown shown;
  bool good = vkm_shown_init(&shown, report, section, settings, true);
  text->failed = text->failed || !good;
  vkm_text_string(text, ",\n  ");
  if (good) {
    append_rows(&shown, VKM_SHEET_KERNELS, settings, text);
  }
  vkm_text_string(text, ",\n  ");
  vkm_member_open(text, "sheets", "{");
  for (size_t i = 1; good && i < shown.count; i++) {
    vkm_text_string(text, i > 1 ? ",\n  " : "");
    vkm_member_open(text, vkm_sheet_ids[shown.ids[i]], "{");
    append_rows(&shown, i, settings, text);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "}");
  vkm_shown_finish(&shown);
}

static void append_section(const struct vkm_report *report, const struct vkm_section *section,
                           const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_read_device *device = section->device;
  vkm_text_string(text, "{");
  vkm_member_text(text, "device", device->name);
  vkm_member_text(text, "driver_name", device->driver_name);
  vkm_member_text(text, "driver_info", device->driver_info);
  vkm_member_text(text, "driver_version", device->driver_version);
  vkm_member_bool(text, "software", device->software);
  vkm_member_bool(text, "profiled", device->profiled);
  vkm_member_text(text, "vkmeter_version", section->vkmeter_version);
  vkm_member_text(text, "mode", section->mode);
  vkm_member_number(text, "tick_ns", device->has_period, device->period_ns);
  vkm_member_count(text, "runs", section->run_count);
  vkm_member_count(text, "incomplete_runs", section->incomplete_count);
  vkm_member_count(text, "devices", section->device_count);
  vkm_member_count(text, "queues", section->queue_count);
  vkm_member_number(text, "busy_ns", true, (double)section->busy_ns);
  vkm_member_count(text, "executed", section->executed);
  vkm_member_count(text, "measured", section->measured);
  vkm_member_count(text, "control", section->control);
  append_reasons(section, text);
  vkm_member_count(text, "warmup", section->warmup_count);
  vkm_member_number(text, "total_ns", true, (double)section->total_ns);
  append_sheets(report, section, settings, text);
  vkm_text_string(text, "}");
}

static void append_breakdown(const struct vkm_report *report,
                             const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_breakdown *breakdown = &report->breakdown;
  struct vkm_sheet sheet = vkm_sheet_of_breakdown(breakdown);
  vkm_text_string(text, ",\n ");
  vkm_member_open(text, "breakdown", "{");
  vkm_member_count(text, "processes", breakdown->process_count);
  vkm_member_number(text, "wall_ns", breakdown->wall_ns > 0, (double)breakdown->wall_ns);
  vkm_member_number(text, "overlap_ns", true, (double)breakdown->overlap_ns);
  vkm_member_number(text, "unsplit_ns", true, (double)breakdown->unsplit_ns);
  vkm_member_count(text, "hitches", breakdown->hitch_count);
  vkm_member_number(text, "hitch_ns", true, (double)breakdown->hitch_ns);
  vkm_member_number(text, "resident_peak_bytes", breakdown->has_resident,
                    (double)breakdown->resident_peak_bytes);
  vkm_member_open(text, "rows", "[");
  for (size_t i = 0; i < sheet.row_count; i++) {
    vkm_text_string(text, i > 0 ? ",\n  {" : "\n  {");
    vkm_sheet_json_members(&sheet, vkm_sheet_row(&sheet, i), settings, text);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]}");
}

static void append_failed(const struct vkm_side *side, struct vkm_text *text) {
  vkm_text_string(text, ",\n ");
  vkm_member_open(text, "failed_runs", "[");
  for (size_t i = 0; side != NULL && i < side->error_count; i++) {
    const struct vkm_run_error *error = &side->errors[i];
    vkm_text_string(text, i > 0 ? ",\n  {" : "\n  {");
    vkm_member_text(text, "run", error->run);
    vkm_member_number(text, "sequence", error->sequence >= 0, (double)error->sequence);
    vkm_member_text(text, "cause", error->cause);
    vkm_member_text(text, "command", *error->command ? error->command : NULL);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]");
}

static void append_settings(const struct vkm_report *report,
                            const struct vkm_view_settings *settings, struct vkm_text *text) {
  vkm_member_open(text, "settings", "{");
  vkm_member_count(text, "warmup", report->warmup);
  vkm_member_open(text, "filter", "[");
  for (size_t i = 0; i < settings->pick.filter_count; i++) {
    vkm_member_next(text);
    vkm_text_json(text, settings->pick.filters[i]);
  }
  vkm_text_string(text, "]");
  vkm_member_text(text, "sort", settings->pick.sort);
  vkm_text_string(text, "}");
}

static void report(const struct vkm_report *report, const struct vkm_view_settings *settings,
                   struct vkm_text *text) {
  vkm_text_string(text, "{\"schema\":\"vkmeter.report/1\"");
  vkm_member_text(text, "tool", "vkmeter " VKM_VERSION);
  append_settings(report, settings, text);
  vkm_text_string(text, ",\n ");
  vkm_member_open(text, "sections", "[");
  for (size_t i = 0; i < report->section_count; i++) {
    vkm_text_string(text, i > 0 ? ",\n  " : "\n  ");
    append_section(report, &report->sections[i], settings, text);
  }
  vkm_text_string(text, "]");
  append_breakdown(report, settings, text);
  append_failed(report->side, text);
  vkm_text_string(text, "}\n");
}

const struct vkm_view vkm_view_json = {
    "json",
    "schema vkmeter.report/1 or compare/1, times in ns, absent is null",
    true,
    report,
    vkm_compare_json,
    vkm_matrix_json};
