/* The list of baselines. Main thread. */
#ifndef VKM_TOOLS_VIEWS_BASELINES_H
#define VKM_TOOLS_VIEWS_BASELINES_H

#include "model/baseline.h"
#include "views/view.h"

/* Appends a table, a line for each environment of each baseline; nothing when there is none. */
void vkm_view_baselines(const struct vkm_baselines *baselines,
                        const struct vkm_view_settings *settings, struct vkm_text *text);

#endif
