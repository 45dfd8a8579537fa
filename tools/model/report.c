/* Builds the report. In: profiles. Out: sections of judged rows. Next room: views. */
#include "model/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "model/details_build.h"
#include "model/names.h"
#include "model/process.h"
#include "model/row.h"

static bool same_text(const char *left, const char *right) {
  return left == right || (left != NULL && right != NULL && strcmp(left, right) == 0);
}

static int compare_numbers(uint64_t left, uint64_t right) {
  return (left > right) - (left < right);
}

static bool same_pairs(const struct vkm_read_pairs *left, const struct vkm_read_pairs *right) {
  bool same = left->count == right->count;
  for (size_t i = 0; same && i < left->count; i++) {
    same = same_text(left->items[i].name, right->items[i].name) &&
           same_text(left->items[i].value, right->items[i].value);
  }
  return same;
}

static bool same_section(const struct vkm_section *section, const struct vkm_read_profile *profile,
                         const struct vkm_read_device *device) {
  return same_text(section->device->name, device->name) &&
         same_text(section->device->driver_name, device->driver_name) &&
         same_text(section->device->driver_info, device->driver_info) &&
         same_text(section->device->driver_version, device->driver_version) &&
         same_text(section->mode, profile->mode) && same_pairs(section->chosen, &profile->chosen) &&
         same_text(section->vkmeter_version, profile->run.vkmeter_version);
}

/* The section of the device, made when it is the first of its kind. Room for it is there. */
static size_t section_of(struct vkm_report *report, const struct vkm_read_profile *profile,
                         const struct vkm_read_device *device) {
  for (size_t i = 0; i < report->section_count; i++) {
    if (same_section(&report->sections[i], profile, device)) {
      return i;
    }
  }
  report->sections[report->section_count] =
      (struct vkm_section){.device = device,
                           .vkmeter_version = profile->run.vkmeter_version,
                           .mode = profile->mode,
                           .chosen = &profile->chosen};
  return report->section_count++;
}

static bool add_reason(struct vkm_section *section, const struct vkm_read_reason *reason) {
  section->not_timed += reason->count;
  for (size_t i = 0; i < section->reason_count; i++) {
    if (same_text(section->reasons[i].name, reason->name) &&
        same_text(section->reasons[i].outcome, reason->outcome)) {
      section->reasons[i].count += reason->count;
      return true;
    }
  }
  size_t size = (section->reason_count + 1) * sizeof *section->reasons;
  struct vkm_reason_count *grown = realloc(section->reasons, size);
  if (grown == NULL) {
    return false;
  }
  section->reasons = grown;
  grown[section->reason_count++] =
      (struct vkm_reason_count){reason->outcome, reason->name, reason->count};
  return true;
}

static bool add_outcomes(struct vkm_section *section, const struct vkm_read_outcomes *outcomes) {
  section->executed += outcomes->executed;
  section->measured += outcomes->measured;
  section->control += outcomes->control;
  for (size_t i = 0; i < outcomes->reason_count; i++) {
    if (!add_reason(section, &outcomes->reasons[i])) {
      return false;
    }
  }
  return true;
}

static bool has_device_of(const struct vkm_section *section,
                          const struct vkm_read_profile *profile) {
  for (size_t i = 0; i < profile->device_count; i++) {
    if (same_section(section, profile, &profile->devices[i])) {
      return true;
    }
  }
  return false;
}

/* An earlier profile of the same run was counted in the section already. */
static bool counted_run(const struct vkm_section *section, const struct vkm_read_profile *profiles,
                        const size_t *runs, size_t index) {
  for (size_t i = runs[index]; i < index; i++) {
    if (runs[i] == runs[index] && has_device_of(section, &profiles[i])) {
      return true;
    }
  }
  return false;
}

/* Adds what profile `number` says about devices; `sections[i]` gets the section of its device i. */
static void add_devices(struct vkm_report *report, const struct vkm_read_profile *profiles,
                        const size_t *runs, size_t number, size_t *sections) {
  const struct vkm_read_profile *profile = &profiles[number];
  for (size_t i = 0; i < profile->device_count; i++) {
    size_t index = section_of(report, profile, &profile->devices[i]);
    bool again = false;
    for (size_t before = 0; before < i; before++) {
      again = again || sections[before] == index;
    }
    sections[i] = index;
    struct vkm_section *section = &report->sections[index];
    section->device_count++;
    section->run_count += !again && !counted_run(section, profiles, runs, number);
    section->incomplete_count += !again && !profile->complete;
  }
}

struct queue_ref {
  size_t section;
  uint32_t family, index;
};

static int compare_queues(const void *a, const void *b) {
  const struct queue_ref *left = a;
  const struct queue_ref *right = b;
  int order = compare_numbers(left->section, right->section);
  order = order != 0 ? order : compare_numbers(left->family, right->family);
  return order != 0 ? order : compare_numbers(left->index, right->index);
}

/* Adds the queues on which something was timed; their refs are appended to queues[0..*used). */
static void add_queues(struct vkm_report *report, const struct vkm_read_profile *profile,
                       const size_t *sections, struct queue_ref *queues, size_t *used) {
  for (size_t i = 0; i < profile->queue_count; i++) {
    const struct vkm_read_queue *queue = &profile->queues[i];
    if (queue->has_busy) {
      size_t section = sections[queue->device];
      vkm_add_ns(&report->sections[section].busy_ns, queue->busy_ns);
      queues[(*used)++] = (struct queue_ref){section, queue->family, queue->index};
    }
  }
}

static void count_queues(struct vkm_report *report, struct queue_ref *queues, size_t count) {
  if (count > 1) {
    qsort(queues, count, sizeof *queues, compare_queues);
  }
  for (size_t i = 0; i < count; i++) {
    bool again = i > 0 && compare_queues(&queues[i - 1], &queues[i]) == 0;
    report->sections[queues[i].section].queue_count += !again;
  }
}

/* `position`: of the first kernel among all of them. */
static bool add_kernels(struct vkm_report *report, const struct vkm_read_profile *profile,
                        size_t run, const size_t *sections, struct vkm_kernel_ref *refs,
                        size_t position) {
  for (size_t i = 0; i < profile->kernel_count; i++) {
    const struct vkm_read_kernel *kernel = &profile->kernels[i];
    const struct vkm_read_device *device = &profile->devices[kernel->device];
    struct vkm_section *section = &report->sections[sections[kernel->device]];
    refs[i] = (struct vkm_kernel_ref){
        .section = sections[kernel->device],
        .run = run,
        .position = position + i,
        .kernel = kernel,
        .pipeline =
            kernel->pipeline == VKM_READ_NONE ? NULL : &profile->pipelines[kernel->pipeline],
        .period_ns = device->has_period ? device->period_ns : 0,
    };
    section->other_measured += vkm_is_dispatch(kernel) ? 0 : kernel->outcomes.measured;
    if (!add_outcomes(section, &kernel->outcomes)) {
      return false;
    }
  }
  return true;
}

static int compare_shader(const struct vkm_kernel_ref *left, const struct vkm_kernel_ref *right) {
  int order = compare_numbers(left->section, right->section);
  if (order != 0) {
    return order;
  }
  return strcmp(vkm_shader_key(left), vkm_shader_key(right));
}

static int compare_row(const struct vkm_kernel_ref *left, const struct vkm_kernel_ref *right) {
  int order = compare_shader(left, right);
  if (order == 0) {
    order = compare_numbers(left->kernel->has_groups, right->kernel->has_groups);
  }
  for (int axis = 0; order == 0 && axis < 3 && left->kernel->has_groups; axis++) {
    order = compare_numbers(left->kernel->groups[axis], right->kernel->groups[axis]);
  }
  return order;
}

static int compare_ref(const void *a, const void *b) {
  const struct vkm_kernel_ref *left = a;
  const struct vkm_kernel_ref *right = b;
  int order = compare_row(left, right);
  if (order == 0) {
    order = compare_numbers(left->run, right->run);
  }
  return order != 0 ? order : compare_numbers(left->position, right->position);
}

static int compare_rows(const void *a, const void *b) {
  const struct vkm_row *left = a;
  const struct vkm_row *right = b;
  int order = (left->total_ns < right->total_ns) - (left->total_ns > right->total_ns);
  if (order == 0) {
    order = strcmp(left->name, right->name);
  }
  for (int axis = 0; order == 0 && axis < 3; axis++) {
    order = compare_numbers(left->groups[axis], right->groups[axis]);
  }
  return order != 0 ? order : compare_numbers(left->has_groups, right->has_groups);
}

static void conclude_section(struct vkm_section *section) {
  for (size_t i = 0; i < section->row_count; i++) {
    vkm_add_ns(&section->total_ns, section->rows[i].total_ns);
    section->only_first_use_count += section->rows[i].only_first_use;
    section->warmup_count += section->rows[i].warmup_count;
  }
  for (size_t i = 0; i < section->row_count; i++) {
    struct vkm_row *row = &section->rows[i];
    row->has_share = section->total_ns > 0 && row->has_figures;
    row->share = row->has_share ? (double)row->total_ns / (double)section->total_ns : 0;
  }
  if (section->row_count > 1) {
    qsort(section->rows, section->row_count, sizeof *section->rows, compare_rows);
  }
}

/* Builds the rows of the section from its refs, which are sorted, and notes in `contributions` what
 * each of them adds. */
static bool build_rows(struct vkm_section *section, const struct vkm_kernel_ref *refs, size_t count,
                       unsigned warmup, const struct vkm_names *names,
                       struct vkm_contribution *contributions) {
  bool good = true;
  for (size_t begin = 0; good && begin < count;) {
    size_t end = begin + 1;
    while (end < count && compare_row(&refs[begin], &refs[end]) == 0) {
      end++;
    }
    struct vkm_row *row = &section->rows[section->row_count];
    good = vkm_row_build(row, refs + begin, end - begin, warmup);
    row->name = good ? vkm_names_of(names, row->shader) : NULL;
    section->row_count += good;
    good = good && row->name != NULL;
    for (size_t i = begin; good && i < end; i++) {
      contributions[i] =
          vkm_contribution_of(&refs[i], section->row_count, warmup, row->only_first_use);
    }
    begin = end;
  }
  if (good) {
    conclude_section(section);
  }
  return good;
}

/* refs[0..count) are those of the section. */
static bool build_section(struct vkm_report *report, size_t index, const struct vkm_inputs *inputs,
                          const struct vkm_kernel_ref *refs, size_t count) {
  struct vkm_section *section = &report->sections[index];
  struct vkm_details *details = &section->details;
  section->rows = calloc(count ? count : 1, sizeof *section->rows);
  struct vkm_contribution *contributions = calloc(count ? count : 1, sizeof *contributions);
  struct vkm_names names = {0};
  bool good =
      section->rows != NULL && contributions != NULL && vkm_names_init(&names, refs, count) &&
      build_rows(section, refs, count, report->warmup, &names, contributions) &&
      vkm_details_parts(details, contributions, count) &&
      vkm_details_pipelines(details, inputs, index, &names) &&
      vkm_details_plans(details, inputs, index) && vkm_details_queues(details, inputs, index) &&
      vkm_details_heaps(details, inputs, index) && vkm_details_outcomes(section);
  vkm_names_finish(&names);
  free(contributions);
  return good;
}

static bool build_sections(struct vkm_report *report, const struct vkm_inputs *inputs,
                           struct vkm_kernel_ref *refs, size_t count) {
  if (count > 1) {
    qsort(refs, count, sizeof *refs, compare_ref);
  }
  size_t begin = 0;
  for (size_t i = 0; i < report->section_count; i++) {
    size_t end = begin;
    while (end < count && refs[end].section == i) {
      end++;
    }
    if (!build_section(report, i, inputs, refs + begin, end - begin)) {
      return false;
    }
    begin = end;
  }
  return true;
}

/* Room for everything of all profiles; owned. */
struct room {
  struct vkm_kernel_ref *kernels;
  struct queue_ref *queues;
  size_t *sections;          /* of all devices of all profiles */
  const size_t **of_profile; /* where those of each profile begin */
  size_t *runs;              /* of each profile: the first profile of its run */
};

static bool take_room(struct room *room, struct vkm_report *report,
                      const struct vkm_read_profile *profiles, size_t count) {
  size_t kernels = 1;
  size_t devices = 1;
  size_t queues = 1;
  for (size_t i = 0; i < count; i++) {
    kernels += profiles[i].kernel_count;
    devices += profiles[i].device_count;
    queues += profiles[i].queue_count;
  }
  report->sections = calloc(devices, sizeof *report->sections);
  *room = (struct room){
      calloc(kernels, sizeof *room->kernels), calloc(queues, sizeof *room->queues),
      calloc(devices, sizeof *room->sections), calloc(count + 1, sizeof *room->of_profile),
      calloc(count + 1, sizeof *room->runs)};
  return report->sections != NULL && room->kernels != NULL && room->queues != NULL &&
         room->sections != NULL && room->of_profile != NULL && room->runs != NULL;
}

static bool fill(struct vkm_report *report, const struct vkm_read_profile *profiles, size_t count,
                 struct room *room) {
  size_t kernels = 0;
  size_t queues = 0;
  size_t devices = 0;
  for (size_t i = 0; i < count; i++) {
    room->runs[i] = vkm_run_of(profiles, i);
    size_t *sections = room->sections + devices;
    room->of_profile[i] = sections;
    add_devices(report, profiles, room->runs, i, sections);
    add_queues(report, &profiles[i], sections, room->queues, &queues);
    if (!add_kernels(report, &profiles[i], room->runs[i], sections, room->kernels + kernels,
                     kernels)) {
      return false;
    }
    kernels += profiles[i].kernel_count;
    devices += profiles[i].device_count;
  }
  count_queues(report, room->queues, queues);
  struct vkm_inputs inputs = {profiles, count, room->runs, room->of_profile};
  vkm_breakdown_build(&report->breakdown, &inputs);
  return build_sections(report, &inputs, room->kernels, kernels);
}

bool vkm_report_build(struct vkm_report *report, const struct vkm_read_profile *profiles,
                      size_t count, unsigned warmup) {
  *report = (struct vkm_report){.warmup = warmup};
  struct room room;
  bool good = take_room(&room, report, profiles, count) && fill(report, profiles, count, &room);
  free(room.kernels);
  free(room.queues);
  free(room.sections);
  free(room.of_profile);
  free(room.runs);
  if (!good) {
    vkm_error("out of memory; give fewer files at once");
    vkm_report_finish(report);
  }
  return good;
}

void vkm_report_finish(struct vkm_report *report) {
  for (size_t i = 0; i < report->section_count; i++) {
    struct vkm_section *section = &report->sections[i];
    for (size_t j = 0; j < section->row_count; j++) {
      free(section->rows[j].name);
    }
    free(section->rows);
    free(section->reasons);
    vkm_details_finish(&section->details);
  }
  free(report->sections);
  *report = (struct vkm_report){0};
}
