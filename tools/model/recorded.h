/* What a run leaves: a profile, or the record that it failed; times of another program are a
 * profile. In: a path. Next: side, export. Main thread. */
#ifndef VKM_TOOLS_MODEL_RECORDED_H
#define VKM_TOOLS_MODEL_RECORDED_H

#include <stdbool.h>

#include "model/side.h"
#include "profile/profile_read.h"

struct vkm_recorded {
  bool failed;                     /* which of the two it is; the other holds nothing */
  struct vkm_read_profile profile; /* owned */
  struct vkm_run_error error;      /* owned */
};

/* Reads `path` ("-": standard input). False: reported, and nothing is held. */
bool vkm_recorded_read(struct vkm_recorded *recorded, const char *path)
    __attribute__((warn_unused_result));
void vkm_recorded_finish(struct vkm_recorded *recorded);

/* Whether a file of a directory is neither: the wall times that `vkmeter run --control` leaves, the
 * records of good runs of a suite. */
bool vkm_recorded_beside(const char *path);

#endif
