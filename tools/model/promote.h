/* Whether profiles may become a baseline. In: a side. Out: what speaks against it. Main thread. */
#ifndef VKM_TOOLS_MODEL_PROMOTE_H
#define VKM_TOOLS_MODEL_PROMOTE_H

#include <stdbool.h>

#include "model/side.h"

/* Reports each profile that is not fit for a baseline, and why: incomplete, failed, nothing timed,
 * not on the devices that `require` (NULL: any) wants, another mode than the first one. False:
 * there was one, or there is nothing to promote. */
bool vkm_promotable(const struct vkm_side *side, const char *require)
    __attribute__((warn_unused_result));

#endif
