/* Times between submits. In: calls in order. Out: where a thread let a queue starve. */
#include <stdlib.h>

#include "model/timeline_parts.h"

/* For each submit the queue of the first thing that it submitted: its place in the report, plus 1.
 */
static uint32_t *queues_of(const struct vkm_timeline_report *report) {
  const struct vkm_timeline *timeline = report->timeline;
  uint32_t *queues = calloc(timeline->call_count + 1, sizeof *queues);
  for (size_t i = 0; queues != NULL && i < report->queue_count; i++) {
    const struct vkm_timeline_queue *queue = report->queues[i].queue;
    for (size_t k = 0; k < queue->slice_count; k++) {
      uint32_t submit = timeline->slices[queue->first_slice + k].submit;
      if (submit != VKM_TIMELINE_NONE && queues[submit] == 0) {
        queues[submit] = (uint32_t)i + 1;
      }
    }
  }
  return queues;
}

static struct vkm_submit_gap between(const struct vkm_timeline_report *report, size_t before,
                                     size_t after, uint32_t queue) {
  const struct vkm_timeline *timeline = report->timeline;
  int64_t begin_ns = timeline->calls[before].end_ns;
  int64_t end_ns = timeline->calls[after].begin_ns;
  struct vkm_within within = {begin_ns, end_ns, VKM_TIMELINE_NONE, 0, 0};
  vkm_timeline_within(timeline, before + 1, after - before - 1, &within, 1);
  struct vkm_submit_gap gap = {.before = (uint32_t)before,
                               .after = (uint32_t)after,
                               .gap_ns = end_ns - begin_ns,
                               .has_queue = queue > 0,
                               .inside_ns = within.inside_ns,
                               .outside_ns = end_ns - begin_ns - within.inside_ns,
                               .cause = within.cause,
                               .cause_ns = within.cause_ns};
  if (gap.has_queue) {
    gap.starved_ns =
        gap.gap_ns - vkm_timeline_busy_between(&report->queues[queue - 1], begin_ns, end_ns);
  }
  return gap;
}

static int by_starved(const void *a, const void *b) {
  const struct vkm_submit_gap *left = a;
  const struct vkm_submit_gap *right = b;
  if (left->starved_ns != right->starved_ns) {
    return left->starved_ns > right->starved_ns ? -1 : 1;
  }
  if (left->gap_ns != right->gap_ns) {
    return left->gap_ns > right->gap_ns ? -1 : 1;
  }
  return (left->after > right->after) - (left->after < right->after);
}

bool vkm_timeline_submits(struct vkm_timeline_report *report,
                          const struct vkm_timeline_settings *settings) {
  const struct vkm_timeline *timeline = report->timeline;
  size_t most = 0;
  for (size_t i = 0; i < timeline->call_count; i++) {
    most += vkm_timeline_is_submit(&timeline->calls[i]);
  }
  uint32_t *queues = queues_of(report);
  report->submits = malloc((most + 1) * sizeof *report->submits);
  bool good = queues != NULL && report->submits != NULL;
  size_t last = SIZE_MAX;
  for (size_t i = 0; good && i < timeline->call_count; i++) {
    const struct vkm_timeline_call *call = &timeline->calls[i];
    if (!vkm_timeline_is_submit(call)) {
      continue;
    }
    if (last != SIZE_MAX && timeline->calls[last].thread == call->thread &&
        call->begin_ns > timeline->calls[last].end_ns &&
        call->begin_ns - timeline->calls[last].end_ns >= settings->min_gap_ns) {
      report->submits[report->submit_count++] = between(report, last, i, queues[i]);
    }
    last = i;
  }
  if (good && report->submit_count > 1) {
    qsort(report->submits, report->submit_count, sizeof *report->submits, by_starved);
  }
  free(queues);
  return good;
}
