/* What a kernel is for. In: its names, and what is counted in its code. Out: a family. Next room:
 * profile. All functions: any thread, no memory, cannot fail. */
#ifndef VKM_KERNEL_FAMILY_H
#define VKM_KERNEL_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/spirv.h"
#include "measure/aggregate.h"

/* See families.def. */
enum vkm_family {
#define VKM_FAMILY(name, meaning) VKM_FAMILY_##name,
#include "kernel/families.def"
#undef VKM_FAMILY
  VKM_FAMILY_COUNT
};
extern const char *const vkm_family_names[VKM_FAMILY_COUNT];
/* VKM_FAMILY_COUNT: there is none of this name. */
enum vkm_family vkm_family_named(const char *name, size_t length);

/* Who said so: a user's rule, a name, the code; or nobody, then the family is unclassified. */
enum vkm_family_source {
  VKM_FAMILY_BY_NONE = 0,
  VKM_FAMILY_BY_RULE,
  VKM_FAMILY_BY_NAME,
  VKM_FAMILY_BY_SPIRV
};
extern const char *const vkm_family_source_names[4];
struct vkm_family_answer {
  enum vkm_family family;
  enum vkm_family_source source;
};

/* What people call a kernel; each may be NULL or empty. The first that says something counts. */
struct vkm_kernel_names {
  const char *pipeline, *module; /* of debug-utils */
  const char *entry_point;
  const char *function;    /* OpName of the entry point */
  const char *source_file; /* OpSource */
};

/* By the words of one text, see tokens.def; unclassified when they say nothing. */
enum vkm_family vkm_family_of_text(const char *text);
/* By what the code does; see family.c for the rules. */
enum vkm_family vkm_family_of_counts(const struct vkm_spirv_counts *counts);
/* By the names, else by the code. */
struct vkm_family_answer vkm_family_of_kernel(const struct vkm_kernel_names *names,
                                              const struct vkm_spirv_counts *counts);
/* Of commands that run no pipeline; unclassified for those that do. */
enum vkm_family vkm_family_of_kind(enum vkm_kind kind);

#endif
