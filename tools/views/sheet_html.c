/* A sheet as the inside of an HTML table. In: a sheet. Out: <thead> and <tbody>. Next: html. */
#include "views/grid.h"
#include "views/sheet.h"

void vkm_html_escaped(struct vkm_text *text, const char *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    switch (bytes[i]) {
    case '&':
      vkm_text_string(text, "&amp;");
      break;
    case '<':
      vkm_text_string(text, "&lt;");
      break;
    case '>':
      vkm_text_string(text, "&gt;");
      break;
    case '"':
      vkm_text_string(text, "&quot;");
      break;
    case '\'':
      vkm_text_string(text, "&#39;");
      break;
    default:
      vkm_text_append(text, bytes + i, 1);
    }
  }
}

static void append_escaped(struct vkm_text *text, const struct vkm_grid *grid,
                           const struct vkm_grid_cell *cell) {
  vkm_html_escaped(text, grid->text.data + cell->offset, cell->length);
}

static const char *class_of(const struct vkm_column *column) {
  if (column->draw != NULL) {
    return "drawn";
  }
  if (column->wraps) {
    return "text wraps";
  }
  return column->kind == VKM_COLUMN_TEXT && !column->right ? "text" : "number";
}

static void append_labels(const struct vkm_grid *grid, struct vkm_text *text) {
  vkm_text_string(text, "<thead><tr>");
  for (size_t i = 0; i < grid->column_count; i++) {
    const struct vkm_grid_column *column = &grid->columns[i];
    vkm_text_string(text, "<th scope=\"col\" class=\"");
    vkm_text_string(text, class_of(column->column));
    vkm_text_string(text, "\" data-id=\"");
    vkm_text_string(text, column->column->id);
    vkm_text_string(text, column->column->kind != VKM_COLUMN_TEXT ? "\" data-sorts>" : "\">");
    append_escaped(text, grid, &column->header);
    if (column->unit.length > 0) {
      vkm_text_string(text, " <span class=\"unit\">");
      append_escaped(text, grid, &column->unit);
      vkm_text_string(text, "</span>");
    }
    vkm_text_string(text, "</th>");
  }
  vkm_text_string(text, "</tr></thead>\n");
}

static const char *style_of(const struct vkm_column *column, const void *row) {
  static const char *const classes[] = {
      [VKM_STYLE_PLAIN] = "",
      [VKM_STYLE_STRONG] = " strong",
      [VKM_STYLE_FAINT] = " faint",
      [VKM_STYLE_WARN] = " warn",
  };
  return column->style != NULL ? classes[column->style(row)] : "";
}

static void append_cell(const struct vkm_grid *grid, size_t index, size_t row, const void *of,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_column *column = grid->columns[index].column;
  const char *tag = index == 0 ? "th scope=\"row\"" : "td";
  vkm_text_string(text, "<");
  vkm_text_string(text, tag);
  vkm_text_string(text, " class=\"");
  vkm_text_string(text, class_of(column));
  vkm_text_string(text, style_of(column, of));
  vkm_text_string(text, "\"");
  if (column->kind != VKM_COLUMN_TEXT) {
    vkm_text_string(text, " data-value=\"");
    vkm_column_machine(column, of, text);
    vkm_text_string(text, "\"");
  }
  vkm_text_string(text, ">");
  if (column->draw == NULL) {
    append_escaped(text, grid, vkm_grid_at(grid, row, index));
  } else if (row < VKM_HTML_DRAWN) {
    column->draw(of, column, settings, text);
  }
  vkm_text_string(text, index == 0 ? "</th>" : "</td>");
}

void vkm_sheet_html(const struct vkm_sheet *sheet, const struct vkm_view_settings *settings,
                    struct vkm_text *text) {
  struct vkm_view_settings whole = *settings;
  whole.width = 0;
  struct vkm_grid grid;
  bool good = vkm_grid_init(&grid, sheet, &whole);
  text->failed = text->failed || !good;
  if (good) {
    append_labels(&grid, text);
    vkm_text_string(text, "<tbody>\n");
  }
  for (size_t row = 0; good && row < grid.row_count; row++) {
    vkm_text_string(text, "<tr>");
    for (size_t i = 0; i < grid.column_count; i++) {
      append_cell(&grid, i, row, vkm_sheet_row(sheet, row), settings, text);
    }
    vkm_text_string(text, "</tr>\n");
  }
  vkm_text_string(text, good ? "</tbody>\n" : "");
  vkm_grid_finish(&grid);
}
