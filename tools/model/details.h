/* What a report says of a section beside its kernels: their families and phases, pipelines, plans,
 * queues, memory, coverage. Part of report.h. In: profiles. Next: views. Main thread. */
#ifndef VKM_TOOLS_MODEL_DETAILS_H
#define VKM_TOOLS_MODEL_DETAILS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile_read.h"

/* Kernels that have something in common, over all runs. Warm-up is set aside as in their rows, so
 * that the totals of all parts are the total of the section. */
struct vkm_part {
  const char *name; /* of the family or phase; of pipelines the identity */
  size_t kernels;   /* rows of the section with something in it */
  uint64_t executions, measured, calls, warmup_count;
  int64_t total_ns;
  double share;
  bool has_share, has_time; /* has_time false: nothing of it was timed */
  size_t run_count;
};
struct vkm_parts {
  struct vkm_part *items; /* owned */
  size_t count;
};

/* What the driver's compiler made of a pipeline; a row for each executable, at least one. */
struct vkm_pipeline_row {
  char *name;                                   /* as in the kernels' rows; owned */
  const struct vkm_read_pipeline *pipeline;     /* the first of its identity */
  const struct vkm_read_executable *executable; /* NULL: the driver said nothing */
  uint64_t created;                             /* over all runs */
  bool has_create, has_part;
  bool first;                       /* of its pipeline; the others repeat its time */
  double create_ns;                 /* of the first creation; median over the processes */
  uint64_t cache_hits, cache_known; /* processes whose driver said hit, or anything */
  struct vkm_part part;             /* its time; without has_part it was never executed */
};

/* Recordings of one sequence of pipelines. */
struct vkm_plan_row {
  const struct vkm_read_plan *plan; /* the first of its signature */
  uint64_t recordings, executions, measured, control_measured;
  bool has_span, has_share;
  int64_t total_ns;                 /* of the spans that were measured command by command */
  double median_ns, min_ns, max_ns; /* of one of them; the median over the processes' medians */
  double share;                     /* of the total of all plans */
  bool has_control, has_ratio, has_interval;
  double control_median_ns;
  double ratio, ratio_low, ratio_high; /* several processes: the median, without interval */
  size_t run_count;
};

struct vkm_queue_row {
  char name[32]; /* "0.1": family and index */
  uint32_t family, index;
  uint64_t submissions, command_buffers;
  bool has_busy, has_share;
  int64_t busy_ns;
  double share; /* of the sum over queues */
};

/* Sums over the processes of a run, the largest over runs. */
struct vkm_heap_row {
  char name[32]; /* "0" */
  uint64_t size_bytes;
  bool device_local, known, has_budget;
  uint64_t peak_bytes, allocated_bytes, budget_bytes, usage_peak_bytes;
  double peak_share; /* of the size */
};

/* One outcome of executions. */
struct vkm_outcome_row {
  const char *outcome; /* "measured", "control", "untimed", ... */
  const char *reason;  /* NULL: measured or control */
  const char *meaning; /* one sentence; NULL: not known to this version. Static */
  uint64_t count;
  double share; /* of what was executed */
  bool has_share;
};

struct vkm_details {
  struct vkm_parts families, phases;  /* most time first, then by name */
  struct vkm_parts shaders;           /* by identity */
  struct vkm_pipeline_row *pipelines; /* most time first, then by name; owned as all below */
  size_t pipeline_count;
  struct vkm_plan_row *plans; /* most time first, then by signature */
  size_t plan_count;
  struct vkm_queue_row *queues; /* by family and index */
  size_t queue_count;
  struct vkm_heap_row *heaps; /* by index */
  size_t heap_count;
  struct vkm_outcome_row *outcomes;
  size_t outcome_count;
};

/* Where the time of all processes went. */
struct vkm_breakdown_row {
  const char *id;   /* "run", "h2d", "build"; static, as all below */
  const char *name; /* for people */
  bool inside;      /* a part of the row above that is not inside */
  bool known;
  int64_t ns;
  bool has_share;
  double share; /* of wall_ns */
  bool has_count, has_bytes;
  uint64_t count; /* calls, or executions */
  uint64_t bytes;
};
enum { VKM_BREAKDOWN_ROWS = 24 };
struct vkm_breakdown {
  size_t process_count;
  int64_t wall_ns; /* summed over the processes, as all of it */
  struct vkm_breakdown_row rows[VKM_BREAKDOWN_ROWS];
  size_t row_count;
  int64_t overlap_ns, unsplit_ns; /* work and transfers at once; recordings that did both */
  uint64_t hitch_count;
  int64_t hitch_ns;
  bool has_resident;
  uint64_t resident_peak_bytes; /* of the largest process */
};

#endif
