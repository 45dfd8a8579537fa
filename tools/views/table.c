/* The report as a table for people. In: a report. Out: aligned text. Next: stdout. */
#include "views/compare_views.h"
#include "views/heading.h"
#include "views/matrix_views.h"
#include "views/shown.h"
#include "views/tables.h"
#include "views/term.h"

static void append_styled(const struct vkm_view_settings *settings, enum vkm_style style,
                          const struct vkm_text *part, struct vkm_text *text) {
  if (part->length_bytes > 0) {
    vkm_term_style(text, settings, style);
    vkm_text_append(text, part->data, part->length_bytes);
    vkm_term_style(text, settings, VKM_STYLE_PLAIN);
    vkm_text_string(text, "\n");
  }
  text->failed = text->failed || part->failed;
}

static void append_head(const struct vkm_section *section, const struct vkm_view_settings *settings,
                        struct vkm_text *text) {
  struct vkm_text part;
  vkm_text_init(&part, SIZE_MAX);
  vkm_heading_device(section, settings, &part);
  append_styled(settings, VKM_STYLE_STRONG, &part, text);
  vkm_text_clear(&part);
  vkm_heading_software(section, &part);
  append_styled(settings, VKM_STYLE_WARN, &part, text);
  vkm_text_clear(&part);
  vkm_heading_data(section, settings, &part);
  vkm_text_string(&part, "\n");
  vkm_text_append(text, part.data, part.length_bytes);
  vkm_text_finish(&part);
}

/* A line of its own; nothing for an empty part, which is emptied. */
static void append_part(const struct vkm_view_settings *settings, enum vkm_style style,
                        struct vkm_text *part, struct vkm_text *text) {
  append_styled(settings, style, part, text);
  vkm_text_clear(part);
}

static void append_foot(const struct vkm_section *section, const struct vkm_view_settings *settings,
                        struct vkm_text *part, struct vkm_text *text) {
  if (section->warmup_count > 0 || section->only_first_use_count > 0) {
    vkm_text_string(text, "\n");
  }
  vkm_heading_warmup(section, part);
  append_part(settings, VKM_STYLE_FAINT, part, text);
  vkm_heading_first_use(section, part);
  append_part(settings, VKM_STYLE_FAINT, part, text);
}

static void append_sheet(const struct vkm_picked *picked, const struct vkm_view_settings *settings,
                         struct vkm_text *part, struct vkm_text *text) {
  vkm_text_string(text, "\n");
  vkm_heading_filter(picked, part);
  append_part(settings, VKM_STYLE_WARN, part, text);
  if (picked->sheet.shown > 0) {
    vkm_sheet_table(&picked->sheet, settings, text);
  } else if (!picked->filtered) {
    vkm_text_string(text, "no ");
    vkm_text_string(text, picked->sheet.id);
    vkm_text_string(text, "\n");
  }
  vkm_heading_rest(picked, settings, part);
  append_part(settings, VKM_STYLE_FAINT, part, text);
}

static void append_section(const struct vkm_report *report, const struct vkm_section *section,
                           const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_text part;
  struct vkm_shown shown;
  vkm_text_init(&part, SIZE_MAX);
  append_head(section, settings, text);
  bool good = vkm_shown_init(&shown, report, section, settings, false);
  text->failed = text->failed || !good;
  for (size_t i = 0; good && i < shown.count; i++) {
    bool kernels = shown.ids[i] == VKM_SHEET_KERNELS;
    if (!kernels || section->row_count > 0) {
      append_sheet(&shown.items[i], settings, &part, text);
    }
    if (kernels) {
      append_foot(section, settings, &part, text);
    }
  }
  vkm_shown_finish(&shown);
  vkm_text_finish(&part);
}

static void append_whole(const struct vkm_report *report, const struct vkm_view_settings *settings,
                         struct vkm_text *text) {
  struct vkm_text part;
  struct vkm_shown shown;
  vkm_text_init(&part, SIZE_MAX);
  bool good = vkm_shown_init(&shown, report, NULL, settings, false);
  text->failed = text->failed || !good;
  for (size_t i = 0; good && i < shown.count; i++) {
    vkm_text_string(text, "\n");
    vkm_heading_breakdown(&report->breakdown, settings, &part);
    append_part(settings, VKM_STYLE_STRONG, &part, text);
    if (shown.items[i].sheet.shown > 0) {
      vkm_sheet_table(&shown.items[i].sheet, settings, text);
      vkm_heading_overlaps(&report->breakdown, settings, &part);
      append_part(settings, VKM_STYLE_FAINT, &part, text);
    }
  }
  vkm_shown_finish(&shown);
  vkm_text_finish(&part);
}

static void report(const struct vkm_report *report, const struct vkm_view_settings *settings,
                   struct vkm_text *text) {
  struct vkm_text failed;
  vkm_text_init(&failed, SIZE_MAX);
  vkm_heading_failed(report, settings, &failed);
  append_part(settings, VKM_STYLE_WARN, &failed, text);
  vkm_text_finish(&failed);
  for (size_t i = 0; i < report->section_count; i++) {
    vkm_text_string(text, i > 0 ? "\n" : "");
    append_section(report, &report->sections[i], settings, text);
  }
  if (report->section_count == 0 && report->breakdown.process_count > 0) {
    vkm_text_string(text, "no Vulkan device was used\n");
  }
  append_whole(report, settings, text);
}

const struct vkm_view vkm_view_table = {
    "table",         "aligned text for people (default)", false, report, vkm_compare_table,
    vkm_matrix_table};
