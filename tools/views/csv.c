/* The report as CSV (RFC 4180, LF). In: a report. Out: one line a row, all times in ns. Next: a
 * program. */
#include "views/compare_views.h"
#include "views/matrix_views.h"
#include "views/shown.h"
#include "views/tables.h"

/* The first sheet that is asked for; the breakdown belongs to no section. */
static void append_sheet(const struct vkm_report *report, const struct vkm_section *section,
                         const struct vkm_view_settings *settings, bool *headed,
                         struct vkm_text *text) {
  struct vkm_shown shown;
  bool good = vkm_shown_init(&shown, report, section, settings, false);
  text->failed = text->failed || !good;
  if (good && shown.count > 0 && !shown.aside[0]) {
    if (!*headed) {
      vkm_sheet_csv_head(&shown.items[0].sheet, text);
    }
    *headed = true;
    vkm_sheet_csv_rows(&shown.items[0].sheet, settings, text);
  }
  vkm_shown_finish(&shown);
}

static void report(const struct vkm_report *report, const struct vkm_view_settings *settings,
                   struct vkm_text *text) {
  const struct vkm_read_device device = {0};
  const struct vkm_section nothing = {.device = &device};
  bool headed = false;
  for (size_t i = 0; i < report->section_count; i++) {
    append_sheet(report, &report->sections[i], settings, &headed, text);
  }
  if (report->section_count == 0) {
    append_sheet(report, &nothing, settings, &headed, text);
  }
  if (!headed) {
    append_sheet(report, NULL, settings, &headed, text);
  }
}

const struct vkm_view vkm_view_csv = {
    "csv", "one line a row, times in ns", true, report, vkm_compare_csv, vkm_matrix_csv};
