/* Intervals of a queue onto lanes: two that overlap never share one. A lane knows its latest
 * intervals, and of the others when the last of them ended. */
#include "timeline/trace_write_parts.h"

/* An interval that lies before one that came earlier may not even touch it: of a begin and an end
 * at one time viewers take the begin first, when it came first. */
static bool conflicts(const struct vkm_trace_lane *lane, int64_t begin_ns, int64_t end_ns) {
  if (begin_ns >= lane->until_ns) {
    return false;
  }
  if (begin_ns < lane->forgotten_ns) {
    return true;
  }
  uint32_t known =
      lane->count < VKM_TRACE_LANE_RECENT ? lane->count : (uint32_t)VKM_TRACE_LANE_RECENT;
  for (uint32_t i = 0; i < known; i++) {
    if (begin_ns < lane->recent[i].end_ns && lane->recent[i].begin_ns <= end_ns) {
      return true;
    }
  }
  return false;
}

uint32_t vkm_trace_lane_find(const struct vkm_trace_known_queue *queue, int64_t begin_ns,
                             int64_t end_ns) {
  for (uint32_t i = 0; i < VKM_TRACE_LANES; i++) {
    if (!conflicts(&queue->lanes[i], begin_ns, end_ns)) {
      return i;
    }
  }
  return VKM_TRACE_LANES;
}

void vkm_trace_lane_take(struct vkm_trace_known_queue *queue, uint32_t at, int64_t begin_ns,
                         int64_t end_ns) {
  struct vkm_trace_lane *lane = &queue->lanes[at];
  uint32_t place = lane->count % VKM_TRACE_LANE_RECENT;
  if (lane->count >= VKM_TRACE_LANE_RECENT && lane->recent[place].end_ns > lane->forgotten_ns) {
    lane->forgotten_ns = lane->recent[place].end_ns;
  }
  lane->recent[place].begin_ns = begin_ns;
  lane->recent[place].end_ns = end_ns;
  lane->count = lane->count + 1 == UINT32_MAX ? VKM_TRACE_LANE_RECENT : lane->count + 1;
  if (end_ns > lane->until_ns) {
    lane->until_ns = end_ns;
  }
}
