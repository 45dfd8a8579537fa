/* In: a document of another program's times. Out: a profile of what it says. Next: recorded. */
#include "model/foreign.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "count.h"
#include "kernel/identity.h"
#include "measure/stats.h"
#include "model/row.h"
#include "model/segment.h"
#include "profile/keep.h"

/* A document on its way into a profile. */
struct reading {
  struct vkm_parse *parse;
  const struct vkm_value *root;
  struct vkm_read_profile *profile;
};

/* The first of the elements that there is room for. */
static const cJSON *first_of(const struct vkm_value *list, const void *room) {
  return room != NULL && list->item != NULL ? list->item->child : NULL;
}

static void read_run(struct reading *reading) {
  struct vkm_read_profile *profile = reading->profile;
  struct vkm_parse *parse = reading->parse;
  const struct vkm_value *root = reading->root;
  vkm_value_text(parse, root, "run", VKM_VALUE_NEEDED, &profile->run.id);
  vkm_value_i64(parse, root, "sequence", VKM_VALUE_NEEDED, &profile->run.sequence);
  vkm_value_i64(parse, root, "started_unix_ns", VKM_VALUE_NULLABLE, &profile->run.started_unix_ns);
  vkm_value_text(parse, root, "source", VKM_VALUE_NEEDED, &profile->run.executable);
  vkm_value_text(parse, root, "vkmeter_version", VKM_VALUE_NEEDED, &profile->run.vkmeter_version);
  vkm_value_text(parse, root, "workload", VKM_VALUE_NULLABLE, &profile->workload_tag);
  profile->foreign = profile->complete = true;
  profile->mode = "foreign";
  profile->contract_text = "Durations are what another program said; vkmeter measured nothing.";
}

static void read_tags(struct reading *reading) {
  struct vkm_read_pairs *tags = &reading->profile->run.tags;
  struct vkm_value object =
      vkm_value_member(reading->parse, reading->root, "tags", cJSON_Object, VKM_VALUE_NEEDED);
  size_t count = object.item != NULL ? (size_t)cJSON_GetArraySize(object.item) : 0;
  tags->items = vkm_value_array(reading->parse, count, sizeof *tags->items);
  for (const cJSON *item = first_of(&object, tags->items); item != NULL; item = item->next) {
    struct vkm_value at = vkm_value_child(reading->parse, &object, item, cJSON_String);
    const char *value = at.item != NULL ? vkm_value_keep(reading->parse, item->valuestring) : "";
    tags->items[tags->count++] =
        (struct vkm_read_pair){vkm_value_keep(reading->parse, item->string), value};
  }
}

static void read_device(struct reading *reading) {
  struct vkm_read_profile *profile = reading->profile;
  struct vkm_read_device *device = vkm_value_array(reading->parse, 1, sizeof *device);
  if (device == NULL) {
    return;
  }
  profile->devices = device;
  profile->device_count = 1;
  *device = (struct vkm_read_device){
      .driver_version = "",
      .type = "unknown",
      .not_profiled_reason = "another program measured it",
      .clock_source = "none",
  };
  const cJSON *software = cJSON_GetObjectItemCaseSensitive(reading->root->item, "software");
  vkm_value_text(reading->parse, reading->root, "device", VKM_VALUE_NULLABLE, &device->name);
  vkm_value_text(reading->parse, reading->root, "driver", VKM_VALUE_NULLABLE, &device->driver_info);
  vkm_value_bool(reading->parse, reading->root, "software", VKM_VALUE_NULLABLE, &device->software);
  if (cJSON_IsBool(software)) {
    device->type = device->software ? "cpu" : "other";
  }
}

static void read_samples(struct reading *reading, const struct vkm_value *row,
                         struct vkm_read_kernel *kernel) {
  struct vkm_value list =
      vkm_value_member(reading->parse, row, "durations_ns", cJSON_Array, VKM_VALUE_NEEDED);
  size_t count = list.item != NULL ? (size_t)cJSON_GetArraySize(list.item) : 0;
  kernel->samples_ns = vkm_value_array(reading->parse, count, sizeof *kernel->samples_ns);
  struct vkm_read_duration *duration = &kernel->duration;
  for (const cJSON *item = first_of(&list, kernel->samples_ns); item != NULL; item = item->next) {
    struct vkm_value at =
        vkm_value_element(reading->parse, &list, item, kernel->sample_count, cJSON_Number);
    int64_t *sample = &kernel->samples_ns[kernel->sample_count++];
    vkm_value_as_time(reading->parse, &at, sample);
    if (__builtin_add_overflow(duration->sum_ns, *sample, &duration->sum_ns)) {
      duration->sum_ns = INT64_MAX;
    }
  }
  kernel->samples_seen = kernel->sample_count;
  kernel->outcomes.executed = kernel->outcomes.measured = kernel->sample_count;
}

/* The median and its like, of a copy: samples stay in order of time. */
static void summarize(struct reading *reading, struct vkm_read_kernel *kernel) {
  struct vkm_read_duration *duration = &kernel->duration;
  int64_t *sorted =
      vkm_value_array(reading->parse, kernel->sample_count, sizeof *kernel->samples_ns);
  if (sorted == NULL) {
    return;
  }
  memcpy(sorted, kernel->samples_ns, kernel->sample_count * sizeof *sorted);
  struct vkm_summary summary;
  vkm_summarize(sorted, kernel->sample_count, &summary);
  duration->known = duration->has_median = true;
  duration->min_ns = (int64_t)summary.min;
  duration->max_ns = (int64_t)summary.max;
  duration->median_ns = (int64_t)summary.median;
  duration->mad_ns = (int64_t)summary.mad;
  vkm_free(sorted);
}

/* What has no code is the same where it has the same name. */
static const char *identity_of(struct reading *reading, const char *name) {
  char text[VKM_HASH_TEXT_BYTES];
  vkm_hash_text(vkm_hash_bytes(name, strlen(name)), text);
  return vkm_value_keep(reading->parse, text);
}

static size_t pipeline_of(struct reading *reading, const char *name) {
  struct vkm_read_profile *profile = reading->profile;
  for (size_t i = 0; i < profile->pipeline_count; i++) {
    if (strcmp(profile->pipelines[i].name, name) == 0) {
      return i;
    }
  }
  char id[24];
  snprintf(id, sizeof id, "p%zu", profile->pipeline_count);
  profile->pipelines[profile->pipeline_count] =
      (struct vkm_read_pipeline){.id = vkm_value_keep(reading->parse, id),
                                 .identity = identity_of(reading, name),
                                 .name = name,
                                 .family = "unclassified",
                                 .family_source = "none"};
  return profile->pipeline_count++;
}

static void read_rows(struct reading *reading) {
  struct vkm_read_profile *profile = reading->profile;
  struct vkm_value list =
      vkm_value_member(reading->parse, reading->root, "rows", cJSON_Array, VKM_VALUE_NEEDED);
  size_t count = list.item != NULL ? (size_t)cJSON_GetArraySize(list.item) : 0;
  profile->pipelines = vkm_value_array(reading->parse, count, sizeof *profile->pipelines);
  profile->kernels = vkm_value_array(reading->parse, count, sizeof *profile->kernels);
  for (const cJSON *item = first_of(&list, profile->kernels);
       item != NULL && !reading->parse->failed; item = item->next) {
    struct vkm_value row =
        vkm_value_element(reading->parse, &list, item, profile->kernel_count, cJSON_Object);
    struct vkm_read_kernel *kernel = &profile->kernels[profile->kernel_count++];
    const char *name = "";
    *kernel = (struct vkm_read_kernel){.kind = VKM_FOREIGN_KIND,
                                       .phase = "unlabelled",
                                       .family = "unclassified",
                                       .first_use = VKM_READ_NONE};
    vkm_value_text(reading->parse, &row, "name", VKM_VALUE_NEEDED, &name);
    vkm_value_text(reading->parse, &row, "phase", VKM_VALUE_NULLABLE, &kernel->phase);
    read_samples(reading, &row, kernel);
    summarize(reading, kernel);
    kernel->pipeline = pipeline_of(reading, name);
  }
}

static void read_metrics(struct reading *reading) {
  struct vkm_read_profile *profile = reading->profile;
  struct vkm_value list =
      vkm_value_member(reading->parse, reading->root, "metrics", cJSON_Array, VKM_VALUE_NEEDED);
  size_t count = list.item != NULL ? (size_t)cJSON_GetArraySize(list.item) : 0;
  profile->metrics = vkm_value_array(reading->parse, count, sizeof *profile->metrics);
  for (const cJSON *item = first_of(&list, profile->metrics);
       item != NULL && !reading->parse->failed; item = item->next) {
    struct vkm_value at =
        vkm_value_element(reading->parse, &list, item, profile->metric_count, cJSON_Object);
    struct vkm_read_metric *metric = &profile->metrics[profile->metric_count++];
    vkm_value_text(reading->parse, &at, "name", VKM_VALUE_NEEDED, &metric->name);
    vkm_value_text(reading->parse, &at, "unit", VKM_VALUE_NULLABLE, &metric->unit);
    vkm_value_double(reading->parse, &at, "value", VKM_VALUE_NEEDED, &metric->value);
  }
}

/* Nothing of it is known. */
static void forget_breakdown(struct vkm_read_breakdown *breakdown) {
  static const char *const directions[VKM_READ_MOVES] = {"unknown", "h2d", "d2h",
                                                         "d2d",     "h2h", "fill"};
  breakdown->run_ns = breakdown->transfer_ns = breakdown->gpu_idle_ns = INT64_MIN;
  breakdown->unaccounted_ns = breakdown->executing_ns = INT64_MIN;
  breakdown->build_while_executing_ns = breakdown->host_any_ns = INT64_MIN;
  breakdown->cold_ns = breakdown->warm_ns = INT64_MIN;
  for (size_t i = 0; i < VKM_READ_MOVES; i++) {
    breakdown->moves[i] =
        (struct vkm_read_move){.direction = directions[i], .duration_ns = INT64_MIN};
  }
  for (size_t i = 0; i < VKM_READ_HOSTS; i++) {
    breakdown->hosts[i].name = "";
  }
}

static void conclude(struct reading *reading) {
  char key[VKM_SEGMENT_KEY_BYTES];
  if (reading->parse->failed) {
    return;
  }
  if (!vkm_segment_key(reading->profile, key)) {
    reading->parse->failed = reading->parse->out_of_memory = true;
    return;
  }
  reading->profile->segment_key = vkm_value_keep(reading->parse, key);
}

enum vkm_status vkm_foreign_read(struct vkm_document *document, struct vkm_read_profile *profile,
                                 struct vkm_read_error *error) {
  *profile = (struct vkm_read_profile){.strings = vkm_keep_new()};
  document->parse.keep = profile->strings;
  document->parse.failed = document->parse.out_of_memory = profile->strings == NULL;
  struct reading reading = {&document->parse, &document->root, profile};
  forget_breakdown(&profile->breakdown);
  read_run(&reading);
  read_tags(&reading);
  read_device(&reading);
  read_rows(&reading);
  read_metrics(&reading);
  conclude(&reading);
  enum vkm_status status = vkm_document_conclude(document, error);
  if (status != VKM_OK) {
    vkm_profile_read_finish(profile);
  }
  vkm_document_finish(document);
  return status;
}
