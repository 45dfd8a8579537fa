/* What vkmeter doctor found. In: this machine, the environment. Out: loader, layer, drivers and
 * devices, and what keeps vkmeter from measuring. Main thread. */
#ifndef VKM_TOOLS_DOCTOR_DIAGNOSIS_H
#define VKM_TOOLS_DOCTOR_DIAGNOSIS_H

#include <stdbool.h>
#include <stddef.h>

#include "doctor/facts.h"
#include "doctor/manifests.h"
#include "doctor/selftest.h"
#include "profile/profile_read.h"

struct vkm_diagnosed_device {
  const struct vkm_fact *device;           /* index, name, type, API version */
  const struct vkm_read_device *described; /* by the layer; NULL: it did not see the device */
  char problem[256];                       /* why it cannot be measured; empty: it can */
  bool tested;
  struct vkm_selftest selftest;
};

struct vkm_diagnosed_driver {
  const char *manifest, *library;
  struct vkm_facts facts;
  bool has_profile;
  struct vkm_read_profile profile;
  struct vkm_diagnosed_device *devices; /* owned */
  size_t device_count;
  char problem[1024]; /* it crashed, hung or failed; empty: nothing of the kind */
};

enum { VKM_VARIABLES_MAX = 20 };

struct vkm_diagnosis {
  /* What the user set that changes what a loader does, as it was before vkmeter changed anything.
   */
  const char *variables[VKM_VARIABLES_MAX];
  char *values[VKM_VARIABLES_MAX]; /* owned */
  size_t variable_count;

  struct vkm_facts whole; /* a process with all drivers, as a program is one */
  char loader_problem[1024];
  char layer_problem[1024];
  const char *layer_loaded; /* the library, NULL: it is not in the process */
  struct vkm_manifests layers;
  struct vkm_manifests manifests;       /* of drivers */
  struct vkm_diagnosed_driver *drivers; /* owned; one a manifest */
  size_t driver_count;
  size_t device_count, able_count; /* all, and those that can be measured */
  char *folder;                    /* for profiles of the probe, removed by finish; owned */
};

/* Looks; with `selftest` every device that can be measured runs the patterns. False: cannot look,
 * reported. Finish is needed in any case. */
bool vkm_diagnose(struct vkm_diagnosis *diagnosis, bool selftest)
    __attribute__((warn_unused_result));
void vkm_diagnosis_finish(struct vkm_diagnosis *diagnosis);

#endif
