/* Small JSON documents of vkmeter beside profiles: records of failed runs, heads of baselines,
 * noise. Read strictly: an unknown schema or a member that is missing or of another type is an
 * error with its place. Main thread. */
#ifndef VKM_TOOLS_MODEL_RECORD_H
#define VKM_TOOLS_MODEL_RECORD_H

#include <stddef.h>

#include "base/status.h"
#include "profile/profile_read_value.h"

enum { VKM_RECORD_CAUSE_BYTES = 512 };

/* Members are read with vkm_value_* from `root`; `parse.failed` tells at the end. Not to be moved
 * meanwhile. */
struct vkm_record {
  char *text; /* owned, ends in NUL */
  struct vkm_parse parse;
  struct vkm_value root;
};

/* Reads the whole file into memory that ends in NUL, to be freed. VKM_IO: errno says why; VKM_FULL:
 * it is larger than 1 GiB. */
VKM_MUST_CHECK enum vkm_status vkm_file_slurp(const char *path, char **text, size_t *length);

/* Takes a copy of the bytes. VKM_BAD_INPUT: no JSON, or its schema is not `schema`; `cause` says
 * so. `finish` is needed after VKM_OK only. */
VKM_MUST_CHECK enum vkm_status vkm_record_parse(struct vkm_record *record, const char *bytes,
                                                size_t length, const char *schema,
                                                char cause[VKM_RECORD_CAUSE_BYTES]);
/* The same from a file. */
VKM_MUST_CHECK enum vkm_status vkm_record_read(struct vkm_record *record, const char *path,
                                               const char *schema,
                                               char cause[VKM_RECORD_CAUSE_BYTES]);
void vkm_record_finish(struct vkm_record *record);

#endif
