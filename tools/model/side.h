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

struct vkm_side_sample;

struct vkm_side {
  char *label;                       /* as given, else the path; owned */
  struct vkm_read_profile *profiles; /* owned */
  char **paths;                      /* of each; owned */
  size_t *runs; /* of each profile: index of the first profile of its run; owned */
  size_t profile_count;
  size_t run_count;
  struct vkm_run_error *errors; /* owned */
  size_t error_count;
  /* What a suite saw of its runs from outside; of runs whose profiles were left out, too. Owned. */
  struct vkm_side_sample *samples;
  size_t sample_count;
  bool baseline;       /* named @NAME: segments that the other side lacks are not in it */
  bool never_promoted; /* a baseline name that nobody has promoted: nothing is in it */
};

/* What names a side: operands as given, and where baselines are. Borrowed. */
struct vkm_side_source {
  const char *name;      /* "base" or "new", for messages and as the label of a list */
  char *const *operands; /* of a single one: FILE, DIRECTORY, -, @NAME, or LABEL= before any */
  size_t operand_count;  /* at least 1 */
  const char *baseline_dir;
};

/* Reads everything that `source` names: a directory stands for all its *.json, by name. Documents
 * vkmeter.error/1 become errors of the side, and profiles of the same runs are left out;
 * *.control.json in a directory is passed over. False: reported (a path that is not there with the
 * names that are near), and nothing is held. */
bool vkm_side_load(struct vkm_side *side, const struct vkm_side_source *source)
    __attribute__((warn_unused_result));
/* For loaders: appends a profile, which the side then owns (with its memory) also on failure.
 * False: out of memory, reported. */
bool vkm_side_add(struct vkm_side *side, struct vkm_read_profile *profile, const char *path)
    __attribute__((warn_unused_result));
/* The same of a record, which is emptied. */
bool vkm_side_add_sample(struct vkm_side *side, struct vkm_side_sample *sample)
    __attribute__((warn_unused_result));
/* Drops the profiles of a baseline whose segment `other` does not have; their number. */
size_t vkm_side_narrow(struct vkm_side *side, const struct vkm_side *other);
void vkm_side_finish(struct vkm_side *side);

#endif
