/* Records of runs that failed: vkmeter.error/1. Main thread. */
#ifndef VKM_TOOLS_MODEL_RUN_ERROR_H
#define VKM_TOOLS_MODEL_RUN_ERROR_H

#include "model/record.h"
#include "model/side.h"

/* VKM_BAD_INPUT: the file is no such record, or a damaged one; `cause` says why. */
VKM_MUST_CHECK enum vkm_status vkm_run_error_read(struct vkm_run_error *error, const char *path,
                                                  char cause[VKM_RECORD_CAUSE_BYTES]);
void vkm_run_error_finish(struct vkm_run_error *error);

#endif
