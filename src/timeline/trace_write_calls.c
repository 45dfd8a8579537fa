/* Calls of the program: a span on the track of its thread. What a submit starts and what a wait
 * sees finished follows as ranges of event ids, so a call is written when the last has come. */
#include "base/alloc.h"
#include "timeline/trace_write_parts.h"

enum { ID_CAP = 65536, FLOW_CAP = 4096, FIRST_NUMBERS = 64, API_VULKAN = 2 };

static bool push(uint64_t **list, size_t *count, size_t *capacity, uint64_t value) {
  if (*count == *capacity) {
    size_t grown_capacity = *capacity == 0 ? FIRST_NUMBERS : *capacity * 2;
    uint64_t *grown = vkm_realloc(*list, grown_capacity * sizeof *grown);
    if (grown == NULL) {
      return false;
    }
    *list = grown;
    *capacity = grown_capacity;
  }
  (*list)[(*count)++] = value;
  return true;
}

static void note_call(struct vkm_trace_writer *writer, const struct vkm_event *event,
                      struct vkm_trace_notes *notes) {
  if (event->submission != 0) {
    vkm_trace_note_u64(writer, notes, VKM_WORD_SUBMISSION, event->submission);
  }
  if (event->call.result != 0) {
    vkm_trace_note_i64(writer, notes, VKM_WORD_RESULT, event->call.result);
  }
  if (event->call.bytes != UINT64_MAX && event->call.bytes != 0) {
    vkm_trace_note_u64(writer, notes, VKM_WORD_BYTES, event->call.bytes);
  }
  if (event->call.made != 0) {
    vkm_trace_note_u64(writer, notes, VKM_WORD_MADE, event->call.made);
    if (event->call.cache_hits != VKM_EVENT_NONE) {
      vkm_trace_note_u64(writer, notes, VKM_WORD_CACHE_HITS, event->call.cache_hits);
    }
  }
  if (writer->pending.left_out != 0) {
    vkm_trace_note_u64(writer, notes, VKM_WORD_LEFT_OUT, writer->pending.left_out);
  }
}

/* Which device work the call started, or saw finished. */
static void tie(struct vkm_trace_writer *writer, Vkm__TrackEvent *slice, uint64_t *flow,
                Vkm__GpuCorrelation *correlation) {
  struct vkm_trace_pending *pending = &writer->pending;
  bool submits = pending->call.submission != 0;
  vkm__gpu_correlation__init(correlation);
  if (submits) {
    *flow = vkm_trace_flow(writer, pending->call.submission);
    slice->n_flow_ids = 1;
    slice->flow_ids = flow;
    correlation->n_render_stage_submission_event_ids = pending->id_count;
    correlation->render_stage_submission_event_ids = pending->ids;
  } else {
    slice->n_terminating_flow_ids = pending->flow_count;
    slice->terminating_flow_ids = pending->flows;
    correlation->n_render_stage_wait_event_ids = pending->id_count;
    correlation->render_stage_wait_event_ids = pending->ids;
  }
  slice->gpu_correlation = pending->id_count > 0 ? correlation : NULL;
}

void vkm_trace_write_pending(struct vkm_trace_writer *writer) {
  struct vkm_trace_pending *pending = &writer->pending;
  if (!pending->any) {
    return;
  }
  const struct vkm_event *event = &pending->call;
  uint64_t track = vkm_trace_thread_use(writer, event->thread, NULL);
  uint64_t category = 0;
  uint64_t flow = 0;
  Vkm__TrackEvent slice;
  Vkm__GpuCorrelation correlation;
  struct vkm_trace_notes notes;
  notes.count = 0;
  vkm_trace_slice_init(&slice, VKM_SLICE_BEGIN, track);
  vkm_trace_slice_name(writer, &slice, &writer->words.calls[event->what], &category,
                       VKM_CATEGORY_CALL);
  slice.has_gpu_api = true;
  slice.gpu_api = API_VULKAN;
  note_call(writer, event, &notes);
  tie(writer, &slice, &flow, &correlation);
  vkm_trace_slice_put(writer, &slice, &notes, event->begin_ns);
  vkm_trace_slice_end(writer, track,
                      event->end_ns > event->begin_ns ? event->end_ns : event->begin_ns);
  writer->batch.failed |= pending->failed;
  vkm_trace_batch_end(writer);
  pending->any = false;
}

void vkm_trace_write_call(struct vkm_trace_writer *writer, const struct vkm_event *event) {
  struct vkm_trace_pending *pending = &writer->pending;
  if (event->what >= VKM_CALL_COUNT) {
    return;
  }
  pending->any = true;
  pending->failed = false;
  pending->call = *event;
  pending->id_count = 0;
  pending->left_out = 0;
  pending->flow_count = 0;
  if (event->call.ranges == 0) {
    vkm_trace_write_pending(writer);
  }
}

void vkm_trace_write_range(struct vkm_trace_writer *writer, const struct vkm_event *event) {
  struct vkm_trace_pending *pending = &writer->pending;
  if (!pending->any || pending->failed) {
    return;
  }
  bool kept = true;
  for (uint32_t i = 0; kept && i < event->range.count; i++) {
    if (pending->id_count == ID_CAP) {
      pending->left_out += event->range.count - i;
      break;
    }
    kept = push(&pending->ids, &pending->id_count, &pending->id_capacity, event->range.first + i);
  }
  if (pending->call.submission == 0 && event->submission != 0 && pending->flow_count < FLOW_CAP) {
    uint64_t flow = vkm_trace_flow(writer, event->submission);
    if (pending->flow_count == 0 || pending->flows[pending->flow_count - 1] != flow) {
      kept = kept && push(&pending->flows, &pending->flow_count, &pending->flow_capacity, flow);
    }
  }
  pending->failed = !kept;
}
