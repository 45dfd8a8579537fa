/* A timeline as a part of a page. Its script (html/timeline_*.js) draws it from columns that stand
 * in the page as JSON, one object:
 *
 *   span        ns from the first to the last thing of the trace; all times below are ns since then
 *   names       every text; what is called a name below is an index in it, -1: none
 *   kernels     [name, name of its identity, name of its family]
 *   launches    [groups x, y, z, local size x, y, z], 0: not known
 *   processes   [name of the process (a text), pid]
 *   threads     process, title, columns of calls: begin, length, name, submission, bytes, result,
 *               made, hits; seen: [index of a call, [submissions that it saw finished]]
 *   queues      process, title, columns of device work: begin, length, name, kernel, kind (a name),
 *               phase (a name), launch, submission, bytes, id, lane; labels: count and columns
 *               begin, length, name, depth; instants: [time, name]
 *   counters    process, title, unit, columns at and value
 *   gaps        [begin, end] of the rows of the table of gaps, in its order
 *
 * `begin`, `at` and `value` are written as the difference to the one before. A column in which all
 * is -1 (not known) is left out. Main thread. */
#ifndef VKM_TOOLS_VIEWS_HTML_TIMELINE_H
#define VKM_TOOLS_VIEWS_HTML_TIMELINE_H

#include "base/text.h"
#include "model/timeline.h"

/* Calls, commands, labels and values in one page; later ones than fit are left out, and that is
 * said. */
enum { VKM_HTML_TIMELINE_MOST = 400000 };

/* Appends the section; nothing where the trace has no events. `gap_count`: of the report's gaps,
 * so many have a row. */
void vkm_html_timeline(struct vkm_text *text, const struct vkm_timeline_report *report,
                       size_t gap_count);

/* Only for html_timeline.c: the columns of what begins before `until_ns`. */
void vkm_html_timeline_columns(struct vkm_text *text, const struct vkm_timeline *timeline,
                               int64_t until_ns);

#endif
