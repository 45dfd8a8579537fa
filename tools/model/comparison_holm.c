/* Verdicts at threshold 0, where any difference counts. In: judged rows of all panels. Out: their
 * verdicts. With a threshold, rows that did not change practically never reach it; without one, one
 * of twenty would by chance, so p-values are corrected for their number. */
#include <math.h>
#include <stdlib.h>

#include "measure/student.h"
#include "model/comparison_parts.h"

struct tested {
  struct vkm_compared_row *row;
  double p;
  size_t position;
};

static int compare(const void *a, const void *b) {
  const struct tested *left = a;
  const struct tested *right = b;
  int order = (left->p > right->p) - (left->p < right->p);
  return order != 0 ? order
                    : (left->position > right->position) - (left->position < right->position);
}

/* Two-sided p of a difference beyond the floor. */
static double p_of(const struct vkm_compared_row *row, double floor_ns) {
  double base_ns = row->sides[VKM_BASE].center_ns;
  double floor = base_ns > 0 ? log1p(floor_ns / base_ns) : 0;
  double beyond = fabs(row->log_difference) - floor;
  if (beyond <= 0) {
    return 1;
  }
  return row->standard_error > 0
             ? 2 * vkm_student_cdf(-beyond / row->standard_error, row->degrees_of_freedom)
             : 0;
}

static void decide(struct vkm_compared_row *row, double p, double confidence) {
  bool firm = row->evidence == VKM_EVIDENCE_RUNS;
  bool slower = row->log_difference > 0;
  row->has_p = true;
  row->p = p;
  row->runs_needed = 0; /* no number of runs shows that there is no difference at all */
  if (row->verdict == VKM_VERDICT_SAME) {
    return;
  }
  if (p > 1 - confidence) {
    row->verdict = VKM_VERDICT_UNCLEAR;
    row->reason = "not-significant";
  } else if (slower) {
    row->verdict = firm ? VKM_VERDICT_SLOWER : VKM_VERDICT_LIKELY_SLOWER;
    row->reason = "significant";
  } else {
    row->verdict = firm ? VKM_VERDICT_FASTER : VKM_VERDICT_LIKELY_FASTER;
    row->reason = "significant";
  }
}

static size_t collect(struct vkm_comparison *comparison, struct tested *tests) {
  size_t count = 0;
  for (size_t i = 0; i < comparison->panel_count; i++) {
    struct vkm_panel *panel = &comparison->panels[i];
    for (size_t j = 0; j < panel->row_count; j++) {
      struct vkm_compared_row *row = &panel->rows[j];
      if (row->has_interval && tests != NULL) {
        tests[count] = (struct tested){row, p_of(row, panel->floor_ns), count};
      }
      count += row->has_interval;
    }
  }
  return count;
}

bool vkm_holm_correct(struct vkm_comparison *comparison) {
  size_t count = collect(comparison, NULL);
  struct tested *tests = calloc(count + 1, sizeof *tests);
  if (tests == NULL) {
    return false;
  }
  (void)collect(comparison, tests);
  if (count > 1) {
    qsort(tests, count, sizeof *tests, compare);
  }
  double before = 0;
  for (size_t i = 0; i < count; i++) {
    double p = tests[i].p * (double)(count - i);
    before = fmin(1, fmax(before, p));
    decide(tests[i].row, before, comparison->settings.confidence);
  }
  free(tests);
  return true;
}
