/* The report as CSV (RFC 4180, LF). In: a report. Out: one line a row, all times in ns. Next: a
 * program. */
#include <string.h>

#include "views/columns.h"
#include "views/tables.h"

static void append_field(struct vkm_text *text, const char *bytes) {
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

static void append_row(const struct vkm_section *section, const struct vkm_row *row,
                       const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct vkm_text cell;
  vkm_text_init(&cell, SIZE_MAX);
  append_field(text, section->device->name ? section->device->name : "");
  for (size_t i = 0; i < vkm_all_column_count; i++) {
    const struct vkm_column *column = vkm_all_columns[i];
    vkm_text_string(text, ",");
    if (column->kind == VKM_COLUMN_TEXT) {
      vkm_text_clear(&cell);
      column->print(row, settings, &cell);
      append_field(text, cell.length_bytes > 0 ? cell.data : "");
    } else {
      vkm_column_machine(column, row, text);
    }
  }
  vkm_text_string(text, "\n");
  text->failed = text->failed || cell.failed;
  vkm_text_finish(&cell);
}

static void report(const struct vkm_report *report, const struct vkm_view_settings *settings,
                   struct vkm_text *text) {
  struct vkm_view_settings raw = *settings;
  raw.raw = true;
  vkm_text_string(text, "device");
  for (size_t i = 0; i < vkm_all_column_count; i++) {
    vkm_text_string(text, ",");
    vkm_text_string(text, vkm_all_columns[i]->id);
  }
  vkm_text_string(text, "\n");
  for (size_t i = 0; i < report->section_count; i++) {
    const struct vkm_section *section = &report->sections[i];
    for (size_t row = 0; row < section->row_count; row++) {
      if (settings->top == 0 || row < settings->top) {
        append_row(section, &section->rows[row], &raw, text);
      }
    }
  }
}

const struct vkm_view vkm_view_csv = {"csv", "one line a row, times in ns", true, report, NULL};
