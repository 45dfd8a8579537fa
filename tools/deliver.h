/* Delivers a finished text. Main thread. */
#ifndef VKM_TOOLS_DELIVER_H
#define VKM_TOOLS_DELIVER_H

#include <stdbool.h>

#include "base/text.h"

/* To stdout (path NULL) or, whole or not at all, to a file; to the one that $GITHUB_STEP_SUMMARY
 * names it is appended; into a pipe or a device it is written. False: reported. */
bool vkm_deliver(const char *path, const struct vkm_text *text) __attribute__((warn_unused_result));
/* Bytes that will stand before a text delivered there. */
size_t vkm_deliver_before(const char *path);

#endif
