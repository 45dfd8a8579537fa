/* Which commands a program can get the address of: one line for every kind of instance and device.
 *
 * In: names of commands, one a line, on standard input. Out: for each combination of version and
 * extensions a line "instance VERSION EXTENSIONS", then 0 or 1 for each name; the same for every
 * device. With --maps: one device, and whether the layer's library is in this process. Next:
 * loader_addresses.py compares two runs. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include <vulkan/vulkan.h>

enum { NAME_CAP = 4096, NAME_BYTES = 128, OFFERED_CAP = 512, SET_CAP = 16 };

static char names[NAME_CAP][NAME_BYTES];
static int name_count;
static PFN_vkGetInstanceProcAddr get_instance_proc;
static PFN_vkGetDeviceProcAddr get_device_proc;

static const char *const device_extensions[] = {
    "VK_EXT_host_query_reset",
    "VK_KHR_calibrated_timestamps",
    "VK_EXT_calibrated_timestamps",
    "VK_KHR_synchronization2",
    "VK_KHR_timeline_semaphore",
    "VK_EXT_shader_object",
    "VK_KHR_device_group",
    "VK_EXT_conditional_rendering",
    "VK_EXT_debug_marker",
    "VK_KHR_ray_tracing_pipeline",
    "VK_EXT_device_generated_commands",
    "VK_KHR_pipeline_executable_properties",
    "VK_AMD_shader_info",
};
enum { EXTENSION_COUNT = sizeof device_extensions / sizeof device_extensions[0] };

static void fail(const char *what) {
  (void)fprintf(stderr, "loader_addresses: %s\n", what);
  exit(EXIT_FAILURE);
}

static void read_names(void) {
  while (name_count < NAME_CAP && fgets(names[name_count], NAME_BYTES, stdin)) {
    names[name_count][strcspn(names[name_count], "\n")] = '\0';
    name_count++;
  }
}

static VkInstance open_instance(uint32_t api, bool extended) {
  static const char *const extensions[] = {"VK_KHR_get_physical_device_properties2",
                                           "VK_EXT_debug_utils"};
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = api};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                               .pApplicationInfo = &application,
                               .enabledExtensionCount = extended ? 2 : 0,
                               .ppEnabledExtensionNames = extensions};
  VkInstance instance = VK_NULL_HANDLE;
  PFN_vkCreateInstance create =
      (PFN_vkCreateInstance)get_instance_proc(VK_NULL_HANDLE, "vkCreateInstance");
  if (create(&info, NULL, &instance) != VK_SUCCESS) {
    fail("vkCreateInstance");
  }
  return instance;
}

static VkPhysicalDevice first_device(VkInstance instance) {
  PFN_vkEnumeratePhysicalDevices enumerate =
      (PFN_vkEnumeratePhysicalDevices)get_instance_proc(instance, "vkEnumeratePhysicalDevices");
  VkPhysicalDevice out = VK_NULL_HANDLE;
  uint32_t count = 1;
  if (enumerate(instance, &count, &out) < VK_SUCCESS || count == 0) {
    fail("no device");
  }
  return out;
}

static VkDevice open_device(VkInstance instance, VkPhysicalDevice physical,
                            const char *const *extensions, uint32_t count) {
  float priority = 1.0F;
  VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                   .queueCount = 1,
                                   .pQueuePriorities = &priority};
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &queue,
                             .enabledExtensionCount = count,
                             .ppEnabledExtensionNames = extensions};
  PFN_vkCreateDevice create = (PFN_vkCreateDevice)get_instance_proc(instance, "vkCreateDevice");
  VkDevice out = VK_NULL_HANDLE;
  if (create(physical, &info, NULL, &out) != VK_SUCCESS) {
    fail("vkCreateDevice");
  }
  return out;
}

static bool offered(VkInstance instance, VkPhysicalDevice physical, const char *name) {
  static VkExtensionProperties all[OFFERED_CAP];
  PFN_vkEnumerateDeviceExtensionProperties enumerate =
      (PFN_vkEnumerateDeviceExtensionProperties)get_instance_proc(
          instance, "vkEnumerateDeviceExtensionProperties");
  uint32_t count = OFFERED_CAP;
  if (enumerate(physical, NULL, &count, all) < VK_SUCCESS) {
    fail("vkEnumerateDeviceExtensionProperties");
  }
  for (uint32_t i = 0; i < count; i++) {
    if (strcmp(all[i].extensionName, name) == 0) {
      return true;
    }
  }
  return false;
}

static void print_instance(VkInstance instance, int minor, bool extended) {
  printf("instance 1.%d %s ", minor, extended ? "extended" : "plain");
  for (int i = 0; i < name_count; i++) {
    (void)putchar(get_instance_proc(instance, names[i]) ? '1' : '0');
  }
  (void)putchar('\n');
}

static void print_device(VkInstance instance, VkPhysicalDevice physical, int minor, bool extended,
                         const char *const *extensions, uint32_t count) {
  VkDevice device = open_device(instance, physical, extensions, count);
  printf("device 1.%d %s", minor, extended ? "extended" : "plain");
  for (uint32_t i = 0; i < count; i++) {
    printf("+%s", extensions[i]);
  }
  (void)putchar(' ');
  for (int i = 0; i < name_count; i++) {
    (void)putchar(get_device_proc(device, names[i]) ? '1' : '0');
  }
  (void)putchar('\n');
  PFN_vkDestroyDevice destroy = (PFN_vkDestroyDevice)get_device_proc(device, "vkDestroyDevice");
  destroy(device, NULL);
}

/* No extension, each of those that the device offers, and all of them. */
static void print_devices(VkInstance instance, int minor, bool extended) {
  VkPhysicalDevice physical = first_device(instance);
  const char *all[SET_CAP];
  uint32_t count = 0;
  print_device(instance, physical, minor, extended, NULL, 0);
  /* A 1.0 instance without properties2 may enable none of those that depend on it. */
  for (int i = 0; i < EXTENSION_COUNT && (minor > 0 || extended); i++) {
    if (offered(instance, physical, device_extensions[i])) {
      all[count++] = device_extensions[i];
      print_device(instance, physical, minor, extended, &device_extensions[i], 1);
    }
  }
  print_device(instance, physical, minor, extended, all, count);
}

static void close_instance(VkInstance instance) {
  PFN_vkDestroyInstance destroy =
      (PFN_vkDestroyInstance)get_instance_proc(instance, "vkDestroyInstance");
  destroy(instance, NULL);
}

static void print_maps(void) {
  VkInstance instance = open_instance(VK_API_VERSION_1_1, false);
  VkDevice device = open_device(instance, first_device(instance), NULL, 0);
  char line[1024];
  bool mapped = false;
  FILE *maps = fopen("/proc/self/maps", "re");
  while (maps && fgets(line, sizeof line, maps)) {
    mapped = mapped || strstr(line, "VkLayer_vkmeter");
  }
  if (maps) {
    (void)fclose(maps);
  }
  ((PFN_vkDestroyDevice)get_device_proc(device, "vkDestroyDevice"))(device, NULL);
  close_instance(instance);
  printf("%s %s\n", mapped ? "mapped" : "absent", getauxval(AT_SECURE) ? "secure" : "plain");
}

int main(int argc, char **argv) {
  void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fail(dlerror());
  }
  get_instance_proc = (PFN_vkGetInstanceProcAddr)dlsym(library, "vkGetInstanceProcAddr");
  get_device_proc = (PFN_vkGetDeviceProcAddr)dlsym(library, "vkGetDeviceProcAddr");
  if (argc > 1 && strcmp(argv[1], "--maps") == 0) {
    print_maps();
    return 0;
  }
  read_names();
  print_instance(VK_NULL_HANDLE, 0, false);
  for (int minor = 0; minor <= 4; minor++) {
    for (int extended = 0; extended < 2; extended++) {
      VkInstance instance = open_instance(VK_MAKE_API_VERSION(0, 1, minor, 0), extended);
      print_instance(instance, minor, extended);
      print_devices(instance, minor, extended);
      close_instance(instance);
    }
  }
  return 0;
}
