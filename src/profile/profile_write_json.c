/* In: keys and values. Out: JSON text. Next room: the file. */
#include "profile/profile_write_json.h"

#include <math.h>
#include <string.h>

static void new_line(struct vkm_json *json) {
  static const char spaces[] = "\n                ";
  size_t length = json->depth < sizeof spaces - 2 ? json->depth : sizeof spaces - 2;
  vkm_text_append(json->text, spaces, length + 1);
}

static void begin(struct vkm_json *json, const char *key) {
  if (json->filled) {
    vkm_text_append(json->text, ",", 1);
  }
  if (json->depth > 0) {
    new_line(json);
  }
  json->filled = true;
  if (key != NULL) {
    vkm_text_json(json->text, key);
    vkm_text_append(json->text, ": ", 2);
  }
}

void vkm_json_open(struct vkm_json *json, const char *key, char bracket) {
  begin(json, key);
  vkm_text_append(json->text, &bracket, 1);
  json->depth++;
  json->filled = false;
}

void vkm_json_close(struct vkm_json *json, char bracket) {
  json->depth--;
  if (json->filled) {
    new_line(json);
  }
  vkm_text_append(json->text, &bracket, 1);
  json->filled = true;
}

/* Faster than printf by far: profiles are mostly samples. */
static void append_i64(struct vkm_text *text, int64_t value) {
  if (value < 0) {
    vkm_text_append(text, "-", 1);
  }
  vkm_text_u64(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void vkm_json_u64(struct vkm_json *json, const char *key, uint64_t value) {
  begin(json, key);
  vkm_text_u64(json->text, value);
}

void vkm_json_i64(struct vkm_json *json, const char *key, int64_t value) {
  begin(json, key);
  append_i64(json->text, value);
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
  static const char suffix[] = "_reason";
  begin(json, key);
  /* The key is a closed string followed by ": " now: the suffix goes before its closing quote. */
  struct vkm_text *text = json->text;
  if (!text->failed) {
    text->length_bytes -= strlen("\": ");
  }
  vkm_text_string(text, suffix);
  vkm_text_string(text, "\": ");
  vkm_text_json(text, reason);
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
  begin_element(json);
  append_i64(json->text, value);
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
