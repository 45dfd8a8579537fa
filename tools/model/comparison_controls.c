/* The weather: how much work moved that is the same on both sides. In: pairs. Out: drift, noise
 * floor. Next: comparison_judge. */
#include <math.h>
#include <stdlib.h>

#include "measure/stats.h"
#include "measure/student.h"
#include "model/comparison_parts.h"

/* A standard deviation from a median absolute deviation, of the normal distribution; and how much
 * more a median of many varies than their mean, pi / 2. */
static const double deviation_of_mad = 1.4826;
static const double median_variance = 1.57;

static bool has_centers(const struct vkm_pair *pair) {
  const struct vkm_compared_side *base = &pair->of[VKM_BASE]->figures;
  const struct vkm_compared_side *fresh = &pair->of[VKM_NEW]->figures;
  return base->has_time && fresh->has_time && base->only_first_use == fresh->only_first_use &&
         base->center_ns > 0 && fresh->center_ns > 0;
}

static void conclude(struct vkm_weighing *weighing, double *logs, double *distances) {
  struct vkm_panel *panel = weighing->panel;
  const struct vkm_compare_settings *settings = weighing->settings;
  size_t count = panel->control_count;
  double drift = vkm_median(logs, count);
  for (size_t i = 0; i < count; i++) {
    distances[i] = fabs(logs[i] - drift);
  }
  double deviation = deviation_of_mad * vkm_median(distances, count);
  double t = vkm_student_quantile((1 + settings->confidence) / 2, (double)(count - 1));
  double of_drift = t * deviation * sqrt(median_variance / (double)count);
  double of_row = t * deviation * sqrt(1 + median_variance / (double)count);
  weighing->controls_deviation = deviation;
  panel->has_drift = true;
  panel->drift = expm1(drift);
  panel->noise_floor = expm1(of_row);
  panel->drifted = fabs(panel->drift) > settings->threshold && fabs(drift) > of_drift;
  for (size_t i = 0; i < count; i++) { /* they are sorted, which does not matter here */
    panel->controls_outside += distances[i] > of_row;
  }
}

bool vkm_controls_weigh(struct vkm_weighing *weighing) {
  struct vkm_panel *panel = weighing->panel;
  double *logs = calloc(2 * weighing->pair_count + 1, sizeof *logs);
  if (logs == NULL) {
    return false;
  }
  for (size_t i = 0; i < weighing->pair_count; i++) {
    const struct vkm_pair *pair = &weighing->pairs[i];
    if (vkm_pair_is_control(pair) && has_centers(pair)) {
      logs[panel->control_count++] =
          log(pair->of[VKM_NEW]->figures.center_ns / pair->of[VKM_BASE]->figures.center_ns);
    }
  }
  if (panel->control_count >= VKM_CONTROLS_NEEDED) {
    conclude(weighing, logs, logs + weighing->pair_count);
  }
  free(logs);
  return true;
}
