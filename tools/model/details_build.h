/* Builds the details of sections. Part of report.c. Main thread. Every function is false when out
 * of memory; what was built so far is freed with the section. */
#ifndef VKM_TOOLS_MODEL_DETAILS_BUILD_H
#define VKM_TOOLS_MODEL_DETAILS_BUILD_H

#include "model/details.h"
#include "model/names.h"
#include "model/report.h"
#include "model/row.h"

/* The profiles and where their devices count. */
struct vkm_inputs {
  const struct vkm_read_profile *profiles;
  size_t count;
  const size_t *runs;            /* of each profile: index of the first profile of its run */
  const size_t *const *sections; /* of each profile: the section of each of its devices */
};

/* What one kernel of a profile adds to the parts that it belongs to. */
struct vkm_contribution {
  const char *key; /* of the parts that are being made */
  const struct vkm_kernel_ref *ref;
  size_t row;
  uint64_t calls, warmup_count;
  int64_t total_ns;
  bool has_time;
};
/* Of `ref`, in row number `row`: warm-up is set aside but where the row is nothing else. */
struct vkm_contribution vkm_contribution_of(const struct vkm_kernel_ref *ref, size_t row,
                                            unsigned warmup, bool only_first_use);
/* Families, phases and shaders from the contributions, which are put into another order. */
bool vkm_details_parts(struct vkm_details *details, struct vkm_contribution *contributions,
                       size_t count) __attribute__((warn_unused_result));

/* Needs the shaders among the parts. */
bool vkm_details_pipelines(struct vkm_details *details, const struct vkm_inputs *inputs,
                           size_t section, const struct vkm_names *names)
    __attribute__((warn_unused_result));
bool vkm_details_plans(struct vkm_details *details, const struct vkm_inputs *inputs, size_t section)
    __attribute__((warn_unused_result));
bool vkm_details_queues(struct vkm_details *details, const struct vkm_inputs *inputs,
                        size_t section) __attribute__((warn_unused_result));
bool vkm_details_heaps(struct vkm_details *details, const struct vkm_inputs *inputs, size_t section)
    __attribute__((warn_unused_result));
/* Needs the counts and reasons of the section. */
bool vkm_details_outcomes(struct vkm_section *section) __attribute__((warn_unused_result));
void vkm_details_finish(struct vkm_details *details);

void vkm_breakdown_build(struct vkm_breakdown *breakdown, const struct vkm_inputs *inputs);

/* Order of rows with most time first. */
int vkm_by_total(int64_t left, int64_t right);
/* part of whole, 0 of nothing. */
double vkm_share_of(int64_t part, int64_t whole);

#endif
