/* Copies everything known into the profile's model, see snapshot.h. A device's locks are held while
 * its results are copied, so that one device's figures are of one moment; formatting happens
 * afterwards, without locks. */
#include "snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "breakdown.h"
#include "choice.h"
#include "device.h"
#include "families.h"
#include "profile/profile_write.h"
#include "session.h"
#include "trace.h"

/* What a snapshot owns for one device. */
struct copy {
  struct vkm_kernel_row *rows;
  struct vkm_kernel_row **row_pointers;
  size_t row_count;
  struct vkm_profile_pipeline *pipelines;
  struct vkm_profile_queue *queues;
  const char **phases;
  struct vkm_plan *plans;
  size_t plan_count;
  bool lent; /* samples are the record's own: its device is gone, and nothing of it changes */
};

static void free_copy(struct copy *copy) {
  for (size_t i = 0; i < copy->row_count; i++) {
    vkm_samples_finish(&copy->rows[i].durations);
    vkm_samples_finish(&copy->rows[i].gaps);
  }
  vkm_free(copy->rows);
  vkm_free(copy->row_pointers);
  vkm_free(copy->pipelines);
  vkm_free(copy->queues);
  vkm_free(copy->phases);
  for (size_t i = 0; i < copy->plan_count && !copy->lent; i++) {
    vkm_plan_finish(&copy->plans[i]);
  }
  vkm_free(copy->plans);
}

/* Lock held. */
static bool copy_rows(struct copy *copy, const struct vkm_aggregate *aggregate) {
  size_t count = aggregate->row_count;
  copy->rows = vkm_calloc(count ? count : 1, sizeof *copy->rows);
  copy->row_pointers = vkm_calloc(count ? count : 1, sizeof *copy->row_pointers);
  if (!copy->rows || !copy->row_pointers) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    struct vkm_kernel_row *row = &copy->rows[i];
    *row = *aggregate->rows[i];
    copy->row_pointers[i] = row;
    copy->row_count = i + 1;
    row->durations.kept = row->gaps.kept = NULL;
    if (!vkm_samples_copy(&row->durations, &aggregate->rows[i]->durations) ||
        !vkm_samples_copy(&row->gaps, &aggregate->rows[i]->gaps)) {
      row->gaps.kept = row->durations.kept ? row->gaps.kept : NULL;
      return false;
    }
  }
  return true;
}

static int64_t since_start(int64_t monotonic_ns) {
  return monotonic_ns == INT64_MIN ? INT64_MIN : monotonic_ns - vkm_session_started_ns();
}

/* Lock held. Texts of pipelines are never freed, so they are lent. */
static bool copy_pipelines(struct copy *copy, const struct vkm_device_record *record) {
  copy->pipelines =
      vkm_calloc(record->pipeline_count ? record->pipeline_count : 1, sizeof *copy->pipelines);
  for (uint32_t i = 0; copy->pipelines && i < record->pipeline_count; i++) {
    const struct vkm_pipeline_record *from = record->pipelines[i];
    copy->pipelines[i] = (struct vkm_profile_pipeline){
        .identity = from->identity,
        .spirv_hash = from->spirv_hash,
        .has_spirv = from->has_spirv,
        .spirv_reason = from->spirv_reason,
        .spirv_bytes = from->spirv_bytes,
        .name = from->name,
        .module_name = from->module_name,
        .entry_point = from->entry_point,
        .kind = from->kind,
        .kernel = &from->kernel,
        .required_subgroup_size = from->required_subgroup_size,
        .layout_push_constant_bytes = from->layout_push_constant_bytes,
        .create = {.count = from->create_count,
                   .wall_ns = from->create_wall_ns,
                   .between_submits = atomic_load(&from->between_submits)},
        .compile = from->compile,
        .executables = from->executables,
        .no_executables_reason = from->no_executables_reason,
        .first_use_ns = since_start(from->first_use_ns),
        .family = from->family,
        .rule_phase = from->rule_phase};
  }
  return copy->pipelines != NULL;
}

/* What is known of a queue's place on the host's clock; INT64_MIN: nothing. Lock held. */
static int64_t queue_offset(const struct vkm_device_record *record,
                            const struct vkm_queue_record *queue) {
  if (queue->calibrated && !record->clock_mismatch) {
    return queue->calibrated_offset_ns;
  }
  return queue->bracketed
             ? queue->bracket_low_ns + (queue->bracket_high_ns - queue->bracket_low_ns) / 2
             : INT64_MIN;
}

static enum vkm_clock_source clock_source(const struct vkm_device_record *record) {
  enum vkm_clock_source source = VKM_CLOCK_NONE;
  for (uint32_t i = 0; i < record->queue_count; i++) {
    const struct vkm_queue_record *queue = record->queues[i];
    if (queue->calibrated && !record->clock_mismatch) {
      return VKM_CLOCK_CALIBRATED;
    }
    source = queue->bracketed ? VKM_CLOCK_BRACKETED : source;
  }
  return source;
}

/* Lock held. */
static bool copy_queues(struct copy *copy, const struct vkm_device_record *record) {
  copy->queues = vkm_calloc(record->queue_count ? record->queue_count : 1, sizeof *copy->queues);
  for (uint32_t i = 0; copy->queues && i < record->queue_count; i++) {
    const struct vkm_queue_record *from = record->queues[i];
    copy->queues[i] = (struct vkm_profile_queue){.family = from->family,
                                                 .index = from->index,
                                                 .flags = record->families[from->family].flags,
                                                 .submissions = from->submissions,
                                                 .command_buffers = from->command_buffers,
                                                 .busy = from->busy};
    int64_t offset_ns = queue_offset(record, from);
    if (offset_ns != INT64_MIN) {
      vkm_busy_shift(&copy->queues[i].busy, since_start(offset_ns));
    }
  }
  return copy->queues != NULL;
}

static void fill_facts(struct vkm_profile_device *device, const struct vkm_device_record *record) {
  *device = (struct vkm_profile_device){.name = record->name,
                                        .driver_name = record->driver_name,
                                        .driver_info = record->driver_info,
                                        .driver_id = record->driver_id,
                                        .driver_version = record->driver_version,
                                        .api_version = record->api_version,
                                        .vendor_id = record->vendor_id,
                                        .device_id = record->device_id,
                                        .device_type = record->device_type,
                                        .has_uuid = record->has_uuid,
                                        .software = record->software,
                                        .profiled = record->profiled,
                                        .not_profiled_reason = record->not_profiled_reason,
                                        .timestamp_period_ns = record->timestamp_period_ns,
                                        .heaps = record->heaps,
                                        .heap_count = record->heap_count,
                                        .families = record->families,
                                        .family_count = record->family_count,
                                        .enabled_by_vkmeter = record->enabled_by_vkmeter,
                                        .enabled_by_vkmeter_count = record->enabled_count,
                                        .capabilities = record->capabilities,
                                        .capability_count = record->capability_count};
  memcpy(device->device_uuid, record->device_uuid, sizeof device->device_uuid);
}

/* Lock held. */
static void fill_figures(struct vkm_profile_device *device, struct vkm_device_record *record) {
  device->end = record->end;
  device->clock_source = clock_source(record);
  device->clock_domain = device->clock_source == VKM_CLOCK_CALIBRATED ? record->clock_domain : NULL;
  device->clock_max_deviation_ns = device->clock_source == VKM_CLOCK_CALIBRATED
                                       ? record->calibration.max_deviation_ns
                                       : INT64_MIN;
  device->clock_mismatch = record->clock_mismatch;
  device->queue_count = record->queue_count;
  device->pipeline_count = record->pipeline_count;
  device->pipelines_dropped = record->pipelines_dropped;
  device->phase_count = record->phases.count;
  device->other_labels = record->phases.other;
  device->presents = atomic_load(&record->presents);
  memcpy(device->overflow, record->aggregate.overflow, sizeof device->overflow);
  for (int i = 0; i < VKM_KIND_COUNT; i++) {
    device->recorded[i] = atomic_load(&record->recorded[i]);
  }
  device->stamps_written = atomic_load(&record->stamps_written);
  device->marks_recorded = atomic_load(&record->marks_recorded);
  double each_ns = vkm_cost_each_ns(&record->recording, device->marks_recorded);
  device->record_sample_count = each_ns < 0 ? 0 : atomic_load(&record->recording.samples);
  device->record_sample_ns = (uint64_t)(each_ns * (double)device->record_sample_count);
  device->submits = atomic_load(&record->submit.calls);
  device->submit_ns = vkm_own_ns(&record->submit);
  device->collects = atomic_load(&record->collect.calls);
  device->collect_ns = vkm_own_ns(&record->collect);
  vkm_breakdown_of_device(device, record);
  device->peak_bytes = record->peak_bytes;
  device->queries_peak = record->queries_peak;
}

/* Lock held. */
static bool copy_figures(struct vkm_profile_device *device, struct copy *copy,
                         struct vkm_device_record *record) {
  fill_figures(device, record);
  copy->lent = record->final;
  copy->phases = vkm_alloc(record->phases.count * sizeof *copy->phases);
  if (!copy->phases || !(copy->lent || copy_rows(copy, &record->aggregate)) ||
      !copy_pipelines(copy, record) || !copy_queues(copy, record)) {
    return false;
  }
  memcpy(copy->phases, record->phases.paths, record->phases.count * sizeof *copy->phases);
  device->rows = copy->lent ? record->aggregate.rows : copy->row_pointers;
  device->row_count = record->aggregate.row_count;
  device->pipelines = copy->pipelines;
  device->queues = copy->queues;
  device->phases = copy->phases;
  return true;
}

/* One at a time, the lock taken for each: they are many, and whole each by itself. */
static bool copy_plans(struct vkm_profile_device *device, struct copy *copy,
                       struct vkm_device_record *record) {
  pthread_mutex_lock(&record->lock);
  size_t count = record->plans.count;
  device->plans_other = record->plans.other;
  pthread_mutex_unlock(&record->lock);
  copy->plans = vkm_calloc(count ? count : 1, sizeof *copy->plans);
  bool copied = copy->plans != NULL;
  while (copied && copy->plan_count < count) {
    pthread_mutex_lock(&record->lock);
    const struct vkm_plan *from = record->plans.plans[copy->plan_count];
    if (copy->lent) {
      copy->plans[copy->plan_count] = *from;
    } else {
      copied = vkm_plan_copy(&copy->plans[copy->plan_count], from);
    }
    pthread_mutex_unlock(&record->lock);
    copy->plan_count += copied;
  }
  device->plans = copy->plans;
  device->plan_count = copy->plan_count;
  return copied;
}

struct living {
  const struct vkm_device_record *record;
  struct vkm_profile_device *device;
  struct copy *copy;
  bool found, copied;
};

/* A living device may have executions outstanding: they are part of the picture. */
static void copy_living(struct vkm_device *device, void *context) {
  struct living *living = context;
  if (device->record != living->record) {
    return;
  }
  living->found = true;
  bool counts = device->profiled;
  if (counts) {
    pthread_mutex_lock(&device->submissions.lock);
  }
  pthread_mutex_lock(&device->record->lock);
  if (counts) {
    vkm_count_pending(device, 1);
  }
  living->copied = copy_figures(living->device, living->copy, device->record);
  if (counts) {
    vkm_count_pending(device, UINT64_MAX);
    vkm_slots_use(&device->slots, &living->device->queries_in_use, &living->device->queries_peak);
  }
  pthread_mutex_unlock(&device->record->lock);
  if (counts) {
    pthread_mutex_unlock(&device->submissions.lock);
  }
}

static bool copy_device(struct vkm_profile_device *device, struct copy *copy,
                        struct vkm_device_record *record) {
  fill_facts(device, record);
  struct living living = {.record = record, .device = device, .copy = copy};
  vkm_devices_each(NULL, copy_living, &living);
  if (!living.found) {
    pthread_mutex_lock(&record->lock);
    living.copied = copy_figures(device, copy, record);
    pthread_mutex_unlock(&record->lock);
  }
  return living.copied && copy_plans(device, copy, record);
}

static struct vkm_profile_run run_of(const struct vkm_snapshot_request *request) {
  const struct vkm_session_facts *facts = request->facts;
  const struct vkm_settings *settings = request->settings;
  return (struct vkm_profile_run){.id = request->run,
                                  .started_unix_ns = facts->started_unix_ns,
                                  .duration_ns = vkm_now_ns() - facts->started_ns,
                                  .started_monotonic_ns = facts->started_ns,
                                  .pid = facts->pid,
                                  .executable = facts->executable,
                                  .application_name = facts->application_name,
                                  .engine_name = facts->engine_name,
                                  .application_version = facts->application_version,
                                  .engine_version = facts->engine_version,
                                  .api_version = facts->api_version,
                                  .sequence = (uint32_t)settings->sequence,
                                  .tags = settings->tags,
                                  .tag_count = settings->tag_count,
                                  .settings = settings->in_force,
                                  .setting_count = settings->in_force_count,
                                  .settings_rejected = settings->rejected,
                                  .setting_rejected_count = settings->rejected_count,
                                  .vkmeter_version = VKM_VERSION};
}

/* "device_lost" and "layer_disabled:..." say more than why the file was written. */
static const char *end_reason(const struct vkm_snapshot_request *request, char *text, size_t size) {
  for (struct vkm_device_record *at = request->first; at && request->complete; at = at->next) {
    pthread_mutex_lock(&at->lock);
    const char *disabled = at->disabled_reason;
    bool lost = strcmp(at->end, "lost") == 0;
    pthread_mutex_unlock(&at->lock);
    if (lost) {
      return "device_lost";
    }
    if (disabled) {
      snprintf(text, size, "layer_disabled:%s", disabled);
      return text;
    }
  }
  return request->end_reason;
}

enum vkm_status vkm_snapshot_write(const struct vkm_snapshot_request *request, const char *path) {
  size_t count = 0;
  char reason[128];
  for (struct vkm_device_record *at = request->first; at; at = at->next) {
    count++;
  }
  struct vkm_profile_device *devices = vkm_calloc(count, sizeof *devices);
  struct copy *copies = vkm_calloc(count, sizeof *copies);
  bool copied = devices && copies;
  size_t index = 0;
  for (struct vkm_device_record *at = request->first; copied && index < count; at = at->next) {
    copied = copy_device(&devices[index], &copies[index], at);
    index++;
  }
  enum vkm_status status = VKM_OUT_OF_MEMORY;
  if (copied) {
    struct vkm_named_text chosen[VKM_CHOICE_NAMES];
    struct vkm_profile_trace trace;
    bool traced = vkm_trace_read(&trace);
    struct vkm_profile profile = {
        .complete = request->complete,
        .end_reason = end_reason(request, reason, sizeof reason),
        .run = run_of(request),
        .host = {request->facts->machine.os, request->facts->machine.kernel,
                 request->facts->machine.arch,
                 request->facts->machine.cpu[0] ? request->facts->machine.cpu : NULL},
        .mode = vkm_mode_names[request->settings->mode],
        .control_every = request->settings->control_every,
        .indirect_geometry = request->settings->indirect_geometry,
        .chosen = chosen,
        .chosen_count = vkm_choice_names(request->settings, chosen),
        .devices = devices,
        .device_count = count,
        .devices_dropped = request->dropped,
        .trace = traced ? &trace : NULL,
        .rules = vkm_families_rules(),
        .not_intercepted = request->unknown,
        .not_intercepted_count = request->unknown_count};
    vkm_breakdown_of_process(&profile, request->first);
    status = vkm_profile_write(&profile, path);
  }
  int error = errno; /* that of the writing */
  for (size_t i = 0; copies && i < index; i++) {
    free_copy(&copies[i]);
  }
  vkm_free(copies);
  vkm_free(devices);
  errno = error;
  return status;
}
