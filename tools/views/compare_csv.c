/* A comparison as CSV. In: a judged comparison. Out: a line a row, times in ns, ratios as
 * fractions. Next: a program. */
#include "views/compare_sheet.h"
#include "views/compare_views.h"
#include "views/compare_words.h"

void vkm_compare_csv(const struct vkm_comparison *comparison,
                     const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_panel nothing = {0};
  struct vkm_sheet sheet = vkm_sheet_of_compared(&nothing);
  sheet.scope_id = "segment_device";
  vkm_sheet_csv_head(&sheet, text);
  for (size_t i = 0; i < comparison->panel_count; i++) {
    sheet = vkm_sheet_of_compared(&comparison->panels[i]);
    sheet.scope_id = "segment_device";
    sheet.scope = vkm_compare_device(&comparison->panels[i]);
    sheet.shown = vkm_sheet_top(sheet.row_count, settings->top);
    vkm_sheet_csv_rows(&sheet, settings, text);
  }
}
