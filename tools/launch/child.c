/* Runs the program to profile. In: its argument vector. Out: how it ended. Next room: profiles. */
#include "launch/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "count.h"
#include "message.h"

/* What the program has to inherit as it was, although we need it otherwise. */
struct inherited {
  sigset_t mask;
  struct sigaction child_action;
};

static void take_signals(struct inherited *inherited, sigset_t *ours) {
  static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD};
  sigemptyset(ours);
  for (size_t i = 0; i < VKM_COUNT(passed); i++) {
    sigaddset(ours, passed[i]);
  }
  sigprocmask(SIG_BLOCK, ours, &inherited->mask);
  /* With SIGCHLD ignored the kernel would throw the program's status away. */
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigaction(SIGCHLD, &usual, &inherited->child_action);
}

/* In the new process; comes back only when the program cannot be started. */
static void become(char *const *argv, const struct inherited *inherited, int report) {
  sigaction(SIGCHLD, &inherited->child_action, NULL);
  sigprocmask(SIG_SETMASK, &inherited->mask, NULL);
  execvp(argv[0], argv);
  int cause = errno;
  ssize_t written = write(report, &cause, sizeof cause);
  (void)written; /* the parent sees an early end of file instead */
  _exit(127);
}

/* 0 when the program was started, else the errno of the attempt. */
static int start_result(int report) {
  int cause = 0;
  ssize_t got = 0;
  do {
    got = read(report, &cause, sizeof cause);
  } while (got < 0 && errno == EINTR);
  return got == (ssize_t)sizeof cause ? cause : 0;
}

static void pass_signals_until_end(pid_t pid, const sigset_t *ours, int *status) {
  while (waitpid(pid, status, WNOHANG) == 0) {
    siginfo_t info;
    int number = sigwaitinfo(ours, &info);
    /* A key of the terminal reached the program already. */
    if (number > 0 && number != SIGCHLD && info.si_code != SI_KERNEL) {
      kill(pid, number);
    }
  }
}

static void describe_end(int status, struct vkm_child *child) {
  child->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  child->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void explain(const char *program, int cause) {
  const char *remedy = "give the path of a program";
  if (cause == ENOENT) {
    remedy = strchr(program, '/') ? "check the path, and the interpreter that a script names"
                                  : "check its name, or give a path: it is not in PATH";
  } else if (cause == EACCES) {
    remedy = "it has to be an executable file: chmod +x";
  }
  vkm_error("cannot start '%s': %s; %s", program, strerror(cause), remedy);
}

bool vkm_child_run(char *const *argv, struct vkm_child *child) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) {
    explain(argv[0], errno);
    return false;
  }
  struct inherited inherited;
  sigset_t ours;
  take_signals(&inherited, &ours);
  child->pid = fork();
  if (child->pid == 0) {
    become(argv, &inherited, report[1]);
  }
  int cause = child->pid < 0 ? errno : 0;
  close(report[1]);
  if (cause == 0) {
    cause = start_result(report[0]);
  }
  close(report[0]);
  if (child->pid > 0) {
    int status = 0;
    pass_signals_until_end(child->pid, &ours, &status);
    describe_end(status, child);
  }
  if (cause != 0) {
    explain(argv[0], cause);
  }
  return cause == 0;
}
