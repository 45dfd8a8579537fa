/* What of a recording gets stamps: chosen at vkBeginCommandBuffer (timing contract, section 2). In:
 * settings, what earlier recordings of the family were. Out: the recording's mode and window.
 *
 * Control: once the family's recent recordings have all repeated plans that hold enough
 * instrumented executions, exactly one in each `control_every` is made in submit mode, at a
 * pseudo-random place. Windows: with a limit of stamps a recording that is too long for it times
 * one even part of its commands, another one each time. How long it will be is guessed from what
 * was recorded last into the same command buffer, or from the same pool. */
#ifndef VKM_LAYER_TIMING_MODE_H
#define VKM_LAYER_TIMING_MODE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "settings.h"

struct vkm_cmdbuf;
struct vkm_device;
struct vkm_mark;
struct vkm_recording;

enum {
  VKM_MODE_RECENT = 8,     /* recordings that have to be repetitions before the first control */
  VKM_MODE_STAMPS_MIN = 8, /* a lower limit of stamps counts as this */
};
#define VKM_WINDOW_ALL UINT32_MAX

/* Of one queue family of a device. */
struct vkm_mode_family {
  atomic_uint repeated;                  /* recent recordings in a row whose plan is well known */
  atomic_uint control_turn, window_turn; /* recordings that had the choice */
};

/* How long a recording was; zeros: unknown. */
struct vkm_extent {
  uint32_t marks;
  float stamps_per_mark; /* 1 where all end stamps serve as begins, else up to 2 */
};

/* The recording was just begun; its family, kind and `cmdbuf->untimed` are known. The latter
 * becomes VKM_UNTIMED_SPECIAL where the mode is not plain inline. */
void vkm_mode_begin(struct vkm_cmdbuf *cmdbuf, struct vkm_recording *recording);
/* The recording has ended: remembers its extent. */
void vkm_mode_end(struct vkm_cmdbuf *cmdbuf, const struct vkm_recording *recording);
/* Whether the mark added last is timed by itself. `shares`: an end stamp can serve as its begin. */
bool vkm_mode_admits(const struct vkm_recording *recording, bool shares);
/* It is not, although it could be: says why in the mark. */
void vkm_mode_leave_out(struct vkm_recording *recording, struct vkm_mark *mark);
/* A recording of the family was counted for the first time. Any thread. */
void vkm_mode_learn(struct vkm_device *device, uint32_t family, bool repeats_known_plan);

#endif
