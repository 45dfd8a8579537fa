/* Columns of a matrix. In: profiles. Out: the places where they were measured. Next: matrix. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/matrix.h"

enum { DRIVER_BYTES = 256, DIGITS = 6 };

const char *vkm_matrix_tag(const struct vkm_matrix_column *column, const char *name) {
  const struct vkm_read_pairs *tags = &column->first->run.tags;
  for (size_t i = 0; i < tags->count; i++) {
    if (strcmp(tags->items[i].name, name) == 0) {
      return tags->items[i].value;
    }
  }
  return NULL;
}

static void append(struct vkm_text *text, const char *value) {
  if (value != NULL) {
    vkm_text_json(text, value);
  }
  vkm_text_string(text, "\n");
}

/* Owned by the column; false: out of memory. */
static bool describe(const struct vkm_matrix *matrix, struct vkm_matrix_column *column) {
  const struct vkm_read_device *device = column->device;
  char driver[DRIVER_BYTES];
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  vkm_driver_text(device, driver, sizeof driver);
  append(&text, device->name);
  append(&text, driver);
  append(&text, device->driver_version);
  append(&text, device->type);
  append(&text, column->segment);
  for (size_t i = 0; i < matrix->tag_count; i++) {
    append(&text, vkm_matrix_tag(column, matrix->tags[i]));
  }
  column->key = text.failed ? NULL : text.data;
  if (text.failed) {
    vkm_text_finish(&text);
  }
  column->driver = strdup(driver);
  return column->key != NULL && column->driver != NULL;
}

static void finish(struct vkm_matrix_column *column) {
  free(column->key);
  free(column->driver);
}

static size_t find_or_add(struct vkm_matrix *matrix, const struct vkm_matrix_column *column) {
  for (size_t i = 0; i < matrix->column_count; i++) {
    if (strcmp(matrix->columns[i].key, column->key) == 0) {
      finish((struct vkm_matrix_column *)column);
      return i;
    }
  }
  matrix->columns[matrix->column_count] = *column;
  return matrix->column_count++;
}

/* Whether the run was counted in the column by an earlier device or process of it. */
static bool counted(const struct vkm_side *side, const size_t *column_of, size_t first_of_run,
                    size_t profile, size_t offset, size_t column) {
  size_t at = offset;
  for (size_t i = profile; i-- > first_of_run;) {
    at -= side->profiles[i].device_count;
    if (side->runs[i] != first_of_run) {
      continue;
    }
    for (size_t k = 0; k < side->profiles[i].device_count; k++) {
      if (column_of[at + k] == column) {
        return true;
      }
    }
  }
  return false;
}

static bool add_profile(struct vkm_matrix *matrix, size_t number, size_t offset,
                        size_t *column_of) {
  const struct vkm_side *side = matrix->side;
  const struct vkm_read_profile *profile = &side->profiles[number];
  for (size_t i = 0; i < profile->device_count; i++) {
    struct vkm_matrix_column column = {.device = &profile->devices[i], .first = profile};
    if (!vkm_segment_key(profile, column.segment) || !describe(matrix, &column)) {
      finish(&column);
      return false;
    }
    size_t index = find_or_add(matrix, &column);
    bool again = counted(side, column_of, side->runs[number], number, offset, index);
    for (size_t before = 0; before < i; before++) {
      again = again || column_of[offset + before] == index;
    }
    column_of[offset + i] = index;
    matrix->columns[index].run_count += !again;
  }
  return true;
}

static int order_of(const char *left, const char *right) {
  return strcmp(left != NULL ? left : "", right != NULL ? right : "");
}

static int compare(const void *a, const void *b) {
  const struct vkm_matrix_column *left = a;
  const struct vkm_matrix_column *right = b;
  int64_t one = left->first->run.started_unix_ns;
  int64_t other = right->first->run.started_unix_ns;
  int order = order_of(left->device->name, right->device->name);
  order = order != 0 ? order : order_of(left->driver, right->driver);
  order = order != 0 ? order : (one > other) - (one < other);
  return order != 0 ? order : strcmp(left->key, right->key);
}

/* In order; column_of says afterwards where each has gone. */
static bool sort(struct vkm_matrix *matrix, size_t *column_of, size_t device_count) {
  size_t count = matrix->column_count;
  size_t *place = calloc(count + 1, sizeof *place);
  char **keys = calloc(count + 1, sizeof *keys);
  bool good = place != NULL && keys != NULL;
  for (size_t i = 0; good && i < count; i++) {
    keys[i] = matrix->columns[i].key;
  }
  if (good && count > 1) {
    qsort(matrix->columns, count, sizeof *matrix->columns, compare);
  }
  for (size_t i = 0; good && i < count; i++) {
    for (size_t k = 0; k < count; k++) {
      place[i] = matrix->columns[k].key == keys[i] ? k : place[i];
    }
  }
  for (size_t i = 0; good && i < device_count; i++) {
    column_of[i] = place[column_of[i]];
  }
  free(place);
  free((void *)keys);
  return good;
}

/* Part 0 is the device, 1 the driver, 2 the mode, then the tags. */
static const char *part_of(const struct vkm_matrix *matrix, const struct vkm_matrix_column *column,
                           size_t part) {
  switch (part) {
  case 0:
    return column->device->name != NULL ? column->device->name : "(no name)";
  case 1:
    return column->driver;
  case 2:
    return column->first->mode;
  default:
    return vkm_matrix_tag(column, matrix->tags[part - 3]);
  }
}

static bool differs(const struct vkm_matrix *matrix, size_t part) {
  for (size_t i = 1; i < matrix->column_count; i++) {
    if (order_of(part_of(matrix, &matrix->columns[0], part),
                 part_of(matrix, &matrix->columns[i], part)) != 0) {
      return true;
    }
  }
  return false;
}

/* Everything that tells columns apart; the device where nothing does. */
static bool label(const struct vkm_matrix *matrix, struct vkm_matrix_column *column,
                  const bool *shown, bool digits) {
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  for (size_t part = 0; part < matrix->tag_count + 3; part++) {
    const char *value = part_of(matrix, column, part);
    if (shown[part]) {
      vkm_text_string(&text, text.length_bytes > 0 ? ", " : "");
      vkm_text_string(&text, part >= 3 ? matrix->tags[part - 3] : "");
      vkm_text_string(&text, part >= 3 ? " " : "");
      vkm_text_string(&text, value != NULL ? value : "unknown");
    }
  }
  if (digits) {
    vkm_text_string(&text, " #");
    vkm_text_append(&text, column->segment, DIGITS);
  }
  free(column->label);
  column->label = text.failed || text.data == NULL ? NULL : strdup(text.data);
  vkm_text_finish(&text);
  return column->label != NULL;
}

static bool is_twice(const struct vkm_matrix *matrix, size_t index) {
  for (size_t i = 0; i < matrix->column_count; i++) {
    if (i != index && strcmp(matrix->columns[i].label, matrix->columns[index].label) == 0) {
      return true;
    }
  }
  return false;
}

static bool label_all(struct vkm_matrix *matrix) {
  size_t parts = matrix->tag_count + 3;
  bool *shown = calloc(parts, sizeof *shown);
  bool *twice = calloc(matrix->column_count + 1, sizeof *twice);
  bool good = shown != NULL && twice != NULL;
  bool any = false;
  for (size_t part = 0; good && part < parts; part++) {
    shown[part] = differs(matrix, part);
    any = any || shown[part];
  }
  if (good) {
    shown[0] = shown[0] || !any;
  }
  for (size_t i = 0; good && i < matrix->column_count; i++) {
    good = label(matrix, &matrix->columns[i], shown, false);
  }
  for (size_t i = 0; good && i < matrix->column_count; i++) {
    twice[i] = is_twice(matrix, i);
  }
  for (size_t i = 0; good && i < matrix->column_count; i++) {
    good = !twice[i] || label(matrix, &matrix->columns[i], shown, true);
  }
  free(shown);
  free(twice);
  return good;
}

bool vkm_matrix_columns(struct vkm_matrix *matrix, size_t *column_of) {
  const struct vkm_side *side = matrix->side;
  size_t offset = 0;
  bool good = true;
  for (size_t i = 0; good && i < side->profile_count; i++) {
    good = add_profile(matrix, i, offset, column_of);
    offset += side->profiles[i].device_count;
  }
  return good && sort(matrix, column_of, offset) && label_all(matrix);
}
