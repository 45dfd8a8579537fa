/* A comparison as CSV. In: a judged comparison. Out: a line a row, times in ns, ratios as
 * fractions. Next: a program. */
#include "views/compare_sheet.h"
#include "views/compare_views.h"

/* What tells the panels apart stands in front: the device of the new side, else of base. */
static const char *device_of(const struct vkm_panel *panel) {
  for (int side = VKM_NEW; side >= VKM_BASE; side--) {
    if (panel->first[side] != NULL && panel->first[side]->device_count > 0) {
      return panel->first[side]->devices[0].name;
    }
  }
  return NULL;
}

void vkm_compare_csv(const struct vkm_comparison *comparison,
                     const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_panel nothing = {0};
  struct vkm_sheet sheet = vkm_sheet_of_compared(&nothing);
  sheet.scope_id = "segment_device";
  vkm_sheet_csv_head(&sheet, text);
  for (size_t i = 0; i < comparison->panel_count; i++) {
    sheet = vkm_sheet_of_compared(&comparison->panels[i]);
    sheet.scope_id = "segment_device";
    sheet.scope = device_of(&comparison->panels[i]);
    sheet.shown = vkm_sheet_top(sheet.row_count, settings->top);
    vkm_sheet_csv_rows(&sheet, settings, text);
  }
}
