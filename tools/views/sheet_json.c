/* A sheet as JSON. In: a sheet. Out: members of an object a row, or an object a line. Next: json,
 * ndjson. */
#include "views/sheet.h"

static void key(struct vkm_text *text, const char *id, bool first) {
  vkm_text_string(text, first ? "" : ",");
  vkm_text_json(text, id);
  vkm_text_string(text, ":");
}

static void text_member(const struct vkm_column *column, const void *row,
                        const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_text cell;
  vkm_text_init(&cell, SIZE_MAX);
  column->print(row, column, settings, &cell);
  if (cell.length_bytes > 0) {
    vkm_text_json(text, cell.data);
  } else {
    vkm_text_string(text, "null");
  }
  text->failed = text->failed || cell.failed;
  vkm_text_finish(&cell);
}

static void number_member(const struct vkm_column *column, const void *row, struct vkm_text *text) {
  double value = 0;
  if (column->value(row, column, &value)) {
    vkm_column_machine(column, row, text);
  } else {
    vkm_text_string(text, "null");
  }
}

void vkm_sheet_json_members(const struct vkm_sheet *sheet, const void *row,
                            const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_view_settings raw = *settings;
  raw.raw = true;
  bool first = true;
  for (int numbers = 0; numbers < 2; numbers++) {
    for (size_t i = 0; i < sheet->all_count; i++) {
      const struct vkm_column *column = sheet->all[i];
      if ((column->kind != VKM_COLUMN_TEXT) != (numbers == 1)) {
        continue;
      }
      key(text, column->id, first);
      first = false;
      if (numbers == 0) {
        text_member(column, row, &raw, text);
      } else {
        number_member(column, row, text);
      }
    }
  }
}

void vkm_sheet_ndjson(const struct vkm_sheet *sheet, const struct vkm_view_settings *settings,
                      struct vkm_text *text) {
  for (size_t i = 0; i < sheet->shown; i++) {
    vkm_text_string(text, "{\"sheet\":");
    vkm_text_json(text, sheet->id);
    if (sheet->scope_id != NULL) {
      key(text, sheet->scope_id, false);
      if (sheet->scope != NULL) {
        vkm_text_json(text, sheet->scope);
      } else {
        vkm_text_string(text, "null");
      }
    }
    vkm_text_string(text, ",");
    vkm_sheet_json_members(sheet, vkm_sheet_row(sheet, i), settings, text);
    vkm_text_string(text, "}\n");
  }
}
