/* Numbered runs of one program, one after the other. Main thread. */
#ifndef VKM_TOOLS_COMMANDS_RUN_SERIES_H
#define VKM_TOOLS_COMMANDS_RUN_SERIES_H

#include "launch/child.h"
#include "launch/cold.h"
#include "model/overhead.h"
#include "model/sample.h"
#include "outcome.h"

struct vkm_args;

/* What is around the programs, and what is wanted to be known of them. */
struct vkm_scene {
  char *const *plain;          /* the environment of runs without the layer */
  const struct vkm_cold *cold; /* NULL: caches stay */
  /* Of a suite; NULL: programs are where we are and have our streams. They then have no input,
   * their output goes to files beside the profiles, and this folder is emptied before each. */
  const char *directory;
  /* What each run has to leave, below `directory`; ends in NULL. NULL: nothing. With `directory`.
   */
  const char *const *outputs;
  const int *decimals;   /* of each output, to which its numbers are rounded; -1: as it is */
  char *const *validate; /* judges each good run by its exit status; ends in NULL. NULL: none */
  /* What became of them, filled in: a place for each run that is asked for. NULL: not wanted. */
  struct vkm_sample *samples;
  size_t sample_count;
  struct vkm_overhead overhead; /* with --control */
  int stop;                     /* the signal that ended it all; 0: none */
};

/* `pattern`: where the profiles go, with %n. Reported; the outcome is that of the first run that
 * failed. */
struct vkm_outcome vkm_run_series(const struct vkm_args *args, const struct vkm_signals *signals,
                                  const char *pattern, struct vkm_scene *scene);

#endif
