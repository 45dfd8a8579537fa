/* The matrix as JSON, schema vkmeter.matrix/1. In: a matrix. Out: one document, times in ns, absent
 * as null. Next: a program. */
#include "views/matrix_views.h"
#include "views/members.h"

static void append_tags(const struct vkm_matrix *matrix, const struct vkm_matrix_column *column,
                        struct vkm_text *text) {
  vkm_member_open(text, "tags", "{");
  for (size_t i = 0; i < matrix->tag_count; i++) {
    vkm_member_text(text, matrix->tags[i], vkm_matrix_tag(column, matrix->tags[i]));
  }
  vkm_text_string(text, "}");
}

static void append_column(const struct vkm_matrix *matrix, const struct vkm_matrix_column *column,
                          struct vkm_text *text) {
  const struct vkm_read_device *device = column->device;
  vkm_member_open(text, NULL, "{");
  vkm_member_text(text, "label", column->label);
  vkm_member_text(text, "device", device->name);
  vkm_member_text(text, "driver_name", device->driver_name);
  vkm_member_text(text, "driver_info", device->driver_info);
  vkm_member_text(text, "driver_version", device->driver_version);
  vkm_member_bool(text, "software", device->software);
  vkm_member_text(text, "mode", column->first->mode);
  vkm_member_text(text, "segment_key", column->segment);
  append_tags(matrix, column, text);
  vkm_member_count(text, "runs", column->run_count);
  vkm_text_string(text, "}");
}

static void append_cells(const struct vkm_matrix *matrix, const struct vkm_matrix_row *row,
                         struct vkm_text *text) {
  vkm_member_open(text, "cells", "[");
  for (size_t i = 0; i < matrix->column_count; i++) {
    const struct vkm_matrix_cell *cell = &row->cells[i];
    if (!cell->present) {
      vkm_member_next(text);
      vkm_text_string(text, "null");
      continue;
    }
    vkm_member_open(text, NULL, "{");
    vkm_member_number(text, "median_ns", cell->has_time, cell->median_ns);
    vkm_member_count(text, "runs", cell->run_count);
    vkm_member_count(text, "calls", cell->calls);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "]");
}

static void append_row(const struct vkm_matrix *matrix, const struct vkm_matrix_row *row,
                       struct vkm_text *text) {
  vkm_member_open(text, NULL, "{");
  vkm_member_text(text, "name", row->name);
  vkm_member_text(text, "identity", row->identity);
  vkm_member_text(text, "kind", row->kind);
  vkm_member_text(text, "family", row->family);
  vkm_member_key(text, "groups");
  if (row->has_groups) {
    vkm_text_string(text, "[");
    for (int axis = 0; axis < 3; axis++) {
      vkm_member_next(text);
      vkm_text_u64(text, row->groups[axis]);
    }
    vkm_text_string(text, "]");
  } else {
    vkm_text_string(text, "null");
  }
  append_cells(matrix, row, text);
  vkm_text_string(text, "}");
}

void vkm_matrix_json(const struct vkm_matrix *matrix, const struct vkm_view_settings *settings,
                     struct vkm_text *text) {
  struct vkm_matrix_sheet made;
  struct vkm_picked picked = {0};
  bool good = vkm_matrix_sheet_init(&made, matrix) && vkm_pick(&made.sheet, settings, &picked);
  text->failed = text->failed || !good;
  vkm_text_string(text, "{\"schema\":\"vkmeter.matrix/1\"");
  vkm_member_text(text, "tool", "vkmeter " VKM_VERSION);
  vkm_member_count(text, "warmup", matrix->warmup);
  vkm_text_string(text, ",\n ");
  vkm_member_open(text, "columns", "[");
  for (size_t i = 0; i < matrix->column_count; i++) {
    vkm_text_string(text, i > 0 ? ",\n  " : "\n  ");
    append_column(matrix, &matrix->columns[i], text);
  }
  vkm_text_string(text, "],\n ");
  vkm_member_open(text, "rows", "[");
  for (size_t i = 0; good && i < picked.sheet.shown; i++) {
    vkm_text_string(text, i > 0 ? ",\n  " : "\n  ");
    append_row(matrix, vkm_sheet_row(&picked.sheet, i), text);
  }
  vkm_text_string(text, "]");
  vkm_member_count(text, "rows_left_out", picked.cut);
  vkm_member_count(text, "rows_hidden", picked.hidden);
  vkm_member_count(text, "failed_runs", matrix->side->error_count);
  vkm_text_string(text, "}\n");
  vkm_picked_finish(&picked);
  vkm_matrix_sheet_finish(&made);
}
