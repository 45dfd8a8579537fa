/* In: a whole document. Out: the file, replaced in one step. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "profile/profile_write.h"

enum { NAME_BYTES = 64, TRIES = 16 };

/* A file size limit would raise SIGXFSZ and end the program: while we write it is held back. */
struct held_signal {
  sigset_t before;
  bool was_pending;
};

static void hold_size_signal(struct held_signal *held) {
  sigset_t set;
  sigset_t pending;
  (void)sigemptyset(&set);
  (void)sigaddset(&set, SIGXFSZ);
  (void)sigpending(&pending);
  held->was_pending = sigismember(&pending, SIGXFSZ) == 1;
  (void)pthread_sigmask(SIG_BLOCK, &set, &held->before);
}

static void release_size_signal(const struct held_signal *held) {
  static const struct timespec at_once;
  sigset_t set;
  int error = errno;
  (void)sigemptyset(&set);
  (void)sigaddset(&set, SIGXFSZ);
  if (!held->was_pending) { /* one that was raised is ours */
    (void)sigtimedwait(&set, NULL, &at_once);
  }
  (void)pthread_sigmask(SIG_SETMASK, &held->before, NULL);
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

static enum vkm_status replace(const char *path, char *name, size_t directory_length,
                               const char *bytes, size_t length) {
  int file = open_temporary(name, directory_length);
  if (file < 0) {
    return VKM_IO;
  }
  bool good = write_all(file, bytes, length);
  int error = errno;
  /* Close is where network file systems tell of a full disk; EINTR closes too on Linux. */
  if (close(file) != 0 && errno != EINTR && good) {
    good = false;
    error = errno;
  }
  if (good && rename(name, path) == 0) {
    return VKM_OK;
  }
  error = good ? errno : error;
  (void)unlink(name);
  errno = error;
  return VKM_IO;
}

enum vkm_status vkm_file_replace(const char *path, const char *bytes, size_t length) {
  const char *slash = strrchr(path, '/');
  size_t directory_length = slash == NULL ? 0 : (size_t)(slash - path) + 1;
  if (!may_replace(path)) {
    return VKM_IO;
  }
  char *name = vkm_alloc(directory_length + NAME_BYTES);
  if (name == NULL) {
    errno = ENOMEM;
    return VKM_OUT_OF_MEMORY;
  }
  memcpy(name, path, directory_length);
  struct held_signal held;
  hold_size_signal(&held);
  enum vkm_status status = replace(path, name, directory_length, bytes, length);
  release_size_signal(&held);
  int error = errno;
  vkm_free(name);
  errno = error;
  return status;
}
