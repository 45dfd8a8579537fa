/* Writes a profile as one JSON document. In: struct vkm_profile. Out: a file, whole or not at all.
 */
#ifndef VKM_PROFILE_PROFILE_WRITE_H
#define VKM_PROFILE_PROFILE_WRITE_H

#include "base/status.h"
#include "base/text.h"
#include "profile/profile.h"

/* Appends the document to `text`. Deterministic: equal profiles give equal bytes; numbers do not
 * obey the locale. VKM_OUT_OF_MEMORY when the text failed. Any thread. */
VKM_MUST_CHECK enum vkm_status vkm_profile_format(const struct vkm_profile *profile,
                                                  struct vkm_text *text);

/* Writes `length` bytes to `path`: a temporary file beside it (O_NOFOLLOW|O_CLOEXEC|O_EXCL, mode
 * 0644 less umask), then rename. On failure the old file is as it was, the temporary one is gone,
 * errno says why. Keeps a full disk from leaving half a document: close and rename results are
 * checked. */
VKM_MUST_CHECK enum vkm_status vkm_file_replace(const char *path, const char *bytes, size_t length);

/* The same with the document as content, in pieces of VKM_TEXT_PIECE_BYTES: it is never in memory
 * as a whole. VKM_IO: errno says why, EFBIG beyond 2 GiB. VKM_OUT_OF_MEMORY. */
VKM_MUST_CHECK enum vkm_status vkm_profile_write(const struct vkm_profile *profile,
                                                 const char *path);

#endif
