/* Workflow commands of GitHub Actions. Main thread. */
#ifndef VKM_TOOLS_VIEWS_GITHUB_H
#define VKM_TOOLS_VIEWS_GITHUB_H

#include "base/text.h"

/* A step shows ten of a level: these, and one that sums up. */
enum { VKM_GITHUB_MOST = 9 };

/* ::level title=...::message, escaped so that each stays within its command. */
void vkm_github_command(const char *level, const struct vkm_text *title,
                        const struct vkm_text *message, struct vkm_text *text);

#endif
