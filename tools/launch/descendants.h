/* What a program that had to be ended leaves running. Main thread. */
#ifndef VKM_TOOLS_LAUNCH_DESCENDANTS_H
#define VKM_TOOLS_LAUNCH_DESCENDANTS_H

/* From now on whoever loses his parent below us becomes our child. */
void vkm_descendants_adopt(void);
/* Kills and reaps all our children and those that they leave; then adopts no more. What made itself
 * independent before vkm_descendants_adopt is not found. Cannot fail. */
void vkm_descendants_kill(void);

#endif
