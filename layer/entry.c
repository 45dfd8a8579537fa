/* The door: negotiation and the two proc-address lookups. In: the loader. Next rooms: instance.c,
 * device.c, intercept/. Only vkNegotiateLoaderLayerInterfaceVersion leaves this library. */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "instance.h"
#include "intercept/commands.h"
#include "intercept/hooks.h"
#include "intercept/moves.h"
#include "session.h"

#include "generated_hooks.inc"

struct hook {
  const char *name;
  PFN_vkVoidFunction function;
};

static const struct hook hooks[] = {
#define VKM_COMMAND(type, name, parameters) {"vk" #name, (PFN_vkVoidFunction)vkm_##name},
#include "intercept.def"
#undef VKM_COMMAND
#define VKM_LATER(name, kind, parameters, arguments)                                               \
  {"vkCmd" #name, (PFN_vkVoidFunction)vkm_Cmd##name},
#include "later.def"
#undef VKM_LATER
#define GENERATED(name) {"vk" #name, (PFN_vkVoidFunction)generated_##name},
    VKM_GENERATED(GENERATED)
#undef GENERATED
};
enum { HOOK_COUNT = sizeof hooks / sizeof hooks[0], BUCKETS = 1024 };

/* Index into hooks + 1, by hash of the name; filled once, before any lookup can race. */
static uint16_t buckets[BUCKETS];
static pthread_once_t buckets_once = PTHREAD_ONCE_INIT;

static uint32_t hash_name(const char *name) {
  uint32_t hash = 2166136261u;
  for (; *name; name++) {
    hash = (hash ^ (uint8_t)*name) * 16777619u;
  }
  return hash % BUCKETS;
}

static void fill_buckets(void) {
  _Static_assert(HOOK_COUNT * 2 < BUCKETS, "open addressing needs room");
  for (size_t i = 0; i < HOOK_COUNT; i++) {
    uint32_t at = hash_name(hooks[i].name);
    while (buckets[at]) {
      at = (at + 1) % BUCKETS;
    }
    buckets[at] = (uint16_t)(i + 1);
  }
}

PFN_vkVoidFunction vkm_device_hook(const char *name) {
  pthread_once(&buckets_once, fill_buckets);
  for (uint32_t at = hash_name(name); buckets[at]; at = (at + 1) % BUCKETS) {
    const struct hook *hook = &hooks[buckets[at] - 1];
    if (strcmp(hook->name, name) == 0) {
      return hook->function;
    }
  }
  return NULL;
}

#define EXECUTABLES VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME

const char *vkm_extension_of_added_command(const char *name) {
  static const struct {
    const char *command, *extension;
  } added[] = {
      {"vkResetQueryPoolEXT", VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME},
      {"vkGetCalibratedTimestampsEXT", VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME},
      {"vkGetCalibratedTimestampsKHR", VK_KHR_CALIBRATED_TIMESTAMPS_EXTENSION_NAME},
      {"vkGetPipelineExecutablePropertiesKHR", EXECUTABLES},
      {"vkGetPipelineExecutableStatisticsKHR", EXECUTABLES},
      {"vkGetPipelineExecutableInternalRepresentationsKHR", EXECUTABLES},
      {"vkGetShaderInfoAMD", VK_AMD_SHADER_INFO_EXTENSION_NAME},
  };
  for (size_t i = 0; i < sizeof added / sizeof added[0]; i++) {
    if (strcmp(added[i].command, name) == 0) {
      return added[i].extension;
    }
  }
  return NULL;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(a, *(const char *const *)b);
}

/* A recording command newer than the registry we were built with: what it does is not in the
 * profile, so the profile says that the program asked for it. */
static void note_unknown(const char *name) {
  size_t count = sizeof generated_others / sizeof generated_others[0];
  if (strncmp(name, "vkCmd", 5) == 0 &&
      !bsearch(name, generated_others, count, sizeof generated_others[0], compare_names)) {
    vkm_session_not_intercepted(name);
  }
}

static bool hidden(const struct vkm_device *device, const char *name) {
  const char *extension = vkm_extension_of_added_command(name);
  for (uint32_t i = 0; extension && i < device->hidden_extension_count; i++) {
    if (strcmp(device->hidden_extensions[i], extension) == 0) {
      return true;
    }
  }
  return false;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice handle,
                                                                     const char *name) {
  struct vkm_device *device = handle ? vkm_device_of(handle) : NULL;
  if (!device || !name) {
    return NULL;
  }
  if (strcmp(name, "vkGetDeviceProcAddr") == 0) {
    return (PFN_vkVoidFunction)get_device_proc_addr;
  }
  /* A hook stands only for a command that the next layer has, and that the application itself
   * enabled. */
  PFN_vkVoidFunction next = device->next_proc_addr(handle, name);
  if (!next || hidden(device, name)) {
    return NULL;
  }
  PFN_vkVoidFunction hook = vkm_device_hook(name);
  if (!hook) {
    note_unknown(name);
  }
  return hook ? hook : next;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc_addr(VkInstance handle,
                                                                       const char *name) {
  if (!name) {
    return NULL;
  }
  if (strcmp(name, "vkGetInstanceProcAddr") == 0) {
    return (PFN_vkVoidFunction)get_instance_proc_addr;
  }
  if (strcmp(name, "vkCreateInstance") == 0) {
    return (PFN_vkVoidFunction)vkm_CreateInstance;
  }
  if (strcmp(name, "vkCreateDevice") == 0) {
    return (PFN_vkVoidFunction)vkm_CreateDevice; /* also without an instance: older layers ask so */
  }
  struct vkm_instance *instance = handle ? vkm_instance_of_key(VKM_DISPATCH_KEY(handle)) : NULL;
  if (!instance) {
    return NULL;
  }
  if (strcmp(name, "vkDestroyInstance") == 0) {
    return (PFN_vkVoidFunction)vkm_DestroyInstance;
  }
  PFN_vkVoidFunction next = instance->next_proc_addr(handle, name);
  if (!next) {
    return NULL;
  }
  if (strcmp(name, "vkGetDeviceProcAddr") == 0) {
    return (PFN_vkVoidFunction)get_device_proc_addr;
  }
  PFN_vkVoidFunction hook = vkm_device_hook(name); /* programs fetch device commands here, too */
  return hook ? hook : next;
}

/* We have no physical-device commands of our own: known names go to the next layer. */
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_physical_device_proc_addr(VkInstance handle,
                                                                              const char *name) {
  struct vkm_instance *instance = handle ? vkm_instance_of_key(VKM_DISPATCH_KEY(handle)) : NULL;
  return instance && instance->next_physical_proc_addr
             ? instance->next_physical_proc_addr(handle, name)
             : NULL;
}

__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *version) {
  if (!version || version->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
      version->loaderLayerInterfaceVersion < 2) {
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = get_instance_proc_addr;
  version->pfnGetDeviceProcAddr = get_device_proc_addr;
  version->pfnGetPhysicalDeviceProcAddr = get_physical_device_proc_addr;
  return VK_SUCCESS;
}
