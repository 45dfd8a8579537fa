/* What the program's threads spend inside the driver, by what for, and how that lies beside the
 * work of the devices. In: entering and leaving, with times of one clock. Out: sums and exact
 * unions. Constant memory. Not thread safe: the caller holds a lock. */
#ifndef VKM_MEASURE_ACTIVITY_H
#define VKM_MEASURE_ACTIVITY_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/spans.h"

enum vkm_activity {
  VKM_ACTIVITY_BUILD = 0, /* pipelines, shader modules, shader objects */
  VKM_ACTIVITY_CREATE,    /* instances and devices */
  VKM_ACTIVITY_MAP,
  VKM_ACTIVITY_UNMAP,
  VKM_ACTIVITY_FLUSH,
  VKM_ACTIVITY_INVALIDATE,
  VKM_ACTIVITY_HOST_COPY, /* between images and host memory, by the host */
  VKM_ACTIVITY_SUBMIT,
  VKM_ACTIVITY_WAIT,
  VKM_ACTIVITY_COUNT
};

struct vkm_activity_sum {
  uint64_t count;   /* calls that have returned */
  int64_t sum_ns;   /* of these, over all threads */
  int64_t union_ns; /* time in which at least one thread was inside */
};

struct vkm_activity_state {
  struct vkm_activity_sum sum;
  uint32_t inside;            /* threads */
  int64_t since_ns, until_ns; /* when the first of them entered; when the last one left before */
};

/* Zero-initialized: nothing has happened. */
struct vkm_activities {
  struct vkm_activity_state each[VKM_ACTIVITY_COUNT], any;
  bool began;
  int64_t first_ns;                /* when the first thread entered anything */
  struct vkm_spans builds, active; /* builds that ended; devices executing recordings */
  struct vkm_spans accounted;      /* of any kind, and devices executing */
  int64_t build_while_active_ns;
  uint64_t untied; /* executions whose place on this clock is not known */
};

/* As of `now_ns`, with calls under way. */
struct vkm_activity_figures {
  struct vkm_activity_sum each[VKM_ACTIVITY_COUNT];
  int64_t wall_ns;      /* since the first of them */
  int64_t any_ns;       /* at least one thread was inside any */
  int64_t active_ns;    /* a device was executing */
  int64_t accounted_ns; /* either */
  int64_t build_while_active_ns;
  bool overlap_known; /* false: the next line says why active, accounted and build_while are not */
  const char *overlap_reason;
};

void vkm_activities_enter(struct vkm_activities *activities, enum vkm_activity kind,
                          int64_t now_ns);
void vkm_activities_leave(struct vkm_activities *activities, enum vkm_activity kind,
                          int64_t began_ns, int64_t now_ns);
/* A device executed a recording from then to then. */
void vkm_activities_device(struct vkm_activities *activities, int64_t begin_ns, int64_t end_ns);
void vkm_activities_read(const struct vkm_activities *activities, int64_t now_ns,
                         struct vkm_activity_figures *figures);

#endif
