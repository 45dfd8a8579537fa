/* Reads `key = value` lines, see pairs.h. */
#include "base/pairs.h"

#include <string.h>

static bool is_blank(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r';
}

static char *trim(char *text) {
  while (is_blank(*text)) {
    text++;
  }
  size_t length = strlen(text);
  while (length > 0 && is_blank(text[length - 1])) {
    text[--length] = '\0';
  }
  return text;
}

static char *unquote(char *text) {
  size_t length = strlen(text);
  if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
    text[length - 1] = '\0';
    text++;
  }
  return text;
}

void vkm_pairs_start(struct vkm_pairs *pairs, char *text) {
  pairs->next = text;
}

bool vkm_pairs_next(struct vkm_pairs *pairs, const char **key, const char **value) {
  while (pairs->next) {
    char *line = pairs->next;
    char *end = strchr(line, '\n');
    pairs->next = end ? end + 1 : NULL;
    if (end) {
      *end = '\0';
    }
    char *equals = strchr(line, '=');
    line = trim(line);
    if (*line == '#' || !equals || equals < line || *line == '=') {
      continue;
    }
    *equals = '\0';
    *key = trim(line);
    *value = unquote(trim(equals + 1));
    return true;
  }
  return false;
}
