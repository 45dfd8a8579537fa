/* Which devices of a file of workloads are there. Main thread. */
#ifndef VKM_TOOLS_COMMANDS_SUITE_DEVICES_H
#define VKM_TOOLS_COMMANDS_SUITE_DEVICES_H

#include <stdbool.h>

#include "model/suite_plan.h"

/* Looks for those that the choice touches, as a program finds them: `there` has a place for each of
 * the file. A driver that crashes is not there. False: cannot look, reported. */
bool vkm_suite_devices_look(const struct vkm_suite_file *file,
                            const struct vkm_suite_choice *choice, struct vkm_suite_there *there)
    __attribute__((warn_unused_result));

#endif
