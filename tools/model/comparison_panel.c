/* One panel. In: profiles of one segment a side. Out: matched, judged and sorted rows. Next:
 * comparison. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/comparison_parts.h"

/* The tick of the segment's device, the longer one where the sides differ; 0: not known. */
static double tick_of(const struct vkm_panel *panel) {
  double tick = 0;
  for (int side = 0; side < VKM_SIDES; side++) {
    const struct vkm_read_device *device =
        panel->first[side] != NULL ? vkm_segment_device(panel->first[side]) : NULL;
    if (device != NULL && device->has_period && device->period_ns > tick) {
      tick = device->period_ns;
    }
  }
  return tick;
}

static enum vkm_code code_of(const struct vkm_pair *pair) {
  const struct vkm_side_row *base = pair->of[VKM_BASE];
  const struct vkm_side_row *fresh = pair->of[VKM_NEW];
  if (base == NULL || fresh == NULL || base->figures.identity == NULL ||
      fresh->figures.identity == NULL) {
    return VKM_CODE_UNKNOWN;
  }
  const struct vkm_read_kernel *left = base->refs[0].kernel;
  const struct vkm_read_kernel *right = fresh->refs[0].kernel;
  bool same = strcmp(base->figures.identity, fresh->figures.identity) == 0 &&
              left->has_groups == right->has_groups &&
              memcmp(left->groups, right->groups, sizeof left->groups) == 0;
  return same ? VKM_CODE_SAME : VKM_CODE_CHANGED;
}

/* Everything of a row that is known before it is judged; takes the figures of its sides. */
static bool fill_row(struct vkm_weighing *weighing, size_t index) {
  struct vkm_compared_row *row = &weighing->panel->rows[index];
  struct vkm_pair *pair = &weighing->pairs[index];
  struct vkm_side_row *base = pair->of[VKM_BASE];
  struct vkm_side_row *fresh = pair->of[VKM_NEW];
  struct vkm_side_row *shown = fresh != NULL ? fresh : base;
  const struct vkm_read_kernel *kernel = shown->refs[0].kernel;
  size_t device = shown->refs[0].section;
  *row = (struct vkm_compared_row){
      .device = device > 0 ? weighing->devices[device] : NULL,
      .kind = shown->kind,
      .family = shown->family,
      .phase = shown->phase,
      .is_dispatch = vkm_is_dispatch(kernel),
      .has_groups = kernel->has_groups,
      .groups = {kernel->groups[0], kernel->groups[1], kernel->groups[2]},
      .code = code_of(pair),
      .matched_by = pair->matched_by,
  };
  if (base != NULL && fresh != NULL && strcmp(base->name, fresh->name) != 0) {
    row->base_name = base->name;
  }
  for (int side = 0; side < VKM_SIDES; side++) {
    if (pair->of[side] != NULL) {
      row->sides[side] = pair->of[side]->figures;
      pair->of[side]->figures.run_ns = NULL;
    }
  }
  return vkm_statistics_join(row, pair);
}

/* By verdict, then by what the row adds or saves, then by name. */
static int compare_rows(const void *a, const void *b) {
  const struct vkm_compared_row *left = a;
  const struct vkm_compared_row *right = b;
  int order = (int)left->verdict - (int)right->verdict;
  double one = left->has_impact ? fabs(left->impact_ns) : -1;
  double other = right->has_impact ? fabs(right->impact_ns) : -1;
  order = order != 0 ? order : (one < other) - (one > other);
  order = order != 0 ? order : strcmp(left->name, right->name);
  order = order != 0 ? order : (left->device != NULL) - (right->device != NULL);
  if (order == 0 && left->device != NULL) {
    order = strcmp(left->device, right->device);
  }
  for (int axis = 0; order == 0 && axis < 3; axis++) {
    order = (left->groups[axis] > right->groups[axis]) - (left->groups[axis] < right->groups[axis]);
  }
  return order != 0 ? order : left->has_groups - right->has_groups;
}

static const char *incomparable_reason(const struct vkm_panel *panel) {
  return panel->first[VKM_BASE] != NULL && panel->first[VKM_NEW] != NULL
             ? "segment-differs"
             : "nothing-to-compare-with";
}

static bool judge(struct vkm_weighing *weighing) {
  struct vkm_panel *panel = weighing->panel;
  if (!panel->comparable) {
    for (size_t i = 0; i < panel->row_count; i++) {
      panel->rows[i].verdict = VKM_VERDICT_INCOMPARABLE;
      panel->rows[i].reason = incomparable_reason(panel);
    }
    return true;
  }
  if (!vkm_controls_weigh(weighing)) {
    return false;
  }
  for (size_t i = 0; i < panel->row_count; i++) {
    vkm_row_judge(weighing, i);
  }
  return vkm_totals_sum(weighing);
}

static bool weigh(struct vkm_weighing *weighing) {
  struct vkm_panel *panel = weighing->panel;
  weighing->devices = calloc(1, sizeof *weighing->devices);
  weighing->device_count = 1;
  bool good = weighing->devices != NULL;
  for (int side = 0; good && side < VKM_SIDES; side++) {
    struct vkm_panel_side *from = &weighing->sides[side];
    good = vkm_panel_side_fill(weighing, side);
    weighing->logs[side] = calloc(from->run_count + 1, sizeof *weighing->logs[side]);
    good = good && weighing->logs[side] != NULL;
    panel->run_count[side] = from->run_count;
    for (size_t i = 0; good && i < from->run_count; i++) {
      panel->incomplete_count[side] += !from->complete[i];
    }
  }
  good = good && vkm_pairs_match(weighing);
  if (good) {
    panel->rows = calloc(weighing->pair_count + 1, sizeof *panel->rows);
    good = panel->rows != NULL;
  }
  for (size_t i = 0; good && i < weighing->pair_count; i++) {
    good = fill_row(weighing, i);
    panel->row_count++;
  }
  return good && vkm_rows_name(weighing) && judge(weighing);
}

static void finish(struct vkm_weighing *weighing) {
  for (int side = 0; side < VKM_SIDES; side++) {
    vkm_panel_side_finish(&weighing->sides[side]);
    free(weighing->logs[side]);
  }
  free(weighing->devices);
  free(weighing->pairs);
}

bool vkm_panel_build(struct vkm_panel *panel, const struct vkm_segment_pair *segment,
                     const struct vkm_side *const *sides,
                     const struct vkm_compare_settings *settings) {
  struct vkm_weighing weighing = {.settings = settings, .panel = panel};
  *panel = (struct vkm_panel){.comparable = true};
  for (int side = 0; side < VKM_SIDES; side++) {
    struct vkm_panel_side *to = &weighing.sides[side];
    to->side = sides[side];
    to->profiles = segment->profiles[side];
    to->profile_count = segment->counts[side];
    memcpy(to->segment, segment->keys[side], sizeof to->segment);
    panel->error_count[side] = sides[side]->error_count;
    panel->first[side] =
        to->profile_count > 0 ? &sides[side]->profiles[segment->profiles[side][0]] : NULL;
  }
  panel->tick_ns = tick_of(panel);
  panel->floor_ns = settings->floor_ns < 0 ? 2 * panel->tick_ns : settings->floor_ns;
  bool good = vkm_environment_compare(panel, sides, settings->allow_different) && weigh(&weighing);
  finish(&weighing);
  return good;
}

void vkm_panel_sort(struct vkm_panel *panel) {
  if (panel->row_count > 1) {
    qsort(panel->rows, panel->row_count, sizeof *panel->rows, compare_rows);
  }
  for (size_t i = 0; i < panel->row_count; i++) {
    panel->verdict_counts[panel->rows[i].verdict]++;
  }
}

void vkm_panel_finish(struct vkm_panel *panel) {
  for (size_t i = 0; i < panel->row_count; i++) {
    struct vkm_compared_row *row = &panel->rows[i];
    free(row->name);
    free(row->sides[VKM_BASE].run_ns);
    free(row->sides[VKM_NEW].run_ns);
    free(row->statistics);
  }
  free(panel->rows);
  free(panel->incomparable_because);
  free(panel->allowed);
}
