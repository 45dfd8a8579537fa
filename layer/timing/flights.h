/* Submissions that are not known to have finished, for the timeline: how many, and what a wait
 * newly shows. In: submit calls, reads, waits. Out: events; ranges of GPU events. Only while
 * tracing; the caller holds the submissions' lock. */
#ifndef VKM_LAYER_TIMING_FLIGHTS_H
#define VKM_LAYER_TIMING_FLIGHTS_H

#include <stdbool.h>
#include <stdint.h>

struct vkm_execution;
struct vkm_queue;
struct vkm_ticket;

/* Submissions remembered a queue, and told of one wait: older ones, and more, are counted only. */
enum { VKM_FLIGHT_CAP = 512, VKM_LANDED_CAP = 256 };

struct vkm_flight {
  uint64_t sequence, first_id;
  uint32_t submission, id_count;
  uint32_t unread; /* executions whose results have not been read */
  bool landed;     /* all of them have */
};

/* One a queue; zero-initialized is none. */
struct vkm_flights {
  uint32_t in_flight;
  uint32_t first, count;       /* of the ring */
  uint32_t forgotten;          /* in flight, no longer in the ring, */
  uint64_t forgotten_sequence; /* up to here */
  struct vkm_flight ring[VKM_FLIGHT_CAP];
};

/* A submission that a wait showed to be finished. */
struct vkm_landing {
  uint64_t first_id;
  uint32_t id_count, submission, queue; /* VKM_EVENT_NONE: a queue that the record does not have */
};
struct vkm_landed {
  uint32_t count; /* to be set to 0 by the caller */
  struct vkm_landing items[VKM_LANDED_CAP];
};

/* Gives the call its number, and its executions numbers and ids; directly before the driver. */
void vkm_flight_number(struct vkm_ticket *ticket);
/* The driver has accepted it; before its executions are told that. */
void vkm_flight_departed(struct vkm_ticket *ticket);
/* A result of the execution was read. */
void vkm_flight_read(const struct vkm_execution *execution);
/* A wait covers the queue up to vkm_queue.covered. `landed` NULL: nobody asks. */
void vkm_flight_covered(struct vkm_queue *queue, struct vkm_landed *landed);

#endif
