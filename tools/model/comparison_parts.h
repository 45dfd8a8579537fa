/* Between the files of the comparison only: a panel while it is made. In: profiles of one segment a
 * side. Out: a panel. Main thread. */
#ifndef VKM_TOOLS_MODEL_COMPARISON_PARTS_H
#define VKM_TOOLS_MODEL_COMPARISON_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/comparison.h"
#include "model/noise.h"
#include "model/row.h"
#include "model/segment.h"
#include "model/side.h"

/* One shader with one group count on one side. */
struct vkm_side_row {
  const struct vkm_kernel_ref *refs; /* ascending by run; of refs[].section see vkm_weighing */
  size_t ref_count;
  const char *name;                  /* as the program gave it; borrowed */
  int name_rank;                     /* vkm_name_rank */
  const char *key;                   /* the name to look for on the other side: that of a rename */
  size_t position;                   /* of its first kernel */
  const char *kind, *family, *phase; /* NULL: not the same everywhere */
  struct vkm_compared_side figures;  /* owned until a row of the panel takes it */
  double *run_totals_ns;             /* of each run in `runs`, time of what is in the figures */
  size_t *runs;                      /* from 0 on */
  size_t total_count;
  bool matched;
};

struct vkm_panel_side {
  const struct vkm_side *side;
  const size_t *profiles; /* indices into those of the side, ascending; borrowed */
  size_t profile_count;
  char segment[VKM_SEGMENT_KEY_BYTES];
  const struct vkm_read_device *device; /* that of the segment; NULL: none was opened */
  size_t *run_of;                       /* of each of `profiles`, from 0 on; owned */
  bool *complete;                       /* of each run; owned */
  size_t run_count;
  struct vkm_kernel_ref *refs; /* owned */
  size_t ref_count;
  struct vkm_side_row *rows; /* owned */
  size_t row_count;
};

/* A row of the panel before it is judged; NULL: that side has none. */
struct vkm_pair {
  struct vkm_side_row *of[VKM_SIDES];
  enum vkm_matched_by matched_by;
};

struct vkm_weighing {
  const struct vkm_compare_settings *settings;
  struct vkm_panel *panel;
  const char **devices; /* [0] is that of the segment, whatever its name on a side; refs[].section
                           is an index into it; owned, as the next two */
  size_t device_count;
  struct vkm_panel_side sides[VKM_SIDES];
  struct vkm_pair *pairs; /* one a row of the panel, in the same order until it is sorted */
  size_t pair_count;
  double *logs[VKM_SIDES];   /* room for a number a run; owned */
  double controls_deviation; /* of the logs of a code-identical row; with has_drift */
};

/* comparison_rows.c: fills rows and runs of side `which` from its profiles. False: out of memory.
 */
bool vkm_panel_side_fill(struct vkm_weighing *weighing, int which)
    __attribute__((warn_unused_result));
void vkm_panel_side_finish(struct vkm_panel_side *side);

/* comparison_match.c: fills weighing->pairs from the rows of both sides. False: out of memory. */
bool vkm_pairs_match(struct vkm_weighing *weighing) __attribute__((warn_unused_result));
/* Whether rows of the pair are the same work: code, kind and known group counts are equal. */
bool vkm_pair_is_control(const struct vkm_pair *pair);

/* comparison_names.c: gives each row of the panel a name. False: out of memory. */
bool vkm_rows_name(struct vkm_weighing *weighing) __attribute__((warn_unused_result));

/* comparison_statistics.c: what compilers said otherwise of a pair. False: out of memory. */
bool vkm_statistics_join(struct vkm_compared_row *row, const struct vkm_pair *pair)
    __attribute__((warn_unused_result));

/* comparison_controls.c: fills controls, drift and noise floor of the panel. False: out of memory.
 */
bool vkm_controls_weigh(struct vkm_weighing *weighing) __attribute__((warn_unused_result));

/* comparison_judge.c: the verdict of row number `index`. */
void vkm_row_judge(struct vkm_weighing *weighing, size_t index);
/* From an interval of logs and the limits of a row in force, whose numbers are in `row`. */
struct vkm_limits {
  double up;        /* fraction: threshold or floor, whichever is more */
  double threshold; /* fraction */
};
struct vkm_limits vkm_row_limits(const struct vkm_weighing *weighing, double base_ns,
                                 double floor_ns);
void vkm_row_conclude(struct vkm_compared_row *row, struct vkm_limits limits, double low,
                      double high, bool firm);
/* Runs a side of deviation `deviation` that would make an interval as short as the distance of
 * `difference` to the nearest limit; logs. 0: too many, or it lies on the limit. */
size_t vkm_runs_needed(double difference, double deviation, double limit, double confidence);

/* noise.c: what tells the row of side `which` apart. */
struct vkm_noise_key vkm_noise_key_of(const struct vkm_weighing *weighing, int which,
                                      const struct vkm_side_row *row);

/* comparison_samples.c: --rule=samples. */
void vkm_row_judge_samples(struct vkm_weighing *weighing, size_t index);

/* comparison_holm.c: verdicts of all rows of all panels at threshold 0. False: out of memory. */
bool vkm_holm_correct(struct vkm_comparison *comparison) __attribute__((warn_unused_result));

/* comparison_totals.c: sums over matched rows, what is gone and new. False: out of memory. */
bool vkm_totals_sum(struct vkm_weighing *weighing) __attribute__((warn_unused_result));

/* comparison_segments.c: which profiles of the two sides are weighed against each other. */
struct vkm_segment_pair {
  size_t *profiles[VKM_SIDES]; /* indices into those of the side, ascending; owned */
  size_t counts[VKM_SIDES];
  char keys[VKM_SIDES][VKM_SEGMENT_KEY_BYTES];
};
struct vkm_segment_pairs {
  struct vkm_segment_pair *items; /* in order of first sight, base first; owned */
  size_t count;
};
bool vkm_segments_pair(struct vkm_segment_pairs *pairs, const struct vkm_side *const *sides)
    __attribute__((warn_unused_result));
void vkm_segments_finish(struct vkm_segment_pairs *pairs);

/* comparison_environment.c: whether the panel's first profiles may be compared, and why not: fills
 * comparable, incomparable_because and allowed. False: out of memory. */
bool vkm_environment_compare(struct vkm_panel *panel, const struct vkm_side *const *sides,
                             unsigned allow_different) __attribute__((warn_unused_result));
/* How many of device, driver, vkmeter, system, workload, mode and part of the run differ; those
 * that nothing allows count more. */
unsigned vkm_environment_distance(const struct vkm_read_profile *left,
                                  const struct vkm_read_profile *right);

/* comparison_panel.c. False: out of memory. */
bool vkm_panel_build(struct vkm_panel *panel, const struct vkm_segment_pair *segment,
                     const struct vkm_side *const *sides,
                     const struct vkm_compare_settings *settings)
    __attribute__((warn_unused_result));
/* Puts the rows in order and counts verdicts: the last step. */
void vkm_panel_sort(struct vkm_panel *panel);
void vkm_panel_finish(struct vkm_panel *panel);

#endif
