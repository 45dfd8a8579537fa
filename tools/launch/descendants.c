/* Ends processes that were left behind. In: our children as the kernel lists them. Out: none. */
#include "launch/descendants.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

void vkm_descendants_adopt(void) {
  (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

/* Any one of our children; 0: there is none, or the kernel keeps no list. */
static pid_t any_child(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  char pids[256] = "";
  FILE *list = fopen(path, "re");
  if (list != NULL) {
    if (fgets(pids, sizeof pids, list) == NULL) {
      pids[0] = 0;
    }
    fclose(list);
  }
  return (pid_t)strtol(pids, NULL, 10); /* the first */
}

void vkm_descendants_kill(void) {
  /* The children of one that is killed are ours next. */
  for (pid_t pid = any_child(); pid > 0; pid = any_child()) {
    kill(pid, SIGKILL);
    if (waitpid(pid, NULL, 0) != pid) {
      break;
    }
  }
  (void)prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
}
