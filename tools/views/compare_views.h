/* A comparison in every format, one function each; the views in json.c, md.c and so on point to
 * them. Each appends the whole text. Main thread. */
#ifndef VKM_TOOLS_VIEWS_COMPARE_VIEWS_H
#define VKM_TOOLS_VIEWS_COMPARE_VIEWS_H

#include "views/view.h"

typedef void vkm_compare_view(const struct vkm_comparison *comparison,
                              const struct vkm_view_settings *settings, struct vkm_text *text);

vkm_compare_view vkm_compare_table;  /* aligned text */
vkm_compare_view vkm_compare_json;   /* schema vkmeter.compare/1 */
vkm_compare_view vkm_compare_ndjson; /* the same facts, an object a line */
vkm_compare_view vkm_compare_csv;    /* a line a row */
vkm_compare_view vkm_compare_md;     /* verdicts first, rows that are the same folded */
vkm_compare_view vkm_compare_html;   /* a page */

#endif
