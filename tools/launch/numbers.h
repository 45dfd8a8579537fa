/* File names of numbered runs. Main thread. */
#ifndef VKM_TOOLS_LAUNCH_NUMBERS_H
#define VKM_TOOLS_LAUNCH_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { VKM_SEQUENCE_MAX = 1000000 };

/* Whether `name` has a place for the number: %n. %%n has none. */
bool vkm_numbers_in(const char *name);

/* From what --profile says, absolute and with placeholders, where the profiles of a series go: of a
 * folder (it exists, or `output` ends in a slash; it is made, with those above it)
 * FOLDER/run-%n.json; else `output`, with -%n before its ending when it has no %n and `repeated`.
 * To be freed; NULL: reported. */
char *vkm_numbers_pattern(const char *output, bool repeated) __attribute__((warn_unused_result));

/* `pattern` with the number in it, and `word` (NULL: none) before the ending: run-3.error.json. To
 * be freed; NULL: out of memory, reported. */
char *vkm_numbers_name(const char *pattern, uint32_t number, const char *word)
    __attribute__((warn_unused_result));

/* The least number from `from` on of which there is no file yet: profile, error record or wall
 * times. False: out of
 * memory or no number is left, reported. */
bool vkm_numbers_free(const char *pattern, uint32_t from, uint32_t *number)
    __attribute__((warn_unused_result));

/* `name` with every placeholder as the layer would put it for process `pid` of `program`. To be
 * freed; NULL: out of memory, reported. */
char *vkm_numbers_expand(const char *name, const char *program, pid_t pid, int64_t started_unix_ns)
    __attribute__((warn_unused_result));

#endif
