// The driver's own thread: completes batches at their real time, one thread a device.
//
// In: due times of started batches. Out: a call to the pump at each. Ends in vkDestroyDevice.
#include "internal.h"

#include <time.h>

static int64_t next_due(const struct fake_device *device) {
  int64_t due = INT64_MAX;
  for (uint32_t i = 0; i < device->queue_count; i++) {
    const struct fake_node *node = device->queues[i].head;
    if (node != NULL && node->started && node->due_ns < due) {
      due = node->due_ns;
    }
  }
  return due;
}

static void *work(void *argument) {
  struct fake_device *device = argument;
  pthread_mutex_lock(&fake_mutex);
  while (!device->worker_stops) {
    int64_t due = next_due(device);
    if (due == INT64_MAX) {
      pthread_cond_wait(&fake_changed, &fake_mutex);
      continue;
    }
    struct timespec deadline = {due / 1000000000, due % 1000000000};
    if (due > fake_real_ns()) {
      pthread_cond_timedwait(&fake_changed, &fake_mutex, &deadline);
    }
    if (!device->worker_stops) {
      fake_pump_locked();
    }
  }
  pthread_mutex_unlock(&fake_mutex);
  return NULL;
}

void fake_worker_start_locked(struct fake_device *device) {
  enum fake_completion completion = fake_settings()->completion;
  if ((completion == FAKE_COMPLETION_DELAYED || completion == FAKE_COMPLETION_REAL) &&
      !device->worker_runs) {
    device->worker_runs = pthread_create(&device->worker, NULL, work, device) == 0;
  }
  if (device->worker_runs) {
    pthread_cond_broadcast(&fake_changed);
  }
}
