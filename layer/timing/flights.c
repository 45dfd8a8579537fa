/* Submissions in flight, see flights.h. */
#include "timing/flights.h"

#include "device.h"
#include "session.h"
#include "trace.h"

/* GPU events that one execution may give. */
static uint32_t events_of(const struct vkm_execution *execution) {
  bool timed = execution->missed == VKM_MISSED_COUNT && !execution->left_out;
  return timed ? execution->recording->event_count : 0;
}

void vkm_flight_number(struct vkm_ticket *ticket) {
  ticket->number = vkm_trace_next_submission();
  for (const struct vkm_execution *at = ticket->executions; at; at = at->ticket_next) {
    ticket->id_count += events_of(at);
  }
  uint64_t id = ticket->id_count ? vkm_trace_reserve_ids(ticket->id_count) : 0;
  ticket->first_id = id;
  for (struct vkm_execution *at = ticket->executions; at; at = at->ticket_next) {
    at->submission = ticket->number;
    at->number = vkm_trace_next_execution();
    at->first_id = id;
    id += events_of(at);
  }
}

/* The clock is read under the lock: the order of times is that of values. */
static void note(const struct vkm_queue *queue) {
  if (queue->record_index == UINT32_MAX) {
    return;
  }
  int64_t now_ns = vkm_now_ns();
  struct vkm_event event = {.type = VKM_EVENT_IN_FLIGHT,
                            .device = (uint16_t)queue->device->record->number,
                            .begin_ns = now_ns,
                            .end_ns = now_ns,
                            .queue = queue->record_index,
                            .counter = {queue->flights->in_flight}};
  vkm_trace_push(&event, 1);
}

static struct vkm_flight *at(struct vkm_flights *flights, uint32_t index) {
  return &flights->ring[(flights->first + index) % VKM_FLIGHT_CAP];
}

static void forget_first(struct vkm_flights *flights) {
  const struct vkm_flight *first = at(flights, 0);
  if (!first->landed) {
    flights->forgotten++;
    flights->forgotten_sequence = first->sequence;
  }
  flights->first = (flights->first + 1) % VKM_FLIGHT_CAP;
  flights->count--;
}

void vkm_flight_departed(struct vkm_ticket *ticket) {
  struct vkm_flights *flights = ticket->queue->flights;
  if (!flights || !ticket->number || ticket->sequence <= ticket->queue->covered) {
    return;
  }
  if (flights->count == VKM_FLIGHT_CAP) {
    forget_first(flights);
  }
  uint32_t unread = 0;
  for (const struct vkm_execution *each = ticket->executions; each; each = each->ticket_next) {
    bool read = each->missed == VKM_MISSED_COUNT && each->recording->stamp_count;
    unread += read ? 1 : 0;
  }
  *at(flights, flights->count++) = (struct vkm_flight){.sequence = ticket->sequence,
                                                       .first_id = ticket->first_id,
                                                       .submission = ticket->number,
                                                       .id_count = ticket->id_count,
                                                       .unread = unread};
  flights->in_flight++;
  note(ticket->queue);
}

void vkm_flight_read(const struct vkm_execution *execution) {
  struct vkm_flights *flights = execution->queue->flights;
  for (uint32_t i = 0; flights && i < flights->count; i++) {
    struct vkm_flight *flight = at(flights, i);
    if (flight->sequence == execution->sequence) {
      flight->unread -= flight->unread ? 1 : 0;
      if (flight->unread == 0 && !flight->landed) {
        flight->landed = true;
        flights->in_flight--;
        note(execution->queue);
      }
      return;
    }
  }
}

static void tell(const struct vkm_queue *queue, const struct vkm_flight *flight,
                 struct vkm_landed *landed) {
  if (landed->count < VKM_LANDED_CAP) {
    landed->items[landed->count++] = (struct vkm_landing){flight->first_id, flight->id_count,
                                                          flight->submission, queue->record_index};
  }
}

void vkm_flight_covered(struct vkm_queue *queue, struct vkm_landed *landed) {
  struct vkm_flights *flights = queue->flights;
  if (!flights) {
    return;
  }
  uint32_t before = flights->in_flight;
  while (flights->count && at(flights, 0)->sequence <= queue->covered) {
    const struct vkm_flight *flight = at(flights, 0);
    flights->in_flight -= flight->landed ? 0 : 1;
    if (landed) {
      tell(queue, flight, landed);
    }
    flights->first = (flights->first + 1) % VKM_FLIGHT_CAP;
    flights->count--;
  }
  if (flights->forgotten && flights->forgotten_sequence <= queue->covered) {
    flights->in_flight -= flights->forgotten;
    flights->forgotten = 0;
  }
  if (flights->in_flight != before) {
    note(queue);
  }
}
