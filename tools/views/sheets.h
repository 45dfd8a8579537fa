/* The sheets of a report. Every row shown; what a sheet points to is the model's, which has to
 * outlive it. Main thread. */
#ifndef VKM_TOOLS_VIEWS_SHEETS_H
#define VKM_TOOLS_VIEWS_SHEETS_H

#include "model/report.h"
#include "views/sheet.h"

struct vkm_sheet vkm_sheet_of_kernels(const struct vkm_section *section);
struct vkm_sheet vkm_sheet_of_families(const struct vkm_section *section);
struct vkm_sheet vkm_sheet_of_phases(const struct vkm_section *section);
struct vkm_sheet vkm_sheet_of_plans(const struct vkm_section *section);
struct vkm_sheet vkm_sheet_of_queues(const struct vkm_section *section);
struct vkm_sheet vkm_sheet_of_memory(const struct vkm_section *section);
struct vkm_sheet vkm_sheet_of_coverage(const struct vkm_section *section);
enum { VKM_BREAKDOWN_GLANCE = 4 }; /* columns that say it all to a person in a hurry */
struct vkm_sheet vkm_sheet_of_breakdown(const struct vkm_breakdown *breakdown);

/* Columns that depend on what drivers said. */
struct vkm_made_columns {
  struct vkm_column *items; /* owned, as the lists */
  size_t count;
  const struct vkm_column **all, **people;
};
/* The columns are the same for all sections of the report. False: out of memory; finish is needed
 * in any case. */
bool vkm_sheet_of_pipelines(const struct vkm_report *report, const struct vkm_section *section,
                            struct vkm_sheet *sheet, struct vkm_made_columns *made)
    __attribute__((warn_unused_result));
void vkm_made_columns_finish(struct vkm_made_columns *made);

#endif
