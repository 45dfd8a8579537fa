/* VkInstance, see instance.h. Nothing is added to an instance. */
#include "instance.h"

#include <pthread.h>
#include <string.h>

#include "activity.h"
#include "base/alloc.h"
#include "chain.h"
#include "device.h"
#include "os/os.h"
#include "session.h"
#include "trace_calls.h"

#define INSTANCE_WAIT_NS INT64_C(1000000000)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct vkm_instance *instances;

struct vkm_instance *vkm_instance_of_key(uint64_t key) {
  pthread_mutex_lock(&lock);
  struct vkm_instance *instance = instances;
  while (instance && instance->key != key) {
    instance = instance->next;
  }
  pthread_mutex_unlock(&lock);
  return instance;
}

void vkm_instances_forked(void) {
  pthread_mutex_init(&lock, NULL); /* the list stays: inherited instances pass through */
}

static bool enables(const VkInstanceCreateInfo *info, const char *extension) {
  for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
    if (strcmp(info->ppEnabledExtensionNames[i], extension) == 0) {
      return true;
    }
  }
  return false;
}

static void fill(struct vkm_instance *instance, const VkInstanceCreateInfo *info) {
  instance->key = VKM_DISPATCH_KEY(instance->handle);
  vkuInitInstanceDispatchTable(instance->handle, &instance->table, instance->next_proc_addr);
  instance->api_version = info->pApplicationInfo && info->pApplicationInfo->apiVersion
                              ? info->pApplicationInfo->apiVersion
                              : VK_API_VERSION_1_0;
  instance->properties2 = instance->api_version >= VK_API_VERSION_1_1 ||
                          enables(info, VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME);
}

VKAPI_ATTR VkResult VKAPI_CALL vkm_CreateInstance(const VkInstanceCreateInfo *info,
                                                  const VkAllocationCallbacks *allocator,
                                                  VkInstance *handle) {
  VkLayerInstanceCreateInfo *link = vkm_chain_instance_link(info);
  if (!link || !link->u.pLayerInfo) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  PFN_vkGetInstanceProcAddr next_proc_addr = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  PFN_GetPhysicalDeviceProcAddr next_physical =
      link->u.pLayerInfo->pfnNextGetPhysicalDeviceProcAddr;
  PFN_vkCreateInstance next =
      (PFN_vkCreateInstance)next_proc_addr(VK_NULL_HANDLE, "vkCreateInstance");
  /* Before calling down: afterwards there is no clean way to fail. */
  struct vkm_instance *instance = vkm_calloc(1, sizeof *instance);
  if (!next || !instance) {
    vkm_free(instance);
    return next ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_INITIALIZATION_FAILED;
  }
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  struct vkm_inside inside = vkm_activity_enter(VKM_CALL_CreateInstance);
  VkResult result = next(info, allocator, handle);
  vkm_activity_leave(&inside);
  if (result != VK_SUCCESS) {
    vkm_free(instance);
    return result;
  }
  if (vkm_instance_of_key(VKM_DISPATCH_KEY(*handle))) {
    /* The layers below hold this very library once more, under another name: it has registered the
     * instance, and all hooks work on what it registered. */
    vkm_free(instance);
    return VK_SUCCESS;
  }
  instance->handle = *handle;
  instance->next_proc_addr = next_proc_addr;
  instance->next_physical_proc_addr = next_physical;
  fill(instance, info);
  if (vkm_session_enter(info)) {
    vkm_session_application(info->pApplicationInfo);
  }
  vkm_trace_called(&inside, (struct vkm_called){.result = result});
  pthread_mutex_lock(&lock);
  instance->next = instances;
  instances = instance;
  pthread_mutex_unlock(&lock);
  return VK_SUCCESS;
}

/* A driver whose threads still run must stay in memory: the loader would unload it under them.
 * (Destroying an instance before its devices is an error of the application; seen in real programs,
 * and fatal on lavapipe if the process lives on for some milliseconds, as it does while a profile
 * is written.) */
static void keep_driver(struct vkm_device *device, void *context) {
  (void)context;
  vkm_os_keep((const void *)device->table.QueueSubmit);
}

VKAPI_ATTR void VKAPI_CALL vkm_DestroyInstance(VkInstance handle,
                                               const VkAllocationCallbacks *allocator) {
  if (!handle) {
    return;
  }
  struct vkm_instance *instance = vkm_instance_of_key(VKM_DISPATCH_KEY(handle));
  pthread_mutex_lock(&lock);
  struct vkm_instance **at = &instances;
  while (*at != instance) {
    at = &(*at)->next;
  }
  *at = instance->next;
  pthread_mutex_unlock(&lock);
  /* The driver may be unloaded below: no thread of ours may be inside it, whatever devices were
   * left alive. */
  int64_t deadline_ns = vkm_now_ns() + INSTANCE_WAIT_NS;
  vkm_devices_stop_collectors(instance, deadline_ns);
  vkm_devices_each(instance, keep_driver, NULL);
  instance->table.DestroyInstance(handle, allocator);
  vkm_devices_orphan(instance);
  vkm_free(instance);
}
