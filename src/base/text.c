/* In: bytes, numbers, strings of any content. Out: one growing text, valid JSON where asked for.
 * Next room: profile. */
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { FIRST_CAPACITY_BYTES = 64, NUMBER_BYTES = 48 };

static const char REPLACEMENT[] = "\xEF\xBF\xBD"; /* U+FFFD */

void vkm_text_init(struct vkm_text *text, size_t limit_bytes) {
  /* One byte is kept for the NUL, so that the capacity is always representable. */
  size_t limit = limit_bytes == SIZE_MAX ? SIZE_MAX - 1 : limit_bytes;
  *text = (struct vkm_text){.limit_bytes = limit};
}

void vkm_text_finish(struct vkm_text *text) {
  vkm_free(text->data);
  vkm_text_init(text, text->limit_bytes);
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

/* Makes room for `extra_bytes` more and a NUL. False: failed is set, nothing else has changed. */
static bool reserve(struct vkm_text *text, size_t extra_bytes) {
  if (extra_bytes > text->limit_bytes - text->length_bytes) {
    text->failed = true;
    return false;
  }
  size_t needed = text->length_bytes + extra_bytes + 1;
  if (needed <= text->capacity_bytes) {
    return true;
  }
  size_t capacity = text->capacity_bytes > SIZE_MAX / 2 ? needed : text->capacity_bytes * 2;
  if (capacity < FIRST_CAPACITY_BYTES) {
    capacity = FIRST_CAPACITY_BYTES;
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

void vkm_text_append(struct vkm_text *text, const char *bytes, size_t length_bytes) {
  if (text->failed || !reserve(text, length_bytes)) {
    return;
  }
  if (length_bytes > 0) {
    memcpy(text->data + text->length_bytes, bytes, length_bytes);
  }
  text->length_bytes += length_bytes;
  text->data[text->length_bytes] = '\0';
}

void vkm_text_string(struct vkm_text *text, const char *string) {
  vkm_text_append(text, string, strlen(string));
}

void vkm_text_u64(struct vkm_text *text, uint64_t value) {
  char digits[NUMBER_BYTES];
  char *end = digits + sizeof digits;
  char *start = end;
  do {
    *--start = (char)('0' + value % 10);
    value /= 10;
  } while (value > 0);
  vkm_text_append(text, start, (size_t)(end - start));
}

void vkm_text_i64(struct vkm_text *text, int64_t value) {
  char digits[NUMBER_BYTES];
  int length = snprintf(digits, sizeof digits, "%" PRId64, value);
  vkm_text_append(text, digits, (size_t)length);
}

static void append_double(struct vkm_text *text, double value, int digits) {
  char printed[NUMBER_BYTES];
  int length = snprintf(printed, sizeof printed, "%.*g", digits, value);
  /* Whatever is neither digit, sign nor exponent is the locale's decimal point, maybe of several
   * bytes. Asking localeconv() for it instead would race with a setlocale() of the program. */
  char number[NUMBER_BYTES];
  size_t used = 0;
  for (int i = 0; i < length; i++) {
    if (strchr("0123456789+-e", printed[i]) != NULL) {
      number[used++] = printed[i];
    } else if (used == 0 || number[used - 1] != '.') {
      number[used++] = '.';
    }
  }
  vkm_text_append(text, number, used);
}

void vkm_text_double(struct vkm_text *text, double value) {
  if (!isfinite(value)) {
    vkm_text_string(text, "null");
    return;
  }
  append_double(text, value, 9);
}

void vkm_text_double_exact(struct vkm_text *text, double value) {
  if (!isfinite(value)) {
    vkm_text_string(text, "null");
    return;
  }
  int digits = 15; /* of any double these many are right, and 17 tell it from all others */
  char printed[NUMBER_BYTES];
  do {
    snprintf(printed, sizeof printed, "%.*g", digits, value);
  } while (strtod(printed, NULL) != value && ++digits < 17);
  append_double(text, value, digits);
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

void vkm_text_json(struct vkm_text *text, const char *string) {
  size_t length_before = text->length_bytes;
  bool failed_before = text->failed;
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
  if (text->failed && !failed_before) {
    /* No half string is left behind. */
    text->length_bytes = length_before;
    if (text->data != NULL) {
      text->data[length_before] = '\0';
    }
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
