/* The timeline's queue: events of all threads, and the one thread that writes them. In: hooks and
 * counted executions. Out: trace_file.c. Setting TRACE; without it every call below but the first
 * is a load and a branch.
 *
 * Memory is bounded: what finds no place is dropped whole and counted. Any thread; nothing waits
 * for the file but vkm_trace_drain and vkm_trace_close. */
#ifndef VKM_LAYER_TRACE_H
#define VKM_LAYER_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "profile/profile_trace.h"
#include "timeline/event.h"

struct vkm_session_facts;
struct vkm_settings;

extern atomic_bool vkm_trace_wanted; /* owned by trace.c */

/* Whether events are taken. Hooks look at it before they take the clock. */
static inline bool vkm_trace_on(void) {
  return __builtin_expect(atomic_load_explicit(&vkm_trace_wanted, memory_order_relaxed), 0);
}

/* At the session's start, and in a child after fork, where what the parent had is forgotten. All
 * are borrowed for as long as the process lives. `shared_run`: id that other processes of the run
 * have too, NULL: none. */
void vkm_trace_setup(const struct vkm_settings *settings, const struct vkm_session_facts *facts,
                     const char *run, const char *shared_run);
void vkm_trace_forked(void);
/* A device is there: from here on the file is written. A process without one leaves none. */
void vkm_trace_arm(void);

/* Adds events that belong together: all or none (false: dropped and counted). Under any lock: the
 * queue's own is below all others. */
bool vkm_trace_push(const struct vkm_event *events, uint32_t count);
/* The same of a call and what it submitted or saw. */
bool vkm_trace_push_call(const struct vkm_event *call, const struct vkm_event *ranges);
/* A call was shorter than TRACE_MIN_US; a command's place on the host's clock is not known. */
void vkm_trace_count_short(void);
void vkm_trace_count_unplaced(uint64_t count);

/* Numbers of the process, from 1: a submit call; an execution; the first of `count` GPU events. */
uint32_t vkm_trace_next_submission(void);
uint32_t vkm_trace_next_execution(void);
uint64_t vkm_trace_reserve_ids(uint32_t count);

/* Writes what is waiting, on this thread; no lock is held. */
void vkm_trace_drain(void);
/* At exit: the same until `deadline_ns` of CLOCK_MONOTONIC, then the last packets; what other
 * threads bring from here on is counted, and not written. */
void vkm_trace_close(int64_t deadline_ns);

/* False: there is no trace. Texts live as long as the process. */
bool vkm_trace_read(struct vkm_profile_trace *figures);

#endif
