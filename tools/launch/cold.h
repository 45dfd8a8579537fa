/* Empty driver caches for a program. Main thread. */
#ifndef VKM_TOOLS_LAUNCH_COLD_H
#define VKM_TOOLS_LAUNCH_COLD_H

#include <stdbool.h>

struct vkm_cold {
  char *folder; /* ours alone, holds `cache`; owned, NULL: not started */
  char *cache;
};

/* Makes the folder and points the drivers that have a variable for that to it, in this process's
 * environment: Mesa (RADV, ANV, NVK, Turnip, lavapipe and the others), NVIDIA, AMDVLK. False:
 * reported. */
bool vkm_cold_start(struct vkm_cold *cold) __attribute__((warn_unused_result));
/* Before each program: an empty cache, under the same path. False: reported. */
bool vkm_cold_renew(const struct vkm_cold *cold) __attribute__((warn_unused_result));
/* Removes everything; the variables stay. */
void vkm_cold_finish(struct vkm_cold *cold);

#endif
