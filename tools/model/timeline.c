/* In: a trace. Out: its report. Next: views/timeline*. */
#include "model/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "model/timeline_parts.h"

const char *vkm_timeline_kind_of(const struct vkm_timeline_call *call) {
  static const char *const kinds[VKM_ACTIVITY_COUNT] = {[VKM_ACTIVITY_BUILD] = "build",
                                                        [VKM_ACTIVITY_CREATE] = "create",
                                                        [VKM_ACTIVITY_MAP] = "map",
                                                        [VKM_ACTIVITY_UNMAP] = "unmap",
                                                        [VKM_ACTIVITY_FLUSH] = "flush",
                                                        [VKM_ACTIVITY_INVALIDATE] = "invalidate",
                                                        [VKM_ACTIVITY_HOST_COPY] = "image_copy",
                                                        [VKM_ACTIVITY_SUBMIT] = "submit",
                                                        [VKM_ACTIVITY_WAIT] = "wait"};
  static const enum vkm_activity activities[VKM_CALL_COUNT] = {
#define VKM_CALL(name, activity) [VKM_CALL_##name] = (activity),
#include "timeline/calls.def"
#undef VKM_CALL
  };
  enum vkm_activity activity =
      call->call < VKM_CALL_COUNT ? activities[call->call] : VKM_ACTIVITY_COUNT;
  if (activity < VKM_ACTIVITY_COUNT) {
    return kinds[activity];
  }
  switch (call->call) {
  case VKM_CALL_AllocateMemory:
  case VKM_CALL_FreeMemory:
    return "memory";
  case VKM_CALL_QueuePresentKHR:
    return "present";
  default:
    return "other";
  }
}

const char *vkm_timeline_slice_kind(const struct vkm_timeline *timeline,
                                    const struct vkm_timeline_slice *slice) {
  if (slice->kind < VKM_KIND_COUNT) {
    return vkm_kind_names[slice->kind];
  }
  return slice->kind == VKM_TIMELINE_KIND_WHOLE ? "command_buffer" : timeline->names[slice->name];
}

uint64_t vkm_timeline_lane(uint32_t queue, unsigned lane) {
  enum { FIRST = 1 << 30 };
  return FIRST + (uint64_t)queue * (VKM_TIMELINE_LABELS + 1) + lane;
}

bool vkm_timeline_is_submit(const struct vkm_timeline_call *call) {
  return call->call == VKM_CALL_QueueSubmit || call->call == VKM_CALL_QueueSubmit2;
}

bool vkm_timeline_report_build(struct vkm_timeline_report *report,
                               const struct vkm_timeline *timeline,
                               const struct vkm_timeline_settings *settings) {
  *report = (struct vkm_timeline_report){.timeline = timeline};
  bool good = vkm_timeline_queues(report) && vkm_timeline_gaps(report, settings) &&
              vkm_timeline_submits(report, settings) && vkm_timeline_threads(report) &&
              vkm_timeline_kernels(report);
  if (!good) {
    vkm_error("out of memory; close other programs, or trace a shorter run");
    vkm_timeline_report_finish(report);
  }
  return good;
}

void vkm_timeline_report_finish(struct vkm_timeline_report *report) {
  for (size_t i = 0; i < report->queue_count; i++) {
    free(report->queues[i].parts);
  }
  for (size_t i = 0; i < report->difference_count; i++) {
    free(report->differences[i].what);
  }
  free(report->queues);
  free(report->gaps);
  free(report->submits);
  free(report->threads);
  free(report->kernels);
  free(report->differences);
  *report = (struct vkm_timeline_report){0};
}
