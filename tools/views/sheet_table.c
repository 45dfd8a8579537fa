/* A sheet as an aligned table. In: a sheet. Out: labels, then rows. Next: the view table. */
#include "views/grid.h"
#include "views/sheet.h"

/* Blanks are kept back until something follows them: no line ends in blanks. */
struct line {
  struct vkm_text *text;
  const struct vkm_view_settings *settings;
  size_t blanks;
};

static void put(struct line *line, const struct vkm_grid *grid, const struct vkm_grid_cell *cell,
                enum vkm_style style, size_t left, size_t right) {
  line->blanks += left;
  if (cell->length > 0) {
    for (; line->blanks > 0; line->blanks--) {
      vkm_text_append(line->text, " ", 1);
    }
    if (style != VKM_STYLE_PLAIN) {
      vkm_term_style(line->text, line->settings, style);
    }
    vkm_text_append(line->text, grid->text.data + cell->offset, cell->length);
    if (style != VKM_STYLE_PLAIN) {
      vkm_term_style(line->text, line->settings, VKM_STYLE_PLAIN);
    }
  }
  line->blanks += right;
}

static void put_cell(struct line *line, const struct vkm_grid *grid, size_t index,
                     const struct vkm_grid_cell *cell, enum vkm_style style, bool is_label) {
  const struct vkm_grid_column *column = &grid->columns[index];
  bool left = column->column->kind == VKM_COLUMN_TEXT && !column->column->right;
  size_t shown = cell->before + cell->after;
  line->blanks += index > 0 ? 2 : 0;
  if (left) {
    put(line, grid, cell, style, 0, column->width - shown);
  } else if (is_label) {
    put(line, grid, cell, style, column->width - shown, 0);
  } else {
    size_t right = column->after - cell->after;
    put(line, grid, cell, style, column->width - shown - right, right);
  }
}

/* The label of a text stands beside the units, so that the line above stays free for long headers.
 */
static void append_labels(const struct vkm_grid *grid, bool units,
                          const struct vkm_view_settings *settings, struct vkm_text *text) {
  static const struct vkm_grid_cell none = {0, 0, 0, 0};
  struct line line = {text, settings, 0};
  vkm_term_style(text, settings, VKM_STYLE_STRONG);
  for (size_t i = 0; i < grid->column_count; i++) {
    const struct vkm_grid_column *column = &grid->columns[i];
    bool is_text = column->column->kind == VKM_COLUMN_TEXT;
    const struct vkm_grid_cell *cell = units ? &column->unit : &column->header;
    if (is_text) {
      cell = units ? &column->header : &none;
    }
    put_cell(&line, grid, i, cell, VKM_STYLE_PLAIN, true);
  }
  vkm_term_style(text, settings, VKM_STYLE_PLAIN);
  vkm_text_string(text, "\n");
}

static void append_row(const struct vkm_sheet *sheet, const struct vkm_grid *grid, size_t index,
                       const struct vkm_view_settings *settings, struct vkm_text *text) {
  const void *row = vkm_sheet_row(sheet, index);
  enum vkm_style whole = sheet->style != NULL ? sheet->style(row) : VKM_STYLE_PLAIN;
  struct line line = {text, settings, 0};
  for (size_t i = 0; i < grid->column_count; i++) {
    const struct vkm_column *column = grid->columns[i].column;
    enum vkm_style style = column->style != NULL ? column->style(row) : whole;
    put_cell(&line, grid, i, vkm_grid_at(grid, index, i), style, false);
  }
  vkm_text_string(text, "\n");
}

void vkm_sheet_table(const struct vkm_sheet *sheet, const struct vkm_view_settings *settings,
                     struct vkm_text *text) {
  struct vkm_grid grid;
  if (vkm_grid_init(&grid, sheet, settings)) {
    append_labels(&grid, false, settings, text);
    append_labels(&grid, true, settings, text);
    for (size_t i = 0; i < grid.row_count; i++) {
      append_row(sheet, &grid, i, settings, text);
    }
  } else {
    text->failed = true;
  }
  vkm_grid_finish(&grid);
}
