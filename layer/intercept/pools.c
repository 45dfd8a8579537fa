/* Hooks of command pools and of the life of command buffers. In: the application's calls. Next
 * room: timing/record (a command buffer whose content is gone drops its recording). */
#include "base/alloc.h"
#include "device.h"
#include "intercept/commands.h"
#include "intercept/hooks.h"

static struct vkm_handle_map cmdbufs; /* VkCommandBuffer -> struct vkm_cmdbuf */
/* Structures of freed command buffers. They stay allocated for good, see vkm_cmdbuf_of. */
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;
static struct vkm_cmdbuf *spare;

void vkm_commands_init(void) {
  vkm_handles_init(&cmdbufs);
}

void vkm_commands_forked(void) {
  vkm_commands_init();
  pthread_mutex_init(&spare_lock, NULL);
  spare = NULL;
}

struct vkm_cmdbuf *vkm_cmdbuf_of(VkCommandBuffer handle) {
  static VKM_THREAD struct vkm_cmdbuf *recent;
  struct vkm_cmdbuf *cmdbuf = recent;
  if (cmdbuf && atomic_load_explicit(&cmdbuf->handle, memory_order_relaxed) == handle) {
    return cmdbuf;
  }
  cmdbuf = vkm_handles_get(&cmdbufs, VKM_DISPATCHABLE(handle));
  if (cmdbuf) {
    recent = cmdbuf;
  }
  return cmdbuf;
}

const VkuDeviceDispatchTable *vkm_table_of(VkCommandBuffer handle,
                                           const struct vkm_cmdbuf *cmdbuf) {
  return cmdbuf ? &cmdbuf->device->table : &vkm_device_of(handle)->table;
}

/* ---- pools ---- */

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateCommandPool(VkDevice handle,
                                                     const VkCommandPoolCreateInfo *info,
                                                     const VkAllocationCallbacks *allocator,
                                                     VkCommandPool *pool) {
  struct vkm_device *device = vkm_device_of(handle);
  VkResult result = device->table.CreateCommandPool(handle, info, allocator, pool);
  if (result != VK_SUCCESS || !device->profiled) {
    return vkm_device_result(device, result);
  }
  struct vkm_pool *known = vkm_calloc(1, sizeof *known);
  if (known) {
    known->handle = *pool;
    known->device = device;
    known->family = info->queueFamilyIndex;
    known->is_protected = info->flags & VK_COMMAND_POOL_CREATE_PROTECTED_BIT;
  }
  if (!known || !vkm_handles_put(&device->objects.pools, VKM_HANDLE(*pool), known)) {
    vkm_free(known);
    vkm_device_disable(device, "out_of_memory");
  }
  return result;
}

static void forget_cmdbuf(struct vkm_cmdbuf *cmdbuf) {
  vkm_record_drop(cmdbuf);
  vkm_handles_take(&cmdbufs, VKM_DISPATCHABLE(cmdbuf->handle));
  if (cmdbuf->previous) {
    cmdbuf->previous->next = cmdbuf->next;
  } else {
    cmdbuf->pool->cmdbufs = cmdbuf->next;
  }
  if (cmdbuf->next) {
    cmdbuf->next->previous = cmdbuf->previous;
  }
  atomic_store_explicit(&cmdbuf->handle, NULL, memory_order_relaxed);
  pthread_mutex_lock(&spare_lock);
  cmdbuf->next = spare;
  spare = cmdbuf;
  pthread_mutex_unlock(&spare_lock);
}

static void forget_pool(struct vkm_pool *pool) {
  while (pool->cmdbufs) {
    forget_cmdbuf(pool->cmdbufs);
  }
  vkm_free(pool);
}

VKAPI_ATTR void VKAPI_CALL vkm_DestroyCommandPool(VkDevice handle, VkCommandPool pool,
                                                  const VkAllocationCallbacks *allocator) {
  struct vkm_device *device = vkm_device_of(handle);
  struct vkm_pool *known = pool ? vkm_handles_take(&device->objects.pools, VKM_HANDLE(pool)) : NULL;
  if (known) {
    forget_pool(known);
  }
  device->table.DestroyCommandPool(handle, pool, allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_ResetCommandPool(VkDevice handle, VkCommandPool pool,
                                                    VkCommandPoolResetFlags flags) {
  struct vkm_device *device = vkm_device_of(handle);
  VkResult result = device->table.ResetCommandPool(handle, pool, flags);
  struct vkm_pool *known = vkm_handles_get(&device->objects.pools, VKM_HANDLE(pool));
  if (result == VK_SUCCESS && known) {
    for (struct vkm_cmdbuf *cmdbuf = known->cmdbufs; cmdbuf; cmdbuf = cmdbuf->next) {
      vkm_record_drop(cmdbuf);
    }
  }
  return vkm_device_result(device, result);
}

/* ---- command buffers ---- */

static struct vkm_cmdbuf *take_cmdbuf(void) {
  pthread_mutex_lock(&spare_lock);
  struct vkm_cmdbuf *cmdbuf = spare;
  if (cmdbuf) {
    spare = cmdbuf->next;
  }
  pthread_mutex_unlock(&spare_lock);
  return cmdbuf ? cmdbuf : vkm_calloc(1, sizeof *cmdbuf);
}

static bool add_cmdbuf(struct vkm_pool *pool, VkCommandBuffer handle, bool secondary) {
  struct vkm_cmdbuf *cmdbuf = take_cmdbuf();
  if (!cmdbuf) {
    return false;
  }
  cmdbuf->device = pool->device;
  cmdbuf->pool = pool;
  cmdbuf->secondary = secondary;
  cmdbuf->recording = NULL;
  cmdbuf->recording_now = false;
  cmdbuf->previous = NULL;
  cmdbuf->next = pool->cmdbufs;
  if (pool->cmdbufs) {
    pool->cmdbufs->previous = cmdbuf;
  }
  pool->cmdbufs = cmdbuf;
  atomic_store_explicit(&cmdbuf->handle, handle, memory_order_relaxed);
  if (!vkm_handles_put(&cmdbufs, VKM_DISPATCHABLE(handle), cmdbuf)) {
    forget_cmdbuf(cmdbuf);
    return false;
  }
  return true;
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_AllocateCommandBuffers(VkDevice handle,
                                                          const VkCommandBufferAllocateInfo *info,
                                                          VkCommandBuffer *handles) {
  struct vkm_device *device = vkm_device_of(handle);
  VkResult result = device->table.AllocateCommandBuffers(handle, info, handles);
  struct vkm_pool *pool = vkm_handles_get(&device->objects.pools, VKM_HANDLE(info->commandPool));
  if (result != VK_SUCCESS || !pool) {
    return vkm_device_result(device, result);
  }
  for (uint32_t i = 0; i < info->commandBufferCount; i++) {
    if (!add_cmdbuf(pool, handles[i], info->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY)) {
      vkm_device_disable(device, "out_of_memory");
    }
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL vkm_FreeCommandBuffers(VkDevice handle, VkCommandPool pool,
                                                  uint32_t count, const VkCommandBuffer *handles) {
  struct vkm_device *device = vkm_device_of(handle);
  for (uint32_t i = 0; i < count; i++) {
    struct vkm_cmdbuf *cmdbuf =
        handles[i] ? vkm_handles_get(&cmdbufs, VKM_DISPATCHABLE(handles[i])) : NULL;
    if (cmdbuf) {
      forget_cmdbuf(cmdbuf);
    }
  }
  device->table.FreeCommandBuffers(handle, pool, count, handles);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_ResetCommandBuffer(VkCommandBuffer handle,
                                                      VkCommandBufferResetFlags flags) {
  struct vkm_cmdbuf *cmdbuf = vkm_cmdbuf_of(handle);
  VkResult result = vkm_table_of(handle, cmdbuf)->ResetCommandBuffer(handle, flags);
  if (result == VK_SUCCESS && cmdbuf) {
    vkm_record_drop(cmdbuf);
  }
  return result;
}

/* ---- end of a device ---- */

static void gather(void *value, void *context) {
  struct vkm_pool *pool = value;
  struct vkm_pool **pools = context;
  pool->next = *pools;
  *pools = pool;
}

void vkm_commands_finish(struct vkm_device *device) {
  struct vkm_pool *pools = NULL;
  vkm_handles_each(&device->objects.pools, gather, &pools);
  while (pools) {
    struct vkm_pool *next = pools->next;
    forget_pool(pools);
    pools = next;
  }
}
