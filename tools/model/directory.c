/* Directories. In: paths. Out: what is there. Next: side, baseline. */
#include "model/directory.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "message.h"
#include "nearest.h"

enum vkm_path_kind vkm_path_kind(const char *path) {
  struct stat found;
  if (stat(path, &found) != 0) {
    return errno == ENOENT || errno == ENOTDIR ? VKM_PATH_MISSING : VKM_PATH_FILE;
  }
  return S_ISDIR(found.st_mode) ? VKM_PATH_DIRECTORY : VKM_PATH_FILE;
}

/* The directory part of a path with its slash; "" when there is none. */
static size_t directory_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* Nearest of the names in the directory, the first by name of equally near ones; to be freed. */
static char *nearest_name(const char *directory, const char *word) {
  struct dirent **entries = NULL;
  int count = scandir(*directory ? directory : ".", &entries, NULL, alphasort);
  char *nearest = NULL;
  size_t least = 0;
  for (int i = 0; i < count; i++) {
    const char *name = entries[i]->d_name;
    size_t edits = vkm_edits(word, name);
    if (name[0] != '.' && vkm_is_near(word, edits) && (nearest == NULL || edits < least)) {
      free(nearest);
      nearest = strdup(name);
      least = edits;
    }
    free(entries[i]);
  }
  free((void *)entries);
  return nearest;
}

void vkm_path_explain_missing(const char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') {
    length--;
  }
  char *clean = strndup(path, length);
  char *directory = clean ? strndup(clean, directory_length(clean)) : NULL;
  char *near = directory ? nearest_name(directory, clean + strlen(directory)) : NULL;
  if (near != NULL) {
    vkm_error("cannot read '%s': there is nothing of that name; did you mean '%s%s'?", path,
              directory, near);
  } else {
    vkm_error("cannot read '%s': there is nothing of that name; give the path of a profile or of a "
              "directory of profiles",
              path);
  }
  free(near);
  free(directory);
  free(clean);
}

static bool is_wanted(const char *name, const char *suffix) {
  size_t length = strlen(name);
  size_t end = strlen(suffix);
  return name[0] != '.' && length > end && strcmp(name + length - end, suffix) == 0;
}

static char *join(const char *directory, const char *name) {
  size_t length = strlen(directory);
  bool slash = length > 0 && directory[length - 1] == '/';
  size_t size = length + strlen(name) + 2;
  char *path = malloc(size);
  if (path != NULL) {
    snprintf(path, size, "%s%s%s", directory, slash ? "" : "/", name);
  }
  return path;
}

static int by_text(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

static bool add_names(struct vkm_directory *directory, const char *path, const char *suffix,
                      struct dirent **entries, int count) {
  directory->paths = calloc((size_t)count + 1, sizeof *directory->paths);
  bool good = directory->paths != NULL;
  for (int i = 0; i < count; i++) {
    if (good && is_wanted(entries[i]->d_name, suffix)) {
      char *joined = join(path, entries[i]->d_name);
      good = joined != NULL;
      directory->paths[directory->count] = joined;
      directory->count += good;
    }
    free(entries[i]);
  }
  free((void *)entries);
  if (!good) {
    vkm_error("out of memory; give fewer files at once");
    vkm_directory_finish(directory);
  } else if (directory->count > 1) {
    qsort((void *)directory->paths, directory->count, sizeof *directory->paths, by_text);
  }
  return good;
}

bool vkm_directory_list(struct vkm_directory *directory, const char *path, const char *suffix) {
  *directory = (struct vkm_directory){NULL, 0};
  struct dirent **entries = NULL;
  int count = scandir(path, &entries, NULL, NULL);
  if (count < 0) {
    vkm_error("cannot read the directory '%s': %s; give one that can be read", path,
              strerror(errno));
    return false;
  }
  return add_names(directory, path, suffix, entries, count);
}

void vkm_directory_finish(struct vkm_directory *directory) {
  for (size_t i = 0; i < directory->count; i++) {
    free(directory->paths[i]);
  }
  free((void *)directory->paths);
  *directory = (struct vkm_directory){NULL, 0};
}
