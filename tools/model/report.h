/* The judged rows of a report: every number that a view shows, computed here once. In: profiles.
 * Next: views. Main thread. */
#ifndef VKM_TOOLS_MODEL_REPORT_H
#define VKM_TOOLS_MODEL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/details.h"
#include "profile/profile_read.h"

struct vkm_side;
struct vkm_timeline_report;

/* So many samples of a row are enough to draw how they lie. */
enum { VKM_STRIP = 48 };

/* One shader with one group count, over all runs of a section. */
struct vkm_row {
  char *name;            /* for people, unique among the shaders of the section; owned */
  const char *shader;    /* tells rows of one shader from those of another; borrowed */
  bool is_dispatch;      /* false: a copy or another command without groups */
  const char *identity;  /* hex digits, NULL: no pipeline was bound */
  const char *family;    /* NULL: not known, or not the same everywhere */
  const char *phase;     /* NULL: not the same everywhere */
  uint64_t executions;   /* as executed, timed or not, warm-up included */
  uint64_t measured;     /* of these, timed one by one */
  uint64_t warmup_count; /* timed, but set aside as a pipeline's first use */
  uint64_t calls;        /* timed and in the figures below */
  int64_t total_ns;      /* over all runs */
  double share;          /* of the section's total, 0..1 */
  size_t run_count;      /* runs that have it */
  /* Over the samples of a run; with several runs the median of the runs' figures. */
  double mean_ns, median_ns, mad_ns, min_ns, max_ns, p95_ns;
  double between_runs; /* (largest - smallest) / median of the runs' medians */
  /* Of each run evenly chosen among its samples by size, the least and the largest too. */
  double strip_ns[VKM_STRIP];
  size_t strip_count;
  uint32_t groups[3];
  bool has_groups;     /* false: indirect, geometry not known */
  bool only_first_use; /* there was nothing but first use: it is in the figures after all */
  bool has_share;
  bool has_figures;      /* false: nothing was timed */
  bool has_tail;         /* false: no samples were kept, p95 is not known */
  bool mad_is_half_tick; /* the samples did not differ: the clock's resolution is shown instead */
  bool has_between_runs; /* false: fewer than two runs */
};

struct vkm_reason_count {
  const char *outcome, *name; /* as in the profile */
  uint64_t count;
};

/* What was measured on one device, with one driver, in one mode, by one vkmeter, of the same part
 * of the run. */
struct vkm_section {
  const struct vkm_read_device *device; /* of the first profile that has it */
  const char *vkmeter_version, *mode;
  const struct vkm_read_pairs *chosen; /* what narrowed the part that was timed */
  size_t run_count;                    /* processes of one run count once */
  size_t incomplete_count;             /* profiles */
  size_t device_count;                 /* how often it was opened */
  size_t queue_count;                  /* different ones */
  int64_t busy_ns; /* sum over queues and runs of the time something timed ran there */
  uint64_t executed, measured, control;
  uint64_t other_measured;          /* of measured: commands that are no dispatches */
  struct vkm_reason_count *reasons; /* why the others have no time; owned */
  size_t reason_count;
  uint64_t not_timed;   /* sum of the reasons */
  struct vkm_row *rows; /* most time first, then by name; owned */
  size_t row_count;
  uint64_t warmup_count;
  size_t only_first_use_count;
  int64_t total_ns;
  struct vkm_details details; /* the same, looked at in other ways; owned */
};

struct vkm_report {
  unsigned warmup;              /* as asked for */
  struct vkm_section *sections; /* in order of first sight; owned */
  size_t section_count;
  struct vkm_breakdown breakdown;             /* of all profiles */
  const struct vkm_side *side;                /* what it was built from; NULL: not said. Borrowed */
  const struct vkm_timeline_report *timeline; /* of the same run; NULL: none. Borrowed */
};

/* Builds the report; `profiles` has to outlive it. `warmup`: 1 sets the first use of each pipeline
 * aside, 0 keeps it. False: out of memory, reported. */
bool vkm_report_build(struct vkm_report *report, const struct vkm_read_profile *profiles,
                      size_t count, unsigned warmup) __attribute__((warn_unused_result));
void vkm_report_finish(struct vkm_report *report);

#endif
