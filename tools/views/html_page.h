/* Parts of a page: one file that needs neither the network nor, to be read, its script. Each
 * appends markup; all text is escaped. Main thread. */
#ifndef VKM_TOOLS_VIEWS_HTML_PAGE_H
#define VKM_TOOLS_VIEWS_HTML_PAGE_H

#include "views/sheet.h"

/* Up to the open <main>. `timeline`: the page has one, here as at the end. */
void vkm_html_begin(struct vkm_text *text, const char *title, bool timeline);
void vkm_html_end(struct vkm_text *text, bool timeline);

/* <tag class=""> of a whole sentence, which is emptied; nothing when it is empty. `class_name`
 * NULL: none. */
void vkm_html_sentence(struct vkm_text *text, const char *tag, const char *class_name,
                       struct vkm_text *sentence);
/* A table that scrolls by itself; `label` says what it is to those who do not see it. Under it,
 * that drawings were left out, where some were. */
void vkm_html_sheet(struct vkm_text *text, const struct vkm_sheet *sheet, const char *label,
                    const struct vkm_view_settings *settings);

/* Times side by side: a short line each, on an axis from the least to the largest of all lanes. */
struct vkm_html_lane {
  const char *class_name;
  const double *values_ns;
  size_t count;
  bool has_center;
  double center_ns; /* a thick line */
};
void vkm_html_strip(struct vkm_text *text, const struct vkm_html_lane *lanes, size_t lane_count,
                    const char *label);
/* A bar, `part` long where the whole cell is 1. */
void vkm_html_bar(struct vkm_text *text, double part);

/* `print` of columns that are drawn. */
void vkm_html_print_nothing(const void *row, const struct vkm_column *column,
                            const struct vkm_view_settings *settings, struct vkm_text *text);

#endif
