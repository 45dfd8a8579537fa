/* The sections of the document, one file a group of them. Private to the writer. Each appends to
 * document->json; failure shows in its text, or is returned. */
#ifndef VKM_PROFILE_PROFILE_WRITE_SECTIONS_H
#define VKM_PROFILE_PROFILE_WRITE_SECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "measure/sort.h"
#include "measure/stats.h"
#include "profile/profile.h"
#include "profile/profile_write_json.h"

#define VKM_NO_DEVICE SIZE_MAX
enum { VKM_VERSION_TEXT_BYTES = 48 };

struct vkm_document {
  const struct vkm_profile *profile; /* borrowed */
  struct vkm_json json;
  size_t main_device; /* the device that `environment` and `contract` describe, or VKM_NO_DEVICE */
  bool sample_times;  /* setting sample_times: begins of samples are written too */
  struct vkm_place *places;          /* owned; by number of row, those of all devices in order */
  struct vkm_family_answer *answers; /* owned; by number of pipeline */
  size_t place_count;
  int64_t row_median_ns; /* of the row written last; its mean without samples, 0 not measured */
};

/* profile_write_environment.c */
void vkm_write_run(struct vkm_document *document);
VKM_MUST_CHECK enum vkm_status vkm_write_environment(struct vkm_document *document);
void vkm_write_contract(struct vkm_document *document);
void vkm_write_clock(struct vkm_json *json, const struct vkm_profile_device *device);
/* "1.3.230" of a packed version. */
void vkm_api_version_text(uint32_t version, char text[VKM_VERSION_TEXT_BYTES]);
const char *vkm_device_type_name(uint32_t device_type);

/* profile_write_device.c */
void vkm_write_devices(struct vkm_document *document);
void vkm_write_queues(struct vkm_document *document);

/* profile_write_memory.c */
void vkm_write_memory(struct vkm_json *json, const struct vkm_profile_device *device);

/* profile_write_breakdown.c */
VKM_MUST_CHECK enum vkm_status vkm_write_breakdown(struct vkm_document *document);

/* profile_write_pipeline.c */
void vkm_write_pipelines(struct vkm_document *document);
/* Ids are "p" and a number that is unique in the document: the first of a device's pipelines. */
uint64_t vkm_first_pipeline_number(const struct vkm_profile *profile, size_t device);
void vkm_pipeline_id(uint64_t number, char text[VKM_VERSION_TEXT_BYTES]);

/* profile_write_places.c: to which family and phase each row belongs. */
struct vkm_place {
  const char *phase; /* not NULL, borrowed */
  enum vkm_family family;
  int64_t median_ns; /* set when the row is written */
};
/* Fills places and answers. */
VKM_MUST_CHECK enum vkm_status vkm_write_places(struct vkm_document *document);
void vkm_write_places_finish(struct vkm_document *document);

/* profile_write_groups.c: the sections families and phases; kernels were written before. */
VKM_MUST_CHECK enum vkm_status vkm_write_groups(struct vkm_document *document);
void vkm_write_rules_rejected(struct vkm_json *json, const struct vkm_rules *rules);

/* profile_write_executable.c: members of a pipeline, of its create, of its subgroup_size */
void vkm_write_executables(struct vkm_json *json, const struct vkm_profile_pipeline *pipeline);
void vkm_write_compile(struct vkm_json *json, const struct vkm_profile_compile *compile);
void vkm_write_reported_subgroup_size(struct vkm_json *json,
                                      const struct vkm_profile_pipeline *pipeline);

/* profile_write_kernel.c */
VKM_MUST_CHECK enum vkm_status vkm_write_kernels(struct vkm_document *document);

/* profile_write_times.c: the members of a kernel row that tell of time. */
struct vkm_row_scratch {   /* room to sort one row's samples in; starts as zeros */
  struct vkm_keyed *keyed; /* twice the capacity: the sort needs as much again */
  int64_t *values;
  size_t capacity;
};
void vkm_row_scratch_finish(struct vkm_row_scratch *scratch);
VKM_MUST_CHECK enum vkm_status vkm_row_scratch_reserve(struct vkm_row_scratch *scratch,
                                                       size_t count);
/* Room for all kept samples was reserved. Leaves them ascending in `values`. */
void vkm_row_sort(struct vkm_row_scratch *scratch, const struct vkm_samples *samples);
/* Of the `count` values that are there in order, rounded; 0 for none. */
int64_t vkm_row_quantile(const struct vkm_row_scratch *scratch, size_t count, double q);
/* Leaves the places of the kept samples, in order of harvest, in keyed[].index. */
void vkm_row_order(struct vkm_row_scratch *scratch, const struct vkm_samples *samples);
VKM_MUST_CHECK enum vkm_status vkm_write_times(struct vkm_document *document,
                                               struct vkm_row_scratch *scratch,
                                               const struct vkm_kernel_row *row);

/* profile_write_plan.c */
VKM_MUST_CHECK enum vkm_status vkm_write_plans(struct vkm_document *document);
/* profile_write_plan_groups.c: the plan's members families and phases. Room for all samples of its
 * marks is reserved; `first_place` is that of the device's first row. */
VKM_MUST_CHECK enum vkm_status vkm_write_plan_groups(struct vkm_document *document,
                                                     struct vkm_row_scratch *scratch,
                                                     const struct vkm_plan *plan,
                                                     uint64_t first_place);
/* The members of overhead that tell how much the stamps disturbed: over the control pairs of all
 * plans. */
VKM_MUST_CHECK enum vkm_status vkm_write_instrumentation(struct vkm_document *document);

/* profile_write_coverage.c */
void vkm_write_coverage(struct vkm_document *document);
/* profile_write_trace.c */
void vkm_write_trace(struct vkm_document *document);

VKM_MUST_CHECK enum vkm_status vkm_write_overhead(struct vkm_document *document);
/* The members of outcomes: their sum under `sum_key`, then measured, control and the reasons. */
void vkm_write_outcomes(struct vkm_json *json, const char *sum_key,
                        const struct vkm_outcomes *outcomes);

/* profile_write_fingerprint.c: hash over the sorted set of (identity, kind, groups) executed. */
VKM_MUST_CHECK enum vkm_status vkm_plan_fingerprint(const struct vkm_profile *profile,
                                                    struct vkm_hash *hash);

#endif
