/* A timeline held against a profile of the same run. In: both. Out: the figures that differ, named.
 * What was measured stands in both, execution by execution, so all of it has to be the same. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "model/row.h"
#include "model/timeline_parts.h"
#include "profile/profile_read.h"

/* Executions of one kind of command, pipeline and group count. */
struct held {
  const char *identity; /* "" none */
  const char *kind, *name;
  uint32_t groups[3]; /* 0: not known, or no dispatch */
  uint64_t count;
  int64_t sum_ns;
  int64_t *times_ns; /* of all executions; NULL: not kept. Owned */
  size_t time_count;
};

struct list {
  struct held *items;
  size_t count, capacity;
};

static bool has_groups(const char *kind) {
  return strcmp(kind, "dispatch") == 0 || strcmp(kind, "dispatch_base") == 0;
}

static int by_what(const void *a, const void *b) {
  const struct held *left = a;
  const struct held *right = b;
  int order = strcmp(left->identity, right->identity);
  order = order != 0 ? order : strcmp(left->kind, right->kind);
  for (size_t i = 0; order == 0 && i < 3; i++) {
    order = (left->groups[i] > right->groups[i]) - (left->groups[i] < right->groups[i]);
  }
  return order;
}

static int ascending(const void *a, const void *b) {
  const int64_t *left = a;
  const int64_t *right = b;
  return (*left > *right) - (*left < *right);
}

static bool add(struct list *list, const struct held *held, const int64_t *times_ns,
                size_t time_count) {
  if (list->count == list->capacity) {
    size_t more = list->capacity == 0 ? 64 : list->capacity * 2;
    struct held *items = realloc(list->items, more * sizeof *items);
    if (items == NULL) {
      return false;
    }
    list->items = items;
    list->capacity = more;
  }
  struct held *item = &list->items[list->count];
  *item = *held;
  item->time_count = time_count;
  item->times_ns = time_count > 0 ? malloc(time_count * sizeof *item->times_ns) : NULL;
  if (time_count > 0) {
    if (item->times_ns == NULL) {
      return false;
    }
    memcpy(item->times_ns, times_ns, time_count * sizeof *item->times_ns);
  }
  list->count++;
  return true;
}

/* Rows of the same thing become one; its times are sorted. */
static bool join(struct list *list) {
  size_t kept = 0;
  if (list->count > 1) {
    qsort(list->items, list->count, sizeof *list->items, by_what);
  }
  for (size_t i = 0; i < list->count; i++) {
    struct held *item = &list->items[i];
    struct held *last = kept > 0 ? &list->items[kept - 1] : NULL;
    if (last == NULL || by_what(last, item) != 0) {
      list->items[kept++] = *item;
      continue;
    }
    size_t count = last->time_count + item->time_count;
    int64_t *times_ns = realloc(last->times_ns, (count + 1) * sizeof *times_ns);
    if (times_ns == NULL) {
      for (; i < list->count; i++) {
        free(list->items[i].times_ns);
      }
      list->count = kept;
      return false;
    }
    if (item->time_count > 0) {
      memcpy(times_ns + last->time_count, item->times_ns, item->time_count * sizeof *times_ns);
    }
    free(item->times_ns);
    item->times_ns = NULL;
    last->times_ns = times_ns;
    last->time_count = count;
    last->count += item->count;
    vkm_add_ns(&last->sum_ns, item->sum_ns);
  }
  list->count = kept;
  for (size_t i = 0; i < kept; i++) {
    if (list->items[i].time_count > 1) {
      qsort(list->items[i].times_ns, list->items[i].time_count, sizeof(int64_t), ascending);
    }
  }
  return true;
}

static void drop(struct list *list) {
  for (size_t i = 0; i < list->count; i++) {
    free(list->items[i].times_ns);
  }
  free(list->items);
}

static bool list_profile(const struct vkm_read_profile *profile, struct list *list) {
  bool good = true;
  for (size_t i = 0; good && i < profile->kernel_count; i++) {
    const struct vkm_read_kernel *kernel = &profile->kernels[i];
    const struct vkm_read_pipeline *pipeline =
        kernel->pipeline == VKM_READ_NONE ? NULL : &profile->pipelines[kernel->pipeline];
    struct held held = {.identity = pipeline == NULL ? "" : pipeline->identity,
                        .kind = kernel->kind,
                        .name = kernel->kind,
                        .count = kernel->outcomes.measured,
                        .sum_ns = kernel->duration.sum_ns};
    if (pipeline != NULL && pipeline->name != NULL) {
      held.name = pipeline->name;
    } else if (pipeline != NULL && pipeline->entry_point != NULL) {
      held.name = pipeline->entry_point;
    }
    if (kernel->has_groups && has_groups(kernel->kind)) {
      memcpy(held.groups, kernel->groups, sizeof held.groups);
    }
    if (held.count > 0) {
      good = add(list, &held, kernel->samples_ns, kernel->sample_count);
    }
  }
  return good && join(list);
}

static bool list_trace(const struct vkm_timeline *timeline, uint32_t process, struct list *list) {
  bool good = true;
  for (size_t i = 0; good && i < timeline->slice_count; i++) {
    const struct vkm_timeline_slice *slice = &timeline->slices[i];
    if (timeline->queues[slice->queue].process != process || slice->kind >= VKM_KIND_COUNT) {
      continue;
    }
    int64_t took_ns = slice->end_ns - slice->begin_ns;
    struct held held = {.identity = "",
                        .kind = vkm_kind_names[slice->kind],
                        .name = timeline->names[slice->name],
                        .count = 1,
                        .sum_ns = took_ns};
    if (slice->kernel != VKM_TIMELINE_NONE && timeline->kernels[slice->kernel].identity != NULL) {
      held.identity = timeline->kernels[slice->kernel].identity;
    }
    if (slice->launch != VKM_TIMELINE_NONE && has_groups(held.kind)) {
      memcpy(held.groups, timeline->launches[slice->launch].groups, sizeof held.groups);
    }
    good = add(list, &held, &took_ns, 1);
  }
  return good && join(list);
}

__attribute__((format(printf, 4, 5))) static bool
differ(struct vkm_timeline_report *report, double trace, double profile, const char *format, ...) {
  char what[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  struct vkm_timeline_difference *more =
      realloc(report->differences, (report->difference_count + 1) * sizeof *more);
  if (more == NULL) {
    return false;
  }
  report->differences = more;
  more[report->difference_count].what = strdup(what);
  more[report->difference_count].trace = trace;
  more[report->difference_count].profile = profile;
  if (more[report->difference_count].what == NULL) {
    return false;
  }
  report->difference_count++;
  return true;
}

static void name_of(const struct held *held, char name[256]) {
  int used = snprintf(name, 256, "%.120s", held->name);
  if (held->identity[0] != 0) {
    used += snprintf(name + used, 256 - (size_t)used, " #%.8s", held->identity);
  }
  if (strcmp(held->name, held->kind) != 0) {
    used += snprintf(name + used, 256 - (size_t)used, " %.40s", held->kind);
  }
  if (held->groups[0] != 0) {
    snprintf(name + used, 256 - (size_t)used, " %ux%ux%u", held->groups[0], held->groups[1],
             held->groups[2]);
  }
}

/* Both are of the same thing; one may be NULL. */
static bool hold_row(struct vkm_timeline_report *report, const struct held *trace,
                     const struct held *profile) {
  static const struct held none = {.count = 0};
  char name[256];
  name_of(trace != NULL ? trace : profile, name);
  trace = trace != NULL ? trace : &none;
  profile = profile != NULL ? profile : &none;
  if (trace->count != profile->count) {
    return differ(report, (double)trace->count, (double)profile->count, "executions of %s", name);
  }
  if (trace->sum_ns != profile->sum_ns) {
    return differ(report, (double)trace->sum_ns, (double)profile->sum_ns, "ns of %s in all", name);
  }
  bool complete = trace->time_count == trace->count && profile->time_count == profile->count;
  for (size_t i = 0; complete && i < trace->time_count; i++) {
    if (trace->times_ns[i] != profile->times_ns[i]) {
      return differ(report, (double)trace->times_ns[i], (double)profile->times_ns[i],
                    "ns of the execution of %s at place %zu by length", name, i + 1);
    }
  }
  return true;
}

static bool hold_rows(struct vkm_timeline_report *report, const struct list *trace,
                      const struct list *profile) {
  size_t left = 0;
  size_t right = 0;
  bool good = true;
  while (good && (left < trace->count || right < profile->count)) {
    const struct held *one = left < trace->count ? &trace->items[left] : NULL;
    const struct held *other = right < profile->count ? &profile->items[right] : NULL;
    int order = one == NULL ? 1 : other == NULL ? -1 : by_what(one, other);
    left += order <= 0;
    right += order >= 0;
    good = hold_row(report, order <= 0 ? one : NULL, order >= 0 ? other : NULL);
  }
  return good;
}

/* Calls by what they are for, where none was left out. */
static bool hold_calls(struct vkm_timeline_report *report, const struct vkm_read_profile *profile,
                       uint32_t process) {
  const struct vkm_timeline *timeline = report->timeline;
  const struct vkm_timeline_process *traced = &timeline->processes[process];
  bool all = traced->has_counts && traced->short_calls == 0 &&
             traced->dropped[0] + traced->dropped[1] + traced->dropped[2] == 0 &&
             profile->trace.dropped_late == 0;
  bool good = true;
  for (size_t i = 0; good && all && i < VKM_READ_HOSTS; i++) {
    const struct vkm_read_host *host = &profile->breakdown.hosts[i];
    uint64_t count = 0;
    for (size_t k = 0; k < report->thread_count; k++) {
      const struct vkm_thread_times *times = &report->threads[k];
      if (times->process == traced && strcmp(times->kind, host->name) == 0) {
        count += times->count;
      }
    }
    if (count != host->calls) {
      good = differ(report, (double)count, (double)host->calls, "%s calls", host->name);
    }
  }
  return good;
}

bool vkm_timeline_report_hold(struct vkm_timeline_report *report,
                              const struct vkm_read_profile *profile, const char *path) {
  const struct vkm_timeline *timeline = report->timeline;
  struct list trace = {NULL, 0, 0};
  struct list told = {NULL, 0, 0};
  uint32_t process = 0;
  bool good = true;
  report->profile = path;
  while (process < timeline->process_count &&
         timeline->processes[process].pid != profile->run.pid) {
    process++;
  }
  if (process == timeline->process_count) {
    good = differ(report, 0, 1, "processes with the number %lld", (long long)profile->run.pid);
  } else {
    good = list_trace(timeline, process, &trace) && list_profile(profile, &told) &&
           hold_rows(report, &trace, &told) && hold_calls(report, profile, process);
  }
  drop(&trace);
  drop(&told);
  if (!good) {
    vkm_error("out of memory; close other programs, or trace a shorter run");
  }
  return good;
}
