/* The report as a table for people. In: a report. Out: aligned text. Next: stdout. */
#include <string.h>

#include "views/grid.h"
#include "views/heading.h"
#include "views/tables.h"
#include "views/term.h"

static void pad(struct vkm_text *text, size_t columns) {
  for (size_t i = 0; i < columns; i++) {
    vkm_text_append(text, " ", 1);
  }
}

/* Blanks are kept back until something follows them: no line ends in blanks. */
struct line {
  struct vkm_text *text;
  size_t blanks;
};

static void put(struct line *line, const struct vkm_grid *grid, const struct vkm_grid_cell *cell,
                size_t left, size_t right) {
  line->blanks += left;
  if (cell->length > 0) {
    pad(line->text, line->blanks);
    vkm_text_append(line->text, grid->text.data + cell->offset, cell->length);
    line->blanks = 0;
  }
  line->blanks += right;
}

static void put_cell(struct line *line, const struct vkm_grid *grid, size_t index,
                     const struct vkm_grid_cell *cell, bool is_label) {
  const struct vkm_grid_column *column = &grid->columns[index];
  size_t shown = cell->before + cell->after;
  line->blanks += index > 0 ? 2 : 0;
  if (column->column->kind == VKM_COLUMN_TEXT) {
    put(line, grid, cell, 0, column->width - shown);
  } else if (is_label) {
    put(line, grid, cell, column->width - shown, 0);
  } else {
    size_t right = column->after - cell->after;
    put(line, grid, cell, column->width - shown - right, right);
  }
}

/* The name column's label stands beside the units, so that the line above stays free for long
 * headers. */
static void append_labels(const struct vkm_grid *grid, bool units, struct vkm_text *text) {
  static const struct vkm_grid_cell none = {0, 0, 0, 0};
  struct line line = {text, 0};
  for (size_t i = 0; i < grid->column_count; i++) {
    const struct vkm_grid_column *column = &grid->columns[i];
    bool is_text = column->column->kind == VKM_COLUMN_TEXT;
    const struct vkm_grid_cell *cell = units ? &column->unit : &column->header;
    if (is_text) {
      cell = units ? &column->header : &none;
    }
    put_cell(&line, grid, i, cell, true);
  }
}

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

static void append_rows(const struct vkm_section *section, size_t shown,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_grid grid;
  bool good = vkm_grid_init(&grid, section, shown, settings);
  text->failed = text->failed || !good;
  for (int units = 0; good && units < 2; units++) {
    vkm_term_style(text, settings, VKM_STYLE_STRONG);
    append_labels(&grid, units, text);
    vkm_term_style(text, settings, VKM_STYLE_PLAIN);
    vkm_text_string(text, "\n");
  }
  for (size_t row = 0; good && row < shown; row++) {
    struct line line = {text, 0};
    for (size_t i = 0; i < grid.column_count; i++) {
      put_cell(&line, &grid, i, &grid.cells[row][i], false);
    }
    vkm_text_string(text, "\n");
  }
  vkm_grid_finish(&grid);
}

static void report(const struct vkm_report *report, const struct vkm_view_settings *settings,
                   struct vkm_text *text) {
  for (size_t i = 0; i < report->section_count; i++) {
    const struct vkm_section *section = &report->sections[i];
    bool all = settings->top == 0 || settings->top > section->row_count;
    size_t shown = all ? section->row_count : settings->top;
    vkm_text_string(text, i > 0 ? "\n" : "");
    append_head(section, settings, text);
    if (section->row_count > 0) {
      vkm_text_string(text, "\n");
      append_rows(section, shown, settings, text);
      append_foot(section, shown, settings, text);
    }
  }
  if (report->section_count == 0) {
    vkm_text_string(text, "no Vulkan device was used\n");
  }
}

const struct vkm_view vkm_view_table = {"table", "aligned text for people (default)", false, report,
                                        NULL};
