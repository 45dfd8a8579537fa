/* The verdict of a row. In: a pair, drift, noise. Out: interval, verdict and reason. Next:
 * comparison_totals. */
#include <math.h>

#include "measure/student.h"
#include "measure/welch.h"
#include "model/comparison_parts.h"
#include "model/noise.h"

enum { RUNS_MAX = 1000 };

struct vkm_limits vkm_row_limits(const struct vkm_weighing *weighing, double base_ns,
                                 double floor_ns) {
  /* What lies on a limit is within it, however it was rounded on its way. */
  const double rounding = 1 + 1e-9;
  double threshold = weighing->settings->threshold * rounding;
  double floor = base_ns > 0 ? floor_ns / base_ns * rounding : 0;
  return (struct vkm_limits){floor > threshold ? floor : threshold, threshold};
}

void vkm_row_conclude(struct vkm_compared_row *row, struct vkm_limits limits, double low,
                      double high, bool firm) {
  row->has_interval = true;
  row->low = expm1(low);
  row->high = expm1(high);
  if (row->low > limits.up) {
    row->verdict = firm ? VKM_VERDICT_SLOWER : VKM_VERDICT_LIKELY_SLOWER;
    row->reason = "interval-above-threshold";
  } else if (row->high < -limits.up) {
    row->verdict = firm ? VKM_VERDICT_FASTER : VKM_VERDICT_LIKELY_FASTER;
    row->reason = "interval-below-threshold";
  } else if (row->low >= -limits.threshold && row->high <= limits.threshold) {
    row->verdict = VKM_VERDICT_SAME;
    row->reason = "interval-within-threshold";
  } else if (row->low >= -limits.up && row->high <= limits.up) {
    row->verdict = VKM_VERDICT_SAME;
    row->reason = "interval-within-floor";
  } else {
    bool beyond = row->low > limits.threshold || row->high < -limits.threshold;
    row->verdict = VKM_VERDICT_UNCLEAR;
    row->reason = beyond ? "interval-straddles-floor" : "interval-straddles-threshold";
  }
}

static bool settles(size_t runs, double deviation, double distance, double confidence) {
  double t = vkm_student_quantile((1 + confidence) / 2, 2 * (double)runs - 2);
  return t * deviation * sqrt(2 / (double)runs) <= distance;
}

size_t vkm_runs_needed(double difference, double deviation, double limit, double confidence) {
  double distance = fabs(fabs(difference) - limit);
  size_t low = VKM_RUNS_NEEDED - 1; /* never settles, as far as we say */
  size_t high = RUNS_MAX;
  if (!settles(high, deviation, distance, confidence)) {
    return 0;
  }
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (settles(middle, deviation, distance, confidence)) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return high;
}

static size_t take_logs(const struct vkm_compared_side *side, double *logs) {
  for (size_t i = 0; i < side->run_count; i++) {
    logs[i] = log(side->run_ns[i]);
  }
  return side->run_count;
}

static void unclear(struct vkm_compared_row *row, const char *reason) {
  row->verdict = VKM_VERDICT_UNCLEAR;
  row->reason = reason;
}

static void estimate_runs(struct vkm_weighing *weighing, struct vkm_compared_row *row,
                          struct vkm_limits limits, double deviation) {
  if (row->verdict == VKM_VERDICT_UNCLEAR) {
    row->runs_needed = vkm_runs_needed(row->log_difference, deviation, log1p(limits.up),
                                       weighing->settings->confidence);
  }
}

static void judge_runs(struct vkm_weighing *weighing, struct vkm_compared_row *row,
                       struct vkm_limits limits) {
  double *base = weighing->logs[VKM_BASE];
  double *fresh = weighing->logs[VKM_NEW];
  size_t base_count = take_logs(&row->sides[VKM_BASE], base);
  size_t fresh_count = take_logs(&row->sides[VKM_NEW], fresh);
  struct vkm_welch welch;
  vkm_welch(base, base_count, fresh, fresh_count, weighing->settings->confidence, &welch);
  bool adjust = weighing->settings->adjust_drift && weighing->panel->has_drift;
  double drift = adjust ? log1p(weighing->panel->drift) : 0;
  row->evidence = VKM_EVIDENCE_RUNS;
  row->log_difference = welch.difference - drift;
  row->standard_error = welch.standard_error;
  row->degrees_of_freedom = welch.degrees_of_freedom;
  row->t = welch.standard_error > 0 ? row->log_difference / welch.standard_error : 0;
  vkm_row_conclude(row, limits, welch.low - drift, welch.high - drift, true);
  double variance = (vkm_variance(base, base_count) + vkm_variance(fresh, fresh_count)) / 2;
  estimate_runs(weighing, row, limits, sqrt(variance));
}

/* One or two runs a side: `deviation` of the logs' difference comes from elsewhere. */
static void judge_few(struct vkm_weighing *weighing, struct vkm_compared_row *row,
                      struct vkm_limits limits, double difference, double deviation,
                      double freedom) {
  double t = vkm_student_quantile((1 + weighing->settings->confidence) / 2, freedom);
  double resolution = weighing->panel->tick_ns / 2 / row->sides[VKM_BASE].center_ns;
  double half = t * deviation;
  half = half < resolution ? resolution : half;
  row->log_difference = difference;
  row->standard_error = half / t;
  row->degrees_of_freedom = freedom;
  row->t = half > 0 ? difference / row->standard_error : 0;
  vkm_row_conclude(row, limits, difference - half, difference + half, false);
}

static void judge_controls(struct vkm_weighing *weighing, struct vkm_compared_row *row,
                           struct vkm_limits limits, double difference) {
  const struct vkm_panel *panel = weighing->panel;
  double count = (double)panel->control_count;
  row->evidence = VKM_EVIDENCE_CONTROLS;
  judge_few(weighing, row, limits, difference - log1p(panel->drift),
            weighing->controls_deviation * sqrt(1 + 1.57 / count), count - 1);
  if (row->verdict == VKM_VERDICT_SAME && panel->drifted) {
    unclear(row, "machine-drifted");
  }
  estimate_runs(weighing, row, limits, weighing->controls_deviation / sqrt(2));
}

static void judge_noise(struct vkm_weighing *weighing, struct vkm_compared_row *row,
                        struct vkm_limits limits, double difference,
                        const struct vkm_noise_row *noise) {
  const struct vkm_panel *panel = weighing->panel;
  bool adjust = weighing->settings->adjust_drift && panel->has_drift;
  double runs =
      1 / (double)row->sides[VKM_BASE].run_count + 1 / (double)row->sides[VKM_NEW].run_count;
  row->evidence = VKM_EVIDENCE_NOISE;
  judge_few(weighing, row, limits, adjust ? difference - log1p(panel->drift) : difference,
            noise->deviation * sqrt(runs), (double)(noise->run_count - 1));
  estimate_runs(weighing, row, limits, noise->deviation);
}

static const struct vkm_noise_row *find_noise(struct vkm_weighing *weighing,
                                              const struct vkm_pair *pair) {
  const struct vkm_noise *noise = weighing->settings->noise;
  if (noise == NULL || noise->stat != weighing->settings->stat) {
    return NULL;
  }
  const struct vkm_noise_row *found = NULL;
  for (int side = 0; side < VKM_SIDES && found == NULL; side++) {
    struct vkm_noise_key key = vkm_noise_key_of(weighing, side, pair->of[side]);
    found = vkm_noise_find(noise, &key);
  }
  return found;
}

static bool all_above_zero(const struct vkm_compared_side *side) {
  bool good = true;
  for (size_t i = 0; i < side->run_count; i++) {
    good = good && side->run_ns[i] > 0;
  }
  return good;
}

/* Why the row cannot be judged at all; NULL: it can. */
static const char *obstacle(const struct vkm_compare_settings *settings,
                            const struct vkm_compared_row *row) {
  const struct vkm_compared_side *base = &row->sides[VKM_BASE];
  const struct vkm_compared_side *fresh = &row->sides[VKM_NEW];
  if (!base->has_time || !fresh->has_time) {
    return "not-timed";
  }
  if (base->only_first_use != fresh->only_first_use) {
    return "first-use-on-one-side";
  }
  if (!all_above_zero(base) || !all_above_zero(fresh)) {
    return "below-resolution";
  }
  bool tail = settings->stat == VKM_STAT_P99;
  if (tail && (base->sample_count < VKM_TAIL_SAMPLES_NEEDED ||
               fresh->sample_count < VKM_TAIL_SAMPLES_NEEDED)) {
    return "few-samples";
  }
  return NULL;
}

static void judge_times(struct vkm_weighing *weighing, size_t index) {
  const struct vkm_panel *panel = weighing->panel;
  struct vkm_compared_row *row = &weighing->panel->rows[index];
  const struct vkm_pair *pair = &weighing->pairs[index];
  const struct vkm_compared_side *base = &row->sides[VKM_BASE];
  const struct vkm_compared_side *fresh = &row->sides[VKM_NEW];
  struct vkm_limits limits = vkm_row_limits(weighing, base->center_ns, panel->floor_ns);
  double difference = log(fresh->center_ns / base->center_ns);
  const struct vkm_noise_row *noise = find_noise(weighing, pair);
  if (noise != NULL) {
    row->has_noise = true;
    row->noise = noise->deviation;
    row->beyond_gating = expm1(noise->deviation) > weighing->settings->threshold;
    weighing->panel->noise_count++;
  }
  if (base->run_count >= VKM_RUNS_NEEDED && fresh->run_count >= VKM_RUNS_NEEDED) {
    judge_runs(weighing, row, limits);
  } else if (noise != NULL) {
    judge_noise(weighing, row, limits, difference, noise);
  } else if (panel->run_count[VKM_BASE] >= VKM_RUNS_NEEDED &&
             panel->run_count[VKM_NEW] >= VKM_RUNS_NEEDED) {
    row->runs_needed = VKM_RUNS_NEEDED;
    unclear(row, "in-too-few-runs");
  } else if (panel->has_drift) {
    judge_controls(weighing, row, limits, difference);
  } else {
    unclear(row, "single-run");
  }
}

/* By what usually one call takes, as the change is: sums hold outliers that may say the opposite.
 */
static double typical_ns(const struct vkm_panel *panel, const struct vkm_compared_side *side,
                         int which) {
  size_t runs = panel->run_count[which];
  return runs > 0 ? side->center_ns * (double)side->calls / (double)runs : 0;
}

static void weigh_impact(const struct vkm_panel *panel, struct vkm_compared_row *row) {
  const struct vkm_compared_side *base = &row->sides[VKM_BASE];
  const struct vkm_compared_side *fresh = &row->sides[VKM_NEW];
  bool both = base->present && fresh->present;
  row->has_impact = both ? base->has_time && fresh->has_time : base->has_time || fresh->has_time;
  if (row->has_impact) {
    row->impact_ns = typical_ns(panel, fresh, VKM_NEW) - typical_ns(panel, base, VKM_BASE);
  }
}

void vkm_row_judge(struct vkm_weighing *weighing, size_t index) {
  struct vkm_compared_row *row = &weighing->panel->rows[index];
  const struct vkm_compare_settings *settings = weighing->settings;
  const struct vkm_compared_side *base = &row->sides[VKM_BASE];
  const struct vkm_compared_side *fresh = &row->sides[VKM_NEW];
  bool both = base->present && fresh->present;
  weigh_impact(weighing->panel, row);
  if (!both) {
    row->verdict = base->present ? VKM_VERDICT_GONE : VKM_VERDICT_NEW;
    row->reason = base->present ? "only-in-base" : "only-in-new";
    return;
  }
  row->has_change = row->has_impact && base->center_ns > 0;
  row->change = row->has_change ? fresh->center_ns / base->center_ns - 1 : 0;
  if (row->has_change && settings->adjust_drift && weighing->panel->has_drift) {
    row->change = (1 + row->change) / (1 + weighing->panel->drift) - 1;
  }
  const char *why = obstacle(settings, row);
  if (why != NULL) {
    unclear(row, why);
  } else if (settings->rule == VKM_RULE_SAMPLES) {
    vkm_row_judge_samples(weighing, index);
  } else {
    judge_times(weighing, index);
  }
}
