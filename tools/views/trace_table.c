/* What a timeline says, for people. In: its report. Out: aligned text. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "count.h"
#include "views/trace_views.h"
#include "views/units.h"

const struct vkm_trace_view *const vkm_trace_views[] = {&vkm_trace_table, &vkm_trace_json,
                                                        &vkm_trace_chrome, &vkm_trace_html};
const size_t vkm_trace_view_count = VKM_COUNT(vkm_trace_views);

const struct vkm_trace_view *vkm_trace_view_find(const char *name, size_t name_length) {
  for (size_t i = 0; i < vkm_trace_view_count; i++) {
    const char *known = vkm_trace_views[i]->name;
    if (strlen(known) == name_length && strncmp(known, name, name_length) == 0) {
      return vkm_trace_views[i];
    }
  }
  return NULL;
}

__attribute__((format(printf, 2, 3))) static void say(struct vkm_text *text, const char *format,
                                                      ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  vkm_text_string(text, line);
}

static void append_process(const struct vkm_timeline_process *process,
                           const struct vkm_view_settings *settings, struct vkm_text *text) {
  uint64_t dropped = process->dropped[0] + process->dropped[1] + process->dropped[2];
  vkm_term_name(text, process->name[0] ? process->name : "process", 0, settings->ascii);
  say(text, " (%" PRId32 "): ", process->pid);
  if (!process->has_counts) {
    vkm_text_string(text, "no closing counts: killed, or not of vkmeter\n");
    return;
  }
  vkm_format_count(text, process->events);
  vkm_text_string(text, process->events == 1 ? " event" : " events");
  if (process->short_calls > 0) {
    vkm_text_string(text, ", ");
    vkm_format_count(text, process->short_calls);
    vkm_text_string(text, " short calls left out");
  }
  vkm_text_string(text, "\n");
  if (dropped > 0) {
    vkm_term_style(text, settings, VKM_STYLE_WARN);
    vkm_format_count(text, dropped);
    say(text,
        " %s missing: %" PRIu64 " no room in memory, %" PRIu64 " beyond the rate, %" PRIu64
        " beyond the size of the file",
        dropped == 1 ? "event is" : "events are", process->dropped[0], process->dropped[1],
        process->dropped[2]);
    vkm_term_style(text, settings, VKM_STYLE_PLAIN);
    vkm_text_string(text, "\n");
  }
}

static void append_count(struct vkm_text *text, uint64_t count, const char *what) {
  if (count > 0) {
    vkm_text_string(text, what);
    vkm_text_string(text, ": ");
    vkm_format_count(text, count);
    vkm_text_string(text, "\n");
  }
}

static void append_damage(const struct vkm_timeline *timeline,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  vkm_term_style(text, settings, VKM_STYLE_WARN);
  if (timeline->cut) {
    say(text, "the file ends within a packet at byte %" PRIu64 "; all before it was read\n",
        timeline->cut_at_byte);
  }
  if (timeline->damaged > 0) {
    say(text, "%" PRIu64 " damaged %s passed over, the first at byte %" PRIu64 "\n",
        timeline->damaged, timeline->damaged == 1 ? "packet was" : "packets were",
        timeline->damaged_at_byte);
  }
  if (timeline->compressed > 0) {
    say(text,
        "%" PRIu64 " compressed %s not looked into, %s byte %" PRIu64 "; decompress the trace "
        "first, with Perfetto's traceconv\n",
        timeline->compressed, timeline->compressed == 1 ? "packet was" : "packets were",
        timeline->compressed == 1 ? "at" : "the first at", timeline->compressed_at_byte);
  }
  append_count(text, timeline->unplaced, "events on a clock that no snapshot knows, left out");
  append_count(text, timeline->unnamed,
               "events that refer to a name or track that is not there, left out");
  append_count(text, timeline->unpaired, "ends without a begin");
  append_count(text, timeline->open, "begins without an end, since the trace ends before they do");
  vkm_term_style(text, settings, VKM_STYLE_PLAIN);
}

void vkm_trace_head(const struct vkm_timeline_report *report, const char *path,
                    const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_timeline *timeline = report->timeline;
  vkm_term_style(text, settings, VKM_STYLE_STRONG);
  vkm_term_name(text, path, 0, settings->ascii);
  vkm_term_style(text, settings, VKM_STYLE_PLAIN);
  vkm_text_string(text, ": ");
  if (timeline->any) {
    vkm_format_duration(text, (double)(timeline->end_ns - timeline->begin_ns), settings->ascii);
  } else {
    vkm_text_string(text, "no event of a Vulkan program");
  }
  if (timeline->has_unix) {
    vkm_text_string(text, ", from ");
    vkm_format_date(text, timeline->unix_ns);
  }
  vkm_text_string(text, "\n");
  for (size_t i = 0; i < timeline->process_count; i++) {
    append_process(&timeline->processes[i], settings, text);
  }
  append_damage(timeline, settings, text);
}

static void append_foot(const struct vkm_timeline_report *report, size_t which,
                        const struct vkm_sheet *sheet, const struct vkm_view_settings *settings,
                        struct vkm_text *text) {
  size_t rest = sheet->row_count - sheet->shown;
  uint64_t shorter = which == VKM_TRACE_GAPS ? report->short_gaps : 0;
  if (rest + shorter == 0) {
    return;
  }
  vkm_term_style(text, settings, VKM_STYLE_FAINT);
  if (rest > 0) {
    vkm_text_string(text, "and ");
    vkm_format_count(text, rest);
    vkm_text_string(text, " more; --top 0 shows all");
  }
  if (shorter > 0) {
    vkm_text_string(text, rest > 0 ? "; " : "");
    vkm_format_count(text, shorter);
    vkm_text_string(text, shorter == 1 ? " gap is" : " gaps are");
    vkm_text_string(text, " shorter than --min-gap");
  }
  vkm_term_style(text, settings, VKM_STYLE_PLAIN);
  vkm_text_string(text, "\n");
}

static void append_held(const struct vkm_timeline_report *report,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  if (report->profile == NULL || report->difference_count > 0) {
    return;
  }
  vkm_text_string(text, "\nthe same as in ");
  vkm_term_name(text, report->profile, 0, settings->ascii);
  vkm_text_string(text, ": counts, sums and the time of each execution\n");
}

static void print(const struct vkm_timeline_report *report, const char *path,
                  const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_trace_sheets sheets;
  vkm_trace_head(report, path, settings, text);
  if (!vkm_trace_sheets_init(&sheets, report, settings)) {
    text->failed = true;
    return;
  }
  for (size_t i = 0; i < VKM_TRACE_SHEETS; i++) {
    const struct vkm_sheet *sheet = &sheets.items[i];
    if (sheet->row_count > 0) {
      vkm_text_string(text, "\n");
      vkm_sheet_table(sheet, settings, text);
    }
    append_foot(report, i, sheet, settings, text);
  }
  append_held(report, settings, text);
  vkm_trace_sheets_finish(&sheets);
}

const struct vkm_trace_view vkm_trace_table = {"table", "aligned text for people (default)", false,
                                               print};
