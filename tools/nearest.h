/* How far words are from each other, for "did you mean". Pure. */
#ifndef VKM_TOOLS_NEAREST_H
#define VKM_TOOLS_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* Edits (insert, delete, replace) from one to the other; SIZE_MAX when one is longer than 63
 * bytes. */
size_t vkm_edits(const char *left, const char *right);

/* Whether so many edits of `word` can be a typing mistake. */
bool vkm_is_near(const char *word, size_t edits);

#endif
