/* Whole runs of a lane against the baseline. In: two sides, what the workload tolerates. Out:
 * measures, verdict and gates of the lane. */
#include "model/suite_results.h"

static const double fraction_default = 0.1;
static const double wall_default_ns = 25e6; /* starting a program varies by some of it */
static const double memory_default_bytes = 4 << 20;

static double first_known(double own, double other) {
  return own >= 0 ? own : other;
}

static void take_limits(const struct vkm_suite_tolerance *own, double threshold,
                        struct vkm_measure_limit limits[VKM_MEASURES]) {
  double fraction = first_known(threshold, fraction_default);
  struct vkm_measure_limit memory = {first_known(own->memory, fraction),
                                     first_known(own->memory_bytes, memory_default_bytes)};
  limits[VKM_MEASURE_WALL] = (struct vkm_measure_limit){first_known(own->wall, fraction),
                                                        first_known(own->wall_ns, wall_default_ns)};
  limits[VKM_MEASURE_RESIDENT] = limits[VKM_MEASURE_DEVICE_MEMORY] = memory;
}

static unsigned gate_of(enum vkm_measure_of of, enum vkm_verdict verdict) {
  switch (verdict) {
  case VKM_VERDICT_SLOWER:
    return 1U << (of == VKM_MEASURE_WALL ? (int)VKM_GATE_SLOWER : (int)VKM_SUITE_GATE_MEMORY);
  case VKM_VERDICT_LIKELY_SLOWER:
    return 1U << (of == VKM_MEASURE_WALL ? (int)VKM_GATE_LIKELY_SLOWER
                                         : (int)VKM_SUITE_GATE_MEMORY);
  case VKM_VERDICT_UNCLEAR:
    return 1U << VKM_GATE_UNCLEAR;
  default:
    return 0;
  }
}

/* The worse of the two; of few runs nothing is said. */
static void lift(struct vkm_suite_compared *compared, const struct vkm_measure *measure) {
  enum vkm_verdict verdict = measure->verdict;
  if (verdict == VKM_VERDICT_SLOWER || verdict == VKM_VERDICT_LIKELY_SLOWER) {
    compared->verdict = VKM_SUITE_WARNING;
  } else if (verdict == VKM_VERDICT_UNCLEAR && measure->has_interval &&
             compared->verdict < VKM_SUITE_UNCLEAR) {
    compared->verdict = VKM_SUITE_UNCLEAR;
  } else if ((verdict == VKM_VERDICT_FASTER || verdict == VKM_VERDICT_LIKELY_FASTER) &&
             compared->verdict == VKM_SUITE_STABLE) {
    compared->verdict = VKM_SUITE_IMPROVED;
  }
}

bool vkm_suite_measures_take(struct vkm_suite_lane *lane, const struct vkm_side *base,
                             const struct vkm_side *fresh,
                             const struct vkm_compare_settings *settings, double threshold,
                             unsigned gates) {
  struct vkm_suite_compared *compared = &lane->compared;
  struct vkm_measure_limit limits[VKM_MEASURES];
  if (compared->verdict < VKM_SUITE_STABLE) {
    return true;
  }
  take_limits(&lane->planned.workload->tolerance, threshold, limits);
  if (!vkm_measures_compare(compared->measures, base, fresh, settings, limits)) {
    return false;
  }
  for (int of = 0; of < VKM_MEASURES; of++) {
    const struct vkm_measure *measure = &compared->measures[of];
    if (measure->reason != NULL) {
      lift(compared, measure);
      compared->tripped |= gate_of((enum vkm_measure_of)of, measure->verdict) & gates;
    }
  }
  return true;
}
