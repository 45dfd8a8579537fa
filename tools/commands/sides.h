/* What a reader of a result has to know of the files that it came from. Main thread. */
#ifndef VKM_TOOLS_COMMANDS_SIDES_H
#define VKM_TOOLS_COMMANDS_SIDES_H

struct vkm_side;

/* Profiles that are not complete, or hold not everything. */
void vkm_side_warn(const struct vkm_side *side);
/* Runs that failed, each as an error. */
void vkm_side_name_errors(const struct vkm_side *side);

#endif
