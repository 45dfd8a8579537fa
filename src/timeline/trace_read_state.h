/* What the reader of traces knows while it reads; shared by its files. */
#ifndef VKM_TIMELINE_TRACE_READ_STATE_H
#define VKM_TIMELINE_TRACE_READ_STATE_H

#include "profile/keep.h"
#include "timeline/lookup.h"
#include "timeline/trace_packet.h"
#include "timeline/trace_read.h"
#include "timeline/wire.h"

/* Numbers of clocks that traces name. */
enum { VKM_CLOCK_REALTIME = 1, VKM_CLOCK_MONOTONIC = 3, VKM_CLOCK_BOOTTIME = 6, VKM_CLOCKS = 7 };

/* Times and durations up to 146 years: two of them can be added. */
#define VKM_READ_TIME_LIMIT ((uint64_t)INT64_MAX / 2)

/* What a pair in the lookup is: its `first` is one of these and a scope. */
enum vkm_read_what {
  VKM_READ_SEQUENCE, /* scope 0: by id */
  VKM_READ_TRACK,    /* scope 0: by uuid */
  VKM_READ_NAME,     /* by both halves of its hash */
  VKM_READ_QUEUE,    /* scope: process; by name */
  VKM_READ_PROCESS,  /* scope 0: by pid, of those that have no track */
  VKM_READ_KERNEL,   /* scope: process; by name and identity */
  VKM_READ_LAUNCH,   /* by hash */
  VKM_READ_FLOW,     /* scope 0: the submit of a flow */
  VKM_READ_SUBMIT,   /* scope: process; by number */
  /* Interned: scope is that of a sequence. */
  VKM_READ_CATEGORY,
  VKM_READ_EVENT_NAME,
  VKM_READ_NOTE_NAME,
  VKM_READ_NOTE_TEXT,
  VKM_READ_CONTEXT, /* the value is a pid */
  VKM_READ_SPECIFICATION,
  VKM_READ_COMPUTE_KERNEL,
  VKM_READ_ARG_NAME,
};

struct vkm_read_sequence {
  uint32_t scope;   /* of its interned names; another one when they are cleared */
  uint32_t process; /* VKM_TIMELINE_NONE: not known yet */
  uint64_t clock;   /* default of its packets; 0 none */
  uint64_t track;   /* default uuid; 0 none */
  bool ours;        /* written by vkmeter */
};

enum vkm_track_kind {
  VKM_TRACK_OTHER,
  VKM_TRACK_PROCESS,
  VKM_TRACK_THREAD,
  VKM_TRACK_COUNTER,
};
struct vkm_read_track {
  uint64_t parent;
  enum vkm_track_kind kind;
  uint32_t process; /* as told by the track itself; VKM_TIMELINE_NONE */
  uint32_t of;      /* index of the thread or the counter; VKM_TIMELINE_NONE */
  uint32_t name;    /* in names; VKM_TIMELINE_NONE */
  uint32_t opened;  /* the innermost that is open; VKM_TIMELINE_NONE */
  uint32_t depth;
};

enum vkm_open_kind { VKM_OPEN_FOREIGN, VKM_OPEN_CALL, VKM_OPEN_SLICE, VKM_OPEN_LABEL };
/* A begin that waits for its end. */
struct vkm_read_open {
  uint32_t outer; /* below it on the track; or the next free one */
  uint32_t index; /* in calls, slices or labels */
  enum vkm_open_kind kind;
};

/* A flow that a wait ends; resolved when all submits are there. */
struct vkm_read_flow {
  uint64_t id;
  uint32_t call;
};

struct vkm_timeline_own {
  struct vkm_keep *keep;
};

struct vkm_reader {
  struct vkm_timeline *to;
  struct vkm_keep *keep;
  struct vkm_lookup lookup;
  struct vkm_read_sequence *sequences;
  size_t sequence_count, sequence_capacity;
  struct vkm_read_track *tracks;
  size_t track_count, track_capacity;
  struct vkm_read_open *opens;
  size_t open_count, open_capacity;
  uint32_t free_open; /* VKM_TIMELINE_NONE: none */
  struct vkm_read_flow *flows;
  size_t flow_count, flow_capacity;
  uint32_t scopes;
  uint64_t default_clock;        /* of packets without one; 0: not said */
  uint64_t clock_ns[VKM_CLOCKS]; /* the latest snapshot with CLOCK_MONOTONIC, by clock */
  bool has_clock[VKM_CLOCKS];
  bool snapshot; /* there was one */
  int64_t first_monotonic_ns, first_unix_ns;
  struct { /* room in the timeline's arrays */
    size_t processes, threads, calls, queues, kernels, facts, launches, names, slices, labels,
        counters, samples, instants, seen;
  } room;
};

/* One packet, taken apart. */
struct vkm_read_packet {
  struct vkm_read_sequence *sequence;
  struct vkm_trace_parts parts;
};

/* An annotation of a track event, an argument of a kernel or launch, a piece of extra data. */
struct vkm_read_note {
  uint32_t name; /* in names; VKM_TIMELINE_NONE */
  bool has_value;
  struct vkm_timeline_fact fact; /* its name is not set; texts are kept */
};

/* The index of a text in names. */
VKM_MUST_CHECK enum vkm_status vkm_read_name(struct vkm_reader *reader, const uint8_t *bytes,
                                             size_t length_bytes, uint32_t *name);
VKM_MUST_CHECK enum vkm_status vkm_read_interned(struct vkm_reader *reader,
                                                 struct vkm_read_sequence *sequence,
                                                 const struct vkm_wire_field *field);
/* VKM_TIMELINE_NONE: there is none. */
uint32_t vkm_read_intern(const struct vkm_reader *reader, const struct vkm_read_sequence *sequence,
                         enum vkm_read_what what, uint64_t iid);
static inline uint64_t vkm_read_key(enum vkm_read_what what, uint32_t scope) {
  return (uint64_t)scope << 8 | what;
}
/* `annotation`: of a track event; else an argument, whose fields have other numbers. */
VKM_MUST_CHECK enum vkm_status vkm_read_one_note(struct vkm_reader *reader,
                                                 const struct vkm_read_sequence *sequence,
                                                 const struct vkm_wire_field *field,
                                                 bool annotation, struct vkm_read_note *note);
/* The number in a note, or `otherwise`. */
uint64_t vkm_read_number(const struct vkm_read_note *note, uint64_t otherwise);

VKM_MUST_CHECK enum vkm_status vkm_read_snapshot(struct vkm_reader *reader,
                                                 const struct vkm_wire_field *field);
/* CLOCK_MONOTONIC of a packet. False: it cannot be placed. */
bool vkm_read_time(const struct vkm_reader *reader, const struct vkm_read_packet *packet,
                   int64_t *ns);

VKM_MUST_CHECK enum vkm_status vkm_read_descriptor(struct vkm_reader *reader,
                                                   struct vkm_read_sequence *sequence,
                                                   const struct vkm_wire_field *field);
/* NULL: there is none of that uuid. */
struct vkm_read_track *vkm_read_track_of(const struct vkm_reader *reader, uint64_t uuid);
/* The process that a track belongs to, by its parents, else by the sequence. */
VKM_MUST_CHECK enum vkm_status vkm_read_process_of(struct vkm_reader *reader,
                                                   struct vkm_read_sequence *sequence,
                                                   const struct vkm_read_track *track,
                                                   uint32_t *process);
/* The process of that number. */
VKM_MUST_CHECK enum vkm_status vkm_read_process_by_pid(struct vkm_reader *reader, int32_t pid,
                                                       uint32_t *process);
/* The queue of a lane that is called `name`. */
VKM_MUST_CHECK enum vkm_status vkm_read_queue_of(struct vkm_reader *reader, uint32_t process,
                                                 const char *name, uint32_t *queue, uint8_t *lane);

VKM_MUST_CHECK enum vkm_status vkm_read_track_event(struct vkm_reader *reader,
                                                    const struct vkm_read_packet *packet,
                                                    const struct vkm_wire_field *field);
VKM_MUST_CHECK enum vkm_status vkm_read_render_stage(struct vkm_reader *reader,
                                                     const struct vkm_read_packet *packet,
                                                     const struct vkm_wire_field *field);

/* Parts of a timed command, gathered from its notes. */
struct vkm_read_command {
  struct vkm_timeline_slice slice;
  struct vkm_timeline_launch launch;
  bool has_launch;
  uint32_t identity, family; /* in names; VKM_TIMELINE_NONE */
};
struct vkm_read_command vkm_read_new_command(int64_t begin_ns, int64_t duration_ns);
/* Takes a note that says something of a command. False: it is of none of its words. */
bool vkm_read_command_note(struct vkm_reader *reader, const struct vkm_read_note *note,
                           struct vkm_read_command *command);
/* The kernel of that name and identity. */
VKM_MUST_CHECK enum vkm_status vkm_read_kernel_of(struct vkm_reader *reader, uint32_t process,
                                                  uint32_t name, uint32_t identity, uint32_t family,
                                                  uint32_t *kernel);
VKM_MUST_CHECK enum vkm_status
vkm_read_add_slice(struct vkm_reader *reader, struct vkm_read_command *command, uint32_t *index);
/* A statistic of the driver; added behind the others until its kernel is known. */
VKM_MUST_CHECK enum vkm_status vkm_read_add_fact(struct vkm_reader *reader,
                                                 const struct vkm_read_note *note);
/* Facts from `first` on are the kernel's, unless it has some or there is none. */
void vkm_read_tie_facts(struct vkm_reader *reader, uint32_t kernel, size_t first);
/* VKM_TIMELINE_KIND_OTHER: none of ours. */
uint8_t vkm_read_kind(const char *text);

/* Sorts and ties together. */
VKM_MUST_CHECK enum vkm_status vkm_read_conclude(struct vkm_reader *reader);

#endif
