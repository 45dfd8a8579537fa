/* The report as JSON, schema vkmeter.report/1. In: a report. Out: one document, times in ns, absent
 * as null. Next: a program. */
#include "views/compare_views.h"
#include "views/shown.h"
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

/* The driver's own names with what it said; every name once. */
static void append_statistics(const struct vkm_made_columns *made, const void *row,
                              struct vkm_text *text) {
  bool first = true;
  vkm_text_string(text, ",\"statistics\":{");
  for (size_t i = 0; i < made->count; i++) {
    double value = 0;
    if (made->items[i].value(row, &made->items[i], &value)) {
      vkm_text_string(text, first ? "" : ",");
      key(text, made->items[i].id);
      vkm_column_machine(&made->items[i], row, text);
      first = false;
    }
  }
  vkm_text_string(text, "}");
}

static void append_extra(const struct vkm_shown *shown, size_t index, const void *at,
                         struct vkm_text *text) {
  if (shown->ids[index] == VKM_SHEET_KERNELS) {
    const struct vkm_row *row = at;
    member_bool(text, "only_first_use", row->only_first_use);
    member_bool(text, "mad_is_half_tick", row->mad_is_half_tick);
  } else if (shown->ids[index] == VKM_SHEET_PIPELINES) {
    append_statistics(&shown->made, at, text);
  }
}

static void append_rows(const struct vkm_shown *shown, size_t index,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_sheet sheet = shown->items[index].sheet;
  sheet.all_count -= shown->ids[index] == VKM_SHEET_PIPELINES ? shown->made.count : 0;
  vkm_text_string(text, "\"rows\":[");
  for (size_t i = 0; i < sheet.shown; i++) {
    const void *row = vkm_sheet_row(&sheet, i);
    vkm_text_string(text, i > 0 ? ",\n   {" : "\n   {");
    vkm_sheet_json_members(&sheet, row, settings, text);
    append_extra(shown, index, row, text);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]");
  member_count(text, "rows_left_out", shown->items[index].cut);
  member_count(text, "rows_hidden", shown->items[index].hidden);
  vkm_text_string(text, ",\"share_hidden\":");
  if (shown->items[index].has_share) {
    vkm_text_double(text, shown->items[index].hidden_share);
  } else {
    vkm_text_string(text, "null");
  }
}

/* The kernels are the section's rows; the others stand in an object. */
static void append_sheets(const struct vkm_report *report, const struct vkm_section *section,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_shown shown;
  bool good = vkm_shown_init(&shown, report, section, settings, true);
  text->failed = text->failed || !good;
  for (size_t i = 0; good && i < shown.count; i++) {
    vkm_text_string(text, i == 0 ? ",\n  " : i == 1 ? ",\n  \"sheets\":{" : ",\n  ");
    if (i > 0) {
      key(text, vkm_sheet_ids[shown.ids[i]]);
      vkm_text_string(text, "{");
    }
    append_rows(&shown, i, settings, text);
    vkm_text_string(text, i > 0 ? "}" : "");
  }
  vkm_text_string(text, "}");
  vkm_shown_finish(&shown);
}

static void append_breakdown(const struct vkm_report *report,
                             const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_breakdown *breakdown = &report->breakdown;
  struct vkm_sheet sheet = vkm_sheet_of_breakdown(breakdown);
  vkm_text_string(text, ",\n \"breakdown\":{\"processes\":");
  vkm_text_u64(text, breakdown->process_count);
  vkm_text_string(text, ",\"wall_ns\":");
  vkm_text_i64(text, breakdown->wall_ns);
  vkm_text_string(text, ",\"overlap_ns\":");
  vkm_text_i64(text, breakdown->overlap_ns);
  vkm_text_string(text, ",\"unsplit_ns\":");
  vkm_text_i64(text, breakdown->unsplit_ns);
  member_count(text, "hitches", breakdown->hitch_count);
  vkm_text_string(text, ",\"hitch_ns\":");
  vkm_text_i64(text, breakdown->hitch_ns);
  vkm_text_string(text, ",\"resident_peak_bytes\":");
  if (breakdown->has_resident) {
    vkm_text_u64(text, breakdown->resident_peak_bytes);
  } else {
    vkm_text_string(text, "null");
  }
  vkm_text_string(text, ",\"rows\":[");
  for (size_t i = 0; i < sheet.row_count; i++) {
    vkm_text_string(text, i > 0 ? ",\n  {" : "\n  {");
    vkm_sheet_json_members(&sheet, vkm_sheet_row(&sheet, i), settings, text);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]}");
}

static void append_settings(const struct vkm_report *report,
                            const struct vkm_view_settings *settings, struct vkm_text *text) {
  vkm_text_string(text, ",\"settings\":{\"warmup\":");
  vkm_text_u64(text, report->warmup);
  vkm_text_string(text, ",\"filter\":[");
  for (size_t i = 0; i < settings->pick.filter_count; i++) {
    vkm_text_string(text, i > 0 ? "," : "");
    vkm_text_json(text, settings->pick.filters[i]);
  }
  vkm_text_string(text, "]");
  member_text(text, "sort", settings->pick.sort);
  vkm_text_string(text, "}");
}

static void append_section(const struct vkm_report *report, const struct vkm_section *section,
                           const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_read_device *device = section->device;
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
  append_sheets(report, section, settings, text);
  vkm_text_string(text, "}");
}

static void report(const struct vkm_report *report, const struct vkm_view_settings *settings,
                   struct vkm_text *text) {
  vkm_text_string(text, "{\"schema\":\"vkmeter.report/1\"");
  member_text(text, "tool", "vkmeter " VKM_VERSION);
  append_settings(report, settings, text);
  vkm_text_string(text, ",\n \"sections\":[");
  for (size_t i = 0; i < report->section_count; i++) {
    vkm_text_string(text, i > 0 ? ",\n  " : "\n  ");
    append_section(report, &report->sections[i], settings, text);
  }
  vkm_text_string(text, "]");
  append_breakdown(report, settings, text);
  vkm_text_string(text, "}\n");
}

const struct vkm_view vkm_view_json = {
    "json", "schema vkmeter.report/1 or compare/1, times in ns, absent is null", true, report,
    vkm_compare_json};
