/* vkmeter report --matrix. Part of report.c. Main thread. */
#ifndef VKM_TOOLS_COMMANDS_REPORT_MATRIX_H
#define VKM_TOOLS_COMMANDS_REPORT_MATRIX_H

#include <stdbool.h>

#include "args.h"
#include "model/side.h"

/* Prints one table of all that `side` holds. False: reported. */
bool vkm_report_matrix(const struct vkm_args *args, const struct vkm_side *side)
    __attribute__((warn_unused_result));

#endif
