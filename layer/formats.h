/* How many bytes texels have. In: Vulkan's formats. Pure; any thread. */
#ifndef VKM_LAYER_FORMATS_H
#define VKM_LAYER_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

/* Bytes of `extent` texels of the aspects (of a buffer, tightly packed): whole blocks, depth as it
 * lies in a buffer. False where that is not defined, e.g. for all planes of a multi-planar format
 * at once. */
bool vkm_format_bytes(VkFormat format, VkImageAspectFlags aspects, VkExtent3D extent,
                      uint64_t *bytes) __attribute__((warn_unused_result));

#endif
