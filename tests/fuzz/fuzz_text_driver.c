/* A driver for targets that read text, where libFuzzer is not: fuzz_<target> SECONDS FILE... In:
 * the files, damaged in every way it knows. Out: exit status 0 when the time is over and some
 * inputs were accepted and some were not. The seed is fixed: a run that fails does so again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz_target.h"

struct bytes {
  char *data;
  size_t length, capacity;
};

static uint64_t state = 88172645463325252u;

static size_t below(size_t limit) { /* xorshift64 */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return limit > 0 ? (size_t)(state % limit) : 0;
}

static struct bytes load(const char *path) {
  FILE *file = fopen(path, "rb");
  struct bytes bytes = {NULL, 0, 4 << 20};
  bytes.data = malloc(bytes.capacity);
  if (file == NULL || bytes.data == NULL) {
    fprintf(stderr, "cannot load %s\n", path);
    exit(2);
  }
  bytes.length = fread(bytes.data, 1, bytes.capacity / 2, file);
  fclose(file);
  return bytes;
}

/* What a damaged or hostile writer might put in the place of a value. */
static const char *const PIECES[] = {
    "null",
    "true",
    "-1",
    "1e999",
    "-1e308",
    "9223372036854775808",
    "18446744073709551616",
    "0.5",
    "\"\"",
    "\"p0\"",
    "\"\\ud800\"",
    "\"\\u0000\"",
    "[]",
    "{}",
    "[[[[[[[[",
    "]",
    "}",
    ",",
    ":",
    "\"",
    "\\",
    "NaN",
    "4294967296",
    "9007199254740993",
    "{\"a\":1,\"a\":2}",
    "\xff\xfe",
    "\xef\xbb\xbf",
};
enum { PIECE_COUNT = sizeof PIECES / sizeof PIECES[0] };

/* Replaces `removed` bytes at `at`. */
static void splice(struct bytes *bytes, size_t at, size_t removed, const char *piece,
                   size_t length) {
  if (at + removed > bytes->length || bytes->length - removed + length > bytes->capacity) {
    return;
  }
  memmove(bytes->data + at + length, bytes->data + at + removed, bytes->length - at - removed);
  memcpy(bytes->data + at, piece, length);
  bytes->length = bytes->length - removed + length;
}

/* From a random place on, the next value that follows a colon, comma or bracket. */
static void replace_value(struct bytes *bytes) {
  size_t at = below(bytes->length);
  while (at < bytes->length && strchr(":,[", bytes->data[at]) == NULL) {
    at++;
  }
  at += at < bytes->length;
  size_t end = at;
  while (end < bytes->length && strchr(",]}\n", bytes->data[end]) == NULL) {
    end++;
  }
  const char *piece = PIECES[below(PIECE_COUNT)];
  splice(bytes, at, end - at, piece, strlen(piece));
}

static void copy_part(struct bytes *bytes) {
  char part[512];
  size_t length = 1 + below(sizeof part);
  size_t from = below(bytes->length);
  length = length > bytes->length - from ? bytes->length - from : length;
  memcpy(part, bytes->data + from, length);
  splice(bytes, below(bytes->length), below(3) ? 0 : length, part, length);
}

static void mutate(struct bytes *bytes) {
  size_t at = below(bytes->length);
  const char *piece = PIECES[below(PIECE_COUNT)];
  switch (below(6)) {
  case 0:
    bytes->data[at] = (char)below(256);
    break;
  case 1:
    splice(bytes, at, 0, piece, strlen(piece));
    break;
  case 2:
    splice(bytes, at, 1 + below(40), "", 0);
    break;
  case 3:
    copy_part(bytes);
    break;
  case 4:
    if (below(20) == 0) {
      bytes->length = at + 1;
    }
    break;
  default:
    replace_value(bytes);
    break;
  }
}

int main(int argc, char **argv) {
  if (argc < 3) {
    (void)fprintf(stderr, "usage: %s SECONDS FILE...\n", argv[0]);
    return 2;
  }
  time_t end = time(NULL) + strtol(argv[1], NULL, 10);
  size_t tried = 0;
  struct bytes damaged = {malloc(4 << 20), 0, 4 << 20};
  for (int file = 2; time(NULL) < end && damaged.data != NULL;
       file = file + 1 < argc ? file + 1 : 2) {
    struct bytes whole = load(argv[file]);
    for (int round = 0; round < 50; round++, tried++) {
      memcpy(damaged.data, whole.data, whole.length);
      damaged.length = whole.length;
      for (size_t count = 1 + below(4); count > 0 && damaged.length > 0; count--) {
        mutate(&damaged);
      }
      (void)LLVMFuzzerTestOneInput((const uint8_t *)damaged.data, damaged.length);
    }
    free(whole.data);
  }
  free(damaged.data);
  printf("%zu mutations, %zu accepted\n", tried, fuzz_accepted);
  return fuzz_accepted > 0 && fuzz_accepted < tried ? 0 : 1;
}
