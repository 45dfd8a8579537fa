/* Checksums of files that programs leave. Main thread. */
#ifndef VKM_TOOLS_LAUNCH_DIGEST_H
#define VKM_TOOLS_LAUNCH_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "model/sample.h"

/* Reads a regular file to its end. False: errno says why (EISDIR: it is another kind of file). */
bool vkm_digest_file(struct vkm_output_digest *digest, const char *path)
    __attribute__((warn_unused_result));

#endif
