/* The matrix as a sheet. In: rows with a cell a column. Out: columns that are called by a number
 * for people, by their label for programs; each is two, the median and the runs behind it. Next:
 * the formats. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"
#include "message.h"
#include "views/matrix_views.h"

VKM_COLUMN_PRINT(print_name, struct vkm_matrix_row, row->name)
VKM_COLUMN_PRINT(print_identity, struct vkm_matrix_row, row->identity)
VKM_COLUMN_PRINT(print_kind, struct vkm_matrix_row, row->kind)
VKM_COLUMN_PRINT(print_family, struct vkm_matrix_row, row->family)
VKM_COLUMN_VALUE(value_groups_0, struct vkm_matrix_row, row->groups[0], row->has_groups)
VKM_COLUMN_VALUE(value_groups_1, struct vkm_matrix_row, row->groups[1], row->has_groups)
VKM_COLUMN_VALUE(value_groups_2, struct vkm_matrix_row, row->groups[2], row->has_groups)

static void print_groups(const void *at, const struct vkm_column *column,
                         const struct vkm_view_settings *settings, struct vkm_text *text) {
  const struct vkm_matrix_row *row = at;
  (void)column;
  if (!row->has_groups) {
    vkm_text_string(text, row->is_dispatch ? "[indirect]" : "");
    return;
  }
  for (int axis = 0; axis < 3; axis++) {
    vkm_text_string(text, axis == 0 ? "[" : settings->ascii ? "x" : "×");
    vkm_text_u64(text, row->groups[axis]);
  }
  vkm_text_string(text, "]");
}

static const struct vkm_matrix_cell *cell_of(const void *at, const struct vkm_column *column) {
  const struct vkm_matrix_row *row = at;
  const size_t *index = column->key;
  return &row->cells[*index];
}

static bool value_median(const void *at, const struct vkm_column *column, double *out) {
  const struct vkm_matrix_cell *cell = cell_of(at, column);
  *out = cell->median_ns;
  return cell->has_time;
}

static bool value_runs(const void *at, const struct vkm_column *column, double *out) {
  const struct vkm_matrix_cell *cell = cell_of(at, column);
  *out = (double)cell->run_count;
  return cell->present;
}

static const struct vkm_column NAME = {
    .id = "name", .header = "dispatch", .kind = VKM_COLUMN_TEXT, .width = 8, .print = print_name};
static const struct vkm_column GROUPS_TEXT = {
    .id = "groups", .header = "", .kind = VKM_COLUMN_TEXT, .print = print_groups};
static const struct vkm_column IDENTITY = {
    .id = "identity", .header = "identity", .kind = VKM_COLUMN_TEXT, .print = print_identity};
static const struct vkm_column KIND = {
    .id = "kind", .header = "kind", .kind = VKM_COLUMN_TEXT, .print = print_kind};
static const struct vkm_column FAMILY = {
    .id = "family", .header = "family", .kind = VKM_COLUMN_TEXT, .print = print_family};
static const struct vkm_column GROUPS_X = {
    .id = "groups_x", .header = "x", .kind = VKM_COLUMN_COUNT, .value = value_groups_0};
static const struct vkm_column GROUPS_Y = {
    .id = "groups_y", .header = "y", .kind = VKM_COLUMN_COUNT, .value = value_groups_1};
static const struct vkm_column GROUPS_Z = {
    .id = "groups_z", .header = "z", .kind = VKM_COLUMN_COUNT, .value = value_groups_2};

static const struct vkm_column *const FOR_PEOPLE[] = {&NAME, &GROUPS_TEXT};
static const struct vkm_column *const FOR_PROGRAMS[] = {&NAME,     &IDENTITY, &KIND,    &FAMILY,
                                                        &GROUPS_X, &GROUPS_Y, &GROUPS_Z};

/* Owned by `made`; NULL: out of memory. */
static const char *keep(struct vkm_matrix_sheet *made, char *text) {
  made->texts[made->text_count] = text;
  made->text_count += text != NULL;
  return text;
}

static const char *spell(struct vkm_matrix_sheet *made, const char *before, const char *after) {
  char *text = NULL;
  return keep(made, asprintf(&text, "%s%s", before, after) < 0 ? NULL : text);
}

/* The two columns of matrix->columns[index]. */
static bool add_columns(struct vkm_matrix_sheet *made, const struct vkm_matrix *matrix,
                        size_t index) {
  const char *label = matrix->columns[index].label;
  char number[24];
  snprintf(number, sizeof number, "%zu", index + 1);
  made->indices[index] = index;
  struct vkm_column *median = &made->items[index + index];
  struct vkm_column *runs = median + 1;
  *median = (struct vkm_column){.id = spell(made, label, " median_ns"),
                                .header = spell(made, number, ""),
                                .kind = VKM_COLUMN_TIME,
                                .value = value_median,
                                .dash = true,
                                .key = &made->indices[index]};
  *runs = (struct vkm_column){.id = spell(made, label, " runs"),
                              .header = "n",
                              .kind = VKM_COLUMN_COUNT,
                              .value = value_runs,
                              .key = &made->indices[index]};
  return median->id != NULL && median->header != NULL && runs->id != NULL;
}

bool vkm_matrix_sheet_init(struct vkm_matrix_sheet *made, const struct vkm_matrix *matrix) {
  size_t columns = matrix->column_count;
  size_t items = columns + columns;
  *made = (struct vkm_matrix_sheet){
      .sheet = {.id = "matrix",
                .rows = matrix->rows,
                .stride = sizeof *matrix->rows,
                .row_count = matrix->row_count,
                .shown = matrix->row_count,
                .about = matrix},
      .items = calloc(items + 1, sizeof *made->items),
      .all = calloc(items + VKM_COUNT(FOR_PROGRAMS), sizeof *made->all),
      .people = calloc(items + VKM_COUNT(FOR_PEOPLE), sizeof *made->people),
      .indices = calloc(columns + 1, sizeof *made->indices),
      .texts = calloc(items + columns + 1, sizeof *made->texts),
  };
  bool good = made->items != NULL && made->all != NULL && made->people != NULL &&
              made->indices != NULL && made->texts != NULL;
  for (size_t i = 0; good && i < columns; i++) {
    good = add_columns(made, matrix, i);
  }
  if (!good) {
    return false;
  }
  memcpy((void *)made->all, FOR_PROGRAMS, sizeof FOR_PROGRAMS);
  memcpy((void *)made->people, FOR_PEOPLE, sizeof FOR_PEOPLE);
  for (size_t i = 0; i < items; i++) {
    made->all[VKM_COUNT(FOR_PROGRAMS) + i] = &made->items[i];
    made->people[VKM_COUNT(FOR_PEOPLE) + i] = &made->items[i];
  }
  made->sheet.all = made->all;
  made->sheet.all_count = items + VKM_COUNT(FOR_PROGRAMS);
  made->sheet.columns = made->people;
  made->sheet.column_count = items + VKM_COUNT(FOR_PEOPLE);
  return true;
}

void vkm_matrix_sheet_finish(struct vkm_matrix_sheet *made) {
  for (size_t i = 0; i < made->text_count; i++) {
    free(made->texts[i]);
  }
  free(made->items);
  free((void *)made->all);
  free((void *)made->people);
  free(made->indices);
  free((void *)made->texts);
  *made = (struct vkm_matrix_sheet){0};
}

bool vkm_matrix_check(const struct vkm_matrix *matrix, const struct vkm_view_settings *settings) {
  struct vkm_matrix_sheet made;
  bool good = vkm_matrix_sheet_init(&made, matrix);
  if (good) {
    good = vkm_pick_check(&settings->pick, &made.sheet, 1);
  } else {
    vkm_error("out of memory; give fewer files at once");
  }
  vkm_matrix_sheet_finish(&made);
  return good;
}
