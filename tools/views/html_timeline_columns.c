/* The columns of a timeline. In: a trace that was read. Out: JSON, described in html_timeline.h, in
 * which no "<" stands, so that nothing in it ends the element around it. Next: html_timeline. */
#include "base/alloc.h"
#include "measure/aggregate.h"
#include "timeline/lookup.h"
#include "timeline/words.h"
#include "views/html_timeline.h"

enum { UNKNOWN = -1 };

struct columns {
  const struct vkm_timeline *timeline;
  int64_t until_ns;
  struct vkm_text *text;
  struct vkm_lookup known; /* index of a text by its address: the reader keeps each text once */
  const char **names;
  size_t name_count, name_capacity;
  struct vkm_text part; /* a title while it is made */
};

typedef int64_t (*value_of)(struct columns *columns, size_t index);

static void append_text(struct columns *columns, const char *string) {
  struct vkm_text *part = &columns->part;
  vkm_text_clear(part);
  vkm_text_json(part, string);
  columns->text->failed = columns->text->failed || part->failed;
  for (size_t i = 0; i < part->length_bytes; i++) {
    if (part->data[i] == '<') {
      vkm_text_string(columns->text, "\\u003c");
    } else {
      vkm_text_append(columns->text, &part->data[i], 1);
    }
  }
}

static int64_t name(struct columns *columns, const char *text) {
  if (text == NULL) {
    return UNKNOWN;
  }
  const uint32_t *found = vkm_lookup_find(&columns->known, (uintptr_t)text, 0);
  if (found != NULL) {
    return *found;
  }
  if (!vkm_room(&columns->names, &columns->name_capacity, columns->name_count,
                sizeof *columns->names) ||
      vkm_lookup_put(&columns->known, (uintptr_t)text, 0, (uint32_t)columns->name_count) == NULL) {
    columns->text->failed = true;
    return UNKNOWN;
  }
  columns->names[columns->name_count] = text;
  return (int64_t)columns->name_count++;
}

static int64_t name_at(struct columns *columns, uint32_t index) {
  return index == VKM_TIMELINE_NONE ? UNKNOWN : name(columns, columns->timeline->names[index]);
}

static int64_t known(uint32_t value) {
  return value == VKM_TIMELINE_NONE ? UNKNOWN : (int64_t)value;
}

static int64_t sized(uint64_t bytes) {
  return bytes > INT64_MAX ? UNKNOWN : (int64_t)bytes;
}

static void append_key(struct columns *columns, const char *key) {
  vkm_text_string(columns->text, ",\"");
  vkm_text_string(columns->text, key);
  vkm_text_string(columns->text, "\":");
}

/* `summed`: what stands is the difference to the one before. */
static void append_values(struct columns *columns, const char *key, size_t first, size_t count,
                          value_of value, bool summed) {
  int64_t before = 0;
  append_key(columns, key);
  vkm_text_string(columns->text, "[");
  for (size_t i = 0; i < count; i++) {
    int64_t now = value(columns, first + i);
    vkm_text_string(columns->text, i > 0 ? "," : "");
    vkm_text_i64(columns->text, now - before);
    before = summed ? now : 0;
  }
  vkm_text_string(columns->text, "]");
}

static void append_column(struct columns *columns, const char *key, size_t first, size_t count,
                          value_of value) {
  size_t at = 0;
  while (at < count && value(columns, first + at) == UNKNOWN) {
    at++;
  }
  if (at < count) {
    append_values(columns, key, first, count, value, false);
  }
}

static void append_title(struct columns *columns, uint32_t process, const char *title) {
  vkm_text_string(columns->text, "{\"process\":");
  vkm_text_i64(columns->text, known(process));
  append_key(columns, "title");
  append_text(columns, title);
}

/* ---- calls ---- */

#define OF_CALL(what, expression)                                                                  \
  static int64_t call_##what(struct columns *columns, size_t index) {                              \
    const struct vkm_timeline_call *call = &columns->timeline->calls[index];                       \
    return expression;                                                                             \
  }
OF_CALL(begin, call->begin_ns - columns->timeline->begin_ns)
OF_CALL(length, call->end_ns - call->begin_ns)
OF_CALL(name, name(columns, call->name))
OF_CALL(submission, call->submission > 0 ? (int64_t)call->submission : UNKNOWN)
OF_CALL(bytes, sized(call->bytes))
OF_CALL(result, call->result)
OF_CALL(made, call->made > 0 ? (int64_t)call->made : UNKNOWN)
OF_CALL(hits, known(call->cache_hits))

static int64_t call_failed(struct columns *columns, size_t index) {
  int64_t result = call_result(columns, index);
  return result == 0 ? UNKNOWN : result;
}

static void append_seen(struct columns *columns, const struct vkm_timeline_thread *thread,
                        size_t count) {
  const struct vkm_timeline *timeline = columns->timeline;
  const char *separator = "";
  append_key(columns, "seen");
  vkm_text_string(columns->text, "[");
  for (size_t i = 0; i < count; i++) {
    const struct vkm_timeline_call *call = &timeline->calls[thread->first_call + i];
    if (call->seen_count == 0) {
      continue;
    }
    vkm_text_string(columns->text, separator);
    separator = ",";
    vkm_text_string(columns->text, "[");
    vkm_text_u64(columns->text, i);
    vkm_text_string(columns->text, ",[");
    for (size_t k = 0; k < call->seen_count; k++) {
      vkm_text_string(columns->text, k > 0 ? "," : "");
      vkm_text_u64(columns->text, timeline->calls[timeline->seen[call->first_seen + k]].submission);
    }
    vkm_text_string(columns->text, "]]");
  }
  vkm_text_string(columns->text, "]");
}

static void append_thread(struct columns *columns, const struct vkm_timeline_thread *thread) {
  const struct vkm_timeline *timeline = columns->timeline;
  size_t first = thread->first_call;
  size_t count = 0;
  while (count < thread->call_count &&
         timeline->calls[first + count].begin_ns < columns->until_ns) {
    count++;
  }
  struct vkm_text title;
  vkm_text_init(&title, SIZE_MAX);
  vkm_text_string(&title, thread->name != NULL ? thread->name : "thread");
  vkm_text_string(&title, " (");
  vkm_text_i64(&title, thread->tid);
  vkm_text_string(&title, ")");
  append_title(columns, thread->process, title.failed ? "" : title.data);
  columns->text->failed = columns->text->failed || title.failed;
  vkm_text_finish(&title);
  append_values(columns, "begin", first, count, call_begin, true);
  append_values(columns, "length", first, count, call_length, false);
  append_column(columns, "name", first, count, call_name);
  append_column(columns, "submission", first, count, call_submission);
  append_column(columns, "bytes", first, count, call_bytes);
  append_column(columns, "result", first, count, call_failed);
  append_column(columns, "made", first, count, call_made);
  append_column(columns, "hits", first, count, call_hits);
  append_seen(columns, thread, count);
  vkm_text_string(columns->text, "}");
}

/* ---- device work ---- */

static const char *kind_of(const struct vkm_timeline_slice *slice) {
  if (slice->kind < VKM_KIND_COUNT) {
    return vkm_kind_names[slice->kind];
  }
  return slice->kind == VKM_TIMELINE_KIND_WHOLE ? VKM_WORD_WHOLE : NULL;
}

#define OF_SLICE(what, expression)                                                                 \
  static int64_t slice_##what(struct columns *columns, size_t index) {                             \
    const struct vkm_timeline_slice *slice = &columns->timeline->slices[index];                    \
    return expression;                                                                             \
  }
OF_SLICE(begin, slice->begin_ns - columns->timeline->begin_ns)
OF_SLICE(length, slice->end_ns - slice->begin_ns)
OF_SLICE(name, name_at(columns, slice->name))
OF_SLICE(kernel, known(slice->kernel))
OF_SLICE(kind, name(columns, kind_of(slice)))
OF_SLICE(phase, name_at(columns, slice->phase))
OF_SLICE(launch, known(slice->launch))
OF_SLICE(submission, slice->submission > 0 ? (int64_t)slice->submission : UNKNOWN)
OF_SLICE(bytes, sized(slice->bytes))
OF_SLICE(id, slice->event_id > 0 ? sized(slice->event_id) : UNKNOWN)
OF_SLICE(lane, slice->lane > 0 ? (int64_t)slice->lane : UNKNOWN)

#define OF_LABEL(what, expression)                                                                 \
  static int64_t label_##what(struct columns *columns, size_t index) {                             \
    const struct vkm_timeline_label *label = &columns->timeline->labels[index];                    \
    return expression;                                                                             \
  }
OF_LABEL(begin, label->begin_ns - columns->timeline->begin_ns)
OF_LABEL(length, label->end_ns - label->begin_ns)
OF_LABEL(name, name(columns, label->name))
OF_LABEL(depth, label->depth)

static void append_labels(struct columns *columns, const struct vkm_timeline_queue *queue) {
  size_t first = queue->first_label;
  size_t count = 0;
  while (count < queue->label_count &&
         columns->timeline->labels[first + count].begin_ns < columns->until_ns) {
    count++;
  }
  if (count > 0) {
    append_key(columns, "labels");
    vkm_text_string(columns->text, "{\"count\":");
    vkm_text_u64(columns->text, count);
    append_values(columns, "begin", first, count, label_begin, true);
    append_values(columns, "length", first, count, label_length, false);
    append_column(columns, "name", first, count, label_name);
    append_values(columns, "depth", first, count, label_depth, false);
    vkm_text_string(columns->text, "}");
  }
}

static void append_instants(struct columns *columns, size_t queue) {
  const struct vkm_timeline *timeline = columns->timeline;
  const char *separator = "";
  append_key(columns, "instants");
  vkm_text_string(columns->text, "[");
  for (size_t i = 0; i < timeline->instant_count; i++) {
    const struct vkm_timeline_instant *instant = &timeline->instants[i];
    if (instant->queue == queue && instant->at_ns < columns->until_ns) {
      vkm_text_string(columns->text, separator);
      separator = ",";
      vkm_text_string(columns->text, "[");
      vkm_text_i64(columns->text, instant->at_ns - timeline->begin_ns);
      vkm_text_string(columns->text, ",");
      vkm_text_i64(columns->text, name(columns, instant->name));
      vkm_text_string(columns->text, "]");
    }
  }
  vkm_text_string(columns->text, "]");
}

static void append_queue(struct columns *columns, const struct vkm_timeline_queue *queue) {
  size_t first = queue->first_slice;
  size_t count = 0;
  while (count < queue->slice_count &&
         columns->timeline->slices[first + count].begin_ns < columns->until_ns) {
    count++;
  }
  append_title(columns, queue->process, queue->name);
  append_labels(columns, queue);
  append_instants(columns, (size_t)(queue - columns->timeline->queues));
  append_values(columns, "begin", first, count, slice_begin, true);
  append_values(columns, "length", first, count, slice_length, false);
  append_column(columns, "name", first, count, slice_name);
  append_column(columns, "kernel", first, count, slice_kernel);
  append_column(columns, "kind", first, count, slice_kind);
  append_column(columns, "phase", first, count, slice_phase);
  append_column(columns, "launch", first, count, slice_launch);
  append_column(columns, "submission", first, count, slice_submission);
  append_column(columns, "bytes", first, count, slice_bytes);
  append_column(columns, "id", first, count, slice_id);
  append_column(columns, "lane", first, count, slice_lane);
  vkm_text_string(columns->text, "}");
}

/* ---- the rest ---- */

static int64_t sample_at(struct columns *columns, size_t index) {
  return columns->timeline->samples[index].at_ns - columns->timeline->begin_ns;
}

static int64_t sample_value(struct columns *columns, size_t index) {
  return columns->timeline->samples[index].value;
}

static void append_counter(struct columns *columns, const struct vkm_timeline_counter *counter) {
  size_t first = counter->first_sample;
  size_t count = 0;
  while (count < counter->sample_count &&
         columns->timeline->samples[first + count].at_ns < columns->until_ns) {
    count++;
  }
  append_title(columns, counter->process, counter->name);
  append_key(columns, "unit");
  append_text(columns, counter->unit);
  append_values(columns, "at", first, count, sample_at, true);
  append_values(columns, "value", first, count, sample_value, true);
  vkm_text_string(columns->text, "}");
}

static void append_process(struct columns *columns, const struct vkm_timeline_process *process) {
  vkm_text_string(columns->text, "[");
  append_text(columns, process->name);
  vkm_text_string(columns->text, ",");
  vkm_text_i64(columns->text, process->pid);
  vkm_text_string(columns->text, "]");
}

static void append_kernel(struct columns *columns, const struct vkm_timeline_kernel *kernel) {
  vkm_text_string(columns->text, "[");
  vkm_text_i64(columns->text, name(columns, kernel->name));
  vkm_text_string(columns->text, ",");
  vkm_text_i64(columns->text, name(columns, kernel->identity));
  vkm_text_string(columns->text, ",");
  vkm_text_i64(columns->text, name(columns, kernel->family));
  vkm_text_string(columns->text, "]");
}

static void append_launch(struct columns *columns, const struct vkm_timeline_launch *launch) {
  for (size_t i = 0; i < 6; i++) {
    vkm_text_string(columns->text, i > 0 ? "," : "[");
    vkm_text_u64(columns->text, i < 3 ? launch->groups[i] : launch->local_size[i - 3]);
  }
  vkm_text_string(columns->text, "]");
}

#define APPEND_ALL(key, items, count, append)                                                      \
  do {                                                                                             \
    append_key(&columns, key);                                                                     \
    vkm_text_string(text, "[");                                                                    \
    for (size_t i_ = 0; i_ < (count); i_++) {                                                      \
      vkm_text_string(text, i_ > 0 ? ",\n" : "");                                                  \
      append(&columns, &(items)[i_]);                                                              \
    }                                                                                              \
    vkm_text_string(text, "]\n");                                                                  \
  } while (0)

static void append_name(struct columns *columns, const char *const *text) {
  append_text(columns, *text);
}

void vkm_html_timeline_columns(struct vkm_text *text, const struct vkm_timeline *timeline,
                               int64_t until_ns) {
  struct columns columns = {.timeline = timeline, .until_ns = until_ns, .text = text};
  vkm_text_init(&columns.part, SIZE_MAX);
  vkm_text_string(text, "\"span\":");
  vkm_text_i64(text, timeline->end_ns - timeline->begin_ns);
  APPEND_ALL("processes", timeline->processes, timeline->process_count, append_process);
  APPEND_ALL("threads", timeline->threads, timeline->thread_count, append_thread);
  APPEND_ALL("queues", timeline->queues, timeline->queue_count, append_queue);
  APPEND_ALL("counters", timeline->counters, timeline->counter_count, append_counter);
  APPEND_ALL("kernels", timeline->kernels, timeline->kernel_count, append_kernel);
  APPEND_ALL("launches", timeline->launches, timeline->launch_count, append_launch);
  APPEND_ALL("names", columns.names, columns.name_count, append_name);
  vkm_text_finish(&columns.part);
  vkm_lookup_finish(&columns.known);
  vkm_free(columns.names);
}
