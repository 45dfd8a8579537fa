/* In: pieces. Out: a file, whole or not at all. */
#include "export/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"

enum { TRIES = 64, BUFFER_BYTES = 1 << 16 };

char *vkm_export_temporary(const char *path, int *descriptor) {
  const char *slash = strrchr(path, '/');
  int directory = slash != NULL ? (int)(slash - path) + 1 : 0;
  for (int i = 0; i < TRIES; i++) {
    char *name = NULL;
    if (asprintf(&name, "%.*s.vkmeter-%ld-%d.tmp", directory, path, (long)getpid(), i) < 0) {
      errno = ENOMEM;
      return NULL;
    }
    *descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (*descriptor >= 0) {
      return name;
    }
    int error = errno;
    free(name);
    errno = error;
    if (error != EEXIST) {
      return NULL;
    }
  }
  return NULL;
}

bool vkm_export_replaceable(const char *path) {
  struct stat found;
  return lstat(path, &found) != 0 || S_ISREG(found.st_mode);
}

bool vkm_export_cannot_write(const char *path) {
  if (path == NULL) {
    vkm_error("cannot write to the standard output: %s; is its disk full or its reader gone?",
              strerror(errno));
  } else {
    vkm_error("cannot write '%s': %s; give a path in a directory that can be written to", path,
              strerror(errno));
  }
  return false;
}

bool vkm_export_open(struct vkm_export_file *file, const char *path) {
  *file = (struct vkm_export_file){.path = path};
  if (path == NULL) {
    file->stream = stdout;
    return true;
  }
  if (!vkm_export_replaceable(path)) {
    file->stream = fopen(path, "we");
    return file->stream != NULL || vkm_export_cannot_write(path);
  }
  int descriptor = -1;
  file->temporary = vkm_export_temporary(path, &descriptor);
  if (file->temporary != NULL) {
    file->stream = fdopen(descriptor, "w");
  }
  if (file->stream == NULL) {
    (void)vkm_export_cannot_write(path);
    if (file->temporary != NULL) {
      (void)close(descriptor);
    }
    vkm_export_discard(file);
    return false;
  }
  (void)setvbuf(file->stream, NULL, _IOFBF, BUFFER_BYTES);
  return true;
}

bool vkm_export_conclude(struct vkm_export_file *file) {
  bool good = fflush(file->stream) == 0 && !ferror(file->stream);
  if (file->stream != stdout) {
    good = fclose(file->stream) == 0 && good;
  }
  file->stream = NULL;
  good = good && (file->temporary == NULL || rename(file->temporary, file->path) == 0);
  if (!good) {
    (void)vkm_export_cannot_write(file->path);
    vkm_export_discard(file);
    return false;
  }
  free(file->temporary);
  file->temporary = NULL;
  return true;
}

void vkm_export_discard(struct vkm_export_file *file) {
  if (file->stream != NULL && file->stream != stdout) {
    (void)fclose(file->stream);
  }
  if (file->temporary != NULL) {
    (void)unlink(file->temporary);
    free(file->temporary);
  }
  *file = (struct vkm_export_file){0};
}
