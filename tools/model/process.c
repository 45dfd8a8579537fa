/* Processes and runs. In: profiles. Out: which belong together. Next: report, side. */
#include "model/process.h"

#include <string.h>

#include "message.h"

bool vkm_same_run(const struct vkm_read_profile *left, const struct vkm_read_profile *right) {
  const char *one = left->run.id;
  const char *other = right->run.id;
  return one != NULL && other != NULL && left->run.sequence == right->run.sequence &&
         strcmp(one, other) == 0;
}

size_t vkm_run_of(const struct vkm_read_profile *profiles, size_t index) {
  for (size_t i = 0; i < index; i++) {
    if (vkm_same_run(&profiles[i], &profiles[index])) {
      return i;
    }
  }
  return index;
}

bool vkm_processes_differ(const struct vkm_read_profile *profiles, char *const *paths,
                          size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (size_t before = 0; before < i; before++) {
      if (vkm_same_run(&profiles[before], &profiles[i]) &&
          profiles[before].run.pid == profiles[i].run.pid &&
          profiles[before].run.started_unix_ns == profiles[i].run.started_unix_ns) {
        vkm_error("'%s' and '%s' are profiles of the same process; give each run once",
                  paths[before], paths[i]);
        return false;
      }
    }
  }
  return true;
}
