/* Events become packets of a Perfetto trace. In: events, in the order in which they were noted.
 * Out: whole packets, one after the other, to a sink. What names mean is asked of a source when
 * they are used first, and interned. Memory is bounded by the caps of what can be named, not by the
 * length of the run. Not thread safe: one thread writes. */
#ifndef VKM_TIMELINE_TRACE_WRITE_H
#define VKM_TIMELINE_TRACE_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "timeline/event.h"

enum vkm_trace_style {
  VKM_TRACE_RENDER_STAGE = 0, /* gpu_render_stage_event: viewers with GPU tracks */
  VKM_TRACE_TRACK_EVENT       /* plain slices: every viewer */
};

enum { VKM_TRACE_ARGS = 32, VKM_TRACE_TEXT = 256 };

/* One fact of a kernel, under the name that viewers read. */
struct vkm_trace_arg {
  char name[64];
  enum { VKM_TRACE_ARG_UINT, VKM_TRACE_ARG_INT, VKM_TRACE_ARG_DOUBLE, VKM_TRACE_ARG_TEXT } type;
  union {
    uint64_t u64;
    int64_t i64;
    double f64;
    char text[64];
  } value;
};

struct vkm_trace_kernel {
  char name[VKM_TRACE_TEXT];                 /* what the profile calls it */
  char identity[33];                         /* hash, hex */
  char family[32];                           /* empty: none */
  uint32_t local_size[3];                    /* 0: not known */
  struct vkm_trace_arg args[VKM_TRACE_ARGS]; /* driver statistics */
  uint32_t arg_count;
};

struct vkm_trace_queue {
  char device[VKM_TRACE_TEXT]; /* name of the device */
  uint32_t family, index;
};

/* Names. Each fills `*to` and returns true, or false: unknown. Called on the writing thread, which
 * holds no lock. */
struct vkm_trace_source {
  void *context;
  bool (*queue)(void *context, uint32_t device, uint32_t queue, struct vkm_trace_queue *to);
  bool (*kernel)(void *context, uint32_t device, uint32_t pipeline, struct vkm_trace_kernel *to);
  bool (*phase)(void *context, uint32_t device, uint32_t phase, char to[VKM_TRACE_TEXT]);
};

/* Takes whole packets, tags and lengths included: all that one event comes to, with the names and
 * tracks that it is the first to use. False: none of them was kept, and the writer goes on as if
 * the event had never been; names are written again with the next event that uses them. Until the
 * first packets were kept they are tried again with each event, and nothing else is written. At
 * the end, vkm_trace_writer_close, what ends open slices and the counts come one after the other.
 */
typedef bool (*vkm_trace_sink)(void *context, const void *bytes, size_t length_bytes);

struct vkm_trace_facts {
  int32_t pid;
  int64_t started_ns, started_unix_ns; /* CLOCK_MONOTONIC and CLOCK_REALTIME of one moment */
  char process_name[VKM_TRACE_TEXT];
  char run[64];
  enum vkm_trace_style style;
};

/* What the trace lacks; its last packet. */
struct vkm_trace_counts {
  uint64_t events;                                   /* noted */
  uint64_t dropped_full, dropped_rate, dropped_size; /* and not written: buffer, rate, file */
  uint64_t short_calls;                              /* left out by the least duration */
};

struct vkm_trace_writer;

/* Writes the first packets: clocks, defaults, the process. NULL: out of memory. `source` and
 * `facts` are copied. */
struct vkm_trace_writer *vkm_trace_writer_open(const struct vkm_trace_facts *facts,
                                               const struct vkm_trace_source *source,
                                               vkm_trace_sink sink, void *sink_context);
/* Writes `count` events. Never fails as a whole: an event that finds no memory, or is beyond a cap
 * (queues, heaps), is counted in `*lost`. A call is written when its last RANGE has come, in this
 * or a later call. A RANGE of a wait has the number of the submission it belongs to in
 * `submission`; so has a GPU event. */
void vkm_trace_writer_add(struct vkm_trace_writer *writer, const struct vkm_event *events,
                          size_t count, uint64_t *lost);
/* Another snapshot of the clocks: a long run's clocks drift, and a machine may have slept. */
void vkm_trace_writer_clocks(struct vkm_trace_writer *writer);
/* Closes open slices, writes the counts, frees the writer. */
void vkm_trace_writer_close(struct vkm_trace_writer *writer, const struct vkm_trace_counts *counts);

#endif
