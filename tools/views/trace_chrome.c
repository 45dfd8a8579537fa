/* A timeline in the format of chrome://tracing, which Perfetto's viewer reads as well. In: the
 * trace itself. Out: one JSON object; times in µs with three decimals, so that no ns is lost. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "views/members.h"
#include "views/trace_views.h"

struct chrome {
  const struct vkm_timeline *timeline;
  struct vkm_text *text;
  uint64_t flows;
};

static int32_t pid_of(const struct vkm_timeline *timeline, uint32_t process) {
  return timeline->processes[process].pid;
}

static void append_us(struct vkm_text *text, const char *name, int64_t ns) {
  char number[48];
  vkm_member_key(text, name);
  snprintf(number, sizeof number, "%s%" PRIu64 ".%03u", ns < 0 ? "-" : "",
           (uint64_t)(ns < 0 ? -ns : ns) / 1000, (unsigned)((ns < 0 ? -ns : ns) % 1000));
  vkm_text_string(text, number);
}

static void begin(struct chrome *chrome, const char *phase, const char *name, int32_t pid,
                  uint64_t tid) {
  vkm_text_string(chrome->text,
                  chrome->text->data[chrome->text->length_bytes - 1] == '[' ? "\n {" : ",\n {");
  vkm_member_text(chrome->text, "ph", phase);
  vkm_member_text(chrome->text, "name", name);
  vkm_member_number(chrome->text, "pid", true, pid);
  vkm_member_count(chrome->text, "tid", tid);
}

static void end(struct chrome *chrome) {
  vkm_text_string(chrome->text, "}");
}

static void append_meta(struct chrome *chrome, const char *what, int32_t pid, uint64_t tid,
                        const char *name, const char *more) {
  begin(chrome, "M", what, pid, tid);
  vkm_member_open(chrome->text, "args", "{");
  struct vkm_text whole;
  vkm_text_init(&whole, SIZE_MAX);
  vkm_text_string(&whole, name);
  vkm_text_string(&whole, more);
  vkm_member_text(chrome->text, "name", whole.data == NULL ? "" : whole.data);
  chrome->text->failed = chrome->text->failed || whole.failed;
  vkm_text_finish(&whole);
  vkm_text_string(chrome->text, "}");
  end(chrome);
}

static void append_names(struct chrome *chrome) {
  const struct vkm_timeline *timeline = chrome->timeline;
  for (size_t i = 0; i < timeline->process_count; i++) {
    append_meta(chrome, "process_name", timeline->processes[i].pid, 0, timeline->processes[i].name,
                "");
  }
  for (size_t i = 0; i < timeline->thread_count; i++) {
    const struct vkm_timeline_thread *thread = &timeline->threads[i];
    append_meta(chrome, "thread_name", pid_of(timeline, thread->process), (uint32_t)thread->tid,
                thread->name == NULL ? "thread" : thread->name, "");
  }
  for (size_t i = 0; i < timeline->queue_count; i++) {
    const struct vkm_timeline_queue *queue = &timeline->queues[i];
    bool there[VKM_TIMELINE_LABELS + 1] = {false};
    for (size_t k = 0; k < queue->slice_count; k++) {
      there[timeline->slices[queue->first_slice + k].lane] = true;
    }
    for (unsigned lane = 0; lane < VKM_TIMELINE_LABELS; lane++) {
      char more[16] = "";
      if (lane > 0) {
        snprintf(more, sizeof more, " lane %u", lane + 1);
      }
      if (there[lane]) {
        append_meta(chrome, "thread_name", pid_of(timeline, queue->process),
                    vkm_timeline_lane((uint32_t)i, lane), queue->name, more);
      }
    }
    if (queue->label_count > 0) {
      append_meta(chrome, "thread_name", pid_of(timeline, queue->process),
                  vkm_timeline_lane((uint32_t)i, VKM_TIMELINE_LABELS), queue->name, " labels");
    }
  }
}

static void append_span(struct chrome *chrome, const char *category, const char *name, int32_t pid,
                        uint64_t tid, int64_t begin_ns, int64_t end_ns) {
  begin(chrome, "X", name, pid, tid);
  vkm_member_text(chrome->text, "cat", category);
  append_us(chrome->text, "ts", begin_ns);
  append_us(chrome->text, "dur", end_ns - begin_ns);
}

static void append_calls(struct chrome *chrome) {
  const struct vkm_timeline *timeline = chrome->timeline;
  struct vkm_text *text = chrome->text;
  for (size_t i = 0; i < timeline->call_count; i++) {
    const struct vkm_timeline_call *call = &timeline->calls[i];
    const struct vkm_timeline_thread *thread = &timeline->threads[call->thread];
    append_span(chrome, "vulkan", call->name, pid_of(timeline, thread->process),
                (uint32_t)thread->tid, call->begin_ns, call->end_ns);
    vkm_member_open(text, "args", "{");
    if (call->submission != 0) {
      vkm_member_count(text, "submission", call->submission);
    }
    if (call->result != 0) {
      vkm_member_number(text, "result", true, call->result);
    }
    if (call->bytes != UINT64_MAX) {
      vkm_member_count(text, "bytes", call->bytes);
    }
    if (call->made != 0) {
      vkm_member_count(text, "made", call->made);
    }
    if (call->cache_hits != VKM_TIMELINE_NONE) {
      vkm_member_count(text, "cache_hits", call->cache_hits);
    }
    vkm_text_string(text, "}");
    end(chrome);
  }
}

static void append_sizes(struct vkm_text *text, const char *name, const uint32_t sizes[3]) {
  char value[64];
  if (sizes[0] != 0) {
    snprintf(value, sizeof value, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, sizes[0], sizes[1], sizes[2]);
    vkm_member_text(text, name, value);
  }
}

static void append_command(struct chrome *chrome, const struct vkm_timeline_slice *slice) {
  const struct vkm_timeline *timeline = chrome->timeline;
  struct vkm_text *text = chrome->text;
  vkm_member_open(text, "args", "{");
  vkm_member_text(text, "kind", vkm_timeline_slice_kind(timeline, slice));
  if (slice->event_id != 0) {
    vkm_member_count(text, "event_id", slice->event_id);
  }
  if (slice->submission != 0) {
    vkm_member_count(text, "submission", slice->submission);
  }
  if (slice->kernel != VKM_TIMELINE_NONE) {
    const struct vkm_timeline_kernel *kernel = &timeline->kernels[slice->kernel];
    vkm_member_text(text, "identity", kernel->identity);
    vkm_member_text(text, "family", kernel->family);
  }
  if (slice->phase != VKM_TIMELINE_NONE) {
    vkm_member_text(text, "phase", timeline->names[slice->phase]);
  }
  if (slice->launch != VKM_TIMELINE_NONE) {
    append_sizes(text, "groups", timeline->launches[slice->launch].groups);
    append_sizes(text, "local_size", timeline->launches[slice->launch].local_size);
  }
  if (slice->bytes != UINT64_MAX) {
    vkm_member_count(text, "bytes", slice->bytes);
  }
  vkm_text_string(text, "}");
}

static void append_slices(struct chrome *chrome) {
  const struct vkm_timeline *timeline = chrome->timeline;
  for (size_t i = 0; i < timeline->slice_count; i++) {
    const struct vkm_timeline_slice *slice = &timeline->slices[i];
    append_span(chrome, "gpu", timeline->names[slice->name],
                pid_of(timeline, timeline->queues[slice->queue].process),
                vkm_timeline_lane(slice->queue, slice->lane), slice->begin_ns, slice->end_ns);
    append_command(chrome, slice);
    end(chrome);
  }
  for (size_t i = 0; i < timeline->label_count; i++) {
    const struct vkm_timeline_label *label = &timeline->labels[i];
    append_span(
        chrome, "label", label->name, pid_of(timeline, timeline->queues[label->queue].process),
        vkm_timeline_lane(label->queue, VKM_TIMELINE_LABELS), label->begin_ns, label->end_ns);
    end(chrome);
  }
}

/* One arrow: it starts within what stands at `from_ns`, ends within what stands at `to_ns`. */
static void append_flow(struct chrome *chrome, int32_t pid, uint64_t from, int64_t from_ns,
                        uint64_t to, int64_t to_ns) {
  chrome->flows++;
  for (int ends = 0; ends < 2; ends++) {
    begin(chrome, ends ? "f" : "s", "submission", pid, ends ? to : from);
    vkm_member_text(chrome->text, "cat", "flow");
    vkm_member_count(chrome->text, "id", chrome->flows);
    if (ends) {
      vkm_member_text(chrome->text, "bp", "e");
    }
    append_us(chrome->text, "ts", ends ? to_ns : from_ns);
    end(chrome);
  }
}

/* The slices that each submit begins and ends with. */
static bool find_ends(const struct vkm_timeline *timeline, uint32_t **first, uint32_t **last) {
  size_t size = (timeline->call_count + 1) * sizeof **first;
  *first = malloc(size);
  *last = malloc(size);
  if (*first == NULL || *last == NULL) {
    return false;
  }
  memset(*first, 0xFF, size);
  memset(*last, 0xFF, size);
  for (size_t i = 0; i < timeline->slice_count; i++) {
    const struct vkm_timeline_slice *slice = &timeline->slices[i];
    if (slice->submit == VKM_TIMELINE_NONE) {
      continue;
    }
    uint32_t *one = &(*first)[slice->submit];
    uint32_t *other = &(*last)[slice->submit];
    if (*one == VKM_TIMELINE_NONE || slice->begin_ns < timeline->slices[*one].begin_ns) {
      *one = (uint32_t)i;
    }
    if (*other == VKM_TIMELINE_NONE || slice->end_ns >= timeline->slices[*other].end_ns) {
      *other = (uint32_t)i;
    }
  }
  return true;
}

static void append_call_flows(struct chrome *chrome, const struct vkm_timeline_call *call,
                              const uint32_t *first, const uint32_t *last) {
  const struct vkm_timeline *timeline = chrome->timeline;
  const struct vkm_timeline_thread *thread = &timeline->threads[call->thread];
  uint32_t begins = first[call - timeline->calls];
  int32_t pid = pid_of(timeline, thread->process);
  if (begins != VKM_TIMELINE_NONE) {
    const struct vkm_timeline_slice *slice = &timeline->slices[begins];
    append_flow(chrome, pid, (uint32_t)thread->tid, call->begin_ns,
                vkm_timeline_lane(slice->queue, slice->lane), slice->begin_ns);
  }
  for (size_t k = 0; k < call->seen_count; k++) {
    uint32_t ends = last[timeline->seen[call->first_seen + k]];
    if (ends != VKM_TIMELINE_NONE) {
      const struct vkm_timeline_slice *slice = &timeline->slices[ends];
      int64_t to_ns = slice->begin_ns > call->begin_ns ? slice->begin_ns : call->begin_ns;
      append_flow(chrome, pid, vkm_timeline_lane(slice->queue, slice->lane), slice->begin_ns,
                  (uint32_t)thread->tid, to_ns < call->end_ns ? to_ns : call->end_ns);
    }
  }
}

static void append_flows(struct chrome *chrome) {
  const struct vkm_timeline *timeline = chrome->timeline;
  uint32_t *first = NULL;
  uint32_t *last = NULL;
  bool good = find_ends(timeline, &first, &last);
  for (size_t i = 0; good && i < timeline->call_count; i++) {
    append_call_flows(chrome, &timeline->calls[i], first, last);
  }
  chrome->text->failed = chrome->text->failed || !good;
  free(first);
  free(last);
}

static void append_rest(struct chrome *chrome) {
  const struct vkm_timeline *timeline = chrome->timeline;
  for (size_t i = 0; i < timeline->sample_count; i++) {
    const struct vkm_timeline_sample *sample = &timeline->samples[i];
    const struct vkm_timeline_counter *counter = &timeline->counters[sample->counter];
    begin(chrome, "C", counter->name, pid_of(timeline, counter->process), 0);
    append_us(chrome->text, "ts", sample->at_ns);
    vkm_member_open(chrome->text, "args", "{");
    vkm_member_key(chrome->text, counter->unit[0] ? counter->unit : "value");
    vkm_text_i64(chrome->text, sample->value);
    vkm_text_string(chrome->text, "}");
    end(chrome);
  }
  for (size_t i = 0; i < timeline->instant_count; i++) {
    const struct vkm_timeline_instant *instant = &timeline->instants[i];
    bool placed = instant->queue != VKM_TIMELINE_NONE;
    begin(chrome, "i", instant->name,
          placed ? pid_of(timeline, timeline->queues[instant->queue].process) : 0,
          placed ? vkm_timeline_lane(instant->queue, VKM_TIMELINE_LABELS) : 0);
    append_us(chrome->text, "ts", instant->at_ns);
    vkm_member_text(chrome->text, "s", placed ? "t" : "g");
    end(chrome);
  }
}

static void print(const struct vkm_timeline_report *report, const char *path,
                  const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct chrome chrome = {report->timeline, text, 0};
  (void)path;
  (void)settings;
  vkm_text_string(text, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"tool\":\"vkmeter " VKM_VERSION
                        "\",\"clock\":\"CLOCK_MONOTONIC\"},\n\"traceEvents\":[");
  if (text->failed) {
    return;
  }
  append_names(&chrome);
  append_calls(&chrome);
  append_slices(&chrome);
  append_flows(&chrome);
  append_rest(&chrome);
  vkm_text_string(text, "\n]}\n");
}

const struct vkm_trace_view vkm_trace_chrome = {
    "chrome", "the trace itself, for chrome://tracing and Perfetto's viewer", true, print};
