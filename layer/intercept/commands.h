/* Hooks of command buffers: allocation, recording, freeing. Each calls one verb of timing/record
 * and the driver. In: the application's calls. Next room: timing/record. */
#ifndef VKM_LAYER_INTERCEPT_COMMANDS_H
#define VKM_LAYER_INTERCEPT_COMMANDS_H

#include <vulkan/utility/vk_dispatch_table.h>
#include <vulkan/vulkan.h>

#include "timing/record.h"

struct vkm_device;

/* The command buffer behind a handle; NULL when the layer does not know it. The thread's last
 * answer is remembered: storage of command buffers is never returned to the system, so that a stale
 * answer can be told by its handle. */
struct vkm_cmdbuf *vkm_cmdbuf_of(VkCommandBuffer handle);

/* The next layer's commands for a command buffer, known or not. */
const VkuDeviceDispatchTable *vkm_table_of(VkCommandBuffer handle, const struct vkm_cmdbuf *cmdbuf);

/* At vkDestroyDevice: forgets the device's command buffers and pools. */
void vkm_commands_finish(struct vkm_device *device);
/* After fork, in the child. */
void vkm_commands_forked(void);
/* Once per process, before the first instance. */
void vkm_commands_init(void);

#endif
