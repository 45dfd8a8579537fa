/* Profiles from paths. In: paths. Out: models. Next room: report. */
#include "model/load.h"

#include <stdlib.h>

#include "message.h"

static bool load(const char *path, struct vkm_read_profile *profile) {
  struct vkm_read_error error;
  if (vkm_profile_read(path, profile, &error) == VKM_OK) {
    return true;
  }
  vkm_error("cannot read '%s': %s; %s", path, error.cause, error.remedy);
  return false;
}

bool vkm_profiles_load(struct vkm_profiles *profiles, char *const *paths, size_t count) {
  *profiles = (struct vkm_profiles){calloc(count, sizeof *profiles->items), 0};
  if (profiles->items == NULL) {
    vkm_error("out of memory; give fewer files at once");
    return false;
  }
  bool good = true;
  for (size_t i = 0; i < count; i++) {
    if (load(paths[i], &profiles->items[profiles->count])) {
      profiles->count++;
    } else {
      good = false;
    }
  }
  if (!good) {
    vkm_profiles_finish(profiles);
  }
  return good;
}

void vkm_profiles_finish(struct vkm_profiles *profiles) {
  for (size_t i = 0; i < profiles->count; i++) {
    vkm_profile_read_finish(&profiles->items[i]);
  }
  free(profiles->items);
  *profiles = (struct vkm_profiles){NULL, 0};
}
