/* A file switches, see trigger.h. */
#include "trigger.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "os/os.h"
#include "session.h"

#define LOOK_NS 100000000
#define IDLE_NS INT64_C(5000000000)    /* a program may end with its last thread */
#define REFUSED_NS INT64_C(1000000000) /* until the next try to start a thread */

static struct {
  bool given;
  char path[PATH_MAX];
  atomic_bool on;
  atomic_bool running;
  _Atomic int64_t wanted_ns, refused_ns;
} trigger;

static void look(void) {
  struct stat status;
  atomic_store(&trigger.on, stat(trigger.path, &status) == 0);
}

void vkm_trigger_start(const char *path) {
  char directory[PATH_MAX];
  trigger.given = *path;
  if (!trigger.given) {
    return;
  }
  bool relative = !vkm_os_is_absolute(path) && getcwd(directory, sizeof directory);
  int length = snprintf(trigger.path, sizeof trigger.path, "%s%s%s", relative ? directory : "",
                        relative ? "/" : "", path);
  if (length < 0 || (size_t)length >= sizeof trigger.path) {
    trigger.path[0] = '\0'; /* no file has such a path: never on */
  }
  look();
}

bool vkm_trigger_given(void) {
  return trigger.given;
}

bool vkm_trigger_on(void) {
  return !trigger.given || atomic_load_explicit(&trigger.on, memory_order_relaxed);
}

static bool wanted(void) {
  return !vkm_session_exiting() && vkm_now_ns() - atomic_load(&trigger.wanted_ns) < IDLE_NS;
}

static void *watch(void *argument) {
  (void)argument;
  do {
    while (wanted()) {
      look();
      nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
    atomic_store(&trigger.running, false);
    /* Somebody who came before this saw it running. */
  } while (wanted() && !atomic_exchange(&trigger.running, true));
  return NULL;
}

void vkm_trigger_want(int64_t now_ns) {
  if (!trigger.given) {
    return;
  }
  atomic_store(&trigger.wanted_ns, now_ns);
  int64_t refused_ns = atomic_load(&trigger.refused_ns);
  if (atomic_load(&trigger.running) || (refused_ns && now_ns - refused_ns < REFUSED_NS) ||
      vkm_session_exiting() || atomic_exchange(&trigger.running, true)) {
    return;
  }
  pthread_t thread;
  if (vkm_os_thread(&thread, "vkmeter-trigger", watch, NULL)) {
    pthread_detach(thread);
  } else {
    atomic_store(&trigger.refused_ns, now_ns);
    atomic_store(&trigger.running, false);
  }
}

void vkm_trigger_forked(void) {
  atomic_store(&trigger.running, false);
  atomic_store(&trigger.refused_ns, 0);
}
