/* In: any bytes, read as a trace. Out: nothing; a crash, a sanitizer report or an abort is a fault
 * of src/timeline/trace_*, or of what the command makes of a trace. Refused is allowed, with a
 * reason; of what is accepted every index has to point somewhere and every promised order has to
 * hold. What is merged with another trace has as many packets as both. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "fuzz_target.h"
#include "model/timeline.h"
#include "timeline/trace_merge.h"
#include "views/trace_views.h"

size_t fuzz_accepted;

static void check(bool holds, const char *what) {
  if (!holds) {
    (void)fprintf(stderr, "does not hold: %s\n", what);
    abort();
  }
}

static bool points(uint32_t index, size_t count) {
  return index == VKM_TIMELINE_NONE || index < count;
}

static void check_calls(const struct vkm_timeline *timeline) {
  for (size_t i = 0; i < timeline->call_count; i++) {
    const struct vkm_timeline_call *call = &timeline->calls[i];
    check(call->thread < timeline->thread_count && call->name != NULL, "call");
    check(call->begin_ns <= call->end_ns, "a call ends behind its begin");
    check(call->call <= VKM_CALL_COUNT, "which call");
    check(call->first_seen + call->seen_count <= timeline->seen_count, "what a call saw");
    check(i == 0 || call[-1].thread < call->thread ||
              (call[-1].thread == call->thread && call[-1].begin_ns <= call->begin_ns),
          "order of calls");
  }
  for (size_t i = 0; i < timeline->seen_count; i++) {
    check(timeline->seen[i] < timeline->call_count, "seen");
  }
  size_t calls = 0;
  for (size_t i = 0; i < timeline->thread_count; i++) {
    const struct vkm_timeline_thread *thread = &timeline->threads[i];
    check(thread->process < timeline->process_count && thread->first_call == calls, "thread");
    calls += thread->call_count;
  }
  check(calls == timeline->call_count, "each call is of one thread");
}

static void check_slices(const struct vkm_timeline *timeline) {
  for (size_t i = 0; i < timeline->slice_count; i++) {
    const struct vkm_timeline_slice *slice = &timeline->slices[i];
    check(slice->queue < timeline->queue_count && slice->name < timeline->name_count &&
              points(slice->kernel, timeline->kernel_count) &&
              points(slice->phase, timeline->name_count) &&
              points(slice->launch, timeline->launch_count) &&
              points(slice->submit, timeline->call_count),
          "slice");
    check(slice->begin_ns <= slice->end_ns, "a slice ends behind its begin");
    check(i == 0 || slice[-1].queue < slice->queue ||
              (slice[-1].queue == slice->queue && slice[-1].begin_ns <= slice->begin_ns),
          "order of slices");
  }
  size_t slices = 0;
  size_t labels = 0;
  for (size_t i = 0; i < timeline->queue_count; i++) {
    const struct vkm_timeline_queue *queue = &timeline->queues[i];
    check(queue->process < timeline->process_count && queue->name != NULL, "queue");
    check(queue->slice_count == 0 || queue->first_slice == slices, "slices of a queue");
    check(queue->label_count == 0 || queue->first_label == labels, "labels of a queue");
    slices += queue->slice_count;
    labels += queue->label_count;
  }
  check(slices == timeline->slice_count && labels == timeline->label_count, "of one queue each");
}

static void check_rest(const struct vkm_timeline *timeline) {
  for (size_t i = 0; i < timeline->kernel_count; i++) {
    const struct vkm_timeline_kernel *kernel = &timeline->kernels[i];
    check(kernel->process < timeline->process_count && kernel->name != NULL &&
              kernel->first_fact + kernel->fact_count <= timeline->fact_count,
          "kernel");
  }
  for (size_t i = 0; i < timeline->fact_count; i++) {
    const struct vkm_timeline_fact *fact = &timeline->facts[i];
    check(fact->name != NULL && (fact->type != VKM_TIMELINE_TEXT || fact->text != NULL), "fact");
  }
  for (size_t i = 0; i < timeline->sample_count; i++) {
    check(timeline->samples[i].counter < timeline->counter_count, "sample");
  }
  for (size_t i = 0; i < timeline->instant_count; i++) {
    check(points(timeline->instants[i].queue, timeline->queue_count) &&
              timeline->instants[i].name != NULL,
          "instant");
  }
  for (size_t i = 0; i < timeline->process_count; i++) {
    check(timeline->processes[i].name != NULL, "process");
  }
}

/* Parts of a gap make it up; every format takes the names. */
static void show(const struct vkm_timeline *timeline) {
  const struct vkm_timeline_settings settings = {.min_gap_ns = 0};
  const struct vkm_view_settings view = {.color = VKM_COLOR_NEVER, .width = 60};
  struct vkm_timeline_report report;
  struct vkm_text text;
  if (!vkm_timeline_report_build(&report, timeline, &settings)) {
    return;
  }
  for (size_t i = 0; i < report.gap_count; i++) {
    const struct vkm_gap *gap = &report.gaps[i];
    int64_t sum_ns = gap->wait_ns + gap->program_ns + gap->submit_ns + gap->launch_ns;
    check(!gap->has_submit || sum_ns == gap->end_ns - gap->begin_ns, "parts of a gap");
    check(gap->cause_ns <= gap->end_ns - gap->begin_ns, "cause of a gap");
  }
  for (size_t i = 0; i < report.queue_count; i++) {
    check(report.queues[i].busy_ns >= 0 && report.queues[i].idle_ns >= 0, "a queue's times");
  }
  vkm_text_init(&text, SIZE_MAX);
  for (size_t i = 0; i < vkm_trace_view_count; i++) {
    vkm_trace_views[i]->print(&report, "x", &view, &text);
  }
  check(text.failed || text.length_bytes > 0, "something is shown");
  vkm_text_finish(&text);
  vkm_timeline_report_finish(&report);
}

static bool count_bytes(void *context, const void *bytes, size_t length) {
  size_t *count = context;
  (void)bytes;
  *count += length;
  return true;
}

/* With a trace of one packet that is always the same. */
static void merge(const uint8_t *data, size_t size, const struct vkm_timeline *timeline) {
  static const uint8_t other[] = {0x0A, 0x02, 0x50, 0x4D};
  char paths[2][32];
  const char *const names[] = {paths[0], paths[1]};
  int files[2] = {memfd_create("one", MFD_CLOEXEC), memfd_create("other", MFD_CLOEXEC)};
  struct vkm_merge_result result;
  struct vkm_merge_error error;
  size_t written = 0;
  for (size_t i = 0; i < 2; i++) {
    snprintf(paths[i], sizeof paths[i], "/proc/self/fd/%d", files[i]);
  }
  if (files[0] >= 0 && files[1] >= 0 && write(files[0], data, size) == (ssize_t)size &&
      write(files[1], other, sizeof other) == (ssize_t)sizeof other) {
    enum vkm_status status = vkm_trace_merge(names, 2, count_bytes, &written, &result, &error);
    check(status != VKM_OK || result.packets == timeline->packets + 1, "all packets");
    check(status == VKM_OK || status == VKM_BAD_INPUT, "a status of merging");
  }
  (void)close(files[0]);
  (void)close(files[1]);
}

/* Once with all the memory there is, once with one request refused. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct vkm_timeline timeline;
  struct vkm_timeline_error error = {"", NULL};
  enum vkm_status status = vkm_timeline_read_bytes(data, size, &timeline, &error);
  if (status == VKM_OK) {
    check_calls(&timeline);
    check_slices(&timeline);
    check_rest(&timeline);
    show(&timeline);
    if (size % 8 == 0) {
      merge(data, size, &timeline);
    }
    fuzz_accepted += !timeline.cut && timeline.damaged == 0; /* nearly all is read in part */
  } else {
    check(status == VKM_BAD_INPUT && error.cause[0] != 0 && error.remedy != NULL, "a reason");
  }
  vkm_timeline_finish(&timeline);
  vkm_alloc_fail(1 + (size * 31 + (size > 0 ? data[size / 2] : 0)) % 128, 1);
  status = vkm_timeline_read_bytes(data, size, &timeline, &error);
  vkm_alloc_fail(0, 0);
  check(status == VKM_OK || status == VKM_BAD_INPUT || status == VKM_OUT_OF_MEMORY, "a status");
  vkm_timeline_finish(&timeline);
  return 0;
}
