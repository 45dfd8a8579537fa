/* Buffers and images, as far as commands that move bytes need them: how large, of which format, in
 * memory of which kind. In: intercept/resources.c. Out: intercept/moves.c. Written by the thread
 * that creates and binds, read by those that record: the rules of Vulkan keep them apart. */
#ifndef VKM_LAYER_RESOURCES_H
#define VKM_LAYER_RESOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

enum vkm_place {
  VKM_PLACE_UNKNOWN = 0, /* sparse, not bound, or bound to what was not seen */
  VKM_PLACE_HOST,        /* not device-local */
  VKM_PLACE_DEVICE,      /* device-local */
  VKM_PLACE_SHARED,      /* device-local and host-visible */
};

struct vkm_resource {
  uint64_t size_bytes; /* of a buffer */
  VkFormat format;     /* of an image */
  uint32_t array_layers, samples;
  enum vkm_place place;
  bool sparse;
  bool copyable; /* a buffer: its bytes may be the source of a copy */
};

#endif
