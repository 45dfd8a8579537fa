/* In: keys and values. Out: JSON text. Next room: the file. */
#include "profile/profile_write_json.h"

#include <math.h>
#include <string.h>

#include "base/digits.h"

static char *put(char *to, const char *bytes, size_t length) {
  memcpy(to, bytes, length);
  return to + length;
}

/* A line break and the most of indentation. Copied as a whole, however much of it counts: that is
 * a few instructions, where a copy of any length is a call. */
static const char LINE[] = "\n                ";
enum { LINE_BYTES = sizeof LINE - 1 };

static size_t line_length(const struct vkm_json *json) {
  return json->depth < LINE_BYTES - 1 ? json->depth + 1 : LINE_BYTES;
}

static const char COLON[] = "\": "; /* between a key and its value, the key's quote included */
enum { COLON_BYTES = sizeof COLON - 1 };

/* A key that is no plain text. The suffix goes before the closing quote. */
static void append_key(struct vkm_text *text, const char *key, const char *suffix) {
  vkm_text_json(text, key);
  if (!text->failed) {
    vkm_text_cut(text, text->length_bytes - 1);
  }
  vkm_text_string(text, suffix);
  vkm_text_append(text, COLON, COLON_BYTES);
}

/* All that comes before a value: comma, line break, indentation, and the key, which is `key` with
 * `suffix` behind it. */
static void begin_suffixed(struct vkm_json *json, const char *key, const char *suffix) {
  struct vkm_text *text = json->text;
  size_t key_length = key != NULL ? strlen(key) : 0;
  size_t suffix_length = strlen(suffix);
  bool plain = key != NULL && vkm_text_is_plain(key, key_length);
  char *to = vkm_text_room(text, 1 + LINE_BYTES + 1 + key_length + suffix_length + COLON_BYTES);
  if (to == NULL) {
    return;
  }
  *to = ',';
  to += json->filled;
  json->filled = true;
  if (json->depth > 0) {
    memcpy(to, LINE, LINE_BYTES);
    to += line_length(json);
  }
  if (plain) {
    *to = '"';
    to = put(to + 1, key, key_length);
    to = suffix_length > 0 ? put(to, suffix, suffix_length) : to; /* hardly ever */
    to = put(to, COLON, COLON_BYTES);
  }
  vkm_text_wrote(text, to);
  if (key != NULL && !plain) {
    append_key(text, key, suffix);
  }
}

static void begin(struct vkm_json *json, const char *key) {
  begin_suffixed(json, key, "");
}

void vkm_json_open(struct vkm_json *json, const char *key, char bracket) {
  begin(json, key);
  vkm_text_append(json->text, &bracket, 1);
  json->depth++;
  json->filled = false;
}

void vkm_json_close(struct vkm_json *json, char bracket) {
  json->depth--;
  char *to = vkm_text_room(json->text, LINE_BYTES + 1);
  if (to == NULL) {
    return;
  }
  if (json->filled) {
    memcpy(to, LINE, LINE_BYTES);
    to += line_length(json);
  }
  *to = bracket;
  vkm_text_wrote(json->text, to + 1);
  json->filled = true;
}

void vkm_json_u64(struct vkm_json *json, const char *key, uint64_t value) {
  begin(json, key);
  vkm_text_u64(json->text, value);
}

void vkm_json_i64(struct vkm_json *json, const char *key, int64_t value) {
  begin(json, key);
  vkm_text_i64(json->text, value);
}

void vkm_json_bool(struct vkm_json *json, const char *key, bool value) {
  begin(json, key);
  vkm_text_string(json->text, value ? "true" : "false");
}

void vkm_json_hash(struct vkm_json *json, const char *key, struct vkm_hash hash) {
  char digits[VKM_HASH_TEXT_BYTES];
  vkm_hash_text(hash, digits);
  vkm_json_string(json, key, digits, NULL);
}

void vkm_json_reason(struct vkm_json *json, const char *key, const char *reason) {
  begin_suffixed(json, key, "_reason");
  vkm_text_json(json->text, reason);
}

void vkm_json_null(struct vkm_json *json, const char *key, const char *reason) {
  begin(json, key);
  vkm_text_string(json->text, "null");
  vkm_json_reason(json, key, reason);
}

void vkm_json_string(struct vkm_json *json, const char *key, const char *string,
                     const char *reason) {
  if (string == NULL) {
    vkm_json_null(json, key, reason);
    return;
  }
  begin(json, key);
  vkm_text_json(json->text, string);
}

void vkm_json_double(struct vkm_json *json, const char *key, double value, const char *reason) {
  if (!isfinite(value)) {
    vkm_json_null(json, key, reason);
    return;
  }
  begin(json, key);
  vkm_text_double(json->text, value);
}

void vkm_json_double_exact(struct vkm_json *json, const char *key, double value,
                           const char *reason) {
  if (!isfinite(value)) {
    vkm_json_null(json, key, reason);
    return;
  }
  begin(json, key);
  vkm_text_double_exact(json->text, value);
}

void vkm_json_list_open(struct vkm_json *json, const char *key) {
  begin(json, key);
  vkm_text_append(json->text, "[", 1);
  json->filled = false;
}

static void begin_element(struct vkm_json *json) {
  if (json->filled) {
    vkm_text_append(json->text, ", ", 2);
  }
  json->filled = true;
}

void vkm_json_list_i64(struct vkm_json *json, int64_t value) {
  char *to = vkm_text_room(json->text, 2 + VKM_DIGITS_BYTES);
  if (to == NULL) {
    return;
  }
  if (json->filled) {
    to = put(to, ", ", 2);
  }
  json->filled = true;
  vkm_text_wrote(json->text, vkm_digits_i64(to, value));
}

void vkm_json_list_string(struct vkm_json *json, const char *string) {
  begin_element(json);
  if (string == NULL) {
    vkm_text_string(json->text, "null");
  } else {
    vkm_text_json(json->text, string);
  }
}

void vkm_json_list_close(struct vkm_json *json) {
  vkm_text_append(json->text, "]", 1);
  json->filled = true;
}

void vkm_json_list_u32s(struct vkm_json *json, const char *key, const uint32_t *values,
                        size_t count) {
  vkm_json_list_open(json, key);
  for (size_t i = 0; i < count; i++) {
    vkm_json_list_i64(json, values[i]);
  }
  vkm_json_list_close(json);
}
