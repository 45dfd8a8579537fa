/* Which recordings are control, which window is timed, see mode.h. */
#include "timing/mode.h"

#include "choice.h"
#include "device.h"
#include "measure/plan.h"
#include "session.h"
#include "timing/record.h"

/* splitmix64's mixing, of a count: neighbours are unrelated, and every run draws the same. */
static uint64_t mix(uint64_t value) {
  value = (value + 1) * UINT64_C(0x9e3779b97f4a7c15);
  value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
  return value ^ (value >> 31);
}

static bool is_control(struct vkm_mode_family *family, uint64_t every) {
  if (every == 0 ||
      atomic_load_explicit(&family->repeated, memory_order_relaxed) < VKM_MODE_RECENT) {
    return false;
  }
  uint64_t turn = atomic_fetch_add_explicit(&family->control_turn, 1, memory_order_relaxed);
  return turn % every == mix(turn / every) % every;
}

static void choose_window(struct vkm_mode_family *family, const struct vkm_extent *extent,
                          struct vkm_recording *recording) {
  uint32_t needed =
      vkm_plan_windows(extent->marks, recording->stamp_limit, (double)extent->stamps_per_mark);
  if (needed < 2) {
    return;
  }
  uint32_t each = (extent->marks - 1) / needed + 1;
  uint32_t turn = atomic_fetch_add_explicit(&family->window_turn, 1, memory_order_relaxed);
  /* Each round takes every window once; where it starts is drawn, so that a program that alternates
   * between two recordings does not always hit the same half of each. */
  uint32_t index = (uint32_t)((turn % needed + mix(turn / needed) % needed) % needed);
  recording->window_first = index * each;
  recording->window_count = each;
  recording->windows_needed = needed;
}

void vkm_mode_begin(struct vkm_cmdbuf *cmdbuf, struct vkm_recording *recording) {
  const struct vkm_settings *settings = vkm_session_settings();
  recording->mode = (uint8_t)settings->mode;
  recording->window_count = VKM_WINDOW_ALL;
  recording->stamp_limit = UINT32_MAX;
  cmdbuf->isolated = cmdbuf->around = false;
  cmdbuf->judged_phase = UINT32_MAX;
  if (cmdbuf->untimed == VKM_UNTIMED_COUNT && !vkm_choice_recording(recording->one_time)) {
    cmdbuf->untimed = VKM_UNTIMED_not_chosen;
  }
  if (cmdbuf->untimed != VKM_UNTIMED_COUNT) {
    return;
  }
  struct vkm_mode_family *family = &cmdbuf->device->modes[recording->family];
  if (recording->mode == VKM_MODE_INLINE && !recording->secondary &&
      is_control(family, settings->control_every)) {
    recording->mode = VKM_MODE_SUBMIT;
  }
  if (recording->mode != VKM_MODE_SUBMIT && settings->stamp_limit) {
    uint32_t limit = (uint32_t)settings->stamp_limit;
    recording->stamp_limit = limit < VKM_MODE_STAMPS_MIN ? VKM_MODE_STAMPS_MIN : limit;
    const struct vkm_extent *extent =
        cmdbuf->extent.marks ? &cmdbuf->extent : &cmdbuf->pool->extent;
    choose_window(family, extent, recording);
  }
  if (recording->mode != VKM_MODE_INLINE || settings->stamp_limit || vkm_choice_by_command()) {
    cmdbuf->untimed = VKM_UNTIMED_SPECIAL;
  }
  cmdbuf->isolated = cmdbuf->around = recording->mode == VKM_MODE_ISOLATED;
}

void vkm_mode_end(struct vkm_cmdbuf *cmdbuf, const struct vkm_recording *recording) {
  if (recording->stamp_limit == UINT32_MAX || recording->timed_count == 0) {
    return;
  }
  float timed = (float)recording->timed_count;
  float rate = ((float)recording->stamp_count - 2) / timed;
  cmdbuf->extent = (struct vkm_extent){recording->mark_count, rate < 1 ? 1 : rate};
  cmdbuf->pool->extent = cmdbuf->extent;
}

bool vkm_mode_admits(const struct vkm_recording *recording, bool shares) {
  uint32_t at = recording->mark_count - 1;
  if (recording->mode == VKM_MODE_SUBMIT || at < recording->window_first ||
      at - recording->window_first >= recording->window_count) {
    return false;
  }
  uint32_t stamps = shares ? 2 : 3; /* with the closing one */
  return recording->stamp_limit - recording->stamp_count >= stamps;
}

void vkm_mode_leave_out(struct vkm_recording *recording, struct vkm_mark *mark) {
  if (recording->mode == VKM_MODE_SUBMIT) {
    mark->flags |= VKM_MARK_CONTROL;
    return;
  }
  mark->untimed = VKM_UNTIMED_window;
  recording->cut = true;
  if (recording->window_count == VKM_WINDOW_ALL) { /* nobody knew how long it would be */
    recording->window_count = recording->mark_count - 1;
  }
}

void vkm_mode_learn(struct vkm_device *device, uint32_t family, bool repeats_known_plan) {
  struct vkm_mode_family *at = &device->modes[family];
  unsigned repeated = atomic_load_explicit(&at->repeated, memory_order_relaxed);
  unsigned next = repeats_known_plan ? repeated + (repeated < VKM_MODE_RECENT) : 0;
  if (next != repeated) { /* two threads at once lose a count: it only takes longer */
    atomic_store_explicit(&at->repeated, next, memory_order_relaxed);
  }
}
