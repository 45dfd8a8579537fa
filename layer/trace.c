/* The timeline's queue and its writing thread, see trace.h. Two buffers: one is filled while the
 * other one is written. Locks, in order: `writing` (held across file and names), then whatever a
 * record needs; `lock` below all others. */
#include "trace.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "os/os.h"
#include "output.h"
#include "session.h"
#include "settings.h"
#include "trace_calls.h"
#include "trace_file.h"

enum { QUEUE_EVENTS = 16384, WAKE_EVENTS = QUEUE_EVENTS / 2, AT_ONCE = 256 };
#define PERIOD_NS INT64_C(50000000)
#define IDLE_NS INT64_C(500000000)     /* without an event: the thread ends */
#define REFUSED_NS INT64_C(1000000000) /* until the next try to start a thread */
#define RATE_NS INT64_C(1000000000)

atomic_bool vkm_trace_wanted;

struct buffer {
  struct vkm_event *events; /* QUEUE_EVENTS of them, owned */
  uint32_t count;
};

static struct {
  const struct vkm_settings *settings;
  bool given;     /* the setting is in force */
  bool no_memory; /* at the start */

  pthread_mutex_t lock; /* of what follows; leaf */
  pthread_cond_t wake;
  struct buffer buffers[2];
  int filling; /* index of the buffer that takes events */
  bool armed, closed, stop, running, woken;
  int64_t refused_ns;
  int64_t rate_since_ns;
  uint64_t rate_taken; /* since then */
  struct vkm_trace_counts counts;
  uint64_t unplaced, late;          /* late: came when `closed` */
  struct vkm_profile_trace written; /* as of the last writing */

  pthread_mutex_t writing; /* one thread at a time; of what follows */
  bool ended;              /* the last packet is written, or nobody could */
  struct vkm_trace_file file;
} trace = {.lock = PTHREAD_MUTEX_INITIALIZER, .writing = PTHREAD_MUTEX_INITIALIZER};

static atomic_uint_fast32_t submissions, executions;
static atomic_uint_fast64_t ids;

uint32_t vkm_trace_next_submission(void) {
  return (uint32_t)atomic_fetch_add_explicit(&submissions, 1, memory_order_relaxed) + 1;
}

uint32_t vkm_trace_next_execution(void) {
  return (uint32_t)atomic_fetch_add_explicit(&executions, 1, memory_order_relaxed) + 1;
}

uint64_t vkm_trace_reserve_ids(uint32_t count) {
  return atomic_fetch_add_explicit(&ids, count, memory_order_relaxed) + 1;
}

/* ---- writing ---- */

static void note_written(uint64_t short_of_memory) {
  pthread_mutex_lock(&trace.lock);
  trace.written.written = trace.file.written;
  trace.written.bytes = trace.file.bytes;
  trace.written.failed = trace.file.failed ? trace.file.cause : NULL;
  trace.written.path = trace.file.place.claimed ? trace.file.place.path : NULL;
  trace.counts.dropped_size = trace.file.lost;
  trace.counts.dropped_full += short_of_memory;
  pthread_mutex_unlock(&trace.lock);
}

/* The buffer that was filled; NULL: nothing waits. `writing` held. */
static struct buffer *swap(void) {
  pthread_mutex_lock(&trace.lock);
  struct buffer *full = &trace.buffers[trace.filling];
  full = full->count ? full : NULL;
  if (full) {
    trace.filling = 1 - trace.filling;
  }
  pthread_mutex_unlock(&trace.lock);
  return full;
}

/* `writing` held. What `deadline_ns` leaves no time for is dropped. */
static void write_buffer(struct buffer *buffer, int64_t deadline_ns) {
  struct vkm_trace_file *file = &trace.file;
  uint64_t dropped = 0;
  uint64_t before = file->memory_short;
  for (uint32_t at = 0; at < buffer->count;) {
    uint32_t left = buffer->count - at;
    uint32_t count = left < AT_ONCE ? left : AT_ONCE;
    /* A call and its ranges stay together. */
    while (count < left && buffer->events[at + count].type == VKM_EVENT_RANGE) {
      count++;
    }
    bool late = deadline_ns != INT64_MAX && vkm_now_ns() > deadline_ns;
    if (late || !vkm_trace_file_add(file, &buffer->events[at], count)) {
      dropped += count;
    }
    at += count;
  }
  vkm_trace_file_flush(file);
  pthread_mutex_lock(&trace.lock);
  buffer->count = 0;
  pthread_mutex_unlock(&trace.lock);
  note_written(dropped + file->memory_short - before);
}

/* `writing` held. */
static void write_all(int64_t deadline_ns) {
  struct buffer *buffer;
  /* Twice: what came while the first was written. Not for ever, where others are faster. */
  for (int i = 0; i < 2 && (buffer = swap()) != NULL; i++) {
    write_buffer(buffer, deadline_ns);
  }
}

void vkm_trace_drain(void) {
  if (!vkm_trace_on()) {
    return;
  }
  pthread_mutex_lock(&trace.writing);
  if (!trace.ended) {
    write_all(INT64_MAX);
  }
  pthread_mutex_unlock(&trace.writing);
}

/* Sleeps until there is something to write or it is time to look; false: the thread has left. */
static bool rest(int64_t *idle_since_ns) {
  int64_t now_ns = vkm_now_ns();
  int64_t until_ns = now_ns + PERIOD_NS;
  pthread_mutex_lock(&trace.lock);
  while (!trace.stop && !trace.woken && vkm_now_ns() < until_ns) {
    vkm_os_wait(&trace.wake, &trace.lock, until_ns);
  }
  trace.woken = false;
  if (trace.buffers[trace.filling].count) {
    *idle_since_ns = now_ns;
  }
  bool stays = !trace.stop && now_ns - *idle_since_ns < IDLE_NS;
  if (!stays) {
    trace.running = false;
  }
  pthread_mutex_unlock(&trace.lock);
  return stays;
}

/* Ends when nothing comes, and the next event starts another: a program whose main thread has left
 * by pthread_exit ends with its last thread, which must not be ours for ever. */
static void *write_events(void *argument) {
  int64_t idle_since_ns = vkm_now_ns();
  (void)argument;
  while (rest(&idle_since_ns)) {
    vkm_trace_drain();
  }
  return NULL;
}

/* Lock held. */
static void start_thread(void) {
  pthread_t thread;
  if (trace.refused_ns && vkm_now_ns() - trace.refused_ns < REFUSED_NS) {
    return;
  }
  trace.running = vkm_os_thread(&thread, "vkmeter-trace", write_events, NULL);
  if (trace.running) {
    pthread_detach(thread);
  } else {
    trace.refused_ns = vkm_now_ns();
  }
}

/* ---- taking ---- */

/* Lock held. */
static bool within_rate(uint32_t count) {
  uint64_t rate = trace.settings->trace_rate;
  if (rate == 0) {
    return true;
  }
  int64_t now_ns = vkm_now_ns();
  if (now_ns - trace.rate_since_ns >= RATE_NS) {
    trace.rate_since_ns = now_ns;
    trace.rate_taken = 0;
  }
  if (trace.rate_taken + count > rate) {
    return false;
  }
  trace.rate_taken += count;
  return true;
}

/* Where `count` events go; NULL: dropped and counted. Lock held. */
static struct vkm_event *place(uint32_t count) {
  struct buffer *buffer = &trace.buffers[trace.filling];
  if (trace.closed) {
    trace.late += count;
    return NULL;
  }
  trace.counts.events += count;
  if (!within_rate(count)) {
    trace.counts.dropped_rate += count;
    return NULL;
  }
  if (count > QUEUE_EVENTS - buffer->count) {
    trace.counts.dropped_full += count;
    return NULL;
  }
  struct vkm_event *to = &buffer->events[buffer->count];
  buffer->count += count;
  return to;
}

/* Lock held. */
static void wake(void) {
  if (!trace.armed || trace.closed) {
    return;
  }
  if (!trace.running) {
    start_thread();
  } else if (!trace.woken && trace.buffers[trace.filling].count >= WAKE_EVENTS) {
    trace.woken = true;
    pthread_cond_signal(&trace.wake);
  }
}

bool vkm_trace_push(const struct vkm_event *events, uint32_t count) {
  pthread_mutex_lock(&trace.lock);
  struct vkm_event *to = place(count);
  if (to) {
    memcpy(to, events, count * sizeof *events);
  }
  wake();
  pthread_mutex_unlock(&trace.lock);
  return to != NULL;
}

bool vkm_trace_push_call(const struct vkm_event *call, const struct vkm_event *ranges) {
  uint32_t count = call->call.ranges;
  pthread_mutex_lock(&trace.lock);
  struct vkm_event *to = place(1 + count);
  if (to) {
    to[0] = *call;
    if (count) {
      memcpy(&to[1], ranges, count * sizeof *ranges);
    }
  }
  wake();
  pthread_mutex_unlock(&trace.lock);
  return to != NULL;
}

void vkm_trace_count_short(void) {
  pthread_mutex_lock(&trace.lock);
  trace.counts.short_calls += trace.closed ? 0 : 1;
  pthread_mutex_unlock(&trace.lock);
}

void vkm_trace_count_unplaced(uint64_t count) {
  pthread_mutex_lock(&trace.lock);
  trace.unplaced += count;
  pthread_mutex_unlock(&trace.lock);
}

/* ---- start and end ---- */

static void init_locks(void) {
  pthread_mutex_init(&trace.lock, NULL);
  pthread_mutex_init(&trace.writing, NULL);
  vkm_os_condition(&trace.wake);
}

void vkm_trace_setup(const struct vkm_settings *settings, const struct vkm_session_facts *facts,
                     const char *run, const char *shared_run) {
  trace.settings = settings;
  trace.given = settings->trace && *settings->trace;
  if (!trace.given) {
    return;
  }
  init_locks();
  trace.file = (struct vkm_trace_file){.facts = facts,
                                       .run = run,
                                       .shared_run = shared_run,
                                       .style = (enum vkm_trace_style)settings->trace_style,
                                       .limit_bytes = settings->trace_limit_mb * 1000000};
  vkm_trace_file_start(&trace.file, settings->trace);
  trace.buffers[0].events = vkm_alloc(QUEUE_EVENTS * sizeof *trace.buffers[0].events);
  trace.buffers[1].events = vkm_alloc(QUEUE_EVENTS * sizeof *trace.buffers[1].events);
  trace.no_memory =
      !trace.buffers[0].events || !trace.buffers[1].events || !vkm_trace_file_allocate(&trace.file);
  atomic_store(&vkm_trace_wanted, !trace.no_memory);
}

void vkm_trace_forked(void) {
  if (!trace.given) {
    return;
  }
  init_locks();
  trace.buffers[0].count = trace.buffers[1].count = 0;
  trace.filling = 0;
  trace.armed = trace.closed = trace.stop = trace.running = trace.woken = trace.ended = false;
  trace.refused_ns = trace.rate_since_ns = 0;
  trace.rate_taken = trace.unplaced = trace.late = 0;
  trace.counts = (struct vkm_trace_counts){0};
  trace.written = (struct vkm_profile_trace){0};
  vkm_trace_file_forget(&trace.file);
  vkm_trace_file_start(&trace.file, trace.settings->trace);
  vkm_trace_calls_forked();
  atomic_store(&submissions, 0);
  atomic_store(&executions, 0);
  atomic_store(&ids, 0);
  atomic_store(&vkm_trace_wanted, !trace.no_memory);
}

void vkm_trace_arm(void) {
  if (!trace.given) {
    return;
  }
  if (trace.no_memory) {
    vkm_trace_file_refuse(&trace.file);
    return;
  }
  pthread_mutex_lock(&trace.lock);
  trace.armed = true;
  pthread_mutex_unlock(&trace.lock);
}

/* CLOCK_REALTIME, which is what pthread_mutex_timedlock takes. */
static struct timespec real_deadline(int64_t deadline_ns) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  int64_t left_ns = deadline_ns - vkm_now_ns();
  int64_t until_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec + (left_ns > 0 ? left_ns : 0);
  return (struct timespec){.tv_sec = until_ns / 1000000000, .tv_nsec = until_ns % 1000000000};
}

void vkm_trace_close(int64_t deadline_ns) {
  if (!vkm_trace_on()) {
    return;
  }
  pthread_mutex_lock(&trace.lock);
  bool armed = trace.armed;
  trace.stop = trace.closed = true; /* what comes from here on is only counted */
  pthread_cond_signal(&trace.wake);
  pthread_mutex_unlock(&trace.lock);
  struct timespec until = real_deadline(deadline_ns);
  if (pthread_mutex_timedlock(&trace.writing, &until) != 0) {
    return; /* the file does not answer: it stays as it is */
  }
  if (armed && !trace.ended) {
    write_all(deadline_ns);
    pthread_mutex_lock(&trace.lock);
    struct vkm_trace_counts counts = trace.counts;
    pthread_mutex_unlock(&trace.lock);
    vkm_trace_file_close(&trace.file, &counts);
    note_written(0);
  }
  trace.ended = true;
  pthread_mutex_unlock(&trace.writing);
}

bool vkm_trace_read(struct vkm_profile_trace *figures) {
  static const char *const styles[] = {"render-stage", "track-event"};
  if (!trace.given) {
    return false;
  }
  pthread_mutex_lock(&trace.lock);
  *figures = trace.written;
  figures->style = styles[trace.settings->trace_style];
  figures->failed = trace.no_memory ? "out of memory" : figures->failed;
  figures->events = trace.counts.events + trace.late;
  figures->dropped_late = trace.late;
  figures->dropped_full = trace.counts.dropped_full;
  figures->dropped_rate = trace.counts.dropped_rate;
  figures->dropped_size = trace.counts.dropped_size;
  figures->short_calls = trace.counts.short_calls;
  figures->unplaced = trace.unplaced;
  pthread_mutex_unlock(&trace.lock);
  return true;
}
