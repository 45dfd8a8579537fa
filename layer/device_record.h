/* What the profile will say of a device: plain memory that outlives the VkDevice. In: facts at
 * creation, results from timing/collect. Out: snapshot.c copies it into the profile model. */
#ifndef VKM_LAYER_DEVICE_RECORD_H
#define VKM_LAYER_DEVICE_RECORD_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernel/identity.h"
#include "measure/aggregate.h"
#include "measure/busy.h"
#include "measure/plan.h"
#include "measure/ticks.h"
#include "memory.h"
#include "own_time.h"
#include "phases.h"
#include "profile/profile.h"
#include "timing/cost.h"

enum {
  VKM_FAMILY_CAP = 16,
  VKM_QUEUE_CAP = 64,
  VKM_PIPELINE_CAP = 65536,
  VKM_ROW_CAP = 65536,
};

/* One pipeline identity. Never freed before the process ends: recordings point to it without
 * counting. */
struct vkm_pipeline_record {
  uint32_t index;
  enum vkm_pipeline_kind kind;
  struct vkm_hash identity, spirv_hash;
  bool has_spirv;
  const char *spirv_reason; /* static */
  uint64_t spirv_bytes;
  char *name, *module_name, *entry_point; /* owned; name is set under the record's lock */
  uint32_t required_subgroup_size;
  uint32_t layout_push_constant_bytes;
  struct vkm_spirv_kernel kernel;
  struct vkm_family_answer family; /* this and the next as the name: under the record's lock */
  const char *rule_phase;          /* borrowed from the rules; NULL none */
  uint64_t create_count;
  int64_t create_wall_ns;
  atomic_bool chosen;                 /* setting capture_kernel matches; without one never set */
  struct vkm_profile_compile compile; /* of the first creation */
  /* Read once, then never changed or freed; set under the record's lock. */
  struct vkm_profile_executables *executables;
  const char *no_executables_reason; /* static; of the last creation */
  atomic_bool executables_claimed;   /* one thread reads them */
  atomic_bool between_submits;       /* see hitches.h */
  atomic_bool recorded;              /* a dispatch of it was recorded before */
  uint32_t row_count;                /* its rows of the aggregate; the record's lock */
  int64_t first_use_ns;              /* CLOCK_MONOTONIC, INT64_MIN never */
  struct vkm_pipeline_record *next_same_bucket;
};

/* What device time was for. */
enum vkm_device_time {
  VKM_DEVICE_TIME_RUN = 0,  /* work */
  VKM_DEVICE_TIME_TRANSFER, /* moving bytes */
  VKM_DEVICE_TIME_UNSPLIT,  /* control recordings that did both */
  VKM_DEVICE_TIMES
};

/* One queue's figures. */
struct vkm_queue_record {
  uint32_t family, index;
  uint64_t submissions, command_buffers; /* device's submissions' lock */
  /* Guarded by the record's lock: */
  struct vkm_tick_line line;               /* ns since the queue's first stamp */
  struct vkm_busy busy;                    /* in ns of `line` */
  struct vkm_busy time[VKM_DEVICE_TIMES];  /* in ns of `line`, by what it was for */
  int64_t bracket_low_ns, bracket_high_ns; /* bounds for CLOCK_MONOTONIC minus line ns */
  int64_t bracket_line_ns;                 /* where the bounds hold: elsewhere they are wider */
  bool bracketed;
  int64_t calibrated_offset_ns; /* CLOCK_MONOTONIC minus line ns by calibration, at: */
  int64_t calibrated_line_ns;
  double calibrated_drift; /* change of the offset a ns of the line, from the last two */
  bool calibrated;
  uint64_t calibration_ticks; /* last calibration: device ticks and the host's clock */
  int64_t calibration_host_ns;
  uint64_t calibration_serial;
};

struct vkm_calibration {
  uint64_t serial; /* counts calibrations; 0 none yet */
  uint64_t device_ticks;
  int64_t host_ns;
  int64_t max_deviation_ns;
};

struct vkm_device_record {
  struct vkm_device_record *_Atomic next; /* owned by session.c, in order of creation */
  pthread_mutex_t lock;                   /* leaf: aggregate, queues, phases, names, calibration */

  /* Facts, written before the record is published and not changed after. */
  uint32_t number; /* in order of creation, from 0 */
  char *name, *driver_name, *driver_info;
  uint32_t driver_id, driver_version, api_version, vendor_id, device_id, device_type;
  uint8_t device_uuid[16];
  bool has_uuid, software, profiled;
  const char *not_profiled_reason; /* static */
  double timestamp_period_ns;
  uint32_t heap_count, family_count, enabled_count, capability_count;
  struct vkm_profile_heap heaps[16];
  struct vkm_profile_family families[VKM_FAMILY_CAP];
  struct vkm_tick_clock clocks[VKM_FAMILY_CAP]; /* all 0 where the family's is not usable */
  const char *enabled_by_vkmeter[8];
  struct vkm_profile_capability capabilities[16];
  char families_reason[128]; /* of a capability: which families have no timestamps */
  const char *clock_domain;

  struct vkm_memory memory; /* with a lock of its own */

  /* Guarded by `lock`. */
  const char *end; /* "alive" | "destroyed" | "lost" */
  bool final;      /* the device is gone: from here on nothing of this changes any more */
  const char *disabled_reason;
  struct vkm_aggregate aggregate;
  struct vkm_plans plans;
  struct vkm_queue_record *queues[VKM_QUEUE_CAP]; /* owned; the first queue_count are there */
  struct vkm_pipeline_record **pipelines;
  uint32_t queue_count, pipeline_count, pipeline_capacity;
  uint64_t pipelines_dropped;
  struct vkm_pipeline_record *pipeline_buckets[1024]; /* by identity */
  struct vkm_phases phases;
  struct vkm_queue_record *time_first; /* the first queue that was measured, NULL: none */
  int64_t time_first_offset_ns;        /* CLOCK_MONOTONIC minus its line, INT64_MIN unknown */
  bool clock_mismatch;
  bool time_merged; /* another one was: from then on the next three count */
  struct vkm_busy busy, time[VKM_DEVICE_TIMES];       /* of all queues, on CLOCK_MONOTONIC */
  uint64_t time_untied;                               /* intervals that could not be put there */
  uint64_t dispatches_per_submit[VKM_SUBMIT_BUCKETS]; /* device's submissions' lock */
  uint8_t phase_choices[VKM_PHASE_CAP];               /* owned by choice.c */
  struct vkm_calibration calibration;
  uint64_t bytes, peak_bytes;
  uint64_t queries_peak; /* once the device is destroyed; before, its slots know */

  /* Counters of hooks, relaxed. */
  atomic_uint_fast64_t recorded[VKM_KIND_COUNT];
  atomic_uint_fast64_t presents;
  _Atomic uint32_t frame; /* phase of what is submitted without a label; 0 before any present */
  atomic_uint_fast64_t stamps_written, marks_recorded;
  struct vkm_own_time submit, collect;
  struct vkm_recording_cost recording;
};

/* Of 32-bit machines too: a counter across two cache lines would not be read whole. */
_Static_assert(alignof(atomic_uint_fast64_t) == sizeof(uint64_t), "counters are aligned");

/* NULL when memory is short. `sample_cap`: samples kept a kernel row; `keep_digits`: of labels. */
struct vkm_device_record *vkm_device_record_create(size_t sample_cap, bool keep_digits);
void vkm_device_record_destroy(struct vkm_device_record *record);

/* Adds a queue: `*at` is its index, UINT32_MAX for one beyond the caps. False: memory is short. Any
 * thread. */
bool vkm_device_record_queue(struct vkm_device_record *record, uint32_t family, uint32_t index,
                             uint32_t *at);

/* The record with this identity: `candidate` itself when it is new (the record then owns it), else
 * the older one (the candidate stays the caller's). NULL when neither could be stored. Any thread.
 */
struct vkm_pipeline_record *vkm_device_record_pipeline(struct vkm_device_record *record,
                                                       struct vkm_pipeline_record *candidate);
/* Sets the name a person gave, when it has none yet. Any thread. */
void vkm_device_record_name(struct vkm_device_record *record, struct vkm_pipeline_record *pipeline,
                            const char *name);
/* Counts memory of the layer for this device; negative gives back. Any thread. */
void vkm_device_record_bytes(struct vkm_device_record *record, int64_t bytes);

#endif
