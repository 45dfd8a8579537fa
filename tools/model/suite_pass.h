/* Runs of one workload in one way, and the figures made of them. In: samples, profiles, a report of
 * these. Next: suite_results. Main thread. */
#ifndef VKM_TOOLS_MODEL_SUITE_PASS_H
#define VKM_TOOLS_MODEL_SUITE_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/overhead.h"
#include "model/sample.h"
#include "model/suite_file.h"

struct vkm_report;
struct vkm_side;

/* Never mixed: each has processes of its own. */
enum vkm_suite_phase {
  VKM_PHASE_COLD = 0,   /* one run with empty caches */
  VKM_PHASE_TIMING,     /* what figures and verdicts are of */
  VKM_PHASE_ISOLATED,   /* each command alone on the device */
  VKM_PHASE_SUBMIT,     /* whole submissions */
  VKM_PHASE_STATISTICS, /* what the driver's compiler says, code and ISA dumped */
  VKM_PHASE_CONTROL,    /* pairs with and without vkmeter */
  VKM_SUITE_PHASES,
};
/* "cold", ...; static. */
const char *vkm_suite_phase_name(enum vkm_suite_phase phase);
/* VKMETER_MODE of the phase; static. */
const char *vkm_suite_phase_mode(enum vkm_suite_phase phase);

/* Over the good samples that have the value. */
struct vkm_suite_figures {
  size_t count;                 /* 0: nothing below is known */
  double min, median, p90, max; /* p90: nearest rank */
};

struct vkm_suite_sample {
  struct vkm_sample run;
  bool has_profile, has_gpu, has_memory;
  double gpu_ns; /* something that was timed ran on a queue; sum over queues */
  uint64_t executed, measured, control; /* dispatches */
  uint64_t device_peak_bytes;           /* what the program allocated of the devices, at most */
  char *profile;                        /* name in the folder of the pass; owned */
};

/* A row of the report. Strings are owned; NULL: not known. */
struct vkm_suite_kernel {
  char *name, *family, *phase;
  uint32_t groups[3];
  bool has_groups, has_figures, has_share;
  uint64_t calls; /* timed, over all runs */
  int64_t total_ns;
  double median_ns, share;
};
/* Why commands have no time. */
struct vkm_suite_untimed {
  char *outcome, *name;
  uint64_t count;
};

struct vkm_suite_pass {
  enum vkm_suite_phase phase;
  unsigned warmups, repeats;        /* as asked for */
  char *folder;                     /* in that of the suite: "NAME/DEVICE/timing"; owned */
  struct vkm_suite_sample *samples; /* owned */
  size_t sample_count;
  size_t good_count;
  struct vkm_suite_figures wall, gpu, resident, device_memory;
  struct vkm_overhead overhead; /* of VKM_PHASE_CONTROL */
  /* Of its good profiles. */
  char *device, *driver; /* that most was executed on; NULL: none */
  bool software;
  uint64_t executed, measured, control;
  struct vkm_suite_kernel *kernels;  /* most time first, at most VKM_SUITE_KERNELS; owned */
  size_t kernel_count, kernel_rows;  /* shown, and all */
  struct vkm_suite_untimed *untimed; /* owned */
  size_t untimed_count;
  struct vkm_suite_figures *spent; /* of each budget of the workload; owned */
};
enum { VKM_SUITE_KERNELS = 20 };

/* Makes room for `count` samples. False: out of memory, reported; finish is needed in any case. */
bool vkm_suite_pass_init(struct vkm_suite_pass *pass, enum vkm_suite_phase phase, size_t count)
    __attribute__((warn_unused_result));
/* Takes what `side` (profiles of the good runs) and `report` (of the side; NULL: there is no
 * profile) say; the samples are there already. False: out of memory, reported. */
bool vkm_suite_pass_take(struct vkm_suite_pass *pass, const struct vkm_workload *workload,
                         const struct vkm_side *side, const struct vkm_report *report)
    __attribute__((warn_unused_result));
void vkm_suite_pass_finish(struct vkm_suite_pass *pass);

#endif
