/* Queues of a timeline. In: commands in order of their begin. Out: when each queue was busy. Next:
 * timeline_gaps. */
#include <stdlib.h>
#include <string.h>

#include "model/timeline_parts.h"

static bool add_part(struct vkm_queue_times *times, size_t *capacity, int64_t begin_ns,
                     int64_t end_ns) {
  if (times->part_count == *capacity) {
    size_t more = *capacity == 0 ? 16 : *capacity * 2;
    struct vkm_busy_part *parts = realloc(times->parts, more * sizeof *parts);
    if (parts == NULL) {
      return false;
    }
    memset(parts + *capacity, 0, (more - *capacity) * sizeof *parts);
    times->parts = parts;
    *capacity = more;
  }
  times->parts[times->part_count++] = (struct vkm_busy_part){begin_ns, end_ns, 0};
  return true;
}

static bool unite(const struct vkm_timeline *timeline, struct vkm_queue_times *times) {
  const struct vkm_timeline_queue *queue = times->queue;
  size_t capacity = 0;
  for (size_t i = 0; i < queue->slice_count; i++) {
    const struct vkm_timeline_slice *slice = &timeline->slices[queue->first_slice + i];
    struct vkm_busy_part *last =
        times->part_count > 0 ? &times->parts[times->part_count - 1] : NULL;
    if (last == NULL || slice->begin_ns > last->end_ns) {
      if (!add_part(times, &capacity, slice->begin_ns, slice->end_ns)) {
        return false;
      }
    } else if (slice->end_ns > last->end_ns) {
      last->end_ns = slice->end_ns;
    }
  }
  return true;
}

static void sum_up(struct vkm_queue_times *times) {
  for (size_t i = 0; i < times->part_count; i++) {
    struct vkm_busy_part *part = &times->parts[i];
    part->before_ns = times->busy_ns;
    times->busy_ns += part->end_ns - part->begin_ns;
    int64_t gap_ns = i > 0 ? part->begin_ns - part[-1].end_ns : 0;
    times->gap_count += i > 0;
    times->largest_gap_ns = gap_ns > times->largest_gap_ns ? gap_ns : times->largest_gap_ns;
  }
  if (times->part_count > 0) {
    times->span_ns = times->parts[times->part_count - 1].end_ns - times->parts[0].begin_ns;
  }
  times->idle_ns = times->span_ns - times->busy_ns;
  times->busy_share = times->span_ns > 0 ? (double)times->busy_ns / (double)times->span_ns : 0;
}

/* Submissions whose work is on the queue. `seen` has for each call the queue that it was counted
 * for, plus 1. */
static void count_submits(const struct vkm_timeline *timeline, struct vkm_queue_times *times,
                          uint32_t index, uint32_t *seen) {
  for (size_t i = 0; i < times->queue->slice_count; i++) {
    uint32_t submit = timeline->slices[times->queue->first_slice + i].submit;
    if (submit != VKM_TIMELINE_NONE && seen[submit] != index + 1) {
      seen[submit] = index + 1;
      times->submits++;
    }
  }
}

bool vkm_timeline_queues(struct vkm_timeline_report *report) {
  const struct vkm_timeline *timeline = report->timeline;
  uint32_t *seen = calloc(timeline->call_count + 1, sizeof *seen);
  report->queues = calloc(timeline->queue_count + 1, sizeof *report->queues);
  bool good = seen != NULL && report->queues != NULL;
  for (size_t i = 0; good && i < timeline->queue_count; i++) {
    const struct vkm_timeline_queue *queue = &timeline->queues[i];
    struct vkm_queue_times *times = &report->queues[report->queue_count];
    if (queue->slice_count == 0) {
      continue;
    }
    *times = (struct vkm_queue_times){.queue = queue,
                                      .process = &timeline->processes[queue->process],
                                      .commands = queue->slice_count};
    report->queue_count++;
    good = unite(timeline, times);
    if (!good) {
      break;
    }
    sum_up(times);
    count_submits(timeline, times, (uint32_t)i, seen);
  }
  free(seen);
  return good;
}

/* Busy time before a moment. */
static int64_t busy_before(const struct vkm_queue_times *times, int64_t at_ns) {
  size_t low = 0;
  size_t high = times->part_count;
  while (low < high) { /* the first part that begins at the moment or later */
    size_t middle = low + (high - low) / 2;
    if (times->parts[middle].begin_ns < at_ns) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) {
    return 0;
  }
  const struct vkm_busy_part *part = &times->parts[low - 1];
  int64_t until_ns = at_ns < part->end_ns ? at_ns : part->end_ns;
  return part->before_ns + (until_ns - part->begin_ns);
}

int64_t vkm_timeline_busy_between(const struct vkm_queue_times *times, int64_t begin_ns,
                                  int64_t end_ns) {
  return end_ns > begin_ns ? busy_before(times, end_ns) - busy_before(times, begin_ns) : 0;
}
