/* Timed commands: onto lanes, below labels, in the style of the trace. */
#include <stdio.h>

#include "timeline/trace_write_parts.h"

static uint32_t kind_of(const struct vkm_event *event) {
  return event->what < VKM_KIND_COUNT ? event->what : (uint32_t)VKM_KIND_COUNT;
}

/* Labels of an execution whose end was not told stay open for no other. */
static void enter_execution(struct vkm_trace_writer *writer, struct vkm_trace_known_queue *queue,
                            struct vkm_trace_work *work) {
  work->first = queue->execution != work->event->gpu.execution;
  if (work->first) {
    vkm_trace_labels_close(writer, queue);
  }
}

static void write_work(struct vkm_trace_writer *writer, struct vkm_trace_work *work) {
  const struct vkm_event *event = work->event;
  struct vkm_trace_known_queue *queue = work->queue;
  struct vkm_trace_labels_next next;
  vkm_trace_labels_move(writer, queue, work->phase != NULL ? work->phase->text : NULL,
                        event->begin_ns, event->end_ns, &next);
  if (writer->facts.style == VKM_TRACE_RENDER_STAGE) {
    vkm_trace_put_stage(writer, work);
  } else {
    vkm_trace_put_slices(writer, work);
  }
  if (vkm_trace_batch_end(writer)) {
    vkm_trace_labels_keep(queue, &next);
    vkm_trace_lane_take(queue, work->lane, event->begin_ns, event->end_ns);
    queue->execution = event->gpu.execution;
  }
}

void vkm_trace_write_gpu(struct vkm_trace_writer *writer, const struct vkm_event *event) {
  struct vkm_trace_work work = {.event = event, .kind = kind_of(event)};
  work.queue = vkm_trace_queue(writer, event->device, event->queue);
  if (work.queue == NULL || event->end_ns < event->begin_ns) {
    writer->batch.failed = true; /* beyond the cap of queues, or no interval */
    vkm_trace_batch_end(writer);
    return;
  }
  enter_execution(writer, work.queue, &work);
  work.kernel = vkm_trace_kernel(writer, event->device, event->gpu.pipeline);
  work.phase = vkm_trace_phase(writer, event->device, event->gpu.phase);
  work.lane = vkm_trace_lane_find(work.queue, event->begin_ns, event->end_ns);
  if (work.lane == VKM_TRACE_LANES) {
    writer->overlapping++;
    work.lane = VKM_TRACE_LANES - 1;
    if (writer->facts.style == VKM_TRACE_TRACK_EVENT) {
      vkm_trace_batch_end(writer); /* what was named first here, or failed, ends here */
      return;                      /* slices that cross would be drawn with each other's ends */
    }
  }
  write_work(writer, &work);
}

static void put_rejected(struct vkm_trace_writer *writer, struct vkm_trace_known_queue *queue,
                         const struct vkm_event *event) {
  char text[128];
  Vkm__TrackEvent slice;
  uint64_t category = 0;
  snprintf(text, sizeof text, "timestamps rejected: %s", vkm_rejected_names[event->what]);
  vkm_trace_slice_init(&slice, VKM_SLICE_INSTANT, vkm_trace_labels_use(writer, queue, 0));
  vkm_trace_slice_name(writer, &slice, vkm_trace_name(writer, VKM_TRACE_EVENTS, text), &category,
                       VKM_CATEGORY_INSTANT);
  vkm_trace_slice_put(writer, &slice, NULL, event->end_ns);
}

void vkm_trace_write_executed(struct vkm_trace_writer *writer, const struct vkm_event *event) {
  struct vkm_trace_known_queue *queue = vkm_trace_queue(writer, event->device, event->queue);
  if (queue == NULL) {
    writer->batch.failed = true;
    vkm_trace_batch_end(writer);
    return;
  }
  vkm_trace_labels_close(writer, queue);
  if (event->what < VKM_REJECTED_COUNT) {
    put_rejected(writer, queue, event);
    vkm_trace_batch_end(writer);
  }
}
