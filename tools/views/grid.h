/* Cells of a table before they are laid out. Main thread. */
#ifndef VKM_TOOLS_VIEWS_GRID_H
#define VKM_TOOLS_VIEWS_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "views/columns.h"

struct vkm_grid_cell {
  size_t offset, length; /* in the grid's text */
  size_t before, after;  /* terminal columns up to the decimal point, and from it on */
};

enum { VKM_GRID_COLUMNS_MAX = 16 };

struct vkm_grid_column {
  const struct vkm_column *column;
  struct vkm_grid_cell header, unit;
  size_t before, after; /* largest of the cells */
  size_t width;         /* of the whole column */
};

struct vkm_grid {
  struct vkm_text text; /* all cells behind each other; owned */
  struct vkm_grid_column columns[VKM_GRID_COLUMNS_MAX];
  size_t column_count;
  struct vkm_grid_cell (*cells)[VKM_GRID_COLUMNS_MAX]; /* of each row; owned */
  size_t row_count;
};

/* Fills the grid with the first `row_count` rows of the section. With settings->width, names are
 * cut so that lines fit. False: out of memory; finish is needed in any case. */
bool vkm_grid_init(struct vkm_grid *grid, const struct vkm_section *section, size_t row_count,
                   const struct vkm_view_settings *settings) __attribute__((warn_unused_result));
void vkm_grid_finish(struct vkm_grid *grid);

#endif
