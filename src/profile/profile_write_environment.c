/* In: who ran, where, under which contract. Out: the sections run, environment and contract. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "profile/profile_write_sections.h"

enum { SEGMENT_LIMIT_BYTES = 1 << 20 };

void vkm_api_version_text(uint32_t version, char text[VKM_VERSION_TEXT_BYTES]) {
  (void)snprintf(text, VKM_VERSION_TEXT_BYTES, "%" PRIu32 ".%" PRIu32 ".%" PRIu32,
                 (version >> 22) & 0x7f, (version >> 12) & 0x3ff, version & 0xfff);
}

const char *vkm_device_type_name(uint32_t device_type) {
  static const char *const names[] = {"other", "integrated_gpu", "discrete_gpu", "virtual_gpu",
                                      "cpu"};
  return device_type < sizeof names / sizeof names[0] ? names[device_type] : "unknown";
}

static void write_program(struct vkm_json *json, const char *key, const char *name,
                          uint32_t version) {
  vkm_json_open(json, key, '{');
  vkm_json_string(json, "name", name, "the program gave none");
  vkm_json_u64(json, "version", version);
  vkm_json_close(json, '}');
}

/* A name that comes twice would be a member twice: the last one counts. */
static bool named_again(const struct vkm_named_text *texts, size_t count, size_t at) {
  for (size_t i = at + 1; i < count; i++) {
    if (texts[i].name != NULL && strcmp(texts[i].name, texts[at].name) == 0) {
      return true;
    }
  }
  return false;
}

static void write_named(struct vkm_json *json, const char *key, const struct vkm_named_text *texts,
                        size_t count) {
  vkm_json_open(json, key, '{');
  for (size_t i = 0; i < count; i++) {
    if (texts[i].name != NULL && !named_again(texts, count, i)) {
      vkm_json_string(json, texts[i].name, texts[i].value != NULL ? texts[i].value : "", NULL);
    }
  }
  vkm_json_close(json, '}');
}

static void write_settings_rejected(struct vkm_json *json, const struct vkm_profile_run *run) {
  vkm_json_open(json, "settings_rejected", '[');
  for (size_t i = 0; i < run->setting_rejected_count; i++) {
    const struct vkm_setting_rejected *rejected = &run->settings_rejected[i];
    vkm_json_open(json, NULL, '{');
    vkm_json_string(json, "name", rejected->name, "not given");
    vkm_json_string(json, "value", rejected->value, "not given");
    vkm_json_string(json, "accepted", rejected->accepted, "no setting has this name");
    vkm_json_close(json, '}');
  }
  vkm_json_close(json, ']');
}

void vkm_write_run(struct vkm_document *document) {
  struct vkm_json *json = &document->json;
  const struct vkm_profile_run *run = &document->profile->run;
  char version[VKM_VERSION_TEXT_BYTES];
  vkm_api_version_text(run->api_version, version);
  vkm_json_open(json, "run", '{');
  vkm_json_string(json, "id", run->id, "not given");
  vkm_json_i64(json, "started_unix_ns", run->started_unix_ns);
  vkm_json_i64(json, "started_monotonic_ns", run->started_monotonic_ns);
  vkm_json_i64(json, "duration_ns", run->duration_ns);
  vkm_json_i64(json, "pid", run->pid);
  vkm_json_string(json, "executable", run->executable, "/proc/self/exe could not be read");
  write_program(json, "application", run->application_name, run->application_version);
  write_program(json, "engine", run->engine_name, run->engine_version);
  vkm_json_string(json, "api_version", run->api_version != 0 ? version : NULL,
                  "the program gave none");
  vkm_json_u64(json, "sequence", run->sequence);
  write_named(json, "tags", run->tags, run->tag_count);
  write_named(json, "settings", run->settings, run->setting_count);
  write_settings_rejected(json, run);
  vkm_write_rules_rejected(json, document->profile->rules);
  vkm_json_string(json, "vkmeter_version", run->vkmeter_version, "not given");
  vkm_json_close(json, '}');
}

/* One property of the segment; a string, or a number where `is_number`. */
struct property {
  const char *name;
  const char *string;
  uint64_t number;
  bool is_number;
  const char *reason; /* why the string is NULL */
};

static void write_property(struct vkm_json *json, const struct property *property) {
  if (property->is_number) {
    vkm_json_u64(json, property->name, property->number);
  } else {
    vkm_json_string(json, property->name, property->string, property->reason);
  }
}

/* What the segment key is a hash of: name=value lines, strings quoted as JSON, unknown as null. */
static void append_canonical(struct vkm_text *text, const struct property *property) {
  vkm_text_string(text, property->name);
  vkm_text_append(text, "=", 1);
  if (property->is_number) {
    vkm_text_u64(text, property->number);
  } else if (property->string == NULL) {
    vkm_text_string(text, "null");
  } else {
    vkm_text_json(text, property->string);
  }
  vkm_text_append(text, "\n", 1);
}

static const char *workload_tag(const struct vkm_profile_run *run) {
  for (size_t i = run->tag_count; i > 0; i--) {
    const struct vkm_named_text *tag = &run->tags[i - 1];
    if (tag->name != NULL && strcmp(tag->name, "workload") == 0) {
      return tag->value;
    }
  }
  return NULL;
}

static enum vkm_status write_segment(struct vkm_json *json, const struct property *properties,
                                     size_t count) {
  struct vkm_text canonical;
  vkm_text_init(&canonical, SEGMENT_LIMIT_BYTES);
  vkm_json_open(json, "segment", '{');
  for (size_t i = 0; i < count; i++) {
    write_property(json, &properties[i]);
    append_canonical(&canonical, &properties[i]);
  }
  vkm_json_close(json, '}');
  bool failed = canonical.failed;
  if (!failed) {
    vkm_json_hash(json, "segment_key", vkm_hash_bytes(canonical.data, canonical.length_bytes));
  }
  vkm_text_finish(&canonical);
  return failed ? VKM_OUT_OF_MEMORY : VKM_OK;
}

enum vkm_status vkm_write_environment(struct vkm_document *document) {
  static const char no_device[] = "no device was used";
  static const char no_driver[] = "the driver does not offer VkPhysicalDeviceDriverProperties";
  static const char not_known[] = "the system does not tell";
  const struct vkm_profile *profile = document->profile;
  const struct vkm_profile_host *host = &profile->host;
  static const struct vkm_profile_device none;
  bool any = document->main_device != VKM_NO_DEVICE;
  const struct vkm_profile_device *device = any ? &profile->devices[document->main_device] : &none;
  struct vkm_hash hash;
  enum vkm_status status = vkm_plan_fingerprint(profile, &hash);
  if (status != VKM_OK) {
    return status;
  }
  char fingerprint[VKM_HASH_TEXT_BYTES];
  vkm_hash_text(hash, fingerprint);
  const char *driver_reason = any ? no_driver : no_device;
  const struct property properties[] = {
      {"os", host->os, 0, false, not_known},
      {"kernel", host->kernel, 0, false, not_known},
      {"arch", host->arch, 0, false, not_known},
      {"cpu", host->cpu, 0, false, not_known},
      {"device_name", device->name, 0, false, any ? "the driver gave none" : no_device},
      {"vendor_id", NULL, device->vendor_id, any, no_device},
      {"device_id", NULL, device->device_id, any, no_device},
      {"device_type", any ? vkm_device_type_name(device->device_type) : NULL, 0, false, no_device},
      {"driver_id", NULL, device->driver_id, device->driver_id != 0, driver_reason},
      {"driver_name", device->driver_name, 0, false, driver_reason},
      {"driver_info", device->driver_info, 0, false, driver_reason},
      {"driver_version", NULL, device->driver_version, any, no_device},
      {"vkmeter_version", profile->run.vkmeter_version, 0, false, "not given"},
      {"mode", profile->mode, 0, false, "not given"},
      {"workload_tag", workload_tag(&profile->run), 0, false, "the run has no tag named workload"},
      {"plan_fingerprint", fingerprint, 0, false, NULL},
  };
  vkm_json_open(&document->json, "environment", '{');
  status = write_segment(&document->json, properties, sizeof properties / sizeof properties[0]);
  vkm_json_close(&document->json, '}');
  return status;
}

void vkm_write_clock(struct vkm_json *json, const struct vkm_profile_device *device) {
  static const char *const sources[] = {"none", "calibrated", "bracketed"};
  vkm_json_open(json, "clock", '{');
  vkm_json_string(json, "source", sources[device->clock_source], NULL);
  vkm_json_string(json, "domain", device->clock_domain, "device time is not tied to a host clock");
  if (device->clock_max_deviation_ns == INT64_MIN) {
    vkm_json_null(json, "max_deviation_ns", "not calibrated");
  } else {
    vkm_json_i64(json, "max_deviation_ns", device->clock_max_deviation_ns);
  }
  vkm_json_bool(json, "mismatch", device->clock_mismatch);
  vkm_json_close(json, '}');
}

/* What a number of this mode means; every profile carries its own. */
static const char *contract_text(const char *mode) {
  if (mode != NULL && strcmp(mode, "submit") == 0) {
    return "Only recordings as a whole are timed: a span runs from the moment when all work before "
           "its first command was done to the moment when all of its own work was done. Commands "
           "have no times of their own; they are counted as control.";
  }
  if (mode != NULL && strcmp(mode, "isolated") == 0) {
    return "Full barriers of vkmeter stand before and after each timed command, so that a duration "
           "is the cost of the command alone, with nothing beside it. Such durations add up to "
           "more than the program takes without them; they are neither its latency nor shares of "
           "it.";
  }
  return "A duration is the marginal completion time of one command: from the moment when all "
         "earlier work of its stage was done to the moment when the command was done too. A "
         "command that overlapped its predecessor is charged only for what it added; such commands "
         "are "
         "counted in overlap_possible. The time between the end of the previous command and the "
         "begin of a command is its gap and no part of a duration. Stamps take time of their own, "
         "so sums are no measure of the program's latency; how much they took is in "
         "instrumentation_ratio, against control recordings that have only two.";
}

void vkm_write_contract(struct vkm_document *document) {
  static const char indirect[] =
      "DRAW_INDIRECT to TRANSFER before and TRANSFER to DRAW_INDIRECT|HOST after a copy of the "
      "arguments, before the begin stamp of an indirect dispatch";
  static const char isolated[] = "ALL_COMMANDS to ALL_COMMANDS, MEMORY_READ|WRITE, before the "
                                 "begin stamp, before and after each timed command";
  static const struct vkm_profile_device none = {.clock_max_deviation_ns = INT64_MIN};
  struct vkm_json *json = &document->json;
  const struct vkm_profile *profile = document->profile;
  bool any = document->main_device != VKM_NO_DEVICE;
  vkm_json_open(json, "contract", '{');
  vkm_json_string(json, "mode", profile->mode, "not given");
  vkm_json_open(json, "stages", '{');
  vkm_json_string(json, "dispatch_on_graphics_families", "COMPUTE_SHADER", NULL);
  vkm_json_string(json, "everything_else", "ALL_COMMANDS", NULL);
  vkm_json_close(json, '}');
  vkm_json_list_open(json, "barriers_added");
  if (profile->mode != NULL && strcmp(profile->mode, "isolated") == 0) {
    vkm_json_list_string(json, isolated);
  }
  if (profile->indirect_geometry) {
    vkm_json_list_string(json, indirect);
  }
  vkm_json_list_close(json);
  vkm_write_clock(json, any ? &profile->devices[document->main_device] : &none);
  vkm_json_u64(json, "control_every", profile->control_every);
  if (profile->chosen_count > 0) {
    write_named(json, "chosen", profile->chosen, profile->chosen_count);
  } else {
    vkm_json_null(json, "chosen", "everything was: no setting capture_* is in force");
  }
  vkm_json_string(json, "text", contract_text(profile->mode), NULL);
  vkm_json_close(json, '}');
}
