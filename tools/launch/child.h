/* Starts a program and waits for it. Main thread. */
#ifndef VKM_TOOLS_LAUNCH_CHILD_H
#define VKM_TOOLS_LAUNCH_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

struct vkm_child {
  pid_t pid;
  int status; /* as a shell says it: 0..255, 128 + signal */
  int signal; /* what killed it, 0 none */
};

/* Runs argv[0], looked up in PATH, with this process's environment and streams, and passes on the
 * signals that are sent to us meanwhile (INT TERM HUP QUIT USR1 USR2; not those that a terminal
 * sends to both). Afterwards these signals stay blocked in this process. False: it could not be
 * started, reported. */
bool vkm_child_run(char *const *argv, struct vkm_child *child) __attribute__((warn_unused_result));

#endif
