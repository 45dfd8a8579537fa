/* What a timeline says, in each format. Main thread. */
#ifndef VKM_TOOLS_VIEWS_TRACE_VIEWS_H
#define VKM_TOOLS_VIEWS_TRACE_VIEWS_H

#include "model/timeline.h"
#include "views/sheet.h"

struct vkm_trace_view {
  const char *name;
  const char *summary;
  bool machine; /* every row unless --top was given */
  /* Appends the whole text; the caller looks at text->failed. `path`: what the trace is called. */
  void (*print)(const struct vkm_timeline_report *report, const char *path,
                const struct vkm_view_settings *settings, struct vkm_text *text);
};

extern const struct vkm_trace_view vkm_trace_table, vkm_trace_json, vkm_trace_chrome,
    vkm_trace_html;
extern const struct vkm_trace_view *const vkm_trace_views[];
extern const size_t vkm_trace_view_count;
/* NULL when there is none. */
const struct vkm_trace_view *vkm_trace_view_find(const char *name, size_t name_length);

enum vkm_trace_sheet {
  VKM_TRACE_QUEUES = 0,
  VKM_TRACE_GAPS,
  VKM_TRACE_SUBMITS,
  VKM_TRACE_THREADS,
  VKM_TRACE_KERNELS,
  VKM_TRACE_DIFFERENCES,
  VKM_TRACE_SHEETS
};
/* Rows with what they need to be printed; rows are the report's. */
struct vkm_trace_row {
  const struct vkm_timeline_report *report;
  const void *item;
};
struct vkm_trace_sheets {
  struct vkm_sheet items[VKM_TRACE_SHEETS];
  struct vkm_trace_row *rows; /* owned */
};
/* At most settings->top rows are shown of each; 0: all. False: out of memory. */
bool vkm_trace_sheets_init(struct vkm_trace_sheets *sheets,
                           const struct vkm_timeline_report *report,
                           const struct vkm_view_settings *settings)
    __attribute__((warn_unused_result));
void vkm_trace_sheets_finish(struct vkm_trace_sheets *sheets);

/* A line of the file, of each process and of all that is damaged. */
void vkm_trace_head(const struct vkm_timeline_report *report, const char *path,
                    const struct vkm_view_settings *settings, struct vkm_text *text);
/* A part of a page: the timeline, drawn, and its largest gaps. Nothing where there is no event. */
void vkm_trace_html_part(const struct vkm_timeline_report *report,
                         const struct vkm_view_settings *settings, struct vkm_text *text);

#endif
