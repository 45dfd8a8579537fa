/* The probe: a program of its own that looks at Vulkan for `vkmeter doctor`. Drivers may crash or
 * hang in it; the tool outlives that. It says what it finds on its standard output, one fact a
 * line, words parted by tabs, and before each step that a driver may not survive a line `step`.
 * Single thread. */
#ifndef VKM_TOOLS_PROBE_PROBE_H
#define VKM_TOOLS_PROBE_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/utility/vk_dispatch_table.h>
#include <vulkan/vulkan.h>

enum { PROBE_DEVICES_MAX = 16, PROBE_FAMILIES_MAX = 16 };

struct probe {
  PFN_vkGetInstanceProcAddr get_instance_proc;
  uint32_t loader_version; /* packed */
  VkInstance instance;
  VkuInstanceDispatchTable table;
  VkPhysicalDevice devices[PROBE_DEVICES_MAX];
  uint32_t device_count;
};

/* A device that the probe opened. */
struct probe_device {
  VkDevice handle;
  VkuDeviceDispatchTable table;
  uint32_t family;     /* of the queue: one with compute, and with timestamps if there is any */
  uint32_t valid_bits; /* of its timestamps */
  VkQueue queue;
};

/* Prints a fact: `key` and the values of the printf-like format, whose tabs part them. */
void probe_say(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "name failed" as a fact unless `result` is a success; returns whether it is one. */
bool probe_good(VkResult result, const char *name);

/* Opens the loader and says which it is. False: there is none, said. */
bool probe_open_loader(struct probe *probe);
/* Makes an instance and finds its devices; says what is loaded with it. False: said. */
bool probe_open_instance(struct probe *probe);
void probe_close(struct probe *probe);

/* Says which layers and drivers are in this process. */
void probe_say_loaded(void);

/* Opens device `index` with one queue. False: said. */
bool probe_open_device(struct probe *probe, uint32_t index, struct probe_device *device);
void probe_close_device(struct probe_device *device);

/* Says what each device is, and opens and closes it, so that the layer describes it. */
void probe_devices(struct probe *probe);
/* The patterns of doctor/patterns.def on device `index`. */
void probe_selftest(struct probe *probe, uint32_t index);

#endif
