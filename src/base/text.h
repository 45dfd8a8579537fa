/* A growing text with a cap. A failed append sets `failed` and leaves the text as it was; further
 * appends do nothing, so a caller appends freely and looks at `failed` once at the end. A text with
 * a drain holds a piece only: what does not fit any more goes there, in order. */
#ifndef VKM_BASE_TEXT_H
#define VKM_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VKM_TEXT_PIECE_BYTES = 1 << 16 };

/* Takes the bytes away. False: the text has failed. */
typedef bool (*vkm_text_drain)(void *context, const char *bytes, size_t length_bytes);

struct vkm_text {
  char *data; /* always ends in NUL once something was appended; NULL before */
  size_t length_bytes;
  size_t capacity_bytes;
  size_t limit_bytes;   /* largest length */
  bool failed;          /* out of memory, or over the limit */
  vkm_text_drain drain; /* NULL: there is none, all of it stays here */
  void *drain_context;
};

void vkm_text_init(struct vkm_text *text, size_t limit_bytes);
/* From VKM_TEXT_PIECE_BYTES on, a text that is full is drained before it grows: it takes no more
 * memory than that, or than its largest append. The cap is of what is held. */
void vkm_text_init_drained(struct vkm_text *text, vkm_text_drain drain, void *context);
/* Drains what is held, though it be little. False: the text has failed, now or before. */
bool vkm_text_flush(struct vkm_text *text);
void vkm_text_finish(struct vkm_text *text);
void vkm_text_clear(struct vkm_text *text); /* empties, keeps memory and forgets `failed` */
void vkm_text_cut(struct vkm_text *text, size_t length_bytes); /* to so many, if it is longer */
/* Where to write up to `extra_bytes` more, NULL: the text has failed; and the end of what was
 * written there. Nothing else may be done with the text between the two. */
static inline char *vkm_text_room(struct vkm_text *text, size_t extra_bytes);
static inline void vkm_text_wrote(struct vkm_text *text, char *end);
void vkm_text_append(struct vkm_text *text, const char *bytes, size_t length_bytes);
void vkm_text_string(struct vkm_text *text, const char *string);
void vkm_text_u64(struct vkm_text *text, uint64_t value);
void vkm_text_i64(struct vkm_text *text, int64_t value);
/* Shortest of up to 9 significant digits, always with '.', whatever the locale; "null" for inf and
 * NaN. */
void vkm_text_double(struct vkm_text *text, double value);
/* The same with as many digits (up to 17) as it takes to read back the very value. */
void vkm_text_double_exact(struct vkm_text *text, double value);
/* Nothing in these bytes must be escaped or replaced in a JSON string: all are printable ASCII. */
bool vkm_text_is_plain(const char *bytes, size_t length_bytes);
/* Quoted JSON string; bytes that are no UTF-8 become U+FFFD; control characters are escaped. */
void vkm_text_json(struct vkm_text *text, const char *string);
/* Copies as much of `string` as finds room, in whole characters, and a NUL; bytes that are no UTF-8
 * become U+FFFD. Into `size_bytes`, at least 1. The length. */
size_t vkm_text_clean(char *to, size_t size_bytes, const char *string);

/* Drains or grows; as vkm_text_room, whose rare case it is. */
char *vkm_text_make_room(struct vkm_text *text, size_t extra_bytes);

static inline char *vkm_text_room(struct vkm_text *text, size_t extra_bytes) {
  /* One byte more is there for the NUL. */
  return extra_bytes < text->capacity_bytes - text->length_bytes && !text->failed
             ? text->data + text->length_bytes
             : vkm_text_make_room(text, extra_bytes);
}

static inline void vkm_text_wrote(struct vkm_text *text, char *end) {
  *end = '\0';
  text->length_bytes = (size_t)(end - text->data);
}

#endif
