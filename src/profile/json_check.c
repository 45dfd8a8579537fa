/* In: a text that nobody has looked at. Out: yes, or what is wrong and where. Next: document, which
 * parses it. One pass; the names of the objects that are open are kept on a stack, so that each
 * object can look for doubles when it closes. */
#include "profile/json_check.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "profile/json_quoted.h"

struct name {
  uint64_t hash;
  const char *at; /* behind the opening quote */
};

struct checker {
  const char *text;
  size_t length, at;
  size_t depth;
  struct name *names; /* of all objects that are open; owned */
  size_t name_count, name_capacity;
  struct vkm_json_fault *fault;
};

static bool at_end(const struct checker *checker) {
  return checker->at >= checker->length;
}

static bool refuse(struct checker *checker, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool refuse(struct checker *checker, size_t offset, const char *format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(checker->fault->cause, sizeof checker->fault->cause, format, values);
  va_end(values);
  checker->fault->offset = offset;
  return false;
}

static bool breaks_off(struct checker *checker) {
  checker->fault->truncated = true;
  return refuse(checker, checker->length, "truncated: the document breaks off");
}

/* Something else stands where `expected` should. */
static bool unexpected(struct checker *checker, const char *expected) {
  if (at_end(checker)) {
    return breaks_off(checker);
  }
  unsigned char byte = (unsigned char)checker->text[checker->at];
  if (byte > 0x20 && byte < 0x7f) {
    return refuse(checker, checker->at, "no JSON: expected %s, found '%c'", expected, byte);
  }
  return refuse(checker, checker->at, "no JSON: expected %s, found the byte 0x%02x", expected,
                byte);
}

static void skip_blank(struct checker *checker) {
  while (!at_end(checker) && checker->text[checker->at] != 0 &&
         strchr(" \n\r\t", checker->text[checker->at]) != NULL) {
    checker->at++;
  }
}

static bool take(struct checker *checker, char c) {
  bool there = !at_end(checker) && checker->text[checker->at] == c;
  checker->at += there;
  return there;
}

static bool check_text(struct checker *checker) {
  checker->at++;
  for (;;) {
    checker->at += vkm_quoted_plain(checker->text + checker->at, checker->length - checker->at);
    if (at_end(checker)) {
      return breaks_off(checker);
    }
    if (take(checker, '"')) {
      return true;
    }
    size_t taken = 0;
    const char *wrong =
        vkm_quoted_special(checker->text + checker->at, checker->length - checker->at, &taken);
    if (wrong == VKM_QUOTED_BREAKS_OFF) {
      return breaks_off(checker);
    }
    if (wrong != NULL) {
      return refuse(checker, checker->at, "%s in a text", wrong);
    }
    checker->at += taken;
  }
}

static size_t take_digits(struct checker *checker) {
  size_t begin = checker->at;
  while (!at_end(checker) && checker->text[checker->at] >= '0' &&
         checker->text[checker->at] <= '9') {
    checker->at++;
  }
  return checker->at - begin;
}

static bool refuse_word(struct checker *checker, size_t begin) {
  static const char *const words[] = {"NaN", "nan", "Infinity", "inf"};
  size_t left = checker->length - checker->at;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i]);
    if (left >= length && memcmp(checker->text + checker->at, words[i], length) == 0) {
      return refuse(checker, begin, "no JSON: %s is no number that a document can hold", words[i]);
    }
  }
  return unexpected(checker, begin == checker->at ? "a value" : "a digit");
}

static bool check_number(struct checker *checker) {
  size_t begin = checker->at;
  bool minus = take(checker, '-');
  bool zero = take(checker, '0');
  if (!zero && take_digits(checker) == 0) {
    return minus && !at_end(checker) ? refuse_word(checker, begin) : unexpected(checker, "a digit");
  }
  if (take(checker, '.') && take_digits(checker) == 0) {
    return unexpected(checker, "a digit");
  }
  if (take(checker, 'e') || take(checker, 'E')) {
    if (!take(checker, '+')) {
      (void)take(checker, '-');
    }
    if (take_digits(checker) == 0) {
      return unexpected(checker, "a digit");
    }
  }
  if (checker->at - begin > VKM_JSON_NUMBER_BYTES) {
    return refuse(checker, begin, "a number of more than %d characters", VKM_JSON_NUMBER_BYTES);
  }
  return true;
}

static bool check_word(struct checker *checker, const char *word) {
  for (; *word; word++) {
    if (!take(checker, *word)) {
      return unexpected(checker, "true, false or null");
    }
  }
  return true;
}

static bool push_name(struct checker *checker, size_t at) {
  if (checker->name_count == checker->name_capacity) {
    size_t capacity = checker->name_capacity ? 2 * checker->name_capacity : 64;
    struct name *grown = vkm_realloc(checker->names, capacity * sizeof *grown);
    if (grown == NULL) {
      checker->fault->out_of_memory = true;
      return false;
    }
    checker->names = grown;
    checker->name_capacity = capacity;
  }
  const char *name = checker->text + at;
  checker->names[checker->name_count++] = (struct name){vkm_quoted_hash(name), name};
  return true;
}

/* By what they say, then by where they stand. */
static int compare_names(const void *a, const void *b) {
  const struct name *left = a;
  const struct name *right = b;
  if (left->hash != right->hash) {
    return left->hash < right->hash ? -1 : 1;
  }
  int order = vkm_quoted_compare(left->at, right->at);
  return order != 0 ? order : (left->at > right->at) - (left->at < right->at);
}

/* Looks for a name twice among those from `first` on, and gives their room back. */
static bool close_names(struct checker *checker, size_t first) {
  size_t count = checker->name_count - first;
  checker->name_count = first;
  if (count < 2) {
    return true;
  }
  struct name *names = checker->names + first;
  qsort(names, count, sizeof *names, compare_names);
  const char *twice = NULL; /* the first in the text, whatever the hashes are */
  for (size_t i = 1; i < count; i++) {
    if (names[i - 1].hash == names[i].hash && (twice == NULL || names[i].at < twice) &&
        vkm_quoted_compare(names[i - 1].at, names[i].at) == 0) {
      twice = names[i].at;
    }
  }
  if (twice == NULL) {
    return true;
  }
  size_t length = vkm_quoted_shorten(twice, 40);
  return refuse(checker, (size_t)(twice - checker->text) - 1,
                "\"%.*s\" is there twice in one object", (int)length, twice);
}

static bool check_value(struct checker *checker);

static bool check_member(struct checker *checker) {
  skip_blank(checker);
  if (at_end(checker) || checker->text[checker->at] != '"') {
    return unexpected(checker, "a name in quotes");
  }
  size_t name = checker->at + 1;
  if (!check_text(checker) || !push_name(checker, name)) {
    return false;
  }
  skip_blank(checker);
  return take(checker, ':') ? check_value(checker) : unexpected(checker, "':'");
}

/* An object or array, from behind its bracket to behind the other one. */
static bool check_list(struct checker *checker, char close) {
  bool object = close == '}';
  size_t first = checker->name_count;
  if (++checker->depth > VKM_JSON_DEEPEST) {
    return refuse(checker, checker->at - 1, "nested deeper than %d levels", VKM_JSON_DEEPEST);
  }
  skip_blank(checker);
  bool closed = take(checker, close);
  while (!closed) {
    if (!(object ? check_member(checker) : check_value(checker))) {
      return false;
    }
    skip_blank(checker);
    closed = take(checker, close);
    if (!closed && !take(checker, ',')) {
      return unexpected(checker, object ? "',' or '}'" : "',' or ']'");
    }
  }
  checker->depth--;
  return close_names(checker, first);
}

static bool check_value(struct checker *checker) {
  skip_blank(checker);
  if (at_end(checker)) {
    return breaks_off(checker);
  }
  switch (checker->text[checker->at]) {
  case '{':
    checker->at++;
    return check_list(checker, '}');
  case '[':
    checker->at++;
    return check_list(checker, ']');
  case '"':
    return check_text(checker);
  case 't':
    return check_word(checker, "true");
  case 'f':
    return check_word(checker, "false");
  case 'n':
    return checker->length - checker->at > 1 && checker->text[checker->at + 1] == 'a'
               ? refuse_word(checker, checker->at)
               : check_word(checker, "null");
  default:
    break;
  }
  bool number = checker->text[checker->at] == '-' ||
                (checker->text[checker->at] >= '0' && checker->text[checker->at] <= '9');
  return number ? check_number(checker) : refuse_word(checker, checker->at);
}

bool vkm_json_check(const char *text, size_t length, struct vkm_json_fault *fault) {
  *fault = (struct vkm_json_fault){0};
  struct checker checker = {.text = text, .length = length, .fault = fault};
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
    return refuse(&checker, 0, "no JSON: it begins with a byte order mark");
  }
  bool good = check_value(&checker);
  if (good) {
    skip_blank(&checker);
    good = at_end(&checker) || unexpected(&checker, "the end of the file");
  }
  vkm_free(checker.names);
  return good;
}
