/* A recording is submitted again while its previous result is outstanding. In: timing/submit, under
 * the submissions' lock. Out: the result is read, or given up. Next room: timing/harvest. */
#include "device.h"
#include "os/os.h"
#include "session.h"
#include "timing/count.h"
#include "timing/submit.h"

/* How long a submission waits for a thread that reads the recording's previous result. */
#define READER_NS INT64_C(100000000)

void vkm_execution_leave(struct vkm_device *device, struct vkm_execution *execution) {
  execution->reading = false;
  if (device->submissions.awaiting) {
    pthread_cond_broadcast(&device->submissions.left);
  }
}

/* Two executions overlap (or may): neither is timed, nor any later one until waits cover them all.
 * Lock held. Returns the older one when it is to be counted now, by the caller, after unlocking. */
static struct vkm_recording *suspend(struct vkm_recording *recording, enum vkm_missed why) {
  struct vkm_execution *last = recording->last;
  recording->suspended = true;
  recording->suspended_why = (uint8_t)why;
  recording->last = NULL;
  if (!last) {
    return NULL;
  }
  last->missed = (uint8_t)(last->left_out ? VKM_MISSED_not_chosen : why);
  if (last->reading) {
    last->spoiled = true; /* its reader counts it; until then nothing else of it is read */
    recording->uncovered++;
    return NULL;
  }
  if (last->state != VKM_EXECUTION_PENDING) {
    return NULL; /* counted when the driver has accepted it */
  }
  last->state = VKM_EXECUTION_CONCLUDED;
  recording->uncovered++;
  return recording;
}

/* Another thread may be reading the previous result just now: the collector, or one that waited for
 * something else. That takes microseconds, unless it has lost the processor, and running again
 * would write queries that are not reset. Beyond the patience the samples are given up. Not where a
 * read can wait for the device. Lock held on entry and exit, given up meanwhile. */
static void let_reader_finish(struct vkm_device *device, const struct vkm_recording *recording) {
  const struct vkm_execution *last = recording->last;
  if (!last || !last->reading || device->query_read_waits) {
    return;
  }
  struct vkm_submissions *submissions = &device->submissions;
  int64_t until_ns = vkm_now_ns() + READER_NS;
  submissions->awaiting++;
  while (recording->last == last && last->reading && vkm_now_ns() < until_ns) {
    vkm_os_wait(&submissions->left, &submissions->lock, until_ns);
  }
  submissions->awaiting--;
}

/* Why a previous execution that is still outstanding keeps the next one from being timed. Lock
 * held. */
static enum vkm_missed conflict(const struct vkm_device *device,
                                const struct vkm_execution *previous,
                                const struct vkm_recording *parent) {
  bool accepted = previous->state != VKM_EXECUTION_SUBMITTING;
  if (parent && previous->parent == parent && !accepted) {
    return VKM_MISSED_secondary_repeated;
  }
  if (previous->recording->simultaneous) {
    return VKM_MISSED_pending_twice;
  }
  if (previous->reading) {
    return VKM_MISSED_read_in_progress;
  }
  return accepted && !vkm_may_read(device) ? VKM_MISSED_read_would_wait
                                           : VKM_MISSED_resubmitted_pending;
}

/* Reads the previous execution's result now, if that can be done without waiting. Lock held on
 * entry and exit, given up while reading. */
static bool read_previous(struct vkm_device *device, struct vkm_execution *previous) {
  if (previous->state != VKM_EXECUTION_PENDING || previous->reading || !vkm_may_read(device) ||
      vkm_session_exiting()) {
    return false;
  }
  previous->reading = true;
  pthread_mutex_unlock(&device->submissions.lock);
  enum vkm_harvest harvest = vkm_harvest(device, previous);
  pthread_mutex_lock(&device->submissions.lock);
  return harvest == VKM_HARVEST_DONE;
}

enum vkm_missed vkm_previous_resolve(struct vkm_device *device, struct vkm_recording *recording,
                                     const struct vkm_recording *parent) {
  let_reader_finish(device, recording);
  struct vkm_execution *previous = recording->last;
  if (!previous || read_previous(device, previous) || recording->last != previous) {
    return VKM_MISSED_COUNT; /* read, here or by somebody else */
  }
  enum vkm_missed why = conflict(device, previous, parent);
  bool counted = suspend(recording, why) != NULL;
  struct vkm_execution was = *previous;
  if (recording->reset_inside && why == VKM_MISSED_read_would_wait) {
    /* By the rules of Vulkan the previous one has finished, and this one resets its queries. */
    recording->suspended = false;
    why = VKM_MISSED_COUNT;
  }
  if (counted) {
    pthread_mutex_unlock(&device->submissions.lock);
    vkm_conclude_missed(&was);
    pthread_mutex_lock(&device->submissions.lock);
  }
  return why;
}
