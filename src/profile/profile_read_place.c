/* Places in a JSON text. In: the text, a way. Out: byte offsets. Next: profile_read_value, for its
 * errors. */
#include "profile/profile_read_place.h"

#include <stdbool.h>
#include <string.h>

static size_t skip_blank(const char *text, size_t length, size_t at) {
  while (at < length && (unsigned char)text[at] <= ' ') {
    at++;
  }
  return at;
}

/* From the opening quote to behind the closing one, or to the end. */
static size_t skip_string(const char *text, size_t length, size_t at, bool *closed) {
  for (at++; at < length; at++) {
    if (text[at] == '\\') {
      at++;
    } else if (text[at] == '"') {
      *closed = true;
      return at + 1;
    }
  }
  *closed = false;
  return length;
}

size_t vkm_place_line(const char *text, size_t length, size_t offset) {
  size_t line = 1;
  for (size_t at = 0; at < offset && at < length; at++) {
    line += text[at] == '\n';
  }
  return line;
}

/* Behind the value that begins at `at`. */
static size_t skip_value(const char *text, size_t length, size_t at) {
  size_t depth = 0;
  while (at < length) {
    char c = text[at];
    bool closed = false;
    if (c == '"') {
      at = skip_string(text, length, at, &closed);
      continue;
    }
    if (c == '{' || c == '[') {
      depth++;
    } else if (c == '}' || c == ']') {
      if (depth == 0) {
        return at;
      }
      depth--;
    } else if (c == ',' && depth == 0) {
      return at;
    }
    at++;
  }
  return length;
}

size_t vkm_place_root(const char *text, size_t length) {
  return skip_blank(text, length, 0);
}

size_t vkm_place_member(const char *text, size_t length, size_t offset, const char *name) {
  size_t name_length = strlen(name);
  size_t at = skip_blank(text, length, offset + 1);
  while (at < length && text[at] == '"') {
    bool closed = false;
    size_t end = skip_string(text, length, at, &closed);
    bool same =
        closed && end - at == name_length + 2 && memcmp(text + at + 1, name, name_length) == 0;
    at = skip_blank(text, length, end);
    at = skip_blank(text, length, at < length ? at + 1 : at); /* the colon */
    if (same) {
      return at;
    }
    at = skip_value(text, length, at);
    at = skip_blank(text, length, at < length ? at + 1 : at); /* the comma */
  }
  return offset;
}

size_t vkm_place_element(const char *text, size_t length, size_t offset, size_t index) {
  size_t at = skip_blank(text, length, offset + 1);
  for (size_t i = 0; i < index && at < length; i++) {
    at = skip_value(text, length, at);
    at = skip_blank(text, length, at < length ? at + 1 : at);
  }
  return at < length ? at : offset;
}

size_t vkm_place_behind(const char *text, size_t length, size_t offset) {
  size_t at = skip_blank(text, length, offset);
  return at < length && text[at] == ',' ? skip_blank(text, length, at + 1) : at;
}

size_t vkm_place_close(const char *text, size_t length, size_t offset, size_t *count) {
  size_t at = skip_blank(text, length, offset + 1);
  *count = 0;
  while (at < length && text[at] != ']') {
    at = vkm_place_behind(text, length, skip_value(text, length, at));
    ++*count;
  }
  return at;
}
