/* Runs the program to profile. In: its argument vector. Out: how it ended. Next room: profiles. */
#include "launch/child.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "count.h"
#include "launch/descendants.h"
#include "message.h"

#define NS_PER_S INT64_C(1000000000)

static const int stopping[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

void vkm_signals_take(struct vkm_signals *signals) {
  static const int others[] = {SIGUSR1, SIGUSR2, SIGCHLD};
  sigemptyset(&signals->ours);
  for (size_t i = 0; i < VKM_COUNT(stopping); i++) {
    sigaddset(&signals->ours, stopping[i]);
  }
  for (size_t i = 0; i < VKM_COUNT(others); i++) {
    sigaddset(&signals->ours, others[i]);
  }
  sigprocmask(SIG_BLOCK, &signals->ours, &signals->mask);
  /* With SIGCHLD ignored the kernel would throw the program's status away. */
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigaction(SIGCHLD, &usual, &signals->child_action);
}

int vkm_signals_stop(void) {
  static const struct timespec at_once = {0, 0};
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < VKM_COUNT(stopping); i++) {
    sigaddset(&set, stopping[i]);
  }
  int number = sigtimedwait(&set, NULL, &at_once);
  return number > 0 ? number : 0;
}

/* Puts a file in the place of a stream. */
static bool redirect(const char *path, int flags, int stream) {
  if (path == NULL) {
    return true;
  }
  int file = open(path, flags | O_CLOEXEC, 0666);
  return file >= 0 && dup2(file, stream) == stream;
}

static bool take_place(const struct vkm_order *order) {
  enum { NEW = O_WRONLY | O_CREAT | O_TRUNC };
  return redirect(order->input, O_RDONLY, STDIN_FILENO) &&
         redirect(order->output, NEW, STDOUT_FILENO) &&
         redirect(order->errors, NEW, STDERR_FILENO) &&
         (order->directory == NULL || chdir(order->directory) == 0);
}

/* In the new process; comes back only when the program cannot be started. */
static void become(const struct vkm_order *order, const struct vkm_signals *signals, int report) {
  sigaction(SIGCHLD, &signals->child_action, NULL);
  sigprocmask(SIG_SETMASK, &signals->mask, NULL);
  if (take_place(order)) {
    execvpe(order->argv[0], order->argv, order->environment ? order->environment : environ);
  }
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

/* Resident now: the second number of statm. 0: not known. */
static int64_t own_bytes(void) {
  char text[128];
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
  if (file >= 0) {
    (void)close(file);
  }
  text[length > 0 ? length : 0] = 0;
  const char *second = strchr(text, ' ');
  return second != NULL ? (int64_t)strtoll(second, NULL, 10) * sysconf(_SC_PAGESIZE) : 0;
}

static int64_t now_ns(clockid_t clock) {
  struct timespec now = {0, 0};
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* The next of our signals; 0 when there is none before `deadline_ns` (INT64_MAX: waits for ever) or
 * a call of the system came between. */
static int next_signal(const sigset_t *ours, int64_t deadline_ns, siginfo_t *info) {
  if (deadline_ns == INT64_MAX) {
    return sigwaitinfo(ours, info);
  }
  int64_t left_ns = deadline_ns - now_ns(CLOCK_MONOTONIC);
  left_ns = left_ns > 0 ? left_ns : 0;
  struct timespec left = {(time_t)(left_ns / NS_PER_S), (long)(left_ns % NS_PER_S)};
  return sigtimedwait(ours, info, &left);
}

static bool stops(int number) {
  for (size_t i = 0; i < VKM_COUNT(stopping); i++) {
    if (stopping[i] == number) {
      return true;
    }
  }
  return false;
}

/* Asks it first: what it then writes is not lost. */
static void end(struct vkm_child *child, int64_t *deadline_ns) {
  if (child->timed_out) {
    kill(child->pid, SIGKILL);
    *deadline_ns = INT64_MAX;
    return;
  }
  vkm_descendants_adopt();
  kill(child->pid, SIGTERM);
  child->timed_out = true;
  *deadline_ns += 2 * NS_PER_S;
}

/* `own`: what we had when it was started. */
static void pass_signals_until_end(const struct vkm_signals *signals, int64_t deadline_ns,
                                   int64_t own, struct vkm_child *child, int *status) {
  struct rusage use = {.ru_maxrss = 0};
  while (wait4(child->pid, status, WNOHANG, &use) == 0) {
    siginfo_t info;
    int number = next_signal(&signals->ours, deadline_ns, &info);
    child->stop = stops(number) ? number : child->stop;
    /* A key of the terminal reached the program already. */
    if (number > 0 && number != SIGCHLD && info.si_code != SI_KERNEL) {
      kill(child->pid, number);
    }
    if (now_ns(CLOCK_MONOTONIC) >= deadline_ns) {
      end(child, &deadline_ns);
    }
  }
  /* What a fork touches before exec is less than the last term. */
  bool ours = (int64_t)use.ru_maxrss * 1024 <= own + (1 << 19);
  child->resident_peak_bytes = ours ? 0 : (int64_t)use.ru_maxrss * 1024;
  if (child->timed_out) {
    vkm_descendants_kill();
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

bool vkm_child_run(const struct vkm_signals *signals, const struct vkm_order *order,
                   struct vkm_child *child) {
  int report[2];
  *child = (struct vkm_child){.started_unix_ns = now_ns(CLOCK_REALTIME)};
  if (pipe2(report, O_CLOEXEC) != 0) {
    child->cause = errno;
    explain(order->argv[0], errno);
    return false;
  }
  (void)malloc_trim(0); /* what is free goes back, or the program would seem to have it */
  int64_t own = own_bytes();
  int64_t started_ns = now_ns(CLOCK_MONOTONIC);
  child->pid = fork();
  if (child->pid == 0) {
    become(order, signals, report[1]);
  }
  child->cause = child->pid < 0 ? errno : 0;
  close(report[1]);
  if (child->cause == 0) {
    child->cause = start_result(report[0]);
  }
  close(report[0]);
  if (child->pid > 0) {
    int status = 0;
    pass_signals_until_end(signals, order->limit_ns ? started_ns + order->limit_ns : INT64_MAX, own,
                           child, &status);
    child->duration_ns = now_ns(CLOCK_MONOTONIC) - started_ns;
    describe_end(status, child);
  }
  if (child->cause != 0) {
    explain(order->argv[0], child->cause);
  }
  return child->cause == 0;
}
