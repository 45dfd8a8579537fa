/* Finds places in the text of a JSON document, for error messages: cJSON keeps none. Pure, any
 * thread. */
#ifndef VKM_PROFILE_PROFILE_READ_PLACE_H
#define VKM_PROFILE_PROFILE_READ_PLACE_H

#include <stddef.h>

/* Line of a byte, from 1. */
size_t vkm_place_line(const char *text, size_t length, size_t offset);

/* Byte of the outermost value; of the value of a member of the object at `offset`; of an element of
 * the array there. The document has to be one that the parser took; where the member is not found,
 * `offset` comes back. */
/* Byte of the next element, from behind one; or of the closing bracket. */
size_t vkm_place_behind(const char *text, size_t length, size_t offset);
/* Byte of the closing bracket of the array at `offset`, and how many elements it has. */
size_t vkm_place_close(const char *text, size_t length, size_t offset, size_t *count);
size_t vkm_place_root(const char *text, size_t length);
size_t vkm_place_member(const char *text, size_t length, size_t offset, const char *name);
size_t vkm_place_element(const char *text, size_t length, size_t offset, size_t index);

#endif
