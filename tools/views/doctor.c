/* What vkmeter doctor found. In: a diagnosis. Out: text. Next: stdout. */
#include "doctor/diagnosis.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"
#include "views/heading.h"
#include "views/term.h"
#include "views/units.h"
#include "views/view.h"

enum { LABEL = 26 };

struct sheet {
  const struct vkm_view_settings *settings;
  struct vkm_text *text;
};

static void words(struct sheet *sheet, const char *value) {
  vkm_term_name(sheet->text, value ? value : "unknown", 0, sheet->settings->ascii);
}

static void title(struct sheet *sheet, const char *value) {
  vkm_term_style(sheet->text, sheet->settings, VKM_STYLE_STRONG);
  words(sheet, value);
  vkm_term_style(sheet->text, sheet->settings, VKM_STYLE_PLAIN);
  vkm_text_string(sheet->text, "\n");
}

static void label(struct sheet *sheet, const char *name) {
  vkm_text_string(sheet->text, "  ");
  words(sheet, name);
  for (size_t i = strlen(name); i < LABEL; i++) {
    vkm_text_string(sheet->text, " ");
  }
  vkm_text_string(sheet->text, " ");
}

static void line(struct sheet *sheet, const char *name, const char *value) {
  label(sheet, name);
  words(sheet, value);
  vkm_text_string(sheet->text, "\n");
}

static void problem(struct sheet *sheet, const char *name, const char *value) {
  if (!*value) {
    return;
  }
  label(sheet, name);
  vkm_term_style(sheet->text, sheet->settings, VKM_STYLE_WARN);
  vkm_text_string(sheet->text, "PROBLEM: ");
  words(sheet, value);
  vkm_term_style(sheet->text, sheet->settings, VKM_STYLE_PLAIN);
  vkm_text_string(sheet->text, "\n");
}

static void time_of(struct sheet *sheet, double ns) {
  vkm_format_duration(sheet->text, ns, sheet->settings->ascii);
}

static void show_loader(struct sheet *sheet, const struct vkm_diagnosis *diagnosis) {
  title(sheet, "loader");
  const struct vkm_fact *loader = vkm_facts_find(&diagnosis->whole, "loader", 0);
  if (loader != NULL) {
    line(sheet, "library", loader->values[0]);
    line(sheet, "version", loader->values[1]);
  }
  problem(sheet, "state", diagnosis->loader_problem);
  for (size_t i = 0; i < diagnosis->variable_count; i++) {
    line(sheet, diagnosis->variables[i], diagnosis->values[i]);
  }
}

static void show_layer(struct sheet *sheet, const struct vkm_diagnosis *diagnosis) {
  title(sheet, "layer");
  for (size_t i = 0; i < diagnosis->layers.count; i++) {
    line(sheet, i == 0 ? "manifest" : "manifest, passed over", diagnosis->layers.items[i].path);
  }
  if (diagnosis->layer_loaded != NULL) {
    line(sheet, "loaded", diagnosis->layer_loaded);
  }
  problem(sheet, "state", diagnosis->layer_problem);
  const struct vkm_fact *layer = vkm_facts_find(&diagnosis->whole, "layer", 0);
  for (size_t i = 0; layer != NULL; layer = vkm_facts_find(&diagnosis->whole, "layer", ++i)) {
    if (layer->values[0] != diagnosis->layer_loaded) {
      line(sheet, "other layer", layer->values[0]);
    }
  }
}

static void show_drivers(struct sheet *sheet, const struct vkm_diagnosis *diagnosis) {
  title(sheet, "drivers");
  if (diagnosis->driver_count == 0) {
    line(sheet, "none", "no manifest of a driver was found");
  }
  for (size_t i = 0; i < diagnosis->driver_count; i++) {
    const struct vkm_diagnosed_driver *driver = &diagnosis->drivers[i];
    vkm_text_string(sheet->text, "  ");
    words(sheet, driver->manifest);
    vkm_text_string(sheet->text, ": ");
    if (driver->library == NULL) {
      vkm_text_string(sheet->text, "no manifest that can be read");
    } else if (driver->device_count == 0) {
      vkm_text_string(sheet->text, *driver->problem ? "failed" : "no device");
    } else {
      vkm_heading_plural(sheet->text, driver->device_count, "device", "devices");
    }
    vkm_text_string(sheet->text, "\n");
    problem(sheet, "state", driver->problem);
  }
}

static void show_family(struct sheet *sheet, const struct vkm_fact *fact) {
  static const char *const names[] = {"graphics",  "compute",      "transfer",    "sparse",
                                      "protected", "video decode", "video encode"};
  char name[32];
  (void)snprintf(name, sizeof name, "queue family %s", fact->values[1]);
  label(sheet, name);
  unsigned long flags = strtoul(fact->values[2], NULL, 10);
  for (size_t bit = 0; bit < VKM_COUNT(names); bit++) {
    if ((flags >> bit & 1) != 0) {
      vkm_text_string(sheet->text, names[bit]);
      vkm_text_string(sheet->text, ", ");
    }
  }
  vkm_heading_plural(sheet->text, strtoul(fact->values[3], NULL, 10), "queue", "queues");
  vkm_text_string(sheet->text, ", ");
  bool timed = strcmp(fact->values[4], "0") != 0;
  vkm_text_string(sheet->text, timed ? fact->values[4] : "no timestamps");
  vkm_text_string(sheet->text, timed ? " bits of timestamp\n" : "\n");
}

static void show_capabilities(struct sheet *sheet, const struct vkm_read_device *device) {
  if (device->has_period) {
    label(sheet, "tick");
    time_of(sheet, device->period_ns);
    vkm_text_string(sheet->text, "\n");
  }
  for (size_t i = 0; i < device->capability_count; i++) {
    const struct vkm_read_capability *capability = &device->capabilities[i];
    label(sheet, capability->name);
    vkm_text_string(sheet->text, capability->available ? "yes\n" : "no: ");
    if (!capability->available) {
      words(sheet, capability->reason ? capability->reason : "no reason given");
      vkm_text_string(sheet->text, "\n");
    }
  }
}

static void show_count(struct sheet *sheet, const char *name, int good, int all, const char *what) {
  label(sheet, name);
  if (all == 0) {
    vkm_text_string(sheet->text, "not known: no clock is common to device and host\n");
    return;
  }
  vkm_text_i64(sheet->text, good);
  vkm_text_string(sheet->text, " of ");
  vkm_text_i64(sheet->text, all);
  vkm_text_string(sheet->text, what);
}

static void show_figures(struct sheet *sheet, const struct vkm_selftest *selftest) {
  label(sheet, "  medians alone");
  time_of(sheet, (double)selftest->median_ns[VKM_POSITION_H_1]);
  vkm_text_string(sheet->text, " heavy, ");
  time_of(sheet, (double)selftest->median_ns[VKM_POSITION_L_1]);
  vkm_text_string(sheet->text, " light");
  if (selftest->has_bias) {
    vkm_text_string(sheet->text, ", ");
    time_of(sheet, (double)selftest->median_ns[VKM_POSITION_E_1]);
    vkm_text_string(sheet->text, " nothing");
  }
  vkm_text_string(sheet->text, "\n");
  label(sheet, "  bias");
  vkm_text_string(sheet->text, selftest->after_heavy_ns < 0 ? "" : "+");
  vkm_text_i64(sheet->text, selftest->after_heavy_ns);
  vkm_text_string(sheet->text, " ns light after heavy against light alone");
  if (selftest->has_bias) {
    vkm_text_string(sheet->text, "; light alone ");
    vkm_text_string(sheet->text, selftest->above_empty_ns < 0 ? "" : "+");
    vkm_text_i64(sheet->text, selftest->above_empty_ns);
    vkm_text_string(sheet->text, " ns against an empty pair of stamps");
  }
  vkm_text_string(sheet->text, "\n");
}

static void show_selftest(struct sheet *sheet, const struct vkm_selftest *selftest, bool software) {
  static const char *const verdicts[] = {"NOT KNOWN", "right", "WRONG"};
  label(sheet, "self test");
  vkm_text_string(sheet->text, "attribution ");
  vkm_text_string(sheet->text, verdicts[selftest->attribution]);
  if (*selftest->why) {
    vkm_text_string(sheet->text, ": ");
    words(sheet, selftest->why);
  }
  vkm_text_string(sheet->text, software ? " (SOFTWARE driver: no GPU times)\n" : "\n");
  if (selftest->known[VKM_POSITION_H_1] && selftest->known[VKM_POSITION_L_1]) {
    show_figures(sheet, selftest);
  }
  if (selftest->compared > 0) {
    show_count(sheet, "  light beside heavy", selftest->compared - selftest->reversed,
               selftest->compared, " comparisons: the light one took less\n");
    show_count(sheet, "  stamps", selftest->placed - selftest->outside, selftest->placed,
               " times inside their submission");
    if (selftest->placed > 0) {
      vkm_text_string(sheet->text, ", ");
      vkm_text_i64(sheet->text, selftest->disordered);
      vkm_text_string(sheet->text, " out of order\n");
    }
  }
  if (selftest->runs > 0) {
    show_count(sheet, "  results", selftest->runs - selftest->wrong_results, selftest->runs,
               " right\n");
  }
}

static void show_device(struct sheet *sheet, const struct vkm_diagnosed_driver *driver,
                        const struct vkm_diagnosed_device *device) {
  static const char *const types[] = {"other", "integrated GPU", "discrete GPU", "virtual GPU",
                                      "CPU"};
  const struct vkm_read_device *described = device->described;
  unsigned long type = strtoul(device->device->values[2], NULL, 10);
  bool software = described != NULL ? described->software : type == VKM_COUNT(types) - 1;
  title(sheet, device->device->values[1]);
  label(sheet, "type");
  vkm_text_string(sheet->text, type < VKM_COUNT(types) ? types[type] : "unknown");
  vkm_text_string(sheet->text,
                  software ? ": a SOFTWARE driver, its times are no GPU times\n" : "\n");
  line(sheet, "API version", device->device->values[3]);
  if (described != NULL && described->driver_name != NULL) {
    line(sheet, "driver", described->driver_name);
    line(sheet, "driver version",
         described->driver_info != NULL && *described->driver_info ? described->driver_info
                                                                   : described->driver_version);
  }
  const struct vkm_fact *family = vkm_facts_find(&driver->facts, "family", 0);
  for (size_t i = 0; family != NULL; family = vkm_facts_find(&driver->facts, "family", ++i)) {
    if (strcmp(family->values[0], device->device->values[0]) == 0) {
      show_family(sheet, family);
    }
  }
  if (described != NULL) {
    show_capabilities(sheet, described);
  }
  problem(sheet, "can be measured", device->problem);
  if (!*device->problem) {
    line(sheet, "can be measured", "yes");
  }
  if (device->tested) {
    show_selftest(sheet, &device->selftest, software);
  }
}

void vkm_view_doctor(const struct vkm_diagnosis *diagnosis,
                     const struct vkm_view_settings *settings, struct vkm_text *text) {
  struct sheet sheet = {settings, text};
  show_loader(&sheet, diagnosis);
  if (vkm_facts_find(&diagnosis->whole, "no_loader", 0) != NULL) {
    return;
  }
  show_layer(&sheet, diagnosis);
  show_drivers(&sheet, diagnosis);
  for (size_t i = 0; i < diagnosis->driver_count; i++) {
    for (size_t j = 0; j < diagnosis->drivers[i].device_count; j++) {
      show_device(&sheet, &diagnosis->drivers[i], &diagnosis->drivers[i].devices[j]);
    }
  }
}
