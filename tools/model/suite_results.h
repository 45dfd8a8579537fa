/* What came of a suite. In: a plan, passes, comparisons with a baseline. Out: statuses, warnings,
 * whether it was all of it. Next: views. Main thread. */
#ifndef VKM_TOOLS_MODEL_SUITE_RESULTS_H
#define VKM_TOOLS_MODEL_SUITE_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/comparison.h"
#include "model/measures.h"
#include "model/suite_outputs.h"
#include "model/suite_pass.h"
#include "model/suite_plan.h"

struct vkm_side;

/* Of a lane against the baseline. */
enum vkm_suite_verdict {
  VKM_SUITE_NOT_COMPARED = 0, /* no baseline was asked for, or nothing was measured */
  VKM_SUITE_INCOMPARABLE,     /* the baseline was never promoted */
  VKM_SUITE_NEW,              /* it has nothing of this workload in this environment */
  VKM_SUITE_STABLE,
  VKM_SUITE_IMPROVED, /* something is faster, nothing is slower or gone */
  VKM_SUITE_UNCLEAR,  /* nothing is slower or gone, but not every row is settled */
  VKM_SUITE_WARNING,  /* something is slower, likely slower or gone, or more memory is taken */
};
/* "stable", ...; NULL: not compared. Static. */
const char *vkm_suite_verdict_name(enum vkm_suite_verdict verdict);

/* A row that is not the same. */
struct vkm_suite_change {
  char *name; /* owned */
  enum vkm_verdict verdict;
  bool has_change, has_interval;
  double change, low, high; /* fractions */
  bool has_ns[VKM_SIDES];   /* the median over runs of their medians */
  double center_ns[VKM_SIDES];
};

struct vkm_suite_compared {
  enum vkm_suite_verdict verdict;
  bool never_promoted;
  char *because; /* why it is incomparable; NULL: it is not. Owned */
  size_t verdict_counts[VKM_VERDICT_COUNT];
  size_t base_runs, new_runs;
  bool drifted; /* code-identical rows moved: the machine did */
  bool has_total, has_total_interval;
  double total_change, total_low, total_high;
  struct vkm_suite_change *changes;  /* that need attention first, at most VKM_SUITE_CHANGES */
  size_t change_count, changed_rows; /* shown, and all */
  struct vkm_measure measures[VKM_MEASURES]; /* of whole runs */
  unsigned tripped;                          /* bits 1u << gate, of those that were asked for */
};
enum { VKM_SUITE_CHANGES = 50 };

struct vkm_suite_lane {
  struct vkm_suite_planned planned; /* its status and reason are those of the lane, updated */
  char *folder;                     /* in that of the suite; owned */
  struct vkm_suite_pass passes[VKM_SUITE_PHASES];
  size_t pass_count;
  struct vkm_suite_compared compared;
  struct vkm_suite_output outputs[VKM_SAMPLE_OUTPUTS_MAX]; /* of those that the workload declares */
  size_t error_count;                                      /* samples */
  size_t over_budget;
  size_t outputs_changed, outputs_varying;
};

enum vkm_suite_label {
  VKM_LABEL_QUICK = 0,
  VKM_LABEL_FULL,    /* every workload of the file, as often as it asks for */
  VKM_LABEL_PARTIAL, /* full was asked for, and is not what this is */
  VKM_LABEL_DIAGNOSE,
};
/* "quick", ...; static. */
const char *vkm_suite_label_name(enum vkm_suite_label label);

/* Gates that only a suite has, behind those of enum vkm_gate_kind. */
enum {
  VKM_SUITE_GATE_BUDGET = VKM_GATE_COUNT,
  VKM_SUITE_GATE_SKIPPED,
  VKM_SUITE_GATE_MEMORY,
  VKM_SUITE_GATE_OUTPUT_CHANGED,
  VKM_SUITE_GATE_OUTPUT_VARIES,
  VKM_SUITE_GATE_COUNT,
};
/* "slower", ..., "budget", "skipped", ...; static. */
const char *vkm_suite_gate_name(size_t gate);

struct vkm_suite_results {
  const struct vkm_suite_file *file; /* borrowed */
  const struct vkm_suite_choice *choice;
  const char *baseline;         /* NULL: none */
  struct vkm_suite_lane *lanes; /* owned */
  size_t lane_count;
  size_t left_out;               /* workloads that the choice leaves out */
  bool fewer_repeats, fell_back; /* as in the plan */
  /* Workloads that the baseline has, and the file has not; owned. */
  char **vanished;
  size_t vanished_count;
  int64_t started_unix_ns, duration_ns;
  bool complete;  /* false: still going on, or it was killed */
  int stop;       /* the signal that ended it early; 0: none */
  unsigned gates; /* asked for: bits 1u << gate */
  /* By vkm_suite_results_judge. */
  enum vkm_suite_label label;
  const char *partial_because[6]; /* why it is not full; static */
  size_t partial_count;
  size_t ok_count, error_count, skipped_count, planned_count; /* lanes */
  size_t error_samples, warning_count;                        /* warnings: lanes */
  unsigned tripped;
};

/* Lanes of the plan, which is taken apart. False: out of memory, reported. */
bool vkm_suite_results_init(struct vkm_suite_results *results, const struct vkm_suite_plan *plan)
    __attribute__((warn_unused_result));
/* What the passes of the lane come to. */
void vkm_suite_lane_judge(struct vkm_suite_lane *lane);
/* The pass that figures and verdicts are of; NULL: it was not begun. */
const struct vkm_suite_pass *vkm_suite_lane_timing(const struct vkm_suite_lane *lane);
enum vkm_suite_budget_state { VKM_BUDGET_UNKNOWN = 0, VKM_BUDGET_KEPT, VKM_BUDGET_EXCEEDED };
/* Of budget number `index` of the lane's workload; `spent_ns` is set unless it is unknown. */
enum vkm_suite_budget_state vkm_suite_budget_of(const struct vkm_suite_lane *lane, size_t index,
                                                double *spent_ns);
/* Finds the workloads of `base`, the whole baseline, that the file lacks. False: out of memory,
 * reported. */
bool vkm_suite_vanished_find(struct vkm_suite_results *results, const struct vkm_side *base)
    __attribute__((warn_unused_result));
/* The software driver that the lane's timing ran on, unless an earlier lane did too; NULL: none. */
const char *vkm_suite_software(const struct vkm_suite_results *results, size_t lane);
/* False: out of memory, reported. */
bool vkm_suite_compared_take(struct vkm_suite_compared *compared,
                             const struct vkm_comparison *comparison)
    __attribute__((warn_unused_result));
/* The gates that the lane would trip: bits 1u << gate. Those of rows only where they were asked
 * for.
 */
unsigned vkm_suite_lane_gates(const struct vkm_suite_lane *lane);
/* Whether something of it got slower for certain. */
bool vkm_suite_lane_slower(const struct vkm_suite_lane *lane);
/* Adds whole runs to a comparison that was taken; nothing where the sides cannot be compared.
 * `gates`: asked for. False: out of memory, reported. */
bool vkm_suite_measures_take(struct vkm_suite_lane *lane, const struct vkm_side *base,
                             const struct vkm_side *fresh,
                             const struct vkm_compare_settings *settings, double threshold,
                             unsigned gates) __attribute__((warn_unused_result));
/* Fills in what depends on all lanes; may be called again. */
void vkm_suite_results_judge(struct vkm_suite_results *results);
void vkm_suite_results_finish(struct vkm_suite_results *results);

#endif
