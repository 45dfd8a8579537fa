/* In: one plan, and to which family and phase its commands belong. Out: its members families and
 * phases: what each takes of one execution. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "measure/share.h"
#include "profile/profile_write_sections.h"

enum { GROUP_CAP = 64 }; /* of one plan; what is beyond goes into the last one */

struct group {
  const char *name; /* borrowed */
  uint64_t commands;
  uint64_t medians_ns;
  int64_t totals_ns[VKM_PLAN_SAMPLE_CAP]; /* of the executions that were kept */
};

struct groups {
  struct group *groups;
  size_t count;
  size_t executions; /* kept ones, 0: commands were not measured equally often */
};

/* Every command keeps samples of the same executions, as the same draws decide for all of them, if
 * all were measured each time. Those that never are do not count. */
static size_t common_executions(const struct vkm_plan *plan) {
  const struct vkm_samples *first = NULL;
  for (uint32_t i = 0; i < plan->mark_count; i++) {
    const struct vkm_samples *samples = &plan->marks[i].durations;
    if (samples->seen == 0) {
      continue;
    }
    first = first != NULL ? first : samples;
    if (samples->seen != first->seen || samples->kept_count != first->kept_count ||
        samples->lost > 0 || samples->kept_count > VKM_PLAN_SAMPLE_CAP) {
      return 0;
    }
  }
  return first != NULL ? first->kept_count : 0;
}

static struct group *group_named(struct groups *groups, const char *name) {
  for (size_t i = 0; i < groups->count; i++) {
    if (strcmp(groups->groups[i].name, name) == 0) {
      return &groups->groups[i];
    }
  }
  if (groups->count < GROUP_CAP) {
    groups->groups[groups->count].name = groups->count + 1 < GROUP_CAP ? name : "other";
    groups->count++;
  }
  return &groups->groups[groups->count - 1];
}

static void add_mark(struct groups *groups, const char *name, const struct vkm_plan_mark *mark,
                     int64_t median_ns) {
  struct group *group = group_named(groups, name);
  group->commands++;
  group->medians_ns = vkm_add_capped(group->medians_ns, (uint64_t)median_ns);
  for (size_t i = 0; i < groups->executions; i++) {
    group->totals_ns[i] += mark->durations.kept[i].value_ns;
  }
}

static int by_time(const void *left, const void *right) {
  const struct group *a = left;
  const struct group *b = right;
  if (a->medians_ns != b->medians_ns) {
    return a->medians_ns > b->medians_ns ? -1 : 1;
  }
  return strcmp(a->name, b->name);
}

static void write_group(struct vkm_json *json, struct group *group, size_t executions,
                        uint32_t share, bool any_time) {
  vkm_json_open(json, NULL, '{');
  vkm_json_string(json, "name", group->name, NULL);
  vkm_json_u64(json, "commands", group->commands);
  vkm_json_u64(json, "sum_of_medians_ns", group->medians_ns);
  if (any_time) {
    vkm_json_double(json, "share_percent", share / 100.0, NULL);
  } else {
    vkm_json_null(json, "share_percent", "no time was measured at all");
  }
  if (executions == 0) {
    vkm_json_null(json, "median_of_totals_ns", "its commands were not measured equally often");
  } else {
    struct vkm_summary summary;
    vkm_summarize(group->totals_ns, executions, &summary);
    vkm_json_i64(json, "median_of_totals_ns", llround(summary.median));
  }
  vkm_json_close(json, '}');
}

static enum vkm_status write_member(struct vkm_json *json, const char *key, struct groups *groups) {
  uint64_t medians_ns[GROUP_CAP];
  uint32_t shares[GROUP_CAP];
  qsort(groups->groups, groups->count, sizeof *groups->groups, by_time);
  for (size_t i = 0; i < groups->count; i++) {
    medians_ns[i] = groups->groups[i].medians_ns;
  }
  enum vkm_status status = vkm_shares(medians_ns, groups->count, shares);
  vkm_json_open(json, key, '[');
  for (size_t i = 0; status == VKM_OK && i < groups->count; i++) {
    write_group(json, &groups->groups[i], groups->executions, shares[i],
                groups->groups[0].medians_ns > 0);
  }
  vkm_json_close(json, ']');
  return status;
}

/* Into both at once, as each command's samples must be sorted for it. `first_place`: of the
 * device's rows. */
static void gather(struct groups *families, struct groups *phases,
                   const struct vkm_document *document, struct vkm_row_scratch *scratch,
                   const struct vkm_plan *plan, uint64_t first_place) {
  for (uint32_t i = 0; i < plan->mark_count; i++) {
    const struct vkm_plan_mark *mark = &plan->marks[i];
    uint64_t at = mark->row_count > 0 ? first_place + mark->rows[0] : UINT64_MAX;
    if (mark->durations.kept_count == 0 || at >= document->place_count) {
      continue; /* never measured, or since this picture was begun */
    }
    const struct vkm_place *place = &document->places[at];
    vkm_row_sort(scratch, &mark->durations);
    int64_t median_ns = vkm_row_quantile(scratch, mark->durations.kept_count, 0.5);
    add_mark(families, vkm_family_names[place->family], mark, median_ns);
    add_mark(phases, place->phase, mark, median_ns);
  }
}

enum vkm_status vkm_write_plan_groups(struct vkm_document *document,
                                      struct vkm_row_scratch *scratch, const struct vkm_plan *plan,
                                      uint64_t first_place) {
  static const char none[] = "the samples of its commands found no place";
  struct vkm_json *json = &document->json;
  if (plan->marks == NULL) {
    vkm_json_null(json, "families", none);
    vkm_json_null(json, "phases", none);
    return VKM_OK;
  }
  struct group *both = vkm_calloc((size_t)2 * GROUP_CAP, sizeof *both);
  if (both == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  size_t executions = common_executions(plan);
  struct groups families = {both, 0, executions};
  struct groups phases = {both + GROUP_CAP, 0, executions};
  gather(&families, &phases, document, scratch, plan, first_place);
  enum vkm_status status = write_member(json, "families", &families);
  if (status == VKM_OK) {
    status = write_member(json, "phases", &phases);
  }
  vkm_free(both);
  return status;
}
