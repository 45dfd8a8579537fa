/* A sheet as a Markdown table. In: a sheet. Out: a pipe table in GitHub's form. Next: md. */
#include <string.h>

#include "views/grid.h"
#include "views/sheet.h"
#include "views/units.h"

/* GitHub refuses a summary above 1,024 KiB as a whole. Rows end at 900, sentences come on top. */
enum { LIMIT_BYTES = 921600, SENTENCES_BYTES = 16384 };

size_t vkm_md_limit(const struct vkm_view_settings *settings) {
  size_t taken = settings->bytes_before + SENTENCES_BYTES;
  return taken < LIMIT_BYTES ? LIMIT_BYTES - taken : 0;
}

void vkm_md_left_out(size_t count, struct vkm_text *text) {
  if (count > 0) {
    vkm_format_count(text, count);
    vkm_text_string(text, count == 1 ? " row was" : " rows were");
    vkm_text_string(text, " left out: a summary holds 900 KiB; write another format to a file for "
                          "all of them");
  }
}

/* An & could make another character of what follows, an @ would call somebody. */
void vkm_md_escaped(struct vkm_text *text, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    switch (bytes[i]) {
    case '<':
      vkm_text_string(text, "&lt;");
      break;
    case '&':
      vkm_text_string(text, "&amp;");
      break;
    case '@':
      vkm_text_string(text, "&#64;");
      break;
    default:
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
  vkm_md_escaped(text, grid->text.data + cell->offset, cell->length);
  vkm_text_string(text, cell->length > 0 ? " |" : "|");
}

static void append_labels(const struct vkm_grid *grid, struct vkm_text *text) {
  vkm_text_string(text, "|");
  for (size_t i = 0; i < grid->column_count; i++) {
    const struct vkm_grid_column *column = &grid->columns[i];
    vkm_text_string(text, " ");
    vkm_md_escaped(text, grid->text.data + column->header.offset, column->header.length);
    if (column->unit.length > 0) {
      vkm_text_string(text, column->header.length > 0 ? ", " : "");
      vkm_md_escaped(text, grid->text.data + column->unit.offset, column->unit.length);
    }
    vkm_text_string(text, " |");
  }
  vkm_text_string(text, "\n|");
  for (size_t i = 0; i < grid->column_count; i++) {
    const struct vkm_column *column = grid->columns[i].column;
    bool left = column->kind == VKM_COLUMN_TEXT && !column->right;
    vkm_text_string(text, left ? " :-- |" : " --: |");
  }
  vkm_text_string(text, "\n");
}

static void append_row(const struct vkm_grid *grid, size_t row, struct vkm_text *text) {
  vkm_text_string(text, "|");
  for (size_t i = 0; i < grid->column_count; i++) {
    append_cell(text, grid, vkm_grid_at(grid, row, i));
  }
  vkm_text_string(text, "\n");
}

void vkm_sheet_md(const struct vkm_sheet *sheet, const struct vkm_view_settings *settings,
                  struct vkm_text *text) {
  vkm_sheet_md_within(sheet, settings, SIZE_MAX, text);
}

size_t vkm_sheet_md_within(const struct vkm_sheet *sheet, const struct vkm_view_settings *settings,
                           size_t limit_bytes, struct vkm_text *text) {
  struct vkm_view_settings whole = *settings;
  whole.width = 0;
  struct vkm_grid grid;
  bool good = vkm_grid_init(&grid, sheet, &whole);
  text->failed = text->failed || !good;
  if (good) {
    append_labels(&grid, text);
  }
  size_t row = 0;
  for (; good && row < grid.row_count; row++) {
    size_t before = text->length_bytes;
    append_row(&grid, row, text);
    if (text->length_bytes > limit_bytes) {
      vkm_text_cut(text, before);
      break;
    }
  }
  vkm_grid_finish(&grid);
  return row;
}
