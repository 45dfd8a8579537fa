/* Devices. In: an instance. Out: what each is; opened devices. Next: selftest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"

/* The two calls: a driver was seen that fills as many families as asked and does not clamp. */
static uint32_t read_families(struct probe *probe, VkPhysicalDevice physical,
                              VkQueueFamilyProperties families[PROBE_FAMILIES_MAX]) {
  uint32_t count = 0;
  probe->table.GetPhysicalDeviceQueueFamilyProperties(physical, &count, NULL);
  count = count < PROBE_FAMILIES_MAX ? count : PROBE_FAMILIES_MAX;
  probe->table.GetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
  return count;
}

static void say_device(struct probe *probe, uint32_t index) {
  VkPhysicalDevice physical = probe->devices[index];
  VkPhysicalDeviceProperties properties;
  probe->table.GetPhysicalDeviceProperties(physical, &properties);
  probe_say("device", "%u\t%s\t%d\t%u.%u.%u", (unsigned)index, properties.deviceName,
            (int)properties.deviceType, VK_API_VERSION_MAJOR(properties.apiVersion),
            VK_API_VERSION_MINOR(properties.apiVersion),
            VK_API_VERSION_PATCH(properties.apiVersion));
  VkQueueFamilyProperties families[PROBE_FAMILIES_MAX];
  uint32_t count = read_families(probe, physical, families);
  for (uint32_t i = 0; i < count; i++) {
    probe_say("family", "%u\t%u\t%u\t%u\t%u", (unsigned)index, (unsigned)i,
              (unsigned)families[i].queueFlags, (unsigned)families[i].queueCount,
              (unsigned)families[i].timestampValidBits);
  }
}

/* Best: compute with timestamps; then compute; then whatever is there. */
static bool choose_family(struct probe *probe, VkPhysicalDevice physical,
                          struct probe_device *device) {
  VkQueueFamilyProperties families[PROBE_FAMILIES_MAX];
  uint32_t count = read_families(probe, physical, families);
  int best = -1;
  for (uint32_t i = 0; i < count; i++) {
    bool computes = families[i].queueFlags & VK_QUEUE_COMPUTE_BIT;
    int score = families[i].queueCount == 0 ? -1
                : !computes                 ? 0
                                            : 1 + (families[i].timestampValidBits > 0);
    if (score > best) {
      best = score;
      device->family = i;
      device->valid_bits = families[i].timestampValidBits;
    }
  }
  return best >= 0;
}

bool probe_open_device(struct probe *probe, uint32_t index, struct probe_device *device) {
  *device = (struct probe_device){0};
  VkPhysicalDevice physical = probe->devices[index];
  if (!choose_family(probe, physical, device)) {
    probe_say("failed", "finding a queue\t0");
    return false;
  }
  float priority = 1.0F;
  VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                   .queueFamilyIndex = device->family,
                                   .queueCount = 1,
                                   .pQueuePriorities = &priority};
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &queue};
  probe_say("step", "vkCreateDevice");
  /* The tables of the headers leave this one out. */
  PFN_vkCreateDevice create =
      (PFN_vkCreateDevice)probe->get_instance_proc(probe->instance, "vkCreateDevice");
  if (!probe_good(create(physical, &info, NULL, &device->handle), "vkCreateDevice")) {
    return false;
  }
  PFN_vkGetDeviceProcAddr get =
      (PFN_vkGetDeviceProcAddr)probe->get_instance_proc(probe->instance, "vkGetDeviceProcAddr");
  vkuInitDeviceDispatchTable(device->handle, &device->table, get);
  device->table.GetDeviceQueue(device->handle, device->family, 0, &device->queue);
  return true;
}

void probe_close_device(struct probe_device *device) {
  probe_say("step", "vkDestroyDevice");
  device->table.DestroyDevice(device->handle, NULL);
}

void probe_devices(struct probe *probe) {
  for (uint32_t i = 0; i < probe->device_count; i++) {
    say_device(probe, i);
    struct probe_device device;
    if (probe_open_device(probe, i, &device)) {
      probe_say("opened", "%u", (unsigned)i);
      probe_close_device(&device);
    }
  }
}
