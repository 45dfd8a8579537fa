/* Finds the layer. In: our own path, the environment. Out: the data directory to add. Next:
 * environment. */
#include "launch/manifest.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MANIFEST "vulkan/implicit_layer.d/VkLayer_vkmeter.json"

static bool is_readable(const char *directory, int length, const char *file) {
  char path[PATH_MAX];
  int used = snprintf(path, sizeof path, "%.*s/%s", length, directory, file);
  return used > 0 && (size_t)used < sizeof path && access(path, R_OK) == 0;
}

/* One of the directories of a colon-separated list holds the manifest. */
static bool list_holds(const char *list) {
  while (list != NULL && *list) {
    int length = (int)strcspn(list, ":");
    if (length > 0 && is_readable(list, length, MANIFEST)) {
      return true;
    }
    list += length;
    list += *list == ':';
  }
  return false;
}

static bool home_holds(const char *variable, const char *below_home) {
  const char *directory = getenv(variable);
  if (directory != NULL && *directory) {
    return list_holds(directory);
  }
  const char *home = getenv("HOME");
  char path[PATH_MAX];
  int used = snprintf(path, sizeof path, "%s/%s", home ? home : "", below_home);
  return home != NULL && used > 0 && (size_t)used < sizeof path && list_holds(path);
}

static const char *variable_or(const char *variable, const char *otherwise) {
  const char *value = getenv(variable);
  return value != NULL && *value ? value : otherwise;
}

/* The directories, and their order, of a Linux loader's search for implicit layers. */
static bool loader_finds_it(void) {
  return home_holds("XDG_CONFIG_HOME", ".config") ||
         list_holds(variable_or("XDG_CONFIG_DIRS", "/etc/xdg")) ||
         list_holds("/usr/local/etc:/etc") || home_holds("XDG_DATA_HOME", ".local/share") ||
         list_holds(variable_or("XDG_DATA_DIRS", "/usr/local/share:/usr/share"));
}

bool vkm_manifest_find(struct vkm_manifest *manifest) {
  *manifest = (struct vkm_manifest){.system = loader_finds_it()};
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) {
    return true; /* without /proc only an installed layer can be used */
  }
  path[length] = 0;
  for (int level = 0; level < 2; level++) { /* .../bin/vkmeter -> ... */
    char *slash = strrchr(path, '/');
    if (slash == NULL) {
      return true;
    }
    *slash = 0;
  }
  manifest->build_tree = is_readable(path, (int)strlen(path), "CMakeCache.txt");
  if (!is_readable(path, (int)strlen(path), "share/" MANIFEST)) {
    return true;
  }
  return asprintf(&manifest->data_dir, "%s/share", path) > 0;
}

void vkm_manifest_finish(struct vkm_manifest *manifest) {
  free(manifest->data_dir);
  manifest->data_dir = NULL;
}
