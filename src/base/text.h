/* A growing text with a cap. A failed append sets `failed` and leaves the text as it was; further
 * appends do nothing, so a caller appends freely and looks at `failed` once at the end. */
#ifndef VKM_BASE_TEXT_H
#define VKM_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vkm_text {
  char *data; /* always ends in NUL once something was appended; NULL before */
  size_t length_bytes;
  size_t capacity_bytes;
  size_t limit_bytes; /* largest length */
  bool failed;        /* out of memory, or over the limit */
};

void vkm_text_init(struct vkm_text *text, size_t limit_bytes);
void vkm_text_finish(struct vkm_text *text);
void vkm_text_clear(struct vkm_text *text); /* empties, keeps memory and forgets `failed` */
void vkm_text_cut(struct vkm_text *text, size_t length_bytes); /* to so many, if it is longer */
void vkm_text_append(struct vkm_text *text, const char *bytes, size_t length_bytes);
void vkm_text_string(struct vkm_text *text, const char *string);
void vkm_text_u64(struct vkm_text *text, uint64_t value);
void vkm_text_i64(struct vkm_text *text, int64_t value);
/* Shortest of up to 9 significant digits, always with '.', whatever the locale; "null" for inf and
 * NaN. */
void vkm_text_double(struct vkm_text *text, double value);
/* The same with as many digits (up to 17) as it takes to read back the very value. */
void vkm_text_double_exact(struct vkm_text *text, double value);
/* Quoted JSON string; bytes that are no UTF-8 become U+FFFD; control characters are escaped. */
void vkm_text_json(struct vkm_text *text, const char *string);
/* Copies as much of `string` as finds room, in whole characters, and a NUL; bytes that are no UTF-8
 * become U+FFFD. Into `size_bytes`, at least 1. The length. */
size_t vkm_text_clean(char *to, size_t size_bytes, const char *string);

#endif
