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

static void print_cell(struct vkm_grid *grid, const struct vkm_row *row, size_t index,
                       const struct vkm_units *units, const struct vkm_view_settings *settings) {
  const struct vkm_column *column = grid->columns[index].column;
  size_t begin = grid->text.length_bytes;
  vkm_column_print(column, row, units, settings, &grid->text);
  struct vkm_grid_cell *cell = &grid->cells[grid->row_count][index];
  *cell = cell_since(grid, begin, column->kind != VKM_COLUMN_TEXT);
  grid->columns[index].before = larger(grid->columns[index].before, cell->before);
  grid->columns[index].after = larger(grid->columns[index].after, cell->after);
}

static void settle_widths(struct vkm_grid *grid) {
  for (size_t i = 0; i < grid->column_count; i++) {
    struct vkm_grid_column *column = &grid->columns[i];
    size_t labels = larger(column->header.before, column->unit.before);
    column->width = larger(larger(column->before + column->after, labels), column->column->width);
  }
}

/* Cuts the names (column 0) when the lines are too wide for the terminal. */
static void fit(struct vkm_grid *grid, const struct vkm_section *section,
                const struct vkm_view_settings *settings) {
  size_t line = 0;
  for (size_t i = 0; i < grid->column_count; i++) {
    line += grid->columns[i].width + (i > 0 ? GAP : 0);
  }
  struct vkm_grid_column *names = &grid->columns[0];
  if (settings->width == 0 || line <= settings->width) {
    return;
  }
  size_t excess = line - settings->width;
  size_t most = names->width > excess + LEAST_NAME ? names->width - excess : LEAST_NAME;
  names->before = 0;
  for (size_t row = 0; row < grid->row_count; row++) {
    size_t begin = grid->text.length_bytes;
    vkm_term_name(&grid->text, section->rows[row].name, most, settings->ascii);
    struct vkm_grid_cell *cell = &grid->cells[row][0];
    *cell = cell_since(grid, begin, false);
    names->before = larger(names->before, cell->before);
  }
  settle_widths(grid);
}

static void choose_columns(struct vkm_grid *grid, const struct vkm_section *section,
                           const struct vkm_units *units,
                           const struct vkm_view_settings *settings) {
  for (size_t i = 0; i < vkm_table_column_count && i < VKM_GRID_COLUMNS_MAX; i++) {
    const struct vkm_column *column = vkm_table_columns[i];
    if (column->shown != NULL && !column->shown(section)) {
      continue;
    }
    struct vkm_grid_column *chosen = &grid->columns[grid->column_count++];
    chosen->column = column;
    chosen->header = label(grid, settings->ascii ? column->ascii : column->header);
    chosen->unit = label(grid, vkm_column_unit(column, units, settings));
  }
}

bool vkm_grid_init(struct vkm_grid *grid, const struct vkm_section *section, size_t row_count,
                   const struct vkm_view_settings *settings) {
  *grid = (struct vkm_grid){0};
  vkm_text_init(&grid->text, SIZE_MAX);
  grid->cells = calloc(row_count + 1, sizeof *grid->cells);
  if (grid->cells == NULL) {
    return false;
  }
  struct vkm_units units = vkm_units_for(section, settings);
  choose_columns(grid, section, &units, settings);
  for (; grid->row_count < row_count; grid->row_count++) {
    for (size_t i = 0; i < grid->column_count; i++) {
      print_cell(grid, &section->rows[grid->row_count], i, &units, settings);
    }
  }
  settle_widths(grid);
  fit(grid, section, settings);
  return !grid->text.failed;
}

void vkm_grid_finish(struct vkm_grid *grid) {
  vkm_text_finish(&grid->text);
  free(grid->cells);
}
