/* Where from, where to and how many bytes a command moves. In: its arguments, as it is recorded.
 * Out: the parts of its mark that measure/moves.h names. Called by generated hooks, with a profiled
 * device; allocates nothing, takes no lock. */
#ifndef VKM_LAYER_INTERCEPT_MOVES_H
#define VKM_LAYER_INTERCEPT_MOVES_H

#include <vulkan/vulkan.h>

#include "timing/record.h"

struct vkm_device;

#define VKM_UNPACK(...) __VA_ARGS__
#define VKM_MOVE(command, parameters)                                                              \
  void vkm_moved_##command(struct vkm_device *device, struct vkm_work *work, VKM_UNPACK parameters);
#include "intercept/moves.def"
#undef VKM_MOVE

#endif
