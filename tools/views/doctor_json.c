/* What vkmeter doctor found, for programs. In: a diagnosis. Out: JSON, doctor.schema.json. */
#include <stdlib.h>
#include <string.h>

#include "count.h"
#include "doctor/diagnosis.h"
#include "views/members.h"
#include "views/view.h"

/* null where there is nothing to say. */
static void member_words(struct vkm_text *text, const char *name, const char *value) {
  vkm_member_text(text, name, value != NULL && *value ? value : NULL);
}

static void member_integer(struct vkm_text *text, const char *name, const char *digits) {
  vkm_member_count(text, name, strtoull(digits, NULL, 10));
}

static void append_loader(const struct vkm_diagnosis *diagnosis, struct vkm_text *text) {
  const struct vkm_fact *loader = vkm_facts_find(&diagnosis->whole, "loader", 0);
  vkm_member_open(text, "loader", "{");
  member_words(text, "library", loader != NULL ? loader->values[0] : NULL);
  member_words(text, "version", loader != NULL ? loader->values[1] : NULL);
  member_words(text, "problem", diagnosis->loader_problem);
  vkm_member_open(text, "variables", "{");
  for (size_t i = 0; i < diagnosis->variable_count; i++) {
    vkm_member_text(text, diagnosis->variables[i], diagnosis->values[i]);
  }
  vkm_text_string(text, "}}");
}

static void append_layer(const struct vkm_diagnosis *diagnosis, struct vkm_text *text) {
  vkm_member_open(text, "layer", "{");
  vkm_member_text(text, "loaded", diagnosis->layer_loaded);
  member_words(text, "problem", diagnosis->layer_problem);
  vkm_member_open(text, "manifests", "[");
  for (size_t i = 0; i < diagnosis->layers.count; i++) {
    vkm_member_next(text);
    vkm_text_json(text, diagnosis->layers.items[i].path);
  }
  vkm_text_string(text, "]");
  vkm_member_open(text, "other_layers", "[");
  const struct vkm_fact *layer = vkm_facts_find(&diagnosis->whole, "layer", 0);
  for (size_t i = 0; layer != NULL; layer = vkm_facts_find(&diagnosis->whole, "layer", ++i)) {
    if (layer->values[0] != diagnosis->layer_loaded) {
      vkm_member_next(text);
      vkm_text_json(text, layer->values[0]);
    }
  }
  vkm_text_string(text, "]}");
}

static void append_families(const struct vkm_facts *facts, const char *index,
                            struct vkm_text *text) {
  vkm_member_open(text, "queue_families", "[");
  const struct vkm_fact *family = vkm_facts_find(facts, "family", 0);
  for (size_t i = 0; family != NULL; family = vkm_facts_find(facts, "family", ++i)) {
    if (strcmp(family->values[0], index) == 0) {
      vkm_member_open(text, NULL, "{");
      member_integer(text, "index", family->values[1]);
      member_integer(text, "flags", family->values[2]);
      member_integer(text, "queues", family->values[3]);
      member_integer(text, "timestamp_valid_bits", family->values[4]);
      vkm_text_string(text, "}");
    }
  }
  vkm_text_string(text, "]");
}

/* Of what only the layer knows; null where it did not see the device. */
static void append_described(const struct vkm_read_device *device, struct vkm_text *text) {
  bool known = device != NULL;
  vkm_member_text(text, "driver_name", known ? device->driver_name : NULL);
  member_words(text, "driver_info", known ? device->driver_info : NULL);
  vkm_member_text(text, "driver_version", known ? device->driver_version : NULL);
  vkm_member_number(text, "tick_ns", known && device->has_period, known ? device->period_ns : 0);
  vkm_member_open(text, "capabilities", "{");
  for (size_t i = 0; known && i < device->capability_count; i++) {
    const struct vkm_read_capability *capability = &device->capabilities[i];
    vkm_member_open(text, capability->name, "{");
    vkm_member_bool(text, "available", capability->available);
    vkm_member_text(text, "reason", capability->available ? NULL : capability->reason);
    vkm_text_string(text, "}");
  }
  vkm_text_string(text, "}");
}

static void member_median(const struct vkm_selftest *selftest, const char *name, int position,
                          struct vkm_text *text) {
  vkm_member_number(text, name, selftest->known[position], (double)selftest->median_ns[position]);
}

static void append_selftest(const struct vkm_selftest *selftest, struct vkm_text *text) {
  static const char *const words[] = {"unknown", "right", "wrong"};
  bool timed = selftest->known[VKM_POSITION_H_1] && selftest->known[VKM_POSITION_L_1];
  vkm_member_open(text, "selftest", "{");
  vkm_member_bool(text, "good", vkm_selftest_good(selftest));
  vkm_member_text(text, "attribution", words[selftest->attribution]);
  member_words(text, "why", selftest->why);
  member_median(selftest, "heavy_ns", VKM_POSITION_H_1, text);
  member_median(selftest, "light_ns", VKM_POSITION_L_1, text);
  member_median(selftest, "nothing_ns", VKM_POSITION_E_1, text);
  vkm_member_number(text, "light_after_heavy_ns", timed, (double)selftest->after_heavy_ns);
  vkm_member_number(text, "light_above_nothing_ns", timed && selftest->has_bias,
                    (double)selftest->above_empty_ns);
  vkm_member_count(text, "neighbours", (uint64_t)selftest->compared);
  vkm_member_count(text, "neighbours_reversed", (uint64_t)selftest->reversed);
  vkm_member_count(text, "stamps_placed", (uint64_t)selftest->placed);
  vkm_member_count(text, "stamps_outside", (uint64_t)selftest->outside);
  vkm_member_count(text, "stamps_disordered", (uint64_t)selftest->disordered);
  vkm_member_count(text, "results", (uint64_t)selftest->runs);
  vkm_member_count(text, "results_wrong", (uint64_t)selftest->wrong_results);
  vkm_text_string(text, "}");
}

static void append_device(const struct vkm_diagnosed_driver *driver,
                          const struct vkm_diagnosed_device *device, struct vkm_text *text) {
  static const char *const types[] = {"other", "integrated_gpu", "discrete_gpu", "virtual_gpu",
                                      "cpu"};
  const struct vkm_read_device *described = device->described;
  unsigned long type = strtoul(device->device->values[2], NULL, 10);
  bool is_cpu = type == VKM_COUNT(types) - 1;
  vkm_member_open(text, NULL, "{");
  vkm_member_text(text, "name", device->device->values[1]);
  vkm_member_text(text, "type", type < VKM_COUNT(types) ? types[type] : NULL);
  vkm_member_bool(text, "software", described != NULL ? described->software : is_cpu);
  member_words(text, "api_version", device->device->values[3]);
  vkm_member_bool(text, "measurable", !*device->problem);
  member_words(text, "problem", device->problem);
  append_described(described, text);
  append_families(&driver->facts, device->device->values[0], text);
  if (device->tested) {
    append_selftest(&device->selftest, text);
  } else {
    vkm_member_text(text, "selftest", NULL);
  }
  vkm_text_string(text, "}");
}

static void append_driver(const struct vkm_diagnosed_driver *driver, struct vkm_text *text) {
  vkm_member_open(text, NULL, "{");
  vkm_member_text(text, "manifest", driver->manifest);
  vkm_member_text(text, "library", driver->library);
  member_words(text, "problem", driver->problem);
  vkm_member_open(text, "devices", "[");
  for (size_t i = 0; i < driver->device_count; i++) {
    append_device(driver, &driver->devices[i], text);
  }
  vkm_text_string(text, "]}");
}

void vkm_view_doctor_json(const struct vkm_diagnosis *diagnosis, struct vkm_text *text) {
  vkm_member_open(text, NULL, "{");
  vkm_member_text(text, "schema", "vkmeter.doctor/1");
  vkm_member_text(text, "tool", "vkmeter " VKM_VERSION);
  append_loader(diagnosis, text);
  append_layer(diagnosis, text);
  vkm_member_open(text, "drivers", "[");
  for (size_t i = 0; i < diagnosis->driver_count; i++) {
    append_driver(&diagnosis->drivers[i], text);
  }
  vkm_text_string(text, "]}\n");
}
