/* Counted executions for the timeline, see gpu_events.h. */
#include "timing/gpu_events.h"

#include <string.h>

#include "device.h"
#include "trace.h"

static bool is_whole(const struct vkm_recording *recording) {
  return recording->mode == VKM_MODE_SUBMIT && recording->closing != VKM_NO_STAMP;
}

uint32_t vkm_gpu_events_of(const struct vkm_recording *recording) {
  uint32_t count = 0;
  uint32_t left = recording->mark_count;
  if (is_whole(recording)) {
    return 1;
  }
  for (const struct vkm_mark_chunk *chunk = recording->chunks; chunk; chunk = chunk->next) {
    for (int i = 0; i < VKM_CHUNK_MARKS && left; i++, left--) {
      count += chunk->marks[i].begin != VKM_NO_STAMP;
    }
  }
  return count;
}

void vkm_gpu_events_open(struct vkm_gpu_events *events, const struct vkm_execution *execution) {
  events->execution = execution;
  events->device = (uint16_t)execution->queue->device->record->number;
  events->queue = execution->queue->record_index;
  events->timed = events->given = events->count = 0;
}

void vkm_gpu_events_flush(struct vkm_gpu_events *events) {
  if (events->count) {
    vkm_trace_push(events->waiting, events->count);
    events->count = 0;
  }
}

/* The next event, with what all of them say; NULL: there is none. */
static struct vkm_event *add(struct vkm_gpu_events *events, uint8_t kind, uint32_t place,
                             struct vkm_interval at) {
  const struct vkm_execution *execution = events->execution;
  if (at.begin_ns == INT64_MIN) {
    vkm_trace_count_unplaced(1);
    return NULL;
  }
  if (events->count == VKM_GPU_EVENTS_AT_ONCE) {
    vkm_gpu_events_flush(events);
  }
  events->given++;
  struct vkm_event *event = &events->waiting[events->count++];
  *event = (struct vkm_event){.type = VKM_EVENT_GPU,
                              .what = kind,
                              .device = events->device,
                              .begin_ns = at.begin_ns,
                              .end_ns = at.end_ns,
                              .queue = events->queue,
                              .submission = execution->submission,
                              .gpu = {.id = execution->first_id + place,
                                      .bytes = UINT64_MAX,
                                      .execution = execution->number,
                                      .pipeline = VKM_EVENT_NONE}};
  return event;
}

void vkm_gpu_events_mark(struct vkm_gpu_events *events, const struct vkm_mark *mark, uint32_t phase,
                         struct vkm_interval at) {
  struct vkm_event *event = add(events, mark->kind, events->timed, at);
  if (!event) {
    return;
  }
  event->gpu.phase = phase;
  event->gpu.pipeline = mark->pipeline ? mark->pipeline->index : VKM_EVENT_NONE;
  memcpy(event->gpu.groups, mark->groups, sizeof event->gpu.groups);
  if (mark->kind == VKM_KIND_DISPATCH_INDIRECT && mark->base[0]) {
    vkm_indirect_read(events->execution->recording, mark->base[0], event->gpu.groups);
  }
  if (vkm_kind_moves(mark->kind) && mark->groups[VKM_MOVE_KNOWN]) {
    event->gpu.bytes = vkm_mark_bytes(mark);
  }
}

void vkm_gpu_events_whole(struct vkm_gpu_events *events, struct vkm_interval at) {
  struct vkm_event *event = add(events, VKM_EVENT_WHOLE, 0, at);
  if (event) {
    event->gpu.phase = events->execution->phase & ~VKM_PHASE_FRAME;
  }
}

void vkm_gpu_events_close(struct vkm_gpu_events *events, int rejected, int64_t seen_ns) {
  const struct vkm_execution *execution = events->execution;
  vkm_gpu_events_flush(events);
  struct vkm_event event = {.type = VKM_EVENT_EXECUTED,
                            .what = (uint8_t)rejected,
                            .device = events->device,
                            .begin_ns = execution->submit_ns,
                            .end_ns = seen_ns,
                            .queue = events->queue,
                            .submission = execution->submission,
                            .executed = {execution->number, events->given}};
  vkm_trace_push(&event, 1);
}
