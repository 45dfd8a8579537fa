/* In: devices as they come and go. Out: each device's next commands, found by dispatch key. Next:
 * the hooks. */
#include "count_device.h"

#include <stdlib.h>

#include "count_state.h"

static struct vkmtest_device *devices;

struct vkmtest_device *vkmtest_device_of(const void *dispatchable) {
  const void *key = vkmtest_key(dispatchable);
  struct vkmtest_device *device = NULL;
  vkmtest_lock();
  HASH_FIND_PTR(devices, &key, device);
  vkmtest_unlock();
  return device;
}

struct vkmtest_device *vkmtest_device_add(VkDevice handle, PFN_vkGetDeviceProcAddr next) {
  struct vkmtest_device *device = calloc(1, sizeof *device);
  if (device == NULL) {
    return NULL;
  }
  device->key = vkmtest_key(handle);
  device->GetDeviceProcAddr = next;
#define VKMTEST_FILL(name) device->name = (PFN_vk##name)next(handle, "vk" #name);
  VKMTEST_DEVICE_COMMANDS(VKMTEST_FILL)
#undef VKMTEST_FILL
  vkmtest_lock();
  HASH_ADD_PTR(devices, key, device);
  vkmtest_unlock();
  return device;
}

void vkmtest_device_remove(struct vkmtest_device *device) {
  vkmtest_lock();
  HASH_DEL(devices, device);
  vkmtest_unlock();
  free(device);
}
