/* One JSON line of another program. Part of foreign_lines.c. Main thread. */
#ifndef VKM_TOOLS_MODEL_FOREIGN_LINE_H
#define VKM_TOOLS_MODEL_FOREIGN_LINE_H

#include "model/foreign.h"

/* Adds what the line says to the runs. False: `cause` says why; the runs are not to be used. */
bool vkm_foreign_line_add(struct vkm_foreign_lines *lines, const char *default_run,
                          const char *line, size_t length, char *cause, size_t cause_size)
    __attribute__((warn_unused_result));

#endif
