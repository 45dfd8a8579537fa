/* In: names and values. Out: JSON. Next: the views for programs. */
#include "views/members.h"

#include <math.h>
#include <string.h>

#include "views/units.h"

void vkm_member_next(struct vkm_text *text) {
  size_t length = text->length_bytes;
  if (length > 0 && strchr("{[\n ", text->data[length - 1]) == NULL) {
    vkm_text_string(text, ",");
  }
}

void vkm_member_key(struct vkm_text *text, const char *name) {
  vkm_member_next(text);
  vkm_text_json(text, name);
  vkm_text_string(text, ":");
}

void vkm_member_open(struct vkm_text *text, const char *name, const char *open) {
  if (name != NULL) {
    vkm_member_key(text, name);
  } else {
    vkm_member_next(text);
  }
  vkm_text_string(text, open);
}

void vkm_member_text(struct vkm_text *text, const char *name, const char *value) {
  vkm_member_key(text, name);
  if (value == NULL) {
    vkm_text_string(text, "null");
  } else {
    vkm_text_json(text, value);
  }
}

void vkm_member_count(struct vkm_text *text, const char *name, uint64_t value) {
  vkm_member_key(text, name);
  vkm_text_u64(text, value);
}

void vkm_member_bool(struct vkm_text *text, const char *name, bool value) {
  vkm_member_key(text, name);
  vkm_text_string(text, value ? "true" : "false");
}

void vkm_member_number(struct vkm_text *text, const char *name, bool known, double value) {
  vkm_member_key(text, name);
  if (known && isfinite(value)) {
    vkm_format_exact(text, value);
  } else {
    vkm_text_string(text, "null");
  }
}
