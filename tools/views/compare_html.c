/* A comparison as a page. In: a judged comparison. Out: HTML. Next: a browser. */
#include "count.h"
#include "model/side.h"
#include "views/compare_heading.h"
#include "views/compare_sheet.h"
#include "views/compare_views.h"
#include "views/compare_words.h"
#include "views/html_page.h"
#include "views/units.h"

struct page {
  const struct vkm_comparison *comparison;
  const struct vkm_view_settings *settings;
  struct vkm_text part; /* a sentence while it is made */
  struct vkm_text *text;
};

static void append_range(const struct vkm_html_lane *lane, const struct vkm_view_settings *settings,
                         struct vkm_text *text) {
  double low = lane->center_ns;
  double high = lane->center_ns;
  for (size_t i = 0; i < lane->count; i++) {
    low = lane->values_ns[i] < low ? lane->values_ns[i] : low;
    high = lane->values_ns[i] > high ? lane->values_ns[i] : high;
  }
  vkm_text_string(text, lane->class_name);
  vkm_text_string(text, " ");
  vkm_format_duration(text, low, settings->ascii);
  vkm_text_string(text, " … ");
  vkm_format_duration(text, high, settings->ascii);
}

static void draw_runs(const void *at, const struct vkm_column *column,
                      const struct vkm_view_settings *settings, struct vkm_text *text) {
  static const char *const names[] = {"base", "new"};
  const struct vkm_compared_row *row = at;
  struct vkm_html_lane lanes[VKM_SIDES];
  struct vkm_text label;
  (void)column;
  vkm_text_init(&label, SIZE_MAX);
  for (int side = 0; side < VKM_SIDES; side++) {
    const struct vkm_compared_side *of = &row->sides[side];
    lanes[side] = (struct vkm_html_lane){names[side], of->run_ns, of->has_time ? of->run_count : 0,
                                         of->has_time, of->center_ns};
    if (of->has_time) {
      vkm_text_string(&label, label.length_bytes > 0 ? ", " : "");
      append_range(&lanes[side], settings, &label);
    }
  }
  vkm_html_strip(text, lanes, VKM_SIDES, label.length_bytes > 0 ? label.data : "");
  text->failed = text->failed || label.failed;
  vkm_text_finish(&label);
}

static const struct vkm_column RUNS = {.id = "runs",
                                       .header = "runs",
                                       .kind = VKM_COLUMN_TEXT,
                                       .print = vkm_html_print_nothing,
                                       .draw = draw_runs};

/* The columns for people, with the drawing behind the verdict. */
static void append_rows(struct page *page, const struct vkm_panel *panel) {
  enum { MOST = 24 };
  const struct vkm_column *columns[MOST];
  struct vkm_sheet sheet = vkm_sheet_of_compared_noted(panel);
  size_t count = 0;
  for (size_t i = 0; i < sheet.column_count && count + 1 < MOST; i++) {
    bool last = i + 1 == sheet.column_count;
    if (last) {
      columns[count++] = &RUNS;
    }
    columns[count++] = sheet.columns[i];
  }
  sheet.columns = columns;
  sheet.column_count = count;
  vkm_compare_heading_rest(panel, page->settings, &sheet.shown, &page->part);
  vkm_html_sheet(page->text, &sheet, "rows of both sides", page->settings);
  vkm_html_sentence(page->text, "p", "faint", &page->part);
}

static void append_panel_head(struct page *page, const struct vkm_panel *panel) {
  const struct vkm_view_settings *settings = page->settings;
  const char *device = vkm_compare_device(panel);
  vkm_sheet_name(device != NULL ? device : "no device", settings, &page->part);
  vkm_html_sentence(page->text, "h2", NULL, &page->part);
  for (int side = 0; side < VKM_SIDES; side++) {
    vkm_compare_heading_side(page->comparison, panel, side, settings, &page->part);
    vkm_html_sentence(page->text, "p", NULL, &page->part);
  }
  vkm_sheet_name(panel->incomparable_because, settings, &page->part);
  vkm_html_sentence(page->text, "p", "warning", &page->part);
  vkm_sheet_name(panel->allowed, settings, &page->part);
  vkm_html_sentence(page->text, "p", "warning", &page->part);
  if (panel->comparable) {
    vkm_compare_heading_limits(page->comparison, panel, settings, &page->part);
    vkm_html_sentence(page->text, "p", "faint", &page->part);
  }
  vkm_compare_heading_single(panel, settings, &page->part);
  vkm_html_sentence(page->text, "p", NULL, &page->part);
}

static void append_panel_foot(struct page *page, const struct vkm_panel *panel) {
  static void (*const sentences[])(const struct vkm_panel *, const struct vkm_view_settings *,
                                   struct vkm_text *) = {
      vkm_compare_heading_total, vkm_compare_heading_geomean, vkm_compare_heading_apart,
      vkm_compare_heading_controls};
  for (size_t i = 0; i < VKM_COUNT(sentences); i++) {
    sentences[i](panel, page->settings, &page->part);
    vkm_html_sentence(page->text, "p", NULL, &page->part);
  }
}

static void append_head(struct page *page) {
  vkm_text_string(&page->part, "vkmeter compare");
  vkm_html_sentence(page->text, "h1", NULL, &page->part);
  vkm_compare_heading_verdicts(page->comparison->verdict_counts, &page->part);
  vkm_html_sentence(page->text, "p", "lead", &page->part);
  vkm_compare_heading_gate(&page->comparison->gate, &page->part);
  vkm_html_sentence(page->text, "p", page->comparison->gate.tripped != 0 ? "warning" : NULL,
                    &page->part);
  for (int side = 0; side < VKM_SIDES; side++) {
    vkm_compare_heading_errors(page->comparison->sides[side], page->settings, &page->part);
    vkm_html_sentence(page->text, "p", "warning", &page->part);
  }
}

void vkm_compare_html(const struct vkm_comparison *comparison,
                      const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_view_settings utf8 = *settings; /* as the page says of itself */
  utf8.ascii = false;
  struct page page = {.comparison = comparison, .settings = &utf8, .text = text};
  vkm_text_init(&page.part, SIZE_MAX);
  vkm_html_begin(text, "vkmeter compare", false);
  append_head(&page);
  for (size_t i = 0; i < comparison->panel_count; i++) {
    append_panel_head(&page, &comparison->panels[i]);
    if (comparison->panels[i].row_count > 0) {
      append_rows(&page, &comparison->panels[i]);
    }
    append_panel_foot(&page, &comparison->panels[i]);
  }
  vkm_text_string(
      &page.part,
      "Code: = shader code and group counts are the same, * they have changed. Runs: a "
      "line a run, thick at their median, base above and new below. vkmeter " VKM_VERSION);
  vkm_html_sentence(text, "footer", "faint", &page.part);
  vkm_html_end(text, false);
  vkm_text_finish(&page.part);
}
