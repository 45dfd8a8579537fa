/* One start of the program under the layer, judged. Main thread. */
#ifndef VKM_TOOLS_COMMANDS_RUN_ONE_H
#define VKM_TOOLS_COMMANDS_RUN_ONE_H

#include <stdbool.h>

#include "launch/child.h"
#include "outcome.h"

struct vkm_args;

/* Where a program of a suite finds itself; each NULL: where we are. */
struct vkm_run_place {
  const char *directory, *input, *output, *errors;
};

struct vkm_run_start {
  const struct vkm_args *args;
  const struct vkm_signals *signals;
  const char *output; /* absolute, with the layer's placeholders; in the environment already */
  const char *run;    /* id, likewise */
  bool numbered;      /* one of a series: without a profile it has failed */
  bool later;         /* not the first: what holds for all was said */
  struct vkm_run_place place;
};

struct vkm_run_result {
  bool begun; /* false: the program was not even tried; the rest but `outcome` is empty */
  struct vkm_child child;
  struct vkm_outcome outcome; /* that of a run alone */
  char cause[768];            /* why it has failed; empty: it has not */
};

/* Everything that went wrong is reported, in the result and on stderr. */
void vkm_run_one(const struct vkm_run_start *start, struct vkm_run_result *result);

/* What the program's own end comes to: its outcome and, where it has failed, the cause. */
void vkm_run_ended(const struct vkm_child *child, const struct vkm_args *args,
                   struct vkm_run_result *result);

#endif
