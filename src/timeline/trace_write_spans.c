/* A timed command as a slice on the lane of its queue: a begin and an end, which every viewer
 * shows. */
#include <stdio.h>

#include "measure/moves.h"
#include "timeline/trace_write_parts.h"

static void note_size(struct vkm_trace_writer *writer, struct vkm_trace_notes *notes,
                      const char *name, const uint32_t size[3], char to[36]) {
  if (size[0] != 0 || size[1] != 0 || size[2] != 0) {
    snprintf(to, 36, "%u,%u,%u", size[0], size[1], size[2]);
    vkm_trace_note_text(writer, notes, name, to);
  }
}

static void note_work(struct vkm_trace_writer *writer, const struct vkm_trace_work *work,
                      struct vkm_trace_notes *notes, char groups[36], char local_size[36]) {
  const struct vkm_event *event = work->event;
  vkm_trace_note_u64(writer, notes, VKM_WORD_EVENT_ID, event->gpu.id);
  vkm_trace_note_text(writer, notes, VKM_WORD_KIND, writer->words.stages[work->kind].text);
  if (event->submission != 0) {
    vkm_trace_note_u64(writer, notes, VKM_WORD_SUBMISSION, event->submission);
  }
  if (work->phase != NULL) {
    struct vkm_trace_fact phase = {.type = VKM_TRACE_ARG_TEXT, .value.text = work->phase};
    phase.name = vkm_trace_name(writer, VKM_TRACE_ANNOTATIONS, VKM_WORD_PHASE);
    vkm_trace_note_fact(writer, notes, &phase);
  }
  if (event->gpu.bytes != UINT64_MAX) {
    vkm_trace_note_u64(writer, notes, VKM_WORD_BYTES, event->gpu.bytes);
  }
  if (vkm_kind_is_dispatch(work->kind)) {
    note_size(writer, notes, VKM_WORD_GROUPS, event->gpu.groups, groups);
  } else if (vkm_kind_moves(work->kind) &&
             event->gpu.groups[VKM_MOVE_DIRECTION] < VKM_DIRECTION_COUNT) {
    vkm_trace_note_text(writer, notes, VKM_WORD_DIRECTION,
                        vkm_direction_names[event->gpu.groups[VKM_MOVE_DIRECTION]]);
  }
  if (work->kernel != NULL) {
    note_size(writer, notes, VKM_WORD_LOCAL_SIZE, work->kernel->local_size, local_size);
    for (uint32_t i = 0; i < work->kernel->fact_count; i++) {
      vkm_trace_note_fact(writer, notes, &work->kernel->facts[i]);
    }
  }
}

void vkm_trace_put_slices(struct vkm_trace_writer *writer, const struct vkm_trace_work *work) {
  const struct vkm_event *event = work->event;
  uint64_t track = vkm_trace_lane_use(writer, work->queue, work->lane);
  uint64_t category = 0;
  uint64_t flow = 0;
  char groups[36];
  char local_size[36];
  Vkm__TrackEvent slice;
  struct vkm_trace_notes notes;
  notes.count = 0;
  vkm_trace_slice_init(&slice, VKM_SLICE_BEGIN, track);
  vkm_trace_slice_name(writer, &slice,
                       work->kernel != NULL ? work->kernel->name : &writer->words.kinds[work->kind],
                       &category, VKM_CATEGORY_GPU);
  note_work(writer, work, &notes, groups, local_size);
  if (work->first && event->submission != 0) {
    flow = vkm_trace_flow(writer, event->submission);
    slice.n_flow_ids = 1;
    slice.flow_ids = &flow;
  }
  vkm_trace_slice_put(writer, &slice, &notes, event->begin_ns);
  vkm_trace_slice_end(writer, track, event->end_ns);
}
