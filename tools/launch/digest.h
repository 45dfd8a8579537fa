/* Checksums of files that programs leave. Main thread. */
#ifndef VKM_TOOLS_LAUNCH_DIGEST_H
#define VKM_TOOLS_LAUNCH_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "model/sample.h"

/* Reads a regular file to its end. `decimals` from 0 on: of text whose numbers are rounded to so
 * many (words that are a number with a point or an exponent, and nothing else); -1: of the file as
 * it is. `bytes` is its length in any case. False: errno says why (EISDIR: it is another kind of
 * file). */
bool vkm_digest_file(struct vkm_output_digest *digest, const char *path, int decimals)
    __attribute__((warn_unused_result));

#endif
