/* Which profiles belong together: processes and runs. Pure. */
#ifndef VKM_TOOLS_MODEL_PROCESS_H
#define VKM_TOOLS_MODEL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/profile_read.h"

/* Whether both profiles are of one run: MPI ranks and child processes share its id, repeats of
 * `run --repeat` differ in their sequence. */
bool vkm_same_run(const struct vkm_read_profile *left, const struct vkm_read_profile *right);

/* Index of the first profile of the run that profiles[index] belongs to. */
size_t vkm_run_of(const struct vkm_read_profile *profiles, size_t index);

/* The same process given twice would count everything twice. False: reported with the paths of
 * both. */
bool vkm_processes_differ(const struct vkm_read_profile *profiles, char *const *paths, size_t count)
    __attribute__((warn_unused_result));

#endif
