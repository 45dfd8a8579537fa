/* One --filter. In: an expression, rows. Out: whether a row stays. Next: pick. */
#include "views/filter.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "views/pick.h"
#include "views/units.h"

static bool is_key(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (!isalnum((unsigned char)text[i]) && strchr("_ -.", text[i]) == NULL) {
      return false;
    }
  }
  return length > 0;
}

static bool init_regex(struct vkm_filter *filter, const char *expression, char *cause,
                       size_t cause_size) {
  size_t length = strlen(expression);
  char *pattern = strndup(expression + 1, length - 2);
  int status =
      pattern != NULL ? regcomp(&filter->regex, pattern, REG_EXTENDED | REG_NOSUB) : REG_ESPACE;
  free(pattern);
  if (status != 0) {
    regerror(status, &filter->regex, cause, cause_size);
    return false;
  }
  filter->kind = VKM_FILTER_REGEX;
  return true;
}

/* KEY>=NUMBER, KEY:TEXT; false: neither. */
static bool init_keyed(struct vkm_filter *filter, const char *expression) {
  size_t length = strcspn(expression, ":<>=");
  const char *rest = expression + length;
  if (!*rest || !is_key(expression, length)) {
    return false;
  }
  filter->key = expression;
  while (length > 1 && expression[length - 1] == ' ') {
    length--;
  }
  filter->key_length = length;
  if (*rest == ':' && rest[1] != ':') {
    filter->kind = VKM_FILTER_TEXT;
    filter->text = rest + 1;
    return true;
  }
  size_t width = strspn(rest, "<>=");
  if (width == 0 || width > 2 ||
      !vkm_parse_quantity(rest + width + strspn(rest + width, " "), &filter->number)) {
    return false;
  }
  memcpy(filter->comparison, rest, width);
  filter->kind = VKM_FILTER_NUMBER;
  return strcmp(filter->comparison, ">") == 0 || strcmp(filter->comparison, "<") == 0 ||
         strcmp(filter->comparison, ">=") == 0 || strcmp(filter->comparison, "<=") == 0 ||
         strcmp(filter->comparison, "=") == 0;
}

bool vkm_filter_init(struct vkm_filter *filter, const char *expression, char *cause,
                     size_t cause_size) {
  *filter = (struct vkm_filter){.kind = VKM_FILTER_PART, .text = expression};
  size_t length = strlen(expression);
  if (length == 0) {
    snprintf(cause, cause_size, "it is empty");
    return false;
  }
  if (length > 2 && expression[0] == '/' && expression[length - 1] == '/') {
    return init_regex(filter, expression, cause, cause_size);
  }
  if (!init_keyed(filter, expression)) {
    *filter = (struct vkm_filter){.kind = VKM_FILTER_PART, .text = expression};
  }
  return true;
}

void vkm_filter_finish(struct vkm_filter *filter) {
  if (filter->kind == VKM_FILTER_REGEX) {
    regfree(&filter->regex);
  }
}

/* NULL: not in this sheet. */
static const struct vkm_column *column_of(const struct vkm_filter *filter,
                                          const struct vkm_sheet *sheet) {
  const struct vkm_column *column = NULL;
  switch (filter->kind) {
  case VKM_FILTER_NUMBER:
    column = vkm_pick_column(sheet, filter->key, filter->key_length);
    return column != NULL && column->kind != VKM_COLUMN_TEXT ? column : NULL;
  case VKM_FILTER_TEXT:
    column = vkm_pick_column(sheet, filter->key, filter->key_length);
    return column != NULL && column->kind == VKM_COLUMN_TEXT ? column : NULL;
  default:
    return vkm_pick_column(sheet, "name", strlen("name"));
  }
}

bool vkm_filter_applies(const struct vkm_filter *filter, const struct vkm_sheet *sheet) {
  return column_of(filter, sheet) != NULL;
}

static bool compare(const struct vkm_filter *filter, double value) {
  switch (filter->comparison[0]) {
  case '>':
    return value > filter->number || (filter->comparison[1] == '=' && value == filter->number);
  case '<':
    return value < filter->number || (filter->comparison[1] == '=' && value == filter->number);
  default:
    return value == filter->number;
  }
}

bool vkm_filter_keeps(const struct vkm_filter *filter, const struct vkm_sheet *sheet,
                      const void *row) {
  static const struct vkm_view_settings raw = {.raw = true};
  const struct vkm_column *column = column_of(filter, sheet);
  if (column == NULL) {
    return true;
  }
  if (filter->kind == VKM_FILTER_NUMBER) {
    double value = 0;
    return column->value(row, column, &value) && compare(filter, value);
  }
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  column->print(row, column, &raw, &text);
  const char *found = text.length_bytes > 0 ? text.data : "";
  bool keeps = filter->kind == VKM_FILTER_REGEX ? regexec(&filter->regex, found, 0, NULL, 0) == 0
                                                : strstr(found, filter->text) != NULL;
  vkm_text_finish(&text);
  return keeps;
}
