/* The panel as a whole. In: judged rows. Out: sums over the rows that both sides timed, and what
 * came and went beside them. Next: views. */
#include <math.h>
#include <stdlib.h>

#include "measure/welch.h"
#include "model/comparison_parts.h"

/* Time of the matched rows in each run of a side. */
struct sums {
  double *of_run; /* owned, room for every run */
  size_t count;
};

static bool is_timed(const struct vkm_pair *pair) {
  return pair->of[VKM_BASE] != NULL && pair->of[VKM_NEW] != NULL &&
         pair->of[VKM_BASE]->figures.has_time && pair->of[VKM_NEW]->figures.has_time;
}

/* Of incomplete runs an unknown part is missing; they count only where there are no others. */
static bool sum_runs(struct vkm_weighing *weighing, int which, struct sums *sums) {
  const struct vkm_panel_side *side = &weighing->sides[which];
  sums->of_run = calloc(side->run_count + 1, sizeof *sums->of_run);
  if (sums->of_run == NULL) {
    return false;
  }
  for (size_t i = 0; i < weighing->pair_count; i++) {
    const struct vkm_side_row *row = weighing->pairs[i].of[which];
    for (size_t j = 0; is_timed(&weighing->pairs[i]) && j < row->total_count; j++) {
      sums->of_run[row->runs[j]] += row->run_totals_ns[j];
    }
  }
  bool any_complete = false;
  for (size_t i = 0; i < side->run_count; i++) {
    any_complete = any_complete || side->complete[i];
  }
  for (size_t i = 0; i < side->run_count; i++) {
    if (side->complete[i] || !any_complete) {
      sums->of_run[sums->count++] = sums->of_run[i];
    }
  }
  return true;
}

static bool take_logs(struct sums *sums) {
  bool good = sums->count >= VKM_RUNS_NEEDED;
  for (size_t i = 0; i < sums->count; i++) {
    good = good && sums->of_run[i] > 0;
    sums->of_run[i] = log(sums->of_run[i]);
  }
  return good;
}

/* The sums are logs. */
static void judge_total(struct vkm_weighing *weighing, const struct sums *sums) {
  struct vkm_panel *panel = weighing->panel;
  const struct vkm_compare_settings *settings = weighing->settings;
  struct vkm_welch welch;
  vkm_welch(sums[VKM_BASE].of_run, sums[VKM_BASE].count, sums[VKM_NEW].of_run, sums[VKM_NEW].count,
            settings->confidence, &welch);
  double drift = settings->adjust_drift && panel->has_drift ? log1p(panel->drift) : 0;
  struct vkm_compared_row row = {.verdict = VKM_VERDICT_UNCLEAR};
  vkm_row_conclude(&row, vkm_row_limits(weighing, 0, 0), welch.low - drift, welch.high - drift,
                   true);
  panel->has_total_interval = true;
  panel->total_low = row.low;
  panel->total_high = row.high;
  panel->total_verdict = row.verdict;
}

static void add_row(struct vkm_panel *panel, const struct vkm_compared_row *row, double *log_sum,
                    size_t *log_count) {
  const struct vkm_compared_side *base = &row->sides[VKM_BASE];
  const struct vkm_compared_side *fresh = &row->sides[VKM_NEW];
  panel->gone_ns += fresh->present ? 0 : base->total_ns;
  panel->new_ns += base->present ? 0 : fresh->total_ns;
  panel->matched_count += base->has_time && fresh->has_time;
  if (row->has_change && row->change > -1) {
    *log_sum += log1p(row->change);
    ++*log_count;
  }
}

bool vkm_totals_sum(struct vkm_weighing *weighing) {
  struct vkm_panel *panel = weighing->panel;
  double log_sum = 0;
  size_t log_count = 0;
  for (size_t i = 0; i < panel->row_count; i++) {
    add_row(panel, &panel->rows[i], &log_sum, &log_count);
  }
  panel->has_geomean = log_count > 0;
  panel->geomean = log_count > 0 ? expm1(log_sum / (double)log_count) : 0;
  panel->total_verdict = VKM_VERDICT_UNCLEAR;
  struct sums sums[VKM_SIDES] = {{NULL, 0}, {NULL, 0}};
  bool good = true;
  for (int side = 0; good && side < VKM_SIDES; side++) {
    good = sum_runs(weighing, side, &sums[side]);
    panel->matched_ns[side] = good ? vkm_mean(sums[side].of_run, sums[side].count) : 0;
  }
  panel->has_total = good && panel->matched_ns[VKM_BASE] > 0 && panel->matched_ns[VKM_NEW] > 0;
  if (panel->has_total) {
    double drift = weighing->settings->adjust_drift && panel->has_drift ? panel->drift : 0;
    panel->total_change =
        panel->matched_ns[VKM_NEW] / panel->matched_ns[VKM_BASE] / (1 + drift) - 1;
    bool enough = take_logs(&sums[VKM_BASE]);
    enough = take_logs(&sums[VKM_NEW]) && enough;
    if (enough) {
      judge_total(weighing, sums);
    }
  }
  free(sums[VKM_BASE].of_run);
  free(sums[VKM_NEW].of_run);
  return good;
}
