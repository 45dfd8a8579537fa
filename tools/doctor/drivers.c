/* Runs the probe for each driver. In: manifests. Out: devices, what the layer says of each, the
 * self test. Next: the view. */
#include "doctor/drivers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"

/* Runs the probe with this driver alone. The profile's path is `path`. */
static bool gather(const struct vkm_diagnosed_driver *driver, const char *const *arguments,
                   const char *path, int limit_s, struct vkm_facts *facts) {
  const struct vkm_variable changes[] = {{"VK_DRIVER_FILES", driver->manifest},
                                         {"VK_ICD_FILENAMES", driver->manifest},
                                         {"VK_ADD_DRIVER_FILES", NULL},
                                         {"VKMETER_OUTPUT", path}};
  return vkm_facts_gather(facts, arguments, changes, sizeof changes / sizeof changes[0], limit_s);
}

/* Takes the file away. False: there is none, or it cannot be read. */
static bool take_profile(const char *path, struct vkm_read_profile *profile) {
  struct vkm_read_error error;
  bool there = access(path, F_OK) == 0;
  bool good = there && vkm_profile_read(path, profile, &error) == VKM_OK;
  if (there && !good) {
    vkm_warning("cannot read what the layer wrote: %s", error.cause);
  }
  (void)unlink(path);
  return good;
}

bool vkm_facts_no_device(const struct vkm_fact *failed) {
  bool creating = strcmp(failed->values[0], "vkCreateInstance") == 0;
  return strcmp(failed->values[1], creating ? "-9" : "-3") == 0 &&
         (creating || strcmp(failed->values[0], "vkEnumeratePhysicalDevices") == 0);
}

static void judge_driver(struct vkm_diagnosed_driver *driver) {
  const struct vkm_facts *facts = &driver->facts;
  const struct vkm_fact *failed = vkm_facts_find(facts, "failed", 0);
  char *problem = driver->problem;
  size_t size = sizeof driver->problem;
  if (driver->library == NULL) { /* some loaders pass over it without a word, others fail */
    snprintf(problem, size,
             "the driver of '%s': it cannot be read as a manifest; install the "
             "driver again or leave the file out",
             driver->manifest);
  } else if (!facts->ended) {
    snprintf(problem, size, "the driver of '%s' %s%s%s", driver->manifest, facts->end,
             *facts->complaint ? "; last words: " : "", facts->complaint);
  } else if (failed != NULL && !vkm_facts_no_device(failed)) {
    snprintf(problem, size, "the driver of '%s': %s fails with VkResult %s%s%s", driver->manifest,
             failed->values[0], failed->values[1], *facts->complaint ? "; last words: " : "",
             facts->complaint);
  }
}

static const struct vkm_read_capability *capability(const struct vkm_read_device *device,
                                                    const char *name) {
  for (size_t i = 0; i < device->capability_count; i++) {
    if (strcmp(device->capabilities[i].name, name) == 0) {
      return &device->capabilities[i];
    }
  }
  return NULL;
}

static void judge_device(struct vkm_diagnosed_device *device, bool opened) {
  const struct vkm_read_device *described = device->described;
  const char *why = NULL;
  if (!opened) {
    why = "no device can be made of it";
  } else if (described == NULL) {
    why = "the layer did not see it";
  } else if (!described->profiled) {
    why = described->not_profiled_reason ? described->not_profiled_reason : "it is not profiled";
  } else {
    const struct vkm_read_capability *timestamps = capability(described, "timestamps");
    why = timestamps != NULL && !timestamps->available ? timestamps->reason : NULL;
  }
  snprintf(device->problem, sizeof device->problem, "%s", why != NULL ? why : "");
}

/* The layer describes devices in the order in which they were opened. */
static bool list_devices(struct vkm_diagnosed_driver *driver) {
  size_t count = 0;
  while (vkm_facts_find(&driver->facts, "device", count) != NULL) {
    count++;
  }
  driver->devices = calloc(count + 1, sizeof *driver->devices);
  if (driver->devices == NULL) {
    vkm_error("out of memory");
    return false;
  }
  driver->device_count = count;
  for (size_t i = 0; i < count; i++) {
    struct vkm_diagnosed_device *device = &driver->devices[i];
    device->device = vkm_facts_find(&driver->facts, "device", i);
    bool opened = false;
    size_t at = 0;
    for (const struct vkm_fact *fact; (fact = vkm_facts_find(&driver->facts, "opened", at)); at++) {
      if (strcmp(fact->values[0], device->device->values[0]) == 0) {
        opened = true;
        break;
      }
    }
    if (opened && driver->has_profile && at < driver->profile.device_count) {
      device->described = &driver->profile.devices[at];
    }
    judge_device(device, opened);
  }
  return true;
}

static void explain_failure(struct vkm_selftest *selftest, const struct vkm_facts *facts,
                            const struct vkm_fact *failed) {
  selftest->attribution = VKM_ATTRIBUTION_UNKNOWN;
  if (!facts->ended) {
    snprintf(selftest->why, sizeof selftest->why, "the test %s", facts->end);
  } else if (failed != NULL) {
    snprintf(selftest->why, sizeof selftest->why, "%s fails with VkResult %s", failed->values[0],
             failed->values[1]);
  } else {
    snprintf(selftest->why, sizeof selftest->why, "the layer left no profile of it");
  }
}

static bool test(struct vkm_diagnosed_driver *driver, struct vkm_diagnosed_device *device,
                 const char *path) {
  const char *const arguments[] = {"selftest", device->device->values[0], NULL};
  struct vkm_facts facts;
  if (!gather(driver, arguments, path, VKM_SELFTEST_LIMIT_S, &facts)) {
    return false;
  }
  device->tested = true;
  struct vkm_read_profile profile;
  const struct vkm_fact *failed = vkm_facts_find(&facts, "failed", 0);
  bool written = take_profile(path, &profile);
  if (written && profile.device_count > 0) {
    vkm_selftest_judge(&device->selftest, &profile, 0, &facts);
  }
  if (!facts.ended || failed != NULL || !written) {
    explain_failure(&device->selftest, &facts, failed);
  }
  if (written) {
    vkm_profile_read_finish(&profile);
  }
  vkm_facts_finish(&facts);
  return true;
}

static bool look(struct vkm_diagnosis *diagnosis, struct vkm_diagnosed_driver *driver,
                 bool selftest) {
  static const char *const arguments[] = {"devices", NULL};
  char *path = NULL;
  if (asprintf(&path, "%s/profile.json", diagnosis->folder) < 0) {
    vkm_error("out of memory");
    return false;
  }
  bool good = gather(driver, arguments, path, VKM_PROBE_LIMIT_S, &driver->facts);
  if (good) {
    driver->has_profile = take_profile(path, &driver->profile);
    judge_driver(driver);
    good = list_devices(driver);
  }
  for (size_t i = 0; good && i < driver->device_count; i++) {
    bool able = !*driver->devices[i].problem;
    diagnosis->device_count++;
    diagnosis->able_count += able;
    if (selftest && able) {
      good = test(driver, &driver->devices[i], path);
    }
  }
  free(path);
  return good;
}

bool vkm_drivers_look(struct vkm_diagnosis *diagnosis, bool selftest) {
  diagnosis->drivers = calloc(diagnosis->manifests.count + 1, sizeof *diagnosis->drivers);
  if (diagnosis->drivers == NULL) {
    vkm_error("out of memory");
    return false;
  }
  for (size_t i = 0; i < diagnosis->manifests.count; i++) {
    struct vkm_diagnosed_driver *driver = &diagnosis->drivers[diagnosis->driver_count++];
    driver->manifest = diagnosis->manifests.items[i].path;
    driver->library = diagnosis->manifests.items[i].library;
    if (!look(diagnosis, driver, selftest)) {
      return false;
    }
  }
  return true;
}

void vkm_drivers_finish(struct vkm_diagnosis *diagnosis) {
  for (size_t i = 0; i < diagnosis->driver_count; i++) {
    struct vkm_diagnosed_driver *driver = &diagnosis->drivers[i];
    if (driver->has_profile) {
      vkm_profile_read_finish(&driver->profile);
    }
    vkm_facts_finish(&driver->facts);
    free(driver->devices);
  }
  free(diagnosis->drivers);
}
