/* Outputs of runs. In: where a program ran. Out: checksums, a record. Next: model/side. */
#include "commands/run_outputs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/digest.h"
#include "launch/numbers.h"
#include "launch/sample_record.h"

/* To be freed; NULL: out of memory. */
static char *path_of(const struct vkm_scene *scene, const struct vkm_run_place *place,
                     const char *name) {
  char *path = NULL;
  if (strcmp(name, "stdout") == 0) {
    return strdup(place->output);
  }
  if (strcmp(name, "stderr") == 0) {
    return strdup(place->errors);
  }
  return asprintf(&path, "%s/%s", scene->directory, name) < 0 ? NULL : path;
}

void vkm_run_outputs_take(const struct vkm_scene *scene, const struct vkm_run_place *place,
                          struct vkm_output_digest *digests, struct vkm_run_result *result) {
  for (size_t i = 0; scene->outputs != NULL && scene->outputs[i] != NULL && !*result->cause; i++) {
    char *path = path_of(scene, place, scene->outputs[i]);
    errno = ENOMEM;
    if (path == NULL || !vkm_digest_file(&digests[i], path, scene->decimals[i])) {
      snprintf(result->cause, sizeof result->cause, "its output '%.200s' cannot be read: %s",
               scene->outputs[i], errno == EISDIR ? "it is no regular file" : strerror(errno));
      result->outcome = (struct vkm_outcome){VKM_OUTCOME_GATE, 0};
    }
    free(path);
  }
}

bool vkm_run_sample_leave(const struct vkm_scene *scene, const char *pattern, const char *run,
                          const struct vkm_sample *sample, const struct vkm_run_result *result,
                          const char *program) {
  char *name = vkm_numbers_name(pattern, sample->sequence, ".sample");
  char *path = name != NULL ? vkm_numbers_expand(name, program, result->child.pid,
                                                 result->child.started_unix_ns)
                            : NULL;
  struct vkm_sample_record record = {run, sample, scene->outputs, scene->decimals};
  bool good = path != NULL && vkm_sample_record_write(&record, path);
  free(name);
  free(path);
  return good;
}
