/* See handles_world.h. In: calls of the test. Next room: layer/handles.c. */
#include "handles_world.h"

#include <stdlib.h>

#include "handles.h"

void *handles_new(void) {
  struct vkm_handle_map *map = malloc(sizeof *map);
  if (map) {
    vkm_handles_init(map);
  }
  return map;
}

void handles_delete(void *map) {
  vkm_handles_finish(map);
  free(map);
}

bool handles_put(void *map, uint64_t handle, void *value) {
  return vkm_handles_put(map, handle, value);
}

void *handles_get(void *map, uint64_t handle) {
  return vkm_handles_get(map, handle);
}

void *handles_take(void *map, uint64_t handle) {
  return vkm_handles_take(map, handle);
}
