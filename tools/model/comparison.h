/* Two sides, judged: every number and every verdict that a view of `compare` shows, computed here
 * once. In: two sides of profiles, settings, what is known of noise. Next: views. The procedure is
 * that of README.md, "What a verdict means". Deterministic: no random numbers, no clock. Main
 * thread. */
#ifndef VKM_TOOLS_MODEL_COMPARISON_H
#define VKM_TOOLS_MODEL_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/gate.h"
#include "profile/profile_read.h"

struct vkm_side;
struct vkm_noise;

enum { VKM_BASE = 0, VKM_NEW = 1, VKM_SIDES = 2 };

/* In the order in which rows stand in a table. */
enum vkm_verdict {
  VKM_VERDICT_SLOWER = 0,
  VKM_VERDICT_LIKELY_SLOWER, /* one run a side: as far as unchanged rows tell */
  VKM_VERDICT_UNCLEAR,
  VKM_VERDICT_NEW,
  VKM_VERDICT_GONE,
  VKM_VERDICT_INCOMPARABLE, /* its segment, mode or part of the run is not that of the other side */
  VKM_VERDICT_LIKELY_FASTER,
  VKM_VERDICT_FASTER,
  VKM_VERDICT_SAME, /* earned: the interval lies within the threshold */
  VKM_VERDICT_COUNT,
};
/* "slower", "likely-slower", ...; static. Upper case and blanks are for the views. */
const char *vkm_verdict_name(enum vkm_verdict verdict);

enum vkm_code {
  VKM_CODE_SAME = 0, /* shader code, specialization and group counts are equal on both sides */
  VKM_CODE_CHANGED,
  VKM_CODE_UNKNOWN, /* one side has none, or no pipeline was bound */
};
enum vkm_matched_by {
  VKM_MATCHED_NOT = 0,
  VKM_MATCHED_NAME,
  VKM_MATCHED_CODE,
  VKM_MATCHED_NAME_CODE,
  VKM_MATCHED_ORDER,
  VKM_MATCHED_RENAME, /* --rename */
};
/* What a verdict rests on. */
enum vkm_evidence {
  VKM_EVIDENCE_NONE = 0,
  VKM_EVIDENCE_RUNS,     /* Welch interval over runs */
  VKM_EVIDENCE_CONTROLS, /* one run a side, judged against code-identical rows */
  VKM_EVIDENCE_NOISE,    /* one run a side, judged against a noise file */
  VKM_EVIDENCE_SAMPLES,  /* --rule=samples */
};
enum vkm_stat { VKM_STAT_MEDIAN = 0, VKM_STAT_MIN, VKM_STAT_P99 };
enum vkm_match {
  VKM_MATCH_AUTO = 0,
  VKM_MATCH_NAME,
  VKM_MATCH_CODE,
  VKM_MATCH_NAME_CODE,
  VKM_MATCH_ORDER
};
enum vkm_rule { VKM_RULE_RUNS = 0, VKM_RULE_SAMPLES };

/* Fewer code-identical rows say nothing of the machine; fewer runs a side nothing of its runs; of
 * fewer samples a run there is no p99. */
enum { VKM_CONTROLS_NEEDED = 10, VKM_RUNS_NEEDED = 3, VKM_TAIL_SAMPLES_NEEDED = 500 };

/* Bits of --allow-different. */
enum { VKM_ALLOW_DEVICE = 1, VKM_ALLOW_DRIVER = 2, VKM_ALLOW_LAYER = 4, VKM_ALLOW_ENVIRONMENT = 8 };

struct vkm_rename {
  const char *from, *to; /* borrowed */
};

struct vkm_compare_settings {
  double threshold;  /* fraction, 0.02. 0: any difference counts, with Holm's correction over all
                        rows; RULE_SAMPLES: the limit of the ratio, as a fraction beyond 1 */
  double floor_ns;   /* absolute; < 0: two ticks of the device */
  double confidence; /* 0.95 */
  enum vkm_stat stat;
  enum vkm_match match;
  enum vkm_rule rule;
  bool adjust_drift;
  unsigned allow_different;
  unsigned warmup;                  /* as in a report */
  const struct vkm_rename *renames; /* borrowed */
  size_t rename_count;
  const struct vkm_noise *noise; /* borrowed; NULL: none was given */
};

/* What one side knows of a row. */
struct vkm_compared_side {
  bool present;
  bool has_time;        /* false: it was executed but nothing of it was timed */
  const char *identity; /* hex digits; NULL: no pipeline. Borrowed */
  double *run_ns;       /* the statistic of each run that has the row, in order of runs; owned */
  size_t run_count;
  double center_ns;      /* median of run_ns */
  uint64_t calls;        /* timed, over all runs */
  double total_ns;       /* of timed work, mean over the runs of the side */
  uint64_t sample_count; /* least over the runs */
  bool only_first_use;   /* there was nothing else: first uses are in the figures after all */
};

/* One figure of the driver's compiler that differs. */
struct vkm_statistic_change {
  const char *executable, *name; /* borrowed */
  double base, fresh;
};

struct vkm_compared_row {
  char *name;            /* for people; unique within the panel with device and groups; owned */
  const char *base_name; /* of a renamed or otherwise matched row, when it differs; NULL else */
  const char *device;    /* NULL: that of the segment */
  const char *kind, *family, *phase;
  uint32_t groups[3];
  bool is_dispatch, has_groups; /* false: indirect, geometry not known */
  bool has_change, has_interval, has_impact, has_p, has_noise;
  bool beyond_gating; /* its noise alone exceeds the threshold */
  enum vkm_code code;
  enum vkm_matched_by matched_by;
  struct vkm_compared_side sides[VKM_SIDES];
  double change;    /* fraction, new against base: 0.07 is 7 % longer */
  double low, high; /* fractions; of EVIDENCE_CONTROLS relative to the drift */
  double
      impact_ns; /* a run: what the row adds (> 0) or saves: center times calls; NEW and GONE too */
  enum vkm_verdict verdict;
  enum vkm_evidence evidence;
  const char *reason; /* a slug for programs, "interval-above-threshold"; static */
  size_t runs_needed; /* a side, to settle an UNCLEAR row; 0: not known */
  /* The numbers behind the interval, for --explain; 0 without. */
  double log_difference, standard_error, degrees_of_freedom, t;
  double p;     /* of the difference beyond the floor, after Holm's correction: with threshold 0 */
  double noise; /* of the noise file: run-to-run standard deviation of the logs */
  double exceeding; /* --rule=samples: fraction of new samples beyond the base's median */
  struct vkm_statistic_change *statistics; /* owned */
  size_t statistic_count;
};

/* What is compared within one environment segment. */
struct vkm_panel {
  const struct vkm_read_profile *first[VKM_SIDES]; /* of each side; NULL: it has none here */
  size_t run_count[VKM_SIDES], incomplete_count[VKM_SIDES], error_count[VKM_SIDES];
  bool comparable;
  char *incomparable_because;    /* a sentence, naming both values and what allows it; owned */
  char *allowed;                 /* what --allow-different passed over; NULL: nothing. Owned */
  double tick_ns;                /* 0: not known */
  double floor_ns;               /* in force */
  struct vkm_compared_row *rows; /* by verdict, then impact, then name; owned */
  size_t row_count;
  size_t verdict_counts[VKM_VERDICT_COUNT];
  /* Code-identical rows with a time on both sides: the weather. */
  size_t control_count, controls_outside;
  bool has_drift;
  double drift, noise_floor; /* fractions */
  bool drifted;       /* the drift itself is larger than the threshold and the noise explain */
  size_t noise_count; /* matched rows that the noise file knows */
  /* Sums over the rows that both sides timed. */
  size_t matched_count;
  double matched_ns[VKM_SIDES]; /* a run */
  bool has_total, has_total_interval, has_geomean;
  double total_change, total_low, total_high, geomean; /* fractions */
  enum vkm_verdict total_verdict;
  double gone_ns, new_ns; /* a run; in no figure above */
};

struct vkm_comparison {
  struct vkm_compare_settings settings;
  const struct vkm_side *sides[VKM_SIDES]; /* borrowed */
  struct vkm_panel *panels;                /* in order of first sight, base first; owned */
  size_t panel_count;
  size_t verdict_counts[VKM_VERDICT_COUNT]; /* over all panels */
  struct vkm_gate gate;                     /* by vkm_gate_judge; nothing was requested before */
};

/* Compares; the sides and what settings point to have to outlive it. False: out of memory,
 * reported. */
bool vkm_comparison_build(struct vkm_comparison *comparison, const struct vkm_side *base,
                          const struct vkm_side *fresh, const struct vkm_compare_settings *settings)
    __attribute__((warn_unused_result));
void vkm_comparison_finish(struct vkm_comparison *comparison);

#endif
