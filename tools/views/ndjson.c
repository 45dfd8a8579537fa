/* Rows as lines of JSON. In: a report or a comparison. Out: an object a line, times in ns, absent
 * as null. Next: a program that reads line by line. */
#include "views/compare_views.h"
#include "views/sheets.h"
#include "views/tables.h"

static void report(const struct vkm_report *report, const struct vkm_view_settings *settings,
                   struct vkm_text *text) {
  for (size_t i = 0; i < report->section_count; i++) {
    struct vkm_sheet kernels = vkm_sheet_of_kernels(&report->sections[i]);
    kernels.shown = vkm_sheet_top(kernels.row_count, settings->top);
    vkm_sheet_ndjson(&kernels, settings, text);
  }
}

const struct vkm_view vkm_view_ndjson = {"ndjson", "a JSON object a row, times in ns", true, report,
                                         vkm_compare_ndjson};
