/* In: devices and their queues. Out: the sections devices and queues. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "profile/profile_write_sections.h"

static void write_queue_flags(struct vkm_json *json, uint32_t flags) {
  static const struct {
    uint32_t bit;
    const char *name;
  } bits[] = {{0x1, "GRAPHICS"},       {0x2, "COMPUTE"},       {0x4, "TRANSFER"},
              {0x8, "SPARSE_BINDING"}, {0x10, "PROTECTED"},    {0x20, "VIDEO_DECODE"},
              {0x40, "VIDEO_ENCODE"},  {0x100, "OPTICAL_FLOW"}};
  vkm_json_u64(json, "flags", flags);
  vkm_json_list_open(json, "flag_names");
  for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
    if ((flags & bits[i].bit) != 0) {
      vkm_json_list_string(json, bits[i].name);
    }
  }
  vkm_json_list_close(json);
}

/* NVIDIA packs driver versions its own way; everybody else as Vulkan packs its own. */
static void driver_version_text(uint32_t vendor_id, uint32_t version,
                                char text[VKM_VERSION_TEXT_BYTES]) {
  enum { NVIDIA = 0x10de };
  if (vendor_id == NVIDIA) {
    (void)snprintf(text, VKM_VERSION_TEXT_BYTES, "%" PRIu32 ".%" PRIu32 ".%" PRIu32 ".%" PRIu32,
                   version >> 22, (version >> 14) & 0xff, (version >> 6) & 0xff, version & 0x3f);
  } else {
    (void)snprintf(text, VKM_VERSION_TEXT_BYTES, "%" PRIu32 ".%" PRIu32 ".%" PRIu32, version >> 22,
                   (version >> 12) & 0x3ff, version & 0xfff);
  }
}

static void write_driver(struct vkm_json *json, const struct vkm_profile_device *device) {
  static const char reason[] = "the driver does not offer VkPhysicalDeviceDriverProperties";
  char version[VKM_VERSION_TEXT_BYTES];
  driver_version_text(device->vendor_id, device->driver_version, version);
  vkm_json_open(json, "driver", '{');
  if (device->driver_id == 0) {
    vkm_json_null(json, "id", reason);
  } else {
    vkm_json_u64(json, "id", device->driver_id);
  }
  vkm_json_string(json, "name", device->driver_name, reason);
  vkm_json_string(json, "info", device->driver_info, reason);
  vkm_json_u64(json, "version", device->driver_version);
  vkm_json_string(json, "version_text", version, NULL);
  vkm_json_close(json, '}');
}

static void write_identity(struct vkm_json *json, const struct vkm_profile_device *device) {
  char version[VKM_VERSION_TEXT_BYTES];
  vkm_api_version_text(device->api_version, version);
  vkm_json_string(json, "name", device->name, "the driver gave none");
  vkm_json_u64(json, "vendor_id", device->vendor_id);
  vkm_json_u64(json, "device_id", device->device_id);
  vkm_json_string(json, "device_type", vkm_device_type_name(device->device_type), NULL);
  write_driver(json, device);
  vkm_json_string(json, "api_version", version, NULL);
  if (device->has_uuid) {
    char uuid[2 * sizeof device->device_uuid + 1] = "";
    for (size_t i = 0; i < sizeof device->device_uuid; i++) {
      (void)snprintf(uuid + 2 * i, 3, "%02x", device->device_uuid[i]);
    }
    vkm_json_string(json, "uuid", uuid, NULL);
  } else {
    vkm_json_null(json, "uuid", "the driver does not offer VkPhysicalDeviceIDProperties");
  }
}

static void write_families(struct vkm_json *json, const struct vkm_profile_device *device) {
  vkm_json_open(json, "queue_families", '[');
  for (size_t i = 0; i < device->family_count; i++) {
    const struct vkm_profile_family *family = &device->families[i];
    vkm_json_open(json, NULL, '{');
    write_queue_flags(json, family->flags);
    vkm_json_u64(json, "timestamp_valid_bits", family->timestamp_valid_bits);
    vkm_json_u64(json, "queue_count", family->queue_count);
    vkm_json_close(json, '}');
  }
  vkm_json_close(json, ']');
}

static void write_period(struct vkm_json *json, double period_ns) {
  static const char key[] = "timestamp_period_ns";
  if (period_ns > 0) {
    vkm_json_double(json, key, period_ns, "the driver reports infinity");
  } else {
    vkm_json_null(json, key,
                  period_ns <= 0 ? "the driver reports 0 or less" : "the driver reports NaN");
  }
}

static void write_enabled(struct vkm_json *json, const struct vkm_profile_device *device) {
  vkm_json_list_open(json, "enabled_by_vkmeter");
  for (size_t i = 0; i < device->enabled_by_vkmeter_count; i++) {
    if (device->enabled_by_vkmeter[i] != NULL) {
      vkm_json_list_string(json, device->enabled_by_vkmeter[i]);
    }
  }
  vkm_json_list_close(json);
}

/* Whether the capability is named and no later one has its name: a member must not come twice. */
static bool is_last_of_name(const struct vkm_profile_device *device, size_t at) {
  const char *name = device->capabilities[at].name;
  for (size_t i = at + 1; name != NULL && i < device->capability_count; i++) {
    const char *other = device->capabilities[i].name;
    if (other != NULL && strcmp(other, name) == 0) {
      return false;
    }
  }
  return name != NULL;
}

static void write_capabilities(struct vkm_json *json, const struct vkm_profile_device *device) {
  vkm_json_open(json, "capabilities", '{');
  for (size_t i = 0; i < device->capability_count; i++) {
    const struct vkm_profile_capability *capability = &device->capabilities[i];
    if (!is_last_of_name(device, i)) {
      continue;
    }
    vkm_json_bool(json, capability->name, capability->available);
    if (!capability->available) {
      const char *reason = capability->reason;
      vkm_json_reason(json, capability->name, reason != NULL ? reason : "not given");
    }
  }
  vkm_json_close(json, '}');
}

static void write_other_labels(struct vkm_json *json,
                               const struct vkm_profile_other_labels *labels) {
  vkm_json_open(json, "labels_in_other", '{');
  vkm_json_u64(json, "beyond_cap", labels->beyond_cap);
  vkm_json_u64(json, "too_long", labels->too_long);
  vkm_json_u64(json, "out_of_memory", labels->out_of_memory);
  vkm_json_close(json, '}');
}

void vkm_write_devices(struct vkm_document *document) {
  struct vkm_json *json = &document->json;
  vkm_json_open(json, "devices", '[');
  for (size_t i = 0; i < document->profile->device_count; i++) {
    const struct vkm_profile_device *device = &document->profile->devices[i];
    vkm_json_open(json, NULL, '{');
    write_identity(json, device);
    vkm_json_bool(json, "software", device->software);
    vkm_json_bool(json, "profiled", device->profiled);
    if (!device->profiled) {
      const char *reason = device->not_profiled_reason;
      vkm_json_reason(json, "profiled", reason != NULL ? reason : "not given");
    }
    vkm_json_string(json, "end", device->end, "not given");
    write_period(json, device->timestamp_period_ns);
    vkm_write_clock(json, device);
    vkm_write_memory(json, device);
    write_families(json, device);
    write_enabled(json, device);
    write_capabilities(json, device);
    vkm_json_u64(json, "pipelines_dropped", device->pipelines_dropped);
    vkm_json_u64(json, "presents", device->presents);
    write_other_labels(json, &device->other_labels);
    vkm_json_close(json, '}');
  }
  vkm_json_close(json, ']');
}

static void write_busy(struct vkm_json *json, const struct vkm_busy *busy) {
  static const char reason[] = "nothing was measured on this queue";
  if (!busy->any) {
    vkm_json_null(json, "busy_ns", reason);
    vkm_json_null(json, "idle_ns", reason);
    vkm_json_null(json, "first_ns", reason);
    vkm_json_null(json, "last_ns", reason);
    return;
  }
  int64_t busy_ns = vkm_busy_total_ns(busy);
  vkm_json_i64(json, "busy_ns", busy_ns);
  vkm_json_i64(json, "idle_ns", busy->last_ns - busy->first_ns - busy_ns);
  vkm_json_i64(json, "first_ns", busy->first_ns);
  vkm_json_i64(json, "last_ns", busy->last_ns);
}

void vkm_write_queues(struct vkm_document *document) {
  struct vkm_json *json = &document->json;
  vkm_json_open(json, "queues", '[');
  for (size_t i = 0; i < document->profile->device_count; i++) {
    const struct vkm_profile_device *device = &document->profile->devices[i];
    for (size_t j = 0; j < device->queue_count; j++) {
      const struct vkm_profile_queue *queue = &device->queues[j];
      vkm_json_open(json, NULL, '{');
      vkm_json_u64(json, "device", i);
      vkm_json_u64(json, "family", queue->family);
      vkm_json_u64(json, "index", queue->index);
      write_queue_flags(json, queue->flags);
      vkm_json_u64(json, "submissions", queue->submissions);
      vkm_json_u64(json, "command_buffers", queue->command_buffers);
      write_busy(json, &queue->busy);
      vkm_json_string(json, "origin",
                      device->clock_source == VKM_CLOCK_NONE ? "first_stamp" : "run_start", NULL);
      vkm_json_close(json, '}');
    }
  }
  vkm_json_close(json, ']');
}
