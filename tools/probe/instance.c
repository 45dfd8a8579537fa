/* Loader and instance. In: the environment. Out: an instance and what came with it. Next: devices.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"

static void say_loader(void *library, uint32_t version) {
  struct link_map *map = NULL;
  bool known = dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map != NULL;
  probe_say("loader", "%s\t%u.%u.%u", known ? map->l_name : "libvulkan.so.1",
            VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
            VK_API_VERSION_PATCH(version));
}

bool probe_open_loader(struct probe *probe) {
  probe_say("step", "loading libvulkan.so.1");
  void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    probe_say("no_loader", "%s", dlerror());
    return false;
  }
  probe->get_instance_proc =
      (PFN_vkGetInstanceProcAddr)dlsym(library, "vkGetInstanceProcAddr"); /* POSIX allows it */
  if (probe->get_instance_proc == NULL) {
    probe_say("no_loader", "libvulkan.so.1 has no vkGetInstanceProcAddr");
    return false;
  }
  PFN_vkEnumerateInstanceVersion get_version =
      (PFN_vkEnumerateInstanceVersion)probe->get_instance_proc(NULL, "vkEnumerateInstanceVersion");
  probe->loader_version = VK_API_VERSION_1_0;
  if (get_version != NULL) {
    (void)get_version(&probe->loader_version);
  }
  say_loader(library, probe->loader_version);
  return true;
}

/* Layers and drivers are told by the functions that they have to export. */
static int say_object(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  (void)data;
  if (info->dlpi_name == NULL || !*info->dlpi_name) {
    return 0;
  }
  void *library = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
  if (library == NULL) {
    return 0;
  }
  struct link_map *map = NULL;
  /* dlsym looks in what the object is linked with, too: only its own functions count. */
  static const char *const names[] = {"vkNegotiateLoaderLayerInterfaceVersion",
                                      "vk_icdGetInstanceProcAddr", "vkGetInstanceProcAddr"};
  const char *kinds[] = {"layer", "driver", "layer"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    void *function = dlsym(library, names[i]);
    Dl_info found;
    if (function != NULL && dladdr1(function, &found, (void **)&map, RTLD_DL_LINKMAP) != 0 &&
        map != NULL && strcmp(map->l_name, info->dlpi_name) == 0 &&
        strstr(info->dlpi_name, "libvulkan.so") == NULL) {
      probe_say(kinds[i], "%s", info->dlpi_name);
      break;
    }
  }
  dlclose(library);
  return 0;
}

void probe_say_loaded(void) {
  dl_iterate_phdr(say_object, NULL);
}

static bool create_instance(struct probe *probe) {
  PFN_vkCreateInstance create =
      (PFN_vkCreateInstance)probe->get_instance_proc(NULL, "vkCreateInstance");
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .pApplicationName = "vkmeter doctor",
                                   .apiVersion = probe->loader_version < VK_API_VERSION_1_3
                                                     ? probe->loader_version
                                                     : VK_API_VERSION_1_3};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                               .pApplicationInfo = &application};
  probe_say("step", "vkCreateInstance");
  if (create == NULL || !probe_good(create(&info, NULL, &probe->instance), "vkCreateInstance")) {
    return false;
  }
  vkuInitInstanceDispatchTable(probe->instance, &probe->table, probe->get_instance_proc);
  return true;
}

bool probe_open_instance(struct probe *probe) {
  bool created = create_instance(probe);
  if (!created) {
    return false;
  }
  probe_say_loaded();
  probe_say("step", "vkEnumeratePhysicalDevices");
  probe->device_count = PROBE_DEVICES_MAX;
  VkResult result =
      probe->table.EnumeratePhysicalDevices(probe->instance, &probe->device_count, probe->devices);
  if (!probe_good(result, "vkEnumeratePhysicalDevices")) {
    probe->device_count = 0;
  }
  probe_say("devices", "%u", (unsigned)probe->device_count);
  return result >= 0;
}

void probe_close(struct probe *probe) {
  if (probe->instance != VK_NULL_HANDLE) {
    probe_say("step", "vkDestroyInstance");
    probe->table.DestroyInstance(probe->instance, NULL);
  }
}
