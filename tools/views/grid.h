/* Cells of a sheet before they are laid out. Main thread. */
#ifndef VKM_TOOLS_VIEWS_GRID_H
#define VKM_TOOLS_VIEWS_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "views/sheet.h"

struct vkm_grid_cell {
  size_t offset, length; /* in the grid's text */
  size_t before, after;  /* terminal columns up to the decimal point, and from it on */
};

struct vkm_grid_column {
  const struct vkm_column *column;
  enum vkm_column_kind kind; /* of the column */
  size_t least;              /* terminal columns that it has in any case */
  enum vkm_unit unit_of;
  struct vkm_grid_cell header, unit;
  size_t before, after; /* largest of the cells */
  size_t width;         /* of the whole column */
};

struct vkm_grid {
  struct vkm_text text;            /* all cells behind each other; owned */
  struct vkm_grid_column *columns; /* those that the sheet has something for; owned */
  size_t column_count;             /* at least 1 */
  struct vkm_grid_cell *cells;     /* row by row; owned */
  size_t row_count;
};

/* Fills the grid with the rows of the sheet that are shown. With settings->width, names are cut so
 * that lines fit. False: out of memory; finish is needed in any case. */
bool vkm_grid_init(struct vkm_grid *grid, const struct vkm_sheet *sheet,
                   const struct vkm_view_settings *settings) __attribute__((warn_unused_result));
void vkm_grid_finish(struct vkm_grid *grid);

const struct vkm_grid_cell *vkm_grid_at(const struct vkm_grid *grid, size_t row, size_t column);

#endif
