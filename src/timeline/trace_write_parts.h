/* The parts of the writer of traces, among themselves; see trace_write.h for what it is. An event
 * is written as one batch: names and tracks that it needs first, then its own packets. The batch
 * goes to the sink as a whole, and what was new in it counts as written only when the sink has
 * taken it. One thread. */
#ifndef VKM_TIMELINE_TRACE_WRITE_PARTS_H
#define VKM_TIMELINE_TRACE_WRITE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/aggregate.h"
#include "timeline/trace.pb-c.h"
#include "timeline/trace_write.h"
#include "timeline/words.h"

/* ---- what is written once, and again when the sink lost it ---- */

struct vkm_trace_mark {
  struct vkm_trace_mark *next; /* of those that are new in this batch */
  enum { VKM_MARK_NEW = 0, VKM_MARK_IN_BATCH, VKM_MARK_WRITTEN } state;
};

enum vkm_trace_table { /* names are interned by table, each counts from 1 */
                       VKM_TRACE_CATEGORIES = 0,
                       VKM_TRACE_EVENTS,
                       VKM_TRACE_ANNOTATIONS,
                       VKM_TRACE_STRINGS,
                       VKM_TRACE_ARG_NAMES,
                       VKM_TRACE_STAGES,
                       VKM_TRACE_TABLES
};

struct vkm_trace_name {
  struct vkm_trace_mark mark;
  enum vkm_trace_table table;
  uint64_t iid;
  const char *text;
};

/* Anything that is found by a key. The first member of what it is. */
enum vkm_trace_type {
  VKM_THING_NAME = 0,
  VKM_THING_THREAD,
  VKM_THING_QUEUE,
  VKM_THING_HEAP,
  VKM_THING_KERNEL,
  VKM_THING_PHASE,
  VKM_THING_TYPES
};
struct vkm_trace_key { /* compared as bytes */
  uint64_t type, a, b;
};
struct vkm_trace_thing;

struct vkm_trace_thread {
  struct vkm_trace_mark mark;
  uint64_t track;
  uint32_t tid;
  char name[16]; /* empty: not known */
};

struct vkm_trace_heap {
  struct vkm_trace_mark mark;
  uint64_t track;
  uint32_t device, heap;
};

struct vkm_trace_fact { /* of a kernel */
  struct vkm_trace_name *name;
  int type; /* as of struct vkm_trace_arg */
  union {
    uint64_t u64;
    int64_t i64;
    double f64;
    struct vkm_trace_name *text;
  } value;
};
enum { VKM_TRACE_FACTS = 2 * VKM_TRACE_ARGS + 2 };

struct vkm_trace_known_kernel {
  struct vkm_trace_mark mark;
  uint64_t iid;
  struct vkm_trace_name *name; /* among the events */
  uint32_t local_size[3];
  uint32_t fact_count;
  struct vkm_trace_fact facts[VKM_TRACE_FACTS];
};

struct vkm_trace_phase {
  struct vkm_trace_name *path; /* among the strings; NULL: unknown */
};

/* ---- queues ---- */

enum {
  VKM_TRACE_LANES = 8,
  VKM_TRACE_LANE_RECENT = 64,
  VKM_TRACE_LABEL_LANES = 4,
  VKM_TRACE_DEPTH = 32, /* labels within labels; what lies deeper is not drawn */
  VKM_TRACE_QUEUES = 256,
  VKM_TRACE_CLOCK_FIRST = 64, /* of a sequence's own clocks */
  VKM_TRACE_CLOCKS = 64
};

/* Intervals of which no two overlap. */
struct vkm_trace_lane {
  struct vkm_trace_mark mark; /* of its track or name */
  uint64_t id;                /* track uuid, or iid of the hardware queue */
  int64_t until_ns;           /* the latest end */
  int64_t forgotten_ns;       /* the latest end of those no longer in `recent` */
  struct {
    int64_t begin_ns, end_ns;
  } recent[VKM_TRACE_LANE_RECENT];
  uint32_t count; /* ever */
};

struct vkm_trace_label_lane {
  struct vkm_trace_mark mark;
  uint64_t track;
  int64_t at_ns; /* nothing is stamped before this any more */
};

struct vkm_trace_known_queue {
  struct vkm_trace_mark in_flight_mark;
  uint64_t in_flight_track;
  uint64_t key;                  /* device << 32 | queue */
  uint32_t number;               /* in order of first sight */
  char name[VKM_TRACE_TEXT * 2]; /* "queue 0.0 (device)" */
  struct vkm_trace_lane *lanes;  /* VKM_TRACE_LANES of them; owned */
  struct vkm_trace_label_lane labels[VKM_TRACE_LABEL_LANES];
  struct vkm_trace_name *open[VKM_TRACE_DEPTH]; /* labels, outer first */
  uint32_t open_count, label_lane;
  int64_t label_end_ns;            /* end of the latest event below the open labels */
  uint32_t execution;              /* of the latest event */
  int64_t clock_ns, clock_line_ns; /* the latest of its clock */
};

/* ---- the writer ---- */

struct vkm_trace_batch {
  unsigned char *bytes; /* owned */
  size_t used, capacity;
  struct vkm_trace_mark *fresh;
  bool failed; /* memory was short */
};

struct vkm_trace_pending { /* a call whose ranges are still coming */
  bool any;
  struct vkm_event call;
  uint64_t *ids; /* owned */
  size_t id_count, id_capacity;
  uint64_t left_out;
  uint64_t *flows; /* owned */
  size_t flow_count, flow_capacity;
  bool failed;
};

struct vkm_trace_words { /* names that are always the same */
  struct vkm_trace_name categories[5];
  struct vkm_trace_name calls[VKM_CALL_COUNT];
  struct vkm_trace_name kinds[VKM_KIND_COUNT + 1]; /* as events; the last: a whole command buffer */
  struct vkm_trace_name stages[VKM_KIND_COUNT + 1];
};
enum vkm_trace_category {
  VKM_CATEGORY_CALL = 0,
  VKM_CATEGORY_GPU,
  VKM_CATEGORY_LABEL,
  VKM_CATEGORY_INSTANT,
  VKM_CATEGORY_COUNTS
};

struct vkm_trace_writer {
  struct vkm_trace_facts facts;
  struct vkm_trace_source source;
  vkm_trace_sink sink;
  void *sink_context;
  uint32_t sequence;
  uint64_t process_track;
  bool started; /* the first packets were kept */
  struct vkm_trace_mark process_mark, context_mark;
  struct vkm_trace_batch batch;
  struct vkm_trace_pending pending;
  struct vkm_trace_thing *things; /* uthash */
  size_t thing_counts[VKM_THING_TYPES];
  uint64_t last_iid[VKM_TRACE_TABLES], last_kernel;
  struct vkm_trace_words words;
  struct vkm_trace_thread spare_thread; /* for those beyond the cap */
  struct vkm_trace_known_queue *queues[VKM_TRACE_QUEUES];
  size_t queue_count;
  int64_t boot_offset_ns; /* CLOCK_BOOTTIME less CLOCK_MONOTONIC */
  bool has_boot_offset;
  int64_t snapshot_ns;  /* CLOCK_MONOTONIC of the last snapshot */
  uint64_t overlapping; /* GPU events for which there was no lane */
  uint64_t *lost;
};

/* ---- trace_write_packet.c: packets, batches ---- */

/* A packet of the sequence, with nothing in it yet. */
void vkm_trace_packet_init(const struct vkm_trace_writer *writer, Vkm__TracePacket *packet);
void vkm_trace_packet_at(Vkm__TracePacket *packet, int64_t at_ns);
void vkm_trace_packet_put(struct vkm_trace_writer *writer, const Vkm__TracePacket *packet);
/* A packet of names alone. */
void vkm_trace_data_put(struct vkm_trace_writer *writer, Vkm__InternedData *data);
/* Is this to be written into the batch now? */
bool vkm_trace_mark_fresh(struct vkm_trace_writer *writer, struct vkm_trace_mark *mark);
/* Ends the batch: false, when it was not kept; then it is as if it had never been. */
bool vkm_trace_batch_end(struct vkm_trace_writer *writer);

/* ---- trace_write_clocks.c ---- */

/* The first packets, unless they are there: defaults, clocks, the process. True: they are. */
bool vkm_trace_start(struct vkm_trace_writer *writer);
void vkm_trace_write_clocks(struct vkm_trace_writer *writer);
void vkm_trace_write_queue_clock(struct vkm_trace_writer *writer, const struct vkm_event *event);

/* ---- trace_write_names.c ---- */

/* The thing of this key; made of `size_bytes` zeros on first sight. NULL: memory was short (then
 * the batch has failed) or there are too many. */
void *vkm_trace_thing(struct vkm_trace_writer *writer, struct vkm_trace_key key, size_t size_bytes,
                      bool *made);
void vkm_trace_things_finish(struct vkm_trace_writer *writer);
void vkm_trace_words_init(struct vkm_trace_writer *writer);
/* A name of the run; NULL as above. */
struct vkm_trace_name *vkm_trace_name(struct vkm_trace_writer *writer, enum vkm_trace_table table,
                                      const char *text);
/* Sees to it that the name is known to the reader; its iid. */
uint64_t vkm_trace_name_use(struct vkm_trace_writer *writer, struct vkm_trace_name *name);

/* ---- trace_write_kernels.c: what is asked of the source ---- */

struct vkm_trace_known_kernel *vkm_trace_kernel(struct vkm_trace_writer *writer, uint32_t device,
                                                uint32_t pipeline);
uint64_t vkm_trace_kernel_use(struct vkm_trace_writer *writer,
                              struct vkm_trace_known_kernel *kernel);
/* The value of a fact as messages have it, in one of their fields; a text is made known first. */
struct vkm_trace_value {
  bool is_uint, is_int, is_double, is_text;
  uint64_t u64;
  int64_t i64;
  double f64;
  uint64_t text_iid;
};
struct vkm_trace_value vkm_trace_fact_value(struct vkm_trace_writer *writer,
                                            const struct vkm_trace_fact *fact);
/* NULL: none, or unknown. */
struct vkm_trace_name *vkm_trace_phase(struct vkm_trace_writer *writer, uint32_t device,
                                       uint32_t phase);
struct vkm_trace_known_queue *vkm_trace_queue(struct vkm_trace_writer *writer, uint32_t device,
                                              uint32_t queue);

/* ---- trace_write_tracks.c ---- */

/* Never 0, the same in every trace of this process. */
uint64_t vkm_trace_hash(const struct vkm_trace_writer *writer, const char *what, uint64_t a,
                        uint64_t b);
/* Of the arrows between a submit, its work and the wait that saw it finished. */
uint64_t vkm_trace_flow(const struct vkm_trace_writer *writer, uint32_t submission);
/* The track of a thread, a counter, a lane: described first where it is not yet. */
void vkm_trace_process_use(struct vkm_trace_writer *writer);
uint64_t vkm_trace_thread_use(struct vkm_trace_writer *writer, uint32_t tid, const char *name);
uint64_t vkm_trace_heap_use(struct vkm_trace_writer *writer, uint32_t device, uint32_t heap);
uint64_t vkm_trace_in_flight_use(struct vkm_trace_writer *writer,
                                 struct vkm_trace_known_queue *queue);
uint64_t vkm_trace_labels_use(struct vkm_trace_writer *writer, struct vkm_trace_known_queue *queue,
                              uint32_t lane);
uint64_t vkm_trace_lane_use(struct vkm_trace_writer *writer, struct vkm_trace_known_queue *queue,
                            uint32_t lane);

/* ---- trace_write_slices.c: track events ---- */

enum { VKM_TRACE_ANNOTATED = VKM_TRACE_FACTS + 8 };
struct vkm_trace_notes {
  Vkm__DebugAnnotation each[VKM_TRACE_ANNOTATED];
  Vkm__DebugAnnotation *list[VKM_TRACE_ANNOTATED];
  size_t count;
};
void vkm_trace_note_u64(struct vkm_trace_writer *writer, struct vkm_trace_notes *notes,
                        const char *name, uint64_t value);
void vkm_trace_note_i64(struct vkm_trace_writer *writer, struct vkm_trace_notes *notes,
                        const char *name, int64_t value);
/* `value` is borrowed until the event is put. */
void vkm_trace_note_text(struct vkm_trace_writer *writer, struct vkm_trace_notes *notes,
                         const char *name, const char *value);
void vkm_trace_note_fact(struct vkm_trace_writer *writer, struct vkm_trace_notes *notes,
                         const struct vkm_trace_fact *fact);

enum { VKM_SLICE_BEGIN = 1, VKM_SLICE_END, VKM_SLICE_INSTANT, VKM_SLICE_COUNTER };
/* Starts an event of a track; put it with vkm_trace_slice_put. */
void vkm_trace_slice_init(Vkm__TrackEvent *slice, int type, uint64_t track);
/* `category` is where its number stands until the event is put. */
void vkm_trace_slice_name(struct vkm_trace_writer *writer, Vkm__TrackEvent *slice,
                          struct vkm_trace_name *name, uint64_t *category,
                          enum vkm_trace_category of);
void vkm_trace_slice_put(struct vkm_trace_writer *writer, Vkm__TrackEvent *slice,
                         struct vkm_trace_notes *notes, int64_t at_ns);
void vkm_trace_slice_end(struct vkm_trace_writer *writer, uint64_t track, int64_t at_ns);

/* ---- trace_write_calls.c ---- */

void vkm_trace_write_call(struct vkm_trace_writer *writer, const struct vkm_event *event);
void vkm_trace_write_range(struct vkm_trace_writer *writer, const struct vkm_event *event);
/* The call whose ranges were coming, if any: there are no more. */
void vkm_trace_write_pending(struct vkm_trace_writer *writer);

/* ---- trace_write_lanes.c ---- */

/* The lane for an interval; VKM_TRACE_LANES: none is free. Takes it only when `vkm_trace_lane_take`
 * says so. */
uint32_t vkm_trace_lane_find(const struct vkm_trace_known_queue *queue, int64_t begin_ns,
                             int64_t end_ns);
void vkm_trace_lane_take(struct vkm_trace_known_queue *queue, uint32_t lane, int64_t begin_ns,
                         int64_t end_ns);

/* ---- trace_write_labels.c ---- */

/* What stays open behind a batch, if it is kept. */
struct vkm_trace_labels_next {
  struct vkm_trace_name *open[VKM_TRACE_DEPTH];
  uint32_t count, lane;
  int64_t at_ns, end_ns;
};
/* Writes ends and begins so that `path` (NULL: none) is what is open at begin_ns. */
void vkm_trace_labels_move(struct vkm_trace_writer *writer, struct vkm_trace_known_queue *queue,
                           const char *path, int64_t begin_ns, int64_t end_ns,
                           struct vkm_trace_labels_next *next);
void vkm_trace_labels_keep(struct vkm_trace_known_queue *queue,
                           const struct vkm_trace_labels_next *next);
/* Ends all that is open, as a batch of its own. */
void vkm_trace_labels_close(struct vkm_trace_writer *writer, struct vkm_trace_known_queue *queue);

/* ---- trace_write_gpu.c, trace_write_stage.c, trace_write_spans.c ---- */

struct vkm_trace_work { /* a timed command, with all its names */
  const struct vkm_event *event;
  struct vkm_trace_known_queue *queue;
  struct vkm_trace_known_kernel *kernel; /* NULL: none, or unknown */
  struct vkm_trace_name *phase;          /* NULL: none */
  uint32_t kind;                         /* enum vkm_kind; VKM_KIND_COUNT: a whole command buffer */
  uint32_t lane;
  bool first; /* of its execution */
};
void vkm_trace_write_gpu(struct vkm_trace_writer *writer, const struct vkm_event *event);
void vkm_trace_write_executed(struct vkm_trace_writer *writer, const struct vkm_event *event);
void vkm_trace_put_stage(struct vkm_trace_writer *writer, const struct vkm_trace_work *work);
void vkm_trace_put_slices(struct vkm_trace_writer *writer, const struct vkm_trace_work *work);

/* ---- trace_write_counters.c ---- */

void vkm_trace_write_memory(struct vkm_trace_writer *writer, const struct vkm_event *event);
void vkm_trace_write_in_flight(struct vkm_trace_writer *writer, const struct vkm_event *event);

#endif
