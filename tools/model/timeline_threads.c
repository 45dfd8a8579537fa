/* Threads of a timeline. In: calls. Out: what each thread spent in which kind of call. */
#include <stdlib.h>
#include <string.h>

#include "measure/stats.h"
#include "model/row.h"
#include "model/timeline_parts.h"

enum { KINDS_MOST = 16 };

static int ascending(const void *a, const void *b) {
  const int64_t *left = a;
  const int64_t *right = b;
  return (*left > *right) - (*left < *right);
}

double vkm_timeline_median(int64_t *times_ns, size_t count) {
  if (count == 0) {
    return 0;
  }
  qsort(times_ns, count, sizeof *times_ns, ascending);
  return vkm_quantile(times_ns, count, 0.5);
}

static int by_time(const void *a, const void *b) {
  const struct vkm_thread_times *left = a;
  const struct vkm_thread_times *right = b;
  if (left->total_ns != right->total_ns) {
    return left->total_ns > right->total_ns ? -1 : 1;
  }
  return strcmp(left->kind, right->kind);
}

/* Adds up a row over the calls of its thread. `times_ns` has room for all of them. */
static void add_up(const struct vkm_timeline *timeline, struct vkm_thread_times *row,
                   int64_t *times_ns) {
  for (size_t i = 0; i < row->thread->call_count; i++) {
    const struct vkm_timeline_call *call = &timeline->calls[row->thread->first_call + i];
    if (vkm_timeline_kind_of(call) == row->kind) {
      int64_t took_ns = call->end_ns - call->begin_ns;
      times_ns[row->count++] = took_ns;
      vkm_add_ns(&row->total_ns, took_ns);
      row->max_ns = took_ns > row->max_ns ? took_ns : row->max_ns;
    }
  }
  row->median_ns = vkm_timeline_median(times_ns, (size_t)row->count);
}

/* The kinds of a thread, each once. */
static size_t kinds_of(const struct vkm_timeline *timeline,
                       const struct vkm_timeline_thread *thread, struct vkm_thread_times *rows) {
  size_t count = 0;
  for (size_t i = 0; i < thread->call_count; i++) {
    const char *kind = vkm_timeline_kind_of(&timeline->calls[thread->first_call + i]);
    size_t at = 0;
    while (at < count && rows[at].kind != kind) {
      at++;
    }
    if (at == count && count < KINDS_MOST) {
      rows[count++] = (struct vkm_thread_times){
          .thread = thread, .process = &timeline->processes[thread->process], .kind = kind};
    }
  }
  return count;
}

bool vkm_timeline_threads(struct vkm_timeline_report *report) {
  const struct vkm_timeline *timeline = report->timeline;
  int64_t *times_ns = malloc((timeline->call_count + 1) * sizeof *times_ns);
  size_t capacity = timeline->thread_count * KINDS_MOST;
  report->threads = malloc((capacity + 1) * sizeof *report->threads);
  bool good = times_ns != NULL && report->threads != NULL;
  for (size_t i = 0; good && i < timeline->thread_count; i++) {
    struct vkm_thread_times *rows = report->threads + report->thread_count;
    size_t count = kinds_of(timeline, &timeline->threads[i], rows);
    for (size_t k = 0; k < count; k++) {
      add_up(timeline, &rows[k], times_ns);
    }
    if (count > 1) {
      qsort(rows, count, sizeof *rows, by_time);
    }
    report->thread_count += count;
  }
  free(times_ns);
  return good;
}
