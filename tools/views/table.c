/* The report as a table for people. In: a report. Out: aligned text. Next: stdout. */
#include "views/compare_views.h"
#include "views/heading.h"
#include "views/sheets.h"
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

static void append_foot(const struct vkm_section *section, size_t shown,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_text part;
  vkm_text_init(&part, SIZE_MAX);
  vkm_heading_rest(section, shown, settings, &part);
  append_styled(settings, VKM_STYLE_FAINT, &part, text);
  if (section->warmup_count > 0 || section->only_first_use_count > 0) {
    vkm_text_string(text, "\n");
  }
  vkm_text_clear(&part);
  vkm_heading_warmup(section, &part);
  append_styled(settings, VKM_STYLE_FAINT, &part, text);
  vkm_text_clear(&part);
  vkm_heading_first_use(section, &part);
  append_styled(settings, VKM_STYLE_FAINT, &part, text);
  vkm_text_finish(&part);
}

static void report(const struct vkm_report *report, const struct vkm_view_settings *settings,
                   struct vkm_text *text) {
  for (size_t i = 0; i < report->section_count; i++) {
    const struct vkm_section *section = &report->sections[i];
    struct vkm_sheet kernels = vkm_sheet_of_kernels(section);
    kernels.shown = vkm_sheet_top(section->row_count, settings->top);
    vkm_text_string(text, i > 0 ? "\n" : "");
    append_head(section, settings, text);
    if (section->row_count > 0) {
      vkm_text_string(text, "\n");
      vkm_sheet_table(&kernels, settings, text);
      append_foot(section, kernels.shown, settings, text);
    }
  }
  if (report->section_count == 0) {
    vkm_text_string(text, "no Vulkan device was used\n");
  }
}

const struct vkm_view vkm_view_table = {"table", "aligned text for people (default)", false, report,
                                        vkm_compare_table};
