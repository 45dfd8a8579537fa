/* Options of suite. False: reported. Main thread. */
#ifndef VKM_TOOLS_OPTIONS_SUITE_H
#define VKM_TOOLS_OPTIONS_SUITE_H

#include "args.h"

bool vkm_set_workloads(struct vkm_args *args, const char *value);
bool vkm_set_category(struct vkm_args *args, const char *value);
bool vkm_set_exclude_category(struct vkm_args *args, const char *value);
bool vkm_set_backend(struct vkm_args *args, const char *value);
bool vkm_set_baseline(struct vkm_args *args, const char *value);

#endif
