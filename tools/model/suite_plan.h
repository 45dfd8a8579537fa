/* What a suite is to run: lanes, one a workload and device. In: a file of workloads, what was asked
 * for, which devices are there. Next: commands/suite_lane. Pure but for messages. */
#ifndef VKM_TOOLS_MODEL_SUITE_PLAN_H
#define VKM_TOOLS_MODEL_SUITE_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "model/suite_file.h"

struct vkm_suite_choice {
  enum vkm_suite_mode mode;
  char *const *names; /* of workloads; none: all */
  size_t name_count;
  const char *const *categories; /* none: all */
  size_t category_count;
  const char *const *excluded;
  size_t excluded_count;
  const char *backend; /* auto, all, cpu, gpu or the name of a device */
  unsigned repeat;     /* 0: as the file says */
};

enum vkm_suite_status {
  VKM_SUITE_PLANNED = 0, /* not yet run */
  VKM_SUITE_OK,
  VKM_SUITE_ERROR,   /* a run failed, or the device that was asked for is not there */
  VKM_SUITE_SKIPPED, /* nothing was tried */
};
/* "planned", ...; static. */
const char *vkm_suite_status_name(enum vkm_suite_status status);

struct vkm_suite_planned {
  const struct vkm_workload *workload;
  const struct vkm_suite_device *device; /* NULL: the file has none */
  const char *require;                   /* NULL: nothing is required */
  enum vkm_suite_status status;          /* PLANNED, SKIPPED or ERROR */
  char reason[512];                      /* why, unless planned; or why it is instead_of */
  const char *instead_of; /* device that is preferred, and not there; NULL: this is the first */
  bool cold;              /* begins with a run whose caches are empty */
  unsigned warmups, repeats;
};

/* Whether a device of the file can be run on. */
struct vkm_suite_there {
  bool there;
  char why[384]; /* not */
};

struct vkm_suite_plan {
  struct vkm_suite_planned *items; /* in order of the file; owned */
  size_t count;
  size_t left_out;    /* workloads that the choice leaves out */
  bool fewer_repeats; /* than the file asks for */
  bool fell_back;     /* some lane is instead of another */
};

/* Which devices the choice can touch: their presence is to be found out before the plan is made. */
bool vkm_suite_touches(const struct vkm_suite_file *file, const struct vkm_suite_choice *choice,
                       size_t device);
/* Whether everything that is chosen by name is there. False: reported. */
bool vkm_suite_choice_check(const struct vkm_suite_file *file,
                            const struct vkm_suite_choice *choice)
    __attribute__((warn_unused_result));
/* `there`: of each device of the file. False: nothing is left to run, or out of memory; reported.
 */
bool vkm_suite_plan_make(struct vkm_suite_plan *plan, const struct vkm_suite_file *file,
                         const struct vkm_suite_choice *choice, const struct vkm_suite_there *there)
    __attribute__((warn_unused_result));
void vkm_suite_plan_finish(struct vkm_suite_plan *plan);

#endif
