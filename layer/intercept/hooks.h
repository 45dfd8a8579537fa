/* Every hook, and what the intercept files offer each other. The list is intercept.def. */
#ifndef VKM_LAYER_INTERCEPT_HOOKS_H
#define VKM_LAYER_INTERCEPT_HOOKS_H

#include <stdbool.h>

#include <vulkan/vulkan.h>

struct vkm_device;
struct vkm_module;
struct vkm_pipeline_record;

/* The record behind a compute pipeline's handle; NULL when it is unknown. Any thread. */
struct vkm_pipeline_record *vkm_pipeline_of(struct vkm_device *device, VkPipeline pipeline);
/* What a stage runs; NULL: `reason`, static. `owned` is set when the module was made here and is to
 * be destroyed. Any thread. */
struct vkm_module *vkm_module_of(struct vkm_device *device,
                                 const VkPipelineShaderStageCreateInfo *stage,
                                 struct vkm_module **owned, const char **reason);
/* Whether a query pool holds performance queries. Any thread. */
bool vkm_is_performance_pool(struct vkm_device *device, VkQueryPool pool);

/* At vkDestroyDevice: frees what the files keep for objects that the application did not destroy.
 */
void vkm_pipelines_finish(struct vkm_device *device);
void vkm_waits_finish(struct vkm_device *device);

/* The hook of a device command, or NULL. */
PFN_vkVoidFunction vkm_device_hook(const char *name);
/* The extension that brings a command which only we may have enabled; NULL for all others. */
const char *vkm_extension_of_added_command(const char *name);

/* Looks up the commands of later.def; once, at creation. */
void vkm_later_find(struct vkm_device *device);
#define VKM_LATER(name, kind, parameters, arguments)                                               \
  VKAPI_ATTR void VKAPI_CALL vkm_Cmd##name parameters;
#include "later.def"
#undef VKM_LATER

#define VKM_COMMAND(type, name, parameters) VKAPI_ATTR type VKAPI_CALL vkm_##name parameters;
#include "intercept.def"
#undef VKM_COMMAND

#endif
