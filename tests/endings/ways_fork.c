/* Ways to end with a child. The parent goes on afterwards, destroys everything and returns. In: a
 * device with finished work. Out: what the child prints and leaves. Nothing comes next. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ender.h"

static void expect_end(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
      WEXITSTATUS(status) != 0) {
    gpu_die("the child ended badly (status %d)", status);
  }
}

/* Forks; in the child runs `act` and leaves, in the parent waits and works on. */
static void with_child(struct ender *ender, way_function *act) {
  pid_t child = fork();
  if (child == 0) {
    act(ender);
    exit(EXIT_SUCCESS);
  }
  expect_end(child);
  ender_run(ender, 3);
}

static void do_nothing(struct ender *ender) {
  (void)ender;
}

static void leave_at_once(struct ender *ender) {
  (void)ender;
  _exit(EXIT_SUCCESS);
}

static void become_another(struct ender *ender) {
  (void)ender;
  (void)execl("/proc/self/exe", "ender", "exit", (char *)NULL);
  _exit(EXIT_FAILURE);
}

static void open_own(struct ender *ender) {
  (void)ender;
  static struct ender own;
  ender_open(&own);
  ender_run(&own, 2);
  ender_say(&own);
  ender_close(&own);
}

static void use_inherited(struct ender *ender) {
  ender_run(ender, 2);
}

void way_fork_exit(struct ender *ender) {
  with_child(ender, do_nothing);
}

void way_fork_underscore_exit(struct ender *ender) {
  with_child(ender, leave_at_once);
}

void way_fork_exec(struct ender *ender) {
  with_child(ender, become_another);
}

void way_fork_own(struct ender *ender) {
  with_child(ender, open_own);
}

void way_fork_inherited(struct ender *ender) {
  with_child(ender, use_inherited);
}

void way_system(struct ender *ender) {
  /* What programs do; the command is a constant. */
  if (system("true") != 0) { // NOLINT(cert-env33-c,concurrency-mt-unsafe)
    gpu_die("system() failed");
  }
  ender_run(ender, 3);
}
