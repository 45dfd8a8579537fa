/* Setters of the options that judging takes: those of compare, baseline and noise. Lines of the
 * table in options.c name them. Each reports what it does not take and returns false. Main
 * thread. */
#ifndef VKM_TOOLS_OPTIONS_COMPARE_H
#define VKM_TOOLS_OPTIONS_COMPARE_H

#include "args.h"

bool vkm_set_threshold(struct vkm_args *args, const char *value);
bool vkm_set_floor(struct vkm_args *args, const char *value);
bool vkm_set_confidence(struct vkm_args *args, const char *value);
bool vkm_set_stat(struct vkm_args *args, const char *value);
bool vkm_set_match(struct vkm_args *args, const char *value);
bool vkm_set_rename(struct vkm_args *args, const char *value);
bool vkm_set_rule(struct vkm_args *args, const char *value);
bool vkm_set_noise(struct vkm_args *args, const char *value);
bool vkm_set_adjust_drift(struct vkm_args *args, const char *value);
bool vkm_set_fail_on(struct vkm_args *args, const char *value);
bool vkm_set_suite_fail_on(struct vkm_args *args, const char *value);
bool vkm_set_allow_different(struct vkm_args *args, const char *value);
bool vkm_set_explain(struct vkm_args *args, const char *value);
bool vkm_set_verbose(struct vkm_args *args, const char *value);
bool vkm_set_base(struct vkm_args *args, const char *value);
bool vkm_set_new(struct vkm_args *args, const char *value);
bool vkm_set_baseline_dir(struct vkm_args *args, const char *value);
bool vkm_set_file(struct vkm_args *args, const char *value);

#endif
