/* In: bytes within quotes. Out: characters. Next: json_check. */
#include "profile/json_quoted.h"

#include <stdbool.h>
#include <string.h>

size_t vkm_quoted_plain(const char *at, size_t length) {
  size_t used = 0;
  while (used < length && at[used] >= ' ' && at[used] < 0x7f && at[used] != '"' &&
         at[used] != '\\') {
    used++;
  }
  return used;
}

const char VKM_QUOTED_BREAKS_OFF[] = "it breaks off";

static bool is_within(unsigned value, unsigned least, unsigned most) {
  return value >= least && value <= most;
}

/* Length of a character of several bytes by its first one, 0: none begins so. `least` and `most`
 * bound the second one, which leaves out what is longer than need be, surrogates, and what lies
 * beyond the last character. */
static size_t utf8_length(unsigned char first, unsigned char *least, unsigned char *most) {
  *least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  *most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (is_within(first, 0xc2, 0xdf)) {
    return 2;
  }
  if (is_within(first, 0xe0, 0xef)) {
    return 3;
  }
  return is_within(first, 0xf0, 0xf4) ? 4 : 0;
}

static const char *check_utf8(const char *at, size_t length, size_t *taken) {
  unsigned char least = 0;
  unsigned char most = 0;
  *taken = utf8_length((unsigned char)at[0], &least, &most);
  for (size_t i = 1; i < *taken; i++) {
    if (i >= length) {
      return VKM_QUOTED_BREAKS_OFF;
    }
    if (!is_within((unsigned char)at[i], i == 1 ? least : 0x80, i == 1 ? most : 0xbf)) {
      *taken = 0;
    }
  }
  return *taken > 0 ? NULL : "no JSON: bytes that are not UTF-8";
}

static int hex_digit(char c) {
  static const char digits[] = "0123456789abcdef0123456789ABCDEF";
  const char *found = c != 0 ? strchr(digits, c) : NULL;
  return found != NULL ? (int)((found - digits) % 16) : -1;
}

/* Of four hex digits; -1: they are none. They are there. */
static int unit_at(const char *at) {
  int unit = 0;
  for (int i = 0; i < 4; i++) {
    int digit = hex_digit(at[i]);
    if (digit < 0) {
      return -1;
    }
    unit = unit * 16 + digit;
  }
  return unit;
}

enum { ESCAPE_BYTES = 6 }; /* \uXXXX */

static bool is_high(int unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}

static bool is_low(int unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

static const char *check_unicode(const char *at, size_t length, size_t *taken) {
  if (length < ESCAPE_BYTES) {
    return VKM_QUOTED_BREAKS_OFF;
  }
  int unit = unit_at(at + 2);
  *taken = ESCAPE_BYTES;
  if (unit < 0) {
    return "no JSON: an escape that is none";
  }
  if (unit == 0) {
    return "the character NUL";
  }
  if (!is_high(unit)) {
    return is_low(unit) ? "no JSON: half a surrogate pair" : NULL;
  }
  if (length < (size_t)2 * ESCAPE_BYTES) {
    return length == ESCAPE_BYTES || at[ESCAPE_BYTES] == '\\' ? VKM_QUOTED_BREAKS_OFF
                                                              : "no JSON: half a surrogate pair";
  }
  bool pair = at[ESCAPE_BYTES] == '\\' && at[ESCAPE_BYTES + 1] == 'u' &&
              is_low(unit_at(at + ESCAPE_BYTES + 2));
  *taken = (size_t)2 * ESCAPE_BYTES;
  return pair ? NULL : "no JSON: half a surrogate pair";
}

static const char *check_escape(const char *at, size_t length, size_t *taken) {
  if (length < 2) {
    return VKM_QUOTED_BREAKS_OFF;
  }
  if (at[1] == 'u') {
    return check_unicode(at, length, taken);
  }
  *taken = 2;
  return at[1] != 0 && strchr("\"\\/bfnrt", at[1]) != NULL ? NULL
                                                           : "no JSON: an escape that is none";
}

const char *vkm_quoted_special(const char *at, size_t length, size_t *taken) {
  unsigned char first = (unsigned char)at[0];
  if (first == '\\') {
    return check_escape(at, length, taken);
  }
  *taken = 1;
  if (first == 0) {
    return "no JSON: a NUL byte";
  }
  if (first < ' ') {
    return "no JSON: a control character that is not escaped";
  }
  return first == 0x7f ? NULL : check_utf8(at, length, taken);
}

/* The character at *at, which is moved behind it; a quote ends the text. */
static uint32_t next_character(const char **at) {
  const unsigned char *from = (const unsigned char *)*at;
  unsigned char least = 0;
  unsigned char most = 0;
  size_t length = utf8_length(from[0], &least, &most);
  if (length > 1) {
    uint32_t character = from[0] & (0x7fU >> length);
    for (size_t i = 1; i < length; i++) {
      character = character << 6 | (from[i] & 0x3fU);
    }
    *at += length;
    return character;
  }
  if (from[0] != '\\') {
    *at += 1;
    return from[0];
  }
  if (from[1] != 'u') {
    static const char names[] = "bfnrt";
    static const char meant[] = "\b\f\n\r\t";
    const char *found = strchr(names, from[1]);
    *at += 2;
    return (uint32_t)(found != NULL ? meant[found - names] : from[1]);
  }
  int unit = unit_at(*at + 2);
  *at += ESCAPE_BYTES;
  if (!is_high(unit)) {
    return (uint32_t)unit;
  }
  int low = unit_at(*at + 2);
  *at += ESCAPE_BYTES;
  return 0x10000U + ((uint32_t)(unit - 0xd800) << 10) + (uint32_t)(low - 0xdc00);
}

uint64_t vkm_quoted_hash(const char *text) {
  uint64_t hash = 14695981039346656037ULL; /* FNV-1a */
  while (*text != '"') {
    hash = (hash ^ next_character(&text)) * 1099511628211ULL;
  }
  return hash;
}

int vkm_quoted_compare(const char *left, const char *right) {
  while (*left != '"' && *right != '"') {
    uint32_t a = next_character(&left);
    uint32_t b = next_character(&right);
    if (a != b) {
      return a < b ? -1 : 1;
    }
  }
  return (*left != '"') - (*right != '"');
}

size_t vkm_quoted_shorten(const char *text, size_t most) {
  const char *at = text;
  size_t length = 0;
  while (*at != '"') {
    (void)next_character(&at);
    if ((size_t)(at - text) > most) {
      break;
    }
    length = (size_t)(at - text);
  }
  return length;
}
