/* Searches as the loader does. In: the environment. Out: manifests. Next: diagnosis. */
#include "doctor/manifests.h"

#include <cjson/cJSON.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "message.h"

enum { FILE_LIMIT = 1 << 20 };

static char *read_file(const char *path) {
  FILE *file = fopen(path, "re");
  char *text = file != NULL ? malloc(FILE_LIMIT + 1) : NULL;
  if (text != NULL) {
    text[fread(text, 1, FILE_LIMIT, file)] = 0;
  }
  if (file != NULL) {
    (void)fclose(file);
  }
  return text;
}

static char *copy_member(const cJSON *object, const char *name) {
  const char *value = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
  return value != NULL ? strdup(value) : NULL;
}

/* False: it is a layer of the other width. */
static bool describe(struct vkm_manifest_file *file) {
  char *text = read_file(file->path);
  cJSON *root = text != NULL ? cJSON_Parse(text) : NULL;
  free(text);
  const cJSON *layer = cJSON_GetObjectItemCaseSensitive(root, "layer");
  const cJSON *object = layer != NULL ? layer : cJSON_GetObjectItemCaseSensitive(root, "ICD");
  file->library = copy_member(object, "library_path");
  file->layer = copy_member(layer, "name");
  const char *width =
      cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "library_arch"));
  bool ours = width == NULL || strcmp(width, sizeof(void *) == 8 ? "64" : "32") == 0;
  cJSON_Delete(root);
  return ours;
}

void vkm_manifest_file_finish(struct vkm_manifest_file *file) {
  free(file->path);
  free(file->library);
  free(file->layer);
}

/* `path` is taken over. */
static bool add(struct vkm_manifests *manifests, char *path) {
  for (size_t i = 0; path != NULL && i < manifests->count; i++) {
    if (strcmp(manifests->items[i].path, path) == 0) {
      free(path);
      return true;
    }
  }
  struct vkm_manifest_file *grown =
      path != NULL ? realloc(manifests->items, (manifests->count + 1) * sizeof *manifests->items)
                   : NULL;
  if (grown == NULL) {
    free(path);
    return false;
  }
  manifests->items = grown;
  struct vkm_manifest_file *file = &grown[manifests->count];
  *file = (struct vkm_manifest_file){.path = path};
  if (describe(file)) {
    manifests->count++;
  } else {
    vkm_manifest_file_finish(file);
  }
  return true;
}

/* A file, or all manifests of a directory in order of their names. */
static bool add_place(struct vkm_manifests *manifests, const char *place) {
  struct stat about;
  if (stat(place, &about) != 0) {
    return true;
  }
  if (!S_ISDIR(about.st_mode)) {
    return add(manifests, strdup(place));
  }
  char pattern[PATH_MAX + 16];
  glob_t found = {0};
  bool good = true;
  snprintf(pattern, sizeof pattern, "%s/*.json", place);
  if (glob(pattern, 0, NULL, &found) == 0) {
    for (size_t i = 0; good && i < found.gl_pathc; i++) {
      good = add(manifests, strdup(found.gl_pathv[i]));
    }
  }
  globfree(&found);
  return good;
}

/* The places of a colon-separated list, with `below` behind each. */
static bool add_list(struct vkm_manifests *manifests, const char *list, const char *below) {
  bool good = true;
  while (good && list != NULL && *list) {
    int length = (int)strcspn(list, ":");
    char place[PATH_MAX];
    snprintf(place, sizeof place, "%.*s%s", length, list, below);
    good = length == 0 || add_place(manifests, place);
    list += length;
    list += *list == ':';
  }
  return good;
}

static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value != NULL && *value ? value : NULL;
}

static bool add_home(struct vkm_manifests *manifests, const char *name, const char *below_home,
                     const char *below) {
  char place[PATH_MAX] = "";
  const char *home = variable("HOME");
  if (variable(name) == NULL && home != NULL) {
    snprintf(place, sizeof place, "%s/%s", home, below_home);
  }
  return add_list(manifests, variable(name) ? variable(name) : place, below);
}

static bool add_system(struct vkm_manifests *manifests, const char *below) {
  const char *config = variable("XDG_CONFIG_DIRS");
  const char *data = variable("XDG_DATA_DIRS");
  return add_home(manifests, "XDG_CONFIG_HOME", ".config", below) &&
         add_list(manifests, config ? config : "/etc/xdg", below) &&
         add_list(manifests, "/usr/local/etc:/etc", below) &&
         add_home(manifests, "XDG_DATA_HOME", ".local/share", below) &&
         add_list(manifests, data ? data : "/usr/local/share:/usr/share", below);
}

static bool report(bool good) {
  if (!good) {
    vkm_error("out of memory");
  }
  return good;
}

bool vkm_manifests_of_drivers(struct vkm_manifests *manifests) {
  *manifests = (struct vkm_manifests){0};
  const char *named = variable("VK_DRIVER_FILES");
  named = named != NULL ? named : variable("VK_ICD_FILENAMES");
  if (named != NULL) {
    return report(add_list(manifests, named, ""));
  }
  return report(add_list(manifests, variable("VK_ADD_DRIVER_FILES"), "") &&
                add_system(manifests, "/vulkan/icd.d"));
}

bool vkm_manifests_of_layers(struct vkm_manifests *manifests) {
  *manifests = (struct vkm_manifests){0};
  bool good = add_list(manifests, variable("VK_ADD_IMPLICIT_LAYER_PATH"), "") &&
              add_list(manifests, variable("VK_IMPLICIT_LAYER_PATH"), "");
  if (good && variable("VK_IMPLICIT_LAYER_PATH") == NULL) {
    good = add_system(manifests, "/vulkan/implicit_layer.d");
  }
  return report(good);
}

void vkm_manifests_finish(struct vkm_manifests *manifests) {
  for (size_t i = 0; i < manifests->count; i++) {
    vkm_manifest_file_finish(&manifests->items[i]);
  }
  free(manifests->items);
  *manifests = (struct vkm_manifests){0};
}
