/* Settings. In: a settings file, the application, environment variables VKMETER_<NAME>. Out: values
 * in force, and what was not understood. */
#ifndef VKM_LAYER_SETTINGS_H
#define VKM_LAYER_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "profile/profile.h"

enum {
#define VKM_SETTING(name, form, field, low, high, choices, otherwise, accepted) VKM_AT_##name,
#include "settings.def"
#undef VKM_SETTING
  VKM_SETTING_COUNT,
  VKM_TAG_CAP = 32,
  VKM_REJECTED_CAP = 32
};

/* Timing contract, section 2. */
enum vkm_mode { VKM_MODE_INLINE = 0, VKM_MODE_SUBMIT, VKM_MODE_ISOLATED };
extern const char *const vkm_mode_names[];

/* PIPELINE_STATISTICS: of which pipelines the driver's compiler is asked for its figures. */
enum vkm_statistics_wish { VKM_STATISTICS_OFF, VKM_STATISTICS_COMPUTE, VKM_STATISTICS_ALL };

/* Both ends belong to it; `last` UINT64_MAX: without an end. */
struct vkm_range {
  uint64_t first, last;
};
/* Which part of the run is timed, see choice.h. Texts may be empty: nothing is left out. */
struct vkm_chosen_part {
  struct vkm_range submissions; /* CAPTURE_SUBMISSIONS */
  struct vkm_range time_ns;     /* CAPTURE_TIME: since the first device; its end lies outside */
  const char *label;            /* CAPTURE_LABEL: glob */
  const char *kernel;           /* CAPTURE_KERNEL: regular expression that compiles */
  const char *trigger;          /* CAPTURE_TRIGGER: path */
};

struct vkm_settings {
  const char *output;      /* OUTPUT: path with placeholders; NULL: one was given but not kept */
  const char *run;         /* RUN: id of the run, the same in all its processes; empty: make one */
  uint64_t sequence;       /* SEQUENCE: of the run among repeats, from 0; fits 32 bits */
  int mode;                /* MODE: enum vkm_mode */
  uint64_t control_every;  /* CONTROL_EVERY: 0 never */
  uint64_t stamp_limit;    /* MAX_STAMPS_PER_RECORDING: 0 none */
  bool indirect_geometry;  /* INDIRECT_GEOMETRY: group counts of indirect dispatches are copied */
  uint64_t samples;        /* SAMPLES: kept a kernel row */
  bool sample_times;       /* SAMPLE_TIMES */
  uint64_t query_cap;      /* MAX_QUERIES: per device */
  bool enable_features;    /* ENABLE_FEATURES: whether the layer may add extensions and features */
  const char *dump_spirv;  /* DUMP_SPIRV: folder for code by hash, absolute; empty: none */
  const char *rules;       /* RULES: file of rules for families and phases, absolute; empty: none */
  int phase_digits;        /* PHASE_DIGITS: 0 collapse, 1 keep */
  int pipeline_statistics; /* PIPELINE_STATISTICS: enum vkm_statistics_wish */
  const char *dump_isa;    /* DUMP_ISA: folder for what compilers made, absolute; empty: none */
  const char *process;     /* PROCESS: globs with commas between; empty: every program */
  struct vkm_chosen_part capture;
  const char *trace;       /* TRACE: path with placeholders; empty: no timeline */
  int trace_style;         /* TRACE_STYLE: enum vkm_trace_style */
  uint64_t trace_min_us;   /* TRACE_MIN_US: shorter calls are left out */
  uint64_t trace_limit_mb; /* TRACE_LIMIT_MB: of the file */
  uint64_t trace_rate;     /* TRACE_RATE: events a second, 0: no limit */
  struct vkm_named_text in_force[VKM_SETTING_COUNT];
  size_t in_force_count;
  struct vkm_named_text tags[VKM_TAG_CAP];
  size_t tag_count;
  struct vkm_setting_rejected rejected[VKM_REJECTED_CAP];
  size_t rejected_count;
};

/* The defaults. Texts are owned by the settings and live as long as the process; a value that
 * there is no memory for is listed among the rejected ones. One thread, also for all that follows.
 */
void vkm_settings_start(struct vkm_settings *settings);
/* One value from anywhere; the name in either case, without a prefix. What is not understood is
 * listed, and what was in force stays. */
void vkm_settings_offer(struct vkm_settings *settings, const char *name, const char *value);
/* The sources, in rising precedence: vk_layer_settings.txt (`vkmeter_profile.<name> = value`; in
 * the file or folder that VK_LAYER_SETTINGS_PATH names, else in the working directory),
 * VK_EXT_layer_settings, VKMETER_<NAME>. */
void vkm_settings_file(struct vkm_settings *settings);
void vkm_settings_application(struct vkm_settings *settings, const VkInstanceCreateInfo *info);
void vkm_settings_environment(struct vkm_settings *settings);

#endif
