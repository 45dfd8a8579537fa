/* Lays out cells. In: rows, columns. Out: cells and widths. Next: table, markdown. */
#include "views/grid.h"

#include <stdlib.h>
#include <string.h>

#include "views/term.h"

enum { GAP = 2, LEAST_NAME = 12 };

static size_t point_at(const char *bytes, size_t length) {
  const char *point = memchr(bytes, '.', length);
  return point != NULL ? (size_t)(point - bytes) : length;
}

/* The cell of what was appended since `begin`. */
static struct vkm_grid_cell cell_since(const struct vkm_grid *grid, size_t begin, bool number) {
  struct vkm_grid_cell cell = {begin, grid->text.length_bytes - begin, 0, 0};
  if (cell.length == 0) {
    return cell;
  }
  const char *bytes = grid->text.data + begin;
  size_t point = number ? point_at(bytes, cell.length) : cell.length;
  cell.before = vkm_term_width(bytes, point);
  cell.after = cell.length - point;
  return cell;
}

static struct vkm_grid_cell label(struct vkm_grid *grid, const char *text) {
  size_t begin = grid->text.length_bytes;
  vkm_text_string(&grid->text, text);
  return cell_since(grid, begin, false);
}

static size_t larger(size_t left, size_t right) {
  return left > right ? left : right;
}

static struct vkm_grid_cell *cell_at(struct vkm_grid *grid, size_t row, size_t column) {
  return &grid->cells[row * grid->column_count + column];
}

const struct vkm_grid_cell *vkm_grid_at(const struct vkm_grid *grid, size_t row, size_t column) {
  return &grid->cells[row * grid->column_count + column];
}

static void print_cell(struct vkm_grid *grid, const void *row, size_t index,
                       const struct vkm_view_settings *settings) {
  struct vkm_grid_column *column = &grid->columns[index];
  size_t begin = grid->text.length_bytes;
  vkm_column_print(column->column, row, column->unit_of, settings, &grid->text);
  struct vkm_grid_cell *cell = cell_at(grid, grid->row_count, index);
  *cell = cell_since(grid, begin, column->column->kind != VKM_COLUMN_TEXT);
  column->before = larger(column->before, cell->before);
  column->after = larger(column->after, cell->after);
}

static void settle_widths(struct vkm_grid *grid) {
  for (size_t i = 0; i < grid->column_count; i++) {
    struct vkm_grid_column *column = &grid->columns[i];
    size_t labels = larger(column->header.before, column->unit.before);
    column->width = larger(larger(column->before + column->after, labels), column->least);
  }
}

/* The name is copied: the text that holds it moves when it grows. */
static bool cut(struct vkm_grid *grid, size_t row, size_t most,
                const struct vkm_view_settings *settings) {
  struct vkm_grid_cell *cell = cell_at(grid, row, 0);
  if (cell->before <= most) {
    return true;
  }
  char *name = strndup(grid->text.data + cell->offset, cell->length);
  if (name == NULL) {
    return false;
  }
  size_t begin = grid->text.length_bytes;
  vkm_term_name(&grid->text, name, most, settings->ascii);
  *cell = cell_since(grid, begin, false);
  free(name);
  return true;
}

/* Cuts the names (column 0) when the lines are too wide for the terminal. */
static bool fit(struct vkm_grid *grid, const struct vkm_view_settings *settings) {
  size_t line = 0;
  for (size_t i = 0; i < grid->column_count; i++) {
    line += grid->columns[i].width + (i > 0 ? GAP : 0);
  }
  struct vkm_grid_column *names = &grid->columns[0];
  if (settings->width == 0 || line <= settings->width || names->kind != VKM_COLUMN_TEXT) {
    return true;
  }
  size_t excess = line - settings->width;
  size_t most = names->width > excess + LEAST_NAME ? names->width - excess : LEAST_NAME;
  names->before = 0;
  bool good = !grid->text.failed;
  for (size_t row = 0; good && row < grid->row_count; row++) {
    good = cut(grid, row, most, settings);
    names->before = larger(names->before, cell_at(grid, row, 0)->before);
  }
  settle_widths(grid);
  return good;
}

static void choose_columns(struct vkm_grid *grid, const struct vkm_sheet *sheet,
                           const struct vkm_view_settings *settings) {
  for (size_t i = 0; i < sheet->column_count; i++) {
    const struct vkm_column *column = sheet->columns[i];
    if (vkm_sheet_has(sheet, column)) {
      struct vkm_grid_column *chosen = &grid->columns[grid->column_count++];
      chosen->column = column;
      chosen->kind = column->kind;
      chosen->least = column->width;
      chosen->unit_of = vkm_sheet_unit(sheet, column, settings);
      chosen->header = label(grid, vkm_column_header(column, settings));
      chosen->unit = label(grid, vkm_column_unit(column, chosen->unit_of, settings));
    }
  }
}

bool vkm_grid_init(struct vkm_grid *grid, const struct vkm_sheet *sheet,
                   const struct vkm_view_settings *settings) {
  *grid = (struct vkm_grid){0};
  vkm_text_init(&grid->text, SIZE_MAX);
  grid->columns = calloc(sheet->column_count + 1, sizeof *grid->columns);
  if (grid->columns == NULL) {
    return false;
  }
  choose_columns(grid, sheet, settings);
  grid->cells = calloc(sheet->shown * grid->column_count + 1, sizeof *grid->cells);
  if (grid->cells == NULL || grid->column_count == 0) {
    return false;
  }
  for (; grid->row_count < sheet->shown; grid->row_count++) {
    for (size_t i = 0; i < grid->column_count; i++) {
      print_cell(grid, vkm_sheet_row(sheet, grid->row_count), i, settings);
    }
  }
  settle_widths(grid);
  return fit(grid, settings) && !grid->text.failed;
}

void vkm_grid_finish(struct vkm_grid *grid) {
  vkm_text_finish(&grid->text);
  free(grid->columns);
  free(grid->cells);
}
