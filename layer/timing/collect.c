/* Who reads when: the collector thread, and application threads right after their own waits. In:
 * the lists of pending executions. Next room: harvest.c, one execution at a time. */
#include "timing/collect.h"

#include "device.h"
#include "os/os.h"
#include "session.h"
#include "timing/calibrate.h"

/* Read by one application wait, whichever is reached first; the rest is the collector's. Queries
 * are no measure of time where a driver or the machine is slow. Where reads wait for the device
 * there is no limit of time: the collector may find no moment before the next submission. */
enum { APPLICATION_QUERIES = 4096, RELEASED_AT_ONCE = 64 };
#define APPLICATION_NS INT64_C(400000)
enum { LOOKS_A_PASS = 64 };
#define POLL_FIRST_NS INT64_C(1000000)
#define POLL_LAST_NS INT64_C(50000000)
#define IDLE_NS INT64_C(500000000)     /* without anything outstanding: the thread ends */
#define REFUSED_NS INT64_C(1000000000) /* until the next try to start a thread */
#define CALIBRATE_NS INT64_C(1000000000)
#define LEFT_COVERED_NS INT64_C(30000000)
#define LEFT_UNCOVERED_NS INT64_C(60000000)
#define GRACE_NS INT64_C(1000000000) /* from "a wait covers it" to "it will never be available" */

static bool is_covered(const struct vkm_execution *execution) {
  return execution->sequence <= execution->queue->covered;
}

/* ---- application threads ---- */

/* The next execution an application thread may read. Lock held. */
static struct vkm_execution *next_covered(const struct vkm_device *device) {
  for (struct vkm_queue *queue = device->submissions.queues; queue; queue = queue->next) {
    struct vkm_execution *at = queue->first;
    for (; at && is_covered(at); at = at->next) {
      if (!at->reading && at->state == VKM_EXECUTION_PENDING && at->covered_ns == 0) {
        return at;
      }
    }
  }
  return NULL;
}

/* Takes covered executions that are concluded off the queues. Lock held; returns how many of their
 * recordings it put into `released`. */
static uint32_t take_concluded(struct vkm_device *device,
                               struct vkm_recording *released[RELEASED_AT_ONCE]) {
  uint32_t count = 0;
  for (struct vkm_queue *queue = device->submissions.queues; queue; queue = queue->next) {
    struct vkm_execution *next;
    for (struct vkm_execution *at = queue->first; at && is_covered(at) && count < RELEASED_AT_ONCE;
         at = next) {
      next = at->next;
      if (!at->reading && at->state == VKM_EXECUTION_CONCLUDED) {
        released[count++] = vkm_execution_remove(device, at);
      }
    }
  }
  return count;
}

/* They need no read, and their recordings are not timed before they are gone: so they go whatever
 * is left for the collector. Lock held, given up to release. */
static void release_concluded(struct vkm_device *device) {
  struct vkm_recording *released[RELEASED_AT_ONCE];
  uint32_t count;
  while ((count = take_concluded(device, released)) > 0) {
    pthread_mutex_unlock(&device->submissions.lock);
    for (uint32_t i = 0; i < count; i++) {
      vkm_recording_release(released[i]);
    }
    pthread_mutex_lock(&device->submissions.lock);
  }
}

static bool may_collect(struct vkm_device *device) {
  return !vkm_session_exiting() && !atomic_load(&device->lost);
}

void vkm_collect_covered(struct vkm_device *device) {
  struct vkm_submissions *submissions = &device->submissions;
  int64_t budget = APPLICATION_QUERIES;
  bool left_over = false;
  pthread_mutex_lock(&submissions->lock);
  if (may_collect(device)) {
    release_concluded(device);
  }
  int64_t until_ns = INT64_MIN; /* set behind the first read: most waits have just one */
  while (!left_over && submissions->pending && vkm_may_read(device) && may_collect(device)) {
    struct vkm_execution *execution = next_covered(device);
    if (!execution) {
      break;
    }
    budget -= execution->recording->stamp_count;
    if (budget < 0) {
      left_over = true;
      break;
    }
    execution->reading = true;
    pthread_mutex_unlock(&submissions->lock);
    /* Covered but not available: some drivers publish results late. The collector looks again. */
    left_over = vkm_harvest(device, execution) == VKM_HARVEST_NOT_READY;
    pthread_mutex_lock(&submissions->lock);
    if (submissions->pending && !device->query_read_waits) {
      int64_t now_ns = vkm_now_ns();
      until_ns = until_ns == INT64_MIN ? now_ns + APPLICATION_NS : until_ns;
      left_over = left_over || now_ns > until_ns;
    }
  }
  left_over = left_over || submissions->pending;
  pthread_mutex_unlock(&submissions->lock);
  if (left_over) {
    vkm_collector_wake(device);
  }
}

/* ---- the collector ---- */

/* A recording that may run again is read by the application's own thread, after its wait or before
 * the next submission. If the collector were in the middle of a read just then, the sample would be
 * lost, so it comes in only when the application has left the result lying. Lock held. */
static bool left_lying(const struct vkm_execution *execution, int64_t now_ns) {
  int64_t patience_ns = is_covered(execution) ? LEFT_COVERED_NS : LEFT_UNCOVERED_NS;
  return execution->recording->one_time || now_ns - execution->submit_ns > patience_ns;
}

/* Whether the collector may look at an execution now. Lock held. */
static bool may_look(const struct vkm_device *device, const struct vkm_execution *execution,
                     enum vkm_look look, int64_t now_ns) {
  if (execution->reading || execution->state == VKM_EXECUTION_SUBMITTING) {
    return false;
  }
  if (atomic_load(&device->lost) || (is_covered(execution) && look != VKM_LOOK_ANY)) {
    return true;
  }
  if (execution->state == VKM_EXECUTION_CONCLUDED) {
    return is_covered(execution);
  }
  bool readable = is_covered(execution) || !execution->recording->reset_inside;
  return readable && look == VKM_LOOK_ANY && left_lying(execution, now_ns);
}

static struct vkm_execution *next_to_look_at(struct vkm_device *device, uint64_t pass,
                                             enum vkm_look look) {
  int64_t now_ns = vkm_now_ns();
  for (struct vkm_queue *queue = device->submissions.queues; queue; queue = queue->next) {
    int looked = 0;
    for (struct vkm_execution *at = queue->first; at && looked < LOOKS_A_PASS; at = at->next) {
      if (at->pass == pass) {
        looked++;
      } else if (may_look(device, at, look, now_ns)) {
        at->pass = pass;
        return at;
      }
    }
  }
  return NULL;
}

/* A covered execution without a result: is it time to give up? Takes the lock. */
static bool out_of_patience(struct vkm_device *device, struct vkm_execution *execution) {
  bool give_up = false;
  int64_t now_ns = vkm_now_ns();
  pthread_mutex_lock(&device->submissions.lock);
  if (atomic_load(&device->lost)) {
    give_up = true;
  } else if (is_covered(execution)) {
    execution->covered_ns =
        execution->covered_ns && vkm_may_read(device) ? execution->covered_ns : now_ns;
    give_up = now_ns - execution->covered_ns > GRACE_NS;
  }
  execution->reading = execution->reading || give_up;
  pthread_mutex_unlock(&device->submissions.lock);
  return give_up;
}

bool vkm_collect_pass(struct vkm_device *device, enum vkm_look look) {
  static atomic_uint_fast64_t passes;
  struct vkm_submissions *submissions = &device->submissions;
  uint64_t pass = atomic_fetch_add(&passes, 1) + 1;
  bool progress = false;
  pthread_mutex_lock(&submissions->lock);
  for (;;) {
    struct vkm_execution *execution = next_to_look_at(device, pass, look);
    if (!execution || (look != VKM_LOOK_FINAL && vkm_session_exiting())) {
      break;
    }
    if (execution->state == VKM_EXECUTION_CONCLUDED) {
      struct vkm_recording *released = vkm_execution_remove(device, execution);
      pthread_mutex_unlock(&submissions->lock);
      vkm_recording_release(released);
      pthread_mutex_lock(&submissions->lock);
      continue;
    }
    execution->reading = true;
    pthread_mutex_unlock(&submissions->lock);
    if (vkm_harvest(device, execution) == VKM_HARVEST_DONE) {
      progress = true;
    } else if (out_of_patience(device, execution)) {
      vkm_give_up(device, execution);
    }
    pthread_mutex_lock(&submissions->lock);
  }
  pthread_mutex_unlock(&submissions->lock);
  return progress;
}

void vkm_collect_all(struct vkm_device *device) {
  struct vkm_cover_mark mark;
  vkm_cover_mark(device, NULL, &mark);
  if (!atomic_load(&device->lost)) {
    vkm_cover_marked(device, &mark, NULL); /* vkDestroyDevice: everything has finished */
  }
  while (vkm_collect_pass(device, VKM_LOOK_FINAL)) {
  }
  struct vkm_submissions *submissions = &device->submissions;
  pthread_mutex_lock(&submissions->lock);
  struct vkm_execution *execution;
  uint64_t never = UINT64_MAX;
  while ((execution = next_to_look_at(device, never, VKM_LOOK_FINAL)) != NULL) {
    if (execution->state == VKM_EXECUTION_CONCLUDED) {
      struct vkm_recording *released = vkm_execution_remove(device, execution);
      pthread_mutex_unlock(&submissions->lock);
      vkm_recording_release(released);
    } else {
      execution->reading = true; /* no result came although the device is idle */
      pthread_mutex_unlock(&submissions->lock);
      vkm_give_up(device, execution);
    }
    pthread_mutex_lock(&submissions->lock);
  }
  pthread_mutex_unlock(&submissions->lock);
}

/* ---- the thread ---- */

void vkm_collector_init(struct vkm_collector *collector) {
  *collector = (struct vkm_collector){0};
  pthread_mutex_init(&collector->lock, NULL);
  vkm_os_condition(&collector->wake);
  vkm_os_condition(&collector->left);
}

static bool anything_pending(struct vkm_device *device) {
  pthread_mutex_lock(&device->submissions.lock);
  bool pending = device->submissions.pending != 0;
  pthread_mutex_unlock(&device->submissions.lock);
  return pending;
}

/* Lock of the collector held. After this the thread touches nothing of the device any more. */
static void leave(struct vkm_collector *collector) {
  collector->running = false;
  pthread_cond_broadcast(&collector->left);
}

enum rest { REST_LOOK, REST_STOP, REST_ENDED };

/* Sleeps for `poll_ns` while something is outstanding, else until woken. ENDED: nothing came for a
 * while, and the thread has left. */
static enum rest rest(struct vkm_device *device, int64_t poll_ns) {
  struct vkm_collector *collector = &device->collector;
  pthread_mutex_lock(&collector->lock);
  collector->woken = false; /* before looking: what comes afterwards sets it again */
  pthread_mutex_unlock(&collector->lock);
  bool pending = anything_pending(device);
  int64_t until_ns = vkm_now_ns() + (pending ? poll_ns : IDLE_NS);
  pthread_mutex_lock(&collector->lock);
  if (!collector->stop && pending) {
    vkm_os_wait(&collector->wake, &collector->lock, until_ns);
  }
  collector->asleep = true;
  while (!collector->stop && !pending && !collector->woken && vkm_now_ns() < until_ns) {
    vkm_os_wait(&collector->wake, &collector->lock, until_ns);
  }
  collector->asleep = false;
  enum rest rest = collector->stop ? REST_STOP : REST_LOOK;
  if (rest == REST_LOOK && !pending && !collector->woken) {
    leave(collector);
    rest = REST_ENDED;
  }
  pthread_mutex_unlock(&collector->lock);
  return rest;
}

static void *collect(void *argument) {
  struct vkm_device *device = argument;
  struct vkm_collector *collector = &device->collector;
  int64_t poll_ns = POLL_FIRST_NS;
  int64_t calibrated_ns = INT64_MIN;
  enum rest next;
  while ((next = rest(device, poll_ns)) == REST_LOOK) {
    int64_t now_ns = vkm_now_ns();
    if (calibrated_ns == INT64_MIN || now_ns - calibrated_ns > CALIBRATE_NS) {
      vkm_calibrate(device);
      calibrated_ns = now_ns;
    }
    poll_ns = vkm_collect_pass(device, VKM_LOOK_ANY) ? POLL_FIRST_NS : poll_ns * 2;
    poll_ns = poll_ns < POLL_LAST_NS ? poll_ns : POLL_LAST_NS;
  }
  if (next == REST_STOP) {
    vkm_collect_pass(device, VKM_LOOK_COVERED);
    pthread_mutex_lock(&collector->lock);
    leave(collector);
    pthread_mutex_unlock(&collector->lock);
  }
  return NULL;
}

/* Lock of the collector held. */
static void start(struct vkm_device *device) {
  struct vkm_collector *collector = &device->collector;
  if (collector->joinable) { /* one that has left needs no lock any more and is gone at once */
    pthread_join(collector->thread, NULL);
  }
  collector->joinable = vkm_os_thread(&collector->thread, "vkmeter-collect", collect, device);
  collector->running = collector->joinable;
  if (!collector->joinable) {
    collector->refused_ns = vkm_now_ns();
  }
}

/* Lock of the collector held. */
static bool may_start(const struct vkm_collector *collector) {
  return !collector->stop &&
         (!collector->refused_ns || vkm_now_ns() - collector->refused_ns > REFUSED_NS);
}

void vkm_collector_wake(struct vkm_device *device) {
  struct vkm_collector *collector = &device->collector;
  if (atomic_load_explicit(&collector->woken, memory_order_relaxed)) {
    return; /* it takes the submissions' lock, as the caller did, before it looks */
  }
  pthread_mutex_lock(&collector->lock);
  if (!collector->running && may_start(collector)) {
    start(device);
  } else if (collector->asleep) {
    pthread_cond_signal(&collector->wake);
  }
  collector->woken = collector->running;
  pthread_mutex_unlock(&collector->lock);
}

void vkm_collector_ask_stop(struct vkm_device *device) {
  struct vkm_collector *collector = &device->collector;
  pthread_mutex_lock(&collector->lock);
  collector->stop = true;
  pthread_cond_signal(&collector->wake);
  pthread_mutex_unlock(&collector->lock);
}

void vkm_collector_wait_stopped(struct vkm_device *device, int64_t deadline_ns) {
  struct vkm_collector *collector = &device->collector;
  pthread_mutex_lock(&collector->lock);
  while (collector->running && vkm_now_ns() < deadline_ns) {
    if (deadline_ns == INT64_MAX) {
      pthread_cond_wait(&collector->left, &collector->lock);
    } else {
      vkm_os_wait(&collector->left, &collector->lock, deadline_ns);
    }
  }
  pthread_mutex_unlock(&collector->lock);
}

void vkm_collector_finish(struct vkm_device *device) {
  struct vkm_collector *collector = &device->collector;
  if (collector->joinable) {
    pthread_join(collector->thread, NULL);
  }
  pthread_cond_destroy(&collector->wake);
  pthread_cond_destroy(&collector->left);
  pthread_mutex_destroy(&collector->lock);
}
