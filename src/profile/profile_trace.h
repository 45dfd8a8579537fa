/* What the profile says of the timeline beside it. In: layer/trace.c, profile_read. Plain data. */
#ifndef VKM_PROFILE_PROFILE_TRACE_H
#define VKM_PROFILE_PROFILE_TRACE_H

#include <stdint.h>

/* Events: calls, GPU commands, counters and so on. At the end of a run `events` is `written` and
 * all that was dropped; before, some wait. */
struct vkm_profile_trace {
  const char *path;   /* borrowed; NULL: there is no file, see the reason */
  const char *style;  /* static */
  const char *failed; /* why writing ended early, borrowed; NULL: it did not */
  uint64_t events, written, bytes;
  uint64_t dropped_full; /* memory: the queue was full, or the writer had none */
  uint64_t dropped_rate; /* beyond setting TRACE_RATE */
  uint64_t dropped_size; /* beyond setting TRACE_LIMIT_MB, or the file could not be written */
  uint64_t dropped_late; /* the program was ending, and the trace had its last packet */
  uint64_t short_calls;  /* calls below setting TRACE_MIN_US: no events */
  uint64_t unplaced;     /* commands whose place on the host's clock is not known: no events */
};

#endif
