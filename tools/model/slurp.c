/* Files. In: a path. Out: its bytes. Next: baseline. */
#include "model/slurp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST_BYTES = 1 << 30, FIRST_READ_BYTES = 64 << 10 };

static enum vkm_status slurp(FILE *file, char **text, size_t *length) {
  size_t capacity = 0;
  for (;;) {
    if (*length + 1 >= capacity) {
      capacity = capacity > 0 ? 2 * capacity : FIRST_READ_BYTES;
      char *grown = realloc(*text, capacity);
      if (grown == NULL) {
        return VKM_OUT_OF_MEMORY;
      }
      *text = grown;
    }
    *length += fread(*text + *length, 1, capacity - *length - 1, file);
    if (ferror(file)) {
      return VKM_IO;
    }
    if (*length > LARGEST_BYTES) {
      errno = EFBIG;
      return VKM_IO;
    }
    if (feof(file)) {
      (*text)[*length] = 0;
      return VKM_OK;
    }
  }
}

enum vkm_status vkm_slurp(const char *path, char **text, size_t *length) {
  *text = NULL;
  *length = 0;
  FILE *file = fopen(path, "re");
  if (file == NULL) {
    return VKM_IO;
  }
  enum vkm_status status = slurp(file, text, length);
  int cause = errno;
  (void)fclose(file);
  if (status != VKM_OK) {
    free(*text);
    *text = NULL;
    errno = cause;
  }
  return status;
}
