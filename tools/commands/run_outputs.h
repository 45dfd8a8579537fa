/* What a good run left, beside its profile: checksums, and a record of the run. Main thread. */
#ifndef VKM_TOOLS_COMMANDS_RUN_OUTPUTS_H
#define VKM_TOOLS_COMMANDS_RUN_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "commands/run_one.h"
#include "commands/run_series.h"

/* Takes the checksum of each output that the scene declares into
 * digests[0..VKM_SAMPLE_OUTPUTS_MAX): files below the run's working directory, "stdout" and
 * "stderr" of what the program wrote there. One that is not there is the cause why the run is not
 * good. */
void vkm_run_outputs_take(const struct vkm_scene *scene, const struct vkm_run_place *place,
                          struct vkm_output_digest *digests, struct vkm_run_result *result);

/* Writes the record of a run whose profile goes to `pattern` (with %n). False: reported. */
bool vkm_run_sample_leave(const struct vkm_scene *scene, const char *pattern, const char *run,
                          const struct vkm_sample *sample, const struct vkm_run_result *result,
                          const char *program) __attribute__((warn_unused_result));

#endif
