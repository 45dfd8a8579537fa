/* The sheets of a report. Main thread. */
#ifndef VKM_TOOLS_VIEWS_SHEETS_H
#define VKM_TOOLS_VIEWS_SHEETS_H

#include "model/report.h"
#include "views/sheet.h"

/* Every row shown. What the sheet points to is the section's, which has to outlive it. */
struct vkm_sheet vkm_sheet_of_kernels(const struct vkm_section *section);

#endif
