/* Figures of passes. In: samples, profiles, a report. Out: medians, rows, what has no time. */
#include "model/suite_pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "model/report.h"
#include "model/segment.h"
#include "model/side.h"

const char *vkm_suite_phase_name(enum vkm_suite_phase phase) {
  static const char *const names[] = {"cold",   "timing",     "isolated",
                                      "submit", "statistics", "control"};
  return names[phase];
}

const char *vkm_suite_phase_mode(enum vkm_suite_phase phase) {
  return phase == VKM_PHASE_ISOLATED ? "isolated" : phase == VKM_PHASE_SUBMIT ? "submit" : "inline";
}

static bool out_of_memory(void) {
  vkm_error("out of memory; choose fewer workloads or --repeat less");
  return false;
}

/* NULL stays NULL; false: out of memory. */
static bool copy(char **to, const char *from) {
  *to = from != NULL ? strdup(from) : NULL;
  return from == NULL || *to != NULL;
}

bool vkm_suite_pass_init(struct vkm_suite_pass *pass, enum vkm_suite_phase phase, size_t count) {
  *pass = (struct vkm_suite_pass){.phase = phase};
  pass->samples = calloc(count + 1, sizeof *pass->samples);
  return pass->samples != NULL || out_of_memory();
}

static int by_size(const void *left, const void *right) {
  double a = *(const double *)left;
  double b = *(const double *)right;
  return (a > b) - (a < b);
}

/* `values` is sorted in place. */
static void summarize(double *values, size_t count, struct vkm_suite_figures *out) {
  *out = (struct vkm_suite_figures){.count = count};
  if (count == 0) {
    return;
  }
  qsort(values, count, sizeof *values, by_size);
  out->min = values[0];
  out->median =
      count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
  out->p90 = values[(9 * count + 9) / 10 - 1];
  out->max = values[count - 1];
}

/* One value of a sample; false: it is not known. */
typedef bool value_of(const struct vkm_suite_sample *sample, double *out);

static bool wall_of(const struct vkm_suite_sample *sample, double *out) {
  *out = (double)sample->run.wall_ns;
  return sample->run.wall_ns > 0;
}
static bool gpu_of(const struct vkm_suite_sample *sample, double *out) {
  *out = sample->gpu_ns;
  return sample->has_gpu;
}
static bool resident_of(const struct vkm_suite_sample *sample, double *out) {
  *out = (double)sample->run.resident_peak_bytes;
  return sample->run.resident_peak_bytes > 0;
}
static bool memory_of(const struct vkm_suite_sample *sample, double *out) {
  *out = (double)sample->device_peak_bytes;
  return sample->has_memory;
}

static void summarize_samples(const struct vkm_suite_pass *pass, double *values, value_of *of,
                              struct vkm_suite_figures *out) {
  size_t count = 0;
  for (size_t i = 0; i < pass->sample_count; i++) {
    count += pass->samples[i].run.good && of(&pass->samples[i], &values[count]);
  }
  summarize(values, count, out);
}

static struct vkm_suite_sample *sample_of(struct vkm_suite_pass *pass, int64_t sequence) {
  for (size_t i = 0; i < pass->sample_count; i++) {
    if (pass->samples[i].run.sequence == sequence && pass->samples[i].run.good) {
      return &pass->samples[i];
    }
  }
  return NULL;
}

static void add_devices(struct vkm_suite_sample *sample, const struct vkm_read_profile *profile) {
  for (size_t i = 0; i < profile->device_count; i++) {
    const struct vkm_read_memory *memory = &profile->devices[i].memory;
    for (size_t heap = 0; heap < memory->heap_count; heap++) {
      sample->has_memory = sample->has_memory || memory->heaps[heap].known;
      sample->device_peak_bytes += memory->heaps[heap].peak_bytes;
    }
  }
  for (size_t i = 0; i < profile->queue_count; i++) {
    sample->has_gpu = sample->has_gpu || profile->queues[i].has_busy;
    sample->gpu_ns += profile->queues[i].has_busy ? (double)profile->queues[i].busy_ns : 0;
  }
}

static bool add_profile(struct vkm_suite_pass *pass, const struct vkm_read_profile *profile,
                        const char *path) {
  struct vkm_suite_sample *sample = sample_of(pass, profile->run.sequence);
  if (sample == NULL) {
    return true;
  }
  sample->executed += profile->dispatches.executed;
  sample->measured += profile->dispatches.measured;
  sample->control += profile->dispatches.control;
  add_devices(sample, profile);
  if (sample->has_profile) { /* another process of the run */
    return true;
  }
  sample->has_profile = true;
  const char *slash = strrchr(path, '/');
  return copy(&sample->profile, slash != NULL ? slash + 1 : path);
}

static bool take_environment(struct vkm_suite_pass *pass, const struct vkm_side *side) {
  const struct vkm_read_device *device =
      side->profile_count > 0 ? vkm_segment_device(&side->profiles[0]) : NULL;
  if (device == NULL) {
    return true;
  }
  char driver[512];
  vkm_driver_text(device, driver, sizeof driver);
  pass->software = device->software;
  return copy(&pass->device, device->name) && copy(&pass->driver, driver);
}

static bool take_kernel(struct vkm_suite_pass *pass, const struct vkm_row *row) {
  struct vkm_suite_kernel *kernel = &pass->kernels[pass->kernel_count++];
  *kernel = (struct vkm_suite_kernel){.groups = {row->groups[0], row->groups[1], row->groups[2]},
                                      .has_groups = row->has_groups,
                                      .has_figures = row->has_figures,
                                      .has_share = row->has_share,
                                      .calls = row->calls,
                                      .total_ns = row->total_ns,
                                      .median_ns = row->median_ns,
                                      .share = row->share};
  return copy(&kernel->name, row->name) && copy(&kernel->family, row->family) &&
         copy(&kernel->phase, row->phase);
}

static bool take_section(struct vkm_suite_pass *pass, const struct vkm_section *section) {
  pass->executed += section->executed;
  pass->measured += section->measured;
  pass->control += section->control;
  bool good = true;
  for (size_t i = 0; good && i < section->reason_count; i++) {
    struct vkm_suite_untimed *untimed = &pass->untimed[pass->untimed_count++];
    untimed->count = section->reasons[i].count;
    good = copy(&untimed->outcome, section->reasons[i].outcome) &&
           copy(&untimed->name, section->reasons[i].name);
  }
  pass->kernel_rows += section->row_count;
  for (size_t i = 0; good && i < section->row_count && pass->kernel_count < VKM_SUITE_KERNELS;
       i++) {
    good = take_kernel(pass, &section->rows[i]);
  }
  return good;
}

static bool take_report(struct vkm_suite_pass *pass, const struct vkm_report *report) {
  size_t reasons = 1;
  for (size_t i = 0; i < report->section_count; i++) {
    reasons += report->sections[i].reason_count;
  }
  pass->untimed = calloc(reasons, sizeof *pass->untimed);
  pass->kernels = calloc(VKM_SUITE_KERNELS, sizeof *pass->kernels);
  bool good = pass->untimed != NULL && pass->kernels != NULL;
  for (size_t i = 0; good && i < report->section_count; i++) {
    good = take_section(pass, &report->sections[i]);
  }
  return good;
}

/* The timed work of a family in each run. */
static size_t family_times(const struct vkm_side *side, const char *name, double *values) {
  size_t count = 0;
  for (size_t run = 0; run < side->profile_count; run++) {
    if (side->runs[run] != run) {
      continue;
    }
    bool found = false;
    values[count] = 0;
    for (size_t i = run; i < side->profile_count; i++) {
      const struct vkm_read_groups *families = &side->profiles[i].families;
      for (size_t j = 0; side->runs[i] == run && j < families->count; j++) {
        const struct vkm_read_group *family = &families->items[j];
        if (family->has_time && strcmp(family->name, name) == 0) {
          values[count] += (double)family->sum_ns;
          found = true;
        }
      }
    }
    count += found;
  }
  return count;
}

/* The medians of the rows of that name: one a group count. The longest counts. */
static size_t kernel_time(const struct vkm_report *report, const char *name, double *value) {
  bool found = false;
  *value = 0;
  for (size_t i = 0; i < report->section_count; i++) {
    for (size_t j = 0; j < report->sections[i].row_count; j++) {
      const struct vkm_row *row = &report->sections[i].rows[j];
      if (row->has_figures && strcmp(row->name, name) == 0) {
        *value = row->median_ns > *value ? row->median_ns : *value;
        found = true;
      }
    }
  }
  return found;
}

static void take_budget(struct vkm_suite_pass *pass, const struct vkm_suite_budget *budget,
                        const struct vkm_side *side, const struct vkm_report *report,
                        double *values, struct vkm_suite_figures *out) {
  switch (budget->of) {
  case VKM_BUDGET_WALL:
    *out = pass->wall;
    break;
  case VKM_BUDGET_GPU:
    *out = pass->gpu;
    break;
  case VKM_BUDGET_FAMILY:
    summarize(values, family_times(side, budget->name, values), out);
    break;
  case VKM_BUDGET_KERNEL:
    summarize(values, report != NULL ? kernel_time(report, budget->name, values) : 0, out);
    break;
  }
}

static void take_figures(struct vkm_suite_pass *pass, double *values) {
  for (size_t i = 0; i < pass->sample_count; i++) {
    pass->good_count += pass->samples[i].run.good;
  }
  summarize_samples(pass, values, wall_of, &pass->wall);
  summarize_samples(pass, values, gpu_of, &pass->gpu);
  summarize_samples(pass, values, resident_of, &pass->resident);
  summarize_samples(pass, values, memory_of, &pass->device_memory);
}

bool vkm_suite_pass_take(struct vkm_suite_pass *pass, const struct vkm_workload *workload,
                         const struct vkm_side *side, const struct vkm_report *report) {
  size_t room = pass->sample_count + side->profile_count + 1;
  double *values = calloc(room, sizeof *values);
  pass->spent = calloc(workload->budget_count + 1, sizeof *pass->spent);
  bool good = values != NULL && pass->spent != NULL;
  for (size_t i = 0; good && i < side->profile_count; i++) {
    good = add_profile(pass, &side->profiles[i], side->paths[i]);
  }
  good = good && take_environment(pass, side) && (report == NULL || take_report(pass, report));
  if (good) {
    take_figures(pass, values);
  }
  for (size_t i = 0; good && i < workload->budget_count; i++) {
    take_budget(pass, &workload->budgets[i], side, report, values, &pass->spent[i]);
  }
  free(values);
  return good || out_of_memory();
}

void vkm_suite_pass_finish(struct vkm_suite_pass *pass) {
  for (size_t i = 0; i < pass->sample_count; i++) {
    free(pass->samples[i].profile);
  }
  for (size_t i = 0; i < pass->kernel_count; i++) {
    free(pass->kernels[i].name);
    free(pass->kernels[i].family);
    free(pass->kernels[i].phase);
  }
  for (size_t i = 0; i < pass->untimed_count; i++) {
    free(pass->untimed[i].outcome);
    free(pass->untimed[i].name);
  }
  free(pass->folder);
  free(pass->samples);
  free(pass->device);
  free(pass->driver);
  free(pass->kernels);
  free(pass->untimed);
  free(pass->spent);
  *pass = (struct vkm_suite_pass){0};
}
