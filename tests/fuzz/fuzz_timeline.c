/* In: any bytes, read as a trace. Out: nothing; a crash, a sanitizer report or an abort is a fault
 * of src/timeline/trace_read*. Refused is allowed, with a reason; of what is accepted every index
 * has to point somewhere and every promised order has to hold. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "fuzz_target.h"
#include "timeline/trace_read.h"

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

/* Once with all the memory there is, once with one request refused. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct vkm_timeline timeline;
  struct vkm_timeline_error error = {"", NULL};
  enum vkm_status status = vkm_timeline_read_bytes(data, size, &timeline, &error);
  if (status == VKM_OK) {
    check_calls(&timeline);
    check_slices(&timeline);
    check_rest(&timeline);
    fuzz_accepted++;
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
