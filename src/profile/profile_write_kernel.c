/* In: kernel rows. Out: the section kernels. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "measure/stats.h"
#include "profile/profile_write_sections.h"

static int compare_ordinal(const void *a, const void *b) {
  uint64_t left = ((const struct vkm_sample *)a)->ordinal;
  uint64_t right = ((const struct vkm_sample *)b)->ordinal;
  return (left > right) - (left < right);
}

static enum vkm_status reserve_scratch(struct vkm_document *document, size_t count) {
  if (count <= document->scratch_capacity) {
    return VKM_OK;
  }
  struct vkm_sample *samples = vkm_realloc(document->samples, count * sizeof *samples);
  if (samples != NULL) {
    document->samples = samples;
  }
  int64_t *values = vkm_realloc(document->values, count * sizeof *values);
  if (values != NULL) {
    document->values = values;
  }
  if (samples == NULL || values == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  document->scratch_capacity = count;
  return VKM_OK;
}

/* The row's own samples stay as they are: their arrangement decides which of them the reservoir
 * replaces next, and that must not depend on when a checkpoint was written. */
static void load_samples(struct vkm_document *document, const struct vkm_samples *samples) {
  size_t count = samples->kept_count;
  if (count == 0) {
    return;
  }
  memcpy(document->samples, samples->kept, count * sizeof *samples->kept);
  if (samples->seen > count) { /* else they never left their order */
    qsort(document->samples, count, sizeof *document->samples, compare_ordinal);
  }
  for (size_t i = 0; i < count; i++) {
    document->values[i] = document->samples[i].value_ns;
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

static void write_begins(struct vkm_json *json, const struct vkm_document *document, size_t count) {
  bool unknown = false;
  vkm_json_list_open(json, "sample_begins_ns");
  for (size_t i = 0; i < count; i++) {
    int64_t begin_ns = document->samples[i].begin_ns;
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

static void write_samples(struct vkm_document *document, const struct vkm_kernel_row *row) {
  struct vkm_json *json = &document->json;
  size_t count = row->durations.kept_count;
  size_t first_use = count;
  vkm_json_list_open(json, "samples");
  for (size_t i = 0; i < count; i++) {
    const struct vkm_sample *sample = &document->samples[i];
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
    write_begins(json, document, count);
  }
}

static enum vkm_status write_times(struct vkm_document *document,
                                   const struct vkm_kernel_row *row) {
  static const char no_gap[] = "no measured execution came after another command";
  struct vkm_json *json = &document->json;
  struct vkm_summary summary;
  size_t most = row->durations.kept_count;
  most = row->gaps.kept_count > most ? row->gaps.kept_count : most;
  if (reserve_scratch(document, most) != VKM_OK) {
    return VKM_OUT_OF_MEMORY;
  }
  load_samples(document, &row->gaps);
  vkm_summarize(document->values, row->gaps.kept_count, &summary);
  double gap_median = summary.median;
  load_samples(document, &row->durations);
  vkm_summarize(document->values, row->durations.kept_count, &summary);
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
    vkm_json_i64(json, "median", llround(gap_median));
    vkm_json_i64(json, "sum", row->gaps.sum_ns);
    vkm_json_u64(json, "count", row->gaps.seen);
    vkm_json_close(json, '}');
  }
  vkm_json_u64(json, "overlap_possible", row->overlap_possible);
  write_samples(document, row);
  return VKM_OK;
}

/* Product of the three factors, false when 64 bits cannot hold it. */
static bool multiply(uint64_t *product, const uint32_t factors[3]) {
  for (int i = 0; i < 3; i++) {
    if (__builtin_mul_overflow(*product, (uint64_t)factors[i], product)) {
      return false;
    }
  }
  return true;
}

static void write_invocations(struct vkm_json *json, const struct vkm_kernel_key *key,
                              const struct vkm_spirv_kernel *kernel) {
  static const char name[] = "invocations";
  uint64_t product = 1;
  if (key->kind == VKM_COMMAND_DISPATCH_INDIRECT) {
    vkm_json_null(json, name, "the group counts are not known");
  } else if (kernel == NULL || !kernel->known || kernel->local_size_reason != NULL) {
    vkm_json_null(json, name, "the local size is not known");
  } else if ((key->groups[0] != 0 && key->groups[1] != 0 && key->groups[2] != 0) &&
             (!multiply(&product, key->groups) || !multiply(&product, kernel->local_size))) {
    vkm_json_null(json, name, "more than 64 bits can hold");
  } else {
    bool empty = key->groups[0] == 0 || key->groups[1] == 0 || key->groups[2] == 0;
    vkm_json_u64(json, name, empty ? 0 : product);
  }
}

static void write_geometry(struct vkm_json *json, const struct vkm_kernel_key *key,
                           const struct vkm_spirv_kernel *kernel) {
  if (key->kind == VKM_COMMAND_DISPATCH_INDIRECT) {
    vkm_json_null(json, "groups", "indirect: the group counts lie in device memory");
  } else {
    vkm_json_list_u32s(json, "groups", key->groups, 3);
  }
  vkm_json_list_u32s(json, "base", key->base, 3);
  write_invocations(json, key, kernel);
}

static enum vkm_status write_row(struct vkm_document *document, size_t device_index,
                                 uint64_t first_pipeline, const struct vkm_kernel_row *row) {
  struct vkm_json *json = &document->json;
  const struct vkm_profile_device *device = &document->profile->devices[device_index];
  const struct vkm_kernel_key *key = &row->key;
  const struct vkm_spirv_kernel *kernel = NULL;
  vkm_json_open(json, NULL, '{');
  if (key->pipeline < device->pipeline_count) {
    char id[VKM_VERSION_TEXT_BYTES];
    vkm_pipeline_id(first_pipeline + key->pipeline, id);
    vkm_json_string(json, "pipeline", id, NULL);
    kernel = device->pipelines[key->pipeline].kernel;
  } else {
    vkm_json_null(json, "pipeline",
                  device->pipelines_dropped > 0
                      ? "no pipeline was bound, or it is one of those that found no place"
                      : "no pipeline was bound");
  }
  vkm_json_u64(json, "device", device_index);
  vkm_json_string(json, "kind", vkm_command_kind_names[key->kind], NULL);
  write_geometry(json, key, kernel);
  const char *phase =
      key->phase > 0 && key->phase < device->phase_count ? device->phases[key->phase] : NULL;
  vkm_json_string(json, "phase", phase != NULL ? phase : "unlabelled", NULL);
  vkm_write_outcomes(json, "executions", &row->outcomes);
  enum vkm_status status = write_times(document, row);
  vkm_json_close(json, '}');
  return status;
}

enum vkm_status vkm_write_kernels(struct vkm_document *document) {
  vkm_json_open(&document->json, "kernels", '[');
  for (size_t i = 0; i < document->profile->device_count; i++) {
    const struct vkm_profile_device *device = &document->profile->devices[i];
    uint64_t first_pipeline = vkm_first_pipeline_number(document->profile, i);
    for (size_t j = 0; j < device->row_count; j++) {
      enum vkm_status status = write_row(document, i, first_pipeline, device->rows[j]);
      if (status != VKM_OK) {
        return status;
      }
    }
  }
  vkm_json_close(&document->json, ']');
  return VKM_OK;
}
