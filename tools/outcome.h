/* What a subcommand came to; only main.c turns it into an exit code. */
#ifndef VKM_TOOLS_OUTCOME_H
#define VKM_TOOLS_OUTCOME_H

enum vkm_outcome_kind {
  VKM_OUTCOME_DONE = 0, /* did what was asked */
  VKM_OUTCOME_GATE,     /* a requirement of the user was not met */
  VKM_OUTCOME_TROUBLE,  /* bad arguments, unreadable input, cannot write: already reported on stderr
                         */
  VKM_OUTCOME_PROGRAM,  /* run: the program's own status counts */
};

struct vkm_outcome {
  enum vkm_outcome_kind kind;
  int program_status; /* VKM_OUTCOME_PROGRAM only: 0..255, 128 + signal when it was killed */
};

#endif
