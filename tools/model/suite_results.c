/* Judges suites. In: lanes with their passes. Out: statuses, counts, the label. Next: views. */
#include "model/suite_results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "model/side.h"

const char *vkm_suite_verdict_name(enum vkm_suite_verdict verdict) {
  static const char *const names[] = {NULL,       "incomparable", "new",    "stable",
                                      "improved", "unclear",      "warning"};
  return names[verdict];
}

const char *vkm_suite_label_name(enum vkm_suite_label label) {
  static const char *const names[] = {"quick", "full", "partial", "diagnose"};
  return names[label];
}

const char *vkm_suite_gate_name(size_t gate) {
  static const char *const own[] = {"budget", "skipped", "memory", "output-changed",
                                    "output-varies"};
  return gate >= VKM_GATE_COUNT ? own[gate - VKM_GATE_COUNT]
                                : vkm_gate_name((enum vkm_gate_kind)gate);
}

static bool out_of_memory(void) {
  vkm_error("out of memory; choose fewer workloads");
  return false;
}

bool vkm_suite_results_init(struct vkm_suite_results *results, const struct vkm_suite_plan *plan) {
  results->lanes = calloc(plan->count, sizeof *results->lanes);
  results->left_out = plan->left_out;
  results->fewer_repeats = plan->fewer_repeats;
  results->fell_back = plan->fell_back;
  if (results->lanes == NULL) {
    return out_of_memory();
  }
  for (size_t i = 0; i < plan->count; i++) {
    struct vkm_suite_lane *lane = &results->lanes[results->lane_count++];
    lane->planned = plan->items[i];
    const struct vkm_suite_device *device = lane->planned.device;
    if (asprintf(&lane->folder, "%s/%s", lane->planned.workload->name,
                 device != NULL ? device->name : "any") < 0) {
      lane->folder = NULL;
      return out_of_memory();
    }
  }
  return true;
}

const struct vkm_suite_pass *vkm_suite_lane_timing(const struct vkm_suite_lane *lane) {
  for (size_t i = 0; i < lane->pass_count; i++) {
    if (lane->passes[i].phase == VKM_PHASE_TIMING) {
      return &lane->passes[i];
    }
  }
  return NULL;
}

/* The first thing that went wrong is why. */
static void judge_errors(struct vkm_suite_lane *lane) {
  lane->error_count = 0;
  for (size_t i = 0; i < lane->pass_count; i++) {
    const struct vkm_suite_pass *pass = &lane->passes[i];
    for (size_t j = 0; j < pass->sample_count; j++) {
      const struct vkm_sample *sample = &pass->samples[j].run;
      if (!sample->good && lane->error_count++ == 0) {
        snprintf(lane->planned.reason, sizeof lane->planned.reason, "%.250s%s%.200s", sample->cause,
                 *sample->last_line ? "; last words: " : "", sample->last_line);
      }
    }
  }
}

static bool is_known(const struct vkm_suite_results *results, const char *name) {
  for (size_t i = 0; i < results->file->workload_count; i++) {
    if (strcmp(results->file->workloads[i].name, name) == 0) {
      return true;
    }
  }
  for (size_t i = 0; i < results->vanished_count; i++) {
    const char *vanished = results->vanished[i];
    if (vanished != NULL && strcmp(vanished, name) == 0) {
      return true;
    }
  }
  return false;
}

bool vkm_suite_vanished_find(struct vkm_suite_results *results, const struct vkm_side *base) {
  results->vanished = calloc(base->profile_count + 1, sizeof *results->vanished);
  if (results->vanished == NULL) {
    return out_of_memory();
  }
  for (size_t i = 0; i < base->profile_count; i++) {
    const char *tag = base->profiles[i].workload_tag;
    if (tag != NULL && !is_known(results, tag)) {
      char *name = strdup(tag);
      if (name == NULL) {
        return out_of_memory();
      }
      results->vanished[results->vanished_count++] = name;
    }
  }
  return true;
}

static const char *software_of(const struct vkm_suite_lane *lane) {
  const struct vkm_suite_pass *timing = vkm_suite_lane_timing(lane);
  return timing != NULL && timing->software ? timing->device : NULL;
}

const char *vkm_suite_software(const struct vkm_suite_results *results, size_t lane) {
  const char *device = software_of(&results->lanes[lane]);
  for (size_t i = 0; device != NULL && i < lane; i++) {
    const char *earlier = software_of(&results->lanes[i]);
    device = earlier != NULL && strcmp(earlier, device) == 0 ? NULL : device;
  }
  return device;
}

enum vkm_suite_budget_state vkm_suite_budget_of(const struct vkm_suite_lane *lane, size_t index,
                                                double *spent_ns) {
  const struct vkm_suite_pass *timing = vkm_suite_lane_timing(lane);
  if (timing == NULL || timing->spent == NULL || timing->spent[index].count == 0) {
    return VKM_BUDGET_UNKNOWN;
  }
  *spent_ns = timing->spent[index].median;
  return *spent_ns > lane->planned.workload->budgets[index].limit_ns ? VKM_BUDGET_EXCEEDED
                                                                     : VKM_BUDGET_KEPT;
}

void vkm_suite_lane_judge(struct vkm_suite_lane *lane) {
  const struct vkm_suite_pass *timing = vkm_suite_lane_timing(lane);
  judge_errors(lane);
  bool measured = timing != NULL && timing->good_count > 0; /* else it was interrupted before */
  lane->planned.status = lane->error_count > 0 ? VKM_SUITE_ERROR
                         : measured            ? VKM_SUITE_OK
                                               : VKM_SUITE_PLANNED;
  vkm_suite_outputs_judge(lane);
  lane->outputs_changed = lane->outputs_varying = lane->over_budget = 0;
  for (size_t i = 0; i < lane->planned.workload->outputs.count; i++) {
    lane->outputs_changed += lane->outputs[i].verdict == VKM_OUTPUT_CHANGED;
    lane->outputs_varying += lane->outputs[i].variants > 1;
  }
  for (size_t i = 0; i < lane->planned.workload->budget_count; i++) {
    double spent_ns = 0;
    lane->over_budget += vkm_suite_budget_of(lane, i, &spent_ns) == VKM_BUDGET_EXCEEDED;
  }
}

static bool take_change(struct vkm_suite_compared *compared, const struct vkm_compared_row *row) {
  compared->changed_rows++;
  if (compared->change_count == VKM_SUITE_CHANGES) {
    return true;
  }
  struct vkm_suite_change *change = &compared->changes[compared->change_count++];
  *change = (struct vkm_suite_change){.name = strdup(row->name),
                                      .verdict = row->verdict,
                                      .has_change = row->has_change,
                                      .has_interval = row->has_interval,
                                      .change = row->change,
                                      .low = row->low,
                                      .high = row->high};
  for (int side = 0; side < VKM_SIDES; side++) {
    change->has_ns[side] = row->sides[side].present && row->sides[side].has_time;
    change->center_ns[side] = row->sides[side].center_ns;
  }
  return change->name != NULL;
}

static bool take_panel(struct vkm_suite_compared *compared, const struct vkm_panel *panel) {
  bool good = true;
  for (size_t i = 0; good && i < panel->row_count; i++) {
    good = panel->rows[i].verdict == VKM_VERDICT_SAME || take_change(compared, &panel->rows[i]);
  }
  compared->drifted = compared->drifted || panel->drifted;
  compared->base_runs += panel->run_count[VKM_BASE];
  compared->new_runs += panel->run_count[VKM_NEW];
  if (panel->has_total) {
    compared->has_total = true;
    compared->has_total_interval = panel->has_total_interval;
    compared->total_change = panel->total_change;
    compared->total_low = panel->total_low;
    compared->total_high = panel->total_high;
  }
  if (panel->incomparable_because != NULL && compared->because == NULL) {
    compared->because = strdup(panel->incomparable_because);
    good = good && compared->because != NULL;
  }
  return good;
}

static enum vkm_suite_verdict judge(const struct vkm_comparison *comparison) {
  const size_t *counts = comparison->verdict_counts;
  if (comparison->sides[VKM_BASE]->never_promoted) {
    return VKM_SUITE_INCOMPARABLE;
  }
  if (comparison->sides[VKM_BASE]->profile_count == 0) {
    return VKM_SUITE_NEW;
  }
  if (counts[VKM_VERDICT_SLOWER] + counts[VKM_VERDICT_LIKELY_SLOWER] + counts[VKM_VERDICT_GONE] >
      0) {
    return VKM_SUITE_WARNING;
  }
  if (counts[VKM_VERDICT_INCOMPARABLE] > 0) {
    return VKM_SUITE_INCOMPARABLE;
  }
  if (counts[VKM_VERDICT_UNCLEAR] > 0) {
    return VKM_SUITE_UNCLEAR;
  }
  bool faster = counts[VKM_VERDICT_FASTER] + counts[VKM_VERDICT_LIKELY_FASTER] > 0;
  return faster ? VKM_SUITE_IMPROVED : VKM_SUITE_STABLE;
}

bool vkm_suite_compared_take(struct vkm_suite_compared *compared,
                             const struct vkm_comparison *comparison) {
  *compared =
      (struct vkm_suite_compared){.verdict = judge(comparison),
                                  .never_promoted = comparison->sides[VKM_BASE]->never_promoted,
                                  .tripped = comparison->gate.tripped};
  memcpy(compared->verdict_counts, comparison->verdict_counts, sizeof compared->verdict_counts);
  compared->changes = calloc(VKM_SUITE_CHANGES, sizeof *compared->changes);
  bool good = compared->changes != NULL;
  for (size_t i = 0; good && i < comparison->panel_count; i++) {
    good = take_panel(compared, &comparison->panels[i]);
  }
  return good || out_of_memory();
}

static void note_partial(struct vkm_suite_results *results, bool is, const char *because) {
  if (is) {
    results->partial_because[results->partial_count++] = because;
  }
}

/* What was not measured is never passed over. */
static void label(struct vkm_suite_results *results) {
  enum vkm_suite_mode mode = results->choice->mode;
  results->partial_count = 0;
  if (mode != VKM_SUITE_FULL) {
    results->label = mode == VKM_SUITE_QUICK ? VKM_LABEL_QUICK : VKM_LABEL_DIAGNOSE;
    return;
  }
  note_partial(results, results->skipped_count > 0, "something was skipped");
  note_partial(results, results->left_out > 0, "workloads were left out");
  note_partial(results, results->fell_back, "a preferred device is not there");
  note_partial(results, results->fewer_repeats, "fewer repeats than the file asks for");
  note_partial(results, results->stop != 0, "it was interrupted");
  note_partial(results, results->planned_count > 0 && results->stop == 0, "it is not over");
  results->label = results->partial_count > 0 ? VKM_LABEL_PARTIAL : VKM_LABEL_FULL;
}

unsigned vkm_suite_lane_gates(const struct vkm_suite_lane *lane) {
  bool skipped = lane->planned.status == VKM_SUITE_SKIPPED;
  return lane->compared.tripped | (lane->over_budget > 0 ? 1U << VKM_SUITE_GATE_BUDGET : 0) |
         (skipped ? 1U << VKM_SUITE_GATE_SKIPPED : 0) |
         (lane->outputs_changed > 0 ? 1U << VKM_SUITE_GATE_OUTPUT_CHANGED : 0) |
         (lane->outputs_varying > 0 ? 1U << VKM_SUITE_GATE_OUTPUT_VARIES : 0);
}

bool vkm_suite_lane_slower(const struct vkm_suite_lane *lane) {
  return lane->compared.verdict_counts[VKM_VERDICT_SLOWER] > 0 ||
         (lane->compared.measures[VKM_MEASURE_WALL].reason != NULL &&
          lane->compared.measures[VKM_MEASURE_WALL].verdict == VKM_VERDICT_SLOWER);
}

void vkm_suite_results_judge(struct vkm_suite_results *results) {
  size_t counts[4] = {0};
  results->error_samples = results->warning_count = 0;
  results->tripped = 0;
  for (size_t i = 0; i < results->lane_count; i++) {
    const struct vkm_suite_lane *lane = &results->lanes[i];
    counts[lane->planned.status]++;
    results->error_samples += lane->error_count;
    bool slower = lane->compared.verdict == VKM_SUITE_WARNING;
    results->warning_count += slower || lane->over_budget > 0 || lane->outputs_changed > 0;
    results->tripped |= vkm_suite_lane_gates(lane);
  }
  results->tripped |= results->vanished_count > 0 ? 1U << VKM_GATE_GONE : 0;
  results->tripped &= results->gates;
  results->planned_count = counts[VKM_SUITE_PLANNED];
  results->ok_count = counts[VKM_SUITE_OK];
  results->error_count = counts[VKM_SUITE_ERROR];
  results->skipped_count = counts[VKM_SUITE_SKIPPED];
  label(results);
}

static void finish_compared(struct vkm_suite_compared *compared) {
  for (size_t i = 0; i < compared->change_count; i++) {
    free(compared->changes[i].name);
  }
  free(compared->changes);
  free(compared->because);
}

void vkm_suite_results_finish(struct vkm_suite_results *results) {
  for (size_t i = 0; i < results->lane_count; i++) {
    struct vkm_suite_lane *lane = &results->lanes[i];
    for (size_t j = 0; j < lane->pass_count; j++) {
      vkm_suite_pass_finish(&lane->passes[j]);
    }
    finish_compared(&lane->compared);
    free(lane->folder);
  }
  for (size_t i = 0; i < results->vanished_count; i++) {
    free(results->vanished[i]);
  }
  free(results->vanished);
  free(results->lanes);
  results->vanished = NULL;
  results->vanished_count = 0;
  results->lanes = NULL;
  results->lane_count = 0;
}
