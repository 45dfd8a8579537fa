/* The matrix. In: profiles. Out: kernels that are the same in all columns, a cell a column. Next:
 * views. What is one row is decided as in a comparison: by the code first, then by given names. */
#include "model/matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "model/names.h"
#include "model/row.h"

enum { NAMED = 2, DIGITS = 8 };

static int compare_numbers(uint64_t left, uint64_t right) {
  return (left > right) - (left < right);
}

/* The same code with the same group counts. */
static int compare_work(const struct vkm_kernel_ref *left, const struct vkm_kernel_ref *right) {
  int order = strcmp(vkm_shader_key(left), vkm_shader_key(right));
  order = order != 0 ? order : compare_numbers(left->kernel->has_groups, right->kernel->has_groups);
  for (int axis = 0; order == 0 && axis < 3 && left->kernel->has_groups; axis++) {
    order = compare_numbers(left->kernel->groups[axis], right->kernel->groups[axis]);
  }
  return order;
}

static int compare_ref(const void *a, const void *b) {
  const struct vkm_kernel_ref *left = a;
  const struct vkm_kernel_ref *right = b;
  int order = compare_work(left, right);
  order = order != 0 ? order : compare_numbers(left->section, right->section);
  order = order != 0 ? order : compare_numbers(left->run, right->run);
  return order != 0 ? order : compare_numbers(left->position, right->position);
}

/* Every kernel with its column; `refs` has room for all. */
static size_t collect(const struct vkm_side *side, const size_t *column_of,
                      struct vkm_kernel_ref *refs) {
  size_t count = 0;
  for (size_t i = 0; i < side->profile_count; i++) {
    const struct vkm_read_profile *profile = &side->profiles[i];
    for (size_t k = 0; k < profile->kernel_count; k++) {
      const struct vkm_read_kernel *kernel = &profile->kernels[k];
      const struct vkm_read_device *device = &profile->devices[kernel->device];
      refs[count] =
          (struct vkm_kernel_ref){.section = column_of[kernel->device],
                                  .run = side->runs[i],
                                  .position = count,
                                  .kernel = kernel,
                                  .period_ns = device->has_period ? device->period_ns : 0};
      refs[count].pipeline =
          kernel->pipeline != VKM_READ_NONE ? &profile->pipelines[kernel->pipeline] : NULL;
      count++;
    }
    column_of += profile->device_count;
  }
  return count;
}

static const char *same_text(const char *one, const char *other) {
  return one != NULL && other != NULL && strcmp(one, other) == 0 ? one : NULL;
}

static void add_name(struct vkm_matrix_row *row, const struct vkm_kernel_ref *ref) {
  const char *name = NULL;
  int rank = vkm_name_rank(ref, &name);
  if (row->given == NULL || rank > row->name_rank) {
    row->given = name;
    row->name_rank = rank;
  }
  row->position = ref->position < row->position ? ref->position : row->position;
}

/* refs[0..count) are of one column. */
static bool add_cell(struct vkm_matrix_row *row, const struct vkm_kernel_ref *refs, size_t count,
                     unsigned warmup) {
  struct vkm_row figures;
  if (!vkm_row_build(&figures, refs, count, warmup)) {
    return false;
  }
  row->cells[refs[0].section] = (struct vkm_matrix_cell){.present = true,
                                                         .has_time = figures.has_figures,
                                                         .median_ns = figures.median_ns,
                                                         .run_count = figures.run_count,
                                                         .calls = figures.calls};
  row->family = row->column_count == 0 ? figures.family : same_text(row->family, figures.family);
  row->column_count++;
  vkm_add_ns(&row->total_ns, figures.total_ns);
  return true;
}

/* refs[0..count) are of one code and group count. */
static bool add_row(struct vkm_matrix *matrix, const struct vkm_kernel_ref *refs, size_t count) {
  struct vkm_matrix_row *row = &matrix->rows[matrix->row_count];
  const struct vkm_read_kernel *kernel = refs[0].kernel;
  *row = (struct vkm_matrix_row){
      .identity = vkm_code_of(&refs[0]),
      .kind = kernel->kind,
      .is_dispatch = vkm_is_dispatch(kernel),
      .has_groups = kernel->has_groups,
      .groups = {kernel->groups[0], kernel->groups[1], kernel->groups[2]},
      .cells = matrix->cells + matrix->row_count * matrix->column_count,
      .position = SIZE_MAX,
  };
  matrix->row_count++;
  for (size_t begin = 0; begin < count;) {
    size_t end = begin;
    while (end < count && refs[end].section == refs[begin].section) {
      add_name(row, &refs[end++]);
    }
    if (!add_cell(row, refs + begin, end - begin, matrix->warmup)) {
      return false;
    }
    begin = end;
  }
  return true;
}

static bool build_rows(struct vkm_matrix *matrix, const struct vkm_kernel_ref *refs, size_t count) {
  size_t most = 0;
  for (size_t i = 0; i < count; i++) {
    most += i == 0 || compare_work(&refs[i - 1], &refs[i]) != 0;
  }
  matrix->rows = calloc(most + 1, sizeof *matrix->rows);
  matrix->cells = calloc(most * matrix->column_count + 1, sizeof *matrix->cells);
  bool good = matrix->rows != NULL && matrix->cells != NULL;
  for (size_t begin = 0; good && begin < count;) {
    size_t end = begin + 1;
    while (end < count && compare_work(&refs[begin], &refs[end]) == 0) {
      end++;
    }
    good = add_row(matrix, refs + begin, end - begin);
    begin = end;
  }
  return good;
}

static int compare_names(const struct vkm_matrix_row *left, const struct vkm_matrix_row *right) {
  int order = strcmp(left->given, right->given);
  order = order != 0 ? order : compare_numbers(left->has_groups, right->has_groups);
  for (int axis = 0; order == 0 && axis < 3 && left->has_groups; axis++) {
    order = compare_numbers(left->groups[axis], right->groups[axis]);
  }
  return order;
}

static int by_name(const void *a, const void *b) {
  const struct vkm_matrix_row *left = a;
  const struct vkm_matrix_row *right = b;
  int order = compare_names(left, right);
  return order != 0 ? order : compare_numbers(left->position, right->position);
}

static bool share_column(const struct vkm_matrix *matrix, const struct vkm_matrix_row *left,
                         const struct vkm_matrix_row *right) {
  for (size_t i = 0; i < matrix->column_count; i++) {
    if (left->cells[i].present && right->cells[i].present) {
      return true;
    }
  }
  return false;
}

/* `row` is what `into` is in other columns, with other code. */
static void join(const struct vkm_matrix *matrix, struct vkm_matrix_row *into,
                 const struct vkm_matrix_row *row) {
  for (size_t i = 0; i < matrix->column_count; i++) {
    if (row->cells[i].present) {
      into->cells[i] = row->cells[i];
    }
  }
  into->identity = same_text(into->identity, row->identity);
  into->family = same_text(into->family, row->family);
  into->column_count += row->column_count;
  vkm_add_ns(&into->total_ns, row->total_ns);
}

/* Among rows[0..kept), by name, the latest that can be `row` in other columns; NULL: none. */
static struct vkm_matrix_row *find_same(struct vkm_matrix *matrix, size_t kept,
                                        const struct vkm_matrix_row *row) {
  for (size_t at = kept; at > 0; at--) {
    struct vkm_matrix_row *other = &matrix->rows[at - 1];
    if (compare_names(other, row) != 0) {
      break;
    }
    if (other->name_rank >= NAMED && !share_column(matrix, other, row)) {
      return other;
    }
  }
  return NULL;
}

/* Rows of one given name and group count that no column has both of become one, as they come. */
static void join_names(struct vkm_matrix *matrix) {
  if (matrix->row_count > 1) {
    qsort(matrix->rows, matrix->row_count, sizeof *matrix->rows, by_name);
  }
  size_t kept = 0;
  for (size_t i = 0; i < matrix->row_count; i++) {
    struct vkm_matrix_row row = matrix->rows[i];
    struct vkm_matrix_row *same = row.name_rank >= NAMED ? find_same(matrix, kept, &row) : NULL;
    if (same != NULL) {
      join(matrix, same, &row);
    } else {
      matrix->rows[kept++] = row;
    }
  }
  matrix->row_count = kept;
}

/* Rows are by name here: those that look alike are neighbours, and get digits of their code, or a
 * number where they have no single one. */
static bool spell_names(struct vkm_matrix *matrix) {
  size_t again = 0;
  for (size_t i = 0; i < matrix->row_count; i++) {
    struct vkm_matrix_row *row = &matrix->rows[i];
    bool like_before = i > 0 && compare_names(row - 1, row) == 0;
    bool alike = like_before || (i + 1 < matrix->row_count && compare_names(row, row + 1) == 0);
    again = like_before ? again + 1 : 0;
    int length = 0;
    if (!alike) {
      length = asprintf(&row->name, "%s", row->given);
    } else if (row->identity != NULL) {
      length = asprintf(&row->name, "%s#%.*s", row->given, DIGITS, row->identity);
    } else {
      length = asprintf(&row->name, "%s/%zu", row->given, again + 1);
    }
    if (length < 0) {
      row->name = NULL;
      return false;
    }
  }
  return true;
}

static int by_time(const void *a, const void *b) {
  const struct vkm_matrix_row *left = a;
  const struct vkm_matrix_row *right = b;
  if (left->total_ns != right->total_ns) {
    return left->total_ns > right->total_ns ? -1 : 1;
  }
  int order = strcmp(left->name, right->name);
  return order != 0 ? order : by_name(a, b);
}

static size_t count_devices(const struct vkm_side *side, size_t *kernels) {
  size_t devices = 0;
  *kernels = 0;
  for (size_t i = 0; i < side->profile_count; i++) {
    devices += side->profiles[i].device_count;
    *kernels += side->profiles[i].kernel_count;
  }
  return devices;
}

bool vkm_matrix_build(struct vkm_matrix *matrix, const struct vkm_side *side,
                      const char *const *tags, size_t tag_count, unsigned warmup) {
  *matrix =
      (struct vkm_matrix){.tags = tags, .tag_count = tag_count, .warmup = warmup, .side = side};
  size_t kernels = 0;
  size_t devices = count_devices(side, &kernels);
  size_t *column_of = calloc(devices + 1, sizeof *column_of);
  struct vkm_kernel_ref *refs = calloc(kernels + 1, sizeof *refs);
  matrix->columns = calloc(devices + 1, sizeof *matrix->columns);
  bool good = column_of != NULL && refs != NULL && matrix->columns != NULL &&
              vkm_matrix_columns(matrix, column_of);
  if (good) {
    size_t count = collect(side, column_of, refs);
    if (count > 1) {
      qsort(refs, count, sizeof *refs, compare_ref);
    }
    good = build_rows(matrix, refs, count);
  }
  if (good) {
    join_names(matrix);
    good = spell_names(matrix);
  }
  if (good && matrix->row_count > 1) {
    qsort(matrix->rows, matrix->row_count, sizeof *matrix->rows, by_time);
  }
  free(column_of);
  free(refs);
  if (!good) {
    vkm_error("out of memory; give fewer files at once");
    vkm_matrix_finish(matrix);
  }
  return good;
}

void vkm_matrix_finish(struct vkm_matrix *matrix) {
  for (size_t i = 0; i < matrix->column_count; i++) {
    free(matrix->columns[i].key);
    free(matrix->columns[i].label);
    free(matrix->columns[i].driver);
  }
  for (size_t i = 0; i < matrix->row_count; i++) {
    free(matrix->rows[i].name);
  }
  free(matrix->columns);
  free(matrix->rows);
  free(matrix->cells);
  *matrix = (struct vkm_matrix){0};
}
