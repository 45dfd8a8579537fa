/* The file that takes another's place, on Linux, see successor.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/successor.h"

enum { NAME_BYTES = 64, TRIES = 16 };

/* A file size limit would raise SIGXFSZ and end the program: while we write it is held back. */
static void hold_size_signal(struct vkm_successor *new) {
  sigset_t set;
  sigset_t pending;
  (void)sigemptyset(&set);
  (void)sigaddset(&set, SIGXFSZ);
  (void)sigpending(&pending);
  new->was_pending = sigismember(&pending, SIGXFSZ) == 1;
  (void)pthread_sigmask(SIG_BLOCK, &set, &new->before);
}

static void release_size_signal(const struct vkm_successor *new) {
  static const struct timespec at_once;
  sigset_t set;
  int error = errno;
  (void)sigemptyset(&set);
  (void)sigaddset(&set, SIGXFSZ);
  if (!new->was_pending) { /* one that was raised is ours */
    (void)sigtimedwait(&set, NULL, &at_once);
  }
  (void)pthread_sigmask(SIG_SETMASK, &new->before, NULL);
  errno = error;
}

/* A rename would replace whatever is there: a device node, the link /dev/stdout, a pipe. */
static bool may_replace(const char *path) {
  struct stat status;
  if (lstat(path, &status) != 0) {
    return errno == ENOENT;
  }
  if (S_ISLNK(status.st_mode)) {
    errno = ELOOP;
  } else if (S_ISDIR(status.st_mode)) {
    errno = EISDIR;
  } else if (!S_ISREG(status.st_mode)) {
    errno = ENOTSUP;
  }
  return S_ISREG(status.st_mode);
}

/* Opens a new file beside `path`; its name, written behind `directory_length` bytes of `name`, does
 * not grow with that of `path`, which may be as long as names can be. -1: errno says why. */
static int open_temporary(char *name, size_t directory_length) {
  int file = -1;
  for (int i = 0; i < TRIES && file < 0; i++) {
    (void)snprintf(name + directory_length, NAME_BYTES, ".vkmeter-%ld-%d.tmp", (long)getpid(), i);
    do {
      file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    } while (file < 0 && errno == EINTR);
    if (file < 0 && errno != EEXIST) {
      return -1;
    }
  }
  return file;
}

static bool write_all(int file, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t written = write(file, bytes, length);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      errno = written == 0 ? ENOSPC : errno;
      return false;
    }
    bytes += written;
    length -= (size_t)written;
  }
  return true;
}

enum vkm_status vkm_successor_begin(struct vkm_successor *new, const char *path) {
  const char *slash = strrchr(path, '/');
  *new = (struct vkm_successor){.path = path, .file = -1};
  new->directory_length = slash == NULL ? 0 : (size_t)(slash - path) + 1;
  if (!may_replace(path)) {
    return VKM_IO;
  }
  new->name = vkm_alloc(new->directory_length + NAME_BYTES);
  if (new->name == NULL) {
    errno = ENOMEM;
    return VKM_OUT_OF_MEMORY;
  }
  memcpy(new->name, path, new->directory_length);
  hold_size_signal(new);
  return VKM_OK;
}

/* The file is made with the first bytes: what fails before any has left nothing to remove. */
bool vkm_successor_append(struct vkm_successor *new, const char *bytes, size_t length) {
  if (new->file < 0) {
    new->file = open_temporary(new->name, new->directory_length);
  }
  bool good = new->file >= 0 && write_all(new->file, bytes, length);
  new->error = good ? 0 : errno;
  new->written_bytes += length;
  return good;
}

bool vkm_successor_end(struct vkm_successor *new, bool whole) {
  /* Close is where network file systems tell of a full disk; EINTR closes too on Linux. */
  if (new->file >= 0 && close(new->file) != 0 && errno != EINTR &&new->error == 0) {
    new->error = errno;
  }
  bool good = whole && new->error == 0;
  if (good && rename(new->name, new->path) != 0) {
    new->error = errno;
    good = false;
  }
  if (!good && new->file >= 0) {
    (void)unlink(new->name);
  }
  release_size_signal(new);
  vkm_free(new->name);
  errno = new->error;
  return good;
}
