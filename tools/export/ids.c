/* In: ids of profiles. Out: whether one was there before. */
#include "export/ids.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct seen {
  const char *path; /* behind the id, in the same memory */
  char id[];
};

static int by_id(const void *left, const void *right) {
  return strcmp(((const struct seen *)left)->id, ((const struct seen *)right)->id);
}

const char *vkm_export_ids_add(void **ids, const char *id, const char *path) {
  size_t id_bytes = strlen(id) + 1;
  size_t path_bytes = strlen(path) + 1;
  struct seen *seen = malloc(sizeof *seen + id_bytes + path_bytes);
  if (seen == NULL) {
    return "";
  }
  memcpy(seen->id, id, id_bytes);
  memcpy(seen->id + id_bytes, path, path_bytes);
  seen->path = seen->id + id_bytes;
  struct seen **found = (struct seen **)tsearch(seen, ids, by_id);
  if (found == NULL || *found != seen) {
    free(seen);
    return found == NULL ? "" : (*found)->path;
  }
  return NULL;
}

void vkm_export_ids_finish(void **ids) {
  tdestroy(*ids, free);
  *ids = NULL;
}
