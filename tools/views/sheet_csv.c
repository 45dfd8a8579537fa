/* A sheet as CSV (RFC 4180, LF). In: a sheet. Out: a line of ids, one line a row. Next: csv. */
#include <string.h>

#include "views/sheet.h"

void vkm_csv_field(struct vkm_text *text, const char *bytes) {
  if (strpbrk(bytes, ",\"\n\r") == NULL) {
    vkm_text_string(text, bytes);
    return;
  }
  vkm_text_string(text, "\"");
  for (const char *at = bytes; *at; at++) {
    vkm_text_append(text, at, 1);
    if (*at == '"') {
      vkm_text_append(text, at, 1);
    }
  }
  vkm_text_string(text, "\"");
}

void vkm_sheet_csv_head(const struct vkm_sheet *sheet, struct vkm_text *text) {
  if (sheet->scope_id != NULL) {
    vkm_csv_field(text, sheet->scope_id);
  }
  for (size_t i = 0; i < sheet->all_count; i++) {
    vkm_text_string(text, i > 0 || sheet->scope_id != NULL ? "," : "");
    vkm_csv_field(text, sheet->all[i]->id);
  }
  vkm_text_string(text, "\n");
}

static void append_row(const struct vkm_sheet *sheet, const void *row,
                       const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_text cell;
  vkm_text_init(&cell, SIZE_MAX);
  if (sheet->scope_id != NULL) {
    vkm_csv_field(text, sheet->scope ? sheet->scope : "");
  }
  for (size_t i = 0; i < sheet->all_count; i++) {
    const struct vkm_column *column = sheet->all[i];
    vkm_text_string(text, i > 0 || sheet->scope_id != NULL ? "," : "");
    if (column->kind == VKM_COLUMN_TEXT) {
      vkm_text_clear(&cell);
      column->print(row, column, settings, &cell);
      vkm_csv_field(text, cell.length_bytes > 0 ? cell.data : "");
    } else {
      vkm_column_machine(column, row, text);
    }
  }
  vkm_text_string(text, "\n");
  text->failed = text->failed || cell.failed;
  vkm_text_finish(&cell);
}

void vkm_sheet_csv_rows(const struct vkm_sheet *sheet, const struct vkm_view_settings *settings,
                        struct vkm_text *text) {
  struct vkm_view_settings raw = *settings;
  raw.raw = true;
  for (size_t i = 0; i < sheet->shown; i++) {
    append_row(sheet, vkm_sheet_row(sheet, i), &raw, text);
  }
}
