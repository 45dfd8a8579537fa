/* What happens while a program runs, as the timeline takes it: one small record for each call of a
 * thread, each timed command of a device, each change of a counter. In: layer/trace.c, from hooks
 * and counted executions. Next room: timeline/trace_write (packets). Times are CLOCK_MONOTONIC in
 * ns. */
#ifndef VKM_TIMELINE_EVENT_H
#define VKM_TIMELINE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/activity.h"

enum vkm_call {
#define VKM_CALL(name, activity) VKM_CALL_##name,
#include "timeline/calls.def"
#undef VKM_CALL
  VKM_CALL_COUNT
};

/* "vkQueueSubmit". */
const char *vkm_call_name(enum vkm_call call);
/* VKM_ACTIVITY_COUNT: none. */
enum vkm_activity vkm_call_activity(enum vkm_call call);

enum vkm_event_type {
  VKM_EVENT_THREAD = 0, /* a thread of the program is seen for the first time, or renamed */
  VKM_EVENT_CALL,     /* a call of the program has returned; `ranges` RANGE events follow at once */
  VKM_EVENT_RANGE,    /* device work of the CALL before: submitted by it, or seen finished by it */
  VKM_EVENT_GPU,      /* one timed command, or a command buffer as a whole (control) */
  VKM_EVENT_EXECUTED, /* an execution of a command buffer is counted: behind its GPU events */
  VKM_EVENT_MEMORY,   /* bytes allocated in a heap changed */
  VKM_EVENT_IN_FLIGHT, /* how many submissions of a queue are not known to have finished changed */
  VKM_EVENT_CLOCK,     /* a queue's clock was laid beside CLOCK_MONOTONIC */
  VKM_EVENT_TYPES
};

enum { VKM_EVENT_WHOLE = 255 }; /* kind of a GPU event that is a whole command buffer */
#define VKM_EVENT_NONE UINT32_MAX

struct vkm_event {
  uint8_t type;    /* enum vkm_event_type */
  uint8_t what;    /* CALL: enum vkm_call; GPU: enum vkm_kind or VKM_EVENT_WHOLE; MEMORY: the heap;
                      EXECUTED: enum vkm_rejected, VKM_REJECTED_COUNT: not rejected */
  uint16_t device; /* number in the profile's order; UINT16_MAX: none */
  uint32_t thread; /* CALL, THREAD: as gettid() */
  int64_t begin_ns, end_ns; /* EXECUTED: submitted, seen; others but CALL and GPU: begin only */
  uint32_t queue;           /* index in the device's queues; VKM_EVENT_NONE */
  uint32_t submission;      /* number of the submit call in the process, from 1; 0: none */
  union {
    struct {
      char name[16]; /* NUL-terminated */
    } named;         /* THREAD */
    struct {
      int32_t result;      /* VkResult; 0 where there is none */
      uint32_t ranges;     /* RANGE events behind it */
      uint32_t made;       /* pipelines or shaders created */
      uint32_t cache_hits; /* of them, by creation feedback; VKM_EVENT_NONE: not told */
      uint64_t bytes;      /* allocated, mapped; UINT64_MAX: not known */
    } call;
    struct { /* GPU events with ids [first, first + count): some never come (missed, rejected) */
      uint64_t first;
      uint32_t count;
    } range;
    struct {
      uint64_t id;        /* unique in the process, from 1 */
      uint64_t bytes;     /* moved; UINT64_MAX: not known, or it moves none */
      uint32_t execution; /* number of the execution in the process; its events come in order */
      uint32_t pipeline;  /* the device's number of it; VKM_EVENT_NONE */
      uint32_t phase;     /* path of labels; 0 none */
      uint32_t groups[3]; /* of dispatches; of what moves bytes: see measure/moves.h */
    } gpu;
    struct {
      uint32_t execution, events; /* how many GPU events it gave */
    } executed;
    struct {
      uint64_t value;
    } counter;
    struct {
      int64_t line_ns;      /* the queue's own clock, ns since its first stamp, at begin_ns */
      int64_t deviation_ns; /* how exact */
    } clock;
  };
};

#endif
