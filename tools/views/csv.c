/* The report as CSV (RFC 4180, LF). In: a report. Out: one line a row, all times in ns. Next: a
 * program. */
#include "views/compare_views.h"
#include "views/sheets.h"
#include "views/tables.h"

static void report(const struct vkm_report *report, const struct vkm_view_settings *settings,
                   struct vkm_text *text) {
  const struct vkm_read_device device = {0};
  const struct vkm_section nothing = {.device = &device};
  struct vkm_sheet kernels = vkm_sheet_of_kernels(&nothing);
  vkm_sheet_csv_head(&kernels, text);
  for (size_t i = 0; i < report->section_count; i++) {
    kernels = vkm_sheet_of_kernels(&report->sections[i]);
    kernels.shown = vkm_sheet_top(kernels.row_count, settings->top);
    vkm_sheet_csv_rows(&kernels, settings, text);
  }
}

const struct vkm_view vkm_view_csv = {"csv", "one line a row, times in ns", true, report,
                                      vkm_compare_csv};
