/* Linux, see os.h. secure_getenv everywhere: under AT_SECURE nothing is read. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/os.h"

enum { PATH_LIMIT = 4096, HEAD_BYTES = 4096, NS_PER_S = 1000000000 };

const char *vkm_os_variable(const char *name) {
  return secure_getenv(name);
}

bool vkm_os_elevated(void) {
  return getauxval(AT_SECURE) != 0;
}

ptrdiff_t vkm_os_read(const char *path, bool follow, char *bytes, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW));
  size_t length = 0;
  ssize_t got = -1;
  while (file >= 0 && length < size && (got = read(file, bytes + length, size - length)) > 0) {
    length += (size_t)got;
  }
  if (file >= 0) {
    (void)close(file);
  }
  return got < 0 ? -1 : (ptrdiff_t)length;
}

int vkm_os_create(const char *path, uint64_t *limit_bytes, const char **cause) {
  struct stat status;
  struct rlimit most;
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  if (file < 0) {
    *cause = strerror(errno);
    return -1;
  }
  if (fstat(file, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))) {
    (void)close(file);
    *cause = "it is a pipe";
    return -1;
  }
  /* What goes beyond this limit of the system is answered with a signal that ends the program. */
  if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < *limit_bytes) {
    *limit_bytes = most.rlim_cur;
  }
  return file;
}

/* The first "model name" of /proc/cpuinfo; empty when there is none. */
static void read_cpu(char *cpu, size_t size) {
  char head[HEAD_BYTES];
  ptrdiff_t length = vkm_os_read("/proc/cpuinfo", true, head, sizeof head - 1);
  cpu[0] = '\0';
  if (length <= 0) {
    return;
  }
  head[length] = '\0';
  const char *name = strstr(head, "model name");
  name = name ? strchr(name, ':') : NULL;
  if (name) {
    name += strspn(name, ": \t");
    (void)snprintf(cpu, size, "%.*s", (int)strcspn(name, "\n"), name);
  }
}

void vkm_os_machine(struct vkm_os_machine *machine) {
  struct utsname name;
  *machine = (struct vkm_os_machine){0};
  if (uname(&name) == 0) {
    (void)snprintf(machine->os, sizeof machine->os, "%s", name.sysname);
    (void)snprintf(machine->kernel, sizeof machine->kernel, "%s", name.release);
    (void)snprintf(machine->arch, sizeof machine->arch, "%s", name.machine);
  }
  read_cpu(machine->cpu, sizeof machine->cpu);
}

void vkm_os_host(char *name, size_t size) {
  (void)gethostname(name, size - 1);
}

char *vkm_os_executable(void) {
  char path[PATH_LIMIT];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) {
    return NULL;
  }
  path[length] = '\0';
  return vkm_strdup(path);
}

/* VmHWM of /proc/self/status, in kB there. */
int64_t vkm_os_resident_peak_bytes(void) {
  char text[HEAD_BYTES];
  ptrdiff_t length = vkm_os_read("/proc/self/status", true, text, sizeof text - 1);
  if (length <= 0) {
    return -1;
  }
  text[length] = 0;
  const char *at = strstr(text, "VmHWM:");
  int64_t kilobytes = 0;
  if (!at) {
    return -1;
  }
  for (at += strcspn(at, "0123456789\n"); *at >= '0' && *at <= '9'; at++) {
    kilobytes = kilobytes * 10 + (*at - '0');
  }
  return kilobytes * 1024;
}

/* The name of an abstract socket is held as long as the process lives and leaves nothing behind.
 * The socket is kept open on purpose. */
bool vkm_os_claim(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (file < 0) {
    return true; /* a sandbox: nothing can be known */
  }
  int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s", name);
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
  if (bind(file, (const struct sockaddr *)&address, size) == 0) {
    return true;
  }
  bool taken = errno == EADDRINUSE;
  (void)close(file);
  return !taken;
}

bool vkm_os_thread(pthread_t *thread, const char *name, void *(*run)(void *), void *argument) {
  sigset_t all;
  sigset_t before;
  (void)sigfillset(&all);
  (void)pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = pthread_create(thread, NULL, run, argument) == 0;
  if (started) {
    (void)pthread_setname_np(*thread, name);
  }
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

void vkm_os_condition(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  (void)pthread_condattr_init(&attributes);
  (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  (void)pthread_cond_init(condition, &attributes);
  (void)pthread_condattr_destroy(&attributes);
}

void vkm_os_wait(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t until_ns) {
  struct timespec until = {.tv_sec = until_ns / NS_PER_S, .tv_nsec = until_ns % NS_PER_S};
  (void)pthread_cond_timedwait(condition, lock, &until);
}

uint32_t vkm_os_thread_id(void) {
  return (uint32_t)gettid();
}

void vkm_os_thread_name(char *name, size_t size) {
  char text[16] = "";
  if (prctl(PR_GET_NAME, text) != 0) {
    text[0] = '\0';
  }
  (void)snprintf(name, size, "%s", text);
}

bool vkm_os_forked(void (*child)(void)) {
  return pthread_atfork(NULL, NULL, child) == 0;
}

bool vkm_os_at_exit(void (*run)(void)) {
  bool known = atexit(run) == 0;
  (void)at_quick_exit(run);
  return known;
}

char *vkm_os_resolve(const char *path) {
  char resolved[PATH_MAX];
  return realpath(path, resolved) ? vkm_strdup(resolved) : NULL;
}

bool vkm_os_is_absolute(const char *path) {
  return path[0] == '/';
}

const char *vkm_os_file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

void vkm_os_keep(const void *code) {
  Dl_info info;
  if (dladdr(code, &info) && info.dli_fname) {
    (void)dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  }
}

bool vkm_os_glob(const char *pattern, const char *text) {
  return fnmatch(pattern, text, 0) == 0;
}
