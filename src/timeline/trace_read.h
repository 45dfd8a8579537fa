/* Reads a Perfetto trace back as plain arrays: vkmeter's own, of one process or of several, also
 * within a trace of the whole system; what other tools wrote is passed over, GPU render stages and
 * tracks of processes and threads aside. In: a file. Out: a model, each array sorted as it says.
 * Not linked into the layer. Any thread. Not for hot paths. */
#ifndef VKM_TIMELINE_TRACE_READ_H
#define VKM_TIMELINE_TRACE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "measure/aggregate.h"
#include "timeline/event.h"

/* An index that points nowhere, a number that is not known. */
#define VKM_TIMELINE_NONE UINT32_MAX

/* Everything below is owned by struct vkm_timeline. Strings end in NUL, may hold any other bytes
 * and are never NULL unless that is said. Times are CLOCK_MONOTONIC in ns, begin <= end. */

struct vkm_timeline_process {
  const char *name;    /* "" unknown */
  const char *command; /* its arguments with blanks between; NULL: not given */
  int32_t pid;
  int64_t started_ns;
  bool has_started;
  bool has_counts;      /* false: not vkmeter's, or it was killed */
  uint64_t events;      /* noted */
  uint64_t dropped[3];  /* of these not written: buffer full, rate, size of the file */
  uint64_t short_calls; /* left out by the least duration */
};

struct vkm_timeline_thread { /* sorted by process, then first call */
  uint32_t process;
  int32_t tid;
  const char *name; /* NULL: not given */
  size_t first_call, call_count;
  int64_t first_ns; /* when its first call began */
};

struct vkm_timeline_call { /* sorted by thread, begin; one that holds others comes before them */
  int64_t begin_ns, end_ns;
  uint64_t bytes;   /* UINT64_MAX: not known */
  const char *name; /* "vkQueueSubmit2" */
  uint32_t thread;
  uint32_t submission; /* number in the process; 0 none */
  int32_t result;
  uint32_t made;       /* pipelines or shaders created; 0 none */
  uint32_t cache_hits; /* of these; VKM_TIMELINE_NONE: not told */
  uint8_t call;        /* enum vkm_call; VKM_CALL_COUNT: another */
  bool open;           /* the file ends before the call does: end_ns is the end of the trace */
  size_t first_seen, seen_count; /* in `seen`: submits whose work this wait saw finished */
};

struct vkm_timeline_queue { /* sorted by process, name */
  uint32_t process;
  const char *name; /* "queue 0.0 (AMD Radeon RX 7900 XT)" */
  size_t first_slice, slice_count;
  size_t first_label, label_count;
};

enum vkm_timeline_type {
  VKM_TIMELINE_UINT,
  VKM_TIMELINE_INT,
  VKM_TIMELINE_DOUBLE,
  VKM_TIMELINE_TEXT
};

struct vkm_timeline_fact {
  const char *name;
  enum vkm_timeline_type type;
  union {
    uint64_t u64;
    int64_t i64;
    double f64;
    const char *text;
  };
};

struct vkm_timeline_kernel { /* in order of first sight */
  const char *name;
  const char *identity, *family; /* NULL: not given */
  uint32_t process;
  size_t first_fact, fact_count; /* in `facts`: driver statistics */
};

struct vkm_timeline_launch {         /* equal ones mostly once */
  uint32_t groups[3], local_size[3]; /* 0: not known */
};

enum {
  VKM_TIMELINE_KIND_WHOLE = VKM_EVENT_WHOLE, /* a command buffer as a whole */
  VKM_TIMELINE_KIND_OTHER = 254              /* not of vkmeter */
};

struct vkm_timeline_slice { /* sorted by queue, begin, end, id */
  int64_t begin_ns, end_ns;
  uint64_t event_id; /* 0: not given */
  uint64_t bytes;    /* moved; UINT64_MAX: not known or none */
  uint32_t queue;
  uint32_t kernel;     /* VKM_TIMELINE_NONE: no pipeline */
  uint32_t name;       /* in `names`, what the slice is called */
  uint32_t phase;      /* in `names`; VKM_TIMELINE_NONE: none */
  uint32_t launch;     /* in `launches`; VKM_TIMELINE_NONE: nothing is known of it */
  uint32_t submission; /* number in the process; 0 not known */
  uint32_t submit;     /* index of the call; VKM_TIMELINE_NONE: not in the trace */
  uint8_t kind;        /* enum vkm_kind, or VKM_TIMELINE_KIND_* */
  uint8_t lane;        /* from 0 */
};

struct vkm_timeline_label { /* sorted by queue, begin; outer first */
  int64_t begin_ns, end_ns;
  const char *name;
  uint32_t queue;
  uint32_t depth; /* from 0 */
  bool open;      /* as of calls */
};

struct vkm_timeline_counter { /* in order of first sight */
  const char *name;
  const char *unit; /* "bytes", "count" or as given; "" unknown */
  uint32_t process; /* VKM_TIMELINE_NONE: of the system */
  size_t first_sample, sample_count;
};

struct vkm_timeline_sample { /* sorted by counter, time */
  int64_t at_ns;
  int64_t value;
  uint32_t counter;
};

struct vkm_timeline_instant { /* sorted by time */
  int64_t at_ns;
  const char *name;
  uint32_t queue; /* VKM_TIMELINE_NONE: of none */
};

struct vkm_timeline {
  struct vkm_timeline_process *processes;
  size_t process_count;
  struct vkm_timeline_thread *threads;
  size_t thread_count;
  struct vkm_timeline_call *calls;
  size_t call_count;
  uint32_t *seen; /* indices of calls */
  size_t seen_count;
  struct vkm_timeline_queue *queues;
  size_t queue_count;
  struct vkm_timeline_kernel *kernels;
  size_t kernel_count;
  struct vkm_timeline_fact *facts;
  size_t fact_count;
  struct vkm_timeline_launch *launches;
  size_t launch_count;
  const char **names;
  size_t name_count;
  struct vkm_timeline_slice *slices;
  size_t slice_count;
  struct vkm_timeline_label *labels;
  size_t label_count;
  struct vkm_timeline_counter *counters;
  size_t counter_count;
  struct vkm_timeline_sample *samples;
  size_t sample_count;
  struct vkm_timeline_instant *instants;
  size_t instant_count;

  bool any;                 /* false: there is no event, the next two are 0 */
  int64_t begin_ns, end_ns; /* of all calls, slices and labels */
  bool has_unix;            /* the clocks were laid beside each other */
  int64_t unix_ns;          /* CLOCK_REALTIME at begin_ns */

  uint64_t packets, foreign; /* read; of these of no use here */
  bool cut;                  /* the file ends within a packet, or is none from cut_at_byte on */
  uint64_t cut_at_byte;      /* everything before was read */
  uint64_t damaged;          /* packets that could not be read, the first at damaged_at_byte */
  uint64_t damaged_at_byte;
  uint64_t compressed;         /* packets that hold others, compressed, and were not looked into */
  uint64_t compressed_at_byte; /* the first of these */
  uint64_t unplaced; /* events on a clock that was never laid beside CLOCK_MONOTONIC: also those
                        of other machines */
  uint64_t unnamed;  /* events that refer to a name or a track that is not there */
  uint64_t unpaired; /* ends without a begin */
  uint64_t open;     /* begins without an end */

  struct vkm_timeline_own *own; /* of the reader */
};

struct vkm_timeline_error {
  char cause[256];
  const char *remedy; /* static */
};

/* Reads `path` ("-": standard input) up to its last whole packet; a file that is damaged in some
 * place is no failure. On any status but VKM_OK the timeline holds nothing and `error` says why:
 * VKM_IO, VKM_BAD_INPUT (no packet at all, another kind of file), VKM_OUT_OF_MEMORY (also for more
 * events than 32 bits count). */
VKM_MUST_CHECK enum vkm_status vkm_timeline_read(const char *path, struct vkm_timeline *timeline,
                                                 struct vkm_timeline_error *error);
/* The same from memory, borrowed for the time of the call. */
VKM_MUST_CHECK enum vkm_status vkm_timeline_read_bytes(const void *bytes, size_t length_bytes,
                                                       struct vkm_timeline *timeline,
                                                       struct vkm_timeline_error *error);
void vkm_timeline_finish(struct vkm_timeline *timeline);

#endif
