/* The process as a whole, see session.h. What is written where is in output.c, the copying of
 * results in snapshot.c. Nothing here is ever freed or joined at exit: other threads may still be
 * inside the hooks (pitfall F8). */
#include "session.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "activity.h"
#include "base/alloc.h"
#include "choice.h"
#include "device.h"
#include "families.h"
#include "hitches.h"
#include "intercept/commands.h"
#include "os/os.h"
#include "output.h"
#include "snapshot.h"
#include "trace.h"

/* TRACE_WAIT: only a file system that does not answer takes that long. */
enum { DEVICE_CAP = 1024, EXIT_WAIT_MS = 100, TRACE_WAIT_MS = 1000, UNKNOWN_CAP = 64 };
#define CHECKPOINT_NS INT64_C(1000000000)
#define CHECKPOINT_MOST_NS (60 * CHECKPOINT_NS)
/* Destructions write at once, but never so often that writing takes more than a part of the time: a
 * program may make and drop devices in a loop, and each of them makes the document longer. Nor do
 * checkpoints of a long document, by the processor's time that they take. */
enum { WRITE_SHARE = 10, CHECKPOINT_SHARE = 20 };
#define NS_PER_MS INT64_C(1000000)

static struct {
  pthread_mutex_t start_lock;
  bool started, enabled;
  struct vkm_settings settings;
  struct vkm_session_facts facts;
  struct vkm_output output;

  pthread_mutex_t lock; /* of what follows; leaf */
  pthread_cond_t wake;
  struct vkm_device_record *first, *last;
  size_t device_count, living;
  int64_t due_ns; /* a destruction waits for the writing thread since then; INT64_MAX: none */
  uint64_t dropped;
  bool writer_started;
  struct vkm_named_count unknown[UNKNOWN_CAP]; /* commands asked for; names are owned */
  size_t unknown_count;

  pthread_mutex_t write_lock;    /* one writing at a time */
  _Atomic int64_t may_write_ns;  /* when the next destruction may write; also without the lock */
  _Atomic int64_t write_took_ns; /* of the processor, the last writing; also without the lock */

  atomic_bool exit_known; /* our exit handler is registered */
  atomic_bool dirty;      /* something changed since the last checkpoint */
  atomic_bool exiting;    /* no Vulkan call of ours any more */
  atomic_bool finished;   /* the last profile was written by the exit handler */
} session = {.start_lock = PTHREAD_MUTEX_INITIALIZER, .due_ns = INT64_MAX};

static int64_t read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t vkm_now_ns(void) {
  return read_clock(CLOCK_MONOTONIC);
}

static int64_t thread_cpu_ns(void) {
  return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

const struct vkm_settings *vkm_session_settings(void) {
  return &session.settings;
}

int64_t vkm_session_started_ns(void) {
  return session.facts.started_ns;
}

bool vkm_session_exiting(void) {
  return atomic_load_explicit(&session.exiting, memory_order_relaxed);
}

/* ---- writing ---- */

static void write_profile(const char *end_reason, bool complete) {
  pthread_mutex_lock(&session.write_lock);
  pthread_mutex_lock(&session.lock);
  struct vkm_device_record *first = session.first;
  uint64_t dropped = session.dropped;
  struct vkm_named_count unknown[UNKNOWN_CAP];
  size_t unknown_count = session.unknown_count;
  memcpy(unknown, session.unknown, sizeof unknown);
  pthread_mutex_unlock(&session.lock);
  if (first || dropped) {
    int64_t begin_ns = vkm_now_ns();
    int64_t begin_cpu_ns = thread_cpu_ns();
    atomic_store(&session.dirty, false);
    struct vkm_snapshot_request request = {.facts = &session.facts,
                                           .settings = &session.settings,
                                           .first = first,
                                           .dropped = dropped,
                                           .unknown = unknown,
                                           .unknown_count = unknown_count,
                                           .end_reason = end_reason,
                                           .complete = complete,
                                           .last = vkm_session_exiting() ||
                                                   !atomic_load(&session.exit_known)};
    if (!vkm_output_write(&session.output, &request)) {
      atomic_store(&session.dirty, true); /* the next checkpoint tries again */
    }
    int64_t end_ns = vkm_now_ns();
    atomic_store(&session.may_write_ns, end_ns + (end_ns - begin_ns) * WRITE_SHARE);
    atomic_store(&session.write_took_ns, thread_cpu_ns() - begin_cpu_ns);
  }
  pthread_mutex_unlock(&session.write_lock);
}

/* Lock held, given up while waiting. */
static void wait_until_due(int64_t next_ns) {
  int64_t until_ns;
  while (!vkm_session_exiting() &&
         vkm_now_ns() < (until_ns = session.due_ns < next_ns ? session.due_ns : next_ns)) {
    vkm_os_wait(&session.wake, &session.lock, until_ns);
  }
}

static int64_t next_checkpoint_ns(void) {
  int64_t share_ns = atomic_load(&session.write_took_ns) * CHECKPOINT_SHARE;
  share_ns = share_ns < CHECKPOINT_MOST_NS ? share_ns : CHECKPOINT_MOST_NS;
  return vkm_now_ns() + (share_ns > CHECKPOINT_NS ? share_ns : CHECKPOINT_NS);
}

/* Checkpoints: one second after the first submission, then every second while something changed.
 * Without a change the thread ends, and the next submission starts another: a program whose main
 * thread has left by pthread_exit ends with its last thread, which must not be ours for ever. */
static void *write_checkpoints(void *argument) {
  bool changed = true;
  (void)argument;
  pthread_mutex_lock(&session.lock);
  while (!vkm_session_exiting() && changed) {
    wait_until_due(next_checkpoint_ns());
    changed = atomic_load(&session.dirty);
    session.due_ns = INT64_MAX;
    if (!vkm_session_exiting() && changed) {
      bool all_gone = session.device_count && session.living == 0;
      pthread_mutex_unlock(&session.lock);
      write_profile(all_gone ? "device_destroyed" : "checkpoint", all_gone);
      pthread_mutex_lock(&session.lock);
    }
  }
  session.writer_started = false;
  pthread_mutex_unlock(&session.lock);
  return NULL;
}

void vkm_session_touch(void) {
  /* Looked at before it is written: every submission of every thread comes here. */
  if (atomic_load_explicit(&session.dirty, memory_order_relaxed) ||
      atomic_exchange_explicit(&session.dirty, true, memory_order_relaxed) ||
      vkm_session_exiting()) {
    return;
  }
  pthread_mutex_lock(&session.lock);
  if (!session.writer_started) {
    pthread_t thread;
    session.writer_started = true; /* also when it fails: then only destruction and exit write */
    if (vkm_os_thread(&thread, "vkmeter-write", write_checkpoints, NULL)) {
      pthread_detach(thread);
    }
  }
  pthread_mutex_unlock(&session.lock);
}

/* ---- exit and fork ---- */

/* Runs before the driver's own exit handlers, because it is registered after every vkCreateDevice.
 */
static void at_exit(void) {
  if (getpid() != session.facts.pid || atomic_load(&session.finished)) {
    return;
  }
  int64_t deadline_ns = vkm_now_ns() + EXIT_WAIT_MS * NS_PER_MS;
  vkm_devices_stop_collectors(NULL, deadline_ns);
  atomic_store(&session.exiting, true);
  pthread_mutex_lock(&session.lock);
  pthread_cond_broadcast(&session.wake);
  pthread_mutex_unlock(&session.lock);
  if (!atomic_exchange(&session.finished, true)) {
    vkm_trace_close(vkm_now_ns() + TRACE_WAIT_MS * NS_PER_MS);
    write_profile("exit", true);
  }
}

static void init_locks(void) {
  pthread_mutex_init(&session.lock, NULL);
  pthread_mutex_init(&session.write_lock, NULL);
  vkm_os_condition(&session.wake);
}

/* The child starts empty, with a file of its own; what it inherited passes through. */
static void in_child(void) {
  init_locks();
  vkm_instances_forked();
  vkm_devices_forked();
  vkm_commands_forked();
  vkm_activity_forked();
  vkm_hitches_forked();
  session.first = session.last = NULL;
  session.device_count = session.living = 0;
  session.due_ns = INT64_MAX;
  session.dropped = 0;
  session.writer_started = false;
  atomic_store(&session.dirty, false);
  atomic_store(&session.exiting, false);
  atomic_store(&session.finished, false);
  vkm_choice_forked();
  vkm_session_facts_start(&session.facts);
  vkm_output_start(&session.output, &session.settings, &session.facts);
  vkm_trace_forked();
}

static void start(const VkInstanceCreateInfo *info) {
  if (vkm_os_elevated()) {
    return;
  }
  init_locks();
  vkm_commands_init();
  vkm_settings_start(&session.settings);
  vkm_settings_file(&session.settings);
  vkm_settings_application(&session.settings, info);
  vkm_settings_environment(&session.settings);
  vkm_families_start(session.settings.rules);
  vkm_session_facts_start(&session.facts);
  if (!vkm_choice_process(session.settings.process, session.facts.executable)) {
    return;
  }
  vkm_choice_start(&session.settings);
  if (vkm_choice_by_command()) {
    session.settings.control_every = 0; /* spans of parts say nothing of the whole */
  }
  vkm_output_start(&session.output, &session.settings, &session.facts);
  vkm_trace_setup(&session.settings, &session.facts, session.output.run,
                  vkm_output_shared_run(&session.output));
  /* Without these two a profile could be lost or overwritten: better none than a wrong one. */
  session.enabled = vkm_os_forked(in_child);
  if (!session.enabled) {
    vkm_output_say_failed(&session.output, "out of memory");
  }
}

bool vkm_session_enter(const VkInstanceCreateInfo *info) {
  pthread_mutex_lock(&session.start_lock);
  if (!session.started) {
    session.started = true;
    start(info);
  }
  pthread_mutex_unlock(&session.start_lock);
  return session.enabled;
}

bool vkm_session_enabled(void) {
  return session.enabled;
}

void vkm_session_application(const VkApplicationInfo *info) {
  pthread_mutex_lock(&session.lock);
  vkm_session_facts_application(&session.facts, info);
  pthread_mutex_unlock(&session.lock);
}

void vkm_session_not_intercepted(const char *name) {
  pthread_mutex_lock(&session.lock);
  size_t at = 0;
  while (at < session.unknown_count && strcmp(session.unknown[at].name, name) != 0) {
    at++;
  }
  if (at == session.unknown_count && at < UNKNOWN_CAP) {
    char *copy = vkm_strdup(name);
    if (copy) {
      session.unknown[session.unknown_count++] = (struct vkm_named_count){.name = copy};
    }
  }
  if (at < session.unknown_count) {
    session.unknown[at].count++;
  }
  pthread_mutex_unlock(&session.lock);
}

/* ---- devices ---- */

bool vkm_session_add(struct vkm_device_record *record) {
  pthread_mutex_lock(&session.lock);
  bool added = session.device_count < DEVICE_CAP;
  if (!added) {
    session.dropped++;
  } else {
    record->number = (uint32_t)session.device_count;
    if (session.last) {
      session.last->next = record;
    } else {
      session.first = record;
    }
    session.last = record;
    session.device_count++;
    session.living++;
  }
  pthread_mutex_unlock(&session.lock);
  return added;
}

struct vkm_device_record *vkm_session_record(uint32_t number) {
  pthread_mutex_lock(&session.lock);
  struct vkm_device_record *record = session.first;
  while (record && record->number != number) {
    record = record->next;
  }
  pthread_mutex_unlock(&session.lock);
  return record;
}

void vkm_session_drop(void) {
  pthread_mutex_lock(&session.lock);
  session.dropped++;
  pthread_mutex_unlock(&session.lock);
}

void vkm_session_device_created(void) {
  vkm_choice_device_created();
  vkm_trace_arm();
  if (vkm_os_at_exit(at_exit)) {
    atomic_store(&session.exit_known, true);
  }
  if (!atomic_load(&session.exit_known)) { /* only what is destroyed before will be there */
    vkm_output_say_failed(&session.output, "no exit handler could be registered");
  }
}

void vkm_session_device_destroyed(void) {
  int64_t may_ns = atomic_load(&session.may_write_ns);
  pthread_mutex_lock(&session.lock);
  bool last = --session.living == 0;
  pthread_mutex_unlock(&session.lock);
  bool finished = atomic_load(&session.finished);
  atomic_store(&session.dirty, true);
  if ((last && vkm_now_ns() > may_ns) || finished) {
    write_profile(finished ? "exit" : "device_destroyed", true);
  }
  if (finished || !atomic_load(&session.dirty)) {
    return;
  }
  atomic_store(&session.dirty, false); /* else the thread would not be started */
  vkm_session_touch();
  if (last) { /* a second at most: the program may never use Vulkan again, and end in any way */
    int64_t soon_ns = vkm_now_ns() + CHECKPOINT_NS;
    int64_t due_ns = may_ns < soon_ns ? may_ns : soon_ns;
    pthread_mutex_lock(&session.lock);
    session.due_ns = due_ns < session.due_ns ? due_ns : session.due_ns;
    pthread_cond_broadcast(&session.wake);
    pthread_mutex_unlock(&session.lock);
  }
}
