/* Paths and directories that the user named. Main thread. */
#ifndef VKM_TOOLS_MODEL_DIRECTORY_H
#define VKM_TOOLS_MODEL_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

enum vkm_path_kind { VKM_PATH_MISSING = 0, VKM_PATH_FILE, VKM_PATH_DIRECTORY };
/* Anything that is there and no directory is a file: reading it tells the rest. */
enum vkm_path_kind vkm_path_kind(const char *path);
/* Reports that nothing is there, with the name beside it that is nearest. */
void vkm_path_explain_missing(const char *path);

struct vkm_directory {
  char **paths; /* DIRECTORY/NAME, ascending by name; owned */
  size_t count;
};
/* Everything in `path` whose name ends in `suffix` ("": all) and does not begin with a dot. False:
 * it cannot be read, or out of memory; reported. */
bool vkm_directory_list(struct vkm_directory *directory, const char *path, const char *suffix)
    __attribute__((warn_unused_result));
void vkm_directory_finish(struct vkm_directory *directory);

#endif
