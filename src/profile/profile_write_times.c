/* In: the samples of one kernel row. Out: its members duration, gap_before and samples. */
#include <math.h>

#include "base/alloc.h"
#include "measure/stats.h"
#include "profile/profile_write_sections.h"

void vkm_row_scratch_finish(struct vkm_row_scratch *scratch) {
  vkm_free(scratch->keyed);
  vkm_free(scratch->values);
}

enum vkm_status vkm_row_scratch_reserve(struct vkm_row_scratch *scratch, size_t count) {
  if (count <= scratch->capacity) {
    return VKM_OK;
  }
  struct vkm_keyed *keyed = vkm_realloc(scratch->keyed, 2 * count * sizeof *keyed);
  if (keyed != NULL) {
    scratch->keyed = keyed;
  }
  int64_t *values = vkm_realloc(scratch->values, count * sizeof *values);
  if (values != NULL) {
    scratch->values = values;
  }
  if (keyed == NULL || values == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  scratch->capacity = count;
  return VKM_OK;
}

void vkm_row_sort(struct vkm_row_scratch *scratch, const struct vkm_samples *samples) {
  size_t count = samples->kept_count;
  for (size_t i = 0; i < count; i++) { /* min_ns is over all seen, so no difference is negative */
    scratch->keyed[i].key = (uint64_t)samples->kept[i].value_ns - (uint64_t)samples->min_ns;
  }
  if (count > 0) {
    vkm_sort_keyed(scratch->keyed, scratch->keyed + scratch->capacity, count);
  }
  for (size_t i = 0; i < count; i++) {
    scratch->values[i] = (int64_t)(scratch->keyed[i].key + (uint64_t)samples->min_ns);
  }
}

int64_t vkm_row_quantile(const struct vkm_row_scratch *scratch, size_t count, double q) {
  return count > 0 ? llround(vkm_quantile(scratch->values, count, q)) : 0;
}

/* The row's own samples stay as they are: their arrangement decides which of them the reservoir
 * replaces next, and that must not depend on when a checkpoint was written. */
void vkm_row_order(struct vkm_row_scratch *scratch, const struct vkm_samples *samples) {
  size_t count = samples->kept_count;
  for (size_t i = 0; i < count; i++) {
    scratch->keyed[i] = (struct vkm_keyed){samples->kept[i].ordinal, i};
  }
  if (count > 0 && samples->seen > count) { /* else they never left their order */
    vkm_sort_keyed(scratch->keyed, scratch->keyed + scratch->capacity, count);
  }
}

static int64_t mean(int64_t sum, uint64_t count) {
  int64_t divisor = count > INT64_MAX ? INT64_MAX : (int64_t)count;
  int64_t rest = sum % divisor;
  int64_t away = rest > 0 ? 1 : -1; /* halves round away from zero, as llround does */
  bool up = (rest < 0 ? -rest : rest) >= divisor - (rest < 0 ? -rest : rest);
  return sum / divisor + (up ? away : 0);
}

static void write_quantile(struct vkm_json *json, const char *name,
                           const struct vkm_summary *summary, double value) {
  if (summary->count == 0) {
    vkm_json_null(json, name, "memory was short: no sample was kept");
  } else {
    vkm_json_i64(json, name, llround(value));
  }
}

/* Quantiles are over the samples kept; min, max, mean and sum over all that were seen. */
static void write_duration(struct vkm_json *json, const struct vkm_samples *samples,
                           const struct vkm_summary *summary) {
  vkm_json_open(json, "duration", '{');
  vkm_json_i64(json, "min", samples->min_ns);
  write_quantile(json, "p25", summary, summary->p25);
  write_quantile(json, "median", summary, summary->median);
  write_quantile(json, "p75", summary, summary->p75);
  write_quantile(json, "p90", summary, summary->p90);
  write_quantile(json, "p99", summary, summary->p99);
  vkm_json_i64(json, "max", samples->max_ns);
  vkm_json_i64(json, "mean", mean(samples->sum_ns, samples->seen));
  write_quantile(json, "mad", summary, summary->mad);
  vkm_json_i64(json, "sum", samples->sum_ns);
  vkm_json_close(json, '}');
}

static const char *largest(const uint64_t *counts, int count, const char *const *texts,
                           uint64_t *most, const char *so_far) {
  for (int i = 0; i < count; i++) {
    if (counts[i] > *most) {
      *most = counts[i];
      so_far = texts[i];
    }
  }
  return so_far;
}

/* Why nothing was measured: what happened most often. */
static const char *not_measured_reason(const struct vkm_outcomes *outcomes) {
  uint64_t most = outcomes->control;
  const char *reason = most > 0 ? "executed only inside control spans" : "not executed";
  reason = largest(outcomes->untimed, VKM_UNTIMED_COUNT, vkm_untimed_texts, &most, reason);
  reason = largest(outcomes->missed, VKM_MISSED_COUNT, vkm_missed_texts, &most, reason);
  return largest(outcomes->rejected, VKM_REJECTED_COUNT, vkm_rejected_texts, &most, reason);
}

static void write_begins(struct vkm_json *json, const struct vkm_samples *samples,
                         const struct vkm_keyed *order) {
  bool unknown = false;
  vkm_json_list_open(json, "sample_begins_ns");
  for (size_t i = 0; i < samples->kept_count; i++) {
    int64_t begin_ns = samples->begins ? samples->begins[order[i].index] : INT64_MIN;
    if (begin_ns == INT64_MIN) {
      vkm_json_list_string(json, NULL);
      unknown = true;
    } else {
      vkm_json_list_i64(json, begin_ns);
    }
  }
  vkm_json_list_close(json);
  if (unknown) {
    vkm_json_reason(json, "sample_begins_ns", "device time was not tied to a host clock");
  }
}

static void write_samples(struct vkm_document *document, const struct vkm_kernel_row *row,
                          const struct vkm_keyed *order) {
  struct vkm_json *json = &document->json;
  size_t count = row->durations.kept_count;
  size_t first_use = count;
  vkm_json_list_open(json, "samples");
  for (size_t i = 0; i < count; i++) {
    const struct vkm_sample *sample = &row->durations.kept[order[i].index];
    vkm_json_list_i64(json, sample->value_ns);
    if (row->first_use_ordinal >= 0 && sample->ordinal == (uint64_t)row->first_use_ordinal) {
      first_use = i;
    }
  }
  vkm_json_list_close(json);
  vkm_json_u64(json, "samples_seen", row->durations.seen);
  vkm_json_u64(json, "samples_kept", count);
  if (first_use < count) {
    vkm_json_u64(json, "first_use", first_use);
  } else {
    vkm_json_null(json, "first_use",
                  row->first_use_ordinal < 0
                      ? "the first execution of the pipeline was not measured in this row"
                      : "the sample of the first execution was not kept");
  }
  if (document->sample_times) {
    write_begins(json, &row->durations, order);
  }
}

enum vkm_status vkm_write_times(struct vkm_document *document, struct vkm_row_scratch *scratch,
                                const struct vkm_kernel_row *row) {
  static const char no_gap[] = "no measured execution came after another command";
  struct vkm_json *json = &document->json;
  struct vkm_summary summary;
  size_t most = row->durations.kept_count;
  most = row->gaps.kept_count > most ? row->gaps.kept_count : most;
  if (vkm_row_scratch_reserve(scratch, most) != VKM_OK) {
    return VKM_OUT_OF_MEMORY;
  }
  vkm_row_sort(scratch, &row->gaps);
  int64_t gap_median_ns = vkm_row_quantile(scratch, row->gaps.kept_count, 0.5);
  vkm_row_sort(scratch, &row->durations);
  vkm_summarize(scratch->values, row->durations.kept_count, &summary);
  document->row_median_ns = row->durations.seen == 0 ? 0
                            : summary.count > 0      ? llround(summary.median)
                                                : mean(row->durations.sum_ns, row->durations.seen);
  if (row->durations.seen == 0) {
    vkm_json_null(json, "duration", not_measured_reason(&row->outcomes));
  } else {
    write_duration(json, &row->durations, &summary);
  }
  if (row->gaps.kept_count == 0) {
    vkm_json_null(json, "gap_before",
                  row->gaps.seen == 0 ? no_gap : "memory was short: no gap was kept");
  } else {
    vkm_json_open(json, "gap_before", '{');
    vkm_json_i64(json, "median", gap_median_ns);
    vkm_json_i64(json, "sum", row->gaps.sum_ns);
    vkm_json_u64(json, "count", row->gaps.seen);
    vkm_json_close(json, '}');
  }
  vkm_json_u64(json, "overlap_possible", row->overlap_possible);
  vkm_json_u64(json, "conditional", row->conditional);
  vkm_row_order(scratch, &row->durations);
  write_samples(document, row, scratch->keyed);
  return VKM_OK;
}
