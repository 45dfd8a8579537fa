/* Numbered runs of one program, one after the other. Main thread. */
#ifndef VKM_TOOLS_COMMANDS_RUN_SERIES_H
#define VKM_TOOLS_COMMANDS_RUN_SERIES_H

#include "launch/child.h"
#include "launch/cold.h"
#include "outcome.h"

struct vkm_args;

/* `pattern`: where the profiles go, with %n. `plain`: the environment of runs without the layer.
 * `cold` NULL: caches stay. Reported; the outcome is that of the first run that failed. */
struct vkm_outcome vkm_run_series(const struct vkm_args *args, const struct vkm_signals *signals,
                                  const char *pattern, char *const *plain,
                                  const struct vkm_cold *cold);

#endif
