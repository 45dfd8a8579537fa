/* Counters: memory of each heap, submissions in flight of each queue. */
#include "timeline/trace_write_parts.h"

static void put_counter(struct vkm_trace_writer *writer, uint64_t track,
                        const struct vkm_event *event) {
  Vkm__TrackEvent slice;
  vkm_trace_slice_init(&slice, VKM_SLICE_COUNTER, track);
  slice.has_counter_value = true;
  slice.counter_value =
      event->counter.value < INT64_MAX ? (int64_t)event->counter.value : INT64_MAX;
  vkm_trace_slice_put(writer, &slice, NULL, event->begin_ns);
}

void vkm_trace_write_memory(struct vkm_trace_writer *writer, const struct vkm_event *event) {
  uint64_t track = vkm_trace_heap_use(writer, event->device, event->what);
  if (track == 0) {
    writer->batch.failed = true; /* beyond the cap of heaps */
  } else {
    put_counter(writer, track, event);
  }
  vkm_trace_batch_end(writer);
}

void vkm_trace_write_in_flight(struct vkm_trace_writer *writer, const struct vkm_event *event) {
  struct vkm_trace_known_queue *queue = vkm_trace_queue(writer, event->device, event->queue);
  if (queue == NULL) {
    writer->batch.failed = true; /* beyond the cap of queues */
  } else {
    put_counter(writer, vkm_trace_in_flight_use(writer, queue), event);
  }
  vkm_trace_batch_end(writer);
}
