/* In: the profile as structures. Out: one JSON document. Next room: the file. */
#include "profile/profile_write.h"

#include <string.h>

#include "profile/profile_write_sections.h"

static uint64_t executed_on(const struct vkm_profile_device *device) {
  uint64_t executed = 0;
  for (size_t kind = 0; kind < VKM_KIND_COUNT; kind++) {
    executed += vkm_outcomes_executed(&device->overflow[kind]);
  }
  for (size_t row = 0; row < device->row_count; row++) {
    executed += vkm_outcomes_executed(&device->rows[row]->outcomes);
  }
  return executed;
}

/* Where most was executed, whether timed or not: what could not be timed is no reason to describe
 * another device. */
static size_t find_main_device(const struct vkm_profile *profile) {
  size_t best = profile->device_count > 0 ? 0 : VKM_NO_DEVICE;
  uint64_t best_executed = 0;
  for (size_t i = 0; i < profile->device_count; i++) {
    uint64_t executed = executed_on(&profile->devices[i]);
    if (executed > best_executed) {
      best = i;
      best_executed = executed;
    }
  }
  return best;
}

/* Names come as they were set: in capitals from the environment, small from a file. Not strcasecmp,
 * which obeys the locale. */
static bool wants_sample_times(const struct vkm_profile_run *run) {
  for (size_t i = 0; i < run->setting_count; i++) {
    const struct vkm_named_text *setting = &run->settings[i];
    if (setting->name != NULL && setting->value != NULL &&
        (strcmp(setting->name, "sample_times") == 0 ||
         strcmp(setting->name, "SAMPLE_TIMES") == 0)) {
      return strcmp(setting->value, "1") == 0 || strcmp(setting->value, "true") == 0;
    }
  }
  return false;
}

static enum vkm_status write_kernels(struct vkm_document *document) {
  enum vkm_status status = vkm_write_places(document);
  if (status == VKM_OK) {
    vkm_write_pipelines(document);
    status = vkm_write_kernels(document);
  }
  if (status == VKM_OK) {
    status = vkm_write_groups(document);
  }
  return status;
}

static enum vkm_status write_document(struct vkm_document *document) {
  struct vkm_json *json = &document->json;
  const struct vkm_profile *profile = document->profile;
  vkm_json_open(json, NULL, '{');
  vkm_json_string(json, "schema", VKM_PROFILE_SCHEMA, NULL);
  vkm_json_bool(json, "complete", profile->complete);
  vkm_json_string(json, "end_reason", profile->end_reason, "not given");
  vkm_write_run(document);
  enum vkm_status status = vkm_write_environment(document);
  if (status != VKM_OK) {
    return status;
  }
  vkm_write_contract(document);
  vkm_write_devices(document);
  vkm_json_u64(json, "devices_dropped", profile->devices_dropped);
  vkm_write_trace(document);
  status = write_kernels(document);
  if (status != VKM_OK) {
    return status;
  }
  vkm_write_queues(document);
  vkm_write_coverage(document);
  status = vkm_write_breakdown(document);
  if (status != VKM_OK) {
    return status;
  }
  status = vkm_write_overhead(document);
  if (status != VKM_OK) {
    return status;
  }
  status = vkm_write_plans(document);
  if (status != VKM_OK) {
    return status;
  }
  vkm_json_close(json, '}');
  vkm_text_append(json->text, "\n", 1);
  return json->text->failed ? VKM_OUT_OF_MEMORY : VKM_OK;
}

enum vkm_status vkm_profile_format(const struct vkm_profile *profile, struct vkm_text *text) {
  struct vkm_document document = {
      .profile = profile,
      .json = {.text = text},
      .main_device = find_main_device(profile),
      .sample_times = wants_sample_times(&profile->run),
  };
  enum vkm_status status = write_document(&document);
  vkm_write_places_finish(&document);
  return status;
}
