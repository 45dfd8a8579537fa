/* Manifests of drivers and layers where a Linux loader looks for them. Main thread. */
#ifndef VKM_TOOLS_DOCTOR_MANIFESTS_H
#define VKM_TOOLS_DOCTOR_MANIFESTS_H

#include <stdbool.h>
#include <stddef.h>

struct vkm_manifest_file {
  char *path;    /* owned */
  char *library; /* as it stands there; owned; NULL: the file could not be read as a manifest */
  char *layer;   /* the layer's name; owned; NULL for a driver */
};

struct vkm_manifests {
  struct vkm_manifest_file *items; /* owned, in the order of the search, each file once */
  size_t count;
};

/* Drivers: those that VK_DRIVER_FILES or VK_ICD_FILENAMES name, else those of the search with what
 * VK_ADD_DRIVER_FILES adds in front. Layers: the implicit ones, of this process's width, with
 * VK_IMPLICIT_LAYER_PATH and VK_ADD_IMPLICIT_LAYER_PATH obeyed. False: out of memory, reported;
 * finish is needed in any case. */
bool vkm_manifests_of_drivers(struct vkm_manifests *manifests) __attribute__((warn_unused_result));
bool vkm_manifests_of_layers(struct vkm_manifests *manifests) __attribute__((warn_unused_result));
void vkm_manifest_file_finish(struct vkm_manifest_file *file);
void vkm_manifests_finish(struct vkm_manifests *manifests);

#endif
