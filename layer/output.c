/* The profile's file, see output.h. The one place of the layer that may write to stderr: one line,
 * once, when a profile cannot be written. */
#include "output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "kernel/identity.h"
#include "profile/profile_write.h"
#include "session.h"
#include "snapshot.h"

enum { PATH_LIMIT = 4096 };

/* ---- facts ---- */

void vkm_session_facts_start(struct vkm_session_facts *facts) {
  struct timespec unix_now;
  clock_gettime(CLOCK_REALTIME, &unix_now);
  *facts = (struct vkm_session_facts){.pid = getpid(),
                                      .started_ns = vkm_now_ns(),
                                      .started_unix_ns =
                                          (int64_t)unix_now.tv_sec * 1000000000 + unix_now.tv_nsec,
                                      .executable = vkm_os_executable()};
  vkm_os_machine(&facts->machine);
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

void vkm_output_start(struct vkm_output *output, const struct vkm_settings *settings,
                      const struct vkm_session_facts *facts) {
  *output = (struct vkm_output){0};
  snprintf(output->own_run, sizeof output->own_run, "%llx-%lld",
           (unsigned long long)facts->started_unix_ns, (long long)facts->pid);
  output->run = settings->run && *settings->run ? settings->run : output->own_run;
  /* Nobody knows where: no profile, and the one line that says so. */
  vkm_place_start(&output->place, settings->output, facts);
}

const char *vkm_output_shared_run(const struct vkm_output *output) {
  return output->run == output->own_run ? NULL : output->run;
}

/* ---- writing ---- */

/* In one piece, past the program's own buffers. */
__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
  char line[PATH_LIMIT + 512];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(line, sizeof line, format, values);
  va_end(values);
  if (length > 0) {
    size_t size = (size_t)length < sizeof line ? (size_t)length : sizeof line - 1;
    (void)!write(STDERR_FILENO, line, size);
  }
}

void vkm_output_say_failed(struct vkm_output *output, const char *cause) {
  if (!output->failed) {
    say("vkmeter: cannot write profile '%s': %s\n",
        output->place.path ? output->place.path : "(unknown path)", cause);
  }
  output->failed = true;
}

void vkm_output_say_no_trace(const char *path, const char *cause) {
  say("vkmeter: cannot write trace '%s': %s; the run goes on without. Set VKMETER_TRACE to a path "
      "that can be written\n",
      path ? path : "(unknown path)", cause);
}

bool vkm_output_write(struct vkm_output *output, const struct vkm_snapshot_request *request) {
  struct vkm_snapshot_request complete = *request;
  complete.run = output->run;
  vkm_place_claim(&output->place, request->facts, vkm_output_shared_run(output));
  enum vkm_status status = VKM_OUT_OF_MEMORY;
  if (output->place.path) {
    status = vkm_snapshot_write(&complete, output->place.path);
  }
  if (status != VKM_OK && status != VKM_OUT_OF_MEMORY) {
    char cause[128];
    snprintf(cause, sizeof cause, "%s; set VKMETER_OUTPUT to a path that can be written",
             strerror(errno));
    vkm_output_say_failed(output, cause);
  } else if (status != VKM_OK && (request->last || !output->place.path)) {
    vkm_output_say_failed(output, "out of memory"); /* before the last time, memory may come back */
  }
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
    say("vkmeter: cannot write '%s': %s; set VKMETER_DUMP_SPIRV to a folder that can be "
        "written\n",
        path, strerror(errno));
  }
}
