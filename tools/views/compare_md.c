/* A comparison as Markdown in GitHub's form. In: a judged comparison. Out: verdicts, the rows that
 * differ, the others folded. Next: the summary of a step, or a comment. */
#include "model/side.h"
#include "views/compare_heading.h"
#include "views/compare_sheet.h"
#include "views/compare_views.h"
#include "views/heading.h"
#include "views/sheet.h"
#include "views/units.h"

struct page {
  const struct vkm_comparison *comparison;
  const struct vkm_view_settings *settings;
  size_t rows_limit_bytes;
  size_t left_out;
  struct vkm_text part; /* a sentence while it is made */
  struct vkm_text *text;
};

/* A paragraph of its own; nothing for an empty part, which is emptied. */
static void paragraph(struct page *page, const char *before, const char *after) {
  if (page->part.length_bytes > 0) {
    vkm_text_string(page->text, before);
    vkm_md_escaped(page->text, page->part.data, page->part.length_bytes);
    vkm_text_string(page->text, after);
  }
  page->text->failed = page->text->failed || page->part.failed;
  vkm_text_clear(&page->part);
}

static void append_rows(struct page *page, struct vkm_sheet sheet, size_t first, size_t count) {
  sheet.rows = vkm_sheet_row(&sheet, first);
  sheet.row_count = count;
  sheet.shown = count;
  size_t shown = vkm_sheet_md_within(&sheet, page->settings, page->rows_limit_bytes, page->text);
  page->left_out += count - shown;
}

/* Rows that are the same come last. */
static void append_tables(struct page *page, const struct vkm_panel *panel) {
  size_t shown = 0;
  vkm_compare_heading_rest(panel, page->settings, &shown, &page->part);
  size_t changed = panel->row_count - panel->verdict_counts[VKM_VERDICT_SAME];
  changed = changed < shown ? changed : shown;
  size_t same = shown - changed;
  struct vkm_sheet sheet = vkm_sheet_of_compared_verdicts(panel);
  if (changed > 0) {
    vkm_text_string(page->text, "\n");
    append_rows(page, sheet, 0, changed);
  }
  if (same > 0) {
    vkm_text_string(page->text, "\n<details><summary>");
    vkm_heading_plural(page->text, same, "row", "rows");
    vkm_text_string(page->text, " SAME</summary>\n\n");
    append_rows(page, sheet, changed, same);
    vkm_text_string(page->text, "\n</details>\n");
  }
  paragraph(page, "\n", "\n");
}

static void append_figures(struct page *page, const struct vkm_panel *panel) {
  const struct vkm_view_settings *settings = page->settings;
  vkm_compare_heading_total(panel, settings, &page->part);
  paragraph(page, "\n**", "**\n");
  vkm_compare_heading_geomean(panel, settings, &page->part);
  paragraph(page, "\n", "\n");
  vkm_compare_heading_apart(panel, settings, &page->part);
  paragraph(page, "\n", "\n");
  vkm_compare_heading_renamed(panel, settings, &page->part);
  paragraph(page, "\n", "\n");
  vkm_compare_heading_controls(panel, settings, &page->part);
  paragraph(page, "\n", "\n");
  vkm_compare_heading_single(panel, settings, &page->part);
  paragraph(page, "\n", "\n");
}

static void append_panel(struct page *page, const struct vkm_panel *panel) {
  for (int side = 0; side < VKM_SIDES; side++) {
    vkm_compare_heading_side(page->comparison, panel, side, page->settings, &page->part);
    paragraph(page, side == VKM_BASE ? "\n" : "", side == VKM_BASE ? "<br>\n" : "\n");
  }
  if (panel->incomparable_because != NULL) {
    vkm_sheet_name(panel->incomparable_because, page->settings, &page->part);
    paragraph(page, "\n**", "**\n");
  }
  if (panel->allowed != NULL) {
    vkm_sheet_name(panel->allowed, page->settings, &page->part);
    paragraph(page, "\n**", "**\n");
  }
  append_tables(page, panel);
  append_figures(page, panel);
}

static void append_head(struct page *page) {
  vkm_text_string(&page->part, "vkmeter compare: ");
  vkm_compare_heading_verdicts(page->comparison->verdict_counts, &page->part);
  paragraph(page, "### ", "\n");
  vkm_compare_heading_gate(&page->comparison->gate, &page->part);
  paragraph(page, "\n**", "**\n");
  for (int side = 0; side < VKM_SIDES; side++) {
    vkm_compare_heading_errors(page->comparison->sides[side], page->settings, &page->part);
    paragraph(page, "\n**", "**\n");
  }
}

static void append_foot(struct page *page) {
  vkm_md_left_out(page->left_out, &page->part);
  paragraph(page, "\n**", "**\n");
  const struct vkm_panel none = {0};
  const struct vkm_panel *panel =
      page->comparison->panel_count > 0 ? &page->comparison->panels[0] : &none;
  vkm_compare_heading_limits(page->comparison, panel, page->settings, &page->part);
  vkm_text_string(&page->part, "; code = is unchanged, * has changed; vkmeter " VKM_VERSION);
  paragraph(page, "\n<sub>", "</sub>\n");
}

void vkm_compare_md(const struct vkm_comparison *comparison,
                    const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct page page = {.comparison = comparison, .settings = settings, .text = text};
  page.rows_limit_bytes = vkm_md_limit(settings);
  vkm_text_init(&page.part, SIZE_MAX);
  append_head(&page);
  for (size_t i = 0; i < comparison->panel_count; i++) {
    append_panel(&page, &comparison->panels[i]);
  }
  append_foot(&page);
  vkm_text_finish(&page.part);
}
