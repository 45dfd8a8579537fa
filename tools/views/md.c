/* The report as Markdown in GitHub's form. In: a report. Out: a pipe table. Next: stdout or a file.
 */
#include <string.h>

#include "views/grid.h"
#include "views/heading.h"
#include "views/tables.h"

/* Appends bytes so that Markdown shows them as they are. */
static void append_escaped(struct vkm_text *text, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (bytes[i] == '<') {
      vkm_text_string(text, "&lt;");
    } else {
      if (strchr("\\|`*_[]#~", bytes[i]) != NULL) {
        vkm_text_append(text, "\\", 1);
      }
      vkm_text_append(text, bytes + i, 1);
    }
  }
}

static void append_cell(struct vkm_text *text, const struct vkm_grid *grid,
                        const struct vkm_grid_cell *cell) {
  vkm_text_string(text, " ");
  append_escaped(text, grid->text.data + cell->offset, cell->length);
  vkm_text_string(text, cell->length > 0 ? " |" : "|");
}

static void append_labels(const struct vkm_grid *grid, struct vkm_text *text) {
  vkm_text_string(text, "|");
  for (size_t i = 0; i < grid->column_count; i++) {
    const struct vkm_grid_column *column = &grid->columns[i];
    vkm_text_string(text, " ");
    append_escaped(text, grid->text.data + column->header.offset, column->header.length);
    if (column->unit.length > 0) {
      vkm_text_string(text, ", ");
      append_escaped(text, grid->text.data + column->unit.offset, column->unit.length);
    }
    vkm_text_string(text, " |");
  }
  vkm_text_string(text, "\n|");
  for (size_t i = 0; i < grid->column_count; i++) {
    bool is_text = grid->columns[i].column->kind == VKM_COLUMN_TEXT;
    vkm_text_string(text, is_text ? " :-- |" : " --: |");
  }
  vkm_text_string(text, "\n");
}

static void append_rows(const struct vkm_section *section, size_t shown,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_grid grid;
  bool good = vkm_grid_init(&grid, section, shown, settings);
  text->failed = text->failed || !good;
  if (good) {
    append_labels(&grid, text);
  }
  for (size_t row = 0; good && row < shown; row++) {
    vkm_text_string(text, "|");
    for (size_t i = 0; i < grid.column_count; i++) {
      append_cell(text, &grid, &grid.cells[row][i]);
    }
    vkm_text_string(text, "\n");
  }
  vkm_grid_finish(&grid);
}

/* A paragraph of its own; nothing for an empty part, which is emptied. */
static void append_paragraph(struct vkm_text *part, const char *before, const char *after,
                             struct vkm_text *text) {
  if (part->length_bytes > 0) {
    vkm_text_string(text, before);
    append_escaped(text, part->data, part->length_bytes);
    vkm_text_string(text, after);
  }
  text->failed = text->failed || part->failed;
  vkm_text_clear(part);
}

static void append_section(const struct vkm_section *section,
                           const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_text part;
  vkm_text_init(&part, SIZE_MAX);
  bool all = settings->top == 0 || settings->top > section->row_count;
  size_t shown = all ? section->row_count : settings->top;
  vkm_heading_device(section, settings, &part);
  append_paragraph(&part, "### ", "\n", text);
  vkm_heading_software(section, &part);
  append_paragraph(&part, "\n**", "**\n", text);
  vkm_heading_data(section, settings, &part);
  append_paragraph(&part, "\n", "\n", text);
  if (section->row_count > 0) {
    vkm_text_string(text, "\n");
    append_rows(section, shown, settings, text);
    vkm_heading_rest(section, shown, settings, &part);
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
  struct vkm_view_settings whole = *settings;
  whole.width = 0;
  for (size_t i = 0; i < report->section_count; i++) {
    vkm_text_string(text, i > 0 ? "\n" : "");
    append_section(&report->sections[i], &whole, text);
  }
  if (report->section_count == 0) {
    vkm_text_string(text, "no Vulkan device was used\n");
  }
}

const struct vkm_view vkm_view_md = {"md", "Markdown, a GitHub table", false, report, NULL};
