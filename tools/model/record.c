/* Small documents. In: a path or bytes, never trusted. Out: a JSON tree with places. Next: side,
 * baseline, noise. */
#include "model/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_read_place.h"

enum { DEEPEST = 16, LARGEST_BYTES = 1 << 30, FIRST_READ_BYTES = 16 << 10 };

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
      return VKM_FULL;
    }
    if (feof(file)) {
      (*text)[*length] = 0;
      return VKM_OK;
    }
  }
}

enum vkm_status vkm_file_slurp(const char *path, char **text, size_t *length) {
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

static enum vkm_status fail(enum vkm_status status, char *cause, const char *text) {
  snprintf(cause, VKM_RECORD_CAUSE_BYTES, "%s", text);
  return status;
}

static enum vkm_status check_schema(const struct vkm_record *record, const char *schema,
                                    char *cause) {
  const cJSON *found = cJSON_GetObjectItemCaseSensitive(record->root.item, "schema");
  if (!cJSON_IsObject(record->root.item) || !cJSON_IsString(found)) {
    return fail(VKM_BAD_INPUT, cause, "it is JSON without a schema");
  }
  if (strcmp(found->valuestring, schema) != 0) {
    snprintf(cause, VKM_RECORD_CAUSE_BYTES, "its schema is '%.60s', not '%s'", found->valuestring,
             schema);
    return VKM_BAD_INPUT;
  }
  return VKM_OK;
}

/* The text is the record's from here on. */
static enum vkm_status parse(struct vkm_record *record, char *text, size_t length,
                             const char *schema, char *cause) {
  *record = (struct vkm_record){.text = text, .parse = {.text = text, .text_bytes = length}};
  struct vkm_place_scan scan;
  vkm_place_scan(text, length, &scan);
  const char *stop = text;
  enum vkm_status status = VKM_OK;
  if (scan.deepest > DEEPEST) {
    status = fail(VKM_BAD_INPUT, cause, "it is nested too deeply");
  } else {
    record->root.item = cJSON_ParseWithLengthOpts(text, length + 1, &stop, 1);
  }
  if (status == VKM_OK && record->root.item == NULL) {
    size_t at = stop != NULL ? (size_t)(stop - text) : length;
    snprintf(cause, VKM_RECORD_CAUSE_BYTES, "no JSON: the parser stopped at byte %zu (line %zu)",
             at, vkm_place_line(text, length, at));
    status = VKM_BAD_INPUT;
  }
  status = status == VKM_OK ? check_schema(record, schema, cause) : status;
  if (status != VKM_OK) {
    vkm_record_finish(record);
  }
  return status;
}

enum vkm_status vkm_record_parse(struct vkm_record *record, const char *bytes, size_t length,
                                 const char *schema, char cause[VKM_RECORD_CAUSE_BYTES]) {
  char *text = malloc(length + 1);
  if (text == NULL) {
    return fail(VKM_OUT_OF_MEMORY, cause, "out of memory");
  }
  memcpy(text, bytes, length);
  text[length] = 0;
  return parse(record, text, length, schema, cause);
}

enum vkm_status vkm_record_read(struct vkm_record *record, const char *path, const char *schema,
                                char cause[VKM_RECORD_CAUSE_BYTES]) {
  char *text = NULL;
  size_t length = 0;
  enum vkm_status status = vkm_file_slurp(path, &text, &length);
  switch (status) {
  case VKM_OK:
    return parse(record, text, length, schema, cause);
  case VKM_IO:
    return fail(status, cause, strerror(errno));
  case VKM_FULL:
    return fail(status, cause, "larger than 1 GiB");
  default:
    return fail(status, cause, "out of memory");
  }
}

void vkm_record_finish(struct vkm_record *record) {
  cJSON_Delete((cJSON *)record->root.item);
  free(record->text);
  *record = (struct vkm_record){0};
}
