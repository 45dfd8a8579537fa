/* Looks for devices. In: their environment. Out: there or not, and why. Next: suite_plan. */
#include "commands/suite_devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/suite_setup.h"
#include "doctor/drivers.h"
#include "doctor/facts.h"
#include "launch/environment.h"
#include "model/require.h"

/* VkPhysicalDeviceType as profiles call it. */
static const char *type_name(const char *number) {
  static const char *const names[] = {"other", "integrated_gpu", "discrete_gpu", "virtual_gpu",
                                      "cpu"};
  size_t index = (size_t)(*number - '0');
  return index < sizeof names / sizeof *names ? names[index] : "other";
}

static bool is_found(const struct vkm_facts *facts, const char *require) {
  const struct vkm_fact *device = NULL;
  for (size_t i = 0; (device = vkm_facts_find(facts, "device", i)) != NULL; i++) {
    const char *type = type_name(device->values[2]);
    if (vkm_requirement_fits(require, device->values[1], type, strcmp(type, "cpu") == 0)) {
      return true;
    }
  }
  return false;
}

static void judge(const struct vkm_facts *facts, const char *require,
                  struct vkm_suite_there *there) {
  const struct vkm_fact *first = vkm_facts_find(facts, "device", 0);
  there->there = is_found(facts, require);
  if (there->there) {
    return;
  }
  if (!facts->ended) {
    snprintf(there->why, sizeof there->why, "its driver %s", facts->end);
  } else if (first == NULL) {
    snprintf(there->why, sizeof there->why, "no driver has a device");
  } else {
    snprintf(there->why, sizeof there->why, "no device is %.100s, the first is %.200s", require,
             first->values[1]);
  }
}

/* With the environment of the device in force. False: reported. */
static bool probe(const struct vkm_suite_device *device, struct vkm_suite_there *there) {
  static const char *const arguments[] = {"devices", NULL};
  struct vkm_facts facts;
  if (!vkm_facts_gather(&facts, arguments, NULL, 0, VKM_PROBE_LIMIT_S)) {
    return false;
  }
  judge(&facts, device->require, there);
  vkm_facts_finish(&facts);
  return true;
}

static bool look(const struct vkm_suite_file *file, const struct vkm_suite_device *device,
                 struct vkm_suite_there *there) {
  struct vkm_suite_setup setup;
  char why[VKM_SETUP_WHY_BYTES] = "";
  enum vkm_setup_result result = vkm_suite_setup_device(&setup, file, device, why);
  bool good = result != VKM_SETUP_TROUBLE;
  snprintf(there->why, sizeof there->why, "%s", why);
  if (result == VKM_SETUP_DONE) {
    char **saved = vkm_environment_save();
    good = saved != NULL && vkm_suite_setup_apply(&setup) && probe(device, there);
    good = (saved == NULL || vkm_environment_restore(saved)) && good;
  }
  vkm_suite_setup_finish(&setup);
  return good;
}

bool vkm_suite_devices_look(const struct vkm_suite_file *file,
                            const struct vkm_suite_choice *choice, struct vkm_suite_there *there) {
  bool good = true;
  for (size_t i = 0; i < file->device_count && good; i++) {
    there[i] = (struct vkm_suite_there){false, ""};
    good = !vkm_suite_touches(file, choice, i) || look(file, &file->devices[i], &there[i]);
  }
  return good;
}
