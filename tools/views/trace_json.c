/* What a timeline says, for programs: schema vkmeter.trace/1. In: its report. Out: one document,
 * times in ns, absent as null. */
#include "views/members.h"
#include "views/trace_views.h"

/* Not by way of a double: a moment of CLOCK_REALTIME has more digits than one holds. */
static void member_ns(struct vkm_text *text, const char *name, bool known, int64_t ns) {
  vkm_member_key(text, name);
  if (known) {
    vkm_text_i64(text, ns);
  } else {
    vkm_text_string(text, "null");
  }
}

static void append_process(const struct vkm_timeline_process *process, struct vkm_text *text) {
  vkm_member_open(text, NULL, "{");
  vkm_member_text(text, "name", process->name[0] ? process->name : NULL);
  vkm_member_text(text, "command", process->command);
  vkm_member_number(text, "pid", true, process->pid);
  member_ns(text, "started_ns", process->has_started, process->started_ns);
  vkm_member_bool(text, "closed", process->has_counts);
  vkm_member_number(text, "events", process->has_counts, (double)process->events);
  vkm_member_number(text, "dropped_full", process->has_counts, (double)process->dropped[0]);
  vkm_member_number(text, "dropped_rate", process->has_counts, (double)process->dropped[1]);
  vkm_member_number(text, "dropped_size", process->has_counts, (double)process->dropped[2]);
  vkm_member_number(text, "short_calls", process->has_counts, (double)process->short_calls);
  vkm_text_string(text, "}");
}

static void append_damage(const struct vkm_timeline *timeline, struct vkm_text *text) {
  vkm_member_open(text, "reading", "{");
  vkm_member_count(text, "packets", timeline->packets);
  vkm_member_count(text, "foreign", timeline->foreign);
  vkm_member_number(text, "cut_at_byte", timeline->cut, (double)timeline->cut_at_byte);
  vkm_member_count(text, "damaged", timeline->damaged);
  vkm_member_number(text, "damaged_at_byte", timeline->damaged > 0,
                    (double)timeline->damaged_at_byte);
  vkm_member_count(text, "compressed", timeline->compressed);
  vkm_member_count(text, "unplaced", timeline->unplaced);
  vkm_member_count(text, "unnamed", timeline->unnamed);
  vkm_member_count(text, "unpaired", timeline->unpaired);
  vkm_member_count(text, "open", timeline->open);
  vkm_text_string(text, "}");
}

static void append_sheet(const struct vkm_sheet *sheet, const struct vkm_view_settings *settings,
                         struct vkm_text *text) {
  vkm_text_string(text, ",\n ");
  vkm_member_open(text, sheet->id, "[");
  for (size_t i = 0; i < sheet->shown; i++) {
    vkm_text_string(text, i > 0 ? ",\n  {" : "\n  {");
    vkm_sheet_json_members(sheet, vkm_sheet_row(sheet, i), settings, text);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]");
}

static void print(const struct vkm_timeline_report *report, const char *path,
                  const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_timeline *timeline = report->timeline;
  struct vkm_trace_sheets sheets;
  if (!vkm_trace_sheets_init(&sheets, report, settings)) {
    text->failed = true;
    return;
  }
  vkm_text_string(text, "{\"schema\":\"vkmeter.trace/1\"");
  vkm_member_text(text, "tool", "vkmeter " VKM_VERSION);
  vkm_member_text(text, "trace", path);
  vkm_member_text(text, "profile", report->profile);
  member_ns(text, "begin_ns", timeline->any, timeline->begin_ns);
  member_ns(text, "end_ns", timeline->any, timeline->end_ns);
  member_ns(text, "begin_unix_ns", timeline->has_unix, timeline->unix_ns);
  vkm_text_string(text, ",\n ");
  append_damage(timeline, text);
  vkm_text_string(text, ",\n ");
  vkm_member_open(text, "processes", "[");
  for (size_t i = 0; i < timeline->process_count; i++) {
    append_process(&timeline->processes[i], text);
  }
  vkm_text_string(text, "]");
  for (size_t i = 0; i < VKM_TRACE_SHEETS; i++) {
    append_sheet(&sheets.items[i], settings, text);
  }
  vkm_text_string(text, ",\n ");
  vkm_member_count(text, "short_gaps", report->short_gaps);
  vkm_text_string(text, "}\n");
  vkm_trace_sheets_finish(&sheets);
}

const struct vkm_trace_view vkm_trace_json = {
    "json", "schema vkmeter.trace/1, times in ns, absent is null", true, print};
