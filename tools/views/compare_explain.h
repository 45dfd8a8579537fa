/* The numbers behind verdicts. Main thread. */
#ifndef VKM_TOOLS_VIEWS_COMPARE_EXPLAIN_H
#define VKM_TOOLS_VIEWS_COMPARE_EXPLAIN_H

#include "model/comparison.h"
#include "views/view.h"

/* Appends a paragraph for each of the first `shown` rows of the panel that both sides have, or for
 * all rows of the name settings->explain_row. */
void vkm_compare_explain(const struct vkm_comparison *comparison, const struct vkm_panel *panel,
                         size_t shown, const struct vkm_view_settings *settings,
                         struct vkm_text *text);

#endif
