/* JUnit's XML, whatever is tested. Each appends text; names are raw and are escaped here. Main
 * thread. */
#ifndef VKM_TOOLS_VIEWS_JUNIT_PARTS_H
#define VKM_TOOLS_VIEWS_JUNIT_PARTS_H

#include <stddef.h>

#include "base/text.h"

enum vkm_junit {
  VKM_JUNIT_PASSED = 0,
  VKM_JUNIT_FAILED,
  VKM_JUNIT_ERROR,
  VKM_JUNIT_SKIPPED,
  VKM_JUNIT_OUTCOMES,
};

/* `tag`: "<testsuites", with the blanks before it; `of`: cases by outcome. */
void vkm_junit_begin_suite(const char *tag, const char *name, const size_t *of,
                           struct vkm_text *text);
/* `class_name` NULL: vkmeter. `name` has no control characters. Leaves the tag of the case open. */
void vkm_junit_begin_case(const char *class_name, const struct vkm_text *name, double ns,
                          struct vkm_text *text);
/* Closes the tag: properties follow, and then vkm_junit_end_case_open. */
void vkm_junit_begin_properties(struct vkm_text *text);
/* Nothing where the value is NULL. */
void vkm_junit_property(const char *name, const char *value, struct vkm_text *text);
/* Ends the case: with what it came to, if that is not a pass. `message` has no control characters
 * but line ends. */
void vkm_junit_end_case(enum vkm_junit outcome, const char *type, const struct vkm_text *message,
                        struct vkm_text *text);
/* The same of a case that has properties. */
void vkm_junit_end_case_open(enum vkm_junit outcome, const char *type,
                             const struct vkm_text *message, struct vkm_text *text);

#endif
