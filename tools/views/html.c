/* A report as a page. In: a report. Out: HTML, every sheet that has rows, with drawings. Next: a
 * browser. */
#include <stdlib.h>
#include <string.h>

#include "views/compare_views.h"
#include "views/heading.h"
#include "views/html_page.h"
#include "views/shown.h"
#include "views/tables.h"
#include "views/trace_views.h"
#include "views/units.h"

struct page {
  const struct vkm_report *report;
  const struct vkm_view_settings *settings;
  struct vkm_text part; /* a sentence while it is made */
  struct vkm_text *text;
};

static void draw_samples(const void *at, const struct vkm_column *column,
                         const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_row *row = at;
  const struct vkm_html_lane lane = {"new", row->strip_ns, row->strip_count, row->has_figures,
                                     row->median_ns};
  struct vkm_text label;
  (void)column;
  vkm_text_init(&label, SIZE_MAX);
  if (row->has_figures) {
    vkm_format_duration(&label, row->min_ns, settings->ascii);
    vkm_text_string(&label, " … ");
    vkm_format_duration(&label, row->max_ns, settings->ascii);
  }
  vkm_html_strip(text, &lane, 1, label.length_bytes > 0 ? label.data : "");
  text->failed = text->failed || label.failed;
  vkm_text_finish(&label);
}

/* `key` is the column whose value is drawn. */
static void draw_share(const void *row, const struct vkm_column *column,
                       const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_column *share = column->key;
  double value = 0;
  (void)settings;
  if (share->value(row, share, &value)) {
    vkm_html_bar(text, value);
  }
}

static const struct vkm_column SAMPLES = {.id = "samples",
                                          .header = "samples",
                                          .kind = VKM_COLUMN_TEXT,
                                          .print = vkm_html_print_nothing,
                                          .draw = draw_samples};

/* Behind each share a bar, which takes the place of one in characters; behind the figures of a
 * kernel its samples. */
static void append_sheet(struct page *page, const struct vkm_picked *picked, bool samples) {
  struct vkm_sheet sheet = picked->sheet;
  const struct vkm_column **columns = calloc(2 * sheet.column_count + 1, sizeof *columns);
  struct vkm_column bar = {.id = "bar",
                           .header = "",
                           .kind = VKM_COLUMN_TEXT,
                           .print = vkm_html_print_nothing,
                           .draw = draw_share};
  size_t count = 0;
  page->text->failed = page->text->failed || columns == NULL;
  for (size_t i = 0; columns != NULL && i < sheet.column_count; i++) {
    const struct vkm_column *column = sheet.columns[i];
    if (strcmp(column->id, "bar") == 0) {
      continue;
    }
    columns[count++] = column;
    if (strcmp(column->id, "share") == 0) {
      bar.key = column;
      columns[count++] = &bar;
    }
  }
  if (columns != NULL) {
    if (samples) {
      columns[count++] = &SAMPLES;
    }
    sheet.columns = columns;
    sheet.column_count = count;
    vkm_html_sheet(page->text, &sheet, sheet.id, page->settings);
  }
  free(columns);
}

static void append_picked(struct page *page, const struct vkm_picked *picked,
                          enum vkm_sheet_id id) {
  if (picked->sheet.row_count == 0) {
    return;
  }
  vkm_text_string(&page->part, picked->sheet.id);
  vkm_html_sentence(page->text, "h3", NULL, &page->part);
  vkm_heading_filter(picked, &page->part);
  vkm_html_sentence(page->text, "p", NULL, &page->part);
  append_sheet(page, picked, id == VKM_SHEET_KERNELS);
  vkm_heading_rest(picked, page->settings, &page->part);
  vkm_html_sentence(page->text, "p", "faint", &page->part);
}

static void append_section(struct page *page, const struct vkm_section *section) {
  struct vkm_shown shown;
  vkm_heading_device(section, page->settings, &page->part);
  vkm_html_sentence(page->text, "h2", NULL, &page->part);
  vkm_heading_software(section, &page->part);
  vkm_html_sentence(page->text, "p", "warning", &page->part);
  vkm_heading_data(section, page->settings, &page->part);
  vkm_html_sentence(page->text, "p", NULL, &page->part);
  bool good = vkm_shown_init(&shown, page->report, section, page->settings, false);
  page->text->failed = page->text->failed || !good;
  for (size_t i = 0; good && i < shown.count; i++) {
    append_picked(page, &shown.items[i], shown.ids[i]);
    if (shown.ids[i] == VKM_SHEET_KERNELS) {
      vkm_heading_warmup(section, &page->part);
      vkm_html_sentence(page->text, "p", "faint", &page->part);
      vkm_heading_first_use(section, &page->part);
      vkm_html_sentence(page->text, "p", "faint", &page->part);
    }
  }
  vkm_shown_finish(&shown);
}

static void append_whole(struct page *page) {
  struct vkm_shown shown;
  bool good = vkm_shown_init(&shown, page->report, NULL, page->settings, false);
  page->text->failed = page->text->failed || !good;
  for (size_t i = 0; good && i < shown.count && shown.items[i].sheet.row_count > 0; i++) {
    vkm_heading_breakdown(&page->report->breakdown, page->settings, &page->part);
    vkm_html_sentence(page->text, "h2", NULL, &page->part);
    append_sheet(page, &shown.items[i], false);
    vkm_heading_overlaps(&page->report->breakdown, page->settings, &page->part);
    vkm_html_sentence(page->text, "p", "faint", &page->part);
  }
  vkm_shown_finish(&shown);
}

/* A page holds all rows and sheets unless others were asked for: it is searched, not read. */
static struct vkm_view_settings whole(const struct vkm_view_settings *asked) {
  struct vkm_view_settings settings = *asked;
  const struct vkm_pick *pick = &asked->pick;
  settings.ascii = false; /* as the page says of itself */
  settings.top = asked->top_given ? asked->top : 0;
  if (pick->sheets == 0 && pick->group == 0 && pick->filter_count == 0 && pick->columns == NULL) {
    settings.pick.sheets = (1u << VKM_SHEET_COUNT) - 1;
  }
  return settings;
}

static void report(const struct vkm_report *report, const struct vkm_view_settings *asked,
                   struct vkm_text *text) {
  struct vkm_view_settings settings = whole(asked);
  struct page page = {.report = report, .settings = &settings, .text = text};
  vkm_text_init(&page.part, SIZE_MAX);
  bool timeline = report->timeline != NULL && report->timeline->timeline->any;
  vkm_html_begin(text, "vkmeter report", timeline);
  vkm_text_string(&page.part, "vkmeter report");
  vkm_html_sentence(text, "h1", NULL, &page.part);
  vkm_heading_failed(report, &settings, &page.part);
  vkm_html_sentence(text, "p", "warning", &page.part);
  for (size_t i = 0; i < report->section_count; i++) {
    append_section(&page, &report->sections[i]);
  }
  if (report->section_count == 0 && report->breakdown.process_count > 0) {
    vkm_text_string(&page.part, "no Vulkan device was used");
    vkm_html_sentence(text, "p", "lead", &page.part);
  }
  append_whole(&page);
  if (timeline) {
    vkm_trace_html_part(report->timeline, asked, text);
  }
  vkm_text_string(&page.part, "Samples: a line each, from the least to the largest, thick at the "
                              "median; of many, some are shown. vkmeter " VKM_VERSION);
  vkm_html_sentence(text, "footer", "faint", &page.part);
  vkm_html_end(text, timeline);
  vkm_text_finish(&page.part);
}

const struct vkm_view vkm_view_html = {
    "html", "one page that needs no network: sort, filter, print", false, report, vkm_compare_html,
    NULL};
