/* Whole files as they are. Any thread. */
#ifndef VKM_TOOLS_MODEL_SLURP_H
#define VKM_TOOLS_MODEL_SLURP_H

#include <stddef.h>

#include "base/status.h"

/* Reads the whole file into memory that ends in NUL, to be freed. VKM_IO: errno says why (EFBIG:
 * it is larger than 1 GiB). */
VKM_MUST_CHECK enum vkm_status vkm_slurp(const char *path, char **text, size_t *length);

#endif
