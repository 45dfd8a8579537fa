/* A device's part of the profile, see device_record.h. */
#include "device_record.h"

#include <string.h>

#include "base/alloc.h"
#include "families.h"

enum { BUCKETS = sizeof((struct vkm_device_record *)0)->pipeline_buckets / sizeof(void *) };

struct vkm_device_record *vkm_device_record_create(size_t sample_cap, bool keep_digits) {
  struct vkm_device_record *record = vkm_calloc(1, sizeof *record);
  if (!record) {
    return NULL;
  }
  if (!vkm_phases_init(&record->phases, keep_digits)) {
    vkm_free(record);
    return NULL;
  }
  record->end = "alive";
  vkm_cost_init(&record->recording);
  pthread_mutex_init(&record->lock, NULL);
  vkm_memory_init(&record->memory);
  vkm_aggregate_init(&record->aggregate, VKM_ROW_CAP, sample_cap);
  vkm_plans_init(&record->plans);
  return record;
}

void vkm_device_record_destroy(struct vkm_device_record *record) {
  if (!record) {
    return;
  }
  vkm_aggregate_finish(&record->aggregate);
  vkm_plans_finish(&record->plans);
  for (uint32_t i = 0; i < record->queue_count; i++) {
    vkm_free(record->queues[i]);
  }
  pthread_mutex_destroy(&record->lock);
  vkm_phases_finish(&record->phases);
  pthread_mutex_destroy(&record->memory.lock);
  vkm_free(record->name);
  vkm_free(record->driver_name);
  vkm_free(record->driver_info);
  vkm_free(record);
}

/* ---- queues ---- */

bool vkm_device_record_queue(struct vkm_device_record *record, uint32_t family, uint32_t index,
                             uint32_t *at) {
  *at = UINT32_MAX;
  if (family >= record->family_count) {
    return true;
  }
  struct vkm_queue_record *queue = vkm_calloc(1, sizeof *queue);
  if (!queue) {
    return false;
  }
  queue->family = family;
  queue->index = index;
  pthread_mutex_lock(&record->lock);
  if (record->queue_count < VKM_QUEUE_CAP) {
    *at = record->queue_count++;
    record->queues[*at] = queue;
  }
  pthread_mutex_unlock(&record->lock);
  if (*at == UINT32_MAX) {
    vkm_free(queue);
  }
  return true;
}

/* ---- pipelines ---- */

static bool same_identity(const struct vkm_pipeline_record *a,
                          const struct vkm_pipeline_record *b) {
  return a->identity.high == b->identity.high && a->identity.low == b->identity.low;
}

/* Lock held. */
static bool add_pipeline(struct vkm_device_record *record, struct vkm_pipeline_record *pipeline) {
  if (record->pipeline_count == record->pipeline_capacity) {
    uint32_t capacity = record->pipeline_capacity ? record->pipeline_capacity * 2 : 16;
    void *pipelines = record->pipeline_count < VKM_PIPELINE_CAP
                          ? vkm_realloc(record->pipelines, capacity * sizeof *record->pipelines)
                          : NULL;
    if (!pipelines) {
      record->pipelines_dropped++;
      return false;
    }
    record->pipelines = pipelines;
    record->pipeline_capacity = capacity;
  }
  struct vkm_pipeline_record **bucket = &record->pipeline_buckets[pipeline->identity.low % BUCKETS];
  pipeline->index = record->pipeline_count;
  pipeline->next_same_bucket = *bucket;
  *bucket = pipeline;
  record->pipelines[record->pipeline_count++] = pipeline;
  return true;
}

struct vkm_pipeline_record *vkm_device_record_pipeline(struct vkm_device_record *record,
                                                       struct vkm_pipeline_record *candidate) {
  pthread_mutex_lock(&record->lock);
  struct vkm_pipeline_record *known = record->pipeline_buckets[candidate->identity.low % BUCKETS];
  while (known && !same_identity(known, candidate)) {
    known = known->next_same_bucket;
  }
  if (!known && add_pipeline(record, candidate)) {
    known = candidate;
  }
  pthread_mutex_unlock(&record->lock);
  return known;
}

void vkm_device_record_name(struct vkm_device_record *record, struct vkm_pipeline_record *pipeline,
                            const char *name) {
  pthread_mutex_lock(&record->lock);
  if (!pipeline->name && *name) {
    pipeline->name = vkm_strdup(name);
    vkm_families_classify(pipeline);
  }
  pthread_mutex_unlock(&record->lock);
}

void vkm_device_record_bytes(struct vkm_device_record *record, int64_t bytes) {
  pthread_mutex_lock(&record->lock);
  record->bytes += (uint64_t)bytes;
  if (record->bytes > record->peak_bytes) {
    record->peak_bytes = record->bytes;
  }
  pthread_mutex_unlock(&record->lock);
}
