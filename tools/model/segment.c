/* Segments. In: a profile. Out: what two of them have to share. Next: baseline, comparison. */
#include "model/segment.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "kernel/identity.h"
#include "model/require.h"

const struct vkm_read_device *vkm_segment_device(const struct vkm_read_profile *profile) {
  const struct vkm_read_device *main_device = NULL;
  uint64_t most = 0;
  for (size_t i = 0; i < profile->device_count; i++) {
    uint64_t executed = vkm_executed_on(profile, i);
    if (main_device == NULL || executed > most) {
      main_device = &profile->devices[i];
      most = executed;
    }
  }
  return main_device;
}

void vkm_driver_text(const struct vkm_read_device *device, char *text, size_t size) {
  bool has_info = device->driver_info != NULL && *device->driver_info;
  snprintf(text, size, "%s%s%s", device->driver_name ? device->driver_name : "",
           device->driver_name ? " " : "", has_info ? device->driver_info : device->driver_version);
}

static void append(struct vkm_text *text, const char *name, const char *value) {
  vkm_text_string(text, name);
  vkm_text_string(text, "=");
  if (value != NULL) {
    vkm_text_json(text, value);
  } else {
    vkm_text_string(text, "null");
  }
  vkm_text_string(text, "\n");
}

static void describe(const struct vkm_read_profile *profile, struct vkm_text *text) {
  static const struct vkm_read_device none = {.name = NULL};
  const struct vkm_read_device *device = vkm_segment_device(profile);
  device = device != NULL ? device : &none;
  append(text, "os", profile->os);
  append(text, "kernel", profile->kernel);
  append(text, "arch", profile->arch);
  append(text, "cpu", profile->cpu);
  append(text, "device_name", device->name);
  append(text, "device_type", device->type);
  append(text, "driver_name", device->driver_name);
  append(text, "driver_info", device->driver_info);
  append(text, "driver_version", device->driver_version);
  append(text, "vkmeter_version", profile->run.vkmeter_version);
  append(text, "mode", profile->mode);
  append(text, "workload_tag", profile->workload_tag);
  for (size_t i = 0; i < profile->chosen.count; i++) {
    append(text, profile->chosen.items[i].name, profile->chosen.items[i].value);
  }
}

bool vkm_segment_same(const struct vkm_read_profile *left, const struct vkm_read_profile *right) {
  struct vkm_text texts[2];
  vkm_text_init(&texts[0], SIZE_MAX);
  vkm_text_init(&texts[1], SIZE_MAX);
  describe(left, &texts[0]);
  describe(right, &texts[1]);
  bool same = !texts[0].failed && !texts[1].failed && strcmp(texts[0].data, texts[1].data) == 0;
  vkm_text_finish(&texts[0]);
  vkm_text_finish(&texts[1]);
  return same;
}

bool vkm_segment_key(const struct vkm_read_profile *profile, char key[VKM_SEGMENT_KEY_BYTES]) {
  struct vkm_text text;
  vkm_text_init(&text, SIZE_MAX);
  describe(profile, &text);
  bool good = !text.failed;
  if (good) {
    vkm_hash_text(vkm_hash_bytes(text.data, text.length_bytes), key);
  }
  vkm_text_finish(&text);
  return good;
}
