/* In: a document, whole or piece by piece. Out: the file, replaced in one step. */
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
#define PROFILE_LIMIT_BYTES ((size_t)1 << 31)

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

/* The file that is to take the place of the one at `path`. */
struct successor {
  const char *path;
  char *name; /* owned; behind `directory_length` bytes of `path` that of the temporary file */
  size_t directory_length;
  int file; /* -1: there is none yet */
  size_t written_bytes;
  int error; /* 0: nothing went wrong */
  struct held_signal held;
};

/* Whatever comes of it, it is to be ended, but where this fails. */
static enum vkm_status begin_successor(struct successor *new, const char *path) {
  const char *slash = strrchr(path, '/');
  *new = (struct successor){.path = path, .file = -1};
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
  hold_size_signal(&new->held);
  return VKM_OK;
}

/* The file is made with the first bytes: what fails before any has left nothing to remove. */
static bool append(struct successor *new, const char *bytes, size_t length) {
  if (new->file < 0) {
    new->file = open_temporary(new->name, new->directory_length);
  }
  bool good = new->file >= 0 && write_all(new->file, bytes, length);
  new->error = good ? 0 : errno;
  new->written_bytes += length;
  return good;
}

/* Puts it in place where it is `whole` and nothing went wrong: true. Else errno says what did. */
static bool end_successor(struct successor *new, bool whole) {
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
  release_size_signal(&new->held);
  vkm_free(new->name);
  errno = new->error;
  return good;
}

enum vkm_status vkm_file_replace(const char *path, const char *bytes, size_t length) {
  struct successor new;
  enum vkm_status status = begin_successor(&new, path);
  if (status == VKM_OK) {
    status = end_successor(&new, append(&new, bytes, length)) ? VKM_OK : VKM_IO;
  }
  return status;
}

static bool append_piece(void *successor, const char *bytes, size_t length) {
  struct successor *new = successor;
  if (length > PROFILE_LIMIT_BYTES - new->written_bytes) {
    new->error = EFBIG;
    return false;
  }
  return append(new, bytes, length);
}

enum vkm_status vkm_profile_write(const struct vkm_profile *profile, const char *path) {
  struct successor new;
  struct vkm_text text;
  enum vkm_status status = begin_successor(&new, path);
  if (status != VKM_OK) {
    return status;
  }
  vkm_text_init_drained(&text, append_piece, &new);
  status = vkm_profile_format(profile, &text);
  bool whole = vkm_text_flush(&text) && status == VKM_OK;
  vkm_text_finish(&text);
  if (end_successor(&new, whole)) {
    return VKM_OK;
  }
  return new.error != 0 ? VKM_IO : VKM_OUT_OF_MEMORY;
}
