/* Folders. In: a path. Out: the file system. */
#include "launch/folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place) {
  (void)about;
  (void)kind;
  (void)place;
  return remove(path);
}

bool vkm_folder_remove(const char *path) {
  enum { OPEN_FOLDERS = 16, TRIES = 40 };
  static const struct timespec pause = {0, 50000000};
  for (int i = 0;; i++) {
    struct stat about;
    if (nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) == 0) {
      return true;
    }
    int cause = errno;
    bool gone = cause == ENOENT && lstat(path, &about) != 0;
    /* What a program has left running for a moment may still write there. */
    if (gone || i == TRIES || (cause != ENOTEMPTY && cause != EEXIST && cause != ENOENT)) {
      errno = cause;
      return gone;
    }
    nanosleep(&pause, NULL);
  }
}

bool vkm_folder_renew(const char *path) {
  return vkm_folder_remove(path) && mkdir(path, 0700) == 0;
}

bool vkm_folder_make(const char *path) {
  char *copy = strdup(path);
  bool made = copy != NULL && *copy;
  for (char *at = copy + 1; made && *at; at++) {
    bool end = at[1] == 0;
    if (*at != '/' && !end) {
      continue;
    }
    char kept = *at;
    if (kept == '/') {
      *at = 0;
    }
    made = mkdir(copy, 0777) == 0 || errno == EEXIST;
    *at = kept;
  }
  int cause = errno;
  free(copy);
  errno = cause;
  return made;
}
