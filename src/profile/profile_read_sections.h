/* The sections of a profile document, in the order they have to be read. Part of profile_read; main
 * thread. Each fills its part of `profile`; failure shows in parse->failed. */
#ifndef VKM_PROFILE_PROFILE_READ_SECTIONS_H
#define VKM_PROFILE_PROFILE_READ_SECTIONS_H

#include "profile/profile_read.h"
#include "profile/profile_read_value.h"

/* profile_read_environment.c */
void vkm_read_run(struct vkm_parse *parse, const struct vkm_value *root,
                  struct vkm_read_profile *profile);
void vkm_read_environment(struct vkm_parse *parse, const struct vkm_value *root,
                          struct vkm_read_profile *profile);
void vkm_read_devices(struct vkm_parse *parse, const struct vkm_value *root,
                      struct vkm_read_profile *profile);

/* profile_read_kernel.c; kernels need devices and pipelines */
void vkm_read_pipelines(struct vkm_parse *parse, const struct vkm_value *root,
                        struct vkm_read_profile *profile);
void vkm_read_kernels(struct vkm_parse *parse, const struct vkm_value *root,
                      struct vkm_read_profile *profile);
void vkm_read_queues(struct vkm_parse *parse, const struct vkm_value *root,
                     struct vkm_read_profile *profile);

/* profile_read_groups.c */
void vkm_read_groups(struct vkm_parse *parse, const struct vkm_value *root,
                     struct vkm_read_profile *profile);
/* profile_read_plan.c; plans need devices, and are optional */
void vkm_read_plans(struct vkm_parse *parse, const struct vkm_value *root,
                    struct vkm_read_profile *profile);
void vkm_read_plans_finish(struct vkm_read_profile *profile);
/* profile_read_breakdown.c; the breakdown needs devices */
void vkm_read_memory(struct vkm_parse *parse, const struct vkm_value *device,
                     struct vkm_read_memory *out);
void vkm_read_breakdown(struct vkm_parse *parse, const struct vkm_value *root,
                        struct vkm_read_profile *profile);

/* profile_read_executable.c; of one pipeline, all of it optional */
void vkm_read_compile(struct vkm_parse *parse, const struct vkm_value *pipeline,
                      struct vkm_read_pipeline *out);
/* profile_read_shape.c; of one pipeline, all of it optional */
void vkm_read_shape(struct vkm_parse *parse, const struct vkm_value *pipeline,
                    struct vkm_read_pipeline *out);
/* Three numbers, into `out`. False: absent or null. */
bool vkm_read_triple(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                     enum vkm_value_need need, uint32_t out[3]);
void vkm_read_executables_finish(struct vkm_read_pipeline *pipeline);

/* profile_read_coverage.c */
void vkm_read_outcomes(struct vkm_parse *parse, const struct vkm_value *object,
                       const char *sum_name, struct vkm_read_outcomes *out);
void vkm_read_coverage(struct vkm_parse *parse, const struct vkm_value *root,
                       struct vkm_read_profile *profile);
/* profile_read_trace.c */
void vkm_read_trace(struct vkm_parse *parse, const struct vkm_value *root,
                    struct vkm_read_profile *profile);
void vkm_read_overhead(struct vkm_parse *parse, const struct vkm_value *root,
                       struct vkm_read_profile *profile);

/* An index into an array of `count`, of member `name`. */
size_t vkm_read_index(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                      size_t count);

#endif
