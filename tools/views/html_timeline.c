/* The timeline of a page. In: a trace that was read. Out: markup around its columns, and what the
 * page lacks in words. Next: html. */
#include "views/html_timeline.h"

#include "model/timeline_prefix.h"
#include "views/units.h"

static void say_lacks(struct vkm_text *text, const struct vkm_timeline_prefix *prefix) {
  if (prefix->left_out > 0) {
    vkm_text_string(text, "<p class=\"warning\">Shown are the ");
    vkm_format_count(text, prefix->shown);
    vkm_text_string(text, " calls, commands, labels and values of the first ");
    vkm_format_duration(text, (double)prefix->length_ns, false);
    vkm_text_string(text, "; ");
    vkm_format_count(text, prefix->left_out);
    vkm_text_string(text, " later ones are left out, so that the page stays light.</p>\n");
  }
  if (prefix->dropped > 0) {
    vkm_text_string(text, "<p class=\"warning\">");
    vkm_format_count(text, prefix->dropped);
    vkm_text_string(text, " events were dropped while the trace was written: what looks like a gap "
                          "may be none.</p>\n");
  }
  if (!prefix->ended) {
    vkm_text_string(text, "<p class=\"warning\">The trace has no end: a program was killed, or it "
                          "is still running.</p>\n");
  }
}

void vkm_html_timeline(struct vkm_text *text, const struct vkm_timeline_report *report,
                       size_t gap_count) {
  const struct vkm_timeline *timeline = report->timeline;
  if (!timeline->any) {
    return;
  }
  struct vkm_timeline_prefix prefix = vkm_timeline_prefix(timeline, VKM_HTML_TIMELINE_MOST);
  vkm_text_string(text, "<h2>Timeline</h2>\n");
  say_lacks(text, &prefix);
  vkm_text_string(text, "<noscript><p>The timeline needs its script; the tables do not.</p>"
                        "</noscript>\n<section id=\"timeline\" aria-label=\"timeline\"></section>\n"
                        "<script type=\"application/json\" id=\"timeline-data\">{");
  vkm_html_timeline_columns(text, timeline, prefix.until_ns);
  vkm_text_string(text, ",\n\"gaps\":[");
  for (size_t i = 0; i < gap_count; i++) {
    vkm_text_string(text, i > 0 ? ",[" : "[");
    vkm_text_i64(text, report->gaps[i].begin_ns - timeline->begin_ns);
    vkm_text_string(text, ",");
    vkm_text_i64(text, report->gaps[i].end_ns - timeline->begin_ns);
    vkm_text_string(text, "]");
  }
  vkm_text_string(text, "]}</script>\n");
}
