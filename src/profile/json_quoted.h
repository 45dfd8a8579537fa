/* Characters within the quotes of a JSON text. Part of json_check; pure, any thread. */
#ifndef VKM_PROFILE_JSON_QUOTED_H
#define VKM_PROFILE_JSON_QUOTED_H

#include <stddef.h>
#include <stdint.h>

/* How many bytes from `at` on stand for themselves: ASCII but quote, backslash and controls. */
size_t vkm_quoted_plain(const char *at, size_t length);

extern const char VKM_QUOTED_BREAKS_OFF[];
/* What stands at `at` (not plain, not a quote) is an escape or a character of several bytes: NULL
 * and its length; else what is wrong with it, VKM_QUOTED_BREAKS_OFF where the end cuts it. */
const char *vkm_quoted_special(const char *at, size_t length, size_t *taken);

/* Of texts that were checked, from behind the opening quote to the closing one; what counts is what
 * they say, not how it is escaped. */
uint64_t vkm_quoted_hash(const char *text);
int vkm_quoted_compare(const char *left, const char *right);
/* Bytes of the text as it stands, at most `most`, with no character or escape cut. */
size_t vkm_quoted_shorten(const char *text, size_t most);

#endif
