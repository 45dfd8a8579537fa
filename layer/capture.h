/* A call that creates pipelines, as it goes down: with the flags for statistics and with feedback,
 * in copies of the application's create-infos. In: what the application gave. Out: its pipelines,
 * and how they were made. The application's memory is never written; when the driver refuses the
 * copies, its own create-infos go down untouched, and that result is the application's. */
#ifndef VKM_LAYER_CAPTURE_H
#define VKM_LAYER_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

#include "profile/profile_executable.h"
#include "timeline/event.h"

struct vkm_device;

/* The create-infos of one kind of pipeline: all begin with sType, pNext, flags. */
struct vkm_capture_form {
  size_t stride; /* bytes of one */
  const VkPipelineShaderStageCreateInfo *(*stages)(const void *info, uint32_t *count);
  enum vkm_call call;
  bool compute;
};

struct vkm_capture_each; /* one pipeline */

struct vkm_capture {
  const struct vkm_device *device; /* all borrowed but the last three */
  const struct vkm_capture_form *form;
  const void *infos;
  uint32_t count;
  const VkAllocationCallbacks *allocator;
  const char *reason; /* why nothing was added at all, static; NULL: see each */
  unsigned char *changed;
  struct vkm_capture_each *each;
  VkPipeline *made; /* by the changed call */
};

/* Calls down with these create-infos. */
typedef VkResult (*vkm_capture_call)(void *context, const void *infos, VkPipeline *pipelines);

/* Makes the copies. `deferred`: the create-infos may be read after the call has returned. Fields
 * device to allocator are set. Without memory the application's own go down. */
void vkm_capture_begin(struct vkm_capture *capture, bool deferred);
/* Creates; `wall_ns`: how long the call took that made the pipelines. Returns the application's
 * result. */
VkResult vkm_capture_create(struct vkm_capture *capture, vkm_capture_call call, void *context,
                            VkPipeline *pipelines, int64_t *wall_ns);
/* How number `index` was made, and the flags it was made with. After vkm_capture_create. */
struct vkm_profile_compile vkm_capture_compile(const struct vkm_capture *capture, uint32_t index,
                                               uint64_t *flags);
void vkm_capture_finish(struct vkm_capture *capture);

#endif
