/* In: events. Out: to each its packets. */
#include "timeline/trace_write.h"

#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/text.h"
#include "timeline/trace_write_parts.h"

enum { SEQUENCE_BITS = 28, NS_PER_S = 1000 * 1000 * 1000 }; /* four bytes in each packet */

static void set_identity(struct vkm_trace_writer *writer) {
  uint64_t sequence = vkm_trace_hash(writer, "sequence", 0, 0) >> (64 - SEQUENCE_BITS);
  writer->sequence = sequence != 0 ? (uint32_t)sequence : 1;
  writer->process_track = vkm_trace_hash(writer, "process", 0, 0);
}

/* The last packet needs no memory, whatever there is at the end, and no place among the names. */
static void make_closing_names(struct vkm_trace_writer *writer) {
  static const char *const names[] = {VKM_WORD_EVENTS,       VKM_WORD_DROPPED_FULL,
                                      VKM_WORD_DROPPED_RATE, VKM_WORD_DROPPED_SIZE,
                                      VKM_WORD_SHORT_CALLS,  VKM_WORD_OVERLAPPING};
  (void)vkm_trace_name(writer, VKM_TRACE_EVENTS, VKM_WORD_COUNTS);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    (void)vkm_trace_name(writer, VKM_TRACE_ANNOTATIONS, names[i]);
  }
}

struct vkm_trace_writer *vkm_trace_writer_open(const struct vkm_trace_facts *facts,
                                               const struct vkm_trace_source *source,
                                               vkm_trace_sink sink, void *sink_context) {
  struct vkm_trace_writer *writer = vkm_calloc(1, sizeof *writer);
  if (writer == NULL) {
    return NULL;
  }
  uint64_t lost = 0;
  writer->facts = *facts;
  vkm_text_clean(writer->facts.process_name, sizeof writer->facts.process_name,
                 facts->process_name);
  writer->source = *source;
  writer->sink = sink;
  writer->sink_context = sink_context;
  writer->lost = &lost;
  set_identity(writer);
  vkm_trace_words_init(writer);
  make_closing_names(writer);
  vkm_trace_start(writer);
  writer->lost = NULL;
  if (lost != 0) {
    vkm_trace_things_finish(writer);
    vkm_free(writer->batch.bytes);
    vkm_free(writer);
    return NULL;
  }
  return writer;
}

static void write_event(struct vkm_trace_writer *writer, const struct vkm_event *event) {
  switch (event->type) {
  case VKM_EVENT_THREAD:
    vkm_trace_thread_use(writer, event->thread, event->named.name);
    vkm_trace_batch_end(writer);
    break;
  case VKM_EVENT_CALL:
    vkm_trace_write_call(writer, event);
    break;
  case VKM_EVENT_GPU:
    vkm_trace_write_gpu(writer, event);
    break;
  case VKM_EVENT_EXECUTED:
    vkm_trace_write_executed(writer, event);
    break;
  case VKM_EVENT_MEMORY:
    vkm_trace_write_memory(writer, event);
    break;
  case VKM_EVENT_IN_FLIGHT:
    vkm_trace_write_in_flight(writer, event);
    break;
  case VKM_EVENT_CLOCK:
    vkm_trace_write_queue_clock(writer, event);
    break;
  default: /* a range without its call */
    break;
  }
}

void vkm_trace_writer_add(struct vkm_trace_writer *writer, const struct vkm_event *events,
                          size_t count, uint64_t *lost) {
  writer->lost = lost;
  for (size_t i = 0; i < count; i++) {
    if (events[i].type == VKM_EVENT_RANGE) {
      vkm_trace_write_range(writer, &events[i]);
      continue;
    }
    vkm_trace_write_pending(writer);
    if (vkm_trace_start(writer)) {
      write_event(writer, &events[i]);
    }
  }
  writer->lost = NULL;
}

void vkm_trace_writer_clocks(struct vkm_trace_writer *writer) {
  uint64_t lost = 0;
  writer->lost = &lost;
  if (vkm_trace_start(writer)) {
    vkm_trace_write_clocks(writer);
    vkm_trace_batch_end(writer);
  }
  writer->lost = NULL;
}

static void write_counts(struct vkm_trace_writer *writer, const struct vkm_trace_counts *counts) {
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  Vkm__TrackEvent slice;
  uint64_t category = 0;
  struct vkm_trace_notes notes;
  notes.count = 0;
  vkm_trace_process_use(writer);
  vkm_trace_slice_init(&slice, VKM_SLICE_INSTANT, writer->process_track);
  vkm_trace_slice_name(writer, &slice, vkm_trace_name(writer, VKM_TRACE_EVENTS, VKM_WORD_COUNTS),
                       &category, VKM_CATEGORY_COUNTS);
  vkm_trace_note_u64(writer, &notes, VKM_WORD_EVENTS, counts->events);
  vkm_trace_note_u64(writer, &notes, VKM_WORD_DROPPED_FULL, counts->dropped_full);
  vkm_trace_note_u64(writer, &notes, VKM_WORD_DROPPED_RATE, counts->dropped_rate);
  vkm_trace_note_u64(writer, &notes, VKM_WORD_DROPPED_SIZE, counts->dropped_size);
  vkm_trace_note_u64(writer, &notes, VKM_WORD_SHORT_CALLS, counts->short_calls);
  if (writer->overlapping != 0) {
    vkm_trace_note_u64(writer, &notes, VKM_WORD_OVERLAPPING, writer->overlapping);
  }
  vkm_trace_slice_put(writer, &slice, &notes, (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec);
  vkm_trace_batch_end(writer);
}

void vkm_trace_writer_close(struct vkm_trace_writer *writer,
                            const struct vkm_trace_counts *counts) {
  uint64_t lost = 0;
  writer->lost = &lost;
  vkm_trace_write_pending(writer);
  for (size_t i = 0; i < writer->queue_count; i++) {
    vkm_trace_labels_close(writer, writer->queues[i]);
    vkm_free(writer->queues[i]->lanes);
  }
  if (vkm_trace_start(writer)) {
    write_counts(writer, counts);
  }
  vkm_trace_things_finish(writer);
  vkm_free(writer->batch.bytes);
  vkm_free(writer->pending.ids);
  vkm_free(writer->pending.flows);
  vkm_free(writer);
}
