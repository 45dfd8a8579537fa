/* Where the layer's manifest is. Main thread. */
#ifndef VKM_TOOLS_LAUNCH_MANIFEST_H
#define VKM_TOOLS_LAUNCH_MANIFEST_H

#include <stdbool.h>

struct vkm_manifest {
  char *
      data_dir; /* holds vulkan/implicit_layer.d/VkLayer_vkmeter.json; owned, NULL: not beside us */
  bool build_tree; /* we run from a build tree: its layer is meant, whatever else is installed */
  bool system;     /* a loader finds a manifest of this name without our help */
};

/* Looks beside this executable and where loaders look. False: out of memory. */
bool vkm_manifest_find(struct vkm_manifest *manifest) __attribute__((warn_unused_result));
void vkm_manifest_finish(struct vkm_manifest *manifest);

#endif
