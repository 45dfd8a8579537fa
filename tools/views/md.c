/* The report as Markdown in GitHub's form. In: a report. Out: a pipe table. Next: stdout or a file.
 */
#include "views/compare_views.h"
#include "views/heading.h"
#include "views/matrix_views.h"
#include "views/shown.h"
#include "views/tables.h"

/* A paragraph of its own; nothing for an empty part, which is emptied. */
static void append_paragraph(struct vkm_text *part, const char *before, const char *after,
                             struct vkm_text *text) {
  if (part->length_bytes > 0) {
    vkm_text_string(text, before);
    vkm_md_escaped(text, part->data, part->length_bytes);
    vkm_text_string(text, after);
  }
  text->failed = text->failed || part->failed;
  vkm_text_clear(part);
}

static void append_sheet(const struct vkm_picked *picked, const struct vkm_view_settings *settings,
                         struct vkm_text *part, struct vkm_text *text) {
  vkm_heading_filter(picked, part);
  append_paragraph(part, "\n**", "**\n", text);
  if (picked->sheet.shown > 0) {
    vkm_text_string(text, "\n");
    size_t shown = vkm_sheet_md_within(&picked->sheet, settings, vkm_md_limit(settings), text);
    vkm_md_left_out(picked->sheet.shown - shown, part);
    append_paragraph(part, "\n**", "**\n", text);
  }
  vkm_heading_rest(picked, settings, part);
  append_paragraph(part, "\n", "\n", text);
}

static void append_section(const struct vkm_report *report, const struct vkm_section *section,
                           const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_text part;
  struct vkm_shown shown;
  vkm_text_init(&part, SIZE_MAX);
  vkm_heading_device(section, settings, &part);
  append_paragraph(&part, "### ", "\n", text);
  vkm_heading_software(section, &part);
  append_paragraph(&part, "\n**", "**\n", text);
  vkm_heading_data(section, settings, &part);
  append_paragraph(&part, "\n", "\n", text);
  bool good = vkm_shown_init(&shown, report, section, settings, false);
  text->failed = text->failed || !good;
  for (size_t i = 0; good && i < shown.count; i++) {
    append_sheet(&shown.items[i], settings, &part, text);
    if (shown.ids[i] == VKM_SHEET_KERNELS) {
      vkm_heading_warmup(section, &part);
      append_paragraph(&part, "\n", "\n", text);
      vkm_heading_first_use(section, &part);
      append_paragraph(&part, "\n", "\n", text);
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
    vkm_heading_breakdown(&report->breakdown, settings, &part);
    append_paragraph(&part, "\n", "\n", text);
    append_sheet(&shown.items[i], settings, &part, text);
    vkm_heading_overlaps(&report->breakdown, settings, &part);
    append_paragraph(&part, "\n", "\n", text);
  }
  vkm_shown_finish(&shown);
  vkm_text_finish(&part);
}

static void report(const struct vkm_report *report, const struct vkm_view_settings *settings,
                   struct vkm_text *text) {
  struct vkm_text failed;
  vkm_text_init(&failed, SIZE_MAX);
  vkm_heading_failed(report, settings, &failed);
  append_paragraph(&failed, "**", "**\n\n", text);
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

const struct vkm_view vkm_view_md = {
    "md", "Markdown, a GitHub table", false, report, vkm_compare_md, vkm_matrix_md};
