/* The verdict on the patterns. In: rows of the profile, found by the entry points. Out: right or
 * wrong, and by how much. Next: the view. */
#include "doctor/selftest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  KEPT = VKM_SELFTEST_RUNS - VKM_SELFTEST_DROPPED,
  SLACK_NS = 10000,    /* of clocks that are compared */
  ROUNDING_NS = 2,     /* of ticks that became nanoseconds */
  OUTSIDE_ONE_IN = 10, /* more is no accident */
  APART = 2,           /* heavy has to take so many times as long as light */
};

struct rows {
  const struct vkm_read_profile *profile;
  const struct vkm_read_kernel *of[VKM_POSITION_COUNT]; /* NULL: not there, or not every run */
  const struct vkm_facts *facts;
};

static void find_rows(struct rows *rows, size_t device) {
  const struct vkm_read_profile *profile = rows->profile;
  for (size_t i = 0; i < profile->kernel_count; i++) {
    const struct vkm_read_kernel *kernel = &profile->kernels[i];
    if (kernel->device != device || kernel->pipeline == VKM_READ_NONE) {
      continue;
    }
    const char *entry = profile->pipelines[kernel->pipeline].entry_point;
    for (int at = 0; entry != NULL && at < VKM_POSITION_COUNT; at++) {
      if (strcmp(entry, vkm_positions[at].entry_point) == 0 &&
          kernel->sample_count == VKM_SELFTEST_RUNS) {
        rows->of[at] = kernel;
      }
    }
  }
}

static int compare(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left;
  int64_t b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

static void find_medians(struct vkm_selftest *selftest, const struct rows *rows) {
  for (int at = 0; at < VKM_POSITION_COUNT; at++) {
    int64_t kept[KEPT];
    if (rows->of[at] != NULL) {
      memcpy(kept, rows->of[at]->samples_ns + VKM_SELFTEST_DROPPED, sizeof kept);
      qsort(kept, KEPT, sizeof kept[0], compare);
      selftest->known[at] = true;
      selftest->median_ns[at] = (kept[KEPT / 2 - 1] + kept[KEPT / 2]) / 2;
    }
  }
}

static bool find_missing(struct vkm_selftest *selftest) {
  for (int at = 0; at < VKM_POSITION_COUNT; at++) {
    if (!selftest->known[at] && vkm_positions[at].load != VKM_LOAD_empty) {
      snprintf(selftest->why, sizeof selftest->why, "not all %d runs of %s were timed",
               VKM_SELFTEST_RUNS, vkm_positions[at].entry_point);
      return true;
    }
  }
  return false;
}

/* Every position has to be on its side of the middle between heavy alone and light alone. */
static void judge_positions(struct vkm_selftest *selftest) {
  double heavy = (double)selftest->median_ns[VKM_POSITION_H_1];
  double light = (double)selftest->median_ns[VKM_POSITION_L_1];
  if (heavy < APART * (light > 1 ? light : 1)) {
    snprintf(selftest->why, sizeof selftest->why,
             "alone, the heavy load took %.0f ns and the light one %.0f ns: too alike to tell",
             heavy, light);
    return;
  }
  double middle = sqrt(heavy * (light > 1 ? light : 1));
  for (int at = 0; at < VKM_POSITION_COUNT; at++) {
    enum vkm_load load = vkm_positions[at].load;
    bool looks_heavy = (double)selftest->median_ns[at] > middle;
    if (load != VKM_LOAD_empty && looks_heavy != (load == VKM_LOAD_heavy)) {
      selftest->attribution = VKM_ATTRIBUTION_WRONG;
      snprintf(selftest->why, sizeof selftest->why,
               "%s took %lld ns, as the %s load does (heavy alone %.0f ns, light alone %.0f ns)",
               vkm_positions[at].entry_point, (long long)selftest->median_ns[at],
               looks_heavy ? "heavy" : "light", heavy, light);
      return;
    }
  }
  selftest->attribution = VKM_ATTRIBUTION_RIGHT;
}

/* The position before in the same pattern, -1: none. */
static int before(int at) {
  return vkm_positions[at].number > 1 ? at - 1 : -1;
}

static void count_reversed(struct vkm_selftest *selftest, const struct rows *rows) {
  for (int at = 0; at < VKM_POSITION_COUNT; at++) {
    if (before(at) < 0 || rows->of[at] == NULL || rows->of[before(at)] == NULL) {
      continue;
    }
    bool heavy = vkm_positions[at].load == VKM_LOAD_heavy;
    for (int run = VKM_SELFTEST_DROPPED; run < VKM_SELFTEST_RUNS; run++) {
      int64_t here_ns = rows->of[at]->samples_ns[run];
      int64_t there_ns = rows->of[before(at)]->samples_ns[run];
      selftest->compared++;
      selftest->reversed += heavy ? here_ns <= there_ns : here_ns >= there_ns;
    }
  }
  if (selftest->reversed * 2 > selftest->compared) {
    selftest->attribution = VKM_ATTRIBUTION_WRONG;
    snprintf(selftest->why, sizeof selftest->why,
             "the light load took longer than the heavy one beside it in %d of %d comparisons",
             selftest->reversed, selftest->compared);
  }
}

static int64_t number(const char *text) {
  return strtoll(text, NULL, 10);
}

static const struct vkm_fact *run_of(const struct vkm_facts *facts, enum vkm_pattern pattern,
                                     int run) {
  for (size_t i = 0; i < facts->count; i++) {
    const struct vkm_fact *fact = &facts->items[i];
    if (strcmp(fact->key, "run") == 0 && number(fact->values[0]) == (int64_t)pattern &&
        number(fact->values[1]) == run) {
      return fact;
    }
  }
  return NULL;
}

static void place(struct vkm_selftest *selftest, const struct rows *rows, int at, int run) {
  const struct vkm_read_kernel *row = rows->of[at];
  const struct vkm_fact *fact = run_of(rows->facts, vkm_positions[at].pattern, run);
  if (row == NULL || row->begins_ns == NULL || fact == NULL) {
    return;
  }
  int64_t begin_ns = row->begins_ns[run] + rows->profile->run.started_monotonic_ns;
  int64_t end_ns = begin_ns + row->samples_ns[run];
  selftest->placed++;
  selftest->outside +=
      begin_ns < number(fact->values[2]) - SLACK_NS || end_ns > number(fact->values[3]) + SLACK_NS;
  const struct vkm_read_kernel *earlier = before(at) >= 0 ? rows->of[before(at)] : NULL;
  if (earlier != NULL && earlier->begins_ns != NULL) {
    selftest->disordered +=
        row->begins_ns[run] + ROUNDING_NS < earlier->begins_ns[run] + earlier->samples_ns[run];
  }
}

static void place_stamps(struct vkm_selftest *selftest, const struct rows *rows, size_t device) {
  bool common = strcmp(rows->profile->devices[device].clock_source, "none") != 0;
  for (int at = 0; common && at < VKM_POSITION_COUNT; at++) {
    for (int run = VKM_SELFTEST_DROPPED; run < VKM_SELFTEST_RUNS; run++) {
      place(selftest, rows, at, run);
    }
  }
}

/* The empty pattern has no results. */
static void count_results(struct vkm_selftest *selftest, const struct vkm_facts *facts) {
  for (size_t i = 0; i < facts->count; i++) {
    const struct vkm_fact *fact = &facts->items[i];
    if (strcmp(fact->key, "run") == 0 && number(fact->values[0]) != VKM_PATTERN_E) {
      selftest->runs++;
      selftest->wrong_results += number(fact->values[4]) != 1;
    }
  }
}

static void find_bias(struct vkm_selftest *selftest) {
  selftest->has_bias = selftest->known[VKM_POSITION_E_1];
  selftest->after_heavy_ns =
      selftest->median_ns[VKM_POSITION_HL_2] - selftest->median_ns[VKM_POSITION_L_1];
  selftest->above_empty_ns =
      selftest->median_ns[VKM_POSITION_L_1] - selftest->median_ns[VKM_POSITION_E_1];
}

bool vkm_selftest_placed(const struct vkm_selftest *selftest) {
  return selftest->outside * OUTSIDE_ONE_IN <= selftest->placed && selftest->disordered == 0;
}

bool vkm_selftest_good(const struct vkm_selftest *selftest) {
  return selftest->attribution == VKM_ATTRIBUTION_RIGHT && selftest->wrong_results == 0 &&
         vkm_selftest_placed(selftest);
}

void vkm_selftest_judge(struct vkm_selftest *selftest, const struct vkm_read_profile *profile,
                        size_t device, const struct vkm_facts *facts) {
  *selftest = (struct vkm_selftest){0};
  struct rows rows = {.profile = profile, .facts = facts};
  find_rows(&rows, device);
  find_medians(selftest, &rows);
  count_results(selftest, facts);
  place_stamps(selftest, &rows, device);
  if (!find_missing(selftest)) {
    judge_positions(selftest);
    count_reversed(selftest, &rows);
    find_bias(selftest);
  }
}
