/* Kernels of a timeline. In: timed commands. Out: a row a shader and group count, as in reports of
 * profiles. */
#include <stdlib.h>
#include <string.h>

#include "model/row.h"
#include "model/timeline_parts.h"

/* A command with what tells its row from others. */
struct command {
  const char *identity, *kind, *name;
  const uint32_t *groups; /* NULL: not known */
  int64_t took_ns;
};

static int compare_texts(const char *one, const char *other) {
  if (one == NULL || other == NULL) {
    return (one != NULL) - (other != NULL);
  }
  return strcmp(one, other);
}

static int compare_groups(const uint32_t *one, const uint32_t *other) {
  if (one == NULL || other == NULL) {
    return (one != NULL) - (other != NULL);
  }
  for (size_t i = 0; i < 3; i++) {
    if (one[i] != other[i]) {
      return one[i] < other[i] ? -1 : 1;
    }
  }
  return 0;
}

static int compare_rows(const struct command *left, const struct command *right) {
  int order = compare_texts(left->identity, right->identity);
  order = order != 0 ? order : strcmp(left->kind, right->kind);
  order = order != 0 ? order : strcmp(left->name, right->name);
  return order != 0 ? order : compare_groups(left->groups, right->groups);
}

static int by_row(const void *a, const void *b) {
  const struct command *left = a;
  const struct command *right = b;
  int order = compare_rows(left, right);
  return order != 0 ? order : (left->took_ns > right->took_ns) - (left->took_ns < right->took_ns);
}

static struct command command_of(const struct vkm_timeline *timeline,
                                 const struct vkm_timeline_slice *slice) {
  static const uint32_t none[3] = {0};
  struct command command = {.kind = vkm_timeline_slice_kind(timeline, slice),
                            .name = timeline->names[slice->name],
                            .took_ns = slice->end_ns - slice->begin_ns};
  if (slice->kernel != VKM_TIMELINE_NONE) {
    command.identity = timeline->kernels[slice->kernel].identity;
    command.name = timeline->kernels[slice->kernel].name;
  }
  if (slice->launch != VKM_TIMELINE_NONE &&
      compare_groups(timeline->launches[slice->launch].groups, none) != 0) {
    command.groups = timeline->launches[slice->launch].groups;
  }
  return command;
}

/* Of commands of one row, in order of their time. */
static struct vkm_kernel_times row_of(const struct command *commands, size_t count) {
  struct vkm_kernel_times row = {.name = commands->name,
                                 .identity = commands->identity,
                                 .kind = commands->kind,
                                 .count = count,
                                 .min_ns = commands[0].took_ns,
                                 .max_ns = commands[count - 1].took_ns};
  if (commands->groups != NULL) {
    row.has_groups = true;
    memcpy(row.groups, commands->groups, sizeof row.groups);
  }
  for (size_t i = 0; i < count; i++) {
    vkm_add_ns(&row.total_ns, commands[i].took_ns);
  }
  size_t lower = (count - 1) / 2;
  size_t upper = count / 2;
  int64_t low_ns = commands[lower].took_ns;
  int64_t apart_ns = commands[upper].took_ns - low_ns;
  row.median_ns = (double)low_ns + (double)apart_ns / 2;
  return row;
}

static int by_total(const void *a, const void *b) {
  const struct vkm_kernel_times *left = a;
  const struct vkm_kernel_times *right = b;
  if (left->total_ns != right->total_ns) {
    return left->total_ns > right->total_ns ? -1 : 1;
  }
  int order = strcmp(left->name, right->name);
  order = order != 0 ? order : strcmp(left->kind, right->kind);
  return order != 0 ? order : compare_groups(left->groups, right->groups);
}

bool vkm_timeline_kernels(struct vkm_timeline_report *report) {
  const struct vkm_timeline *timeline = report->timeline;
  size_t count = timeline->slice_count;
  struct command *commands = malloc((count + 1) * sizeof *commands);
  size_t rows = count > 0;
  if (commands == NULL) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    commands[i] = command_of(timeline, &timeline->slices[i]);
  }
  if (count > 1) {
    qsort(commands, count, sizeof *commands, by_row);
  }
  for (size_t i = 1; i < count; i++) {
    rows += compare_rows(&commands[i - 1], &commands[i]) != 0;
  }
  report->kernels = calloc(rows + 1, sizeof *report->kernels);
  if (report->kernels == NULL) {
    free(commands);
    return false;
  }
  for (size_t i = 0; i < count;) {
    size_t end = i + 1;
    while (end < count && compare_rows(&commands[i], &commands[end]) == 0) {
      end++;
    }
    report->kernels[report->kernel_count++] = row_of(commands + i, end - i);
    i = end;
  }
  free(commands);
  for (size_t i = 0; i < report->kernel_count; i++) {
    vkm_add_ns(&report->total_ns, report->kernels[i].total_ns);
  }
  for (size_t i = 0; i < report->kernel_count; i++) {
    struct vkm_kernel_times *row = &report->kernels[i];
    row->share = report->total_ns > 0 ? (double)row->total_ns / (double)report->total_ns : 0;
  }
  if (report->kernel_count > 1) {
    qsort(report->kernels, report->kernel_count, sizeof *report->kernels, by_total);
  }
  return true;
}
