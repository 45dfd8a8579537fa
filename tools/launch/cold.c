/* Empty driver caches. In: nothing. Out: a folder and environment variables. Next: child. */
#include "launch/cold.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "count.h"
#include "launch/folder.h"
#include "message.h"

/* XDG_CACHE_HOME stays: every driver that looks there has one of these, and programs keep what they
 * downloaded there. */
static const char *const variables[] = {
    "MESA_SHADER_CACHE_DIR",       /* Mesa 22.1 and newer */
    "MESA_GLSL_CACHE_DIR",         /* older ones */
    "__GL_SHADER_DISK_CACHE_PATH", /* NVIDIA, Vulkan too */
    "AMD_SHADER_DISK_CACHE_PATH",  /* AMDVLK */
};
/* Mesa reads databases made beforehand beside its cache. */
static const char *const beside[] = {"MESA_DISK_CACHE_READ_ONLY_FOZ_DBS",
                                     "MESA_DISK_CACHE_READ_ONLY_FOZ_DBS_DYNAMIC_LIST"};

static bool set_variables(const struct vkm_cold *cold) {
  for (size_t i = 0; i < VKM_COUNT(variables); i++) {
    if (setenv(variables[i], cold->cache, 1) != 0) {
      return false;
    }
  }
  for (size_t i = 0; i < VKM_COUNT(beside); i++) {
    unsetenv(beside[i]);
  }
  return true;
}

bool vkm_cold_start(struct vkm_cold *cold) {
  const char *base = getenv("TMPDIR");
  *cold = (struct vkm_cold){NULL, NULL};
  bool made =
      asprintf(&cold->folder, "%s/vkmeter-cold-XXXXXX", base && *base ? base : "/tmp") >= 0 &&
      mkdtemp(cold->folder) != NULL;
  if (made && asprintf(&cold->cache, "%s/cache", cold->folder) >= 0 && set_variables(cold)) {
    return true;
  }
  vkm_error(
      "cannot make a folder for cold caches%s%s: %s; set TMPDIR to one that can be written to",
      cold->folder ? " like " : "", cold->folder ? cold->folder : "", strerror(errno));
  if (!made) { /* what is there under that name is not ours */
    free(cold->folder);
    cold->folder = NULL;
  }
  vkm_cold_finish(cold);
  return false;
}

bool vkm_cold_renew(const struct vkm_cold *cold) {
  if (vkm_folder_renew(cold->cache)) {
    return true;
  }
  vkm_error("cannot empty '%s': %s; does a program of an earlier run still write there?",
            cold->cache, strerror(errno));
  return false;
}

void vkm_cold_finish(struct vkm_cold *cold) {
  if (cold->folder != NULL && !vkm_folder_remove(cold->folder)) {
    vkm_warning("cannot remove '%s': %s; remove it by hand", cold->folder, strerror(errno));
  }
  free(cold->folder);
  free(cold->cache);
  *cold = (struct vkm_cold){NULL, NULL};
}
