/* In: plans. Out: the section plans, and what the control pairs of all of them say. */
#include <string.h>

#include "base/alloc.h"
#include "profile/profile_write_sections.h"

/* Of what the scratch holds in order. */
static void write_quartiles(struct vkm_json *json, const struct vkm_row_scratch *scratch,
                            size_t count) {
  static const char none[] = "not measured";
  if (count == 0) {
    vkm_json_null(json, "p25", none);
    vkm_json_null(json, "median", none);
    vkm_json_null(json, "p75", none);
    return;
  }
  vkm_json_i64(json, "p25", vkm_row_quantile(scratch, count, 0.25));
  vkm_json_i64(json, "median", vkm_row_quantile(scratch, count, 0.5));
  vkm_json_i64(json, "p75", vkm_row_quantile(scratch, count, 0.75));
}

static void write_span(struct vkm_json *json, const char *key, struct vkm_row_scratch *scratch,
                       const struct vkm_samples *samples, const char *reason) {
  if (samples->kept_count == 0) {
    vkm_json_null(json, key, samples->seen > 0 ? "memory was short: no span was kept" : reason);
    return;
  }
  vkm_row_sort(scratch, samples);
  vkm_json_open(json, key, '{');
  vkm_json_u64(json, "count", samples->seen);
  vkm_json_i64(json, "min", samples->min_ns);
  write_quartiles(json, scratch, samples->kept_count);
  vkm_json_i64(json, "max", samples->max_ns);
  vkm_json_i64(json, "sum", samples->sum_ns);
  vkm_json_close(json, '}');
}

/* `ratios` ascending, in VKM_PLAN_RATIO_UNIT. */
static void write_ratio(struct vkm_json *json, const int64_t *ratios, size_t count,
                        const char *reason) {
  static const char few[] = "fewer than 6 control pairs have no interval of 95 %";
  int64_t low = 0;
  int64_t high = 0;
  if (count == 0) {
    vkm_json_null(json, "instrumentation_ratio", reason);
  } else {
    vkm_json_double(json, "instrumentation_ratio",
                    vkm_quantile(ratios, count, 0.5) / VKM_PLAN_RATIO_UNIT, "");
  }
  if (vkm_median_interval(ratios, count, &low, &high)) {
    vkm_json_double(json, "instrumentation_ratio_low", (double)low / VKM_PLAN_RATIO_UNIT, "");
    vkm_json_double(json, "instrumentation_ratio_high", (double)high / VKM_PLAN_RATIO_UNIT, "");
  } else {
    vkm_json_null(json, "instrumentation_ratio_low", few);
    vkm_json_null(json, "instrumentation_ratio_high", few);
  }
  vkm_json_u64(json, "control_pairs", count);
}

/* Why no recording of the run could be a control; NULL: it could. */
static const char *no_control_at_all(const struct vkm_profile *profile) {
  if (profile->mode == NULL || strcmp(profile->mode, "inline") != 0) {
    return "only the mode inline has control recordings";
  }
  return profile->control_every == 0 ? "control recordings are switched off (control_every 0)"
                                     : NULL;
}

static const char *no_ratio_reason(const struct vkm_profile *profile, const struct vkm_plan *plan) {
  const char *reason = no_control_at_all(profile);
  if (reason != NULL) {
    return reason;
  }
  if (plan->secondary) {
    return "a secondary command buffer has no span of its own";
  }
  if (plan->child_count > 0) {
    return "a recording that executes secondary command buffers is never control";
  }
  if (plan->recordings < 2) {
    return "it was recorded once: only another recording of it can be control";
  }
  return plan->control_spans.seen == 0
             ? "no recording of it was control: the first ones never are"
             : "no control span has an instrumented neighbour that is not among the first 8";
}

static void write_windows(struct vkm_json *json, const struct vkm_plan *plan) {
  vkm_json_u64(json, "window_count", plan->windows_needed > 0 ? plan->windows_needed : 1);
  vkm_json_open(json, "windows", '[');
  for (uint32_t i = 0; i < plan->window_count; i++) {
    vkm_json_open(json, NULL, '{');
    vkm_json_u64(json, "first", plan->windows[i].first);
    vkm_json_u64(json, "count", plan->windows[i].count);
    vkm_json_u64(json, "executions", plan->windows[i].executions);
    vkm_json_close(json, '}');
  }
  vkm_json_close(json, ']');
  vkm_json_u64(json, "windows_beyond", plan->window_beyond);
}

/* Where one device's rows and marks stand in the document. */
struct place {
  uint64_t first_kernel; /* of the device, among `kernels` */
  size_t row_count;
};

static void write_mark(struct vkm_json *json, struct vkm_row_scratch *scratch,
                       const struct vkm_plan_mark *mark, const struct place *place) {
  vkm_row_sort(scratch, &mark->durations);
  vkm_json_open(json, NULL, '{');
  vkm_json_list_open(json, "kernels");
  for (uint32_t i = 0; i < mark->row_count; i++) {
    if (mark->rows[i] < place->row_count) {
      vkm_json_list_i64(json, (int64_t)(place->first_kernel + mark->rows[i]));
    }
  }
  vkm_json_list_close(json);
  vkm_json_u64(json, "kernels_beyond", mark->rows_beyond);
  write_quartiles(json, scratch, mark->durations.kept_count);
  vkm_row_order(scratch, &mark->durations);
  vkm_json_list_open(json, "samples");
  for (size_t i = 0; i < mark->durations.kept_count; i++) {
    vkm_json_list_i64(json, mark->durations.kept[scratch->keyed[i].index].value_ns);
  }
  vkm_json_list_close(json);
  vkm_json_u64(json, "samples_seen", mark->durations.seen);
  vkm_json_close(json, '}');
}

static void write_marks(struct vkm_json *json, struct vkm_row_scratch *scratch,
                        const struct vkm_plan *plan, const struct place *place) {
  if (plan->marks == NULL) {
    vkm_json_null(json, "marks", "the samples of its commands found no place");
    return;
  }
  vkm_json_open(json, "marks", '[');
  for (uint32_t i = 0; i < plan->mark_count; i++) {
    write_mark(json, scratch, &plan->marks[i], place);
  }
  vkm_json_close(json, ']');
}

/* The most samples that anything of the plan kept. */
static size_t most_samples(const struct vkm_plan *plan) {
  size_t most = plan->spans.kept_count;
  most = plan->control_spans.kept_count > most ? plan->control_spans.kept_count : most;
  most = plan->ratios.kept_count > most ? plan->ratios.kept_count : most;
  for (uint32_t i = 0; plan->marks != NULL && i < plan->mark_count; i++) {
    size_t kept = plan->marks[i].durations.kept_count;
    most = kept > most ? kept : most;
  }
  return most;
}

static const char *no_span_reason(const struct vkm_plan *plan) {
  if (plan->secondary) {
    return "a secondary command buffer has no span of its own";
  }
  return plan->measured == 0 ? "no execution was measured" : "it has no closing stamp";
}

static enum vkm_status write_plan(struct vkm_document *document, struct vkm_row_scratch *scratch,
                                  const struct vkm_plan *plan, size_t device,
                                  const struct place *place) {
  struct vkm_json *json = &document->json;
  if (vkm_row_scratch_reserve(scratch, most_samples(plan)) != VKM_OK) {
    return VKM_OUT_OF_MEMORY;
  }
  vkm_json_open(json, NULL, '{');
  vkm_json_u64(json, "device", device);
  vkm_json_hash(json, "signature", plan->signature);
  vkm_json_bool(json, "secondary", plan->secondary);
  vkm_json_u64(json, "commands", plan->mark_count);
  vkm_json_u64(json, "secondaries", plan->child_count);
  vkm_json_u64(json, "recordings", plan->recordings);
  vkm_json_u64(json, "executions", plan->executions);
  vkm_json_u64(json, "measured", plan->measured);
  vkm_json_u64(json, "control_measured", plan->control);
  vkm_json_u64(json, "unseen_in_control", plan->unseen_kernels);
  vkm_json_open(json, "span", '{');
  write_span(json, "instrumented", scratch, &plan->spans, no_span_reason(plan));
  write_span(json, "control", scratch, &plan->control_spans, "no execution was control");
  vkm_json_close(json, '}');
  vkm_row_sort(scratch, &plan->ratios);
  write_ratio(json, scratch->values, plan->ratios.kept_count,
              no_ratio_reason(document->profile, plan));
  write_windows(json, plan);
  enum vkm_status status = vkm_write_plan_groups(document, scratch, plan, place->first_kernel);
  write_marks(json, scratch, plan, place);
  vkm_json_close(json, '}');
  return status;
}

static void write_other(struct vkm_json *json, const struct vkm_profile *profile) {
  struct vkm_plan_other sum = {0};
  for (size_t i = 0; i < profile->device_count; i++) {
    const struct vkm_plan_other *other = &profile->devices[i].plans_other;
    sum.executions += other->executions;
    sum.measured += other->measured;
    sum.control += other->control;
    sum.marks += other->marks;
  }
  vkm_json_open(json, "plans_other", '{');
  vkm_json_u64(json, "executions", sum.executions);
  vkm_json_u64(json, "measured", sum.measured);
  vkm_json_u64(json, "control_measured", sum.control);
  vkm_json_u64(json, "commands", sum.marks);
  vkm_json_close(json, '}');
}

enum vkm_status vkm_write_plans(struct vkm_document *document) {
  const struct vkm_profile *profile = document->profile;
  struct vkm_row_scratch scratch = {0};
  enum vkm_status status = VKM_OK;
  struct place place = {0};
  vkm_json_open(&document->json, "plans", '[');
  for (size_t i = 0; i < profile->device_count; i++) {
    const struct vkm_profile_device *device = &profile->devices[i];
    place.row_count = device->row_count;
    for (size_t j = 0; j < device->plan_count && status == VKM_OK; j++) {
      status = write_plan(document, &scratch, &device->plans[j], i, &place);
    }
    place.first_kernel += device->row_count;
  }
  vkm_json_close(&document->json, ']');
  write_other(&document->json, profile);
  vkm_row_scratch_finish(&scratch);
  return status;
}

static size_t count_ratios(const struct vkm_profile *profile) {
  size_t count = 0;
  for (size_t i = 0; i < profile->device_count; i++) {
    for (size_t j = 0; j < profile->devices[i].plan_count; j++) {
      count += profile->devices[i].plans[j].ratios.kept_count;
    }
  }
  return count;
}

enum vkm_status vkm_write_instrumentation(struct vkm_document *document) {
  const struct vkm_profile *profile = document->profile;
  size_t count = count_ratios(profile);
  int64_t *ratios = vkm_alloc((count + 1) * sizeof *ratios);
  if (ratios == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  size_t at = 0;
  for (size_t i = 0; i < profile->device_count; i++) {
    for (size_t j = 0; j < profile->devices[i].plan_count; j++) {
      const struct vkm_samples *of_plan = &profile->devices[i].plans[j].ratios;
      for (size_t k = 0; k < of_plan->kept_count; k++) {
        ratios[at++] = of_plan->kept[k].value_ns;
      }
    }
  }
  struct vkm_summary summary;
  vkm_summarize(ratios, count, &summary); /* sorts */
  const char *reason = no_control_at_all(profile);
  write_ratio(&document->json, ratios, count,
              reason != NULL ? reason : "no plan was recorded often enough to have control pairs");
  vkm_free(ratios);
  return VKM_OK;
}
