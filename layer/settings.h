/* Settings. In: environment variables VKMETER_<NAME>. Out: values in force, and what was not
 * understood. */
#ifndef VKM_LAYER_SETTINGS_H
#define VKM_LAYER_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"

enum { VKM_SETTING_COUNT = 8, VKM_TAG_CAP = 32, VKM_REJECTED_CAP = 32 };

struct vkm_settings {
  char *output; /* OUTPUT: path with placeholders */
  char *run; /* RUN: id of the run, shared by all its processes; empty: the process makes its own */
  uint64_t samples;     /* SAMPLES: kept a kernel row */
  bool sample_times;    /* SAMPLE_TIMES */
  uint64_t query_cap;   /* MAX_QUERIES: per device */
  bool enable_features; /* ENABLE_FEATURES: whether the layer may add extensions and features */
  struct vkm_named_text in_force[VKM_SETTING_COUNT];
  size_t in_force_count;
  struct vkm_named_text tags[VKM_TAG_CAP];
  size_t tag_count;
  struct vkm_setting_rejected rejected[VKM_REJECTED_CAP];
  size_t rejected_count;
};

/* Reads the environment. Texts are owned by the settings and live as long as the process. Without
 * memory the defaults are used. One thread. */
void vkm_settings_read(struct vkm_settings *settings);

#endif
