/* Reads the profiles that the user named. Main thread. */
#ifndef VKM_TOOLS_MODEL_LOAD_H
#define VKM_TOOLS_MODEL_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/profile_read.h"

struct vkm_profiles {
  struct vkm_read_profile *items; /* owned */
  size_t count;
};

/* Reads every path; false: at least one could not be read, each reported, and nothing is held. */
bool vkm_profiles_load(struct vkm_profiles *profiles, char *const *paths, size_t count)
    __attribute__((warn_unused_result));
void vkm_profiles_finish(struct vkm_profiles *profiles);

#endif
