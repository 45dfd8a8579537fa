/* Timed commands and recordings, see cost.h. */
#include "timing/cost.h"

#include "device.h"
#include "session.h"

enum {
  REHEARSALS = 2,
  DISTANCE_FIRST = 128, /* the first commands are like no others */
  DISTANCE_LEAST = 256, /* to 767 from one that counts to the next rehearsal, on average 512 */
  DISTANCE_SHIFT = 32 - 9
};

static struct vkm_recording_cost *cost_of(const struct vkm_cmdbuf *cmdbuf) {
  return &cmdbuf->device->record->recording;
}

void vkm_cost_init(struct vkm_recording_cost *cost) {
  atomic_store(&cost->until, DISTANCE_FIRST);
}

/* ---- begin and end ---- */

void vkm_cost_open(struct vkm_cmdbuf *cmdbuf) {
  struct vkm_cost_probe *probe = &cmdbuf->probe;
  probe->armed = probe->running = false;
  probe->frame_ns = INT64_MIN;
  probe->begin_ns = vkm_own_wanted(&cost_of(cmdbuf)->frames) ? vkm_now_ns() : INT64_MIN;
  probe->at = atomic_load_explicit(&cost_of(cmdbuf)->until, memory_order_relaxed);
}

void vkm_cost_opened(struct vkm_cmdbuf *cmdbuf) {
  struct vkm_cost_probe *probe = &cmdbuf->probe;
  if (probe->begin_ns != INT64_MIN) {
    probe->frame_ns = vkm_now_ns() - probe->begin_ns;
  }
}

int64_t vkm_cost_close(const struct vkm_cmdbuf *cmdbuf) {
  return cmdbuf->probe.frame_ns == INT64_MIN ? INT64_MIN : vkm_now_ns();
}

void vkm_cost_closed(struct vkm_cmdbuf *cmdbuf, int64_t begin_ns) {
  struct vkm_recording_cost *cost = cost_of(cmdbuf);
  const struct vkm_cost_probe *probe = &cmdbuf->probe;
  uint32_t count = cmdbuf->recording->mark_count;
  /* Threads that end at once lose some of the distance, and nothing by that. */
  atomic_store_explicit(&cost->until, probe->at > count ? probe->at - count : 0,
                        memory_order_relaxed);
  vkm_own_count(&cost->frames);
  if (begin_ns != INT64_MIN) {
    vkm_own_timed(&cost->frames, probe->frame_ns + (vkm_now_ns() - begin_ns));
  }
}

/* ---- one command ---- */

bool vkm_cost_arm(struct vkm_cmdbuf *cmdbuf) {
  struct vkm_cost_probe *probe = &cmdbuf->probe;
  struct vkm_recording_cost *cost = cost_of(cmdbuf);
  uint32_t turn = (uint32_t)atomic_fetch_add_explicit(&cost->turns, 1, memory_order_relaxed);
  probe->counts = turn % (1 + REHEARSALS) == REHEARSALS;
  probe->at += probe->counts ? DISTANCE_LEAST + (turn * UINT32_C(0x9e3779b1) >> DISTANCE_SHIFT) : 1;
  bool plain = cmdbuf->untimed == VKM_UNTIMED_COUNT;
  if (probe->armed || probe->running || !(plain || cmdbuf->untimed == VKM_UNTIMED_SPECIAL)) {
    return false; /* without stamps a command costs next to nothing */
  }
  probe->armed = true;
  probe->mark = cmdbuf->recording->mark_count + 1;
  probe->untimed = cmdbuf->untimed;
  cmdbuf->untimed = VKM_UNTIMED_SPECIAL;
  return true;
}

bool vkm_cost_caught(struct vkm_cmdbuf *cmdbuf) {
  struct vkm_cost_probe *probe = &cmdbuf->probe;
  probe->armed = false;
  cmdbuf->untimed = probe->untimed;
  return probe->mark == cmdbuf->recording->mark_count;
}

/* `looks`: at the clock, within `ns`. */
static void add(const struct vkm_cmdbuf *cmdbuf, int64_t ns, int looks) {
  struct vkm_recording_cost *cost = cost_of(cmdbuf);
  int64_t now_ns = vkm_now_ns();
  ns -= looks * (vkm_now_ns() - now_ns);
  if (cmdbuf->probe.counts) {
    atomic_fetch_add_explicit(&cost->samples, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&cost->samples_ns, ns > 0 ? (uint64_t)ns : 0, memory_order_relaxed);
  }
}

void vkm_cost_pause(struct vkm_cmdbuf *cmdbuf, bool stamped) {
  struct vkm_cost_probe *probe = &cmdbuf->probe;
  int64_t before_ns = vkm_now_ns() - probe->begin_ns;
  if (stamped) {
    probe->running = cmdbuf->around = true;
    probe->begin_ns = before_ns;
  } else {
    add(cmdbuf, before_ns, 1);
  }
}

void vkm_cost_finish(struct vkm_cmdbuf *cmdbuf, int64_t behind_ns) {
  struct vkm_cost_probe *probe = &cmdbuf->probe;
  int64_t took_ns = probe->begin_ns + (vkm_now_ns() - behind_ns);
  probe->running = false;
  cmdbuf->around = cmdbuf->isolated;
  add(cmdbuf, took_ns, 2);
}

double vkm_cost_each_ns(const struct vkm_recording_cost *cost, uint64_t commands) {
  uint64_t samples = atomic_load(&cost->samples);
  if (samples == 0 || commands == 0) {
    return -1;
  }
  return (double)atomic_load(&cost->samples_ns) / (double)samples +
         (double)vkm_own_ns(&cost->frames) / (double)commands;
}
