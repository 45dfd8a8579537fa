/* Failed runs. In: a record. Out: what failed, and why. Next: side. */
#include "model/run_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static char *copy(const char *text) {
  return strdup(text != NULL ? text : "");
}

/* The words of the command with blanks between them; to be freed. */
static char *read_command(struct vkm_record *record) {
  struct vkm_value list = vkm_value_member(&record->parse, &record->root, "command", cJSON_Array,
                                           VKM_VALUE_NEEDED);
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  size_t index = 0;
  const cJSON *first = list.item != NULL ? list.item->child : NULL;
  for (const cJSON *item = first; item != NULL; item = item->next) {
    struct vkm_value at = vkm_value_element(&record->parse, &list, item, index, cJSON_String);
    vkm_text_string(&text, index > 0 ? " " : "");
    vkm_text_string(&text, at.item != NULL ? at.item->valuestring : "");
    index++;
  }
  char *command = text.failed ? NULL : copy(text.data);
  vkm_text_finish(&text);
  return command;
}

enum vkm_status vkm_run_error_read(struct vkm_run_error *error, const char *path,
                                   char cause[VKM_RECORD_CAUSE_BYTES]) {
  struct vkm_record record;
  enum vkm_status status = vkm_record_read(&record, path, "vkmeter.error/1", cause);
  if (status != VKM_OK) {
    return status;
  }
  const char *run = NULL;
  const char *why = NULL;
  int64_t sequence = -1;
  vkm_value_text(&record.parse, &record.root, "run", VKM_VALUE_NULLABLE, &run);
  vkm_value_i64(&record.parse, &record.root, "sequence", VKM_VALUE_NULLABLE, &sequence);
  vkm_value_text(&record.parse, &record.root, "cause", VKM_VALUE_NEEDED, &why);
  char *command = read_command(&record);
  if (record.parse.failed) {
    snprintf(cause, VKM_RECORD_CAUSE_BYTES, "%s", record.parse.error);
    status = VKM_BAD_INPUT;
    free(command);
  } else {
    *error = (struct vkm_run_error){copy(path), copy(run), copy(why), command, sequence};
    if (!error->path || !error->run || !error->cause || !error->command) {
      snprintf(cause, VKM_RECORD_CAUSE_BYTES, "out of memory");
      vkm_run_error_finish(error);
      status = VKM_OUT_OF_MEMORY;
    }
  }
  vkm_record_finish(&record);
  return status;
}

void vkm_run_error_finish(struct vkm_run_error *error) {
  free(error->path);
  free(error->run);
  free(error->cause);
  free(error->command);
  *error = (struct vkm_run_error){0};
}
