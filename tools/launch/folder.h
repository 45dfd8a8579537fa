/* Folders of ours with everything in them. Main thread. */
#ifndef VKM_TOOLS_LAUNCH_FOLDER_H
#define VKM_TOOLS_LAUNCH_FOLDER_H

#include <stdbool.h>

/* Removes `path` and what is in it; what symbolic links point to stays. True as well where nothing
 * was there. Tries for two seconds when somebody writes there meanwhile. False: errno says why. */
bool vkm_folder_remove(const char *path) __attribute__((warn_unused_result));
/* Makes it a folder without anything in it, for us alone. False: errno says why. */
bool vkm_folder_renew(const char *path) __attribute__((warn_unused_result));
/* Makes it, with those above it that are missing. False: errno says why. */
bool vkm_folder_make(const char *path) __attribute__((warn_unused_result));

#endif
