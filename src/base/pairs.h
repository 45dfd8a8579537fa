/* Reads `key = value` lines, as in vk_layer_settings.txt. In: any bytes. Out: one pair after the
 * other. */
#ifndef VKM_BASE_PAIRS_H
#define VKM_BASE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

struct vkm_pairs {
  char *next; /* where the next line begins, NULL at the end */
};

/* `text` is NUL-terminated, writable and borrowed until the last pair was used: pairs point into
 * it. */
void vkm_pairs_start(struct vkm_pairs *pairs, char *text);
/* The next pair, both trimmed of blanks; a value in double quotes loses them. Lines that are empty,
 * begin with '#' or have no '=' or no key are passed over. False at the end. */
bool vkm_pairs_next(struct vkm_pairs *pairs, const char **key, const char **value);

#endif
