/* What recording costs us, a command: the profile's `record_ns_per_mark`. In: record.c, at points
 * that it passes anyway. Out: vkm_recording_cost in the device's record.
 *
 * One command in some hundred is timed, at distances that no program's rounds agree with, and begin
 * and end of one recording in VKM_OWN_EVERY. The others pay nothing: the command to be timed is one
 * at which the recording stops as if for a new chunk, and then goes the way of the special modes.
 * The two commands before it go there, too, without being counted, so that the processor knows a
 * way that is taken so rarely. The looks at the clock are taken out of it again. A command buffer
 * is externally synchronized. */
#ifndef VKM_LAYER_TIMING_COST_H
#define VKM_LAYER_TIMING_COST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "own_time.h"

struct vkm_cmdbuf;

/* Of a device. Any thread. */
struct vkm_recording_cost {
  struct vkm_own_time frames; /* begin and end of a recording */
  atomic_uint_fast64_t samples, samples_ns, turns;
  _Atomic uint32_t until; /* commands of a recording that begins now, before the one to be timed */
};

/* Of a command buffer. */
struct vkm_cost_probe {
  uint32_t at;   /* the command to be timed: so many stand before it in the recording */
  uint32_t mark; /* the one that was armed for: the recording's mark_count then */
  bool armed, running, counts;
  uint8_t untimed;  /* the command buffer's while another stands there to catch the command */
  int64_t begin_ns; /* armed: when; running: what it took before the driver */
  int64_t frame_ns; /* of vkBeginCommandBuffer; INT64_MIN: this recording is not timed */
};

void vkm_cost_init(struct vkm_recording_cost *cost);

/* A recording begins: the first, and the last thing that is done. */
void vkm_cost_open(struct vkm_cmdbuf *cmdbuf);
void vkm_cost_opened(struct vkm_cmdbuf *cmdbuf);
/* It ends: the same; `begin_ns` is what the first gave. */
int64_t vkm_cost_close(const struct vkm_cmdbuf *cmdbuf);
void vkm_cost_closed(struct vkm_cmdbuf *cmdbuf, int64_t begin_ns);

/* The command `at` comes: from now on it is timed, and the special modes' way is taken. */
bool vkm_cost_arm(struct vkm_cmdbuf *cmdbuf);
/* A command came there, maybe another one. Returns whether it is the one. */
bool vkm_cost_caught(struct vkm_cmdbuf *cmdbuf);
/* Directly before the driver. `stamped`: it will be gone on behind it. */
void vkm_cost_pause(struct vkm_cmdbuf *cmdbuf, bool stamped);
/* All is done; `behind_ns`: when the driver had returned. */
void vkm_cost_finish(struct vkm_cmdbuf *cmdbuf, int64_t behind_ns);

/* Nanoseconds a command of so many, begin and end of the recordings with it; negative: unknown. */
double vkm_cost_each_ns(const struct vkm_recording_cost *cost, uint64_t commands);

#endif
