/* The rows of one side. In: its profiles of one segment. Out: a row a shader and group count, with
 * the figure of each run. Next: comparison_match. */
#include <stdlib.h>
#include <string.h>

#include "measure/stats.h"
#include "model/comparison_parts.h"
#include "model/names.h"
#include "model/run_time.h"

static int compare_numbers(uint64_t left, uint64_t right) {
  return (left > right) - (left < right);
}

static bool same_text(const char *left, const char *right) {
  return left == right || (left != NULL && right != NULL && strcmp(left, right) == 0);
}

/* Dense numbers of the runs; a run is complete when all its processes are. */
static bool number_runs(struct vkm_panel_side *side) {
  size_t room = side->profile_count > 0 ? side->profile_count : 1;
  size_t *number_of = malloc((side->side->profile_count + 1) * sizeof *number_of);
  side->run_of = calloc(room, sizeof *side->run_of);
  side->complete = calloc(room, sizeof *side->complete);
  bool good = number_of != NULL && side->run_of != NULL && side->complete != NULL;
  for (size_t i = 0; good && i < side->side->profile_count; i++) {
    number_of[i] = SIZE_MAX;
  }
  for (size_t i = 0; good && i < side->profile_count; i++) {
    size_t *number = &number_of[side->side->runs[side->profiles[i]]];
    if (*number == SIZE_MAX) {
      *number = side->run_count++;
      side->complete[*number] = true;
    }
    side->run_of[i] = *number;
    side->complete[*number] =
        side->complete[*number] && side->side->profiles[side->profiles[i]].complete;
  }
  free(number_of);
  return good;
}

/* The number of the device; a new one when it is the first of its name. SIZE_MAX: out of memory. */
static size_t device_number(struct vkm_weighing *weighing,
                            const struct vkm_read_device *main_device,
                            const struct vkm_read_device *device) {
  if (main_device != NULL && same_text(main_device->name, device->name)) {
    return 0;
  }
  for (size_t i = 1; i < weighing->device_count; i++) {
    if (same_text(weighing->devices[i], device->name)) {
      return i;
    }
  }
  size_t size = (weighing->device_count + 1) * sizeof *weighing->devices;
  const char **grown = realloc(weighing->devices, size);
  if (grown == NULL) {
    return SIZE_MAX;
  }
  weighing->devices = grown;
  grown[weighing->device_count] = device->name;
  return weighing->device_count++;
}

static bool add_profile(struct vkm_weighing *weighing, struct vkm_panel_side *side, size_t index) {
  const struct vkm_read_profile *profile = &side->side->profiles[side->profiles[index]];
  const struct vkm_read_device *main_device = vkm_segment_device(profile);
  side->device = side->device != NULL ? side->device : main_device;
  size_t *numbers = calloc(profile->device_count + 1, sizeof *numbers);
  bool good = numbers != NULL;
  for (size_t i = 0; good && i < profile->device_count; i++) {
    numbers[i] = device_number(weighing, main_device, &profile->devices[i]);
    good = numbers[i] != SIZE_MAX;
  }
  for (size_t i = 0; good && i < profile->kernel_count; i++) {
    const struct vkm_read_kernel *kernel = &profile->kernels[i];
    const struct vkm_read_device *device = &profile->devices[kernel->device];
    side->refs[side->ref_count] = (struct vkm_kernel_ref){
        .section = numbers[kernel->device],
        .run = side->run_of[index],
        .position = side->ref_count,
        .kernel = kernel,
        .pipeline =
            kernel->pipeline == VKM_READ_NONE ? NULL : &profile->pipelines[kernel->pipeline],
        .period_ns = device->has_period ? device->period_ns : 0,
    };
    side->ref_count++;
  }
  free(numbers);
  return good;
}

static int compare_rows(const struct vkm_kernel_ref *left, const struct vkm_kernel_ref *right) {
  int order = compare_numbers(left->section, right->section);
  if (order == 0) {
    order = strcmp(vkm_shader_key(left), vkm_shader_key(right));
  }
  if (order == 0) {
    order = compare_numbers(left->kernel->has_groups, right->kernel->has_groups);
  }
  for (int axis = 0; order == 0 && axis < 3 && left->kernel->has_groups; axis++) {
    order = compare_numbers(left->kernel->groups[axis], right->kernel->groups[axis]);
  }
  return order;
}

static int compare_refs(const void *a, const void *b) {
  const struct vkm_kernel_ref *left = a;
  const struct vkm_kernel_ref *right = b;
  int order = compare_rows(left, right);
  if (order == 0) {
    order = compare_numbers(left->run, right->run);
  }
  return order != 0 ? order : compare_numbers(left->position, right->position);
}

/* The figure of a run; false: it has none. */
static bool figure_of(const struct vkm_compare_settings *settings,
                      const struct vkm_kernel_ref *refs, size_t count, int64_t *samples,
                      const struct vkm_run_time *run, double *figure) {
  const struct vkm_read_duration *whole = &refs[0].kernel->duration;
  if (run->sample_count > 0) {
    struct vkm_summary summary;
    vkm_summarize(samples, run->sample_count, &summary);
    *figure = settings->stat == VKM_STAT_MIN   ? summary.min
              : settings->stat == VKM_STAT_P99 ? summary.p99
                                               : summary.median;
    return true;
  }
  /* Of memory that was too short for samples the profile keeps these two. */
  *figure = (double)(settings->stat == VKM_STAT_MIN ? whole->min_ns : whole->median_ns);
  return count == 1 && whole->has_median && run->warmup_count == 0 &&
         settings->stat != VKM_STAT_P99;
}

/* Takes each run of the row. */
static void take_runs(struct vkm_side_row *row, const struct vkm_compare_settings *settings,
                      unsigned warmup, int64_t *samples) {
  struct vkm_compared_side *figures = &row->figures;
  figures->run_count = 0;
  figures->calls = 0;
  figures->sample_count = 0;
  row->total_count = 0;
  for (size_t begin = 0; begin < row->ref_count;) {
    size_t end = begin + 1;
    while (end < row->ref_count && row->refs[end].run == row->refs[begin].run) {
      end++;
    }
    struct vkm_run_time run;
    double figure = 0;
    vkm_run_time_take(&run, row->refs + begin, end - begin, warmup, samples);
    if (figure_of(settings, row->refs + begin, end - begin, samples, &run, &figure)) {
      bool fewer = figures->run_count == 0 || run.sample_count < figures->sample_count;
      figures->sample_count = fewer ? run.sample_count : figures->sample_count;
      figures->run_ns[figures->run_count++] = figure;
    }
    if (run.calls > 0) {
      figures->calls += run.calls;
      row->runs[row->total_count] = row->refs[begin].run;
      row->run_totals_ns[row->total_count++] = (double)run.total_ns;
    }
    begin = end;
  }
}

/* The middle one without reordering the runs. */
static bool find_center(struct vkm_compared_side *figures) {
  double *copy = malloc((figures->run_count + 1) * sizeof *copy);
  if (copy == NULL) {
    return false;
  }
  for (size_t i = 0; i < figures->run_count; i++) {
    copy[i] = figures->run_ns[i];
  }
  figures->center_ns = vkm_median(copy, figures->run_count);
  free(copy);
  return true;
}

static void describe(struct vkm_side_row *row) {
  const struct vkm_kernel_ref *refs = row->refs;
  row->kind = refs[0].kernel->kind;
  row->family = refs[0].kernel->family;
  row->phase = refs[0].kernel->phase;
  row->position = refs[0].position;
  row->name_rank = -1;
  for (size_t i = 0; i < row->ref_count; i++) {
    const char *name = NULL;
    int rank = vkm_name_rank(&refs[i], &name);
    row->name = rank > row->name_rank ? name : row->name;
    row->name_rank = rank > row->name_rank ? rank : row->name_rank;
    row->kind = same_text(row->kind, refs[i].kernel->kind) ? row->kind : NULL;
    row->family = same_text(row->family, refs[i].kernel->family) ? row->family : NULL;
    row->phase = same_text(row->phase, refs[i].kernel->phase) ? row->phase : NULL;
    row->position = refs[i].position < row->position ? refs[i].position : row->position;
  }
  row->key = row->name;
  row->figures.present = true;
  row->figures.identity = vkm_code_of(&refs[0]);
}

static bool build_row(struct vkm_side_row *row, const struct vkm_compare_settings *settings,
                      size_t panel_runs) {
  struct vkm_compared_side *figures = &row->figures;
  describe(row);
  size_t runs = 1;
  for (size_t i = 1; i < row->ref_count; i++) {
    runs += row->refs[i].run != row->refs[i - 1].run;
  }
  int64_t *samples = malloc((vkm_run_time_room(row->refs, row->ref_count) + 1) * sizeof *samples);
  figures->run_ns = calloc(runs, sizeof *figures->run_ns);
  row->run_totals_ns = calloc(runs, sizeof *row->run_totals_ns);
  row->runs = calloc(runs, sizeof *row->runs);
  bool good =
      samples != NULL && figures->run_ns != NULL && row->run_totals_ns != NULL && row->runs != NULL;
  if (good) {
    take_runs(row, settings, settings->warmup, samples);
    /* A program that runs a shader once would otherwise show nothing of it. */
    if (figures->run_count == 0 && settings->warmup > 0) {
      take_runs(row, settings, 0, samples);
      figures->only_first_use = figures->run_count > 0;
    }
    figures->has_time = figures->run_count > 0;
    for (size_t i = 0; i < row->total_count; i++) {
      figures->total_ns += row->run_totals_ns[i] / (double)panel_runs;
    }
    good = find_center(figures);
  }
  free(samples);
  return good;
}

static bool take_room(struct vkm_panel_side *side) {
  size_t kernels = 1;
  for (size_t i = 0; i < side->profile_count; i++) {
    kernels += side->side->profiles[side->profiles[i]].kernel_count;
  }
  side->refs = calloc(kernels, sizeof *side->refs);
  return side->refs != NULL && number_runs(side);
}

static size_t row_end(const struct vkm_panel_side *side, size_t begin) {
  size_t end = begin + 1;
  while (end < side->ref_count && compare_rows(&side->refs[begin], &side->refs[end]) == 0) {
    end++;
  }
  return end;
}

bool vkm_panel_side_fill(struct vkm_weighing *weighing, int which) {
  struct vkm_panel_side *side = &weighing->sides[which];
  bool good = take_room(side);
  for (size_t i = 0; good && i < side->profile_count; i++) {
    good = add_profile(weighing, side, i);
  }
  if (!good) {
    return false;
  }
  if (side->ref_count > 1) {
    qsort(side->refs, side->ref_count, sizeof *side->refs, compare_refs);
  }
  size_t rows = 0;
  for (size_t begin = 0; begin < side->ref_count; begin = row_end(side, begin)) {
    rows++;
  }
  side->rows = calloc(rows + 1, sizeof *side->rows);
  good = side->rows != NULL;
  for (size_t begin = 0; good && begin < side->ref_count;) {
    size_t end = row_end(side, begin);
    struct vkm_side_row *row = &side->rows[side->row_count++];
    row->refs = side->refs + begin;
    row->ref_count = end - begin;
    good = build_row(row, weighing->settings, side->run_count);
    begin = end;
  }
  return good;
}

void vkm_panel_side_finish(struct vkm_panel_side *side) {
  for (size_t i = 0; i < side->row_count; i++) {
    free(side->rows[i].figures.run_ns);
    free(side->rows[i].run_totals_ns);
    free(side->rows[i].runs);
  }
  free(side->rows);
  free(side->refs);
  free(side->run_of);
  free(side->complete);
}
