/* Calls of the program for the timeline. In: hooks, when the driver has answered. Out: events.
 * Any thread. */
#ifndef VKM_LAYER_TRACE_CALLS_H
#define VKM_LAYER_TRACE_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "activity.h"
#include "session.h"
#include "timing/flights.h"
#include "trace.h"

struct vkm_device;
struct vkm_queue;
struct vkm_ticket;

/* What there is to say of a call beside when it was. Zero is nothing. */
struct vkm_called {
  const struct vkm_device *device;
  VkResult result;
  uint32_t made; /* pipelines, shaders */
  uint32_t cache_hits;
  bool hits_known;
  uint64_t bytes; /* allocated, mapped; 0 or VK_WHOLE_SIZE: not known */
};

/* Calls that count as no activity: the clock is read only when the call is wanted. */
static inline struct vkm_inside vkm_trace_enter(enum vkm_call call) {
  return (struct vkm_inside){.call = call, .began_ns = vkm_trace_on() ? vkm_now_ns() : 0};
}
static inline void vkm_trace_leave(struct vkm_inside *inside) {
  inside->ended_ns = inside->began_ns ? vkm_now_ns() : 0;
}

void vkm_trace_note(const struct vkm_inside *inside, const struct vkm_called *called);
/* The call was left; see vkm_activity_leave and vkm_trace_leave. */
static inline void vkm_trace_called(const struct vkm_inside *inside, struct vkm_called called) {
  if (vkm_trace_on() && inside->began_ns) {
    vkm_trace_note(inside, &called);
  }
}
/* The most usual ones. */
static inline VkResult vkm_trace_result(const struct vkm_inside *inside,
                                        const struct vkm_device *device, VkResult result) {
  vkm_trace_called(inside, (struct vkm_called){.device = device, .result = result});
  return result;
}

/* A wait, or a look at a fence or counter, and what it newly showed to be finished. One that showed
 * nothing is noted when `always`. */
void vkm_trace_note_wait(const struct vkm_inside *inside, const struct vkm_called *called,
                         const struct vkm_landed *landed, bool always);
/* A submit call, with what it submitted. */
void vkm_trace_note_submit(enum vkm_call call, const struct vkm_ticket *ticket, VkResult result);

/* After fork, in the child. */
void vkm_trace_calls_forked(void);

#endif
