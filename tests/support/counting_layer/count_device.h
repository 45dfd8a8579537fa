/* A device as the layer sees it: the next layer's commands. Found by the dispatch key that the
 * device, its queues and its command buffers share. */
#ifndef VKMTEST_COUNT_DEVICE_H
#define VKMTEST_COUNT_DEVICE_H

#include <uthash.h>
#include <vulkan/vulkan_core.h>

/* Every device command that the layer listens to. */
#define VKMTEST_DEVICE_COMMANDS(X)                                                                 \
  X(DestroyDevice)                                                                                 \
  X(CreateShaderModule)                                                                            \
  X(DestroyShaderModule)                                                                           \
  X(CreateComputePipelines)                                                                        \
  X(DestroyPipeline)                                                                               \
  X(DestroyCommandPool)                                                                            \
  X(ResetCommandPool)                                                                              \
  X(AllocateCommandBuffers)                                                                        \
  X(FreeCommandBuffers)                                                                            \
  X(BeginCommandBuffer)                                                                            \
  X(ResetCommandBuffer)                                                                            \
  X(CmdBindPipeline)                                                                               \
  X(CmdBindShadersEXT)                                                                             \
  X(CmdDispatch)                                                                                   \
  X(CmdDispatchBase)                                                                               \
  X(CmdDispatchBaseKHR)                                                                            \
  X(CmdDispatchIndirect)                                                                           \
  X(CmdExecuteCommands)                                                                            \
  X(CmdWriteTimestamp)                                                                             \
  X(CmdWriteTimestamp2)                                                                            \
  X(CmdWriteTimestamp2KHR)                                                                         \
  X(GetQueryPoolResults)                                                                           \
  X(QueueSubmit)                                                                                   \
  X(QueueSubmit2)                                                                                  \
  X(QueueSubmit2KHR)                                                                               \
  X(WaitForFences)                                                                                 \
  X(GetFenceStatus)                                                                                \
  X(WaitSemaphores)                                                                                \
  X(WaitSemaphoresKHR)                                                                             \
  X(GetSemaphoreCounterValue)                                                                      \
  X(GetSemaphoreCounterValueKHR)                                                                   \
  X(QueueWaitIdle)                                                                                 \
  X(DeviceWaitIdle)

#define VKMTEST_MEMBER(name) PFN_vk##name name;

struct vkmtest_device {
  const void *key;
  PFN_vkGetDeviceProcAddr GetDeviceProcAddr;
  VKMTEST_DEVICE_COMMANDS(VKMTEST_MEMBER) /* NULL where the next layer has none */
  UT_hash_handle hh;
};

#undef VKMTEST_MEMBER

/* The loader puts its dispatch pointer first into every dispatchable object. */
static inline const void *vkmtest_key(const void *dispatchable) {
  return *(const void *const *)dispatchable;
}

/* Takes and gives back the lock. The device stays valid until its own vkDestroyDevice. NULL:
 * unknown. */
struct vkmtest_device *vkmtest_device_of(const void *dispatchable);

/* Fills a device from the next layer and makes it known; NULL when memory is out. Takes the lock.
 */
struct vkmtest_device *vkmtest_device_add(VkDevice device, PFN_vkGetDeviceProcAddr next);
/* Forgets and frees it; the handle is gone already. Takes the lock. */
void vkmtest_device_remove(struct vkmtest_device *device);

/* Our hook of that name, or NULL. Pure. */
PFN_vkVoidFunction vkmtest_device_hook(const char *name);

#endif
