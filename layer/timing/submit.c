/* Executions, see submit.h. Publishing happens before the driver is called, so that a wait in
 * another thread finds what it covers; a failed submit withdraws everything. What waits prove is in
 * cover.c, what becomes of a result that nobody has read yet in previous.c. */
#include "timing/submit.h"

#include "base/alloc.h"
#include "choice.h"
#include "device.h"
#include "intercept/commands.h"
#include "os/os.h"
#include "session.h"
#include "trace.h"

void vkm_submissions_init(struct vkm_submissions *submissions) {
  *submissions = (struct vkm_submissions){0};
  pthread_mutex_init(&submissions->lock, NULL);
  vkm_os_condition(&submissions->left);
  vkm_handles_init(&submissions->fences);
  vkm_handles_init(&submissions->timelines);
}

void vkm_submissions_finish(struct vkm_device *device) {
  struct vkm_submissions *submissions = &device->submissions;
  while (submissions->forsaken) {
    struct vkm_recording *recording = submissions->forsaken;
    submissions->forsaken = recording->next_forsaken;
    vkm_recording_release(recording);
  }
  while (submissions->queues) {
    struct vkm_queue *queue = submissions->queues;
    while (queue->first) { /* only where results never came: they were counted as they are */
      pthread_mutex_lock(&submissions->lock);
      struct vkm_recording *recording = vkm_execution_remove(device, queue->first);
      pthread_mutex_unlock(&submissions->lock);
      vkm_recording_release(recording);
    }
    submissions->queues = queue->next;
    vkm_free(queue->flights);
    vkm_free(queue);
  }
  while (submissions->spare) {
    struct vkm_execution *next = submissions->spare->next;
    vkm_free(submissions->spare);
    submissions->spare = next;
  }
  vkm_handles_finish(&submissions->fences);
  vkm_handles_finish(&submissions->timelines);
  pthread_cond_destroy(&submissions->left);
  pthread_mutex_destroy(&submissions->lock);
}

/* ---- one submit call ---- */

void vkm_submit_open(struct vkm_ticket *ticket, struct vkm_device *device, VkQueue handle) {
  *ticket = (struct vkm_ticket){.device = device, .open_ns = INT64_MIN};
  if (vkm_own_wanted(&device->record->submit)) {
    ticket->open_ns = vkm_now_ns();
  }
  ticket->left_out = !vkm_choice_submission();
  ticket->tail = &ticket->executions;
  ticket->queue = vkm_queue_lock(device, handle);
  if (!ticket->queue) {
    return;
  }
  ticket->sequence = ++ticket->queue->submitted;
  ticket->next_open = ticket->queue->open;
  ticket->queue->open = ticket;
}

bool vkm_may_read(const struct vkm_device *device) {
  if (!device->query_read_waits) {
    return true;
  }
  for (const struct vkm_queue *queue = device->submissions.queues; queue; queue = queue->next) {
    if (queue->covered < queue->accepted) {
      return false;
    }
  }
  return true;
}

/* Why this execution cannot be timed; VKM_MISSED_COUNT when it can. What has to be reset before it
 * runs goes to `resets`. Lock held on entry and exit. */
static enum vkm_missed prepare(struct vkm_device *device, struct vkm_recording *recording,
                               const struct vkm_recording *parent, struct vkm_recording **resets) {
  enum vkm_missed why = VKM_MISSED_COUNT;
  if (recording->stamp_count == 0) {
    return why;
  }
  if (recording->suspended && !recording->forsaken) {
    return recording->suspended_why;
  }
  if (recording->last) {
    why = vkm_previous_resolve(device, recording, parent);
  }
  if (why == VKM_MISSED_COUNT && recording->needs_reset && !recording->reset_inside) {
    recording->needs_reset = false;
    recording->next_reset = *resets;
    *resets = recording;
  }
  return recording->forsaken ? recording->suspended_why : why;
}

static void reset(struct vkm_device *device, const struct vkm_recording *resets) {
  for (; resets; resets = resets->next_reset) {
    vkm_slots_reset(device, resets->blocks);
  }
}

/* It runs without an execution that could be followed. Lock held on entry and exit, given up while
 * queries are read or reset. */
static void forsake(struct vkm_device *device, struct vkm_recording *recording) {
  struct vkm_recording *resets = NULL;
  (void)prepare(device, recording, NULL, &resets);
  if (resets) {
    pthread_mutex_unlock(&device->submissions.lock);
    reset(device, resets);
    pthread_mutex_lock(&device->submissions.lock);
  }
  recording->needs_reset = true; /* it runs now, and whenever it runs again */
  if (recording->forsaken) {
    return;
  }
  recording->forsaken = recording->suspended = true;
  recording->suspended_why = VKM_MISSED_memory_short;
  recording->uncovered++; /* no wait ever covers what nobody knows of */
  vkm_recording_retain(recording);
  recording->next_forsaken = device->submissions.forsaken;
  device->submissions.forsaken = recording;
}

static void forsake_all(struct vkm_device *device, struct vkm_recording *recording) {
  forsake(device, recording);
  for (uint32_t i = 0; i < recording->child_count; i++) {
    forsake_all(device, recording->children[i]); /* depth: nesting of command buffers */
  }
}

void vkm_submit_forsake(struct vkm_device *device, struct vkm_recording *recording) {
  pthread_mutex_lock(&device->submissions.lock);
  forsake_all(device, recording);
  pthread_mutex_unlock(&device->submissions.lock);
}

static struct vkm_execution *take_execution(struct vkm_submissions *submissions) {
  struct vkm_execution *execution = submissions->spare;
  if (execution) {
    submissions->spare = execution->next;
    return execution;
  }
  return vkm_alloc(sizeof *execution);
}

static void append(struct vkm_queue *queue, struct vkm_execution *execution) {
  execution->previous = queue->last;
  if (queue->last) {
    queue->last->next = execution;
  } else {
    queue->first = execution;
  }
  queue->last = execution;
}

/* Member by member: to clear all of it first takes longer than all the rest. */
static void begin(struct vkm_execution *execution, const struct vkm_ticket *ticket,
                  struct vkm_recording *recording, const struct vkm_recording *parent,
                  enum vkm_missed why) {
  execution->next = execution->previous = execution->ticket_next = NULL;
  execution->recording = recording;
  execution->parent = parent;
  execution->queue = ticket->queue;
  execution->sequence = ticket->sequence;
  execution->submit_ns = execution->covered_ns = 0;
  execution->phase = vkm_labels_of_queue(&ticket->queue->labels, ticket->device->record);
  execution->pass = 0;
  execution->ordinal = recording->execution_count++;
  execution->state = VKM_EXECUTION_SUBMITTING;
  execution->first_id = 0;
  execution->number = execution->submission = execution->counted = 0;
  execution->missed = (uint8_t)why;
  execution->left_out = ticket->left_out;
  execution->reading = execution->spoiled = false;
}

static bool publish_children(struct vkm_ticket *ticket, const struct vkm_recording *recording,
                             const struct vkm_recording *parent);

/* False when memory was short for any of it: what is not followed is forsaken. Lock held. */
static bool publish(struct vkm_ticket *ticket, struct vkm_recording *recording,
                    const struct vkm_recording *parent) {
  struct vkm_submissions *submissions = &ticket->device->submissions;
  ticket->dispatches += recording->dispatch_count;
  if (recording->mark_count || recording->lost_total) {
    enum vkm_missed why = prepare(ticket->device, recording, parent, &ticket->resets);
    if (ticket->left_out && (why != VKM_MISSED_COUNT || !recording->reset_inside)) {
      why = VKM_MISSED_not_chosen; /* else read, lest the next one be taken for this one */
    }
    struct vkm_execution *execution = take_execution(submissions);
    if (!execution) {
      forsake(ticket->device, recording);
      (void)publish_children(ticket, recording, parent);
      return false;
    }
    vkm_recording_retain(recording);
    begin(execution, ticket, recording, parent, why);
    append(ticket->queue, execution);
    *ticket->tail = execution;
    ticket->tail = &execution->ticket_next;
    submissions->pending++;
    if (why == VKM_MISSED_COUNT) {
      recording->last = execution;
    }
  }
  return publish_children(ticket, recording, parent);
}

static bool publish_children(struct vkm_ticket *ticket, const struct vkm_recording *recording,
                             const struct vkm_recording *parent) {
  bool published = true;
  for (uint32_t i = 0; i < recording->child_count; i++) {
    /* Nested ones, too, belong to the primary: it may reach them by more than one way. */
    published = publish(ticket, recording->children[i], parent ? parent : recording) && published;
  }
  return published;
}

void vkm_submit_add(struct vkm_ticket *ticket, VkCommandBuffer handle) {
  ticket->command_buffers++;
  const struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  if (!cmdbuf || !cmdbuf->recording) {
    return;
  }
  if (!ticket->queue) {
    vkm_submit_forsake(ticket->device, cmdbuf->recording);
    return;
  }
  ticket->short_of_memory |= !publish(ticket, cmdbuf->recording, NULL);
}

/* Several threads may submit to one queue at once
 * (VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR): what was opened before and is not
 * closed yet may reach the driver after us. Lock held. */
static void close_open(struct vkm_ticket *ticket) {
  struct vkm_ticket **at = &ticket->queue->open;
  while (*at != ticket) {
    at = &(*at)->next_open;
  }
  *at = ticket->next_open;
}

/* Readers take the gate first and the lock inside it. */
static void close_gate(struct vkm_ticket *ticket) {
  struct vkm_device *device = ticket->device;
  if (!device->query_read_waits) {
    return;
  }
  if (ticket->queue) {
    pthread_mutex_unlock(&device->submissions.lock);
  }
  pthread_mutex_lock(&device->read_gate); /* a read takes microseconds: it is idle */
  if (ticket->queue) {
    pthread_mutex_lock(&device->submissions.lock);
  }
}

void vkm_submit_call(struct vkm_ticket *ticket) {
  close_gate(ticket);
  if (!ticket->queue) {
    ticket->submit_ns = vkm_now_ns();
    return;
  }
  if (vkm_trace_on()) {
    vkm_flight_number(ticket);
  }
  pthread_mutex_unlock(&ticket->device->submissions.lock);
  if (ticket->short_of_memory) {
    vkm_device_disable(ticket->device, "out_of_memory");
  }
  reset(ticket->device, ticket->resets);
  ticket->submit_ns = vkm_now_ns();
  /* Without the lock: until the driver has accepted them nobody else looks at it. */
  for (struct vkm_execution *at = ticket->executions; at; at = at->ticket_next) {
    at->submit_ns = ticket->submit_ns;
  }
}

/* Lock held. */
static void note_accepted(struct vkm_ticket *ticket) {
  if (ticket->sequence > ticket->queue->accepted) {
    ticket->queue->accepted = ticket->sequence;
  }
}

/* From here on the device is not idle. */
static void open_gate(struct vkm_ticket *ticket, bool accepted) {
  struct vkm_device *device = ticket->device;
  if (!device->query_read_waits) {
    return;
  }
  if (accepted && ticket->queue) {
    pthread_mutex_lock(&device->submissions.lock);
    note_accepted(ticket);
    pthread_mutex_unlock(&device->submissions.lock);
  }
  pthread_mutex_unlock(&device->read_gate);
}

/* Lock held. Returns the executions that are now counted as missed, by ticket_next. */
static struct vkm_execution *accept(struct vkm_ticket *ticket) {
  struct vkm_execution *missed = NULL;
  struct vkm_execution *next;
  for (struct vkm_execution *at = ticket->executions; at; at = next) {
    next = at->ticket_next;
    at->recording->needs_reset = true;
    if (at->missed == VKM_MISSED_COUNT) {
      at->state = VKM_EXECUTION_PENDING;
      continue;
    }
    at->state = VKM_EXECUTION_CONCLUDED;
    at->recording->uncovered++;
    at->reading = true; /* until counted: a wait in another thread must not let it go before */
    at->ticket_next = missed;
    missed = at;
  }
  return missed;
}

static void withdraw(struct vkm_ticket *ticket) {
  struct vkm_device *device = ticket->device;
  pthread_mutex_lock(&device->submissions.lock);
  struct vkm_execution *at = ticket->executions;
  while (at) {
    struct vkm_execution *next = at->ticket_next;
    struct vkm_recording *recording = vkm_execution_remove(device, at);
    recording->execution_count--;
    if (recording->uncovered == 0) {
      recording->suspended = false;
    }
    pthread_mutex_unlock(&device->submissions.lock);
    vkm_recording_release(recording);
    pthread_mutex_lock(&device->submissions.lock);
    at = next;
  }
  pthread_mutex_unlock(&device->submissions.lock);
}

/* Lock held, and by who takes a picture of them, too. */
static void count_submit(const struct vkm_ticket *ticket) {
  struct vkm_device_record *record = ticket->device->record;
  uint32_t at = ticket->queue->record_index;
  int bucket = ticket->dispatches ? 64 - __builtin_clzll(ticket->dispatches) : 0;
  bucket = bucket < VKM_SUBMIT_BUCKETS ? bucket : VKM_SUBMIT_BUCKETS - 1;
  if (at != UINT32_MAX) {
    record->dispatches_per_submit[bucket]++;
    record->queues[at]->submissions++;
    record->queues[at]->command_buffers += ticket->command_buffers;
  }
  vkm_own_count(&record->submit);
}

void vkm_submit_close(struct vkm_ticket *ticket, struct vkm_device *device, VkResult result) {
  bool accepted = result == VK_SUCCESS;
  struct vkm_execution *missed = NULL;
  open_gate(ticket, accepted);
  if (!ticket->queue) {
    return;
  }
  bool timed = ticket->executions != NULL;
  pthread_mutex_lock(&device->submissions.lock);
  close_open(ticket);
  if (accepted) {
    note_accepted(ticket);
    if (ticket->number) {
      vkm_flight_departed(ticket);
    }
    missed = accept(ticket);
    count_submit(ticket);
  }
  pthread_mutex_unlock(&device->submissions.lock);
  if (!accepted) {
    withdraw(ticket);
    vkm_cover_withdraw(ticket);
    return;
  }
  while (missed) {
    struct vkm_execution *next = missed->ticket_next;
    vkm_conclude_missed(missed);
    pthread_mutex_lock(&device->submissions.lock);
    vkm_execution_leave(device, missed);
    pthread_mutex_unlock(&device->submissions.lock);
    missed = next;
  }
  if (timed) {
    vkm_collector_wake(device);
  }
  vkm_session_touch();
}

struct vkm_recording *vkm_execution_remove(struct vkm_device *device,
                                           struct vkm_execution *execution) {
  struct vkm_queue *queue = execution->queue;
  struct vkm_recording *recording = execution->recording;
  if (execution->previous) {
    execution->previous->next = execution->next;
  } else {
    queue->first = execution->next;
  }
  if (execution->next) {
    execution->next->previous = execution->previous;
  } else {
    queue->last = execution->previous;
  }
  if (recording->last == execution) {
    recording->last = NULL;
  }
  if (execution->state == VKM_EXECUTION_CONCLUDED && --recording->uncovered == 0) {
    recording->suspended = false;
  }
  device->submissions.pending--;
  execution->next = device->submissions.spare;
  device->submissions.spare = execution;
  return recording;
}
