/* The profile as plain structures: what the layer hands to the writer. Everything is borrowed from
 * the caller for the time of the call. Strings may be NULL (unknown, written as null) and may hold
 * any bytes. Meaning of the fields: src/README.md and profile.schema.json. */
#ifndef VKM_PROFILE_PROFILE_H
#define VKM_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/family.h"
#include "kernel/identity.h"
#include "kernel/rules.h"
#include "measure/activity.h"
#include "measure/aggregate.h"
#include "measure/busy.h"
#include "measure/plan.h"
#include "profile/profile_executable.h"
#include "profile/profile_memory.h"
#include "profile/profile_trace.h"

#define VKM_PROFILE_SCHEMA "vkmeter.profile/1"

struct vkm_named_text {
  const char *name, *value;
};
struct vkm_named_count {
  const char *name;
  uint64_t count;
};
/* A setting that was not understood: what was given, where, and what would have been accepted. */
struct vkm_setting_rejected {
  const char *name, *value, *accepted;
};

struct vkm_profile_run {
  const char *id; /* unique text */
  int64_t started_unix_ns;
  int64_t duration_ns;          /* from start to this writing */
  int64_t started_monotonic_ns; /* CLOCK_MONOTONIC at start: what begin_ns counts from */
  int64_t pid;
  const char *executable; /* path of /proc/self/exe */
  const char *application_name, *engine_name;
  uint32_t application_version, engine_version;
  uint32_t api_version; /* of the instance, packed; 0 unknown */
  uint32_t sequence;
  const struct vkm_named_text *tags;
  size_t tag_count;
  const struct vkm_named_text *settings; /* every setting in force */
  size_t setting_count;
  const struct vkm_setting_rejected *settings_rejected;
  size_t setting_rejected_count;
  const char *vkmeter_version;
};

struct vkm_profile_host {
  const char *os, *kernel, *arch, *cpu;
};

enum vkm_clock_source { VKM_CLOCK_NONE = 0, VKM_CLOCK_CALIBRATED, VKM_CLOCK_BRACKETED };

struct vkm_profile_heap {
  uint64_t size_bytes;
  bool device_local;
};
struct vkm_profile_family {
  uint32_t flags; /* VkQueueFlags */
  uint32_t timestamp_valid_bits;
  uint32_t queue_count;
};
struct vkm_profile_capability {
  const char *name; /* "host_query_reset", "calibrated_timestamps", ... */
  bool available;
  const char *reason; /* why not; NULL when available */
};

struct vkm_profile_queue {
  uint32_t family, index;
  uint32_t flags; /* VkQueueFlags of the family */
  uint64_t submissions, command_buffers;
  struct vkm_busy
      busy; /* ns since run start where clock.source is not none, else since the first stamp */
};

struct vkm_profile_create { /* vkCreateComputePipelines calls that made this identity */
  uint64_t count;
  int64_t wall_ns;      /* of the first; a call that makes n pipelines counts 1/n to each */
  bool between_submits; /* once at least, its thread created it between two submissions */
};

enum { VKM_HITCHES_KEPT = 16, VKM_SUBMIT_BUCKETS = 33 };
/* A pipeline that a thread created between two of its submissions. */
struct vkm_profile_hitch {
  size_t device;
  uint32_t pipeline; /* of the device; VKM_NO_PIPELINE: one that is not tracked */
  int64_t wall_ns;
};
struct vkm_profile_hitches {
  uint64_t count, ns;
  uint64_t untracked; /* beyond the list of those that wait for the next submission */
  struct vkm_profile_hitch worst[VKM_HITCHES_KEPT]; /* longest first */
  uint32_t worst_count;
};

/* Unions over the queues of a device, of what was measured. */
struct vkm_profile_gpu {
  bool known; /* false: the reason, static, says why; the figures mean nothing */
  const char *reason;
  int64_t busy_ns, run_ns, transfer_ns; /* any; work; moving bytes */
  int64_t unsplit_ns;                   /* control recordings that did both */
  int64_t idle_ns;                      /* between the first and the last, not busy */
};

struct vkm_profile_pipeline {
  struct vkm_hash identity;
  struct vkm_hash spirv_hash;
  bool has_spirv; /* false: no code was seen (module identifier, binary), reason below */
  const char *spirv_reason;
  uint64_t spirv_bytes;
  const char *name;        /* debug-utils name, or NULL */
  const char *module_name; /* debug-utils name of the shader module, or NULL */
  const char *entry_point;
  enum vkm_pipeline_kind kind;
  const struct vkm_spirv_kernel *kernel; /* never NULL; may be unknown */
  uint32_t required_subgroup_size;       /* 0 none */
  uint32_t
      layout_push_constant_bytes; /* of the pipeline layout's compute ranges; UINT32_MAX unknown */
  struct vkm_profile_create create;
  struct vkm_profile_compile compile;                /* of the first creation */
  const struct vkm_profile_executables *executables; /* NULL: the reason below */
  const char *no_executables_reason;
  int64_t first_use_ns;            /* ns since run start when first submitted, INT64_MIN never */
  struct vkm_family_answer family; /* by rules without a label, names, code */
  const char *rule_phase;          /* by rules without a label, NULL none */
};

/* Labels opened whose path found no place of its own: they count in the phase VKM_PHASE_OTHER. */
struct vkm_profile_other_labels {
  uint64_t beyond_cap, too_long, out_of_memory;
};
enum { VKM_PHASE_UNLABELLED = 0, VKM_PHASE_OTHER = 1 };

struct vkm_profile_device {
  const char *name, *driver_name,
      *driver_info;   /* driver_*: NULL when VkPhysicalDeviceDriverProperties is not there */
  uint32_t driver_id; /* VkDriverId, 0 unknown */
  uint32_t driver_version, api_version; /* as the driver packs them */
  uint32_t vendor_id, device_id;
  uint32_t device_type; /* VkPhysicalDeviceType */
  uint8_t device_uuid[16];
  bool has_uuid;
  bool software; /* device type CPU or a known software driver */
  bool profiled;
  const char *not_profiled_reason;
  double timestamp_period_ns; /* as reported; may be inf or NaN: written as null with the reason */
  const struct vkm_profile_heap *heaps;
  size_t heap_count;
  const struct vkm_profile_family *families;
  size_t family_count;
  const char *const *enabled_by_vkmeter; /* extension and feature names */
  size_t enabled_by_vkmeter_count;
  const struct vkm_profile_capability *capabilities;
  size_t capability_count;
  const char *end; /* "alive" | "destroyed" | "lost" */

  enum vkm_clock_source clock_source;
  const char *clock_domain;       /* "CLOCK_MONOTONIC", "CLOCK_MONOTONIC_RAW" or NULL */
  int64_t clock_max_deviation_ns; /* INT64_MIN unknown */
  bool clock_mismatch;

  struct vkm_profile_memory memory;
  struct vkm_profile_gpu gpu;
  /* Submit calls by the dispatches that they execute: [0] none, [n] from 2^(n-1) to 2^n - 1. */
  uint64_t dispatches_per_submit[VKM_SUBMIT_BUCKETS];

  const struct vkm_profile_queue *queues;
  size_t queue_count;
  const struct vkm_profile_pipeline *pipelines; /* key.pipeline of the rows indexes these */
  size_t pipeline_count;
  uint64_t pipelines_dropped;
  const char *const *phases; /* see VKM_PHASE_*; of the first there is no text */
  size_t phase_count;
  struct vkm_profile_other_labels other_labels;
  uint64_t presents; /* calls of vkQueuePresentKHR that succeeded */
  /* Rows in order of first sight; the writer changes nothing in them. */
  struct vkm_kernel_row *const *rows;
  size_t row_count;
  struct vkm_outcomes overflow[VKM_KIND_COUNT]; /* executions of rows beyond the cap */
  uint64_t recorded[VKM_KIND_COUNT];            /* commands recorded, whether executed or not */
  /* In order of first sight. Their rows are indices of `rows`; one that is not there is left out.
   */
  const struct vkm_plan *plans;
  size_t plan_count;
  struct vkm_plan_other plans_other;

  /* overhead */
  uint64_t stamps_written; /* timestamp commands recorded by us */
  uint64_t marks_recorded;
  uint64_t submits, submit_ns;   /* our own time inside submit hooks */
  uint64_t collects, collect_ns; /* our own time reading and sorting results */
  /* Commands whose hooks were timed, 0 = none; what they took, each with its part of what begin and
   * end of recordings take. */
  uint64_t record_sample_count, record_sample_ns;
  uint64_t peak_bytes; /* our own memory for this device: marks, queries, samples */
  uint64_t queries_in_use, queries_peak;
};

struct vkm_profile {
  bool complete;
  const char
      *end_reason; /* exit | device_destroyed | checkpoint | device_lost | layer_disabled:REASON */
  struct vkm_profile_run run;
  struct vkm_profile_host host;
  struct vkm_activity_figures activity;
  struct vkm_profile_hitches hitches;
  int64_t resident_peak_bytes;         /* of the process, -1 unknown */
  const char *mode;                    /* "inline", "submit" or "isolated" */
  uint64_t control_every;              /* 0: none is */
  bool indirect_geometry;              /* group counts of indirect dispatches were copied */
  const struct vkm_named_text *chosen; /* what narrows the part that is timed; none: all is */
  size_t chosen_count;
  const struct vkm_profile_device *devices; /* in order of creation */
  size_t device_count;
  uint64_t devices_dropped;
  const struct vkm_profile_trace *trace; /* NULL: none was asked for */
  const struct vkm_rules *rules;         /* NULL: none were given */
  /* Commands that the program looked up and vkmeter does not know; NULL: not tracked (written as
   * null). */
  const struct vkm_named_count *not_intercepted;
  size_t not_intercepted_count;
};

#endif
