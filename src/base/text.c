/* In: bytes, numbers, strings of any content. Out: one growing text, valid JSON where asked for.
 * Next room: profile. */
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/digits.h"

enum { FIRST_CAPACITY_BYTES = 64, NUMBER_BYTES = 48 };

static const char REPLACEMENT[] = "\xEF\xBF\xBD"; /* U+FFFD */

void vkm_text_init(struct vkm_text *text, size_t limit_bytes) {
  /* One byte is kept for the NUL, so that the capacity is always representable. */
  size_t limit = limit_bytes == SIZE_MAX ? SIZE_MAX - 1 : limit_bytes;
  *text = (struct vkm_text){.limit_bytes = limit};
}

void vkm_text_init_drained(struct vkm_text *text, vkm_text_drain drain, void *context) {
  vkm_text_init(text, SIZE_MAX);
  text->drain = drain;
  text->drain_context = context;
}

void vkm_text_finish(struct vkm_text *text) {
  vkm_free(text->data);
  text->data = NULL;
  text->capacity_bytes = 0;
  vkm_text_clear(text);
}

void vkm_text_clear(struct vkm_text *text) {
  text->length_bytes = 0;
  text->failed = false;
  if (text->data != NULL) {
    text->data[0] = '\0';
  }
}

void vkm_text_cut(struct vkm_text *text, size_t length_bytes) {
  if (length_bytes < text->length_bytes) {
    text->length_bytes = length_bytes;
    text->data[length_bytes] = '\0';
  }
}

bool vkm_text_flush(struct vkm_text *text) {
  if (!text->failed && text->length_bytes > 0) {
    text->failed = !text->drain(text->drain_context, text->data, text->length_bytes);
    vkm_text_cut(text, 0);
  }
  return !text->failed;
}

/* To `needed` at least, a NUL included. False: failed is set, nothing else has changed. */
static bool grow(struct vkm_text *text, size_t needed) {
  size_t capacity = text->capacity_bytes > SIZE_MAX / 2 ? needed : text->capacity_bytes * 2;
  if (capacity < FIRST_CAPACITY_BYTES) {
    capacity = FIRST_CAPACITY_BYTES;
  }
  if (text->drain != NULL && capacity > VKM_TEXT_PIECE_BYTES) {
    capacity = VKM_TEXT_PIECE_BYTES;
  }
  if (capacity > text->limit_bytes + 1) {
    capacity = text->limit_bytes + 1;
  }
  if (capacity < needed) {
    capacity = needed;
  }
  char *data = vkm_realloc(text->data, capacity);
  if (data == NULL) {
    text->failed = true;
    return false;
  }
  text->data = data;
  text->capacity_bytes = capacity;
  return true;
}

char *vkm_text_make_room(struct vkm_text *text, size_t extra_bytes) {
  bool full = text->drain != NULL && text->capacity_bytes >= VKM_TEXT_PIECE_BYTES;
  if (text->failed || (full && !vkm_text_flush(text))) {
    return NULL;
  }
  if (extra_bytes > text->limit_bytes - text->length_bytes) {
    text->failed = true;
    return NULL;
  }
  size_t needed = text->length_bytes + extra_bytes + 1;
  return needed <= text->capacity_bytes || grow(text, needed) ? text->data + text->length_bytes
                                                              : NULL;
}

void vkm_text_append(struct vkm_text *text, const char *bytes, size_t length_bytes) {
  char *to = vkm_text_room(text, length_bytes);
  if (to == NULL) {
    return;
  }
  if (length_bytes > 0) {
    memcpy(to, bytes, length_bytes);
  }
  vkm_text_wrote(text, to + length_bytes);
}

void vkm_text_string(struct vkm_text *text, const char *string) {
  vkm_text_append(text, string, strlen(string));
}

void vkm_text_u64(struct vkm_text *text, uint64_t value) {
  char *to = vkm_text_room(text, VKM_DIGITS_BYTES);
  if (to != NULL) {
    vkm_text_wrote(text, vkm_digits_u64(to, value));
  }
}

void vkm_text_i64(struct vkm_text *text, int64_t value) {
  char *to = vkm_text_room(text, VKM_DIGITS_BYTES);
  if (to != NULL) {
    vkm_text_wrote(text, vkm_digits_i64(to, value));
  }
}

/* Whatever is neither digit, sign nor exponent is the locale's decimal point, maybe of several
 * bytes. Asking localeconv() for it instead would race with a setlocale() of the program. */
static void append_printed(struct vkm_text *text, const char *printed, size_t length) {
  char number[NUMBER_BYTES];
  size_t used = 0;
  for (size_t i = 0; i < length; i++) {
    if (strchr("0123456789+-e", printed[i]) != NULL) {
      number[used++] = printed[i];
    } else if (used == 0 || number[used - 1] != '.') {
      number[used++] = '.';
    }
  }
  vkm_text_append(text, number, used);
}

/* What is no number, and whole ones below `limit`, a power of ten: printf would print the same of
 * them with as many digits, and most are. False: it is neither. */
static bool append_simple(struct vkm_text *text, double value, double limit) {
  if (!isfinite(value)) {
    vkm_text_append(text, "null", 4);
    return true;
  }
  bool whole = fabs(value) < limit && (double)(int64_t)value == value;
  if (!whole || (value == 0 && signbit(value))) {
    return false;
  }
  vkm_text_i64(text, (int64_t)value);
  return true;
}

void vkm_text_double(struct vkm_text *text, double value) {
  char printed[NUMBER_BYTES];
  if (!append_simple(text, value, 1e9)) {
    append_printed(text, printed, (size_t)snprintf(printed, sizeof printed, "%.9g", value));
  }
}

void vkm_text_double_exact(struct vkm_text *text, double value) {
  char printed[NUMBER_BYTES];
  if (append_simple(text, value, 1e15)) {
    return;
  }
  int digits = 15; /* of any double these many are right, and 17 tell it from all others */
  int length = 0;
  do {
    length = snprintf(printed, sizeof printed, "%.*g", digits, value);
  } while (strtod(printed, NULL) != value && ++digits <= 17);
  append_printed(text, printed, (size_t)length);
}

/* Eight bytes of which one at least must not stand in a JSON string as it is: below ' ', '"', '\\',
 * or not ASCII. Each term sets the top bit of such a byte, and of others only where one is. */
static bool is_special(uint64_t bytes) {
  const uint64_t each = UINT64_C(0x0101010101010101);
  uint64_t tops =
      bytes | (bytes - each * ' ') | ((bytes ^ each * '"') - each) | ((bytes ^ each * '\\') - each);
  return (tops & each * 0x80) != 0;
}

/* Fewer than eight bytes, some of them twice, in one word. */
static uint64_t short_word(const char *bytes, size_t length) {
  if (length >= 4) {
    uint32_t halves[2];
    memcpy(&halves[0], bytes, 4);
    memcpy(&halves[1], bytes + length - 4, 4);
    return halves[0] | (uint64_t)halves[1] << 32;
  }
  uint64_t spaces = UINT64_C(0x2020202020000000);
  return length == 0
             ? spaces | 0x202020
             : spaces | (unsigned char)bytes[0] | (uint32_t)(unsigned char)bytes[length / 2] << 8 |
                   (uint32_t)(unsigned char)bytes[length - 1] << 16;
}

bool vkm_text_is_plain(const char *bytes, size_t length) {
  uint64_t word = 0;
  if (length < sizeof word) {
    return !is_special(short_word(bytes, length));
  }
  for (size_t at = 0; at + sizeof word < length; at += sizeof word) {
    memcpy(&word, bytes + at, sizeof word);
    if (is_special(word)) {
      return false;
    }
  }
  memcpy(&word, bytes + length - sizeof word, sizeof word); /* some of them were seen before */
  return !is_special(word);
}

/* Length of the well-formed UTF-8 sequence at `at`, or 0 with `*bad_bytes` set to the length of the
 * maximal ill-formed part (1 to 3). A NUL ends every sequence, so nothing behind it is read.
 * Ranges: Unicode table 3-7. */
static size_t utf8_sequence(const unsigned char *at, size_t *bad_bytes) {
  unsigned char lead = at[0];
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  size_t length = 0;
  *bad_bytes = 1;
  if (lead < 0x80) {
    return 1;
  }
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    low = lead == 0xE0 ? 0xA0 : low;   /* overlong */
    high = lead == 0xED ? 0x9F : high; /* surrogates */
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    low = lead == 0xF0 ? 0x90 : low;   /* overlong */
    high = lead == 0xF4 ? 0x8F : high; /* beyond U+10FFFF */
  }
  for (size_t i = 1; i < length; i++) {
    if (at[i] < low || at[i] > high) {
      *bad_bytes = i;
      return 0;
    }
    low = 0x80;
    high = 0xBF;
  }
  return length;
}

static void append_escaped(struct vkm_text *text, unsigned char byte) {
  static const char hex[] = "0123456789abcdef";
  if (byte < 0x20) {
    const char escape[] = {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 0xF]};
    vkm_text_append(text, escape, sizeof escape);
  } else {
    const char escape[] = {'\\', (char)byte};
    vkm_text_append(text, escape, sizeof escape);
  }
}

static void append_plain(struct vkm_text *text, const char *string, size_t length) {
  char *to = vkm_text_room(text, length + 2);
  if (to != NULL) {
    *to = '"';
    memcpy(to + 1, string, length);
    to[length + 1] = '"';
    vkm_text_wrote(text, to + length + 2);
  }
}

static void append_special(struct vkm_text *text, const char *string) {
  const unsigned char *at = (const unsigned char *)string;
  const unsigned char *plain = at; /* start of what can be copied as it is */
  vkm_text_append(text, "\"", 1);
  while (*at != '\0') {
    size_t bad_bytes = 0;
    bool escaped = *at < 0x20 || *at == '"' || *at == '\\';
    size_t length = escaped ? 0 : utf8_sequence(at, &bad_bytes);
    if (length > 0) {
      at += length;
      continue;
    }
    vkm_text_append(text, (const char *)plain, (size_t)(at - plain));
    if (escaped) {
      append_escaped(text, *at);
      at++;
    } else {
      vkm_text_append(text, REPLACEMENT, sizeof REPLACEMENT - 1);
      at += bad_bytes;
    }
    plain = at;
  }
  vkm_text_append(text, (const char *)plain, (size_t)(at - plain));
  vkm_text_append(text, "\"", 1);
}

void vkm_text_json(struct vkm_text *text, const char *string) {
  size_t length = strlen(string);
  if (vkm_text_is_plain(string, length)) {
    append_plain(text, string, length);
    return;
  }
  size_t length_before = text->length_bytes;
  bool failed_before = text->failed;
  append_special(text, string);
  if (text->failed && !failed_before) {
    vkm_text_cut(text, length_before); /* no half string is left behind */
  }
}

size_t vkm_text_clean(char *to, size_t size_bytes, const char *string) {
  const unsigned char *at = (const unsigned char *)string;
  size_t used = 0;
  while (*at != '\0') {
    size_t bad_bytes = 0;
    size_t length = utf8_sequence(at, &bad_bytes);
    const void *from = length > 0 ? (const void *)at : REPLACEMENT;
    size_t bytes = length > 0 ? length : sizeof REPLACEMENT - 1;
    if (bytes >= size_bytes - used) {
      break;
    }
    memcpy(to + used, from, bytes);
    used += bytes;
    at += length > 0 ? length : bad_bytes;
  }
  to[used] = '\0';
  return used;
}
