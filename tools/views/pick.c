/* Rows and columns of a sheet as asked for. In: a sheet, options. Out: a sheet. Next: the formats.
 */
#include "views/pick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "views/filter.h"

/* ---- names of columns ---- */

static bool is_called(const struct vkm_column *column, const char *name, size_t length) {
  const char *suffixes[] = {"", "_ns", "_bytes"};
  size_t id_length = strlen(column->id);
  for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
    if (id_length == length + strlen(suffixes[i]) && strncasecmp(column->id, name, length) == 0 &&
        strcmp(column->id + length, suffixes[i]) == 0) {
      return true;
    }
  }
  return strlen(column->header) == length && length > 0 &&
         strncasecmp(column->header, name, length) == 0;
}

static const struct vkm_column *find(const struct vkm_sheet *sheet, const char *name,
                                     size_t length) {
  for (size_t i = 0; i < sheet->all_count; i++) {
    if (is_called(sheet->all[i], name, length)) {
      return sheet->all[i];
    }
  }
  for (size_t i = 0; i < sheet->column_count; i++) {
    if (is_called(sheet->columns[i], name, length)) {
      return sheet->columns[i];
    }
  }
  return NULL;
}

const struct vkm_column *vkm_pick_column(const struct vkm_sheet *sheet, const char *name,
                                         size_t length) {
  const struct vkm_column *column = find(sheet, name, length);
  if (column == NULL && strncmp(name, "label", length) == 0 && length == strlen("label")) {
    column = find(sheet, "phase", strlen("phase"));
  }
  return column;
}

/* The next name of a list with commas; false: it is over. */
static bool next_name(const char **list, const char **name, size_t *length) {
  *list += strspn(*list, ", ");
  if (!**list) {
    return false;
  }
  *name = *list;
  *length = strcspn(*list, ",");
  *list += *length;
  while (*length > 0 && (*name)[*length - 1] == ' ') {
    (*length)--;
  }
  return true;
}

/* ---- columns ---- */

/* The columns that were asked for and that the sheet has, for people and programs alike. None of
 * them: the sheet stays as it is. */
static bool pick_columns(const char *list, struct vkm_picked *picked) {
  struct vkm_sheet *sheet = &picked->sheet;
  size_t most = strlen(list) + 1;
  picked->columns = calloc(most, sizeof *picked->columns);
  if (picked->columns == NULL) {
    return false;
  }
  const char *name = NULL;
  size_t length = 0;
  size_t count = 0;
  while (next_name(&list, &name, &length)) {
    const struct vkm_column *column = vkm_pick_column(sheet, name, length);
    if (column != NULL) {
      picked->columns[count++] = column;
    }
  }
  if (count > 0) {
    sheet->asked = true;
    sheet->columns = sheet->all = picked->columns;
    sheet->column_count = sheet->all_count = count;
  }
  return true;
}

/* ---- order ---- */

struct key {
  const void *row;
  size_t position;
  bool present;
  double number;
  const char *text;
};

static int order_of(const struct key *left, const struct key *right) {
  if (left->present != right->present) {
    return left->present ? -1 : 1;
  }
  int order = (left->number > right->number) - (left->number < right->number);
  return order == 0 && left->text != NULL ? strcmp(left->text, right->text) : order;
}

static int by_position(const struct key *left, const struct key *right) {
  return (left->position > right->position) - (left->position < right->position);
}

static int ascending(const void *a, const void *b) {
  int order = order_of(a, b);
  return order != 0 ? order : by_position(a, b);
}

/* What is absent stands last in either direction. */
static int descending(const void *a, const void *b) {
  const struct key *left = a;
  const struct key *right = b;
  int order = left->present == right->present ? order_of(right, left) : order_of(left, right);
  return order != 0 ? order : by_position(left, right);
}

/* Texts stand one behind the other in `texts`; offsets become pointers when all are there. */
static bool take_keys(const struct vkm_picked *picked, const struct vkm_column *column,
                      struct key *keys, struct vkm_text *texts) {
  static const struct vkm_view_settings raw = {.raw = true};
  bool is_text = column->kind == VKM_COLUMN_TEXT;
  for (size_t i = 0; i < picked->sheet.row_count; i++) {
    keys[i] = (struct key){.row = picked->rows[i], .position = i};
    size_t begin = texts->length_bytes;
    if (is_text) {
      column->print(picked->rows[i], column, &raw, texts);
      keys[i].present = texts->length_bytes > begin;
      vkm_text_append(texts, "", 1);
    } else {
      keys[i].present = column->value(picked->rows[i], column, &keys[i].number);
      keys[i].number = keys[i].present ? keys[i].number : 0;
    }
  }
  const char *at = texts->data;
  for (size_t i = 0; is_text && !texts->failed && i < picked->sheet.row_count; i++) {
    keys[i].text = at;
    at += strlen(at) + 1;
  }
  return !texts->failed;
}

/* KEY, KEY:asc or KEY:desc; without a direction numbers descend. */
static const struct vkm_column *sort_column(const struct vkm_sheet *sheet, const char *sort,
                                            bool *down) {
  size_t length = strcspn(sort, ":");
  const struct vkm_column *column = vkm_pick_column(sheet, sort, length);
  *down = column != NULL && column->kind != VKM_COLUMN_TEXT;
  if (sort[length] == ':') {
    *down = strcmp(sort + length + 1, "desc") == 0;
  }
  return column;
}

static bool sort_rows(const struct vkm_column *column, bool down, struct vkm_picked *picked) {
  size_t count = picked->sheet.row_count;
  struct key *keys = calloc(count + 1, sizeof *keys);
  struct vkm_text texts;
  vkm_text_init(&texts, SIZE_MAX);
  bool good = keys != NULL && take_keys(picked, column, keys, &texts);
  if (good) {
    qsort(keys, count, sizeof *keys, down ? descending : ascending);
    for (size_t i = 0; i < count; i++) {
      picked->rows[i] = keys[i].row;
    }
  }
  vkm_text_finish(&texts);
  free(keys);
  return good;
}

/* ---- rows ---- */

static void add_share(const struct vkm_column *share, const void *row, double *sum) {
  double value = 0;
  if (share != NULL && share->value(row, share, &value)) {
    *sum += value;
  }
}

static bool filter_rows(const char *const *filters, size_t count, const struct vkm_column *share,
                        struct vkm_picked *picked) {
  struct vkm_sheet *sheet = &picked->sheet;
  for (size_t i = 0; i < count; i++) {
    struct vkm_filter filter;
    char cause[256];
    if (!vkm_filter_init(&filter, filters[i], cause, sizeof cause)) {
      return false;
    }
    size_t kept = 0;
    picked->filtered = picked->filtered || vkm_filter_applies(&filter, sheet);
    for (size_t row = 0; row < sheet->row_count; row++) {
      if (vkm_filter_keeps(&filter, sheet, picked->rows[row])) {
        picked->rows[kept++] = picked->rows[row];
      } else {
        add_share(share, picked->rows[row], &picked->hidden_share);
      }
    }
    picked->hidden += sheet->row_count - kept;
    sheet->row_count = kept;
    vkm_filter_finish(&filter);
  }
  return true;
}

bool vkm_pick(const struct vkm_sheet *sheet, const struct vkm_view_settings *settings,
              struct vkm_picked *picked) {
  const struct vkm_pick *pick = &settings->pick;
  const struct vkm_column *share = find(sheet, "share", strlen("share"));
  *picked = (struct vkm_picked){.sheet = *sheet, .has_share = share != NULL};
  picked->rows = calloc(sheet->row_count + 1, sizeof *picked->rows);
  if (picked->rows == NULL) {
    return false;
  }
  for (size_t i = 0; i < sheet->row_count; i++) {
    picked->rows[i] = vkm_sheet_row(sheet, i);
  }
  bool down = false;
  const struct vkm_column *by = pick->sort != NULL ? sort_column(sheet, pick->sort, &down) : NULL;
  bool good = filter_rows(pick->filters, pick->filter_count, share, picked) &&
              (by == NULL || sort_rows(by, down, picked)) &&
              (pick->columns == NULL || pick_columns(pick->columns, picked));
  picked->sheet.picked = picked->rows;
  picked->sheet.shown = vkm_sheet_top(picked->sheet.row_count, settings->top);
  picked->cut = picked->sheet.row_count - picked->sheet.shown;
  for (size_t i = picked->sheet.shown; i < picked->sheet.row_count; i++) {
    add_share(share, picked->rows[i], &picked->cut_share);
  }
  return good;
}

void vkm_picked_finish(struct vkm_picked *picked) {
  free((void *)picked->rows);
  free((void *)picked->columns);
  *picked = (struct vkm_picked){0};
}

/* ---- what is asked for ---- */

static void list_columns(const struct vkm_sheet *sheets, size_t count, bool texts, bool numbers,
                         struct vkm_text *text) {
  bool first = true;
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < sheets[i].all_count; j++) {
      const struct vkm_column *column = sheets[i].all[j];
      bool again = false;
      for (size_t before = 0; before < i; before++) {
        again = again || find(&sheets[before], column->id, strlen(column->id)) != NULL;
      }
      bool wanted = column->kind == VKM_COLUMN_TEXT ? texts : numbers;
      if (!again && wanted) {
        vkm_text_string(text, first ? "" : ", ");
        vkm_text_string(text, column->id);
        first = false;
      }
    }
  }
}

static bool is_known(const struct vkm_sheet *sheets, size_t count, const char *name,
                     size_t length) {
  for (size_t i = 0; i < count; i++) {
    if (vkm_pick_column(&sheets[i], name, length) != NULL) {
      return true;
    }
  }
  return false;
}

static bool unknown(const char *option, const char *name, size_t length,
                    const struct vkm_sheet *sheets, size_t count, bool texts, bool numbers) {
  struct vkm_text known;
  vkm_text_init(&known, SIZE_MAX);
  list_columns(sheets, count, texts, numbers, &known);
  vkm_error("--%s: what is shown has no '%.*s'; there is %s", option, (int)length, name,
            known.length_bytes > 0 ? known.data : "nothing");
  vkm_text_finish(&known);
  return false;
}

static bool check_filter(const char *expression, const struct vkm_sheet *sheets, size_t count) {
  struct vkm_filter filter;
  char cause[256];
  if (!vkm_filter_init(&filter, expression, cause, sizeof cause)) {
    vkm_error("--filter=%s cannot be used: %s; give a part of a name, /REGEX/, KEY:TEXT or "
              "KEY>NUMBER",
              expression, cause);
    return false;
  }
  bool applies = false;
  for (size_t i = 0; i < count; i++) {
    applies = applies || vkm_filter_applies(&filter, &sheets[i]);
  }
  bool keyed = filter.key != NULL;
  vkm_filter_finish(&filter);
  if (!applies && keyed) {
    bool text = filter.kind == VKM_FILTER_TEXT;
    return unknown("filter", filter.key, filter.key_length, sheets, count, text, !text);
  }
  return true;
}

static bool check_sort(const char *sort, const struct vkm_sheet *sheets, size_t count) {
  size_t length = strcspn(sort, ":");
  const char *direction = sort[length] ? sort + length + 1 : "asc";
  if (strcmp(direction, "asc") != 0 && strcmp(direction, "desc") != 0) {
    vkm_error("--sort=%s: '%s' is no direction; give asc or desc", sort, direction);
    return false;
  }
  return is_known(sheets, count, sort, length) ||
         unknown("sort", sort, length, sheets, count, true, true);
}

bool vkm_pick_check(const struct vkm_pick *pick, const struct vkm_sheet *sheets, size_t count) {
  const char *list = pick->columns != NULL ? pick->columns : "";
  const char *name = NULL;
  size_t length = 0;
  while (next_name(&list, &name, &length)) {
    if (!is_known(sheets, count, name, length)) {
      return unknown("columns", name, length, sheets, count, true, true);
    }
  }
  for (size_t i = 0; i < pick->filter_count; i++) {
    if (!check_filter(pick->filters[i], sheets, count)) {
      return false;
    }
  }
  return pick->sort == NULL || check_sort(pick->sort, sheets, count);
}

/* ---- help ---- */

static const char *kind_of(const struct vkm_column *column) {
  switch (column->kind) {
  case VKM_COLUMN_TEXT:
    return "text";
  case VKM_COLUMN_COUNT:
  case VKM_COLUMN_NUMBER:
  case VKM_COLUMN_RATIO:
    return "number";
  case VKM_COLUMN_PERCENT:
  case VKM_COLUMN_CHANGE:
    return "percent";
  case VKM_COLUMN_BYTES:
    return "bytes";
  default:
    return "time";
  }
}

static void help_column(const struct vkm_column *column, const struct vkm_view_settings *settings,
                        struct vkm_text *text) {
  enum { ID_COLUMNS = 26, KIND_COLUMNS = 9 };
  const char *kind = kind_of(column);
  vkm_text_string(text, "  ");
  vkm_term_name(text, column->id, 0, settings->ascii);
  for (size_t i = strlen(column->id); i < ID_COLUMNS; i++) {
    vkm_text_string(text, " ");
  }
  vkm_text_string(text, kind);
  const char *about = column->about != NULL ? column->about : vkm_column_header(column, settings);
  for (size_t i = strlen(kind); *about && i < KIND_COLUMNS; i++) {
    vkm_text_string(text, " ");
  }
  vkm_term_name(text, about, 0, settings->ascii);
  vkm_text_string(text, "\n");
}

void vkm_pick_help(const struct vkm_sheet *sheets, size_t count,
                   const struct vkm_view_settings *settings, struct vkm_text *text) {
  for (size_t i = 0; i < count; i++) {
    vkm_text_string(text, i > 0 ? "\n" : "");
    vkm_text_string(text, sheets[i].id);
    vkm_text_string(text, "\n");
    for (size_t j = 0; j < sheets[i].all_count; j++) {
      help_column(sheets[i].all[j], settings, text);
    }
    for (size_t j = 0; j < sheets[i].column_count; j++) {
      const struct vkm_column *column = sheets[i].columns[j];
      bool again = false;
      for (size_t k = 0; k < sheets[i].all_count; k++) {
        again = again || strcmp(sheets[i].all[k]->id, column->id) == 0;
      }
      if (!again) {
        help_column(column, settings, text);
      }
    }
  }
}
