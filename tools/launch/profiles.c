/* Finds what the layer wrote. In: the output name with placeholders. Out: paths. Next:
 * commands/run. */
#include "launch/profiles.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"

/* Appends the glob pattern for text[0..length) at `to`; at most 6 bytes for each of text. */
static char *pattern_of(char *to, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    bool placeholder = text[i] == '%' && i + 1 < length;
    char kind = text[i];
    if (placeholder) {
      kind = text[++i];
    }
    if (placeholder && kind == 'p') {
      to = stpcpy(to, "[0-9]*");
    } else if (placeholder && kind != '%') {
      *to++ = '*';
    } else {
      if (strchr("*?[\\", kind) != NULL) {
        *to++ = '\\';
      }
      *to++ = kind;
    }
  }
  *to = 0;
  return to;
}

size_t vkm_output_ending(const char *output) {
  const char *slash = strrchr(output, '/');
  const char *name = slash ? slash + 1 : output;
  const char *dot = strrchr(name, '.');
  return dot != NULL && dot != name ? (size_t)(dot - output) : strlen(output);
}

static bool add(struct vkm_candidates *candidates, const char *path) {
  struct stat about;
  if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) {
    return true;
  }
  char *copy = strdup(path);
  if (copy == NULL) {
    return false;
  }
  candidates->files[candidates->count++] =
      (struct vkm_candidate){copy, about.st_dev, about.st_ino, about.st_mtim};
  return true;
}

static int by_path(const void *left, const void *right) {
  return strcmp(((const struct vkm_candidate *)left)->path,
                ((const struct vkm_candidate *)right)->path);
}

/* A file may fit several patterns. */
static void sort_once_each(struct vkm_candidates *candidates) {
  if (candidates->count < 2) {
    return;
  }
  qsort(candidates->files, candidates->count, sizeof *candidates->files, by_path);
  size_t kept = 1;
  for (size_t i = 1; i < candidates->count; i++) {
    if (by_path(&candidates->files[i], &candidates->files[kept - 1]) == 0) {
      free(candidates->files[i].path);
    } else {
      candidates->files[kept++] = candidates->files[i];
    }
  }
  candidates->count = kept;
}

/* Appends the files OUTPUT with `word` before its ending. `pattern` has room for that. */
static bool find_beside(char *pattern, const char *output, const char *word, glob_t *found) {
  size_t ending = vkm_output_ending(output);
  char *end = pattern_of(pattern, output, ending);
  pattern_of(stpcpy(end, word), output + ending, strlen(output) - ending);
  return glob(pattern, GLOB_APPEND, NULL, found) != GLOB_NOSPACE;
}

bool vkm_candidates_find(struct vkm_candidates *candidates, const char *output) {
  *candidates = (struct vkm_candidates){NULL, 0};
  size_t length = strlen(output);
  char *pattern = malloc(6 * length + sizeof "-r[0-9]*");
  glob_t found = {0};
  bool good = pattern != NULL;
  if (good) {
    pattern_of(pattern, output, length);
    good = glob(pattern, 0, NULL, &found) != GLOB_NOSPACE;
  }
  if (good && strstr(output, "%p") == NULL) {
    good = find_beside(pattern, output, "-[0-9]*", &found);
  }
  if (good && strstr(output, "%r") == NULL) { /* of a rank but the first */
    good = find_beside(pattern, output, "-r[0-9]*", &found);
  }
  free(pattern);
  if (good && found.gl_pathc > 0) {
    candidates->files = calloc(found.gl_pathc, sizeof *candidates->files);
    good = candidates->files != NULL;
  }
  for (size_t i = 0; good && i < found.gl_pathc; i++) {
    good = add(candidates, found.gl_pathv[i]);
  }
  globfree(&found);
  sort_once_each(candidates);
  if (!good) {
    vkm_candidates_finish(candidates);
    vkm_error("out of memory");
  }
  return good;
}

void vkm_candidates_finish(struct vkm_candidates *candidates) {
  for (size_t i = 0; i < candidates->count; i++) {
    free(candidates->files[i].path);
  }
  free(candidates->files);
  *candidates = (struct vkm_candidates){NULL, 0};
}

/* The layer renames a new file into place, so even the same name is another file afterwards. */
static bool was_there(const struct vkm_candidates *before, const struct vkm_candidate *file) {
  for (size_t i = 0; i < before->count; i++) {
    const struct vkm_candidate *old = &before->files[i];
    if (strcmp(old->path, file->path) == 0) {
      return old->device == file->device && old->inode == file->inode &&
             old->changed.tv_sec == file->changed.tv_sec &&
             old->changed.tv_nsec == file->changed.tv_nsec;
    }
  }
  return false;
}

void vkm_candidates_keep_new(struct vkm_candidates *after, const struct vkm_candidates *before) {
  size_t kept = 0;
  for (size_t i = 0; i < after->count; i++) {
    if (was_there(before, &after->files[i])) {
      free(after->files[i].path);
    } else {
      after->files[kept++] = after->files[i];
    }
  }
  after->count = kept;
}

static int probe_write(const char *directory) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s/.vkmeter-probe-XXXXXX", directory);
  if (length < 0 || (size_t)length >= sizeof path) {
    return ENAMETOOLONG;
  }
  int file = mkostemp(path, O_CLOEXEC);
  if (file < 0) {
    return errno;
  }
  static const char block[8192];
  ssize_t written = write(file, block, sizeof block);
  int cause = written == (ssize_t)sizeof block ? 0 : errno ? errno : ENOSPC;
  if (close(file) != 0 && cause == 0) {
    cause = errno;
  }
  unlink(path);
  return cause;
}

int vkm_output_writable(const char *output, bool probe) {
  const char *slash = strrchr(output, '/');
  char directory[PATH_MAX];
  size_t length = slash == NULL ? 0 : (size_t)(slash - output);
  if (length >= sizeof directory) {
    return ENAMETOOLONG;
  }
  size_t used = 0;
  for (size_t i = 0; i < length; i++) {
    if (output[i] == '%' && output[i + 1] != '%') {
      return 0;
    }
    i += output[i] == '%';
    directory[used++] = output[i];
  }
  directory[used] = 0;
  const char *name = used > 0 ? directory : "/";
  struct stat about;
  if (stat(name, &about) != 0) {
    return errno;
  }
  if (!S_ISDIR(about.st_mode)) {
    return ENOTDIR;
  }
  if (access(name, W_OK | X_OK) != 0) {
    return errno;
  }
  errno = 0;
  return probe ? probe_write(name) : 0;
}
