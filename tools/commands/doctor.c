/* vkmeter doctor. In: this machine. Out: what vkmeter can measure on it, and what is in its way. */
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "commands/commands.h"
#include "deliver.h"
#include "doctor/diagnosis.h"
#include "message.h"
#include "views/term.h"

static bool has_variable(const struct vkm_diagnosis *diagnosis, const char *name) {
  for (size_t i = 0; i < diagnosis->variable_count; i++) {
    if (strcmp(diagnosis->variables[i], name) == 0) {
      return true;
    }
  }
  return false;
}

static size_t report(const char *problem) {
  if (*problem) {
    vkm_error("%s", problem);
  }
  return *problem ? 1 : 0;
}

static size_t report_selftest(const char *name, const struct vkm_selftest *selftest) {
  if (vkm_selftest_good(selftest)) {
    return 0;
  }
  if (selftest->attribution != VKM_ATTRIBUTION_RIGHT) {
    vkm_error("%s: attribution is %s: %s; do not trust times of this device and driver", name,
              selftest->attribution == VKM_ATTRIBUTION_WRONG ? "wrong" : "not known",
              selftest->why);
  }
  if (selftest->wrong_results > 0) {
    vkm_error("%s: %d of %d results are wrong: the driver does not execute what it is given", name,
              selftest->wrong_results, selftest->runs);
  }
  if (!vkm_selftest_placed(selftest)) {
    vkm_error("%s: %d of %d times lie outside their submission, %d are out of order; do not trust "
              "when something began",
              name, selftest->outside, selftest->placed, selftest->disordered);
  }
  return 1;
}

static size_t report_device(const struct vkm_diagnosed_device *device) {
  const char *name = device->device->values[1];
  if (*device->problem) {
    vkm_error("%s cannot be measured: %s", name, device->problem);
    return 1;
  }
  return device->tested ? report_selftest(name, &device->selftest) : 0;
}

static void warn(const struct vkm_diagnosis *diagnosis, size_t hardware_count) {
  if (has_variable(diagnosis, "DISABLE_VKMETER")) {
    vkm_warning("DISABLE_VKMETER is set: VKMETER=1 PROGRAM is not profiled; vkmeter run takes it "
                "away");
  }
  if (diagnosis->layers.count > 1) {
    vkm_warning("%zu manifests of the layer are found, one is used: %s; remove the others if that "
                "is not the one you mean",
                diagnosis->layers.count,
                diagnosis->layer_loaded ? diagnosis->layer_loaded : "none is loaded");
  }
  if (diagnosis->able_count > 0 && hardware_count == 0) {
    vkm_warning("only SOFTWARE drivers can be measured here: their times are no GPU times");
  }
}

/* The number of things that keep vkmeter from measuring, each reported. */
static size_t conclude(const struct vkm_diagnosis *diagnosis) {
  size_t problems = report(diagnosis->loader_problem) + report(diagnosis->layer_problem);
  size_t hardware_count = 0;
  for (size_t i = 0; i < diagnosis->driver_count; i++) {
    const struct vkm_diagnosed_driver *driver = &diagnosis->drivers[i];
    problems += report(driver->problem);
    for (size_t j = 0; j < driver->device_count; j++) {
      const struct vkm_diagnosed_device *device = &driver->devices[j];
      /* Without the layer there is one thing to say, and it was said. */
      problems += *diagnosis->layer_problem ? 0 : report_device(device);
      hardware_count += !*device->problem && device->described && !device->described->software;
    }
  }
  if (problems == 0 && diagnosis->device_count == 0) {
    problems += report("no driver has a device; install a driver (Debian: mesa-vulkan-drivers)");
  }
  warn(diagnosis, hardware_count);
  return problems;
}

struct vkm_outcome vkm_command_doctor(const struct vkm_args *args) {
  struct vkm_outcome outcome = {VKM_OUTCOME_TROUBLE, 0};
  if (args->operand_count > 0) {
    vkm_error("doctor takes no '%s'; see vkmeter help doctor", args->operands[0]);
    return outcome;
  }
  struct vkm_diagnosis diagnosis;
  if (vkm_diagnose(&diagnosis, args->selftest)) {
    struct vkm_view_settings settings = args->view;
    vkm_term_resolve(&settings, STDOUT_FILENO);
    struct vkm_text text;
    vkm_text_init(&text, SIZE_MAX);
    if (args->json) {
      vkm_view_doctor_json(&diagnosis, &text);
    } else {
      vkm_view_doctor(&diagnosis, &settings, &text);
    }
    if (vkm_deliver(NULL, &text)) {
      outcome.kind = conclude(&diagnosis) > 0 ? VKM_OUTCOME_GATE : VKM_OUTCOME_DONE;
    }
    vkm_text_finish(&text);
  }
  vkm_diagnosis_finish(&diagnosis);
  return outcome;
}
