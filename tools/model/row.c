/* Statistics of a row. In: kernels of one shader and group count. Out: a row. Next: report.
 * The run is the unit: figures are made within each run, and over runs their median is taken,
 * because the dispatches of one process share one clock and one temperature. */
#include "model/row.h"

#include <stdlib.h>
#include <string.h>

#include "measure/stats.h"
#include "model/run_time.h"

/* Figures of each run, side by side. */
struct figures {
  double *median, *mad, *p95; /* owned, room for every run */
  size_t count;               /* runs with a median */
  size_t tail_count;          /* of these, with a tail */
};

struct building {
  struct vkm_row *row;
  struct figures figures;
  int64_t *samples; /* of one run; owned, room for all */
  size_t run_count;
  unsigned warmup;
};

bool vkm_is_dispatch(const struct vkm_read_kernel *kernel) {
  return strncmp(kernel->kind, "dispatch", strlen("dispatch")) == 0;
}

const char *vkm_shader_key(const struct vkm_kernel_ref *ref) {
  if (ref->pipeline != NULL) {
    return ref->pipeline->identity;
  }
  return vkm_is_dispatch(ref->kernel) ? "" : ref->kernel->kind;
}

const char *vkm_code_of(const struct vkm_kernel_ref *ref) {
  bool foreign = strcmp(ref->kernel->kind, VKM_FOREIGN_KIND) == 0;
  return ref->pipeline != NULL && !foreign ? ref->pipeline->identity : NULL;
}

void vkm_add_ns(int64_t *to, int64_t value) {
  if (__builtin_add_overflow(*to, value, to)) {
    *to = value > 0 ? INT64_MAX : INT64_MIN;
  }
}

static void extend_range(struct vkm_row *row, bool first, double min_ns, double max_ns) {
  row->min_ns = first || min_ns < row->min_ns ? min_ns : row->min_ns;
  row->max_ns = first || max_ns > row->max_ns ? max_ns : row->max_ns;
}

/* Of the sorted samples of a run; each run gets its part of the room. */
static void extend_strip(struct building *building, size_t used) {
  struct vkm_row *row = building->row;
  size_t part = VKM_STRIP / building->run_count;
  size_t chosen = part < 2 ? 2 : part;
  chosen = used < chosen ? used : chosen;
  for (size_t i = 0; i < chosen && row->strip_count < VKM_STRIP; i++) {
    size_t at = chosen > 1 ? i * (used - 1) / (chosen - 1) : 0;
    row->strip_ns[row->strip_count++] = (double)building->samples[at];
  }
}

/* refs[0..count) are of one run. */
static void add_run(struct building *building, const struct vkm_kernel_ref *refs, size_t count) {
  struct figures *figures = &building->figures;
  struct vkm_row *row = building->row;
  struct vkm_run_time run;
  vkm_run_time_take(&run, refs, count, building->warmup, building->samples);
  size_t used = run.sample_count;
  row->executions += run.executions;
  row->measured += run.measured;
  row->calls += run.calls;
  row->warmup_count += run.warmup_count;
  vkm_add_ns(&row->total_ns, run.total_ns);
  row->run_count++;
  bool first = figures->count == 0;
  const struct vkm_read_duration *whole = &refs[0].kernel->duration;
  if (used > 0) {
    struct vkm_summary summary;
    vkm_summarize(building->samples, used, &summary);
    figures->median[figures->count] = summary.median;
    figures->mad[figures->count++] = summary.mad;
    figures->p95[figures->tail_count++] = vkm_quantile(building->samples, used, 0.95);
    extend_range(row, first, summary.min, summary.max);
    extend_strip(building, used);
  } else if (count == 1 && refs[0].kernel->sample_count == 0 && whole->has_median) {
    figures->median[figures->count] = (double)whole->median_ns;
    figures->mad[figures->count++] = (double)whole->mad_ns;
    extend_range(row, first, (double)whole->min_ns, (double)whole->max_ns);
  }
}

static void conclude(struct building *building, double period_ns) {
  struct vkm_row *row = building->row;
  struct figures *figures = &building->figures;
  row->has_figures = figures->count > 0 && row->calls > 0;
  if (!row->has_figures) {
    return;
  }
  row->mean_ns = (double)row->total_ns / (double)row->calls;
  row->median_ns = vkm_median(figures->median, figures->count);
  row->mad_ns = vkm_median(figures->mad, figures->count);
  if (row->mad_ns == 0 && period_ns > 0) {
    row->mad_ns = period_ns / 2;
    row->mad_is_half_tick = true;
  }
  row->has_tail = figures->tail_count == figures->count;
  if (row->has_tail) {
    row->p95_ns = vkm_median(figures->p95, figures->tail_count);
  }
  row->has_between_runs = figures->count > 1 && row->median_ns > 0;
  if (row->has_between_runs) { /* vkm_median has sorted them */
    double range = figures->median[figures->count - 1] - figures->median[0];
    row->between_runs = range / row->median_ns;
  }
}

static const char *same_text(const char *one, const char *other) {
  return one != NULL && other != NULL && strcmp(one, other) == 0 ? one : NULL;
}

static void compute(struct building *building, const struct vkm_kernel_ref *refs, size_t count) {
  struct vkm_row *row = building->row;
  const struct vkm_read_kernel *kernel = refs[0].kernel;
  *row = (struct vkm_row){
      .identity = vkm_code_of(&refs[0]),
      .family = kernel->family,
      .phase = kernel->phase,
      .shader = vkm_shader_key(&refs[0]),
      .is_dispatch = vkm_is_dispatch(kernel),
      .has_groups = kernel->has_groups,
      .groups = {kernel->groups[0], kernel->groups[1], kernel->groups[2]},
  };
  for (size_t i = 1; i < count; i++) {
    row->family = same_text(row->family, refs[i].kernel->family);
    row->phase = same_text(row->phase, refs[i].kernel->phase);
  }
  building->run_count = 1;
  for (size_t i = 1; i < count; i++) {
    building->run_count += refs[i].run != refs[i - 1].run;
  }
  building->figures.count = 0;
  building->figures.tail_count = 0;
  for (size_t begin = 0; begin < count;) {
    size_t end = begin + 1;
    while (end < count && refs[end].run == refs[begin].run) {
      end++;
    }
    add_run(building, refs + begin, end - begin);
    begin = end;
  }
  conclude(building, refs[0].period_ns);
}

bool vkm_row_build(struct vkm_row *row, const struct vkm_kernel_ref *refs, size_t count,
                   unsigned warmup) {
  size_t most = 1 + vkm_run_time_room(refs, count);
  double *columns = calloc(3 * count + 1, sizeof *columns);
  struct building building = {
      .row = row,
      .figures = {columns, columns ? columns + count : NULL, columns ? columns + 2 * count : NULL,
                  0, 0},
      .samples = malloc(most * sizeof(int64_t)),
      .warmup = warmup,
  };
  bool good = columns != NULL && building.samples != NULL;
  if (good) {
    compute(&building, refs, count);
    /* A program that runs a shader once would otherwise show nothing of it. */
    if (row->calls == 0 && row->warmup_count > 0) {
      building.warmup = 0;
      compute(&building, refs, count);
      row->only_first_use = true;
    }
  }
  free(columns);
  free(building.samples);
  return good;
}
