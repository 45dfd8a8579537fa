/* Rows as lines of JSON. In: a report or a comparison. Out: an object a line, times in ns, absent
 * as null. Next: a program that reads line by line. */
#include "views/compare_views.h"
#include "views/shown.h"
#include "views/tables.h"

static void append_sheets(const struct vkm_report *report, const struct vkm_section *section,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_pick *pick = &settings->pick;
  bool every = pick->sheets == 0 && pick->group == VKM_SHEET_KERNELS && pick->columns == NULL;
  struct vkm_shown shown;
  bool good = vkm_shown_init(&shown, report, section, settings, every);
  text->failed = text->failed || !good;
  for (size_t i = 0; good && i < shown.count; i++) {
    vkm_sheet_ndjson(&shown.items[i].sheet, settings, text);
  }
  vkm_shown_finish(&shown);
}

static void report(const struct vkm_report *report, const struct vkm_view_settings *settings,
                   struct vkm_text *text) {
  for (size_t i = 0; i < report->section_count; i++) {
    append_sheets(report, &report->sections[i], settings, text);
  }
  append_sheets(report, NULL, settings, text);
}

const struct vkm_view vkm_view_ndjson = {
    "ndjson", "a JSON object a row, times in ns", true, report, vkm_compare_ndjson, NULL};
