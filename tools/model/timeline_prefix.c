/* How much of a timeline fits. In: a trace that was read. Out: until when it is shown. Next:
 * views/html_timeline. */
#include "model/timeline_prefix.h"

/* What begins before a time. */
static size_t count_before(const struct vkm_timeline *timeline, int64_t until_ns) {
  size_t count = 0;
  for (size_t i = 0; i < timeline->call_count; i++) {
    count += timeline->calls[i].begin_ns < until_ns;
  }
  for (size_t i = 0; i < timeline->slice_count; i++) {
    count += timeline->slices[i].begin_ns < until_ns;
  }
  for (size_t i = 0; i < timeline->label_count; i++) {
    count += timeline->labels[i].begin_ns < until_ns;
  }
  for (size_t i = 0; i < timeline->sample_count; i++) {
    count += timeline->samples[i].at_ns < until_ns;
  }
  return count;
}

struct vkm_timeline_prefix vkm_timeline_prefix(const struct vkm_timeline *timeline, size_t most) {
  struct vkm_timeline_prefix prefix = {.ended = !timeline->cut};
  int64_t low = timeline->begin_ns;
  int64_t high = INT64_MAX; /* values may stand behind the last call */
  if (count_before(timeline, high) > most) {
    high = timeline->end_ns + 1;
    while (high - low > 1) {
      int64_t middle = low + (high - low) / 2;
      if (count_before(timeline, middle) <= most) {
        low = middle;
      } else {
        high = middle;
      }
    }
    high = low;
  }
  size_t all =
      timeline->call_count + timeline->slice_count + timeline->label_count + timeline->sample_count;
  prefix.until_ns = high;
  prefix.shown = count_before(timeline, high);
  prefix.left_out = all - prefix.shown;
  prefix.length_ns = (high < timeline->end_ns ? high : timeline->end_ns) - timeline->begin_ns;
  for (size_t i = 0; i < timeline->process_count; i++) {
    const struct vkm_timeline_process *process = &timeline->processes[i];
    prefix.dropped += process->dropped[0] + process->dropped[1] + process->dropped[2];
    prefix.ended = prefix.ended && process->has_counts;
  }
  return prefix;
}
