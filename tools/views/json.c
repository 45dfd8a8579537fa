/* The report as JSON, schema vkmeter.report/1. In: a report. Out: one document, times in ns, absent
 * as null. Next: a program. */
#include "views/compare_views.h"
#include "views/sheets.h"
#include "views/tables.h"

static void key(struct vkm_text *text, const char *name) {
  vkm_text_json(text, name);
  vkm_text_string(text, ":");
}

static void member_text(struct vkm_text *text, const char *name, const char *value) {
  vkm_text_string(text, ",");
  key(text, name);
  if (value == NULL) {
    vkm_text_string(text, "null");
  } else {
    vkm_text_json(text, value);
  }
}

static void member_count(struct vkm_text *text, const char *name, uint64_t value) {
  vkm_text_string(text, ",");
  key(text, name);
  vkm_text_u64(text, value);
}

static void member_bool(struct vkm_text *text, const char *name, bool value) {
  vkm_text_string(text, ",");
  key(text, name);
  vkm_text_string(text, value ? "true" : "false");
}

static void append_reasons(const struct vkm_section *section, struct vkm_text *text) {
  vkm_text_string(text, ",\"not_timed\":[");
  for (size_t i = 0; i < section->reason_count; i++) {
    const struct vkm_reason_count *reason = &section->reasons[i];
    vkm_text_string(text, i > 0 ? ",{\"outcome\":" : "{\"outcome\":");
    vkm_text_json(text, reason->outcome);
    member_text(text, "reason", reason->name);
    member_count(text, "count", reason->count);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]");
}

static void append_rows(const struct vkm_section *section, size_t shown,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_sheet kernels = vkm_sheet_of_kernels(section);
  vkm_text_string(text, ",\n  \"rows\":[");
  for (size_t i = 0; i < shown; i++) {
    const struct vkm_row *row = &section->rows[i];
    vkm_text_string(text, i > 0 ? ",\n   {" : "\n   {");
    vkm_sheet_json_members(&kernels, row, settings, text);
    member_bool(text, "only_first_use", row->only_first_use);
    member_bool(text, "mad_is_half_tick", row->mad_is_half_tick);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]");
}

static void append_section(const struct vkm_section *section,
                           const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_read_device *device = section->device;
  size_t shown = vkm_sheet_top(section->row_count, settings->top);
  vkm_text_string(text, "{\"device\":");
  if (device->name == NULL) {
    vkm_text_string(text, "null");
  } else {
    vkm_text_json(text, device->name);
  }
  member_text(text, "driver_name", device->driver_name);
  member_text(text, "driver_info", device->driver_info);
  member_text(text, "driver_version", device->driver_version);
  member_bool(text, "software", device->software);
  member_bool(text, "profiled", device->profiled);
  member_text(text, "vkmeter_version", section->vkmeter_version);
  member_text(text, "mode", section->mode);
  vkm_text_string(text, ",\"tick_ns\":");
  if (device->has_period) {
    vkm_text_double(text, device->period_ns);
  } else {
    vkm_text_string(text, "null");
  }
  member_count(text, "runs", section->run_count);
  member_count(text, "incomplete_runs", section->incomplete_count);
  member_count(text, "devices", section->device_count);
  member_count(text, "queues", section->queue_count);
  vkm_text_string(text, ",\"busy_ns\":");
  vkm_text_i64(text, section->busy_ns);
  member_count(text, "executed", section->executed);
  member_count(text, "measured", section->measured);
  member_count(text, "control", section->control);
  append_reasons(section, text);
  member_count(text, "warmup", section->warmup_count);
  vkm_text_string(text, ",\"total_ns\":");
  vkm_text_i64(text, section->total_ns);
  append_rows(section, shown, settings, text);
  member_count(text, "rows_left_out", section->row_count - shown);
  vkm_text_string(text, "}");
}

static void report(const struct vkm_report *report, const struct vkm_view_settings *settings,
                   struct vkm_text *text) {
  vkm_text_string(text, "{\"schema\":\"vkmeter.report/1\"");
  member_text(text, "tool", "vkmeter " VKM_VERSION);
  vkm_text_string(text, ",\"settings\":{\"warmup\":");
  vkm_text_u64(text, report->warmup);
  vkm_text_string(text, "},\n \"sections\":[");
  for (size_t i = 0; i < report->section_count; i++) {
    vkm_text_string(text, i > 0 ? ",\n  " : "\n  ");
    append_section(&report->sections[i], settings, text);
  }
  vkm_text_string(text, "]}\n");
}

const struct vkm_view vkm_view_json = {
    "json", "schema vkmeter.report/1 or compare/1, times in ns, absent is null", true, report,
    vkm_compare_json};
