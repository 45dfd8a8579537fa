/* Writes JSON, one member a line, indented by one space a level. Private to the writer.
 * Each verb takes the member's key (any bytes), NULL for an element of an array. Failure shows in
 * `text->failed` only. */
#ifndef VKM_PROFILE_PROFILE_WRITE_JSON_H
#define VKM_PROFILE_PROFILE_WRITE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "kernel/identity.h"

struct vkm_json {
  struct vkm_text *text; /* borrowed */
  unsigned depth;
  bool filled; /* the open object or array has a member already */
};

/* bracket: '{' or '[', closed by the matching one. */
void vkm_json_open(struct vkm_json *json, const char *key, char bracket);
void vkm_json_close(struct vkm_json *json, char bracket);

void vkm_json_u64(struct vkm_json *json, const char *key, uint64_t value);
void vkm_json_i64(struct vkm_json *json, const char *key, int64_t value);
void vkm_json_bool(struct vkm_json *json, const char *key, bool value);
void vkm_json_hash(struct vkm_json *json, const char *key, struct vkm_hash hash);
/* null, and a member `key`_reason beside it. The reason is never NULL. */
void vkm_json_null(struct vkm_json *json, const char *key, const char *reason);
void vkm_json_reason(struct vkm_json *json, const char *key, const char *reason);
/* NULL as vkm_json_null does. */
void vkm_json_string(struct vkm_json *json, const char *key, const char *string,
                     const char *reason);
/* inf and NaN as vkm_json_null does. */
void vkm_json_double(struct vkm_json *json, const char *key, double value, const char *reason);
/* The same with all digits of the value. */
void vkm_json_double_exact(struct vkm_json *json, const char *key, double value,
                           const char *reason);

/* An array on one line. */
void vkm_json_list_open(struct vkm_json *json, const char *key);
void vkm_json_list_i64(struct vkm_json *json, int64_t value);
void vkm_json_list_string(struct vkm_json *json, const char *string); /* NULL: null */
void vkm_json_list_close(struct vkm_json *json);
void vkm_json_list_u32s(struct vkm_json *json, const char *key, const uint32_t *values,
                        size_t count);

#endif
