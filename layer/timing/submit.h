/* Executions: which recordings run where, in which order, and which of them an application wait
 * proves finished. In: intercept/queues. Out: pending executions for timing/collect. The
 * submissions themselves are not touched. */
#ifndef VKM_LAYER_TIMING_SUBMIT_H
#define VKM_LAYER_TIMING_SUBMIT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "device_record.h"
#include "handles.h"
#include "timing/flights.h"
#include "timing/record.h"

struct vkm_device;
struct vkm_queue;

enum vkm_execution_state {
  VKM_EXECUTION_SUBMITTING = 0, /* published, the driver has not answered yet */
  VKM_EXECUTION_PENDING,        /* accepted, result not read */
  VKM_EXECUTION_COUNTING,       /* its result is being counted */
  VKM_EXECUTION_CONCLUDED,      /* counted as missed; kept until a wait covers it: the GPU may still
                                   write its queries */
};

/* One execution of one recording. Guarded by the submissions' lock. */
struct vkm_execution {
  struct vkm_execution *next, *previous; /* in the queue's list, in submission order */
  struct vkm_execution *ticket_next;     /* executions of one submit call */
  struct vkm_recording *recording;       /* reference held */
  const struct vkm_recording *parent; /* the primary that runs this secondary; NULL for primaries */
  struct vkm_queue *queue;
  uint64_t sequence;  /* of the submit call on its queue, from 1 */
  int64_t submit_ns;  /* CLOCK_MONOTONIC just before the driver was called */
  int64_t covered_ns; /* when the collector first found it covered but unavailable, 0 not yet */
  uint32_t phase;     /* of the labels open on the queue */
  uint64_t pass;      /* the collector's last look */
  uint64_t ordinal;   /* 0 for the first execution of its recording */
  enum vkm_execution_state state;
  uint64_t first_id;   /* of its GPU events; this and the next two: timeline, 0 without one */
  uint32_t number;     /* in the process */
  uint32_t submission; /* its submit call in the process */
  uint32_t counted;    /* marks that are in rows already, UINT32_MAX: all of it; record's lock */
  uint8_t missed; /* enum vkm_missed known before the driver answered; VKM_MISSED_COUNT: none */
  bool left_out;  /* its submission was not chosen: what its stamps say is not counted */
  bool reading;   /* one thread reads its queries, and only that thread concludes it */
  bool spoiled; /* its queries were written again meanwhile: what was read is dropped under `missed`
                 */
};

struct vkm_queue {
  struct vkm_queue *next; /* of the device */
  VkQueue handle;
  struct vkm_device *device;
  uint32_t record_index; /* in the device record's queues, UINT32_MAX: none */
  uint64_t submitted;    /* sequence of the latest submit call */
  uint64_t accepted;     /* latest that the driver accepted */
  uint64_t covered;      /* every submission up to here is known to have finished */
  struct vkm_execution *first, *last;
  struct vkm_flights *flights; /* owned; NULL: no timeline, or no memory for it */
  struct vkm_labels labels;    /* open around submissions; guarded by the submissions' lock */
  struct vkm_ticket *open;     /* submit calls under way, by next_open */
};

/* A fence or a timeline semaphore: what its signal proves. */
struct vkm_fence {
  struct vkm_queue *queue; /* NULL: nothing of ours */
  uint64_t sequence;
};
enum { VKM_TIMELINE_POINTS = 32 };
struct vkm_timeline {
  struct vkm_timeline_point {
    uint64_t value;
    struct vkm_queue *queue;     /* NULL: free */
    uint64_t sequence;           /* proved finished when the value is reached */
    uint64_t submit;             /* the submit call that signals it */
  } points[VKM_TIMELINE_POINTS]; /* when full the oldest is forgotten: less is proved, nothing wrong
                                  */
  uint32_t next;
};

struct vkm_submissions {
  pthread_mutex_t lock; /* never held across a call to the driver */
  pthread_cond_t left;  /* a reader has left an execution; signalled while `awaiting` is not 0 */
  uint32_t awaiting;    /* threads that wait for it */
  struct vkm_queue *queues;
  size_t pending; /* executions in all lists */
  struct vkm_execution *spare;
  struct vkm_recording *spare_recordings;
  struct vkm_recording *forsaken; /* by next_forsaken; references held until the device ends */
  struct vkm_mark_chunk *spare_chunks;
  struct vkm_handle_map fences, timelines; /* values owned by intercept/waits.c */
};

/* One submit call under way. */
struct vkm_ticket {
  struct vkm_device *device;
  struct vkm_queue *queue;          /* NULL: without memory; nothing is profiled then */
  struct vkm_execution *executions; /* by ticket_next */
  struct vkm_execution **tail;
  struct vkm_recording
      *resets; /* by next_reset: their queries are reset before the driver's call */
  struct vkm_fence *fence;
  uint64_t sequence;
  struct vkm_ticket *next_open;
  int64_t open_ns;   /* INT64_MIN: our own time in this call is not measured, nor the next */
  int64_t before_ns; /* of our own, before the driver; set by the caller */
  int64_t submit_ns;
  int64_t returned_ns; /* directly behind the driver; set by the caller */
  uint64_t command_buffers, dispatches;
  uint64_t first_id; /* of its GPU events; this and the next two: timeline, 0 without one */
  uint32_t id_count, number;
  bool left_out;        /* not chosen */
  bool short_of_memory; /* some of it is not followed: the device is disabled */
};

void vkm_submissions_init(struct vkm_submissions *submissions);
void vkm_submissions_finish(struct vkm_device *device);

/* The queue behind a handle: registered by vkGetDeviceQueue(2), or made here for one that a layer
 * above got elsewhere (its family is then unknown: `record_index` UINT32_MAX). NULL without memory.
 * Any thread. */
struct vkm_queue *vkm_queue_of(struct vkm_device *device, VkQueue handle);
/* The same, and the submissions' lock is held if there is one. */
struct vkm_queue *vkm_queue_lock(struct vkm_device *device, VkQueue handle);
struct vkm_queue *vkm_queue_register(struct vkm_device *device, VkQueue handle, uint32_t family,
                                     uint32_t index);

/* Whether an application thread may read queries now: on drivers whose reads wait, only when
 * application waits cover every submission of the device. Lock held. */
bool vkm_may_read(const struct vkm_device *device);

/* The execution is not being read any more. Lock held. */
void vkm_execution_leave(struct vkm_device *device, struct vkm_execution *execution);

/* A recording with an outstanding result is about to run again. Returns why the new execution
 * cannot be timed, VKM_MISSED_COUNT when it can. Lock held on entry and exit, given up while
 * reading and counting. */
enum vkm_missed vkm_previous_resolve(struct vkm_device *device, struct vkm_recording *recording,
                                     const struct vkm_recording *parent);

/* In this order around one vkQueueSubmit*: open, add every command buffer, signal every semaphore,
 * fence; call; the driver; close. Nothing here waits. From `open` to `call` the submissions' lock
 * is held (where the ticket has a queue), taken once for all of them; `add` gives it up while it
 * reads queries of recordings that run again, whose reset is left to `call`. */
void vkm_submit_open(struct vkm_ticket *ticket, struct vkm_device *device, VkQueue queue);
void vkm_submit_add(struct vkm_ticket *ticket, VkCommandBuffer handle);
/* A recording that will run without being followed, for lack of memory: its queries are reset as
 * ever, but nobody knows when it ends, so they are neither read nor given to another recording
 * until the device is gone. */
void vkm_submit_forsake(struct vkm_device *device, struct vkm_recording *recording);
/* A timeline semaphore that this call will signal, after all stages of all earlier work of the
 * queue. */
void vkm_submit_signal(struct vkm_ticket *ticket, VkSemaphore semaphore, uint64_t value);
void vkm_submit_fence(struct vkm_ticket *ticket, VkFence fence);
/* Directly before the driver: takes the clock. */
void vkm_submit_call(struct vkm_ticket *ticket);
/* result: the driver's answer. Failure withdraws everything that was published. */
void vkm_submit_close(struct vkm_ticket *ticket, struct vkm_device *device, VkResult result);

/* The submit failed: its fence and signals prove nothing. */
void vkm_cover_withdraw(struct vkm_ticket *ticket);

/* What the application's waits prove. Each takes the lock and returns whether anything new is
 * covered; `landed`, which may be NULL, is added to for the timeline. */
bool vkm_cover_fence(struct vkm_device *device, VkFence fence, struct vkm_landed *landed);
/* The fence was reset: it proves nothing until it is submitted again. */
void vkm_cover_forget(struct vkm_device *device, VkFence fence);
bool vkm_cover_semaphore(struct vkm_device *device, VkSemaphore semaphore, uint64_t value,
                         struct vkm_landed *landed);
/* Queue or device idle: `before` was taken by vkm_cover_mark before calling the driver. */
struct vkm_cover_mark {
  uint32_t count;
  struct {
    struct vkm_queue *queue;
    uint64_t sequence;
  } queues[VKM_QUEUE_CAP];
};
/* queue NULL: all queues of the device. */
void vkm_cover_mark(struct vkm_device *device, VkQueue queue, struct vkm_cover_mark *mark);
bool vkm_cover_marked(struct vkm_device *device, const struct vkm_cover_mark *mark,
                      struct vkm_landed *landed);

/* Takes a concluded or withdrawn execution out of its list and lets its recording go. Lock held by
 * the caller; the recording to release after unlocking is returned. */
struct vkm_recording *vkm_execution_remove(struct vkm_device *device,
                                           struct vkm_execution *execution);

#endif
