/* The timeline of a page. In: a trace that was read. Out: markup around its columns, and what the
 * page lacks in words. Next: html. */
#include "views/html_timeline.h"

#include "views/html_page.h"
#include "views/units.h"

/* What begins before a time. */
static size_t count_before(const struct vkm_timeline *timeline, int64_t until_ns) {
  size_t count = 0;
  for (size_t i = 0; i < timeline->call_count; i++) {
    count += timeline->calls[i].begin_ns < until_ns;
  }
  for (size_t i = 0; i < timeline->slice_count; i++) {
    count += timeline->slices[i].begin_ns < until_ns;
  }
  for (size_t i = 0; i < timeline->label_count; i++) {
    count += timeline->labels[i].begin_ns < until_ns;
  }
  for (size_t i = 0; i < timeline->sample_count; i++) {
    count += timeline->samples[i].at_ns < until_ns;
  }
  return count;
}

/* The latest time before which no more begins than a page holds. */
static int64_t last_shown(const struct vkm_timeline *timeline) {
  int64_t low = timeline->begin_ns;
  int64_t high = timeline->end_ns + 1;
  if (count_before(timeline, high) <= VKM_HTML_TIMELINE_MOST) {
    return high;
  }
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (count_before(timeline, middle) <= VKM_HTML_TIMELINE_MOST) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

static void say_left_out(struct vkm_text *text, const struct vkm_timeline *timeline,
                         int64_t until_ns) {
  size_t shown = count_before(timeline, until_ns);
  size_t all =
      timeline->call_count + timeline->slice_count + timeline->label_count + timeline->sample_count;
  if (shown == all) {
    return;
  }
  vkm_text_string(text, "<p class=\"warning\">Shown are the ");
  vkm_format_count(text, shown);
  vkm_text_string(text, " calls, commands, labels and values of the first ");
  vkm_format_duration(text, (double)(until_ns - timeline->begin_ns), false);
  vkm_text_string(text, "; ");
  vkm_format_count(text, all - shown);
  vkm_text_string(text, " later ones are left out, so that the page stays light.</p>\n");
}

static void say_lost(struct vkm_text *text, const struct vkm_timeline *timeline) {
  uint64_t dropped = 0;
  bool ended = true;
  for (size_t i = 0; i < timeline->process_count; i++) {
    const struct vkm_timeline_process *process = &timeline->processes[i];
    dropped += process->dropped[0] + process->dropped[1] + process->dropped[2];
    ended = ended && process->has_counts;
  }
  if (dropped > 0) {
    vkm_text_string(text, "<p class=\"warning\">");
    vkm_format_count(text, dropped);
    vkm_text_string(text,
                    " events were dropped while the trace was written: gaps may be none.</p>\n");
  }
  if (!ended || timeline->cut) {
    vkm_text_string(text, "<p class=\"warning\">The trace has no end: a program was killed, or is "
                          "still running.</p>\n");
  }
}

void vkm_html_timeline(struct vkm_text *text, const struct vkm_timeline *timeline,
                       const struct vkm_html_span *gaps, size_t gap_count) {
  if (!timeline->any) {
    return;
  }
  int64_t until_ns = last_shown(timeline);
  vkm_text_string(text, "<h2>Timeline</h2>\n");
  say_left_out(text, timeline, until_ns);
  say_lost(text, timeline);
  vkm_text_string(text, "<noscript><p>The timeline needs its script; the tables do not.</p>"
                        "</noscript>\n<section id=\"timeline\" aria-label=\"timeline\"></section>\n"
                        "<script type=\"application/json\" id=\"timeline-data\">{");
  vkm_html_timeline_columns(text, timeline, until_ns);
  vkm_text_string(text, ",\n\"gaps\":[");
  for (size_t i = 0; i < gap_count; i++) {
    vkm_text_string(text, i > 0 ? ",[" : "[");
    vkm_text_i64(text, gaps[i].begin_ns - timeline->begin_ns);
    vkm_text_string(text, ",");
    vkm_text_i64(text, gaps[i].end_ns - timeline->begin_ns);
    vkm_text_string(text, "]");
  }
  vkm_text_string(text, "]}</script>\n");
}
