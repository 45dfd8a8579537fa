/* Values of a file of workloads. Part of suite_file.c: each leaves its output alone where the
 * member is absent, and fails `parse` where it is not as it has to be. Main thread. */
#ifndef VKM_TOOLS_MODEL_SUITE_FILE_PARTS_H
#define VKM_TOOLS_MODEL_SUITE_FILE_PARTS_H

#include "model/suite_file.h"
#include "profile/profile_read_value.h"

/* Every member of `object` has to be among `known`, which NULL ends. */
void vkm_suite_members(struct vkm_parse *parse, const struct vkm_value *object,
                       const char *const *known);
/* A name that can be a folder's. */
void vkm_suite_name(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                    const char **out);
/* The member "name" of a workload, whose folder lies beside the suite's own files. */
void vkm_suite_workload_name(struct vkm_parse *parse, const struct vkm_value *object,
                             const char **out);
/* The member "require". */
void vkm_suite_require(struct vkm_parse *parse, const struct vkm_value *object, const char **out);
/* A list of texts, at least one where the member is there. */
void vkm_suite_words(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                     enum vkm_value_need need, struct vkm_suite_words *out);
/* An object whose members are texts. */
void vkm_suite_pairs(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                     struct vkm_read_pairs *out);
/* A count for every mode, or an object with one for each that is named. */
void vkm_suite_counts(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                      unsigned least, unsigned out[VKM_SUITE_MODES]);
void vkm_suite_number(struct vkm_parse *parse, const struct vkm_value *object, const char *name,
                      double least, double most, double *out);
/* The member "budget". */
void vkm_suite_budgets(struct vkm_parse *parse, const struct vkm_value *object,
                       struct vkm_workload *workload);
/* The member "outputs". */
void vkm_suite_outputs(struct vkm_parse *parse, const struct vkm_value *object,
                       struct vkm_workload *workload);
/* The member "tolerance"; what it does not name is less than 0. */
void vkm_suite_tolerance(struct vkm_parse *parse, const struct vkm_value *object,
                         struct vkm_suite_tolerance *out);

#endif
