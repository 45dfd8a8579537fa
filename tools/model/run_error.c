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
static char *read_command(struct vkm_document *document) {
  struct vkm_value list =
      vkm_value_member(&document->parse, &document->root, "command", cJSON_Array, VKM_VALUE_NEEDED);
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  size_t index = 0;
  const cJSON *first = list.item != NULL ? list.item->child : NULL;
  for (const cJSON *item = first; item != NULL; item = item->next) {
    struct vkm_value at = vkm_value_element(&document->parse, &list, item, index, cJSON_String);
    vkm_text_string(&text, index > 0 ? " " : "");
    vkm_text_string(&text, at.item != NULL ? at.item->valuestring : "");
    index++;
  }
  char *command = text.failed ? NULL : copy(text.data);
  vkm_text_finish(&text);
  return command;
}

enum vkm_status vkm_run_error_read(struct vkm_run_error *failed, const char *path,
                                   struct vkm_document *document, struct vkm_read_error *error) {
  const char *run = NULL;
  const char *why = NULL;
  int64_t sequence = -1;
  vkm_value_text(&document->parse, &document->root, "run", VKM_VALUE_NULLABLE, &run);
  vkm_value_i64(&document->parse, &document->root, "sequence", VKM_VALUE_NULLABLE, &sequence);
  vkm_value_text(&document->parse, &document->root, "cause", VKM_VALUE_NEEDED, &why);
  *failed = (struct vkm_run_error){.path = copy(path),
                                   .run = copy(run),
                                   .cause = copy(why),
                                   .command = read_command(document),
                                   .sequence = sequence};
  if (!failed->path || !failed->run || !failed->cause || !failed->command) {
    document->parse.failed = document->parse.out_of_memory = true;
  }
  enum vkm_status status = vkm_document_conclude(document, error);
  if (status != VKM_OK) {
    vkm_run_error_finish(failed);
  }
  vkm_document_finish(document);
  return status;
}

void vkm_run_error_finish(struct vkm_run_error *failed) {
  free(failed->path);
  free(failed->run);
  free(failed->cause);
  free(failed->command);
  *failed = (struct vkm_run_error){0};
}
