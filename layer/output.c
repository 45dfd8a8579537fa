/* The profile's file, see output.h. The one place of the layer that may write to stderr: one line,
 * once, when a profile cannot be written. */
#include "output.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <fcntl.h>

#include "base/alloc.h"
#include "base/rank.h"
#include "base/text.h"
#include "kernel/identity.h"
#include "profile/profile_write.h"
#include "session.h"
#include "snapshot.h"

enum { PATH_LIMIT = 4096, HEAD_BYTES = 4096 };
#define PROFILE_LIMIT ((size_t)1 << 31)

/* ---- facts ---- */

/* The first "model name" of /proc/cpuinfo; empty when there is none. */
static void read_cpu(char *cpu, size_t size) {
  char head[HEAD_BYTES];
  int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read(file, head, sizeof head - 1);
  if (file >= 0) {
    close(file);
  }
  cpu[0] = '\0';
  if (length <= 0) {
    return;
  }
  head[length] = '\0';
  const char *name = strstr(head, "model name");
  name = name ? strchr(name, ':') : NULL;
  if (name) {
    name += strspn(name, ": \t");
    snprintf(cpu, size, "%.*s", (int)strcspn(name, "\n"), name);
  }
}

static char *read_executable(void) {
  char path[PATH_LIMIT];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) {
    return NULL;
  }
  path[length] = '\0';
  return vkm_strdup(path);
}

void vkm_session_facts_start(struct vkm_session_facts *facts) {
  struct timespec unix_now;
  clock_gettime(CLOCK_REALTIME, &unix_now);
  *facts = (struct vkm_session_facts){.pid = getpid(),
                                      .started_ns = vkm_now_ns(),
                                      .started_unix_ns =
                                          (int64_t)unix_now.tv_sec * 1000000000 + unix_now.tv_nsec,
                                      .executable = read_executable()};
  struct utsname name;
  if (uname(&name) == 0) {
    snprintf(facts->os, sizeof facts->os, "%s", name.sysname);
    snprintf(facts->kernel, sizeof facts->kernel, "%s", name.release);
    snprintf(facts->arch, sizeof facts->arch, "%s", name.machine);
  }
  read_cpu(facts->cpu, sizeof facts->cpu);
}

void vkm_session_facts_application(struct vkm_session_facts *facts, const VkApplicationInfo *info) {
  if (facts->api_version) {
    return;
  }
  facts->api_version = info && info->apiVersion ? info->apiVersion : VK_API_VERSION_1_0;
  if (info) {
    facts->application_name = info->pApplicationName ? vkm_strdup(info->pApplicationName) : NULL;
    facts->engine_name = info->pEngineName ? vkm_strdup(info->pEngineName) : NULL;
    facts->application_version = info->applicationVersion;
    facts->engine_version = info->engineVersion;
  }
}

/* ---- where ---- */

static void append_executable(struct vkm_text *text, const struct vkm_session_facts *facts) {
  const char *name = facts->executable ? strrchr(facts->executable, '/') : NULL;
  vkm_text_string(text, name ? name + 1 : "unknown");
}

static void append_placeholder(struct vkm_text *text, char letter,
                               const struct vkm_session_facts *facts) {
  char host[256] = "unknown";
  switch (letter) {
  case 'e':
    append_executable(text, facts);
    break;
  case 'p':
    vkm_text_i64(text, facts->pid);
    break;
  case 't':
    vkm_text_i64(text, facts->started_unix_ns / 1000000000);
    break;
  case 'h':
    gethostname(host, sizeof host - 1);
    vkm_text_string(text, host);
    break;
  case 'r':
    vkm_text_string(text, vkm_rank());
    break;
  case '%':
    vkm_text_string(text, "%");
    break;
  default: /* not ours: kept as it is */
    vkm_text_append(text, (char[]){'%', letter}, letter ? 2 : 1);
  }
}

static void expand(struct vkm_text *text, const char *pattern,
                   const struct vkm_session_facts *facts) {
  for (const char *at = pattern; *at; at++) {
    if (*at != '%') {
      vkm_text_append(text, at, 1);
      continue;
    }
    append_placeholder(text, at[1], facts);
    at += at[1] != '\0';
  }
}

static bool names_rank(const char *pattern) {
  while ((pattern = strchr(pattern, '%')) != NULL && pattern[1] != 'r') {
    pattern += pattern[1] ? 2 : 1;
  }
  return pattern != NULL;
}

/* out.json -> out-WORD.json */
static void add_word(struct vkm_output *output, const char *word) {
  struct vkm_text text;
  const char *slash = strrchr(output->path, '/');
  const char *dot = strrchr(slash ? slash : output->path, '.');
  size_t stem = dot ? (size_t)(dot - output->path) : strlen(output->path);
  vkm_text_init(&text, PATH_LIMIT);
  vkm_text_append(&text, output->path, stem);
  vkm_text_string(&text, "-");
  vkm_text_string(&text, word);
  vkm_text_string(&text, output->path + stem);
  if (text.failed) {
    vkm_text_finish(&text); /* no path, rather than one that is another process's */
  }
  vkm_free(output->path);
  output->path = text.data;
}

/* Ranks may run on several hosts that share a folder: no claim of theirs is seen on another, and
 * process ids come twice. */
static void add_rank(struct vkm_output *output, const char *pattern) {
  const char *rank = vkm_rank();
  if (output->path && !names_rank(pattern) && rank[strspn(rank, "0")]) {
    char word[VKM_RANK_DIGITS + 2];
    snprintf(word, sizeof word, "r%s", rank);
    add_word(output, word);
  }
}

void vkm_output_start(struct vkm_output *output, const struct vkm_settings *settings,
                      const struct vkm_session_facts *facts) {
  struct vkm_text text;
  char directory[PATH_LIMIT];
  *output = (struct vkm_output){0};
  snprintf(output->own_run, sizeof output->own_run, "%llx-%lld",
           (unsigned long long)facts->started_unix_ns, (long long)facts->pid);
  output->run = settings->run && *settings->run ? settings->run : output->own_run;
  vkm_text_init(&text, PATH_LIMIT);
  if (!settings->output) {
    return; /* nobody knows where: no profile, and the one line that says so */
  }
  if (settings->output[0] != '/' && getcwd(directory, sizeof directory)) {
    vkm_text_string(&text, directory);
    vkm_text_string(&text, "/");
  }
  expand(&text, settings->output, facts);
  output->path = text.failed ? NULL : text.data;
  if (text.failed) {
    vkm_text_finish(&text);
  }
  add_rank(output, settings->output);
}

/* ---- several processes, one path ---- */

/* Whether a living process has claimed the path. The name of an abstract socket is held as long as
 * the process lives and leaves nothing behind. The socket is kept open on purpose. */
static bool claimed_by_living(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char hash[VKM_HASH_TEXT_BYTES];
  int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (file < 0) {
    return false; /* a sandbox: nothing can be known */
  }
  vkm_hash_text(vkm_hash_bytes(path, strlen(path)), hash);
  int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "vkmeter-%s", hash);
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
  if (bind(file, (const struct sockaddr *)&address, size) == 0) {
    return false;
  }
  bool taken = errno == EADDRINUSE;
  close(file);
  return taken;
}

/* Whether the file there was written by another process of the same run. */
static bool written_by_this_run(const struct vkm_output *output) {
  char head[HEAD_BYTES];
  int file = open(output->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  ssize_t length = file < 0 ? -1 : read(file, head, sizeof head - 1);
  if (file >= 0) {
    close(file);
  }
  if (length <= 0 || output->run == output->own_run) {
    return false;
  }
  head[length] = '\0';
  return strstr(head, output->run) != NULL;
}

/* out.json -> out-PID.json */
static void add_pid(struct vkm_output *output, pid_t pid) {
  char word[32];
  snprintf(word, sizeof word, "%lld", (long long)pid);
  add_word(output, word);
}

static void claim(struct vkm_output *output, pid_t pid) {
  if (!output->claimed && output->path &&
      (claimed_by_living(output->path) || written_by_this_run(output))) {
    add_pid(output, pid);
  }
  output->claimed = true;
}

/* ---- writing ---- */

void vkm_output_say_failed(struct vkm_output *output, const char *cause) {
  if (!output->failed) {
    dprintf(STDERR_FILENO, "vkmeter: cannot write profile '%s': %s\n",
            output->path ? output->path : "(unknown path)", cause);
  }
  output->failed = true;
}

bool vkm_output_write(struct vkm_output *output, const struct vkm_snapshot_request *request) {
  struct vkm_snapshot_request complete = *request;
  struct vkm_text text;
  complete.run = output->run;
  claim(output, request->facts->pid);
  vkm_text_init(&text, PROFILE_LIMIT);
  enum vkm_status status = VKM_OUT_OF_MEMORY;
  if (output->path && vkm_snapshot_format(&complete, &text) == VKM_OK) {
    status = vkm_file_replace(output->path, text.data, text.length_bytes);
  }
  if (status != VKM_OK && status != VKM_OUT_OF_MEMORY) {
    char cause[128];
    snprintf(cause, sizeof cause, "%s; set VKMETER_OUTPUT to a path that can be written",
             strerror(errno));
    vkm_output_say_failed(output, cause);
  } else if (status != VKM_OK && (request->last || !output->path)) {
    vkm_output_say_failed(output, "out of memory"); /* before the last time, memory may come back */
  }
  vkm_text_finish(&text);
  return status == VKM_OK;
}

void vkm_output_spirv(const char *folder, struct vkm_hash hash, const void *code, size_t length) {
  static atomic_bool said;
  char name[VKM_HASH_TEXT_BYTES], path[PATH_LIMIT];
  vkm_hash_text(hash, name);
  int written = snprintf(path, sizeof path, "%s/%s.spv", folder, name);
  bool fits = written > 0 && (size_t)written < sizeof path;
  if (fits && access(path, F_OK) == 0) {
    return;
  }
  errno = fits ? errno : ENAMETOOLONG;
  if ((!fits || vkm_file_replace(path, code, length) != VKM_OK) && !atomic_exchange(&said, true)) {
    dprintf(STDERR_FILENO,
            "vkmeter: cannot write '%s': %s; set VKMETER_DUMP_SPIRV to a folder that can be "
            "written\n",
            path, strerror(errno));
  }
}
