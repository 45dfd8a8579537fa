/* Gaps of queues. In: busy times, calls. Out: the longest times without work, and what the program
 * did meanwhile. */
#include <stdlib.h>

#include "model/timeline_parts.h"

static int64_t later(int64_t one, int64_t other) {
  return one > other ? one : other;
}

static int64_t earlier(int64_t one, int64_t other) {
  return one < other ? one : other;
}

/* The first time that ends behind a moment. */
static size_t first_behind(const struct vkm_within *times, size_t count, int64_t at_ns) {
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (times[middle].end_ns <= at_ns) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void vkm_timeline_within(const struct vkm_timeline *timeline, size_t first, size_t count,
                         struct vkm_within *times, size_t time_count) {
  int64_t outer_ns = INT64_MIN; /* what lies within a call that is counted, is counted */
  for (size_t i = first; i < first + count; i++) {
    const struct vkm_timeline_call *call = &timeline->calls[i];
    for (size_t k = first_behind(times, time_count, call->begin_ns);
         k < time_count && times[k].begin_ns < call->end_ns; k++) {
      int64_t begin_ns = later(times[k].begin_ns, call->begin_ns);
      int64_t end_ns = earlier(times[k].end_ns, call->end_ns);
      int64_t fresh_ns = end_ns - later(begin_ns, outer_ns);
      times[k].inside_ns += fresh_ns > 0 ? fresh_ns : 0;
      if (end_ns - begin_ns > times[k].cause_ns) {
        times[k].cause_ns = end_ns - begin_ns;
        times[k].cause = (uint32_t)i;
      }
    }
    outer_ns = later(outer_ns, call->end_ns);
  }
}

static bool is_shorter(const struct vkm_gap *gap, int64_t least_ns) {
  return gap->end_ns - gap->begin_ns < least_ns;
}

/* The gaps of a queue, in order of time. */
static size_t find(const struct vkm_timeline *timeline, const struct vkm_queue_times *times,
                   struct vkm_gap *gaps) {
  const struct vkm_timeline_queue *queue = times->queue;
  size_t count = 0;
  size_t last = queue->first_slice; /* the one that ends last so far */
  for (size_t i = queue->first_slice + 1; i < queue->first_slice + queue->slice_count; i++) {
    int64_t end_ns = timeline->slices[last].end_ns;
    if (timeline->slices[i].begin_ns > end_ns) {
      gaps[count++] = (struct vkm_gap){.times = times,
                                       .begin_ns = end_ns,
                                       .end_ns = timeline->slices[i].begin_ns,
                                       .before = last,
                                       .after = i,
                                       .cause = VKM_TIMELINE_NONE};
    }
    last = timeline->slices[i].end_ns >= end_ns ? i : last;
  }
  return count;
}

static bool find_causes(const struct vkm_timeline *timeline, struct vkm_gap *gaps, size_t count,
                        uint32_t process) {
  struct vkm_within *within = malloc((count + 1) * sizeof *within);
  if (within == NULL) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    within[i] = (struct vkm_within){gaps[i].begin_ns, gaps[i].end_ns, VKM_TIMELINE_NONE, 0, 0};
  }
  for (size_t i = 0; i < timeline->thread_count; i++) {
    const struct vkm_timeline_thread *thread = &timeline->threads[i];
    if (thread->process == process) {
      vkm_timeline_within(timeline, thread->first_call, thread->call_count, within, count);
    }
  }
  for (size_t i = 0; i < count; i++) {
    gaps[i].cause = within[i].cause;
    gaps[i].cause_ns = within[i].cause_ns;
  }
  free(within);
  return true;
}

/* For each submit the wait that was the first to return knowing that it had finished. */
static uint32_t *first_waits(const struct vkm_timeline *timeline) {
  uint32_t *waits = malloc((timeline->call_count + 1) * sizeof *waits);
  for (size_t i = 0; waits != NULL && i < timeline->call_count; i++) {
    waits[i] = VKM_TIMELINE_NONE;
  }
  for (size_t i = 0; waits != NULL && i < timeline->call_count; i++) {
    const struct vkm_timeline_call *call = &timeline->calls[i];
    for (size_t k = 0; k < call->seen_count; k++) {
      uint32_t *wait = &waits[timeline->seen[call->first_seen + k]];
      if (*wait == VKM_TIMELINE_NONE || call->end_ns < timeline->calls[*wait].end_ns) {
        *wait = (uint32_t)i;
      }
    }
  }
  return waits;
}

/* Where the time of a gap went, one after the other. */
static void take_apart(const struct vkm_timeline *timeline, const uint32_t *waits,
                       struct vkm_gap *gap) {
  uint32_t submit = timeline->slices[gap->after].submit;
  uint32_t finished = timeline->slices[gap->before].submit;
  int64_t at_ns = gap->begin_ns;
  if (submit == VKM_TIMELINE_NONE) {
    return;
  }
  const struct vkm_timeline_call *call = &timeline->calls[submit];
  uint32_t wait = finished == VKM_TIMELINE_NONE ? VKM_TIMELINE_NONE : waits[finished];
  gap->has_submit = true;
  if (wait != VKM_TIMELINE_NONE && timeline->calls[wait].end_ns > at_ns &&
      timeline->calls[wait].end_ns <= call->begin_ns) {
    gap->has_wait = true;
    gap->wait_ns = earlier(timeline->calls[wait].end_ns, gap->end_ns) - at_ns;
    at_ns += gap->wait_ns;
  }
  int64_t began_ns = earlier(later(call->begin_ns, at_ns), gap->end_ns);
  int64_t returned_ns = earlier(later(call->end_ns, began_ns), gap->end_ns);
  gap->program_ns = began_ns - at_ns;
  gap->submit_ns = returned_ns - began_ns;
  gap->launch_ns = gap->end_ns - returned_ns;
}

static int by_length(const void *a, const void *b) {
  const struct vkm_gap *left = a;
  const struct vkm_gap *right = b;
  int64_t one = left->end_ns - left->begin_ns;
  int64_t other = right->end_ns - right->begin_ns;
  if (one != other) {
    return one > other ? -1 : 1;
  }
  return (left->after > right->after) - (left->after < right->after);
}

bool vkm_timeline_gaps(struct vkm_timeline_report *report,
                       const struct vkm_timeline_settings *settings) {
  const struct vkm_timeline *timeline = report->timeline;
  size_t most = 0;
  for (size_t i = 0; i < report->queue_count; i++) {
    most += (size_t)report->queues[i].gap_count;
  }
  uint32_t *waits = first_waits(timeline);
  report->gaps = malloc((most + 1) * sizeof *report->gaps);
  bool good = waits != NULL && report->gaps != NULL;
  for (size_t i = 0; good && i < report->queue_count; i++) {
    const struct vkm_queue_times *times = &report->queues[i];
    struct vkm_gap *gaps = report->gaps + report->gap_count;
    size_t count = find(timeline, times, gaps);
    size_t kept = 0;
    good = find_causes(timeline, gaps, count, times->queue->process);
    for (size_t k = 0; k < count; k++) {
      take_apart(timeline, waits, &gaps[k]);
      if (!is_shorter(&gaps[k], settings->min_gap_ns)) {
        gaps[kept++] = gaps[k];
      }
    }
    report->gap_count += kept;
    report->short_gaps += count - kept;
  }
  if (good && report->gap_count > 1) {
    qsort(report->gaps, report->gap_count, sizeof *report->gaps, by_length);
  }
  free(waits);
  return good;
}
