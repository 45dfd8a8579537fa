/* --rule=samples: the rule for baselines of a single run. In: a pair. Out: a verdict. A change has
 * to be beyond the ratio, beyond the floor, and three of four new samples beyond the base's
 * median. It knows nothing of how runs differ, so what it says is likely, no more. */
#include "model/comparison_parts.h"

static const double exceeding_needed = 0.75;

/* Fraction of the samples of the row that are beyond `limit`, above it or below; 0: none was kept.
 */
static double exceeding(const struct vkm_side_row *row, unsigned warmup, double limit, bool above) {
  size_t count = 0;
  size_t beyond = 0;
  for (size_t i = 0; i < row->ref_count; i++) {
    const struct vkm_read_kernel *kernel = row->refs[i].kernel;
    for (size_t j = 0; j < kernel->sample_count; j++) {
      double sample = (double)kernel->samples_ns[j];
      if (warmup == 0 || j != kernel->first_use) {
        count++;
        beyond += above ? sample > limit : sample < limit;
      }
    }
  }
  return count > 0 ? (double)beyond / (double)count : 0;
}

void vkm_row_judge_samples(struct vkm_weighing *weighing, size_t index) {
  struct vkm_compared_row *row = &weighing->panel->rows[index];
  const struct vkm_compare_settings *settings = weighing->settings;
  const struct vkm_side_row *fresh = weighing->pairs[index].of[VKM_NEW];
  double base_ns = row->sides[VKM_BASE].center_ns;
  double change = row->change;
  bool slower = change > 0;
  unsigned warmup = row->sides[VKM_NEW].only_first_use ? 0 : settings->warmup;
  double absolute = (slower ? change : -change) * base_ns;
  row->evidence = VKM_EVIDENCE_SAMPLES;
  row->exceeding = exceeding(fresh, warmup, base_ns, slower);
  if ((slower ? change : -change) <= settings->threshold) {
    row->verdict = VKM_VERDICT_SAME;
    row->reason = "ratio-within-threshold";
  } else if (absolute < weighing->panel->floor_ns) {
    row->verdict = VKM_VERDICT_SAME;
    row->reason = "change-within-floor";
  } else if (row->exceeding < exceeding_needed) {
    row->verdict = VKM_VERDICT_UNCLEAR;
    row->reason = "samples-overlap";
  } else {
    row->verdict = slower ? VKM_VERDICT_LIKELY_SLOWER : VKM_VERDICT_LIKELY_FASTER;
    row->reason = "samples-beyond-median";
  }
}
