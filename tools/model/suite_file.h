/* A file of workloads: vkmeter.workloads/1, workloads.schema.json. What people write by hand, so it
 * is read more strictly than what vkmeter writes: a member that nobody knows is an error, too. Main
 * thread. */
#ifndef VKM_TOOLS_MODEL_SUITE_FILE_H
#define VKM_TOOLS_MODEL_SUITE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile_read.h"

struct vkm_keep;

enum vkm_suite_mode { VKM_SUITE_QUICK = 0, VKM_SUITE_FULL, VKM_SUITE_DIAGNOSE, VKM_SUITE_MODES };
/* "quick", ...; static. */
const char *vkm_suite_mode_name(enum vkm_suite_mode mode);

/* Ends in NULL beyond `count`. */
struct vkm_suite_words {
  const char **items; /* owned */
  size_t count;
};

/* What programs are to run on, chosen by their environment. */
struct vkm_suite_device {
  const char *name;
  const char *kind;    /* "cpu" or "gpu"; static */
  const char *require; /* as --require; never NULL: without one that of the kind */
  struct vkm_read_pairs environment;
  struct vkm_suite_words needs; /* programs and files without which it is not there */
};

enum vkm_suite_budget_of {
  VKM_BUDGET_WALL = 0,
  VKM_BUDGET_GPU,
  VKM_BUDGET_FAMILY,
  VKM_BUDGET_KERNEL
};
/* What the median over the runs may take. */
struct vkm_suite_budget {
  enum vkm_suite_budget_of of;
  const char *name; /* of the family or kernel; NULL else */
  double limit_ns;  /* a run; of a kernel: one execution */
};

/* From what on changes of whole runs matter; < 0: not given. */
struct vkm_suite_tolerance {
  double wall, wall_ns; /* a fraction, and what it has to come to */
  double memory, memory_bytes;
};

struct vkm_workload {
  const char *name;     /* letters, digits, . _ -; unique in the file */
  const char *category; /* never NULL */
  struct vkm_suite_words command, needs, validate;
  struct vkm_suite_words outputs; /* at most VKM_SAMPLE_OUTPUTS_MAX: files below the working
                                     directory, "stdout", "stderr" */
  int *output_decimals; /* of each, to which its numbers are rounded; -1: as it is. Owned */
  struct vkm_read_pairs environment;
  size_t *devices; /* indices, in order of preference; owned. None: whatever the program takes */
  size_t device_count;
  const char *require;    /* NULL: that of the device */
  const char *cold_group; /* NULL: none */
  bool quick;             /* flagged for the mode */
  unsigned warmups[VKM_SUITE_MODES], repeats[VKM_SUITE_MODES];
  int64_t timeout_ns;
  double floor_ns; /* < 0: not given */
  struct vkm_suite_tolerance tolerance;
  struct vkm_suite_budget *budgets; /* owned */
  size_t budget_count;
};

struct vkm_suite_file {
  char *path;                       /* as given; owned */
  char *directory;                  /* that it is in, absolute; owned */
  struct vkm_suite_device *devices; /* owned */
  size_t device_count;
  struct vkm_workload *workloads; /* owned, at least 1 */
  size_t workload_count;
  bool has_quick;        /* some are flagged: quick runs these alone */
  struct vkm_keep *keep; /* private: all strings */
};

/* False: reported with byte and line, and nothing is held. */
bool vkm_suite_file_read(struct vkm_suite_file *file, const char *path)
    __attribute__((warn_unused_result));
void vkm_suite_file_finish(struct vkm_suite_file *file);

#endif
