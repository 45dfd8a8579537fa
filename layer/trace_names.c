/* Names for the timeline, see trace_names.h. Records outlive their devices, and texts of pipelines
 * are never freed while a record lives. */
#include "trace_names.h"

#include <stdio.h>

#include "device_record.h"
#include "session.h"

static bool name_queue(void *context, uint32_t device, uint32_t queue, struct vkm_trace_queue *to) {
  struct vkm_device_record *record = vkm_session_record(device);
  (void)context;
  if (!record) {
    return false;
  }
  pthread_mutex_lock(&record->lock);
  bool known = queue < record->queue_count;
  if (known) {
    to->family = record->queues[queue]->family;
    to->index = record->queues[queue]->index;
  }
  pthread_mutex_unlock(&record->lock);
  snprintf(to->device, sizeof to->device, "%s", record->name ? record->name : "");
  return known;
}

/* The first that was given, as reports have it. */
static const char *name_of(const struct vkm_pipeline_record *pipeline) {
  const char *names[] = {pipeline->name, pipeline->module_name, pipeline->entry_point};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (names[i] && *names[i]) {
      return names[i];
    }
  }
  return "(unnamed)";
}

/* Record's lock held. */
static void add_statistics(const struct vkm_pipeline_record *pipeline,
                           struct vkm_trace_kernel *to) {
  const struct vkm_profile_executables *executables = pipeline->executables;
  /* Of variants by subgroup size nobody tells which one runs. */
  if (!executables || executables->count != 1) {
    return;
  }
  const struct vkm_profile_executable *executable = &executables->items[0];
  for (uint32_t i = 0; i < executable->statistic_count && to->arg_count < VKM_TRACE_ARGS; i++) {
    const struct vkm_profile_statistic *from = &executable->statistics[i];
    struct vkm_trace_arg *arg = &to->args[to->arg_count];
    snprintf(arg->name, sizeof arg->name, "%s", from->name ? from->name : "");
    switch (from->format) {
    case VKM_STATISTIC_BOOL:
      arg->type = VKM_TRACE_ARG_UINT;
      arg->value.u64 = from->value.truth;
      break;
    case VKM_STATISTIC_INT64:
      arg->type = VKM_TRACE_ARG_INT;
      arg->value.i64 = from->value.i64;
      break;
    case VKM_STATISTIC_UINT64:
      arg->type = VKM_TRACE_ARG_UINT;
      arg->value.u64 = from->value.u64;
      break;
    case VKM_STATISTIC_FLOAT64:
      arg->type = VKM_TRACE_ARG_DOUBLE;
      arg->value.f64 = from->value.f64;
      break;
    default:
      continue;
    }
    to->arg_count++;
  }
}

static bool name_kernel(void *context, uint32_t device, uint32_t pipeline,
                        struct vkm_trace_kernel *to) {
  struct vkm_device_record *record = vkm_session_record(device);
  (void)context;
  *to = (struct vkm_trace_kernel){0};
  if (!record) {
    return false;
  }
  pthread_mutex_lock(&record->lock);
  const struct vkm_pipeline_record *from =
      pipeline < record->pipeline_count ? record->pipelines[pipeline] : NULL;
  if (from) {
    snprintf(to->name, sizeof to->name, "%s", name_of(from));
    vkm_hash_text(from->identity, to->identity);
    snprintf(to->family, sizeof to->family, "%s", vkm_family_names[from->family.family]);
    for (int i = 0; i < 3; i++) {
      to->local_size[i] = from->kernel.local_size[i];
    }
    add_statistics(from, to);
  }
  pthread_mutex_unlock(&record->lock);
  return from != NULL;
}

static bool name_phase(void *context, uint32_t device, uint32_t phase, char to[VKM_TRACE_TEXT]) {
  struct vkm_device_record *record = vkm_session_record(device);
  (void)context;
  if (!record) {
    return false;
  }
  pthread_mutex_lock(&record->lock);
  bool known = phase < record->phases.count;
  if (known) {
    snprintf(to, VKM_TRACE_TEXT, "%s", record->phases.paths[phase]);
  }
  pthread_mutex_unlock(&record->lock);
  return known;
}

const struct vkm_trace_source vkm_trace_names = {
    .queue = name_queue, .kernel = name_kernel, .phase = name_phase};
