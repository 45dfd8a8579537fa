/* What a timeline says, as a page. In: its report. Out: HTML: the timeline, drawn, and every sheet.
 * Next: a browser. */
#include <string.h>

#include "views/html_page.h"
#include "views/html_timeline.h"
#include "views/trace_views.h"

/* Rows of a sheet that a page has unless others were asked for. */
enum { TOP = 200 };

static const char *const TITLES[VKM_TRACE_SHEETS] = {
    [VKM_TRACE_QUEUES] = "Queues",
    [VKM_TRACE_GAPS] = "Largest gaps",
    [VKM_TRACE_SUBMITS] = "Between submits",
    [VKM_TRACE_THREADS] = "Threads",
    [VKM_TRACE_KERNELS] = "Kernels",
    [VKM_TRACE_DIFFERENCES] = "Differences from the profile",
};

static struct vkm_view_settings for_a_page(const struct vkm_view_settings *asked) {
  struct vkm_view_settings settings = *asked;
  settings.ascii = false;
  settings.color = VKM_COLOR_NEVER;
  settings.top = asked->top_given ? asked->top : TOP;
  return settings;
}

static void append_sheet(const struct vkm_trace_sheets *sheets, int which,
                         const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_sheet *sheet = &sheets->items[which];
  if (sheet->row_count == 0) {
    return;
  }
  vkm_text_string(text, "<h3>");
  vkm_text_string(text, TITLES[which]);
  vkm_text_string(text, "</h3>\n<div id=\"timeline-");
  vkm_text_string(text, sheet->id);
  vkm_text_string(text, "\">\n");
  vkm_html_sheet(text, sheet, TITLES[which], settings);
  vkm_text_string(text, "</div>\n");
  if (sheet->shown < sheet->row_count) {
    vkm_text_string(text, "<p class=\"faint\">The first rows only; --top=0 shows all.</p>\n");
  }
}

/* Sheets from one to another, behind the timeline. */
static void append_part(const struct vkm_timeline_report *report, int first, int last,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_trace_sheets sheets;
  if (!vkm_trace_sheets_init(&sheets, report, settings)) {
    text->failed = true;
    return;
  }
  vkm_html_timeline(text, report, sheets.items[VKM_TRACE_GAPS].shown);
  for (int i = first; i <= last; i++) {
    append_sheet(&sheets, i, settings, text);
  }
  vkm_trace_sheets_finish(&sheets);
}

void vkm_trace_html_part(const struct vkm_timeline_report *report,
                         const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_view_settings page = for_a_page(settings);
  append_part(report, VKM_TRACE_GAPS, VKM_TRACE_GAPS, &page, text);
}

/* Each line a paragraph. */
static void append_head(const struct vkm_timeline_report *report, const char *path,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_text lines;
  vkm_text_init(&lines, SIZE_MAX);
  vkm_trace_head(report, path, settings, &lines);
  text->failed = text->failed || lines.failed;
  for (const char *at = lines.failed ? "" : lines.data; *at;) {
    size_t length = strcspn(at, "\n");
    vkm_text_string(text, "<p>");
    vkm_html_escaped(text, at, length);
    vkm_text_string(text, "</p>\n");
    at += length + (at[length] == '\n');
  }
  vkm_text_finish(&lines);
}

static void print(const struct vkm_timeline_report *report, const char *path,
                  const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_view_settings page = for_a_page(settings);
  vkm_html_begin(text, "vkmeter trace", report->timeline->any);
  vkm_text_string(text, "<h1>vkmeter trace</h1>\n");
  append_head(report, path, &page, text);
  append_part(report, VKM_TRACE_QUEUES, VKM_TRACE_DIFFERENCES, &page, text);
  vkm_text_string(text, "<footer class=\"faint\">vkmeter " VKM_VERSION "</footer>\n");
  vkm_html_end(text, report->timeline->any);
}

const struct vkm_trace_view vkm_trace_html = {
    "html", "one page that needs no network: the timeline, drawn", false, print};
