/* In: who ran, where, on which devices, as JSON. Out: plain structures. Next room: the tool's
 * model. */
#include <string.h>

#include "profile/profile_read_sections.h"

/* The members of an object, all text. */
static void read_pairs(struct vkm_parse *parse, const struct vkm_value *object,
                       struct vkm_read_pairs *out) {
  if (object->item == NULL) {
    return;
  }
  size_t count = (size_t)cJSON_GetArraySize(object->item);
  out->items = vkm_value_array(parse, count, sizeof *out->items);
  if (out->items == NULL) {
    return;
  }
  for (const cJSON *item = object->item->child; item != NULL; item = item->next) {
    struct vkm_value at = vkm_value_child(parse, object, item, cJSON_String);
    out->items[out->count++] =
        (struct vkm_read_pair){vkm_value_keep(parse, item->string),
                               at.item != NULL ? vkm_value_keep(parse, at.item->valuestring) : ""};
  }
}

static void read_rejected(struct vkm_parse *parse, const struct vkm_value *run,
                          struct vkm_read_run *out) {
  struct vkm_value list =
      vkm_value_member(parse, run, "settings_rejected", cJSON_Array, VKM_VALUE_NEEDED);
  size_t count = (size_t)cJSON_GetArraySize(list.item);
  out->rejected = vkm_value_array(parse, count, sizeof *out->rejected);
  if (out->rejected == NULL) {
    return;
  }
  for (const cJSON *item = list.item->child; item != NULL; item = item->next) {
    struct vkm_value at = vkm_value_element(parse, &list, item, out->rejected_count, cJSON_Object);
    struct vkm_read_setting_rejected *rejected = &out->rejected[out->rejected_count++];
    vkm_value_text(parse, &at, "name", VKM_VALUE_NULLABLE, &rejected->name);
    vkm_value_text(parse, &at, "value", VKM_VALUE_NULLABLE, &rejected->value);
    vkm_value_text(parse, &at, "accepted", VKM_VALUE_NULLABLE, &rejected->accepted);
  }
}

static void read_program(struct vkm_parse *parse, const struct vkm_value *run, const char *key,
                         const char **name) {
  struct vkm_value program = vkm_value_member(parse, run, key, cJSON_Object, VKM_VALUE_NEEDED);
  vkm_value_text(parse, &program, "name", VKM_VALUE_NULLABLE, name);
}

void vkm_read_run(struct vkm_parse *parse, const struct vkm_value *root,
                  struct vkm_read_profile *profile) {
  struct vkm_read_run *out = &profile->run;
  struct vkm_value run = vkm_value_member(parse, root, "run", cJSON_Object, VKM_VALUE_NEEDED);
  vkm_value_text(parse, &run, "id", VKM_VALUE_NULLABLE, &out->id);
  vkm_value_i64(parse, &run, "started_unix_ns", VKM_VALUE_NEEDED, &out->started_unix_ns);
  vkm_value_i64(parse, &run, "started_monotonic_ns", VKM_VALUE_OPTIONAL,
                &out->started_monotonic_ns);
  vkm_value_time(parse, &run, "duration_ns", VKM_VALUE_NEEDED, &out->duration_ns);
  vkm_value_i64(parse, &run, "pid", VKM_VALUE_NEEDED, &out->pid);
  vkm_value_i64(parse, &run, "sequence", VKM_VALUE_OPTIONAL, &out->sequence);
  vkm_value_text(parse, &run, "executable", VKM_VALUE_NULLABLE, &out->executable);
  read_program(parse, &run, "application", &out->application_name);
  read_program(parse, &run, "engine", &out->engine_name);
  vkm_value_text(parse, &run, "vkmeter_version", VKM_VALUE_NULLABLE, &out->vkmeter_version);
  struct vkm_value tags = vkm_value_member(parse, &run, "tags", cJSON_Object, VKM_VALUE_NEEDED);
  read_pairs(parse, &tags, &out->tags);
  struct vkm_value settings =
      vkm_value_member(parse, &run, "settings", cJSON_Object, VKM_VALUE_NEEDED);
  read_pairs(parse, &settings, &out->settings);
  read_rejected(parse, &run, out);
}

void vkm_read_environment(struct vkm_parse *parse, const struct vkm_value *root,
                          struct vkm_read_profile *profile) {
  struct vkm_value environment =
      vkm_value_member(parse, root, "environment", cJSON_Object, VKM_VALUE_NEEDED);
  vkm_value_text(parse, &environment, "segment_key", VKM_VALUE_NEEDED, &profile->segment_key);
  struct vkm_value segment =
      vkm_value_member(parse, &environment, "segment", cJSON_Object, VKM_VALUE_NEEDED);
  vkm_value_text(parse, &segment, "os", VKM_VALUE_NULLABLE, &profile->os);
  vkm_value_text(parse, &segment, "kernel", VKM_VALUE_NULLABLE, &profile->kernel);
  vkm_value_text(parse, &segment, "arch", VKM_VALUE_NULLABLE, &profile->arch);
  vkm_value_text(parse, &segment, "cpu", VKM_VALUE_NULLABLE, &profile->cpu);
  vkm_value_text(parse, &segment, "workload_tag", VKM_VALUE_NULLABLE, &profile->workload_tag);
  struct vkm_value contract =
      vkm_value_member(parse, root, "contract", cJSON_Object, VKM_VALUE_NEEDED);
  vkm_value_text(parse, &contract, "mode", VKM_VALUE_NULLABLE, &profile->mode);
  vkm_value_text(parse, &contract, "text", VKM_VALUE_NULLABLE, &profile->contract_text);
  struct vkm_value chosen =
      vkm_value_member(parse, &contract, "chosen", cJSON_Object, VKM_VALUE_OPTIONAL);
  read_pairs(parse, &chosen, &profile->chosen);
}

static void read_enabled(struct vkm_parse *parse, const struct vkm_value *device,
                         struct vkm_read_device *out) {
  struct vkm_value list =
      vkm_value_member(parse, device, "enabled_by_vkmeter", cJSON_Array, VKM_VALUE_NEEDED);
  size_t count = (size_t)cJSON_GetArraySize(list.item);
  out->enabled = vkm_value_array(parse, count, sizeof *out->enabled);
  if (out->enabled == NULL) {
    return;
  }
  for (const cJSON *item = list.item->child; item != NULL; item = item->next) {
    struct vkm_value at = vkm_value_element(parse, &list, item, out->enabled_count, cJSON_String);
    out->enabled[out->enabled_count++] =
        at.item != NULL ? vkm_value_keep(parse, at.item->valuestring) : "";
  }
}

/* "NAME": true, or "NAME": false and beside it "NAME_reason": text. */
static void read_capabilities(struct vkm_parse *parse, const struct vkm_value *device,
                              struct vkm_read_device *out) {
  struct vkm_value object =
      vkm_value_member(parse, device, "capabilities", cJSON_Object, VKM_VALUE_NEEDED);
  size_t count = (size_t)cJSON_GetArraySize(object.item);
  out->capabilities = vkm_value_array(parse, count, sizeof *out->capabilities);
  if (out->capabilities == NULL) {
    return;
  }
  for (const cJSON *item = object.item->child; item != NULL; item = item->next) {
    if (cJSON_IsString(item)) {
      if (out->capability_count > 0) {
        out->capabilities[out->capability_count - 1].reason =
            vkm_value_keep(parse, item->valuestring);
      }
      continue;
    }
    struct vkm_read_capability *capability = &out->capabilities[out->capability_count++];
    struct vkm_value at = vkm_value_child(parse, &object, item, cJSON_True | cJSON_False);
    *capability = (struct vkm_read_capability){vkm_value_keep(parse, item->string),
                                               cJSON_IsTrue(at.item), NULL};
  }
}

static void read_device(struct vkm_parse *parse, const struct vkm_value *device,
                        struct vkm_read_device *out) {
  vkm_value_text(parse, device, "name", VKM_VALUE_NULLABLE, &out->name);
  vkm_value_text(parse, device, "device_type", VKM_VALUE_NEEDED, &out->type);
  struct vkm_value driver =
      vkm_value_member(parse, device, "driver", cJSON_Object, VKM_VALUE_NEEDED);
  vkm_value_text(parse, &driver, "name", VKM_VALUE_NULLABLE, &out->driver_name);
  vkm_value_text(parse, &driver, "info", VKM_VALUE_NULLABLE, &out->driver_info);
  vkm_value_text(parse, &driver, "version_text", VKM_VALUE_NEEDED, &out->driver_version);
  vkm_value_bool(parse, device, "software", VKM_VALUE_NEEDED, &out->software);
  vkm_value_bool(parse, device, "profiled", VKM_VALUE_NEEDED, &out->profiled);
  vkm_value_text(parse, device, "profiled_reason", VKM_VALUE_OPTIONAL, &out->not_profiled_reason);
  vkm_value_text(parse, device, "end", VKM_VALUE_NULLABLE, &out->end);
  vkm_value_double(parse, device, "timestamp_period_ns", VKM_VALUE_NULLABLE, &out->period_ns);
  out->has_period = out->period_ns > 0;
  struct vkm_value clock = vkm_value_member(parse, device, "clock", cJSON_Object, VKM_VALUE_NEEDED);
  vkm_value_text(parse, &clock, "source", VKM_VALUE_NEEDED, &out->clock_source);
  vkm_value_bool(parse, &clock, "mismatch", VKM_VALUE_NEEDED, &out->clock_mismatch);
  vkm_read_memory(parse, device, &out->memory);
  read_enabled(parse, device, out);
  read_capabilities(parse, device, out);
}

void vkm_read_devices(struct vkm_parse *parse, const struct vkm_value *root,
                      struct vkm_read_profile *profile) {
  struct vkm_value list = vkm_value_member(parse, root, "devices", cJSON_Array, VKM_VALUE_NEEDED);
  size_t count = (size_t)cJSON_GetArraySize(list.item);
  profile->devices = vkm_value_array(parse, count, sizeof *profile->devices);
  if (profile->devices == NULL) {
    return;
  }
  for (const cJSON *item = list.item->child; item != NULL; item = item->next) {
    struct vkm_value at =
        vkm_value_element(parse, &list, item, profile->device_count, cJSON_Object);
    read_device(parse, &at, &profile->devices[profile->device_count++]);
  }
}
