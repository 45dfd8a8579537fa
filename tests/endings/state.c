/* What a layer must leave as it is in a process. In: the process before Vulkan. Out: the program
 * dies when something has changed. Next: the way that asked ends. */
#include <dirent.h>
#include <fcntl.h>
#include <fenv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ender.h"

enum { FILE_CAP = 256, PATH_CAP = 4096, LAST_SIGNAL = 64 };

static struct {
  struct sigaction handlers[LAST_SIGNAL + 1];
  sigset_t mask;
  mode_t umask;
  int rounding;
  char folder[PATH_CAP];
  bool open[FILE_CAP];
} before;

static mode_t read_umask(void) {
  mode_t mask = umask(0);
  (void)umask(mask);
  return mask;
}

void state_remember(void) {
  for (int i = 1; i <= LAST_SIGNAL; i++) {
    (void)sigaction(i, NULL, &before.handlers[i]);
  }
  (void)sigprocmask(SIG_SETMASK, NULL, &before.mask);
  before.umask = read_umask();
  before.rounding = fegetround();
  if (getcwd(before.folder, sizeof before.folder) == NULL) {
    gpu_die("no current folder");
  }
  for (int i = 0; i < FILE_CAP; i++) {
    before.open[i] = fcntl(i, F_GETFD) >= 0;
  }
}

static void expect_handlers(void) {
  for (int i = 1; i <= LAST_SIGNAL; i++) {
    struct sigaction now;
    if (sigaction(i, NULL, &now) == 0 && now.sa_handler != before.handlers[i].sa_handler) {
      gpu_die("signal %d has another handler", i);
    }
  }
}

void state_expect(bool files) {
  sigset_t mask = {0};
  char folder[PATH_CAP];
  expect_handlers();
  (void)sigprocmask(SIG_SETMASK, NULL, &mask);
  if (memcmp(&mask, &before.mask, sizeof mask) != 0) {
    gpu_die("the signal mask has changed");
  }
  if (read_umask() != before.umask || fegetround() != before.rounding ||
      getcwd(folder, sizeof folder) == NULL || strcmp(folder, before.folder) != 0) {
    gpu_die("umask, rounding or folder have changed");
  }
  for (int i = 0; i < FILE_CAP && files; i++) {
    int flags = fcntl(i, F_GETFD);
    if (flags >= 0 && !before.open[i] && (flags & FD_CLOEXEC) == 0) {
      gpu_die("file %d would outlive an exec", i);
    }
  }
}

/* Whether the thread is one of the layer's; dies when it lets a signal through. */
static bool check_thread(const char *id) {
  char path[64];
  char line[256];
  bool ours = false;
  unsigned long long blocked = 0;
  (void)snprintf(path, sizeof path, "/proc/self/task/%.20s/status", id);
  FILE *file = fopen(path, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, "Name:\tvkmeter-", 14) == 0) {
      ours = true;
    } else if (strncmp(line, "SigBlk:\t", 8) == 0) {
      blocked = strtoull(line + 8, NULL, 16);
    }
  }
  if (file != NULL) {
    (void)fclose(file);
  }
  /* All but SIGKILL, SIGSTOP and the two that glibc keeps for itself. */
  if (ours && (blocked | 0x180040100ULL) != 0xffffffffffffffffULL) {
    gpu_die("a thread of the layer blocks only %llx", blocked);
  }
  return ours;
}

void state_expect_threads(int least) {
  int found = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *task = tasks != NULL ? readdir(tasks) : NULL; task != NULL;
       task = readdir(tasks)) {
    if (task->d_name[0] != '.') {
      found += check_thread(task->d_name);
    }
  }
  if (tasks != NULL) {
    (void)closedir(tasks);
  }
  (void)printf("threads of the layer %d\n", found);
  if (getenv("VKMETER") != NULL && found < least) {
    gpu_die("%d threads of the layer, expected %d", found, least);
  }
}
