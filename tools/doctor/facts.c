/* Starts the probe and reads what it says. In: arguments. Out: facts. Next: diagnosis. */
#include "doctor/facts.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "message.h"

/* Beside us: .../bin/vkmeter -> .../libexec/vkmeter/vkmeter-probe. */
static bool find_probe(char path[PATH_MAX]) {
  static const char below[] = "libexec/vkmeter/vkmeter-probe";
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof below - 1);
  path[length > 0 ? length : 0] = 0;
  for (int level = 0; level < 2; level++) {
    char *slash = strrchr(path, '/');
    if (slash == NULL) {
      break;
    }
    *slash = 0;
  }
  size_t used = strlen(path);
  snprintf(path + used, PATH_MAX - used, "/%s", below);
  if (access(path, X_OK) == 0) {
    return true;
  }
  vkm_error("cannot look: '%s' cannot be run: %s; install vkmeter whole", path, strerror(errno));
  return false;
}

/* In the new process. A core file of a driver's crash would be no use to anybody here. */
static _Noreturn void become(const char *path, const char *const *arguments,
                             const struct vkm_variable *changes, size_t change_count, int out,
                             int complaints) {
  for (size_t i = 0; i < change_count; i++) {
    if (changes[i].value != NULL) {
      setenv(changes[i].name, changes[i].value, 1);
    } else {
      unsetenv(changes[i].name);
    }
  }
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  dup2(out, STDOUT_FILENO);
  dup2(complaints, STDERR_FILENO);
  const char *argv[8] = {path};
  for (size_t i = 0; arguments[i] != NULL && i < 6; i++) {
    argv[i + 1] = arguments[i];
  }
  execv(path, (char *const *)argv);
  _exit(127);
}

/* False: it had to be killed. */
static bool wait_for(pid_t pid, int limit_s, int *status) {
  const struct timespec pause = {0, 5000000};
  for (long left = (long)limit_s * 200; left > 0; left--) {
    pid_t ended = waitpid(pid, status, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) {
      return true;
    }
    nanosleep(&pause, NULL);
  }
  kill(pid, SIGKILL);
  waitpid(pid, status, 0);
  return false;
}

/* All of a file in memory; NULL: reported. */
static char *read_all(int file) {
  off_t length = lseek(file, 0, SEEK_END);
  char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
  if (text == NULL) {
    vkm_error("out of memory");
    return NULL;
  }
  ssize_t got = pread(file, text, (size_t)length, 0);
  text[got > 0 ? got : 0] = 0;
  return text;
}

static void split_line(char *line, struct vkm_fact *fact) {
  fact->key = line;
  char *tab = strchr(line, '\t');
  for (size_t i = 0; i < VKM_FACT_VALUES; i++) {
    fact->values[i] = "";
    if (tab != NULL) {
      *tab = 0;
      fact->values[i] = tab + 1;
      tab = strchr(tab + 1, '\t');
    }
  }
}

static bool split(struct vkm_facts *facts) {
  size_t lines = 1;
  for (const char *c = facts->text; *c; c++) {
    lines += *c == '\n';
  }
  facts->items = calloc(lines, sizeof *facts->items);
  if (facts->items == NULL) {
    vkm_error("out of memory");
    return false;
  }
  char *rest = facts->text;
  for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
    if (*line) {
      split_line(line, &facts->items[facts->count++]);
    }
  }
  return true;
}

static void describe_end(struct vkm_facts *facts, bool in_time, int status, int limit_s) {
  const char *step = "starting";
  const struct vkm_fact *fact = NULL;
  for (size_t i = 0; (fact = vkm_facts_find(facts, "step", i)) != NULL; i++) {
    step = fact->values[0];
  }
  facts->ended = in_time && WIFEXITED(status);
  if (!in_time) {
    snprintf(facts->end, sizeof facts->end, "did not come back within %d s from: %s", limit_s,
             step);
  } else if (!facts->ended) {
    snprintf(facts->end, sizeof facts->end, "crashed (%s) in: %s", strsignal(WTERMSIG(status)),
             step);
  }
}

static void keep_last_line(struct vkm_facts *facts, char *text) {
  char *rest = text;
  for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
    if (*line) {
      snprintf(facts->complaint, sizeof facts->complaint, "%s", line);
    }
  }
}

static bool read_facts(struct vkm_facts *facts, int out, int complaints) {
  facts->text = read_all(out);
  char *said = read_all(complaints);
  if (said != NULL) {
    keep_last_line(facts, said);
    free(said);
  }
  return facts->text != NULL && split(facts);
}

bool vkm_facts_gather(struct vkm_facts *facts, const char *const *arguments,
                      const struct vkm_variable *changes, size_t change_count, int limit_s) {
  *facts = (struct vkm_facts){0};
  char path[PATH_MAX];
  if (!find_probe(path)) {
    return false;
  }
  int out = memfd_create("facts", MFD_CLOEXEC);
  int complaints = memfd_create("complaints", MFD_CLOEXEC);
  pid_t pid = out >= 0 && complaints >= 0 ? fork() : -1;
  if (pid == 0) {
    become(path, arguments, changes, change_count, out, complaints);
  }
  bool good = pid > 0;
  if (!good) {
    vkm_error("cannot look: a process cannot be started: %s; free some memory", strerror(errno));
  } else {
    int status = 0;
    bool in_time = wait_for(pid, limit_s, &status);
    good = read_facts(facts, out, complaints);
    if (good) {
      describe_end(facts, in_time, status, limit_s);
    }
  }
  close(out);
  close(complaints);
  if (!good) {
    vkm_facts_finish(facts);
  }
  return good;
}

void vkm_facts_finish(struct vkm_facts *facts) {
  free(facts->items);
  free(facts->text);
  *facts = (struct vkm_facts){0};
}

const struct vkm_fact *vkm_facts_find(const struct vkm_facts *facts, const char *key, size_t at) {
  for (size_t i = 0; i < facts->count; i++) {
    /* split() gives each fact a key, and counts no others. */
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
    if (strcmp(facts->items[i].key, key) == 0 && at-- == 0) {
      return &facts->items[i];
    }
  }
  return NULL;
}
