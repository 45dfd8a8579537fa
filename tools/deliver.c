/* Delivers texts. In: a text, a path. Out: stdout or a file. */
#include "deliver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "profile/profile_write.h"

/* The summary of a step of GitHub Actions belongs to the whole step. */
static bool is_summary(const char *path) {
  const char *summary = getenv("GITHUB_STEP_SUMMARY");
  return path != NULL && summary != NULL && *summary && strcmp(path, summary) == 0;
}

size_t vkm_deliver_before(const char *path) {
  struct stat found;
  return is_summary(path) && stat(path, &found) == 0 && found.st_size > 0 ? (size_t)found.st_size
                                                                          : 0;
}

/* Nothing can be put in the place of a pipe or a device. */
static bool is_special(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

static bool append(const char *path, const char *bytes, size_t length) {
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) {
    return false;
  }
  bool good = true;
  for (size_t at = 0; good && at < length;) {
    ssize_t written = write(fd, bytes + at, length - at);
    good = written > 0 || (written < 0 && errno == EINTR);
    at += written > 0 ? (size_t)written : 0;
  }
  return close(fd) == 0 && good;
}

bool vkm_deliver(const char *path, const struct vkm_text *text) {
  if (text->failed) {
    vkm_error("out of memory; give fewer files at once, or --top");
    return false;
  }
  const char *bytes = text->length_bytes > 0 ? text->data : "";
  if (path == NULL) {
    bool written = fwrite(bytes, 1, text->length_bytes, stdout) == text->length_bytes;
    if (!written || fflush(stdout) != 0) {
      vkm_error("cannot write to the standard output: %s; is its disk full or its reader gone?",
                strerror(errno));
      return false;
    }
    return true;
  }
  bool written = is_summary(path) || is_special(path)
                     ? append(path, bytes, text->length_bytes)
                     : vkm_file_replace(path, bytes, text->length_bytes) == VKM_OK;
  if (!written) {
    vkm_error("cannot write '%s': %s; give a path in a directory that can be written to", path,
              strerror(errno));
    return false;
  }
  return true;
}
