/* In: a path. Out: a profile, or the record of a run that failed. Next: side, export. */
#include "model/recorded.h"

#include <string.h>

#include "message.h"
#include "model/foreign.h"
#include "model/run_error.h"
#include "model/sample_file.h"

static bool ends_in(const char *path, const char *ending) {
  size_t length = strlen(path);
  size_t end = strlen(ending);
  return length > end && strcmp(path + length - end, ending) == 0;
}

bool vkm_recorded_beside(const char *path) {
  return ends_in(path, ".control.json") || vkm_sample_file_is(path);
}

static enum vkm_status read_document(struct vkm_recorded *recorded, const char *path,
                                     struct vkm_document *document, struct vkm_read_error *error) {
  switch (document->kind) {
  case 1:
    return vkm_run_error_read(&recorded->error, path, document, error);
  case 2:
    return vkm_foreign_read(document, &recorded->profile, error);
  default:
    return vkm_profile_read_document(document, &recorded->profile, error);
  }
}

bool vkm_recorded_read(struct vkm_recorded *recorded, const char *path) {
  struct vkm_document_kind kinds[] = {vkm_profile_kind, vkm_profile_kind, vkm_profile_kind};
  kinds[1].schema = VKM_RUN_ERROR_SCHEMA;
  kinds[2].schema = VKM_FOREIGN_SCHEMA;
  struct vkm_document document;
  struct vkm_read_error error;
  *recorded = (struct vkm_recorded){0};
  enum vkm_status status =
      vkm_document_read(path, kinds, sizeof kinds / sizeof *kinds, &document, &error);
  if (status == VKM_OK) {
    recorded->failed = document.kind == 1;
    status = read_document(recorded, path, &document, &error);
  }
  if (status != VKM_OK && ends_in(path, ".ndjson")) {
    vkm_error("cannot read '%s': a baseline is no profile; give it by its name, @NAME", path);
  } else if (status != VKM_OK) {
    vkm_error("cannot read '%s': %s; %s", path, error.cause, error.remedy);
  }
  return status == VKM_OK;
}

void vkm_recorded_finish(struct vkm_recorded *recorded) {
  if (recorded->failed) {
    vkm_run_error_finish(&recorded->error);
  } else {
    vkm_profile_read_finish(&recorded->profile);
  }
}
