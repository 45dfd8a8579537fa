/* A device's part of the profile, see device_record.h. */
#include "device_record.h"

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

enum { BUCKETS = sizeof((struct vkm_device_record *)0)->pipeline_buckets / sizeof(void *) };

struct vkm_device_record *vkm_device_record_create(size_t sample_cap) {
  struct vkm_device_record *record = vkm_calloc(1, sizeof *record);
  if (!record) {
    return NULL;
  }
  record->phases = vkm_calloc(8, sizeof *record->phases);
  if (!record->phases) {
    vkm_free(record);
    return NULL;
  }
  record->phase_capacity = 8;
  record->phase_count = 1; /* unlabelled */
  record->end = "alive";
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
  pthread_mutex_destroy(&record->memory.lock);
  vkm_free(record->phases);
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

/* ---- phases ---- */

/* Lock held. Takes over `path`. */
static uint32_t find_or_add_phase(struct vkm_device_record *record, char *path,
                                  uint32_t otherwise) {
  for (uint32_t i = 1; i < record->phase_count; i++) {
    if (strcmp(record->phases[i], path) == 0) {
      vkm_free(path);
      return i;
    }
  }
  if (record->phase_count == record->phase_capacity) {
    uint32_t capacity = record->phase_capacity * 2;
    void *phases = record->phase_count < VKM_PHASE_CAP
                       ? vkm_realloc(record->phases, capacity * sizeof *record->phases)
                       : NULL;
    if (!phases) {
      vkm_free(path);
      return otherwise;
    }
    record->phases = phases;
    record->phase_capacity = capacity;
  }
  record->phases[record->phase_count] = path;
  return record->phase_count++;
}

/* Lock held. */
static uint32_t join(struct vkm_device_record *record, uint32_t outer, const char *name,
                     size_t length) {
  struct vkm_text text;
  vkm_text_init(&text, VKM_TEXT_CAP);
  if (outer) {
    vkm_text_string(&text, record->phases[outer]);
    vkm_text_string(&text, "/");
  }
  vkm_text_append(&text, name, length);
  if (text.failed) {
    vkm_text_finish(&text);
    return outer;
  }
  return find_or_add_phase(record, text.data, outer);
}

uint32_t vkm_device_record_subphase(struct vkm_device_record *record, uint32_t outer,
                                    const char *name) {
  pthread_mutex_lock(&record->lock);
  uint32_t phase = join(record, outer, name, strnlen(name, VKM_TEXT_CAP / 4));
  pthread_mutex_unlock(&record->lock);
  return phase;
}

uint32_t vkm_device_record_join(struct vkm_device_record *record, uint32_t outer, uint32_t inner) {
  if (!outer || !inner) {
    return outer ? outer : inner;
  }
  return join(record, outer, record->phases[inner], strlen(record->phases[inner]));
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
