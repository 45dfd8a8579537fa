/* A driver for one fuzz target where libFuzzer is not: fuzz_<target> SECONDS SEED CORPUS_FOLDER.
 * In: the files of the corpus. Out: the target is called with random mutations of them, the same
 * for the same seed; exit status 0 when the time is over. */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz_target.h"

enum { CORPUS_CAP = 64, TAIL_BYTES = 33, INPUT_CAP_BYTES = 1 << 16 };

struct input {
  uint8_t *bytes;
  size_t size;
};

static struct input corpus[CORPUS_CAP];
static size_t corpus_count;
static uint64_t random_state;

static uint32_t random_below(uint32_t limit) {
  /* splitmix64 */
  uint64_t z = (random_state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return limit == 0 ? 0 : (uint32_t)((z ^ (z >> 31)) % limit);
}

static bool load(const char *path) {
  FILE *file = fopen(path, "rb");
  uint8_t *bytes = file == NULL ? NULL : malloc(INPUT_CAP_BYTES);
  size_t size = bytes == NULL ? 0 : fread(bytes, 1, INPUT_CAP_BYTES, file);
  if (file != NULL) {
    (void)fclose(file);
  }
  if (size < 20) {
    free(bytes);
    return false;
  }
  corpus[corpus_count++] = (struct input){bytes, size};
  return true;
}

static void load_folder(const char *path) {
  DIR *folder = opendir(path);
  const struct dirent *entry = NULL;
  while (folder != NULL && corpus_count < CORPUS_CAP && (entry = readdir(folder)) != NULL) {
    char name[4096];
    int length = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
    if (strstr(entry->d_name, ".spv") != NULL && length > 0 && (size_t)length < sizeof name) {
      (void)load(name);
    }
  }
  if (folder != NULL) {
    (void)closedir(folder);
  }
}

static void replace_word(uint32_t *words, uint32_t count) {
  static const uint32_t edges[] = {0,          1,          2,          3,          0xFFFF,
                                   0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x00400000, 0x00010600};
  uint32_t at = random_below(count);
  switch (random_below(4)) {
  case 0:
    words[at] = edges[random_below(sizeof edges / sizeof edges[0])];
    break;
  case 1:
    words[at] ^= UINT32_C(1) << random_below(32);
    break;
  case 2:
    words[at] = words[random_below(count)];
    break;
  default:
    words[at] += random_below(9) - 4;
  }
}

/* Another opcode that the reader knows, in place of the one there. */
static void replace_opcode(uint32_t *words, uint32_t count) {
  uint32_t at = random_below(count);
  words[at] = (words[at] & 0xFFFF0000) | random_below(80);
}

static uint32_t mutate(uint32_t *words, uint32_t count) {
  const struct input *other = &corpus[random_below((uint32_t)corpus_count)];
  size_t from = 0;
  uint32_t at = random_below(count);
  uint32_t length = random_below(count - at < 40 ? count - at : 40);
  switch (random_below(8)) {
  case 0: /* cut out */
    memmove(words + at, words + at + length, (count - at - length) * sizeof words[0]);
    return count - length;
  case 1: /* repeat */
    if (count + length > INPUT_CAP_BYTES / 4) {
      return count;
    }
    memmove(words + at + length, words + at, (count - at) * sizeof words[0]);
    return count + length;
  case 2: /* splice */
    length = length < other->size / 4 ? length : (uint32_t)(other->size / 4);
    from = random_below((uint32_t)(other->size / 4) - length + 1);
    memcpy(words + at, other->bytes + from * sizeof words[0], length * sizeof words[0]);
    return count;
  case 3: /* truncate, seldom */
    return random_below(8) == 0 ? at : count;
  case 4:
    replace_opcode(words, count);
    return count;
  default:
    replace_word(words, count);
    return count;
  }
}

static void run_one(void) {
  static uint8_t data[INPUT_CAP_BYTES + TAIL_BYTES];
  static uint32_t words[INPUT_CAP_BYTES / 4];
  const struct input *chosen = &corpus[random_below((uint32_t)corpus_count)];
  uint32_t count = (uint32_t)(chosen->size / 4);
  memcpy(words, chosen->bytes, (size_t)count * 4);
  for (uint32_t i = random_below(6); i > 0 && count > 0; i--) {
    count = mutate(words, count);
  }
  bool swapped = random_below(16) == 0;
  for (uint32_t i = 0; swapped && i < count; i++) {
    words[i] = __builtin_bswap32(words[i]);
  }
  size_t size = (size_t)count * 4;
  memcpy(data, words, size);
  for (unsigned i = 0; i < TAIL_BYTES; i++) {
    data[size++] = (uint8_t)random_below(256);
  }
  /* A planted failure of memory in one input of eight. */
  data[size - 1] = random_below(8) == 0 ? data[size - 1] : data[size - 1] & 0x1F;
  (void)LLVMFuzzerTestOneInput(data, size);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    (void)fprintf(stderr, "usage: %s SECONDS SEED CORPUS_FOLDER\n", argv[0]);
    return 2;
  }
  long seconds = strtol(argv[1], NULL, 10);
  random_state = strtoull(argv[2], NULL, 10);
  load_folder(argv[3]);
  if (corpus_count == 0) {
    (void)fprintf(stderr, "%s: no *.spv in %s\n", argv[0], argv[3]);
    return 2;
  }
  unsigned long runs = 0;
  time_t end = time(NULL) + seconds;
  while (time(NULL) < end) {
    for (int i = 0; i < 256; i++, runs++) {
      run_one();
    }
  }
  (void)printf("%lu runs over %zu files\n", runs, corpus_count);
  for (size_t i = 0; i < corpus_count; i++) {
    free(corpus[i].bytes);
  }
  return 0;
}
