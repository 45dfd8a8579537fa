/* In: everything that a trace holds, in the order of the file. Out: sorted arrays that point to
 * each other. What is of other tools and empty here goes. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "measure/sort.h"
#include "timeline/trace_read_sort.h"
#include "timeline/trace_read_state.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

#define KEY(function, type, expression)                                                            \
  static uint64_t function(const void *at) {                                                       \
    const struct type *item = at;                                                                  \
    return (expression);                                                                           \
  }
KEY(call_thread, vkm_timeline_call, item->thread)
KEY(call_begin, vkm_timeline_call, vkm_sort_signed(item->begin_ns))
KEY(call_end, vkm_timeline_call, ~vkm_sort_signed(item->end_ns))
KEY(slice_queue, vkm_timeline_slice, item->queue)
KEY(slice_begin, vkm_timeline_slice, vkm_sort_signed(item->begin_ns))
KEY(slice_end, vkm_timeline_slice, vkm_sort_signed(item->end_ns))
KEY(slice_id, vkm_timeline_slice, item->event_id)
KEY(label_queue, vkm_timeline_label, item->queue)
KEY(label_begin, vkm_timeline_label, vkm_sort_signed(item->begin_ns))
KEY(label_depth, vkm_timeline_label, item->depth)
KEY(sample_counter, vkm_timeline_sample, item->counter)
KEY(sample_at, vkm_timeline_sample, vkm_sort_signed(item->at_ns))
KEY(instant_at, vkm_timeline_instant, vkm_sort_signed(item->at_ns))
KEY(thread_process, vkm_timeline_thread, item->process)
KEY(thread_first, vkm_timeline_thread, vkm_sort_signed(item->first_ns))

static void extend(struct vkm_timeline *to, int64_t begin_ns, int64_t end_ns) {
  to->begin_ns = to->any && to->begin_ns < begin_ns ? to->begin_ns : begin_ns;
  to->end_ns = to->any && to->end_ns > end_ns ? to->end_ns : end_ns;
  to->any = true;
}

/* Commands whose end is not there have no time: they go. */
static void close_open(struct vkm_reader *reader) {
  struct vkm_timeline *to = reader->to;
  for (size_t i = 0; i < reader->track_count; i++) {
    for (uint32_t at = reader->tracks[i].opened; at != VKM_TIMELINE_NONE;
         at = reader->opens[at].outer) {
      const struct vkm_read_open *open = &reader->opens[at];
      to->open += open->kind != VKM_OPEN_FOREIGN;
      if (open->kind == VKM_OPEN_SLICE) {
        to->slices[open->index].queue = VKM_TIMELINE_NONE;
      }
    }
  }
  size_t kept = 0;
  for (size_t i = 0; i < to->slice_count; i++) {
    if (to->slices[i].queue != VKM_TIMELINE_NONE) {
      to->slices[kept++] = to->slices[i];
    }
  }
  to->slice_count = kept;
}

static void find_ends(struct vkm_reader *reader) {
  struct vkm_timeline *to = reader->to;
  for (size_t i = 0; i < to->call_count; i++) {
    extend(to, to->calls[i].begin_ns, to->calls[i].end_ns);
  }
  for (size_t i = 0; i < to->slice_count; i++) {
    extend(to, to->slices[i].begin_ns, to->slices[i].end_ns);
  }
  for (size_t i = 0; i < to->label_count; i++) {
    extend(to, to->labels[i].begin_ns, to->labels[i].end_ns);
  }
  for (size_t i = 0; i < to->call_count; i++) {
    to->calls[i].end_ns = to->calls[i].open ? to->end_ns : to->calls[i].end_ns;
  }
  for (size_t i = 0; i < to->label_count; i++) {
    to->labels[i].end_ns = to->labels[i].open ? to->end_ns : to->labels[i].end_ns;
  }
  to->has_unix = to->has_unix && to->any;
  to->unix_ns =
      to->has_unix ? reader->first_unix_ns + (to->begin_ns - reader->first_monotonic_ns) : 0;
}

/* Keeps items of which `keep` says so; `placed` tells where each went. */
static size_t compact(void *items, size_t count, size_t size, uint32_t *placed) {
  unsigned char *bytes = items;
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (placed[i] != VKM_TIMELINE_NONE) {
      memmove(bytes + kept * size, bytes + i * size, size);
      placed[i] = (uint32_t)kept++;
    }
  }
  return kept;
}

static uint32_t *marks(size_t count, uint32_t value) {
  uint32_t *made = vkm_alloc((count + 1) * sizeof *made);
  for (size_t i = 0; made != NULL && i < count; i++) {
    made[i] = value;
  }
  return made;
}

/* Threads without a call go; the others stand by process and first call. */
static enum vkm_status sort_threads(struct vkm_timeline *to) {
  static const vkm_sort_key keys[] = {thread_process, thread_first};
  uint32_t *placed = marks(to->thread_count, VKM_TIMELINE_NONE);
  uint32_t *sorted = marks(to->thread_count, 0);
  bool good = placed != NULL && sorted != NULL;
  for (size_t i = 0; good && i < to->call_count; i++) {
    struct vkm_timeline_thread *thread = &to->threads[to->calls[i].thread];
    int64_t begin_ns = to->calls[i].begin_ns;
    if (placed[to->calls[i].thread] == VKM_TIMELINE_NONE || begin_ns < thread->first_ns) {
      thread->first_ns = begin_ns;
    }
    placed[to->calls[i].thread] = 0;
  }
  if (good) {
    size_t before = to->thread_count;
    to->thread_count = compact(to->threads, before, sizeof *to->threads, placed);
    good = vkm_sort_items(to->threads, to->thread_count, sizeof *to->threads, keys, COUNT(keys),
                          sorted);
  }
  for (size_t i = 0; good && i < to->call_count; i++) {
    to->calls[i].thread = sorted[placed[to->calls[i].thread]];
  }
  vkm_free(placed);
  vkm_free(sorted);
  return good ? VKM_OK : VKM_OUT_OF_MEMORY;
}

static int compare_queues(const void *one, const void *other) {
  const struct vkm_timeline_queue *first = one;
  const struct vkm_timeline_queue *second = other;
  if (first->process != second->process) {
    return first->process < second->process ? -1 : 1;
  }
  return strcmp(first->name, second->name);
}

static enum vkm_status sort_queues(struct vkm_timeline *to) {
  uint32_t *placed = marks(to->queue_count, 0);
  if (placed == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  for (size_t i = 0; i < to->queue_count; i++) {
    to->queues[i].first_slice = i;
  }
  if (to->queue_count > 1) {
    qsort(to->queues, to->queue_count, sizeof *to->queues, compare_queues);
  }
  for (size_t i = 0; i < to->queue_count; i++) {
    placed[to->queues[i].first_slice] = (uint32_t)i;
  }
  for (size_t i = 0; i < to->slice_count; i++) {
    to->slices[i].queue = placed[to->slices[i].queue];
  }
  for (size_t i = 0; i < to->label_count; i++) {
    to->labels[i].queue = placed[to->labels[i].queue];
  }
  for (size_t i = 0; i < to->instant_count; i++) {
    uint32_t *queue = &to->instants[i].queue;
    *queue = *queue == VKM_TIMELINE_NONE ? *queue : placed[*queue];
  }
  vkm_free(placed);
  return VKM_OK;
}

/* Counters without a sample go. */
static enum vkm_status keep_counters(struct vkm_timeline *to) {
  uint32_t *placed = marks(to->counter_count, VKM_TIMELINE_NONE);
  if (placed == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  for (size_t i = 0; i < to->sample_count; i++) {
    placed[to->samples[i].counter] = 0;
  }
  to->counter_count = compact(to->counters, to->counter_count, sizeof *to->counters, placed);
  for (size_t i = 0; i < to->sample_count; i++) {
    to->samples[i].counter = placed[to->samples[i].counter];
  }
  vkm_free(placed);
  return VKM_OK;
}

/* Processes that have nothing here go. */
static enum vkm_status keep_processes(struct vkm_reader *reader) {
  struct vkm_timeline *to = reader->to;
  uint32_t *placed = marks(to->process_count, VKM_TIMELINE_NONE);
  if (placed == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  for (size_t i = 0; i < reader->sequence_count; i++) {
    if (reader->sequences[i].ours && reader->sequences[i].process != VKM_TIMELINE_NONE) {
      placed[reader->sequences[i].process] = 0;
    }
  }
#define MARK(items, count)                                                                         \
  for (size_t i = 0; i < to->count; i++) {                                                         \
    placed[to->items[i].process] = 0;                                                              \
  }
  MARK(threads, thread_count)
  MARK(queues, queue_count)
  MARK(kernels, kernel_count)
  MARK(counters, counter_count)
#undef MARK
  to->process_count = compact(to->processes, to->process_count, sizeof *to->processes, placed);
#define MOVE(items, count)                                                                         \
  for (size_t i = 0; i < to->count; i++) {                                                         \
    to->items[i].process = placed[to->items[i].process];                                           \
  }
  MOVE(threads, thread_count)
  MOVE(queues, queue_count)
  MOVE(kernels, kernel_count)
  MOVE(counters, counter_count)
#undef MOVE
  vkm_free(placed);
  return VKM_OK;
}

static void count_spans(struct vkm_timeline *to) {
  for (size_t i = 0; i < to->thread_count; i++) {
    to->threads[i].first_call = to->threads[i].call_count = 0;
  }
  for (size_t i = 0; i < to->queue_count; i++) {
    to->queues[i].first_slice = to->queues[i].slice_count = 0;
    to->queues[i].first_label = to->queues[i].label_count = 0;
  }
  for (size_t i = to->call_count; i > 0; i--) {
    struct vkm_timeline_thread *thread = &to->threads[to->calls[i - 1].thread];
    thread->first_call = i - 1;
    thread->call_count++;
  }
  for (size_t i = to->slice_count; i > 0; i--) {
    struct vkm_timeline_queue *queue = &to->queues[to->slices[i - 1].queue];
    queue->first_slice = i - 1;
    queue->slice_count++;
  }
  for (size_t i = to->label_count; i > 0; i--) {
    struct vkm_timeline_queue *queue = &to->queues[to->labels[i - 1].queue];
    queue->first_label = i - 1;
    queue->label_count++;
  }
  for (size_t i = to->sample_count; i > 0; i--) {
    struct vkm_timeline_counter *counter = &to->counters[to->samples[i - 1].counter];
    counter->first_sample = i - 1;
    counter->sample_count++;
  }
}

/* Slices to the calls that submitted them. */
static enum vkm_status tie_submits(struct vkm_reader *reader) {
  struct vkm_timeline *to = reader->to;
  for (size_t i = 0; i < to->call_count; i++) {
    const struct vkm_timeline_call *call = &to->calls[i];
    uint64_t key = vkm_read_key(VKM_READ_SUBMIT, to->threads[call->thread].process);
    if (call->submission != 0 &&
        vkm_lookup_put(&reader->lookup, key, call->submission, (uint32_t)i) == NULL) {
      return VKM_OUT_OF_MEMORY;
    }
  }
  for (size_t i = 0; i < to->slice_count; i++) {
    struct vkm_timeline_slice *slice = &to->slices[i];
    uint64_t key = vkm_read_key(VKM_READ_SUBMIT, to->queues[slice->queue].process);
    const uint32_t *found =
        slice->submission == 0 ? NULL : vkm_lookup_find(&reader->lookup, key, slice->submission);
    slice->submit = found == NULL ? VKM_TIMELINE_NONE : *found;
  }
  return VKM_OK;
}

/* Waits to the submits that they saw finish; `placed` has calls as they were read. */
static enum vkm_status tie_waits(struct vkm_reader *reader, const uint32_t *placed) {
  struct vkm_timeline *to = reader->to;
  size_t room = reader->flow_count;
  struct vkm_keyed *keyed = vkm_alloc((room * 2 + 1) * sizeof *keyed);
  to->seen = vkm_alloc((room + 1) * sizeof *to->seen);
  size_t count = 0;
  if (keyed == NULL || to->seen == NULL) {
    vkm_free(keyed);
    return VKM_OUT_OF_MEMORY;
  }
  for (size_t i = 0; i < room; i++) {
    const struct vkm_read_flow *flow = &reader->flows[i];
    const uint32_t *submit =
        vkm_lookup_find(&reader->lookup, vkm_read_key(VKM_READ_FLOW, 0), flow->id);
    if (submit != NULL && *submit != flow->call) {
      keyed[count].index = 0;
      keyed[count++].key = (uint64_t)placed[flow->call] << 32 | placed[*submit];
    }
  }
  vkm_sort_keyed(keyed, keyed + room, count);
  for (size_t i = 0; i < count; i++) {
    struct vkm_timeline_call *call = &to->calls[keyed[i].key >> 32];
    if (i > 0 && keyed[i].key == keyed[i - 1].key) {
      continue;
    }
    call->first_seen = call->seen_count == 0 ? to->seen_count : call->first_seen;
    call->seen_count++;
    to->seen[to->seen_count++] = (uint32_t)keyed[i].key;
  }
  vkm_free(keyed);
  return VKM_OK;
}

static bool sort_rest(struct vkm_timeline *to) {
  static const vkm_sort_key slices[] = {slice_queue, slice_begin, slice_end, slice_id};
  static const vkm_sort_key labels[] = {label_queue, label_begin, label_depth};
  static const vkm_sort_key samples[] = {sample_counter, sample_at};
  static const vkm_sort_key instants[] = {instant_at};
  return vkm_sort_items(to->slices, to->slice_count, sizeof *to->slices, slices, COUNT(slices),
                        NULL) &&
         vkm_sort_items(to->labels, to->label_count, sizeof *to->labels, labels, COUNT(labels),
                        NULL) &&
         vkm_sort_items(to->samples, to->sample_count, sizeof *to->samples, samples, COUNT(samples),
                        NULL) &&
         vkm_sort_items(to->instants, to->instant_count, sizeof *to->instants, instants,
                        COUNT(instants), NULL);
}

static enum vkm_status sort_all(struct vkm_reader *reader, uint32_t *placed) {
  static const vkm_sort_key calls[] = {call_thread, call_begin, call_end};
  struct vkm_timeline *to = reader->to;
  enum vkm_status status = keep_counters(to);
  if (status == VKM_OK) {
    status = sort_queues(to);
  }
  if (status == VKM_OK) {
    status = sort_threads(to);
  }
  if (status == VKM_OK) {
    status = keep_processes(reader);
  }
  bool good =
      status == VKM_OK &&
      vkm_sort_items(to->calls, to->call_count, sizeof *to->calls, calls, COUNT(calls), placed) &&
      sort_rest(to);
  return status == VKM_OK && !good ? VKM_OUT_OF_MEMORY : status;
}

enum vkm_status vkm_read_conclude(struct vkm_reader *reader) {
  close_open(reader);
  find_ends(reader);
  uint32_t *placed = marks(reader->to->call_count, 0);
  enum vkm_status status = placed == NULL ? VKM_OUT_OF_MEMORY : sort_all(reader, placed);
  if (status == VKM_OK) {
    count_spans(reader->to);
    status = tie_submits(reader);
  }
  if (status == VKM_OK) {
    status = tie_waits(reader, placed);
  }
  vkm_free(placed);
  return status;
}
