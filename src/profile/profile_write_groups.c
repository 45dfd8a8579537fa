/* In: rows, to which family and phase each belongs, and its median. Out: the sections families and
 * phases, and what was wrong with rules. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "measure/share.h"
#include "profile/profile_write_sections.h"

struct group {
  const char *name; /* borrowed */
  uint64_t kernels, not_measured, executions, measured;
  int64_t sum_ns;
  uint64_t medians_ns; /* median times measured executions, over all rows */
};

static void add_row(struct group *group, const struct vkm_kernel_row *row, int64_t median_ns) {
  uint64_t measured = row->outcomes.measured;
  group->kernels++;
  group->not_measured += measured == 0;
  group->executions += vkm_outcomes_executed(&row->outcomes);
  group->measured += measured;
  group->sum_ns += row->durations.sum_ns;
  if (median_ns > 0) {
    group->medians_ns =
        vkm_add_capped(group->medians_ns, vkm_multiply_capped((uint64_t)median_ns, measured));
  }
}

static int by_name(const void *left, const void *right) {
  const struct group *a = left;
  const struct group *b = right;
  return strcmp(a->name, b->name);
}

static int by_time(const void *left, const void *right) {
  const struct group *a = left;
  const struct group *b = right;
  if (a->medians_ns != b->medians_ns) {
    return a->medians_ns > b->medians_ns ? -1 : 1;
  }
  return strcmp(a->name, b->name);
}

/* One group for each name, from groups of one row each. */
static size_t merge(struct group *groups, size_t count) {
  size_t merged = 0;
  qsort(groups, count, sizeof *groups, by_name);
  for (size_t i = 0; i < count; i++) {
    if (merged > 0 && strcmp(groups[merged - 1].name, groups[i].name) == 0) {
      struct group *into = &groups[merged - 1];
      into->kernels += groups[i].kernels;
      into->not_measured += groups[i].not_measured;
      into->executions += groups[i].executions;
      into->measured += groups[i].measured;
      into->sum_ns += groups[i].sum_ns;
      into->medians_ns = vkm_add_capped(into->medians_ns, groups[i].medians_ns);
    } else {
      groups[merged++] = groups[i];
    }
  }
  qsort(groups, merged, sizeof *groups, by_time);
  return merged;
}

/* Groups of one row each, named by family or phase. NULL without memory. */
static struct group *rows_as_groups(const struct vkm_document *document, bool phases) {
  struct group *groups = vkm_calloc(document->place_count + 1, sizeof *groups);
  size_t at = 0;
  for (size_t i = 0; groups != NULL && i < document->profile->device_count; i++) {
    const struct vkm_profile_device *device = &document->profile->devices[i];
    for (size_t j = 0; j < device->row_count; j++, at++) {
      const struct vkm_place *place = &document->places[at];
      groups[at].name = phases ? place->phase : vkm_family_names[place->family];
      add_row(&groups[at], device->rows[j], place->median_ns);
    }
  }
  return groups;
}

static void write_group(struct vkm_json *json, const struct group *group, uint32_t share,
                        bool any_time) {
  vkm_json_string(json, "name", group->name, NULL);
  vkm_json_u64(json, "kernels", group->kernels);
  vkm_json_u64(json, "kernels_not_measured", group->not_measured);
  vkm_json_u64(json, "executions", group->executions);
  vkm_json_u64(json, "measured", group->measured);
  if (group->measured == 0) {
    vkm_json_null(json, "sum_ns", "none of its executions was measured");
    vkm_json_null(json, "sum_of_medians_ns", "none of its executions was measured");
  } else {
    vkm_json_i64(json, "sum_ns", group->sum_ns);
    vkm_json_u64(json, "sum_of_medians_ns", group->medians_ns);
  }
  if (any_time) {
    vkm_json_double(json, "share_percent", share / 100.0, NULL);
  } else {
    vkm_json_null(json, "share_percent", "no time was measured at all");
  }
}

static enum vkm_status write_section(struct vkm_document *document, const char *key, bool phases) {
  static const char other[] =
      "label paths beyond the number that a device keeps, those longer than "
      "it keeps, and those that memory was short for";
  struct vkm_json *json = &document->json;
  struct group *groups = rows_as_groups(document, phases);
  size_t count = groups != NULL ? merge(groups, document->place_count) : 0;
  uint64_t *medians_ns = vkm_calloc(count + 1, sizeof *medians_ns);
  uint32_t *shares = vkm_calloc(count + 1, sizeof *shares);
  bool room = groups != NULL && medians_ns != NULL && shares != NULL;
  for (size_t i = 0; room && i < count; i++) {
    medians_ns[i] = groups[i].medians_ns;
  }
  room = room && vkm_shares(medians_ns, count, shares) == VKM_OK;
  vkm_json_open(json, key, '[');
  for (size_t i = 0; room && i < count; i++) {
    vkm_json_open(json, NULL, '{');
    write_group(json, &groups[i], shares[i], groups[0].medians_ns > 0);
    if (phases && strcmp(groups[i].name, "other") == 0) {
      vkm_json_string(json, "holds", other, NULL);
    }
    vkm_json_close(json, '}');
  }
  vkm_json_close(json, ']');
  vkm_free(groups);
  vkm_free(medians_ns);
  vkm_free(shares);
  return room ? VKM_OK : VKM_OUT_OF_MEMORY;
}

enum vkm_status vkm_write_groups(struct vkm_document *document) {
  enum vkm_status status = write_section(document, "families", false);
  return status == VKM_OK ? write_section(document, "phases", true) : status;
}

void vkm_write_rules_rejected(struct vkm_json *json, const struct vkm_rules *rules) {
  vkm_json_open(json, "rules_rejected", '[');
  for (size_t i = 0; rules != NULL && i < rules->fault_count; i++) {
    const struct vkm_rule_fault *fault = &rules->faults[i];
    vkm_json_open(json, NULL, '{');
    if (fault->line == 0) {
      vkm_json_null(json, "line", "the file as a whole");
    } else {
      vkm_json_u64(json, "line", fault->line);
    }
    vkm_json_string(json, "word", fault->word, "not given");
    vkm_json_string(json, "cause", fault->cause, NULL);
    vkm_json_string(json, "accepted", fault->accepted, NULL);
    vkm_json_close(json, '}');
  }
  vkm_json_close(json, ']');
  vkm_json_u64(json, "rules_rejected_beyond", rules != NULL ? rules->faults_beyond : 0);
}
