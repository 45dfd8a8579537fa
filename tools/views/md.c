/* The report as Markdown in GitHub's form. In: a report. Out: a pipe table. Next: stdout or a file.
 */
#include "views/compare_views.h"
#include "views/heading.h"
#include "views/sheets.h"
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

static void append_section(const struct vkm_section *section,
                           const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_text part;
  vkm_text_init(&part, SIZE_MAX);
  struct vkm_sheet kernels = vkm_sheet_of_kernels(section);
  kernels.shown = vkm_sheet_top(section->row_count, settings->top);
  vkm_heading_device(section, settings, &part);
  append_paragraph(&part, "### ", "\n", text);
  vkm_heading_software(section, &part);
  append_paragraph(&part, "\n**", "**\n", text);
  vkm_heading_data(section, settings, &part);
  append_paragraph(&part, "\n", "\n", text);
  if (section->row_count > 0) {
    vkm_text_string(text, "\n");
    vkm_sheet_md(&kernels, settings, text);
    vkm_heading_rest(section, kernels.shown, settings, &part);
    append_paragraph(&part, "\n", "\n", text);
    vkm_heading_warmup(section, &part);
    append_paragraph(&part, "\n", "\n", text);
    vkm_heading_first_use(section, &part);
    append_paragraph(&part, "\n", "\n", text);
  }
  vkm_text_finish(&part);
}

static void report(const struct vkm_report *report, const struct vkm_view_settings *settings,
                   struct vkm_text *text) {
  for (size_t i = 0; i < report->section_count; i++) {
    vkm_text_string(text, i > 0 ? "\n" : "");
    append_section(&report->sections[i], settings, text);
  }
  if (report->section_count == 0) {
    vkm_text_string(text, "no Vulkan device was used\n");
  }
}

const struct vkm_view vkm_view_md = {"md", "Markdown, a GitHub table", false, report,
                                     vkm_compare_md};
