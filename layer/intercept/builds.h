/* Creations of pipelines that are not tracked. In: hooks. Next rooms: activity.c, hitches.c. */
#ifndef VKM_LAYER_INTERCEPT_BUILDS_H
#define VKM_LAYER_INTERCEPT_BUILDS_H

#include <vulkan/vulkan.h>

#include "activity.h"

struct vkm_device;

/* `count` pipelines were made in a call that was entered as `inside`; of a deferred creation, which
 * is done by joins, that call is short. Returns `result`. Any thread. */
VkResult vkm_built(struct vkm_device *device, struct vkm_inside *inside, uint32_t count,
                   VkResult result);

#endif
