/* Records of runs that failed: vkmeter.error/1. Main thread. */
#ifndef VKM_TOOLS_MODEL_RUN_ERROR_H
#define VKM_TOOLS_MODEL_RUN_ERROR_H

#include "model/side.h"
#include "profile/document.h"

#define VKM_RUN_ERROR_SCHEMA "vkmeter.error/1"

/* Takes what the document of that schema says, and finishes it. */
VKM_MUST_CHECK enum vkm_status vkm_run_error_read(struct vkm_run_error *failed, const char *path,
                                                  struct vkm_document *document,
                                                  struct vkm_read_error *error);
void vkm_run_error_finish(struct vkm_run_error *failed);

#endif
