/* Members of JSON objects, one call each; a comma goes in front of all but the first. Absent is
 * null. Pure; each appends to `text`. */
#ifndef VKM_TOOLS_VIEWS_MEMBERS_H
#define VKM_TOOLS_VIEWS_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* A comma, unless an object or an array has just begun, or a line that was indented. */
void vkm_member_next(struct vkm_text *text);
/* The member's name and colon; its value is appended next. */
void vkm_member_key(struct vkm_text *text, const char *name);
/* "name":{ or "name":[ or, with `name` NULL, the bracket alone; `open` is that bracket. */
void vkm_member_open(struct vkm_text *text, const char *name, const char *open);

void vkm_member_text(struct vkm_text *text, const char *name, const char *value); /* NULL: null */
void vkm_member_count(struct vkm_text *text, const char *name, uint64_t value);
void vkm_member_bool(struct vkm_text *text, const char *name, bool value);
void vkm_member_number(struct vkm_text *text, const char *name, bool known, double value);

#endif
