/* In: pipelines, kernels and queues as JSON. Out: plain structures. Next room: the tool's model. */
#include <stdlib.h>
#include <string.h>

#include "profile/profile_read_sections.h"

size_t vkm_read_index(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                      size_t count) {
  struct vkm_value at = vkm_value_member(parse, object, name, cJSON_Number, VKM_VALUE_NEEDED);
  uint64_t index = 0;
  vkm_value_u64(parse, object, name, VKM_VALUE_NEEDED, &index);
  if (!parse->failed && index >= count) {
    vkm_value_fail(parse, &at, "no such index: there are %zu", count);
  }
  return parse->failed ? 0 : (size_t)index;
}

static void read_pipeline(struct vkm_parse *parse, const struct vkm_value *at,
                          struct vkm_read_profile *profile, struct vkm_read_pipeline *out) {
  vkm_value_text(parse, at, "id", VKM_VALUE_NEEDED, &out->id);
  out->device = vkm_read_index(parse, at, "device", profile->device_count);
  struct vkm_value identity =
      vkm_value_member(parse, at, "identity", cJSON_Object, VKM_VALUE_NEEDED);
  vkm_value_text(parse, &identity, "hash", VKM_VALUE_NEEDED, &out->identity);
  vkm_value_text(parse, at, "name", VKM_VALUE_NULLABLE, &out->name);
  vkm_value_text(parse, at, "module_name", VKM_VALUE_NULLABLE, &out->module_name);
  vkm_value_text(parse, at, "entry_point", VKM_VALUE_NULLABLE, &out->entry_point);
  vkm_value_text(parse, at, "family", VKM_VALUE_OPTIONAL, &out->family);
  vkm_value_text(parse, at, "family_source", VKM_VALUE_OPTIONAL, &out->family_source);
  vkm_read_shape(parse, at, out);
  vkm_read_compile(parse, at, out);
}

void vkm_read_pipelines(struct vkm_parse *parse, const struct vkm_value *root,
                        struct vkm_read_profile *profile) {
  struct vkm_elements elements;
  size_t count = vkm_elements_begin(parse, root, "pipelines", &elements);
  profile->pipelines = vkm_value_array(parse, count, sizeof *profile->pipelines);
  if (profile->pipelines == NULL) {
    return;
  }
  struct vkm_value at;
  while (vkm_elements_next(parse, &elements, cJSON_Object, &at)) {
    read_pipeline(parse, &at, profile, &profile->pipelines[profile->pipeline_count++]);
  }
}

static bool has_id(const struct vkm_read_profile *profile, size_t index, const char *id) {
  return index < profile->pipeline_count && strcmp(profile->pipelines[index].id, id) == 0;
}

/* Ids are "p" and the position today, so the first look nearly always hits. */
static size_t find_pipeline(const struct vkm_read_profile *profile, const char *id) {
  size_t guess = id[0] == 'p' ? strtoul(id + 1, NULL, 10) : 0;
  if (has_id(profile, guess, id)) {
    return guess;
  }
  for (size_t i = 0; i < profile->pipeline_count; i++) {
    if (has_id(profile, i, id)) {
      return i;
    }
  }
  return VKM_READ_NONE;
}

static void read_bound(struct vkm_parse *parse, const struct vkm_value *at,
                       const struct vkm_read_profile *profile, struct vkm_read_kernel *out) {
  out->device = vkm_read_index(parse, at, "device", profile->device_count);
  out->pipeline = VKM_READ_NONE;
  struct vkm_value id = vkm_value_member(parse, at, "pipeline", cJSON_String, VKM_VALUE_NULLABLE);
  if (id.item == NULL || parse->failed) {
    return;
  }
  out->pipeline = find_pipeline(profile, id.item->valuestring);
  if (out->pipeline == VKM_READ_NONE) {
    vkm_value_fail(parse, &id, "no pipeline has the id '%.40s'", id.item->valuestring);
  } else if (profile->pipelines[out->pipeline].device != out->device) {
    vkm_value_fail(parse, &id, "the pipeline belongs to another device");
  }
}

static void read_duration(struct vkm_parse *parse, const struct vkm_value *at,
                          struct vkm_read_duration *out) {
  struct vkm_value duration =
      vkm_value_member(parse, at, "duration", cJSON_Object, VKM_VALUE_NULLABLE);
  if (duration.item == NULL) {
    return;
  }
  out->known = true;
  vkm_value_time(parse, &duration, "sum", VKM_VALUE_NEEDED, &out->sum_ns);
  vkm_value_time(parse, &duration, "min", VKM_VALUE_NEEDED, &out->min_ns);
  vkm_value_time(parse, &duration, "max", VKM_VALUE_NEEDED, &out->max_ns);
  int64_t median_ns = INT64_MIN;
  int64_t mad_ns = INT64_MIN;
  vkm_value_time(parse, &duration, "median", VKM_VALUE_NULLABLE, &median_ns);
  vkm_value_time(parse, &duration, "mad", VKM_VALUE_NULLABLE, &mad_ns);
  out->has_median = median_ns != INT64_MIN && mad_ns != INT64_MIN;
  out->median_ns = out->has_median ? median_ns : 0;
  out->mad_ns = out->has_median ? mad_ns : 0;
}

static void read_samples(struct vkm_parse *parse, const struct vkm_value *at,
                         struct vkm_read_kernel *out) {
  struct vkm_value list = vkm_value_member(parse, at, "samples", cJSON_Array, VKM_VALUE_NEEDED);
  size_t count = (size_t)cJSON_GetArraySize(list.item);
  out->samples_ns = vkm_value_array(parse, count, sizeof *out->samples_ns);
  vkm_value_u64(parse, at, "samples_seen", VKM_VALUE_NEEDED, &out->samples_seen);
  out->first_use = VKM_READ_NONE;
  struct vkm_value first =
      vkm_value_member(parse, at, "first_use", cJSON_Number, VKM_VALUE_NULLABLE);
  if (first.item != NULL) {
    out->first_use = vkm_read_index(parse, at, "first_use", count);
  }
  if (out->samples_ns == NULL || parse->failed) {
    return;
  }
  for (const cJSON *item = list.item->child; item != NULL && !parse->failed; item = item->next) {
    struct vkm_value sample =
        vkm_value_element(parse, &list, item, out->sample_count, cJSON_Number);
    vkm_value_as_time(parse, &sample, &out->samples_ns[out->sample_count++]);
  }
}

static bool all_numbers(const cJSON *list) {
  for (const cJSON *item = list->child; item != NULL; item = item->next) {
    if (!cJSON_IsNumber(item)) {
      return false;
    }
  }
  return true;
}

/* Kept on request only, and of no use where one is not known. */
static void read_begins(struct vkm_parse *parse, const struct vkm_value *at,
                        struct vkm_read_kernel *out) {
  struct vkm_value list =
      vkm_value_member(parse, at, "sample_begins_ns", cJSON_Array, VKM_VALUE_OPTIONAL);
  size_t count = 0;
  if (list.item == NULL || parse->failed || !all_numbers(list.item) ||
      (size_t)cJSON_GetArraySize(list.item) != out->sample_count) {
    return;
  }
  out->begins_ns = vkm_value_array(parse, out->sample_count, sizeof *out->begins_ns);
  for (const cJSON *item = list.item->child;
       out->begins_ns != NULL && item != NULL && !parse->failed; item = item->next) {
    struct vkm_value begin = vkm_value_element(parse, &list, item, count, cJSON_Number);
    vkm_value_as_time(parse, &begin, &out->begins_ns[count++]);
  }
}

static void read_kernel(struct vkm_parse *parse, const struct vkm_value *at,
                        const struct vkm_read_profile *profile, struct vkm_read_kernel *out) {
  read_bound(parse, at, profile, out);
  vkm_value_text(parse, at, "kind", VKM_VALUE_NEEDED, &out->kind);
  out->has_groups = vkm_read_triple(parse, at, "groups", VKM_VALUE_NULLABLE, out->groups);
  vkm_value_text(parse, at, "phase", VKM_VALUE_NEEDED, &out->phase);
  vkm_value_text(parse, at, "family", VKM_VALUE_OPTIONAL, &out->family);
  vkm_read_outcomes(parse, at, "executions", &out->outcomes);
  read_duration(parse, at, &out->duration);
  read_samples(parse, at, out);
  read_begins(parse, at, out);
}

void vkm_read_kernels(struct vkm_parse *parse, const struct vkm_value *root,
                      struct vkm_read_profile *profile) {
  struct vkm_elements elements;
  size_t count = vkm_elements_begin(parse, root, "kernels", &elements);
  profile->kernels = vkm_value_array(parse, count, sizeof *profile->kernels);
  if (profile->kernels == NULL) {
    return;
  }
  struct vkm_value at;
  while (vkm_elements_next(parse, &elements, cJSON_Object, &at)) {
    read_kernel(parse, &at, profile, &profile->kernels[profile->kernel_count++]);
  }
}

void vkm_read_queues(struct vkm_parse *parse, const struct vkm_value *root,
                     struct vkm_read_profile *profile) {
  struct vkm_value list = vkm_value_member(parse, root, "queues", cJSON_Array, VKM_VALUE_NEEDED);
  size_t count = (size_t)cJSON_GetArraySize(list.item);
  profile->queues = vkm_value_array(parse, count, sizeof *profile->queues);
  if (profile->queues == NULL) {
    return;
  }
  for (const cJSON *item = list.item->child; item != NULL && !parse->failed; item = item->next) {
    struct vkm_value at = vkm_value_element(parse, &list, item, profile->queue_count, cJSON_Object);
    struct vkm_read_queue *queue = &profile->queues[profile->queue_count++];
    queue->device = vkm_read_index(parse, &at, "device", profile->device_count);
    vkm_value_u32(parse, &at, "family", VKM_VALUE_NEEDED, &queue->family);
    vkm_value_u32(parse, &at, "index", VKM_VALUE_NEEDED, &queue->index);
    vkm_value_u64(parse, &at, "submissions", VKM_VALUE_NEEDED, &queue->submissions);
    vkm_value_u64(parse, &at, "command_buffers", VKM_VALUE_NEEDED, &queue->command_buffers);
    struct vkm_value busy =
        vkm_value_member(parse, &at, "busy_ns", cJSON_Number, VKM_VALUE_NULLABLE);
    queue->has_busy = busy.item != NULL;
    vkm_value_as_time(parse, &busy, &queue->busy_ns);
  }
}
