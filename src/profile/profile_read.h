/* Reads a profile document back, for tools and tests. In: a file. Out: plain structures. Not linked
 * into the layer. Main thread (cJSON's error state is shared). Meaning of the fields:
 * src/README.md. */
#ifndef VKM_PROFILE_PROFILE_READ_H
#define VKM_PROFILE_PROFILE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Everything below is owned by struct vkm_read_profile and lives until vkm_profile_read_finish.
 * Strings are never NULL where a comment says so, otherwise NULL is "unknown". */

struct vkm_read_pair {
  const char *name, *value; /* not NULL */
};
struct vkm_read_pairs {
  struct vkm_read_pair *items;
  size_t count;
};

struct vkm_read_setting_rejected {
  const char *name, *value, *accepted;
};

struct vkm_read_run {
  const char *id;               /* not NULL */
  int64_t started_unix_ns;      /* rounded to 256 ns by the number format of JSON readers */
  int64_t started_monotonic_ns; /* what times count from; 0: not given */
  int64_t duration_ns;
  int64_t pid;
  int64_t sequence; /* in a repeated run, from 0 */
  const char *executable;
  const char *application_name, *engine_name;
  const char *vkmeter_version;
  struct vkm_read_pairs tags, settings;
  struct vkm_read_setting_rejected *rejected;
  size_t rejected_count;
};

struct vkm_read_capability {
  const char *name; /* not NULL */
  bool available;
  const char *reason;
};

struct vkm_read_heap {
  uint64_t size_bytes;
  bool device_local;
  bool known; /* false: the device is not profiled, the next two are 0 */
  uint64_t allocated_bytes, peak_bytes;
  bool has_budget;
  uint64_t budget_bytes, usage_peak_bytes; /* by the driver's count */
};
/* What the program asked for; 0 where the device is not profiled. */
struct vkm_read_memory {
  struct vkm_read_heap *heaps;
  size_t heap_count;
  uint64_t allocations_peak, allocations_total, mapped_peak_bytes, persistent_mapped_bytes;
};

struct vkm_read_device {
  const char *name;
  const char *driver_name, *driver_info;
  const char *driver_version; /* not NULL */
  const char *type;           /* device type, as text; not NULL */
  bool software, profiled;
  const char *not_profiled_reason;
  bool has_period;
  double period_ns; /* length of a tick */
  const char *end;
  const char **enabled; /* what vkmeter enabled */
  size_t enabled_count;
  struct vkm_read_capability *capabilities;
  size_t capability_count;
  const char *clock_source; /* not NULL */
  bool clock_mismatch;
  struct vkm_read_memory memory;
};

struct vkm_read_statistic {
  const char *name, *format; /* not NULL */
  bool has_value;
  double value; /* true is 1; beyond 2^53 rounded by the number format of JSON readers */
};
struct vkm_read_executable {
  const char *name;       /* not NULL */
  uint32_t subgroup_size; /* 0 unknown */
  bool has_statistics;
  struct vkm_read_statistic *statistics;
  size_t statistic_count;
};

struct vkm_read_pipeline {
  const char *id; /* not NULL */
  size_t device;
  const char *identity; /* hex digits, not NULL */
  const char *name, *module_name, *entry_point;
  const char *family, *family_source; /* NULL: the profile is older */
  bool statistics_captured;           /* by the flag, in the call whose time is known */
  bool has_feedback, cache_hit;       /* false: the driver said nothing of its creation */
  uint64_t feedback_ns;               /* beside has_feedback */
  bool has_executables;               /* false: the driver said nothing of its code */
  struct vkm_read_executable *executables;
  size_t executable_count;
  /* Below: NULL, 0 or false where the profile does not say. */
  const char *kind; /* "compute", ... */
  bool has_local_size;
  uint32_t local_size[3];
  uint32_t subgroup_required, subgroup_reported;
  struct vkm_read_pairs specialization; /* constant id and bits in hex */
  bool has_shared_memory, has_push_constants;
  uint64_t shared_memory_bytes, push_constant_bytes;
  uint64_t created; /* how often */
  bool has_create, between_submits;
  int64_t create_ns; /* of the first creation */
};

/* Times read from a profile lie within this many ns (104 days) of 0, so that few of them can be
 * added freely. */
#define VKM_READ_TIME_MAX ((int64_t)1 << 53)

/* Figures of all measured executions. */
struct vkm_read_duration {
  bool known; /* false: nothing was measured, the rest is 0 */
  int64_t sum_ns, min_ns, max_ns;
  bool has_median; /* false: memory was too short to keep samples */
  int64_t median_ns, mad_ns;
};

#define VKM_READ_NONE SIZE_MAX

struct vkm_read_reason {
  const char *outcome; /* "untimed", "missed" or "rejected"; static */
  const char *name;    /* as in reasons.def where that knows it; not NULL */
  uint64_t count;
};
/* Executions by outcome: executed = measured + control + the reasons' sum. */
struct vkm_read_outcomes {
  uint64_t executed, measured, control;
  struct vkm_read_reason *reasons; /* untimed, then missed, then rejected */
  size_t reason_count;
};

struct vkm_read_kernel {
  size_t device;
  size_t pipeline;  /* index into pipelines, VKM_READ_NONE: no pipeline was bound */
  const char *kind; /* not NULL */
  bool has_groups;  /* false: indirect, geometry not known */
  uint32_t groups[3];
  const char *phase;  /* not NULL */
  const char *family; /* NULL: the profile is older */
  struct vkm_read_outcomes outcomes;
  struct vkm_read_duration duration;
  int64_t *samples_ns; /* in order of time */
  int64_t *begins_ns;  /* of each sample, since the run started; NULL: not kept or not known */
  size_t sample_count;
  uint64_t samples_seen;
  size_t first_use; /* index into samples of the pipeline's first execution, VKM_READ_NONE */
};

struct vkm_read_queue {
  size_t device;
  uint32_t family, index;
  uint64_t submissions, command_buffers;
  bool has_busy; /* false: nothing was measured on it */
  int64_t busy_ns;
};

/* Kernels of one family or phase. Of profiles that are older there are none. */
struct vkm_read_group {
  const char *name; /* not NULL */
  uint64_t kernels, kernels_not_measured, executions, measured;
  bool has_time; /* false: nothing of it was measured, the sums are 0 */
  int64_t sum_ns, sum_of_medians_ns;
  bool has_share;
  double share_percent;
};
struct vkm_read_groups {
  struct vkm_read_group *items;
  size_t count;
};

/* ns from the first stamp of a recording to the closing one. */
struct vkm_read_span {
  uint64_t count; /* 0: not known, the rest is 0 */
  int64_t sum_ns, min_ns, median_ns, max_ns;
};
struct vkm_read_plan_family {
  const char *name; /* not NULL */
  bool has_share;
  double share_percent;
};
/* Recordings that run the same sequence of pipelines. */
struct vkm_read_plan {
  size_t device;
  const char *signature; /* hex digits, not NULL */
  bool secondary;
  uint64_t commands, secondaries, recordings, executions, measured, control_measured;
  uint64_t window_count;
  struct vkm_read_span instrumented, control;
  bool has_ratio, has_interval; /* instrumented over control; 0 without */
  double ratio, ratio_low, ratio_high;
  struct vkm_read_plan_family *families; /* of one execution, the largest first */
  size_t family_count;
};

/* What the layer's own work took. */
/* The timeline that was written beside the profile. */
struct vkm_read_trace {
  bool known;       /* false: there was none, or the profile is older */
  const char *path; /* NULL: nothing was written */
  const char *style;
  const char *failed; /* why it could not be written to the end; NULL: it could */
  uint64_t bytes, events, written, short_calls, unplaced;
  uint64_t dropped_full, dropped_rate, dropped_size, dropped_late;
};

struct vkm_read_overhead {
  bool has_record; /* false: not sampled */
  double record_ns_per_mark;
  uint64_t stamps_written, marks_recorded, submits, submit_ns, collects, collect_ns, peak_bytes;
  bool has_ratio, has_interval; /* how much longer work took with stamps; the rest is 0 without */
  double ratio, ratio_low, ratio_high;
  const char *ratio_reason; /* why not */
  uint64_t control_pairs;
};

/* What moved bytes in one direction. */
struct vkm_read_move {
  const char *direction; /* static */
  uint64_t executions, measured, bytes_unknown;
  bool has_bytes;
  uint64_t bytes;
  int64_t duration_ns; /* INT64_MIN unknown */
};
enum { VKM_READ_MOVES = 6 };
/* Calls of one kind that the program made; 0 where the profile does not say. */
struct vkm_read_host {
  const char *name; /* static */
  uint64_t calls;
  int64_t ns; /* at least one thread was in one */
};
enum { VKM_READ_HOSTS = 9 };
/* Where the time went; INT64_MIN: unknown. */
struct vkm_read_breakdown {
  int64_t wall_ns, build_ns, submit_ns, wait_ns; /* always known */
  int64_t run_ns, transfer_ns, gpu_idle_ns, unaccounted_ns;
  int64_t executing_ns, build_while_executing_ns, host_any_ns;
  int64_t overlap_ns, unsplit_ns;             /* over the devices that were measured */
  int64_t cold_ns, warm_ns;                   /* of first uses and of later ones */
  struct vkm_read_move moves[VKM_READ_MOVES]; /* unknown, h2d, d2h, d2d, h2h, fill */
  struct vkm_read_host hosts[VKM_READ_HOSTS]; /* build, create, map, ..., submit, wait */
  uint64_t hitch_count;
  int64_t hitch_ns;
  bool has_resident;
  uint64_t resident_peak_bytes;
};

/* A figure that the program itself took; see `foreign`. */
struct vkm_read_metric {
  const char *name; /* not NULL */
  const char *unit;
  double value;
};

struct vkm_keep;
struct vkm_read_profile {
  bool complete;
  bool foreign; /* another program's times: coverage, overhead and the host's times are not known */
  const char *end_reason;
  struct vkm_read_run run;
  const char *os, *kernel, *arch, *cpu;
  const char *workload_tag;
  const char *segment_key; /* hex digits, not NULL */
  const char *mode;
  const char *contract_text;
  struct vkm_read_pairs chosen; /* what narrowed the part that was timed; none: all was */
  struct vkm_read_device *devices;
  size_t device_count;
  struct vkm_read_pipeline *pipelines;
  size_t pipeline_count;
  struct vkm_read_kernel *kernels;
  size_t kernel_count;
  struct vkm_read_groups families, phases;
  struct vkm_read_plan *plans;
  size_t plan_count;
  struct vkm_read_queue *queues;
  size_t queue_count;
  uint64_t dispatches_recorded;
  struct vkm_read_outcomes dispatches;  /* all dispatch forms together */
  struct vkm_read_outcomes beyond_rows; /* of these, what found no place among the kernels */
  struct vkm_read_overhead overhead;
  struct vkm_read_trace trace;
  struct vkm_read_breakdown breakdown;
  struct vkm_read_metric *metrics; /* only where foreign */
  size_t metric_count;

  struct vkm_keep *strings; /* private */
};

struct vkm_read_error {
  char cause[512];    /* what is wrong, and where (byte and line) */
  const char *remedy; /* what to do; static */
};

/* Reads `path` ("-": standard input). Strict: what is no JSON, an unknown schema, a name that is
 * there twice, a field that is missing, of another type or out of range, an index that points
 * nowhere are errors; unknown fields are passed over. On any status but VKM_OK `profile` holds
 * nothing and `error` says why: VKM_IO, VKM_BAD_INPUT, VKM_OUT_OF_MEMORY. */
VKM_MUST_CHECK enum vkm_status vkm_profile_read(const char *path, struct vkm_read_profile *profile,
                                                struct vkm_read_error *error);
/* The same from memory; `bytes` is borrowed for the time of the call and need not end in NUL. */
VKM_MUST_CHECK enum vkm_status vkm_profile_read_bytes(const char *bytes, size_t length,
                                                      struct vkm_read_profile *profile,
                                                      struct vkm_read_error *error);
/* The same from a document that vkm_document_read took as `vkm_profile_kind`; finishes it. */
struct vkm_document;
VKM_MUST_CHECK enum vkm_status vkm_profile_read_document(struct vkm_document *document,
                                                         struct vkm_read_profile *profile,
                                                         struct vkm_read_error *error);
extern const struct vkm_document_kind vkm_profile_kind;
void vkm_profile_read_finish(struct vkm_read_profile *profile);

#endif
