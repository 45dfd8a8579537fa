/* Measures of processes. In: runs on two sides. Out: change, interval, verdict. */
#include "model/measures.h"

#include <math.h>
#include <stdlib.h>

#include "measure/stats.h"
#include "measure/welch.h"
#include "message.h"
#include "model/comparison_parts.h"
#include "model/sample_file.h"

const char *vkm_measure_name(enum vkm_measure_of of) {
  static const char *const names[] = {"wall", "resident", "device-memory"};
  return names[of];
}

/* What the run of profiles[index], its first one, allocated at most; 0: not known. Peaks of heaps
 * and processes need not fall together, so it is the most that it can have been. */
static double device_memory(const struct vkm_side *side, size_t index) {
  double bytes = 0;
  for (size_t i = index; i < side->profile_count; i++) {
    const struct vkm_read_profile *profile = &side->profiles[i];
    for (size_t j = 0; side->runs[i] == index && j < profile->device_count; j++) {
      const struct vkm_read_memory *memory = &profile->devices[j].memory;
      for (size_t heap = 0; heap < memory->heap_count; heap++) {
        bytes += (double)memory->heaps[heap].peak_bytes;
      }
    }
  }
  return bytes;
}

static double value_of(const struct vkm_side *side, const struct vkm_side_sample *sample,
                       size_t profile, enum vkm_measure_of of) {
  switch (of) {
  case VKM_MEASURE_WALL:
    return (double)sample->wall_ns;
  case VKM_MEASURE_RESIDENT:
    return sample->has_resident ? (double)sample->resident_peak_bytes : 0;
  default:
    return device_memory(side, side->runs[profile]);
  }
}

/* Of the runs that have it; what is not above 0 is not known. */
static size_t collect(const struct vkm_side *side, enum vkm_measure_of of, double *values) {
  size_t count = 0;
  for (size_t i = 0; i < side->sample_count; i++) {
    size_t profile = vkm_sample_profile(side, &side->samples[i]);
    if (profile < side->profile_count) {
      values[count] = value_of(side, &side->samples[i], profile, of);
      count += values[count] > 0;
    }
  }
  return count;
}

static void judge_runs(struct vkm_measure *measure, double *const values[VKM_SIDES],
                       const struct vkm_compare_settings *settings,
                       const struct vkm_measure_limit *limit) {
  struct vkm_compare_settings own = {.threshold = limit->fraction};
  struct vkm_weighing weighing = {.settings = &own};
  struct vkm_compared_row row = {.verdict = VKM_VERDICT_UNCLEAR};
  struct vkm_welch welch;
  for (int side = 0; side < VKM_SIDES; side++) {
    for (size_t i = 0; i < measure->run_count[side]; i++) {
      values[side][i] = log(values[side][i]);
    }
  }
  (void)vkm_welch(values[VKM_BASE], measure->run_count[VKM_BASE], values[VKM_NEW],
                  measure->run_count[VKM_NEW], settings->confidence, &welch);
  vkm_row_conclude(&row, vkm_row_limits(&weighing, measure->center[VKM_BASE], limit->floor),
                   welch.low, welch.high, true);
  measure->has_interval = true;
  measure->low = row.low;
  measure->high = row.high;
  measure->verdict = row.verdict;
  measure->reason = row.reason;
}

/* --rule=samples: here a run is a sample. */
static void judge_samples(struct vkm_measure *measure, const double *fresh,
                          const struct vkm_measure_limit *limit) {
  const double needed = 0.75;
  double base = measure->center[VKM_BASE];
  bool more = measure->change > 0;
  double change = fabs(measure->change);
  size_t beyond = 0;
  for (size_t i = 0; i < measure->run_count[VKM_NEW]; i++) {
    beyond += more ? fresh[i] > base : fresh[i] < base;
  }
  if (change <= limit->fraction || change * base < limit->floor) {
    measure->verdict = VKM_VERDICT_SAME;
    measure->reason = change <= limit->fraction ? "ratio-within-threshold" : "change-within-floor";
  } else if ((double)beyond < needed * (double)measure->run_count[VKM_NEW]) {
    measure->verdict = VKM_VERDICT_UNCLEAR;
    measure->reason = "samples-overlap";
  } else {
    measure->verdict = more ? VKM_VERDICT_LIKELY_SLOWER : VKM_VERDICT_LIKELY_FASTER;
    measure->reason = "samples-beyond-median";
  }
}

static void judge(struct vkm_measure *measure, double *const values[VKM_SIDES],
                  const struct vkm_compare_settings *settings,
                  const struct vkm_measure_limit *limit) {
  for (int side = 0; side < VKM_SIDES; side++) {
    if (measure->run_count[side] == 0) {
      return;
    }
  }
  measure->has_change = true;
  measure->change = measure->center[VKM_NEW] / measure->center[VKM_BASE] - 1;
  if (settings->rule == VKM_RULE_SAMPLES) {
    judge_samples(measure, values[VKM_NEW], limit);
  } else if (measure->run_count[VKM_BASE] < VKM_RUNS_NEEDED ||
             measure->run_count[VKM_NEW] < VKM_RUNS_NEEDED) {
    measure->verdict = VKM_VERDICT_UNCLEAR;
    measure->reason = "in-too-few-runs";
  } else {
    judge_runs(measure, values, settings, limit);
  }
}

bool vkm_measures_compare(struct vkm_measure measures[VKM_MEASURES], const struct vkm_side *base,
                          const struct vkm_side *fresh, const struct vkm_compare_settings *settings,
                          const struct vkm_measure_limit limits[VKM_MEASURES]) {
  const struct vkm_side *const sides[VKM_SIDES] = {base, fresh};
  double *values[VKM_SIDES] = {NULL, NULL};
  bool good = true;
  for (int side = 0; side < VKM_SIDES; side++) {
    values[side] = calloc(sides[side]->sample_count + 1, sizeof *values[side]);
    good = good && values[side] != NULL;
  }
  for (int of = 0; good && of < VKM_MEASURES; of++) {
    struct vkm_measure *measure = &measures[of];
    *measure = (struct vkm_measure){.verdict = VKM_VERDICT_INCOMPARABLE};
    for (int side = 0; side < VKM_SIDES; side++) {
      size_t count = collect(sides[side], (enum vkm_measure_of)of, values[side]);
      measure->run_count[side] = count;
      measure->center[side] = vkm_median(values[side], count);
    }
    judge(measure, values, settings, &limits[of]);
  }
  free(values[VKM_BASE]);
  free(values[VKM_NEW]);
  if (!good) {
    vkm_error("out of memory; choose fewer workloads or --repeat less");
  }
  return good;
}
