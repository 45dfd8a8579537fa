/* Options that say what a report shows. False: reported. Main thread. */
#ifndef VKM_TOOLS_OPTIONS_REPORT_H
#define VKM_TOOLS_OPTIONS_REPORT_H

#include "args.h"

bool vkm_set_group(struct vkm_args *args, const char *value);
bool vkm_set_show(struct vkm_args *args, const char *value);
bool vkm_set_columns(struct vkm_args *args, const char *value);
bool vkm_set_sort(struct vkm_args *args, const char *value);
bool vkm_set_trace(struct vkm_args *args, const char *value);
bool vkm_set_matrix(struct vkm_args *args, const char *value);
bool vkm_set_filter(struct vkm_args *args, const char *value);

/* `--columns=help` asks for no profile. */
bool vkm_wants_columns(const struct vkm_args *args);

#endif
