/* Variables in texts of a file of workloads. Main thread. */
#ifndef VKM_TOOLS_LAUNCH_EXPAND_H
#define VKM_TOOLS_LAUNCH_EXPAND_H

#include <stdbool.h>
#include <stddef.h>

enum vkm_expanded { VKM_EXPANDED = 0, VKM_EXPAND_MISSING, VKM_EXPAND_NO_MEMORY };

/* `text` with each ${NAME} replaced by the variable of the environment, ${SUITE_DIR} by `directory`
 * and $${ by ${; everything else stays. To be freed. MISSING: `missing` says which variable is not
 * set. */
enum vkm_expanded vkm_expand(const char *text, const char *directory, char **out, char *missing,
                             size_t missing_size) __attribute__((warn_unused_result));

/* Where `word` is: with a slash in it a path, from `directory` on if it is relative; else a program
 * in PATH. False: it is not there. */
bool vkm_is_there(const char *word, const char *directory);
/* The absolute form of a program with a slash in its name, to be freed; any other as it is. NULL:
 * out of memory. */
char *vkm_program_path(const char *word, const char *directory) __attribute__((warn_unused_result));

#endif
