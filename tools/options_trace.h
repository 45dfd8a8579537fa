/* Setters of what is asked of traces. Main thread. Each returns false after reporting. */
#ifndef VKM_TOOLS_OPTIONS_TRACE_H
#define VKM_TOOLS_OPTIONS_TRACE_H

#include <stdbool.h>

struct vkm_args;

bool vkm_set_trace_output(struct vkm_args *args, const char *value);
bool vkm_set_min_gap(struct vkm_args *args, const char *value);
bool vkm_set_against(struct vkm_args *args, const char *value);

#endif
