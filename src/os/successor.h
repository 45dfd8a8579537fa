/* A new file that takes the place of the one at a path, in one step, once it is whole: a reader
 * sees the old file or the new one. In: bytes, piece by piece. Out: the file; errno says why not.
 * One thread. */
#ifndef VKM_OS_SUCCESSOR_H
#define VKM_OS_SUCCESSOR_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct vkm_successor {
  const char *path; /* the caller's */
  char *name;       /* of the temporary file beside it, owned */
  size_t directory_length, written_bytes;
  int error; /* 0: nothing went wrong */
#ifdef _WIN32
  void *file; /* INVALID_HANDLE_VALUE: there is none yet */
#else
  int file;        /* -1: there is none yet */
  sigset_t before; /* of the thread, whose SIGXFSZ is held back */
  bool was_pending;
#endif
};

/* VKM_IO: what is there is no plain file. Whatever comes of it, it is to be ended, but where this
 * fails. */
VKM_MUST_CHECK enum vkm_status vkm_successor_begin(struct vkm_successor *new, const char *path);

bool vkm_successor_append(struct vkm_successor *new, const char *bytes, size_t length);

/* Puts it in place where it is `whole` and nothing went wrong: true. Else the old file is as it
 * was, the temporary one is gone, and errno says why. */
VKM_MUST_CHECK bool vkm_successor_end(struct vkm_successor *new, bool whole);

#endif
