/* In: activities of the host, unions of the devices, rows. Out: the section breakdown. */
#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "measure/moves.h"
#include "measure/stats.h"
#include "profile/profile_write_sections.h"

static void write_i64(struct vkm_json *json, const char *key, int64_t value, const char *reason) {
  if (reason != NULL) {
    vkm_json_null(json, key, reason);
  } else {
    vkm_json_i64(json, key, value);
  }
}

/* ---- the host ---- */

static void write_activity(struct vkm_json *json, const char *key,
                           const struct vkm_activity_sum *sum) {
  vkm_json_open(json, key, '{');
  vkm_json_u64(json, "calls", sum->count);
  vkm_json_i64(json, "ns", sum->union_ns);
  vkm_json_i64(json, "thread_ns", sum->sum_ns);
  vkm_json_close(json, '}');
}

static void write_host(struct vkm_json *json, const struct vkm_activity_figures *figures) {
  static const struct {
    const char *key;
    enum vkm_activity kind;
  } members[] = {{"build", VKM_ACTIVITY_BUILD},
                 {"create", VKM_ACTIVITY_CREATE},
                 {"map", VKM_ACTIVITY_MAP},
                 {"unmap", VKM_ACTIVITY_UNMAP},
                 {"flush", VKM_ACTIVITY_FLUSH},
                 {"invalidate", VKM_ACTIVITY_INVALIDATE},
                 {"image_copy", VKM_ACTIVITY_HOST_COPY},
                 {"submit", VKM_ACTIVITY_SUBMIT},
                 {"wait", VKM_ACTIVITY_WAIT}};
  vkm_json_open(json, "host", '{');
  for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
    write_activity(json, members[i].key, &figures->each[members[i].kind]);
  }
  vkm_json_i64(json, "any_ns", figures->any_ns);
  vkm_json_close(json, '}');
}

/* ---- devices ---- */

/* Why nothing can be said of the device's time; NULL when it can. */
static const char *no_device_time(const struct vkm_profile_device *device) {
  uint64_t executed = 0;
  uint64_t measured = 0;
  for (size_t i = 0; i < device->row_count; i++) {
    executed += vkm_outcomes_executed(&device->rows[i]->outcomes);
    measured += device->rows[i]->outcomes.measured + device->rows[i]->outcomes.control;
  }
  for (int kind = 0; kind < VKM_KIND_COUNT; kind++) {
    executed += vkm_outcomes_executed(&device->overflow[kind]);
  }
  if (!device->profiled) {
    return "the device is not profiled";
  }
  if (executed > 0 && measured == 0) {
    return "nothing of what was executed was measured";
  }
  return device->gpu.known ? NULL : device->gpu.reason;
}

/* Zeros are not written. */
static void write_submits(struct vkm_json *json, const struct vkm_profile_device *device) {
  vkm_json_open(json, "dispatches_per_submit", '[');
  for (int i = 0; i < VKM_SUBMIT_BUCKETS; i++) {
    if (device->dispatches_per_submit[i] > 0) {
      vkm_json_open(json, NULL, '{');
      vkm_json_u64(json, "from", i > 0 ? UINT64_C(1) << (i - 1) : 0);
      vkm_json_u64(json, "to", i > 0 ? (UINT64_C(1) << i) - 1 : 0);
      vkm_json_u64(json, "submits", device->dispatches_per_submit[i]);
      vkm_json_close(json, '}');
    }
  }
  vkm_json_close(json, ']');
}

static void write_devices(struct vkm_document *document) {
  struct vkm_json *json = &document->json;
  vkm_json_open(json, "devices", '[');
  for (size_t i = 0; i < document->profile->device_count; i++) {
    const struct vkm_profile_device *device = &document->profile->devices[i];
    const char *reason = no_device_time(device);
    vkm_json_open(json, NULL, '{');
    vkm_json_u64(json, "device", i);
    write_i64(json, "busy_ns", device->gpu.busy_ns, reason);
    write_i64(json, "run_ns", device->gpu.run_ns, reason);
    write_i64(json, "transfer_ns", device->gpu.transfer_ns, reason);
    write_i64(json, "unsplit_ns", device->gpu.unsplit_ns, reason);
    write_i64(json, "overlap_ns",
              device->gpu.run_ns + device->gpu.transfer_ns + device->gpu.unsplit_ns -
                  device->gpu.busy_ns,
              reason);
    write_i64(json, "idle_ns", device->gpu.idle_ns, reason);
    write_submits(json, device);
    vkm_json_close(json, '}');
  }
  vkm_json_close(json, ']');
}

/* Devices work by themselves: their times are added. */
static void write_device_sums(struct vkm_document *document) {
  struct vkm_profile_gpu sum = {0};
  const char *reason = NULL;
  for (size_t i = 0; i < document->profile->device_count; i++) {
    const struct vkm_profile_device *device = &document->profile->devices[i];
    const char *why = no_device_time(device);
    reason = why != NULL && reason == NULL ? why : reason;
    sum.run_ns += device->gpu.run_ns;
    sum.transfer_ns += device->gpu.transfer_ns;
    sum.idle_ns += device->gpu.idle_ns;
  }
  write_i64(&document->json, "run_ns", sum.run_ns, reason);
  write_i64(&document->json, "transfer_ns", sum.transfer_ns, reason);
  write_i64(&document->json, "gpu_idle_ns", sum.idle_ns, reason);
}

/* ---- bytes ---- */

static void write_move(struct vkm_json *json, const char *key, const struct vkm_move_sum *sum) {
  vkm_json_open(json, key, '{');
  vkm_json_u64(json, "executions", sum->executions);
  vkm_json_u64(json, "measured", sum->measured);
  if (sum->measured == 0 && sum->executions > 0) {
    vkm_json_null(json, "duration_ns", "none of them was measured");
  } else {
    vkm_json_i64(json, "duration_ns", sum->duration_ns);
  }
  if (sum->bytes_unknown == sum->executions && sum->executions > 0) {
    vkm_json_null(json, "bytes", "of none of them the bytes are known");
  } else {
    vkm_json_u64(json, "bytes", sum->bytes);
  }
  vkm_json_u64(json, "bytes_unknown", sum->bytes_unknown);
  vkm_json_u64(json, "shared_memory_bytes", sum->shared_bytes);
  vkm_json_close(json, '}');
}

static void write_transfer(struct vkm_document *document) {
  struct vkm_move_sum sums[VKM_DIRECTION_COUNT] = {{0}};
  uint64_t beyond = 0;
  for (size_t i = 0; i < document->profile->device_count; i++) {
    const struct vkm_profile_device *device = &document->profile->devices[i];
    for (size_t row = 0; row < device->row_count; row++) {
      vkm_moves_add(sums, device->rows[row]);
    }
    for (uint32_t kind = 0; kind < VKM_KIND_COUNT; kind++) {
      beyond += vkm_kind_moves(kind) ? vkm_outcomes_executed(&device->overflow[kind]) : 0;
    }
  }
  vkm_json_open(&document->json, "transfer", '{');
  for (int i = VKM_DIRECTION_H2D; i < VKM_DIRECTION_COUNT; i++) {
    write_move(&document->json, vkm_direction_names[i], &sums[i]);
  }
  write_move(&document->json, vkm_direction_names[VKM_DIRECTION_UNKNOWN],
             &sums[VKM_DIRECTION_UNKNOWN]);
  vkm_json_u64(&document->json, "beyond_row_cap", beyond);
  vkm_json_close(&document->json, '}');
}

/* ---- cold and warm ---- */

struct warmth {
  uint64_t kernels, alone; /* rows with a first use, and others of them to compare with or none */
  int64_t cold_ns;
  double warm_ns;
};

/* The first execution of a pipeline against the median of the others in its row. */
static enum vkm_status add_row(struct warmth *warmth, const struct vkm_samples *samples,
                               int64_t first_use_ordinal) {
  int64_t *others = vkm_alloc((samples->kept_count + 1) * sizeof *others);
  size_t count = 0;
  int64_t first_ns = INT64_MIN;
  if (others == NULL) {
    return VKM_OUT_OF_MEMORY;
  }
  for (size_t i = 0; i < samples->kept_count; i++) {
    if (samples->kept[i].ordinal == (uint64_t)first_use_ordinal) {
      first_ns = samples->kept[i].value_ns;
    } else {
      others[count++] = samples->kept[i].value_ns;
    }
  }
  if (first_ns != INT64_MIN && count > 0) {
    struct vkm_summary summary;
    vkm_summarize(others, count, &summary);
    warmth->kernels++;
    warmth->cold_ns += first_ns;
    warmth->warm_ns += summary.median;
  } else {
    warmth->alone++;
  }
  vkm_free(others);
  return VKM_OK;
}

static enum vkm_status write_warmth(struct vkm_document *document) {
  static const char reason[] = "no pipeline was measured at its first execution and once more";
  struct warmth warmth = {0};
  enum vkm_status status = VKM_OK;
  for (size_t i = 0; i < document->profile->device_count; i++) {
    const struct vkm_profile_device *device = &document->profile->devices[i];
    for (size_t row = 0; row < device->row_count && status == VKM_OK; row++) {
      if (device->rows[row]->first_use_ordinal >= 0) {
        status =
            add_row(&warmth, &device->rows[row]->durations, device->rows[row]->first_use_ordinal);
      }
    }
  }
  vkm_json_open(&document->json, "first_use", '{');
  vkm_json_u64(&document->json, "kernels", warmth.kernels);
  vkm_json_u64(&document->json, "kernels_without_later", warmth.alone);
  write_i64(&document->json, "cold_ns", warmth.cold_ns, warmth.kernels > 0 ? NULL : reason);
  write_i64(&document->json, "warm_ns", llround(warmth.warm_ns),
            warmth.kernels > 0 ? NULL : reason);
  vkm_json_close(&document->json, '}');
  return status;
}

/* ---- hitches ---- */

static void write_hitches(struct vkm_document *document) {
  struct vkm_json *json = &document->json;
  const struct vkm_profile *profile = document->profile;
  const struct vkm_profile_hitches *hitches = &profile->hitches;
  vkm_json_open(json, "hitches", '{');
  vkm_json_u64(json, "count", hitches->count);
  vkm_json_u64(json, "ns", hitches->ns);
  vkm_json_u64(json, "untracked", hitches->untracked);
  vkm_json_open(json, "worst", '[');
  for (uint32_t i = 0; i < hitches->worst_count; i++) {
    const struct vkm_profile_hitch *hitch = &hitches->worst[i];
    bool known = hitch->device < profile->device_count &&
                 hitch->pipeline < profile->devices[hitch->device].pipeline_count;
    char id[VKM_VERSION_TEXT_BYTES] = "";
    if (known) {
      vkm_pipeline_id(vkm_first_pipeline_number(profile, hitch->device) + hitch->pipeline, id);
    }
    vkm_json_open(json, NULL, '{');
    vkm_json_string(json, "pipeline", known ? id : NULL, "a pipeline that is not tracked");
    vkm_json_i64(json, "ns", hitch->wall_ns);
    vkm_json_close(json, '}');
  }
  vkm_json_close(json, ']');
  vkm_json_close(json, '}');
}

static void write_not_seen(struct vkm_json *json) {
  vkm_json_list_open(json, "not_seen");
  vkm_json_list_string(json, "what the program copies through mapped pointers: neither its bytes "
                             "nor its time");
  vkm_json_list_string(json, "polling (vkGetFenceStatus, vkGetSemaphoreCounterValue) and the "
                             "acquiring and presenting of images: no waiting is counted there");
  vkm_json_list_string(json, "work of drivers on threads of their own");
  vkm_json_list_close(json);
}

enum vkm_status vkm_write_breakdown(struct vkm_document *document) {
  struct vkm_json *json = &document->json;
  const struct vkm_profile *profile = document->profile;
  const struct vkm_activity_figures *figures = &profile->activity;
  const char *unknown = figures->overlap_known ? NULL : figures->overlap_reason;
  vkm_json_open(json, "breakdown", '{');
  vkm_json_i64(json, "wall_ns", figures->wall_ns);
  vkm_json_i64(json, "build_ns", figures->each[VKM_ACTIVITY_BUILD].union_ns);
  write_device_sums(document);
  vkm_json_i64(json, "submit_ns", figures->each[VKM_ACTIVITY_SUBMIT].union_ns);
  vkm_json_i64(json, "wait_ns", figures->each[VKM_ACTIVITY_WAIT].union_ns);
  write_i64(json, "executing_ns", figures->active_ns, unknown);
  write_i64(json, "build_while_executing_ns", figures->build_while_active_ns, unknown);
  write_i64(json, "unaccounted_ns", figures->wall_ns - figures->accounted_ns, unknown);
  write_host(json, figures);
  write_transfer(document);
  write_devices(document);
  enum vkm_status status = write_warmth(document);
  write_hitches(document);
  write_not_seen(json);
  if (profile->resident_peak_bytes < 0) {
    vkm_json_null(json, "resident_peak_bytes", "/proc/self/status could not be read");
  } else {
    vkm_json_i64(json, "resident_peak_bytes", profile->resident_peak_bytes);
  }
  vkm_json_close(json, '}');
  return status;
}
