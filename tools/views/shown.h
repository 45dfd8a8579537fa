/* The sheets that a report shows: of each section, and one of the report as a whole. Main thread.
 */
#ifndef VKM_TOOLS_VIEWS_SHOWN_H
#define VKM_TOOLS_VIEWS_SHOWN_H

#include "views/pick.h"
#include "views/sheets.h"

/* In the order in which they stand. */
enum vkm_sheet_id {
  VKM_SHEET_KERNELS = 0,
  VKM_SHEET_PIPELINES,
  VKM_SHEET_FAMILIES,
  VKM_SHEET_PHASES,
  VKM_SHEET_PLANS,
  VKM_SHEET_QUEUES,
  VKM_SHEET_MEMORY,
  VKM_SHEET_COVERAGE,
  VKM_SHEET_BREAKDOWN, /* of the whole report */
  VKM_SHEET_COUNT,
};
/* "kernels", ...; static. */
extern const char *const vkm_sheet_ids[VKM_SHEET_COUNT];

struct vkm_shown {
  struct vkm_picked items[VKM_SHEET_COUNT]; /* those that are shown, in order; owned */
  enum vkm_sheet_id ids[VKM_SHEET_COUNT];
  bool aside[VKM_SHEET_COUNT]; /* a glance that nobody asked for, of a few rows */
  size_t count;
  struct vkm_made_columns made; /* owned */
};

/* Sheets of a section (NULL: of the report as a whole) that `settings` ask for, rows and columns
 * picked. `every`: all of them with all of their columns, for formats that hold a whole report.
 * False: out of memory; finish is needed in any case. */
bool vkm_shown_init(struct vkm_shown *shown, const struct vkm_report *report,
                    const struct vkm_section *section, const struct vkm_view_settings *settings,
                    bool every) __attribute__((warn_unused_result));
void vkm_shown_finish(struct vkm_shown *shown);

/* Whether --columns, --sort and --filter name what the report has. False: reported. */
bool vkm_shown_check(const struct vkm_report *report, const struct vkm_view_settings *settings)
    __attribute__((warn_unused_result));
/* `-c help`: the columns of every sheet that there is. */
void vkm_shown_help(const struct vkm_report *report, const struct vkm_view_settings *settings,
                    struct vkm_text *text);

#endif
