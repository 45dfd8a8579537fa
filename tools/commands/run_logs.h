/* Files with what a program wrote to its streams, beside its profile. Main thread. */
#ifndef VKM_TOOLS_COMMANDS_RUN_LOGS_H
#define VKM_TOOLS_COMMANDS_RUN_LOGS_H

#include <stdbool.h>
#include <stddef.h>

struct vkm_run_logs {
  char *output, *errors; /* owned; NULL: none */
};

/* Names for the run whose profile goes to `profile` (absolute, placeholders in it):
 * run-0.stdout.txt and run-0.stderr.txt, with `word` before that. False: reported. */
bool vkm_run_logs_name(struct vkm_run_logs *logs, const char *profile, const char *word)
    __attribute__((warn_unused_result));
/* Removes files that are empty, and forgets the names. */
void vkm_run_logs_finish(struct vkm_run_logs *logs);

/* The last line of the file that is not blank, cut at `size`; "" where there is none. */
void vkm_run_logs_last_line(const char *path, char *line, size_t size);

#endif
