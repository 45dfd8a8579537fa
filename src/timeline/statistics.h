/* What drivers call the figures of their compilers, and what viewers of GPU traces read, where both
 * mean the same. See statistics.def. Any thread, cannot fail. */
#ifndef VKM_TIMELINE_STATISTICS_H
#define VKM_TIMELINE_STATISTICS_H

/* The viewers' name of a driver's statistic; NULL: they have none for it. */
const char *vkm_statistic_viewed(const char *name);

#endif
