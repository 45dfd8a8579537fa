/* Each driver in a process of its own, so that one that crashes is known by its name. Main thread.
 */
#ifndef VKM_TOOLS_DOCTOR_DRIVERS_H
#define VKM_TOOLS_DOCTOR_DRIVERS_H

#include <stdbool.h>

#include "doctor/diagnosis.h"

enum { VKM_PROBE_LIMIT_S = 60, VKM_SELFTEST_LIMIT_S = 180 };

/* Fills in diagnosis->drivers from its manifests. False: cannot look, reported. */
bool vkm_drivers_look(struct vkm_diagnosis *diagnosis, bool selftest)
    __attribute__((warn_unused_result));
/* How a loader says that no driver works (INCOMPATIBLE_DRIVER), or that none has a device
 * (INITIALIZATION_FAILED when devices are counted): nothing is broken then. */
bool vkm_facts_no_device(const struct vkm_fact *failed);
void vkm_drivers_finish(struct vkm_diagnosis *diagnosis);

#endif
