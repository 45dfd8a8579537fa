/* What a profiled program's environment has that ours has not. Main thread. */
#ifndef VKM_TOOLS_LAUNCH_ENVIRONMENT_H
#define VKM_TOOLS_LAUNCH_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The id that all processes of this run write into their profiles: $VKMETER_RUN, else made here and
 * put there. NULL: reported. Good until the variable changes. */
const char *vkm_environment_run(void) __attribute__((warn_unused_result));

/* Makes the next program run `number` of a series: an id `RUN-NUMBER`, the sequence, its output.
 * The id is good until the next call; NULL: reported. */
const char *vkm_environment_number(const char *run, uint32_t number, const char *output)
    __attribute__((warn_unused_result));

/* Our environment as it is, but so that the layer is left out; call it before
 * vkm_environment_prepare. To be freed, its texts not; NULL: out of memory, reported. */
char **vkm_environment_plain(void) __attribute__((warn_unused_result));

/* Changes this process's environment so that the next program is profiled: switches the layer on,
 * lets the loader find it, says where the profile goes (`output`, absolute, placeholders in it) and
 * which tags it has. False: reported. */
bool vkm_environment_prepare(const char *output, const char *const *tags, size_t tag_count)
    __attribute__((warn_unused_result));

/* This process's environment as it is, to be put back by vkm_environment_restore. NULL: out of
 * memory, reported. */
char **vkm_environment_save(void) __attribute__((warn_unused_result));
/* Makes it as it was, and frees `saved`. False: out of memory, reported. */
bool vkm_environment_restore(char **saved) __attribute__((warn_unused_result));

/* The absolute form of `asked` (NULL: $VKMETER_OUTPUT, else the default name), to be freed; NULL:
 * reported. */
char *vkm_environment_output(const char *asked) __attribute__((warn_unused_result));

#endif
