/* Plans. In: plans of all profiles. Out: a row for each signature. Next: report. */
#include <stdlib.h>
#include <string.h>

#include "measure/stats.h"
#include "model/details_build.h"

/* A plan of a profile. */
struct use {
  const struct vkm_read_plan *plan;
  size_t run, position;
};

static int by_signature(const void *a, const void *b) {
  const struct use *left = a;
  const struct use *right = b;
  int order = strcmp(left->plan->signature, right->plan->signature);
  return order != 0 ? order
                    : (left->position > right->position) - (left->position < right->position);
}

static int by_time(const void *a, const void *b) {
  const struct vkm_plan_row *left = a;
  const struct vkm_plan_row *right = b;
  int order = vkm_by_total(left->total_ns, right->total_ns);
  return order != 0 ? order : strcmp(left->plan->signature, right->plan->signature);
}

enum value { SPAN, CONTROL, RATIO };

static bool value_of(const struct vkm_read_plan *plan, enum value which, double *out) {
  switch (which) {
  case SPAN:
    *out = (double)plan->instrumented.median_ns;
    return plan->instrumented.count > 0;
  case CONTROL:
    *out = (double)plan->control.median_ns;
    return plan->control.count > 0;
  default:
    *out = plan->ratio;
    return plan->has_ratio;
  }
}

/* Over the processes that know it. False: none does. */
static bool median_of(const struct use *uses, size_t count, enum value which, double *values,
                      double *out) {
  size_t known = 0;
  for (size_t i = 0; i < count; i++) {
    known += value_of(uses[i].plan, which, &values[known]);
  }
  *out = known > 0 ? vkm_median(values, known) : 0;
  return known > 0;
}

static void add_span(struct vkm_plan_row *row, const struct vkm_read_span *span) {
  if (span->count == 0) {
    return;
  }
  bool first = !row->has_span;
  double min_ns = (double)span->min_ns;
  double max_ns = (double)span->max_ns;
  row->min_ns = first || min_ns < row->min_ns ? min_ns : row->min_ns;
  row->max_ns = first || max_ns > row->max_ns ? max_ns : row->max_ns;
  row->has_span = true;
  vkm_add_ns(&row->total_ns, span->sum_ns);
}

/* uses[0..count) are of one signature, in the order of profiles, so that runs lie together but for
 * processes that were named apart. */
static void fold(struct vkm_plan_row *row, const struct use *uses, size_t count, double *values) {
  const struct vkm_read_plan *first = uses[0].plan;
  *row = (struct vkm_plan_row){.plan = first};
  for (size_t i = 0; i < count; i++) {
    const struct vkm_read_plan *plan = uses[i].plan;
    row->recordings += plan->recordings;
    row->executions += plan->executions;
    row->measured += plan->measured;
    row->control_measured += plan->control_measured;
    add_span(row, &plan->instrumented);
    bool again = false;
    for (size_t before = 0; before < i; before++) {
      again = again || uses[before].run == uses[i].run;
    }
    row->run_count += !again;
  }
  (void)median_of(uses, count, SPAN, values, &row->median_ns);
  row->has_control = median_of(uses, count, CONTROL, values, &row->control_median_ns);
  row->has_ratio = median_of(uses, count, RATIO, values, &row->ratio);
  row->has_interval = count == 1 && first->has_interval;
  row->ratio_low = row->has_interval ? first->ratio_low : 0;
  row->ratio_high = row->has_interval ? first->ratio_high : 0;
}

static size_t collect(const struct vkm_inputs *inputs, size_t section, struct use *uses) {
  size_t used = 0;
  for (size_t i = 0; i < inputs->count; i++) {
    const struct vkm_read_profile *profile = &inputs->profiles[i];
    for (size_t j = 0; j < profile->plan_count; j++) {
      if (inputs->sections[i][profile->plans[j].device] == section) {
        if (uses != NULL) {
          uses[used] = (struct use){&profile->plans[j], inputs->runs[i], used};
        }
        used++;
      }
    }
  }
  return used;
}

static void build(struct vkm_details *details, struct use *uses, size_t count, double *values) {
  qsort(uses, count, sizeof *uses, by_signature);
  int64_t total_ns = 0;
  for (size_t begin = 0; begin < count;) {
    size_t end = begin + 1;
    while (end < count && strcmp(uses[begin].plan->signature, uses[end].plan->signature) == 0) {
      end++;
    }
    struct vkm_plan_row *row = &details->plans[details->plan_count++];
    fold(row, uses + begin, end - begin, values);
    vkm_add_ns(&total_ns, row->total_ns);
    begin = end;
  }
  for (size_t i = 0; i < details->plan_count; i++) {
    struct vkm_plan_row *row = &details->plans[i];
    row->has_share = row->has_span && total_ns > 0;
    row->share = row->has_share ? vkm_share_of(row->total_ns, total_ns) : 0;
  }
  qsort(details->plans, details->plan_count, sizeof *details->plans, by_time);
}

bool vkm_details_plans(struct vkm_details *details, const struct vkm_inputs *inputs,
                       size_t section) {
  size_t count = collect(inputs, section, NULL);
  if (count == 0) {
    return true;
  }
  struct use *uses = calloc(count, sizeof *uses);
  double *values = calloc(count, sizeof *values);
  details->plans = calloc(count, sizeof *details->plans);
  bool good = uses != NULL && values != NULL && details->plans != NULL;
  if (good) {
    collect(inputs, section, uses);
    build(details, uses, count, values);
  }
  free(uses);
  free(values);
  return good;
}
