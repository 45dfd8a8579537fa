/* Lanes against a baseline. In: profiles of a lane. Out: a verdict, compare.json. Next:
 * model/comparison, views. */
#include "commands/suite_compare.h"

#include <stdio.h>
#include <stdlib.h>

#include "args.h"
#include "deliver.h"
#include "message.h"
#include "model/baseline.h"
#include "model/side.h"
#include "views/compare_views.h"
#include "views/term.h"

static bool write_json(const struct vkm_suite_run *run, const struct vkm_suite_lane *lane,
                       const struct vkm_comparison *comparison) {
  struct vkm_view_settings settings = {.raw = true};
  struct vkm_text text;
  char *path = NULL;
  if (asprintf(&path, "%s/%s/compare.json", run->output, lane->folder) < 0) {
    vkm_error("out of memory");
    return false;
  }
  vkm_text_init(&text, SIZE_MAX);
  vkm_compare_json(comparison, &settings, &text);
  bool good = vkm_deliver(path, &text);
  vkm_text_finish(&text);
  free(path);
  return good;
}

static void tell(const struct vkm_suite_lane *lane, const struct vkm_comparison *comparison,
                 struct vkm_text *details) {
  if (lane->compared.verdict != VKM_SUITE_STABLE) {
    struct vkm_view_settings settings = {.top = VKM_SUITE_CHANGES};
    vkm_term_resolve(&settings, -1);
    vkm_compare_md(comparison, &settings, details);
  }
}

static bool judge(const struct vkm_suite_run *run, struct vkm_suite_lane *lane,
                  const struct vkm_side *base, const struct vkm_side *fresh,
                  struct vkm_text *details) {
  struct vkm_compare_settings settings = run->args->compare;
  settings.warmup = run->args->warmup;
  if (lane->planned.workload->floor_ns >= 0) {
    settings.floor_ns = lane->planned.workload->floor_ns;
  }
  struct vkm_comparison comparison;
  if (!vkm_comparison_build(&comparison, base, fresh, &settings)) {
    return false;
  }
  vkm_gate_judge(&comparison, run->results->gates & ((1U << VKM_GATE_COUNT) - 1));
  double threshold = run->args->threshold_given ? settings.threshold : -1;
  bool good =
      vkm_suite_compared_take(&lane->compared, &comparison) &&
      vkm_suite_measures_take(lane, base, fresh, &settings, threshold, run->results->gates) &&
      write_json(run, lane, &comparison);
  if (good && lane->compared.verdict >= VKM_SUITE_STABLE) {
    vkm_suite_outputs_base(lane, base);
  }
  if (good) {
    tell(lane, &comparison, details);
  }
  vkm_comparison_finish(&comparison);
  return good;
}

/* All of the baseline. False: reported. */
static bool load(const struct vkm_suite_run *run, struct vkm_side *base) {
  char *operand = NULL;
  if (asprintf(&operand, "@%s", run->results->baseline) < 0) {
    vkm_error("out of memory");
    return false;
  }
  struct vkm_side_source source = {"base", &operand, 1,
                                   vkm_baseline_directory(run->args->baseline_dir)};
  bool good = vkm_side_load(base, &source);
  free(operand);
  return good;
}

bool vkm_suite_compare(const struct vkm_suite_run *run, struct vkm_suite_lane *lane,
                       struct vkm_side *fresh, struct vkm_text *details) {
  struct vkm_side base;
  if (!load(run, &base)) {
    return false;
  }
  (void)vkm_side_narrow(&base, fresh); /* to this workload, too: its tag is a part of a segment */
  bool good = judge(run, lane, &base, fresh, details);
  vkm_side_finish(&base);
  return good;
}

bool vkm_suite_find_vanished(const struct vkm_suite_run *run) {
  struct vkm_side base;
  if (!load(run, &base)) {
    return false;
  }
  bool good = vkm_suite_vanished_find(run->results, &base);
  vkm_side_finish(&base);
  return good;
}
