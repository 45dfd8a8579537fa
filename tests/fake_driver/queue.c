// Queues at work: which batch may start, when it completes, and who waits for that.
//
// In: batches from submit.c, credits and delays of the script. Out: signalled fences and
// semaphores, visible query values. Next room: queries.c, sync.c for what the host then sees.
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

pthread_cond_t fake_changed;
static uint32_t credits; // manual mode: submit calls that may still complete

// Host waits have deadlines on the clock that nobody sets.
__attribute__((constructor)) static void prepare(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&fake_changed, &attributes);
  pthread_condattr_destroy(&attributes);
}

bool fake_queue_enter(struct fake_queue *queue, const char *name) {
  // VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR, newer than the headers.
  const VkDeviceQueueCreateFlags synchronized = 4;
  bool free_before = atomic_fetch_add(&queue->in_use, 1) == 0;
  if (!free_before && (queue->flags & synchronized) == 0) {
    fake_violate("%s: the queue is used by two threads at once", name);
  }
  uint64_t microseconds = fake_settings()->queue_call_us;
  if (microseconds > 0) {
    nanosleep(&(struct timespec){0, (long)microseconds * 1000}, NULL);
  }
  return free_before;
}

void fake_queue_leave(struct fake_queue *queue) {
  atomic_fetch_sub(&queue->in_use, 1);
}

void fake_node_free(struct fake_node *node) {
  free(node->buffers);
  free(node->waits);
  free(node->signals);
  free(node->effects);
  free(node);
}

void fake_nodes_drop(struct fake_device *device) {
  for (uint32_t i = 0; i < device->queue_count; i++) {
    while (device->queues[i].head != NULL) {
      struct fake_node *node = device->queues[i].head;
      device->queues[i].head = node->next;
      fake_node_free(node);
    }
  }
}

void fake_node_enqueue_locked(struct fake_node *node) {
  struct fake_queue *queue = node->queue;
  const struct fake_config *config = fake_settings();
  node->next = NULL;
  node->due_ns = config->completion == FAKE_COMPLETION_DELAYED
                     ? fake_real_ns() + (int64_t)config->delay_ms * 1000000
                     : 0;
  if (queue->head == NULL) {
    queue->head = node;
  } else {
    queue->tail->next = node;
  }
  queue->tail = node;
}

static bool has_event(const struct fake_event **set, uint32_t count,
                      const struct fake_event *event) {
  for (uint32_t i = 0; i < count; i++) {
    if (set[i] == event) {
      return true;
    }
  }
  return false;
}

// A wait for an event that nothing before it in the batch sets holds the whole batch back.
static bool events_met(const struct fake_node *node) {
  const struct fake_event *set[64];
  uint32_t set_count = 0;
  for (uint32_t i = 0; i < node->buffer_count; i++) {
    for (uint32_t j = 0; j < node->buffers[i]->count; j++) {
      const struct fake_command *command = &node->buffers[i]->commands[j];
      if (command->kind == KIND_SET_EVENT && set_count < 64) {
        set[set_count++] = (const struct fake_event *)(uintptr_t)command->object;
      }
      const VkEvent *events = command->data;
      for (uint32_t k = 0; command->kind == KIND_WAIT_EVENTS && k < command->count; k++) {
        const struct fake_event *event = FAKE_OBJECT(fake_event, events[k]);
        if (!event->set && !has_event(set, set_count, event)) {
          return false;
        }
      }
    }
  }
  return true;
}

static bool may_start(const struct fake_node *node) {
  if (fake_settings()->completion == FAKE_COMPLETION_MANUAL && node->first && credits == 0) {
    return false;
  }
  for (uint32_t i = 0; i < node->wait_count; i++) {
    if (!fake_semaphore_reached(node->waits[i].semaphore, node->waits[i].value)) {
      return false;
    }
  }
  return events_met(node);
}

static void start(struct fake_node *node) {
  const struct fake_config *config = fake_settings();
  if (config->completion == FAKE_COMPLETION_MANUAL && node->first) {
    credits--;
  }
  fake_run_locked(node);
  for (uint32_t i = 0; i < node->wait_count; i++) {
    if (!node->waits[i].semaphore->timeline) {
      node->waits[i].semaphore->value = 0;
    }
  }
  if (config->completion == FAKE_COMPLETION_REAL) {
    node->due_ns = fake_clock_origin_locked() + (int64_t)node->end_ns;
  }
  node->started = true;
}

static void retire(struct fake_queue *queue, struct fake_node *node) {
  queue->head = node->next;
  fake_effects_publish_locked(node);
  for (uint32_t i = 0; i < node->signal_count; i++) {
    fake_semaphore_signal_locked(node->signals[i].semaphore, node->signals[i].value,
                                 node->signals[i].time_ns);
    node->signals[i].semaphore->pending--;
  }
  for (uint32_t i = 0; i < node->wait_count; i++) {
    node->waits[i].semaphore->pending--;
  }
  for (uint32_t i = 0; i < node->buffer_count; i++) {
    node->buffers[i]->pending--;
    fake_count_uses_locked(node->buffers[i], -1);
  }
  if (node->fence != NULL) {
    node->fence->signaled = true;
    node->fence->time_ns = node->end_ns;
    node->fence->pending--;
  }
  fake_node_free(node);
  pthread_cond_broadcast(&fake_changed);
}

static bool advance(struct fake_queue *queue) {
  bool moved = false;
  while (queue->head != NULL) {
    struct fake_node *node = queue->head;
    if (!node->started && !may_start(node)) {
      break;
    }
    if (!node->started) {
      start(node);
    }
    if (node->due_ns > fake_real_ns()) {
      break;
    }
    retire(queue, node);
    moved = true;
  }
  return moved;
}

void fake_pump_locked(void) {
  bool moved = true;
  while (moved) {
    moved = false;
    for (struct fake_device *device = fake_devices; device != NULL; device = device->next) {
      for (uint32_t i = 0; i < device->queue_count; i++) {
        moved = advance(&device->queues[i]) || moved;
      }
    }
  }
}

void fake_lose_locked(struct fake_device *device) {
  device->lost = true;
  for (uint32_t i = 0; i < device->queue_count; i++) {
    while (device->queues[i].head != NULL) {
      struct fake_node *node = device->queues[i].head;
      if (!node->started) {
        fake_run_locked(node);
      }
      for (uint32_t j = 0; j < node->effect_count; j++) {
        node->effects[j].value = 0xdeaddeaddeaddeadULL;
      }
      retire(&device->queues[i], node);
    }
  }
  pthread_cond_broadcast(&fake_changed);
}

void fake_lose_device(void) {
  pthread_mutex_lock(&fake_mutex);
  for (struct fake_device *device = fake_devices; device != NULL; device = device->next) {
    fake_lose_locked(device);
  }
  pthread_mutex_unlock(&fake_mutex);
}

static uint32_t pending_locked(void) {
  uint32_t count = 0;
  for (struct fake_device *device = fake_devices; device != NULL; device = device->next) {
    for (uint32_t i = 0; i < device->queue_count; i++) {
      for (struct fake_node *node = device->queues[i].head; node != NULL; node = node->next) {
        count += node->last ? 1 : 0;
      }
    }
  }
  return count;
}

uint32_t fake_pending(void) {
  pthread_mutex_lock(&fake_mutex);
  uint32_t count = pending_locked();
  pthread_mutex_unlock(&fake_mutex);
  return count;
}

uint32_t fake_complete(uint32_t n) {
  pthread_mutex_lock(&fake_mutex);
  credits += n;
  fake_pump_locked();
  uint32_t count = pending_locked();
  pthread_mutex_unlock(&fake_mutex);
  return count;
}

uint32_t fake_complete_all(void) {
  pthread_mutex_lock(&fake_mutex);
  credits += pending_locked();
  fake_pump_locked();
  uint32_t count = pending_locked();
  credits = count; // for those whose waits are not met yet
  pthread_mutex_unlock(&fake_mutex);
  return count;
}

void fake_credits_reset(void) {
  pthread_mutex_lock(&fake_mutex);
  credits = 0;
  pthread_mutex_unlock(&fake_mutex);
}

bool fake_device_idle_locked(const struct fake_device *device) {
  for (uint32_t i = 0; i < device->queue_count; i++) {
    if (device->queues[i].head != NULL) {
      return false;
    }
  }
  return true;
}

static void wait_until(int64_t deadline_ns) {
  struct timespec deadline = {deadline_ns / 1000000000, deadline_ns % 1000000000};
  pthread_cond_timedwait(&fake_changed, &fake_mutex, &deadline);
}

VkResult fake_block_locked(struct fake_device *device, bool (*done)(void *), void *argument,
                           uint64_t timeout_ns, const char *name) {
  int64_t begin = fake_real_ns();
  int64_t limit = begin + (int64_t)(fake_settings()->block_limit_ms * 1000000);
  int64_t deadline = timeout_ns < 1000000000000000ULL ? begin + (int64_t)timeout_ns : INT64_MAX;
  fake_pump_locked();
  while (!device->lost && !done(argument)) {
    int64_t now = fake_real_ns();
    if (now >= deadline) {
      return VK_TIMEOUT;
    }
    if (now >= limit) {
      fake_violate("%s blocked for %llu ms", name,
                   (unsigned long long)fake_settings()->block_limit_ms);
      return VK_TIMEOUT;
    }
    wait_until(deadline < limit ? deadline : limit);
    fake_pump_locked();
  }
  return device->lost ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

static bool queue_done(void *argument) {
  return ((const struct fake_queue *)argument)->head == NULL;
}

static bool device_done(void *argument) {
  return fake_device_idle_locked(argument);
}

VkResult fake_vkQueueWaitIdle(VkQueue handle) {
  FAKE_ENTER();
  struct fake_queue *queue = (struct fake_queue *)handle;
  fake_queue_enter(queue, "vkQueueWaitIdle");
  pthread_mutex_lock(&fake_mutex);
  VkResult result =
      fake_block_locked(queue->device, queue_done, queue, UINT64_MAX, "vkQueueWaitIdle");
  if (result == VK_SUCCESS) {
    fake_clock_reach_locked(fake_all_done(queue));
  }
  pthread_mutex_unlock(&fake_mutex);
  fake_queue_leave(queue);
  return result;
}

VkResult fake_vkDeviceWaitIdle(VkDevice handle) {
  FAKE_ENTER();
  struct fake_device *device = (struct fake_device *)handle;
  for (uint32_t i = 0; i < device->queue_count; i++) {
    fake_queue_enter(&device->queues[i], "vkDeviceWaitIdle");
  }
  pthread_mutex_lock(&fake_mutex);
  VkResult result = fake_block_locked(device, device_done, device, UINT64_MAX, "vkDeviceWaitIdle");
  for (uint32_t i = 0; result == VK_SUCCESS && i < device->queue_count; i++) {
    fake_clock_reach_locked(fake_all_done(&device->queues[i]));
  }
  pthread_mutex_unlock(&fake_mutex);
  for (uint32_t i = 0; i < device->queue_count; i++) {
    fake_queue_leave(&device->queues[i]);
  }
  return result;
}

/* There is no surface: presents of one or more swapchains of any handle succeed, those of none are
 * out of date. */
VkResult fake_vkQueuePresentKHR(VkQueue handle, const VkPresentInfoKHR *info) {
  FAKE_ENTER();
  struct fake_queue *queue = (struct fake_queue *)handle;
  fake_queue_enter(queue, "vkQueuePresentKHR");
  VkResult result = info->swapchainCount > 0 ? VK_SUCCESS : VK_ERROR_OUT_OF_DATE_KHR;
  fake_queue_leave(queue);
  return result;
}
