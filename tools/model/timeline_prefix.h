/* How much of a timeline fits where only so much does: all that begins before a time. In: a trace
 * that was read. Next: views. Main thread. */
#ifndef VKM_TOOLS_MODEL_TIMELINE_PREFIX_H
#define VKM_TOOLS_MODEL_TIMELINE_PREFIX_H

#include "timeline/trace_read.h"

struct vkm_timeline_prefix {
  int64_t until_ns;       /* what begins before is in it */
  int64_t length_ns;      /* from the begin of the timeline until then */
  size_t shown, left_out; /* calls, commands, labels and values of counters */
  uint64_t dropped;       /* events that the trace itself lacks */
  bool ended;             /* each process said in the end what it lacks */
};

/* The longest one with at most `most` of these. */
struct vkm_timeline_prefix vkm_timeline_prefix(const struct vkm_timeline *timeline, size_t most);

#endif
