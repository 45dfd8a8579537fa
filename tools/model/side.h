/* One side of a comparison: profiles, and runs that failed. In: what the user named. Next:
 * comparison. Main thread. */
#ifndef VKM_TOOLS_MODEL_SIDE_H
#define VKM_TOOLS_MODEL_SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile_read.h"

/* A run whose program failed: vkmeter.error/1, written by `vkmeter run --repeat`. */
struct vkm_run_error {
  char *path;       /* owned, as all strings here */
  char *run;        /* id */
  char *cause;      /* "exit status 3", "killed by signal 11", "no profile was written" */
  char *command;    /* for people */
  int64_t sequence; /* in the repeated run, from 0; -1: not known */
};

struct vkm_side {
  char *label;                       /* as given, else the path; owned */
  struct vkm_read_profile *profiles; /* owned */
  char **paths;                      /* of each; owned */
  size_t *runs; /* of each profile: index of the first profile of its run; owned */
  size_t profile_count;
  size_t run_count;
  struct vkm_run_error *errors; /* owned */
  size_t error_count;
  bool never_promoted; /* a baseline name that nobody has promoted: nothing is in it */
};

#endif
