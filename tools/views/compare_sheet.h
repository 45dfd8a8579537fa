/* The rows of a panel as a sheet. Main thread. */
#ifndef VKM_TOOLS_VIEWS_COMPARE_SHEET_H
#define VKM_TOOLS_VIEWS_COMPARE_SHEET_H

#include "model/comparison.h"
#include "views/sheet.h"

/* Every row shown. What the sheet points to is the panel's, which has to outlive it. */
struct vkm_sheet vkm_sheet_of_compared(const struct vkm_panel *panel);
/* With a last column that says why a row is not clear, and what else has changed: for formats whose
 * cells wrap. */
struct vkm_sheet vkm_sheet_of_compared_noted(const struct vkm_panel *panel);
/* The same with the verdict in front, where no long name pushes it out of sight. */
struct vkm_sheet vkm_sheet_of_compared_verdicts(const struct vkm_panel *panel);

/* As people read it: SLOWER, likely slower. Static. */
const char *vkm_compare_verdict(enum vkm_verdict verdict);
/* What a row wants of its reader's eye. */
enum vkm_style vkm_compare_style(enum vkm_verdict verdict);

#endif
