/* Ticks become samples here, never waiting. In: pending executions of timing/submit. Out: the
 * device record.
 *
 * Three triggers (timing contract, section 3): the collector thread, an application wait that
 * returned, and a recording that is about to be submitted again.
 *
 * Some drivers idle the device inside vkGetQueryPoolResults even without VK_QUERY_RESULT_WAIT_BIT
 * (lavapipe always: lvp_GetQueryPoolResults begins with a device wait). There (`query_read_waits`)
 * application threads read only when application waits cover every submission of the device;
 * everything else is the collector's. */
#ifndef VKM_LAYER_TIMING_COLLECT_H
#define VKM_LAYER_TIMING_COLLECT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "timing/submit.h"

struct vkm_collector {
  pthread_t thread;
  pthread_mutex_t lock; /* of the fields below */
  pthread_cond_t wake, left;
  bool running;  /* the thread is in its loop */
  bool joinable; /* there is a thread, or one that has ended and was not joined */
  /* Something may be outstanding since the thread looked last; true only while there is a thread
   * that will look. Written under the lock. */
  atomic_bool woken;
  bool asleep, stop;
  int64_t refused_ns; /* when no thread could be started: only application waits read then */
};

void vkm_collector_init(struct vkm_collector *collector);
/* Something is outstanding: wakes the thread. Starts one where there is none: at the first timed
 * submission, and after a rest in which nothing was outstanding (the thread has ended then: a
 * program whose main thread left by pthread_exit ends with its last thread, which must not be ours
 * for ever). Where no thread can be started another try is made a second later at the earliest.
 * Never waits. */
void vkm_collector_wake(struct vkm_device *device);
/* Asks the thread to finish what waits already cover and to stop. */
void vkm_collector_ask_stop(struct vkm_device *device);
/* Waits until the thread has left its loop, at most to `deadline_ns` of CLOCK_MONOTONIC (INT64_MAX:
 * for ever). */
void vkm_collector_wait_stopped(struct vkm_device *device, int64_t deadline_ns);
/* Joins the stopped thread. */
void vkm_collector_finish(struct vkm_device *device);

/* After an application wait that covered something new. Reads at most 4,096 queries or for
 * 0.4 ms, the rest is the collector's. */
void vkm_collect_covered(struct vkm_device *device);
/* Everything that can be read, at vkDestroyDevice (the application guarantees that the device is
 * idle). */
void vkm_collect_all(struct vkm_device *device);

/* One look at what is outstanding. Returns whether anything was read. */
enum vkm_look {
  VKM_LOOK_ANY,     /* the collector */
  VKM_LOOK_COVERED, /* the collector's last look: only what application waits cover */
  VKM_LOOK_FINAL, /* vkDestroyDevice: the application's own call, so also while the process exits */
};
bool vkm_collect_pass(struct vkm_device *device, enum vkm_look look);

enum vkm_harvest { VKM_HARVEST_DONE, VKM_HARVEST_NOT_READY };
/* Reads one pending execution's result and counts it. The caller has set `reading` and holds no
 * lock. DONE: the execution is gone. NOT_READY: it is as before, `reading` cleared. */
enum vkm_harvest vkm_harvest(struct vkm_device *device, struct vkm_execution *execution);

/* The same without a result: the device is lost, or the queries never came although the execution
 * has finished. */
void vkm_give_up(struct vkm_device *device, struct vkm_execution *execution);

/* Adds `add` (1, or UINT64_MAX to take it back) to missed.not_finished for everything accepted but
 * not counted. The caller holds the submissions' and the record's lock, in this order. */
void vkm_count_pending(struct vkm_device *device, uint64_t add);

/* Counts an execution that has no result under its `missed`. Takes the record's lock; the caller
 * holds no lock. */
void vkm_conclude_missed(struct vkm_execution *execution);

#endif
