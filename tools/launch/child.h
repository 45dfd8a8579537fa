/* Starts programs and waits for them. Main thread. */
#ifndef VKM_TOOLS_LAUNCH_CHILD_H
#define VKM_TOOLS_LAUNCH_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What programs have to inherit as it was, although this process needs it otherwise. */
struct vkm_signals {
  sigset_t ours; /* INT TERM HUP QUIT USR1 USR2 CHLD, blocked in this process from now on */
  sigset_t mask;
  struct sigaction child_action;
};
/* Once, before the first program. */
void vkm_signals_take(struct vkm_signals *signals);
/* INT, TERM, HUP or QUIT that was sent to us while no program ran; 0: none. Takes it. */
int vkm_signals_stop(void);

struct vkm_order {
  char *const *argv;        /* argv[0] is looked up in PATH */
  char *const *environment; /* NULL: ours */
  int64_t limit_ns;         /* 0: none. After it the program gets TERM, 2 s later KILL, and what is
                               left of it too */
  const char *directory;    /* its working directory; NULL: ours */
  const char *input, *output, *errors; /* files for its streams, the latter two emptied or made;
                                          NULL: ours */
};

struct vkm_child {
  pid_t pid;
  int status; /* as a shell says it: 0..255, 128 + signal */
  int signal; /* what killed it, 0 none */
  int stop;   /* INT, TERM, HUP or QUIT that came meanwhile; 0: none */
  bool timed_out;
  int cause; /* errno of a start that failed, 0: it was started */
  int64_t started_unix_ns, duration_ns;
  /* Of the program and of the children that it waited for. 0: not known, it took no more than we
   * did when it was started: what a process has before exec counts as the program's. */
  int64_t resident_peak_bytes;
};

/* Runs a program, and passes on the signals that are sent to us
 * meanwhile (not those that a terminal sends to both). False: it could not be started, reported. */
bool vkm_child_run(const struct vkm_signals *signals, const struct vkm_order *order,
                   struct vkm_child *child) __attribute__((warn_unused_result));

#endif
