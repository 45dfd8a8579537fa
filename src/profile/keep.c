/* In: strings that are about to go. Out: the same ones, staying. Next: profile_read. A profile of
 * 10,000 kernels has few different words in it: those seen last are found again by their hash. */
#include "profile/keep.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

enum { RECENT = 512, CHUNK_BYTES = 64 << 10 };

struct chunk {
  struct chunk *before;
  size_t used, capacity;
  char bytes[];
};

struct vkm_keep {
  struct chunk *last;
  const char *recent[RECENT]; /* by hash */
};

struct vkm_keep *vkm_keep_new(void) {
  return vkm_calloc(1, sizeof(struct vkm_keep));
}

static char *take(struct vkm_keep *keep, size_t bytes) {
  struct chunk *last = keep->last;
  if (last == NULL || last->capacity - last->used < bytes) {
    size_t capacity = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    last = vkm_alloc(sizeof *last + capacity);
    if (last == NULL) {
      return NULL;
    }
    *last = (struct chunk){keep->last, 0, capacity};
    keep->last = last;
  }
  char *taken = last->bytes + last->used;
  last->used += bytes;
  return taken;
}

const char *vkm_keep_text(struct vkm_keep *keep, const char *text) {
  uint32_t hash = 2166136261U; /* FNV-1a */
  size_t length = 0;
  for (; text[length] != 0; length++) {
    hash = (hash ^ (unsigned char)text[length]) * 16777619U;
  }
  const char **recent = &keep->recent[hash % RECENT];
  if (*recent != NULL && strcmp(*recent, text) == 0) {
    return *recent;
  }
  char *copy = take(keep, length + 1);
  if (copy != NULL) {
    memcpy(copy, text, length + 1);
    *recent = copy;
  }
  return copy;
}

void vkm_keep_finish(struct vkm_keep *keep) {
  struct chunk *chunk = keep != NULL ? keep->last : NULL;
  while (chunk != NULL) {
    struct chunk *before = chunk->before;
    vkm_free(chunk);
    chunk = before;
  }
  vkm_free(keep);
}
